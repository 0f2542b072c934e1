//! Writes objects key by key as `JSON.stringify` does: in the given order, without undefined members.

use ebbline::json::Value;
use ebbline::notation::javascript::{Utf16, stringify};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// JSON that is part of an answer and is written unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Json(String);

impl Json {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// How long the text is, in UTF-16 units.
    #[must_use]
    pub fn utf16_length(&self) -> usize {
        self.0.chars().map(char::len_utf16).sum()
    }

    /// The list of `elements`.
    pub(super) fn list<'j>(elements: impl IntoIterator<Item = &'j Self>) -> Self {
        let elements: Vec<&str> = elements.into_iter().map(Self::as_str).collect();
        Self(format!("[{}]", elements.join(",")))
    }

    /// A value as JavaScript would write it.
    pub(super) fn of(value: Value<'_>) -> Self {
        // Unpaired surrogates are already escaped, so nothing is lost.
        Self(stringify(value).to_text())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.clone()).map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// An object being written.
#[derive(Debug)]
pub(super) struct Object(String);

impl Object {
    /// An empty object.
    pub(super) fn new() -> Self {
        Self("{".to_owned())
    }

    /// An object whose first member is its `type`.
    pub(super) fn typed(kind: &str) -> Self {
        Self::new().word("type", kind)
    }

    /// A member that is JSON already.
    pub(super) fn json(self, key: &str, json: &str) -> Self {
        self.member(&format!("\"{key}\""), json)
    }

    /// A member whose key is data and may need escapes.
    pub(super) fn entry(self, key: &Utf16, value: Value<'_>) -> Self {
        self.member(&key.to_json(), Json::of(value).as_str())
    }

    fn member(mut self, key: &str, json: &str) -> Self {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(key);
        self.0.push(':');
        self.0.push_str(json);
        self
    }

    /// A text that needs no escapes.
    pub(super) fn word(self, key: &str, word: &str) -> Self {
        self.json(key, &format!("\"{word}\""))
    }

    /// A text.
    pub(super) fn text(self, key: &str, text: &Utf16) -> Self {
        self.json(key, &text.to_json())
    }

    /// Writes `true`, or nothing.
    pub(super) fn flag(self, key: &str, flag: bool) -> Self {
        if flag { self.json(key, "true") } else { self }
    }

    /// A value as JavaScript would write it; nothing if it is undefined.
    pub(super) fn value(self, key: &str, value: Option<Value<'_>>) -> Self {
        match value {
            Some(value) => self.json(key, Json::of(value).as_str()),
            None => self,
        }
    }

    /// The finished object.
    pub(super) fn end(mut self) -> Json {
        self.0.push('}');
        Json(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    #[test]
    fn members_stand_in_order_and_undefined_ones_are_left_out() {
        let document = Document::parse(r#"{"b":1.0,"7":"\ud83d"}"#).unwrap();
        let written = Object::typed("x")
            .text("text", &Utf16::from("a\"😀"))
            .value("missing", None)
            .value("input", Some(document.root()))
            .flag("off", false)
            .flag("on", true)
            .end();
        assert_eq!(written.as_str(), r#"{"type":"x","text":"a\"😀","input":{"7":"\ud83d","b":1},"on":true}"#);
        assert_eq!(written.utf16_length(), written.as_str().encode_utf16().count());
        assert_eq!(serde_json::to_string(&written).unwrap(), written.as_str());
        assert_eq!(Object::new().end().as_str(), "{}");
    }
}
