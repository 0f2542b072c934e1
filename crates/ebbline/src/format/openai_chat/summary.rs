//! A summary among OpenAI Chat messages.

use crate::format::placement::ListSummary;
use crate::format::summary::Summary;
use crate::json::quote;

/// A message of the user.
pub(in crate::format) static LISTED: ListSummary = ListSummary {
    roles: &["user", "system", "developer", "assistant"],
    answer: Some(r#"{"role":"assistant","content":"Understood."}"#),
    ..ListSummary::of(said)
};

/// The message with the summary, in the form that several formats share.
pub(in crate::format) fn said(summary: &Summary<'_>) -> String {
    format!(r#"{{"role":"{}","content":{}}}"#, summary.role(), quote(&summary.marked()))
}
