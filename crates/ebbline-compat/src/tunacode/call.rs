//! Calls of the controller, what comes back from the summariser, and what a call comes to.

use ebbline::notation::javascript::Utf16;
use serde::Serialize;

use super::record::CompactionRecord;

/// One call of the controller.
#[expect(clippy::struct_excessive_bools, reason = "they are the arguments of the system's own function")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Call {
    /// Whether a new request of the user begins before it.
    pub reset: bool,
    /// The context window in tokens; `None` when the call is nothing but a reset.
    pub max_tokens: Option<f64>,
    /// Whether compaction is asked for: by hand, or after an overflow.
    pub force: bool,
    /// Whether the threshold may trigger compaction.
    pub allow_threshold: bool,
    /// Whether the kept messages become the conversation afterwards.
    pub apply: bool,
}

/// What came of one request to the summariser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A summary.
    Text(Utf16),
    /// It failed, with this message.
    Failed(Utf16),
    /// The model's provider cannot be asked; its name.
    UnsupportedProvider(Utf16),
    /// There is no key; the name of the environment variable.
    MissingApiKey(Utf16),
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// `compacted`, `skipped` or `failed`.
    pub status: &'static str,
    /// Why, in TunaCode's words.
    pub reason: &'static str,
    /// The summariser's error, the provider or the variable.
    pub detail: Option<Utf16>,
    /// How many messages are kept: the newest so many.
    pub kept_messages: usize,
    /// What the user is told.
    pub notice: Option<String>,
    /// The record afterwards.
    pub record: Option<CompactionRecord>,
    /// The stored estimate of the conversation, in tokens, where a compaction was applied to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_total_tokens: Option<u64>,
}

/// The outcomes of some calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Compaction {
    /// One outcome a call that was no mere reset; those for which the replies suffice.
    pub outcomes: Vec<Outcome>,
    /// The prompts sent to the summariser.
    pub prompts: Vec<Utf16>,
    /// What the status line was told: `true` when a compaction begins, `false` when it ends.
    pub status_calls: Vec<bool>,
    /// Whether the last prompt still waits for its reply.
    pub waiting: bool,
}

/// What the user is told; most outcomes are silent.
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
