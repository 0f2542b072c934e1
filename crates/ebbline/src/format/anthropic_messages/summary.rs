//! A summary among Anthropic's messages.

use crate::format::openai_chat::summary::said_by_user;
use crate::format::placement::ListSummary;

/// The user says it. No other format has `citations`; without any, the member means nothing.
pub(super) static LISTED: ListSummary =
    ListSummary { message: said_by_user, sign: Some(r#""citations":null"#), is_compacted_by_server: true };
