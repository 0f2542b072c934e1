//! Sheets: parts of the page that the worker writes and the page shows without knowing what they say.
//!
//! A sheet is a list of blocks: sentences, tables, bars, fields, pictures. What can be clicked carries an [`Act`], which
//! the page carries out. So everything that the first screen does not need stays out of the page's own program.

mod bars;
mod compare;
mod cost;
mod facts;
mod frontier;
mod lesson;
pub mod share;
mod summary;
mod table;

use ebbline::Policy;
pub use lesson::STEP;

use crate::content::Content;
use crate::open_session::OpenSession;
use crate::view::At;

/// Which sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Which {
    /// What fills the context.
    Fills,
    /// The policy that writes the history beside the one on the knobs.
    Compare,
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
}

impl Which {
    /// All sheets; `ALL[which as usize]` is `which`.
    pub const ALL: [Self; 8] = [
        Self::Fills,
        Self::Compare,
        Self::Frontier,
        Self::Facts,
        Self::Summary,
        Self::Lesson,
        Self::Table,
        Self::Share,
    ];

    /// The name in element ids.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Fills => "fills",
            Self::Compare => "compare",
            Self::Frontier => "frontier",
            Self::Facts => "facts",
            Self::Summary => "summary-sheet",
            Self::Lesson => "lesson",
            Self::Table => "table",
            Self::Share => "share",
        }
    }

    /// The title.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Fills => "What fills the context",
            Self::Compare => "Two policies",
            Self::Frontier => "Cost and loss",
            Self::Facts => "What the summary has to carry",
            Self::Summary => "The summary",
            Self::Lesson => "How compaction works",
            Self::Table => "Data table",
            Self::Share => "Share",
        }
    }
}

/// A request for a sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// Which sheet.
    pub which: Which,
    /// The policy that writes the history: A.
    pub history: Policy,
    /// The policy on the knobs: B.
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
    #[must_use]
    pub fn at(&self) -> Option<At> {
        self.request.map(|request| At { history: self.history.clone(), request })
    }

    /// What was typed into a field; `None` if nothing was.
    #[must_use]
    pub fn field(&self, id: &str) -> Option<&str> {
        let typed = self.fields.iter().find(|(of, _)| of == id).map(|(_, value)| value.trim());
        typed.filter(|value| !value.is_empty())
    }
}

/// How a sentence looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Look {
    /// As running text.
    Plain,
    /// As a remark.
    Quiet,
    /// As a warning.
    Warning,
    /// As a heading.
    Heading,
}

impl Look {
    /// All looks; `ALL[look as usize]` is `look`.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Quiet, Self::Warning, Self::Heading];
}

/// What a click does.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Nothing: it cannot be clicked.
    None,
    /// Shows these messages in the list.
    Lead {
        /// What they have in common.
        of: String,
        /// Their indices.
        messages: Vec<u32>,
    },
    /// Sets the knobs.
    Take(Box<Policy>),
    /// Lets a policy write the history; the moment and the knobs stay.
    Write(Box<Policy>),
    /// Lets the policy on the knobs write the history.
    FromTheStart,
    /// Exchanges A and B.
    Swap,
    /// Opens another sheet.
    Open(Which),
    /// Types into a field.
    Type {
        /// The field.
        id: String,
        /// What is typed.
        value: String,
    },
    /// Goes to a step of the lesson; 0 leaves it.
    Step(u32),
}

/// A row of a table. Its first cell names it and carries the act.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The cells.
    pub cells: Vec<String>,
    /// What a click on the first cell does.
    pub act: Act,
}

/// A bar with its name and figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What it stands for.
    pub name: String,
    /// Its figure in words.
    pub said: String,
    /// What a screen reader says.
    pub spoken: String,
    /// Its length, in percent of the whole.
    pub share: u64,
    /// What a click does.
    pub act: Act,
}

/// A field to type into. The sheet is written again when it changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its id.
    pub id: String,
    /// Its label.
    pub label: String,
    /// What it contains until something is typed.
    pub value: String,
    /// How many lines it shows; 0 for a number.
    pub lines: u64,
}

/// A menu of acts.
#[derive(Clone, Debug, PartialEq)]
pub struct Menu {
    /// Its id.
    pub id: String,
    /// Its label.
    pub label: String,
    /// Which option is chosen.
    pub chosen: u64,
    /// The options, and what their choice does.
    pub options: Vec<(String, Act)>,
}

/// A point of a picture that can be clicked.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// Its place from the left and from the top, in thousandths of the picture.
    pub place: (u64, u64),
    /// What it stands for.
    pub name: String,
    /// What a click does.
    pub act: Act,
}

/// A part of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A sentence or several.
    Words(Look, String),
    /// A table.
    Table {
        /// What it shows.
        caption: String,
        /// The names of the columns.
        columns: Vec<String>,
        /// The rows.
        rows: Vec<Row>,
    },
    /// Bars, the largest first.
    Bars {
        /// What they show.
        title: String,
        /// The bars.
        bars: Vec<Bar>,
    },
    /// A text to read, copy and save.
    Text {
        /// What it is.
        title: String,
        /// The name of the file that it becomes.
        name: String,
        /// The text.
        text: String,
    },
    /// Fields to type into.
    Fields(Vec<Field>),
    /// A picture with points.
    Picture {
        /// The picture as an SVG document.
        svg: String,
        /// What it shows, in words.
        about: String,
        /// The points.
        dots: Vec<Dot>,
    },
    /// Buttons.
    Actions(Vec<(String, Act)>),
    /// Menus.
    Menus(Vec<Menu>),
    /// What the screen has to show beside the sheet.
    Stage {
        /// The policy that writes the history.
        history: Box<Policy>,
        /// The policy on the knobs.
        policy: Box<Policy>,
        /// The moment.
        request: Option<u32>,
        /// The part of the screen that it is about, by its name in the style sheet.
        light: String,
    },
}

impl Block {
    fn plain(words: impl Into<String>) -> Self {
        Self::Words(Look::Plain, words.into())
    }

    fn quiet(words: impl Into<String>) -> Self {
        Self::Words(Look::Quiet, words.into())
    }

    fn warning(words: impl Into<String>) -> Self {
        Self::Words(Look::Warning, words.into())
    }

    fn heading(words: impl Into<String>) -> Self {
        Self::Words(Look::Heading, words.into())
    }
}

/// Writes a sheet.
#[must_use]
pub fn write<C: Content>(session: &OpenSession<C>, ask: &Ask) -> Vec<Block> {
    match ask.which {
        Which::Fills => bars::fills(session, ask),
        Which::Compare => compare::compare(session, ask),
        Which::Frontier => frontier::frontier(session, ask),
        Which::Facts => facts::facts(session, ask),
        Which::Summary => summary::summary(session, ask),
        Which::Lesson => lesson::lesson(session, ask),
        Which::Table => table::table(session, ask),
        Which::Share => share::share(session, ask),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_inverted() {
        assert!(Which::ALL.iter().enumerate().all(|(code, which)| *which as usize == code));
        assert!(Look::ALL.iter().enumerate().all(|(code, look)| *look as usize == code));
    }

    #[test]
    fn what_is_only_space_was_not_typed() {
        let policy = ebbline::profiles::ALL[0].policy();
        let fields = vec![("rate".to_owned(), " 0.5 ".to_owned()), ("price".to_owned(), "  ".to_owned())];
        let ask =
            Ask { which: Which::Fills, history: policy.clone(), policy, force: false, request: None, fields };
        assert_eq!((ask.field("rate"), ask.field("price"), ask.field("other")), (Some("0.5"), None, None));
    }
}
