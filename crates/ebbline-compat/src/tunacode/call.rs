//! Calls of the controller, replies of the summarizer, and the results of calls.

use ebbline::notation::javascript::Utf16;
use serde::Serialize;

use super::record::CompactionRecord;

/// One call of the controller.
#[expect(clippy::struct_excessive_bools, reason = "they are the arguments of the system's own function")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Call {
    /// Whether a new request of the user precedes it.
    pub reset: bool,
    /// The context window in tokens; `None` if the call is only a reset.
    pub max_tokens: Option<f64>,
    /// Whether compaction is forced: by hand or after an overflow.
    pub force: bool,
    /// Whether the threshold may trigger compaction.
    pub allow_threshold: bool,
    /// Whether the kept messages replace the conversation afterwards.
    pub apply: bool,
}

/// The result of one request to the summarizer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reply {
    /// A summary.
    Text(Utf16),
    /// It failed, with this message.
    Failed(Utf16),
    /// The model's provider is not supported; its name.
    UnsupportedProvider(Utf16),
    /// The API key is missing; the name of the environment variable.
    MissingApiKey(Utf16),
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// `compacted`, `skipped` or `failed`.
    pub status: &'static str,
    /// Why, in TunaCode's words.
    pub reason: &'static str,
    /// The summarizer's error, the provider or the variable.
    pub detail: Option<Utf16>,
    /// How many of the newest messages are kept.
    pub kept_messages: usize,
    /// The message for the user.
    pub notice: Option<String>,
    /// The record afterwards.
    pub record: Option<CompactionRecord>,
    /// The stored estimate of the conversation, in tokens, if a compaction was applied to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_total_tokens: Option<u64>,
}

/// The results of several calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Compaction {
    /// The outcome of each call that was not only a reset, as far as there are replies.
    pub outcomes: Vec<Outcome>,
    /// The prompts sent to the summarizer.
    pub prompts: Vec<Utf16>,
    /// The calls of the status line: `true` when a compaction begins, `false` when it ends.
    pub status_calls: Vec<bool>,
    /// Whether the last prompt waits for its reply.
    pub waiting: bool,
}

/// The message for the user; most outcomes have none.
pub(super) fn notice(reason: &str, detail: Option<&Utf16>) -> Option<String> {
    let detail = detail.map(Utf16::to_text).unwrap_or_default();
    match reason {
        "summarization_failed" => {
            Some("Compaction failed during summarization; keeping existing history.".to_owned())
        }
        "unsupported_provider" => Some(format!("Compaction skipped: no summaries from provider {detail:?}.")),
        "missing_api_key" => Some(format!("Compaction skipped: {detail} is not set.")),
        _ => None,
    }
}
