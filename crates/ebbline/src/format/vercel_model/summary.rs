//! A summary among model messages of the AI SDK.

use crate::format::openai_chat::summary::said_by_user;
use crate::format::placement::ListSummary;

/// A message of the user. No other format has `providerOptions`, and options for a provider called ebbline have no
/// effect.
pub(super) static LISTED: ListSummary = ListSummary {
    message: said_by_user,
    sign: Some(r#""providerOptions":{"ebbline":{"summary":true}}"#),
    is_compacted_by_server: false,
};
