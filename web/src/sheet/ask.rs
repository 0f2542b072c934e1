//! Which sheet is asked for.

use ebbline::Policy;
use serde::{Deserialize, Serialize};

use crate::view::At;

/// Which sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Which {
    /// What fills the context.
    Fills,
    /// The policy that writes the history beside the one on the knobs.
    Compare,
    /// The same in three figures.
    Versus,
    /// Cost and loss of many policies.
    Frontier,
    /// What only the messages hold that a summary would replace.
    Facts,
    /// The request for the summary, and an answer to it.
    Summary,
    /// A step of the lesson.
    Lesson,
    /// What the pictures show, in rows.
    Table,
    /// The link of the state.
    Share,
    /// What the page shows, and its keys.
    Help,
}

impl Which {
    /// All sheets.
    pub const ALL: [Self; 10] = [
        Self::Fills,
        Self::Compare,
        Self::Versus,
        Self::Frontier,
        Self::Facts,
        Self::Summary,
        Self::Lesson,
        Self::Table,
        Self::Share,
        Self::Help,
    ];

    /// The name in element ids.
    pub fn id(self) -> &'static str {
        match self {
            Self::Fills => "fills",
            Self::Compare => "compare",
            Self::Versus => "versus",
            Self::Frontier => "frontier",
            Self::Facts => "facts",
            Self::Summary => "summary-sheet",
            Self::Lesson => "lesson",
            Self::Table => "table",
            Self::Share => "share",
            Self::Help => "help",
        }
    }

    /// The title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Fills => "What fills the context",
            Self::Compare => "Two policies",
            Self::Versus => "Against each other",
            Self::Frontier => "Cost and loss",
            Self::Facts => "What the summary has to carry",
            Self::Summary => "The summary",
            Self::Lesson => "How compaction works",
            Self::Table => "Data table",
            Self::Share => "Share",
            Self::Help => "What this shows",
        }
    }
}

/// A request for a sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// Which sheet.
    pub which: Which,
    /// The policy that writes the history: A.
    #[serde(with = "crate::wire::policy")]
    pub history: Policy,
    /// The policy on the knobs: B.
    #[serde(with = "crate::wire::policy")]
    pub policy: Policy,
    /// Whether compaction is forced, whatever the trigger says.
    pub force: bool,
    /// The moment; `None` for the session as its file holds it.
    pub request: Option<u32>,
    /// What was typed into fields of the sheet, by their ids.
    pub fields: Vec<(String, String)>,
}

impl Ask {
    /// The moment in the history that A writes.
    pub fn at(&self) -> Option<At> {
        self.request.map(|request| At { history: self.history.clone(), request })
    }

    /// What was typed into a field; `None` if nothing was.
    pub fn field(&self, id: &str) -> Option<&str> {
        let typed = self.fields.iter().find(|(of, _)| of == id).map(|(_, value)| value.trim());
        typed.filter(|value| !value.is_empty())
    }
}
