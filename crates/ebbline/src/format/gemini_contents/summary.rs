//! A summary among Gemini's contents.

use crate::format::placement::ListSummary;
use crate::json::quote;

/// A message of the user.
pub(super) static LISTED: ListSummary = ListSummary {
    message: |summary| format!(r#"{{"role":"user","parts":[{{"text":{}}}]}}"#, quote(&summary.marked())),
    sign: None,
    is_compacted_by_server: false,
};
