//! One message in detail.

use serde::{Deserialize, Serialize};

use crate::readable::Block;

/// One message in detail, for the inspector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inspected {
    /// The message's index.
    pub message: u32,
    /// The sentence that explains the message's fate.
    pub why: String,
    /// The message's text, part by part.
    pub blocks: Vec<Block>,
    /// What the model sees of it under the policy; empty if it sees nothing.
    pub blocks_after: Vec<Block>,
    /// Its JSON as written in the file.
    pub raw: String,
    /// How many characters of the text, and of the JSON, are not shown.
    pub left_out: (u64, u64),
    /// The first part that is shown, and the number of all parts; [`crate::inspect::PARTS`] are shown at once.
    pub parts: (u64, u64),
    /// The messages at the other end of its calls and results.
    pub partners: Vec<u32>,
    /// Its byte range in the file.
    pub span: (u64, u64),
}
