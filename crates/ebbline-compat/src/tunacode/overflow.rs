//! Whether an error shows that the context was too large: two texts, compared without case.

use ebbline::Error;
use ebbline::overflow::{Rules, is_overflow_text};

use crate::question::Question;

/// Whether TunaCode 0.2 forces a compaction and retries after an error with this text.
///
/// # Example
///
/// ```
/// use ebbline_compat::tunacode::is_context_overflow;
/// assert!(is_context_overflow("This model's maximum context length is 8192 tokens."));
/// assert!(!is_context_overflow("prompt is too long: 9000 tokens > 8192 maximum"));
/// ```
#[must_use]
pub fn is_context_overflow(error: &str) -> bool {
    is_overflow_text(error, None, Rules::Tunacode02)
}

pub(super) fn ask_overflow(question: Question<'_>) -> Result<String, Error> {
    let text = question
        .data
        .text()
        .ok_or_else(|| Error::invalid_settings("TunaCode looks at an error's text, which is a string"))?;
    Question::answer(&is_context_overflow(&text.decode()))
}
