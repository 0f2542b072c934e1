//! What a repair did, and what it left.

use serde::Serialize;

use crate::rules::Rule;
use crate::validate::Violation;
use crate::words;

words! {
    /// What a repair did to one fault.
    pub enum Mending [non_exhaustive] {
        /// The part, or the message if nothing else was in it, was removed.
        Removed "removed",
        /// A result was moved to where the provider expects it.
        Moved "moved",
        /// A result was added which says that the outcome of the call is unknown.
        Added "added",
        /// What the provider requires was written: an empty text as the content of a result, or a note in the place of
        /// what was removed.
        Filled "filled",
        /// A message was joined with the one before it.
        Joined "joined",
    }
}

/// One fault that a repair mended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Mended {
    /// What was done.
    pub mending: Mending,
    /// The rule that was broken.
    pub rule: Rule,
    /// The message in the session as it was, as an index of its transcript.
    pub message: usize,
    /// What was wrong and what was done, as a sentence.
    pub text: String,
    /// The line of the message in the text as it was, counted from 1.
    pub line: usize,
    /// Its first byte in that text.
    pub byte: usize,
}

/// A repaired text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repaired {
    /// The text. Without faults it is the text that was given.
    pub bytes: Vec<u8>,
    /// What was done, in the order in which it was done.
    pub done: Vec<Mended>,
    /// The violations that are left in the repaired text: no repair can mend them.
    pub left: Vec<Violation>,
}
