//! A summary among Converse messages.

use crate::format::placement::ListSummary;
use crate::json::quote;

/// The user says it.
pub(super) static LISTED: ListSummary = ListSummary {
    message: |summary| format!(r#"{{"role":"user","content":[{{"text":{}}}]}}"#, quote(&summary.marked())),
    sign: None,
    is_compacted_by_server: false,
};
