//! A summary among model messages of the AI SDK.

use crate::format::openai_chat::summary::said_by_user;
use crate::format::placement::ListSummary;

/// The user says it. No other format has `providerOptions`; no provider is called ebbline, so they mean nothing.
pub(super) static LISTED: ListSummary = ListSummary {
    message: said_by_user,
    sign: Some(r#""providerOptions":{"ebbline":{"summary":true}}"#),
    is_compacted_by_server: false,
};
