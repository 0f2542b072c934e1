//! A request for a summary: the messages to the model, and their limits.

use serde::Serialize;

use crate::json::{Writer, quote};
use crate::notation::javascript::Utf16;

/// One message of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RequestMessage {
    /// `user` or `assistant`.
    pub role: &'static str,
    /// Its text.
    pub text: Utf16,
}

impl RequestMessage {
    /// The message of a role, `user` or `assistant`, with a text.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::summary::RequestMessage::new("user", "Go on.".into()).role, "user");
    /// ```
    #[must_use]
    pub fn new(role: &'static str, text: Utf16) -> Self {
        Self { role, text }
    }
}

/// A request for a summary. The caller sends it to a model; the engine does no I/O.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SummaryRequest {
    /// The system prompt.
    pub system: String,
    /// The messages, in order.
    pub messages: Vec<RequestMessage>,
    /// The maximum number of tokens of the answer; `None` for the model's own limit.
    pub max_tokens: Option<u64>,
    /// The reasoning effort, in the imitated system's own word; `None` for no reasoning or the model's default.
    pub reasoning: Option<String>,
    /// `none` if the system keeps the request out of the provider's cache.
    pub cache_retention: Option<&'static str>,
}

impl SummaryRequest {
    /// A request with these messages, without a system prompt and without limits.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::summary::{RequestMessage, SummaryRequest};
    /// let request = SummaryRequest::new(vec![RequestMessage::new("user", "Sum it up.".into())]);
    /// assert_eq!((request.messages.len(), request.max_tokens), (1, None));
    /// ```
    #[must_use]
    pub fn new(messages: Vec<RequestMessage>) -> Self {
        Self { system: String::new(), messages, max_tokens: None, reasoning: None, cache_retention: None }
    }

    /// Writes the request as JSON.
    pub(super) fn write(&self, out: &mut Writer) {
        out.raw("{\"system\":").string(&self.system).raw(",\"messages\":[");
        for (index, message) in self.messages.iter().enumerate() {
            out.raw(if index == 0 { "{\"role\":" } else { ",{\"role\":" }).word(message.role);
            out.raw(",\"text\":").raw(&message.text.to_json()).raw("}");
        }
        out.raw("],\"maxTokens\":")
            .raw(&self.max_tokens.map_or_else(|| "null".to_owned(), |tokens| tokens.to_string()))
            .raw(",\"reasoning\":");
        let word = |word: Option<&str>| word.map_or_else(|| "null".to_owned(), quote);
        out.raw(&word(self.reasoning.as_deref()))
            .raw(",\"cacheRetention\":")
            .raw(&word(self.cache_retention))
            .raw("}");
    }
}
