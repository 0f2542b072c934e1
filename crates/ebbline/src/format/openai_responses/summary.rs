//! A summary among items of OpenAI Responses.

use crate::format::placement::ListSummary;
use crate::json::quote;

/// A message of the user.
pub(in crate::format) static LISTED: ListSummary = ListSummary {
    roles: &["user", "system", "developer"],
    ..ListSummary::of(|summary| {
        let (role, text) = (summary.role(), quote(&summary.marked()));
        format!(r#"{{"type":"message","role":"{role}","content":[{{"type":"input_text","text":{text}}}]}}"#)
    })
};
