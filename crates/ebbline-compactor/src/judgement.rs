//! Whether a model's answer is a summary that may replace history.

use std::num::NonZeroU64;

use ebbline::summary::{self, Answer, Shortcomings, SummaryContext};
use ebbline::{Error, ErrorCode};

use crate::error::{CompactorError, failure};

/// Why an answer is refused, and what to tell the model if it is worth asking again.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Why.
    pub error: CompactorError,
    /// What to tell the model.
    pub reminder: Option<String>,
}

/// The summary that an answer makes. `window` is the model's context; `lacks` says what a summary lacks of the messages that it
/// replaces.
///
/// # Errors
///
/// `truncated_summary`, `empty_summary`, `larger_summary`, `refused_summary`, `incomplete_summary`; the errors of `lacks`.
pub fn judged(
    context: &SummaryContext,
    window: Option<NonZeroU64>,
    answer: Answer<'_>,
    lacks: impl FnOnce(&str) -> Result<Shortcomings, Error>,
) -> Result<String, Refusal> {
    let (mut context, replaced) = (context.clone(), context.replaced_tokens);
    // A summary that fills half of the window leaves no room for the work, however much it replaces.
    if let Some(window) = window {
        context.replaced_tokens = replaced.min(window.get() / 2);
    }
    let most = context.replaced_tokens;
    let summary = summary::finish(&context, answer).map_err(|error| {
        let reminder = summary::reminder(error.kind()).map(str::to_owned);
        let is_half = most < replaced && error.kind() == ErrorCode::LargerSummary;
        let sentence = || format!("the summary has more than {most} tokens, half of the context window");
        let error = if is_half { failure("larger_summary", sentence()) } else { error.into() };
        Refusal { error, reminder }
    })?;
    let lacks = lacks(&summary).map_err(|error| Refusal { error: error.into(), reminder: None })?;
    if lacks.found.is_empty() {
        return Ok(summary);
    }
    let is_none = lacks.found.iter().any(|lack| lack.is_no_summary());
    let code = if is_none { "refused_summary" } else { "incomplete_summary" };
    let error = failure(code, format!("the summary is refused: {}", lacks.reasons()));
    Err(Refusal { error, reminder: lacks.reminder() })
}
