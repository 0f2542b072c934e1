//! A summary among Anthropic's messages.

use crate::format::openai_chat::summary::said;
use crate::format::placement::ListSummary;

/// A message of the user. An empty `citations` changes nothing, and no other format has this member.
pub(super) static LISTED: ListSummary = ListSummary {
    sign: Some(r#""citations":null"#),
    is_compacted_by_server: true,
    answer: Some(r#"{"role":"assistant","content":[{"type":"text","text":"Understood."}]}"#),
    ..ListSummary::of(said)
};
