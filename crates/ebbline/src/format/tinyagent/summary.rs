//! A summary among TinyAgent's messages.

use crate::format::placement::ListSummary;
use crate::json::quote;

/// A message of the user with TinyAgent's own mark.
pub(super) static LISTED: ListSummary = ListSummary::of(|summary| {
    let text = quote(&summary.marked());
    format!(r#"{{"role":"user","content":[{{"type":"text","text":{text}}}],"compaction_summary":true}}"#)
});
