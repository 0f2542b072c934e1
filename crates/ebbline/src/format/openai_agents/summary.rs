//! A summary among items of the OpenAI Agents SDK.

use crate::format::placement::ListSummary;
use crate::json::quote;

/// A message of the user. The empty `providerData` adds nothing to a request, but it shows whose message this is.
pub(super) static LISTED: ListSummary = ListSummary {
    roles: &["user", "system"],
    ..ListSummary::of(|summary| {
        let (role, text) = (summary.role(), quote(&summary.marked()));
        // The package takes system messages with a text alone.
        let content = match role {
            "system" => text,
            _ => format!(r#"[{{"type":"input_text","text":{text}}}]"#),
        };
        format!(r#"{{"type":"message","role":"{role}","content":{content},"providerData":{{}}}}"#)
    })
};
