//! A fact that the agent used: what it is, where it stood, and by what a question tells it from others.

use crate::loss::Left;
use crate::words;

words! {
    /// What a fact is.
    pub enum FactKind [non_exhaustive] {
        /// A path, a name, an id, an error code.
        Identifier "identifier",
        /// A number.
        Value "value",
        /// A line of what a tool gave back, such as a line of a file.
        Content "content",
    }
}

/// A fact that the agent used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The request whose answer used it.
    pub request: u32,
    /// The message and the part that used it.
    pub message: u32,
    /// The part.
    pub part: u32,
    /// What it is.
    pub kind: FactKind,
    /// The fact, word for word.
    pub text: String,
    /// The newest output that held it, as a part, and the message of that.
    pub output: u32,
    /// The message of that output.
    pub output_message: u32,
    /// For each policy how that output had left the context, if the context held the fact nowhere else.
    pub left: Vec<Option<Left>>,
    /// What the agent wrote, with the fact blanked.
    pub excerpt: String,
    /// The call whose output held the fact, with the fact blanked; empty if the session does not say it.
    pub source: String,
}

/// By what a question tells a fact from others of an output: its kind, how many characters it has, and the first of them.
pub(super) type Shape = (FactKind, usize, Option<char>);

impl Fact {
    pub(super) fn shape(&self) -> Shape {
        shape(self.kind, &self.text)
    }
}

/// The same of what may become a fact.
pub(super) fn shape(kind: FactKind, text: &str) -> Shape {
    (kind, text.chars().count(), text.chars().next())
}
