//! A summary among items of OpenAI Responses.

use crate::format::placement::ListSummary;
use crate::json::quote;

/// A message of the user.
pub(in crate::format) static LISTED: ListSummary = ListSummary {
    message: |summary| {
        let text = quote(&summary.marked());
        format!(r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":{text}}}]}}"#)
    },
    sign: None,
    is_compacted_by_server: false,
};
