//! Markers: where a file records that its own agent compacted, pruned or went back.

use std::ops::Range;

use crate::words;

words! {
    /// What a marker records.
    pub enum MarkerKind [non_exhaustive] {
        /// Old messages gave way to a summary.
        Compaction "compaction",
        /// The summary itself, where it stands apart from the compaction's record.
        Summary "summary",
        /// Old tool outputs were cleared.
        Prune "prune",
        /// A branch was left behind, and a summary tells of it.
        Branch "branch",
        /// Messages were taken back: a rewind, a rollback.
        Rewind "rewind",
    }
}

/// A place where a file records what its own agent did to the session.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Marker {
    /// What it records.
    pub kind: MarkerKind,
    /// The format's own word for it, for example `compact_boundary`.
    pub name: &'static str,
    /// The bytes of the source where it stands.
    pub bytes: Range<usize>,
    /// The tokens that the agent counted before, if it says so.
    pub tokens_before: Option<u32>,
    /// The tokens that it saved by its own count, if it says so.
    pub tokens_saved: Option<u32>,
    /// Of a prune: how many outputs it names.
    pub outputs: Option<usize>,
}

impl Marker {
    /// A marker without figures.
    pub(crate) fn new(kind: MarkerKind, name: &'static str, bytes: Range<usize>) -> Self {
        Self { kind, name, bytes, tokens_before: None, tokens_saved: None, outputs: None }
    }
}
