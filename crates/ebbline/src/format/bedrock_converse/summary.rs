//! A summary among Converse messages.

use crate::format::placement::ListSummary;
use crate::json::quote;

/// The user says it. Converse refuses two messages of the user in a row, so that an answer of the model stands between
/// the summary and a message of the user.
pub(super) static LISTED: ListSummary = ListSummary {
    answer: Some(r#"{"role":"assistant","content":[{"text":"Understood."}]}"#),
    alternates: true,
    ..ListSummary::of(|summary| {
        format!(r#"{{"role":"user","content":[{{"text":{}}}]}}"#, quote(&summary.marked()))
    })
};
