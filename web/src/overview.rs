//! What the page knows of a session once it is open: what was read, and the kind of every message.

use ebbline::Transcript;
use serde::{Deserialize, Serialize};

use crate::error_text::UserError;
use crate::kind::Kind;
use ebbline::numbers::counted;

/// What the session's chip shows about the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The file's name.
    pub name: String,
    /// The file's size in bytes.
    pub bytes: u64,
    /// The format's title.
    pub format: String,
    /// What the format was recognized by.
    pub evidence: String,
    /// What the engine counted.
    pub counts: ebbline::session_text::Counts,
    /// The first lines that could not be read.
    pub problems: Vec<UserError>,
    /// How many lines could not be read.
    pub problem_count: usize,
    /// The tools, by the index that [`Rows::tool`] gives.
    pub tools: Vec<String>,
    /// Other facts that the file records, as name and sentence.
    pub facts: Vec<(String, String)>,
}

impl About {
    /// The format and how many messages there are.
    pub fn short(&self) -> String {
        format!("{} · {}", self.format, counted(self.counts.messages as u64, "message"))
    }
}

/// Columns by message that do not depend on the policy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rows {
    /// [`Kind`] as a code.
    #[serde(with = "crate::wire::column")]
    pub kind: Vec<u8>,
    /// One more than the index of the tool; 0 for none.
    #[serde(with = "crate::wire::column")]
    pub tool: Vec<u32>,
}

/// What the page knows of the open session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overview {
    /// What was read.
    pub about: About,
    /// Its messages.
    pub rows: Rows,
}

impl Overview {
    /// The kind of message `index` and the name of its tool, which is empty if it has none.
    pub fn kind_and_tool(&self, index: usize) -> Option<(Kind, String)> {
        self.rows.kind_and_tool(&self.about.tools, index)
    }
}

impl Rows {
    /// The kind of message `index` and the name of its tool among `tools`, which is empty if it has none.
    pub fn kind_and_tool(&self, tools: &[String], index: usize) -> Option<(Kind, String)> {
        let kind = Kind::from_code(*self.kind.get(index)?);
        let named = self.tool.get(index).and_then(|tool| (*tool as usize).checked_sub(1));
        let tool = named.and_then(|named| tools.get(named)).cloned();
        Some((kind, tool.unwrap_or_default()))
    }

    /// Builds the columns of `transcript`.
    pub fn of(transcript: &Transcript) -> Self {
        let mut rows = Self::default();
        for (index, message) in transcript.messages().iter().enumerate() {
            rows.kind.push(Kind::of_message(message) as u8);
            rows.tool.push(
                transcript.parts_of(index).iter().find_map(|part| part.tool).map_or(0, |tool| tool + 1),
            );
        }
        rows
    }
}

/// The tools of `transcript`, by the index that [`Rows::tool`] gives.
pub fn tools(transcript: &Transcript) -> Vec<String> {
    (0..).map_while(|tool| transcript.tool_name(tool)).map(str::to_owned).collect()
}
