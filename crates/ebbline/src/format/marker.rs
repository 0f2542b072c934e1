//! Markers: entries in which the agent recorded that it compacted, pruned or rewound the session.

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

crate::form::worded!(MarkerKind);

/// An entry in which the agent recorded what it did to the session.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Marker {
    /// What it records.
    pub kind: MarkerKind,
    /// The format's own word for it, for example `compact_boundary`.
    pub name: &'static str,
    /// Its bytes in the source.
    pub bytes: Range<usize>,
    /// The tokens before, as counted by the agent, if recorded.
    pub tokens_before: Option<u32>,
    /// The saved tokens, as counted by the agent, if recorded.
    pub tokens_saved: Option<u32>,
    /// For a prune: how many outputs it names.
    pub outputs: Option<usize>,
}

impl Marker {
    /// A marker without figures.
    pub(crate) fn new(kind: MarkerKind, name: &'static str, bytes: Range<usize>) -> Self {
        Self { kind, name, bytes, tokens_before: None, tokens_saved: None, outputs: None }
    }
}
