//! A streamed reply of the model.

use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;

use super::serialize::is;

/// A model's reply, combined from its events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reply {
    /// The text, without reasoning.
    pub text: Utf16,
    /// The number of pieces of the text.
    pub deltas: usize,
    /// The error, in the provider's words.
    pub error: Option<Utf16>,
    /// Why the model stopped, if reported: `stop`, `length`, `content-filter`, `error`, `unknown`.
    pub finish: Option<String>,
}

impl Reply {
    /// Reads a list of events, a text, or an object with `error`.
    #[must_use]
    pub fn read(value: Value<'_>) -> Self {
        let mut reply = Self::default();
        if let Some(text) = value.text() {
            reply.text = Utf16::from(text);
            reply.deltas = 1;
        } else if value.is_array() {
            for event in value.elements() {
                reply.take(event);
            }
        } else {
            reply.take(value);
        }
        reply
    }

    fn take(&mut self, event: Value<'_>) {
        if is(event, "text-delta") {
            if let Some(text) = event.text_of("text") {
                self.text.push_text(text);
            }
            self.deltas += 1;
        } else if is(event, "finish") {
            let reason = event.get("reason");
            let named = reason.and_then(|reason| reason.text_of("normalized").or_else(|| reason.text()));
            self.finish = named.map(|name| name.decode().into_owned());
        } else if is(event, "provider-error") || is(event, "error") || event.get("type").is_none() {
            // A value without a type is not an event: the stream itself failed.
            let error = event.get("error");
            let message = event
                .text_of("message")
                .or_else(|| error?.text_of("message").or_else(|| error?.text()))
                .map(Utf16::from);
            self.error = Some(message.unwrap_or_default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    #[test]
    fn only_text_is_text_and_an_error_is_remembered() {
        let read = |json: &str| Reply::read(Document::parse(json).unwrap().root());
        let reply = read(
            r#"[{"type":"reasoning-delta","text":"hm"},{"type":"text-delta","text":"a"},
                {"type":"text-delta","text":"b"},{"type":"finish","reason":{"normalized":"length"}}]"#,
        );
        assert_eq!((reply.text, reply.deltas), (Utf16::from("ab"), 2));
        assert_eq!(reply.finish.as_deref(), Some("length"));
        assert_eq!(read(r#"[{"type":"provider-error","message":"no"}]"#).error, Some(Utf16::from("no")));
        assert_eq!(read(r#"[{"type":"tool-error","message":"no"}]"#).error, None);
        assert_eq!(read(r#"{"error":"broken"}"#).error, Some(Utf16::from("broken")));
        assert_eq!(read(r#""text""#).text, Utf16::from("text"));
    }
}
