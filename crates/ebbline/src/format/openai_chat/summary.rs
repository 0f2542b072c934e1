//! A summary among OpenAI Chat messages.

use crate::format::placement::ListSummary;
use crate::format::summary::Summary;
use crate::json::quote;

/// The user says it.
pub(in crate::format) static LISTED: ListSummary =
    ListSummary { message: said_by_user, sign: None, is_compacted_by_server: false };

/// The message in which the user says the summary, as several formats spell it.
pub(in crate::format) fn said_by_user(summary: &Summary<'_>) -> String {
    format!(r#"{{"role":"user","content":{}}}"#, quote(&summary.marked()))
}
