//! A file that is saved or copied.

use serde::{Deserialize, Serialize};

/// A file, ready to be saved or copied.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exported {
    /// The file's name.
    pub name: String,
    /// Its content. If the session's file contained bytes that are not UTF-8, so does its export.
    #[serde(with = "crate::wire::column")]
    pub bytes: Vec<u8>,
    /// What the user has to know about the file, as a sentence; empty if nothing.
    pub note: String,
    /// What must not be overlooked, such as a key in the file; empty if nothing.
    pub warning: String,
    /// The profile of the agent that reads the file, if the policy is of another system; empty if not.
    pub profile: String,
    /// How many messages wait for the user's summary.
    pub summarized: u64,
}

impl Exported {
    pub(super) fn of_text(name: impl Into<String>, text: String) -> Self {
        Self { name: name.into(), bytes: text.into_bytes(), ..Self::default() }
    }

    pub(super) fn with_note(self, note: String) -> Self {
        Self { note, ..self }
    }
}
