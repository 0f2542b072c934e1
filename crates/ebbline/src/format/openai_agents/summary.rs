//! A summary among items of the OpenAI Agents SDK.

use crate::format::placement::ListSummary;
use crate::json::quote;

/// A message of the user. The empty `providerData` adds nothing to a request, but it shows whose message this is.
pub(super) static LISTED: ListSummary = ListSummary {
    message: |summary| {
        let text = quote(&summary.marked());
        format!(
            r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":{text}}}],"providerData":{{}}}}"#
        )
    },
    sign: None,
    is_compacted_by_server: false,
};
