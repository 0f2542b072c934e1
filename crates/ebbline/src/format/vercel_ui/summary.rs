//! A summary among UI messages of the AI SDK.

use crate::format::placement::ListSummary;
use crate::json::quote;

/// A message of the user.
pub(super) static LISTED: ListSummary = ListSummary {
    message: |summary| {
        format!(
            r#"{{"id":"compaction-{}","role":"user","parts":[{{"type":"text","text":{}}}]}}"#,
            summary.plan.messages.len(),
            quote(&summary.marked())
        )
    },
    sign: None,
    is_compacted_by_server: false,
};
