//! What is under way in a compactor: a plan that is carried out, and what the caller was asked for meanwhile.

use std::collections::HashMap;

use ebbline::summary::{SummaryContext, SummaryOptions};
use ebbline::{Plan, PlanOptions};

use crate::chunks::ChunkedMessages;
use crate::compaction::{Cause, Compaction};
use crate::error::CompactorError;
use crate::step::RequestInfo;
use crate::summary_request::SummaryRequest;
use crate::texts::{JoinedMessages, LiveMessages, MessageText, Outcome};
use crate::view::Change;

/// A plan that is being carried out.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) messages: JoinedMessages,
    pub(crate) plan: Plan,
    pub(crate) cause: Cause,
    /// The time in milliseconds since 1970.
    pub(crate) now: Option<u64>,
    /// What the plan was asked for with.
    pub(crate) options: PlanOptions,
    /// Whether the caller need not be asked.
    pub(crate) is_allowed: bool,
}

/// The plan that the course has seen last, of these messages, and the one that there is if nobody writes summaries.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) messages: JoinedMessages,
    pub(crate) plan: Plan,
    pub(crate) alone: Option<Plan>,
}

/// What the caller was asked for.
#[derive(Clone, Debug)]
pub(crate) enum Waiting {
    /// Whether the plan may be carried out.
    Permission { is_summary: bool, task: Task },
    /// Whether passes may be made, which leave a context of this size, if its messages do not say so.
    Passes { task: Task, size: Option<u64> },
    /// A summary that a model writes.
    Summary(Task, Box<OpenRequest>),
    /// Messages that are to be stored.
    Storage(StorageWait),
}

/// A summary, and whether it was written by rule.
pub(crate) type Summary = (String, bool);

/// What a compaction makes of the view, before it is made.
#[derive(Clone, Debug)]
pub(crate) struct PendingCompaction {
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) compaction: Compaction,
    /// For passes, what they leave.
    pub(crate) passes: Option<PassResult>,
}

/// What passes leave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassResult {
    /// The size of the context in tokens, if its messages do not say so.
    pub(crate) size: Option<u64>,
}

/// A compaction that is made once the messages are stored that it concerns.
#[derive(Clone, Debug)]
pub(crate) struct StorageWait {
    pub(crate) pending: PendingCompaction,
    pub(crate) keys: Vec<String>,
    /// Whether the call goes on then with a request: what is stored comes of a summary that was written in the background.
    pub(crate) is_taken_over: bool,
}

/// Passes that were made in the call that is running: until it has ended, they can be taken back, and nobody hears of them.
#[derive(Clone, Debug)]
pub(crate) struct HeldPasses {
    pub(crate) compaction: Compaction,
    /// The messages before, and the changes that could be made again.
    pub(crate) live: LiveMessages,
    pub(crate) undone: Vec<Change>,
}

/// What a model was asked.
#[derive(Clone, Debug)]
pub(crate) struct OpenRequest {
    /// What the summary of everything is judged by.
    pub(crate) context: SummaryContext,
    /// What requests are written with.
    pub(crate) asked: SummaryOptions,
    pub(crate) request: SummaryRequest,
    pub(crate) is_second: bool,
    /// The most tokens of a request.
    pub(crate) budget: u64,
    /// The part that the request is for, if its summary is judged by itself.
    pub(crate) part: Option<Part>,
    /// What comes next, if the summary is written in parts.
    pub(crate) progress: Option<ChunkProgress>,
}

/// Messages with a summary of their own.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) messages: JoinedMessages,
    pub(crate) plan: Plan,
    pub(crate) context: SummaryContext,
}

/// How far a summary in parts has come.
#[derive(Clone, Debug)]
pub(crate) struct ChunkProgress {
    pub(crate) chunks: ChunkedMessages,
    /// The part that is asked for.
    pub(crate) at: usize,
    /// How many parts were summarized before.
    pub(crate) before: usize,
    pub(crate) results: ChunkResults,
}

/// What became of the parts so far.
#[derive(Clone, Debug)]
pub(crate) enum ChunkResults {
    /// One part after the other: the summary of those before, and the messages of this one.
    Rolling(Vec<MessageText>),
    /// Each part by itself: the summaries so far.
    Summaries(Vec<String>),
}

/// What comes of an answer.
#[derive(Debug)]
pub(crate) enum Next {
    /// Another request.
    Request(SummaryRequest),
    /// The summary.
    Summary(String),
}

/// A summary that is written while the agent goes on.
#[derive(Clone, Debug)]
pub(crate) struct BackgroundSummary {
    pub(crate) task: Task,
    /// What the model was asked, as long as it has not answered.
    pub(crate) request: Option<OpenRequest>,
    /// What came of it.
    pub(crate) result: Result<Summary, CompactorError>,
    /// What was sent when it was asked for.
    pub(crate) sent: Vec<MessageText>,
    pub(crate) is_edited: bool,
    /// What the call is about that waits for it.
    pub(crate) awaited: Option<RequestInfo>,
}

/// What the next call finds beside its own arguments, by the index of a message in the history.
#[derive(Clone, Debug, Default)]
pub(crate) struct NextCall {
    /// Known messages as they are written now.
    pub(crate) renewed: HashMap<usize, MessageText>,
    /// The pins that name messages which the call adds, a bit for each.
    pub(crate) pins: HashMap<usize, u64>,
}
