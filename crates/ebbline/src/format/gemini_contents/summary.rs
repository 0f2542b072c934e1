//! A summary among Gemini's contents.

use crate::format::placement::ListSummary;
use crate::json::quote;

/// A message of the user.
pub(super) static LISTED: ListSummary = ListSummary {
    answer: Some(r#"{"role":"model","parts":[{"text":"Understood."}]}"#),
    ..ListSummary::of(|summary| {
        format!(r#"{{"role":"user","parts":[{{"text":{}}}]}}"#, quote(&summary.marked()))
    })
};
