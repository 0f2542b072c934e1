//! The requests of a replay, and what is done before them.

use super::Source;
use crate::plan::{Decision, Preview};

crate::form::reported! {
    /// One request of a replayed session.
    [Copy, Eq]
    pub struct Request {
        /// The place in the history of the message that answers it. The request sends what precedes this place. The
        /// last request of a replay has no answer yet: its place is the length of the history.
        pub at: u32,
        /// The estimated tokens of the messages that it sends. What is sent beside them is not included.
        pub tokens: u64,
        /// How many of these tokens stand unchanged at the beginning of both this request and the one before: what a
        /// cache of exact prefixes can hold.
        pub unchanged: u64,
        /// The estimated tokens of the answer; 0 for a request without one.
        pub output: u64,
        /// The compaction that was carried out before it, by its index among all.
        pub compaction: Option<u32>,
        /// Whether what it sends stays below the threshold of the policy.
        pub fits: bool,
        /// Whether what it sends, with what is sent beside the messages, is more than the context window: a provider
        /// refuses such a request. `false` if the window is not known.
        pub over_window: bool,
    }
}

/// What a replay did before a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compaction {
    /// The request, as an index into [`Replay::requests`](super::Replay::requests).
    pub request: u32,
    /// The decision that was carried out.
    pub decision: Decision,
    /// The outputs that were pruned or cut, oldest first, with the images inside them: indices of parts of the log.
    pub pruned: Vec<u32>,
    /// The outputs among these that were cut to head and tail, oldest first, with what stays of each.
    pub cut: Vec<(u32, Preview)>,
    /// The messages of the log that a summary replaced, oldest first. An earlier summary is not among them.
    pub summarized: Vec<u32>,
    /// The tokens of the summary; 0 if none was made.
    pub summary: u64,
    /// The tokens of what the summary was made from: the messages that it replaced, as they were in the view.
    pub summary_input: u64,
    /// How many messages of the history were there.
    pub(super) at: u32,
    /// After a summary, the messages of the view and the usage reported with each; later messages are added to them.
    /// Empty if only outputs were pruned.
    pub(super) sources: Vec<(Source, Option<u32>)>,
}
