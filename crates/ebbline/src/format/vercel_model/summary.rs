//! A summary among model messages of the AI SDK.

use crate::format::openai_chat::summary::said;
use crate::format::placement::ListSummary;

/// A message of the user. No other format has `providerOptions`, and options for a provider called ebbline have no
/// effect.
pub(super) static LISTED: ListSummary = ListSummary {
    sign: Some(r#""providerOptions":{"ebbline":{"summary":true}}"#),
    answer: Some(r#"{"role":"assistant","content":[{"type":"text","text":"Understood."}]}"#),
    ..ListSummary::of(said)
};
