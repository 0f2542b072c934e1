//! A summary among UI messages of the AI SDK.

use crate::format::placement::ListSummary;
use crate::json::quote;

/// A message of the user.
pub(super) static LISTED: ListSummary = ListSummary::of(|summary| {
    format!(
        r#"{{"id":"compaction-{}","role":"user","parts":[{{"type":"text","text":{}}}]}}"#,
        summary.plan.messages.len(),
        quote(&summary.marked())
    )
});
