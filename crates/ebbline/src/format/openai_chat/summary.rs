//! A summary among OpenAI Chat messages.

use crate::format::placement::ListSummary;
use crate::format::summary::Summary;
use crate::json::quote;

/// A message of the user.
pub(in crate::format) static LISTED: ListSummary =
    ListSummary { message: said_by_user, sign: None, is_compacted_by_server: false };

/// The user's message with the summary, in the form that several formats share.
pub(in crate::format) fn said_by_user(summary: &Summary<'_>) -> String {
    format!(r#"{{"role":"user","content":{}}}"#, quote(&summary.marked()))
}
