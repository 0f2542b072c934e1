//! A summary among Anthropic's messages.

use crate::format::openai_chat::summary::said_by_user;
use crate::format::placement::ListSummary;

/// A message of the user. An empty `citations` changes nothing, and no other format has this member.
pub(super) static LISTED: ListSummary =
    ListSummary { message: said_by_user, sign: Some(r#""citations":null"#), is_compacted_by_server: true };
