//! A summary among model messages of the AI SDK.

use crate::format::placement::ListSummary;
use crate::format::summary::Summary;
use crate::json::quote;

/// A message of the user. No other format has `providerOptions`, and options for a provider called ebbline have no
/// effect.
pub(super) static LISTED: ListSummary = ListSummary {
    sign: Some(r#""providerOptions":{"ebbline":{"summary":true}}"#),
    answer: Some(r#"{"role":"assistant","content":[{"type":"text","text":"Understood."}]}"#),
    ..ListSummary::of(said)
};

/// Its text is a part: the prompt of a language model, which middleware and processors see, has no other contents.
fn said(summary: &Summary<'_>) -> String {
    format!(
        r#"{{"role":"{}","content":[{{"type":"text","text":{}}}]}}"#,
        summary.role(),
        quote(&summary.marked())
    )
}
