//! Stored messages: `{info, parts}`, as `OpenCode` exports them.

use ebbline::Error;
use ebbline::json::{Elements, Kind, Text, Value, decimal};
use ebbline::notation::javascript::{Utf16, stringify};

/// What the model gets instead of a compaction marker.
pub(super) const MARKER_TEXT: &str = "What did we do so far?";

/// A stored message with its parts; copying it costs nothing.
#[derive(Clone, Copy, Debug)]
pub struct StoredMessage<'d> {
    message: Value<'d>,
    info: Value<'d>,
}

impl<'d> StoredMessage<'d> {
    /// The message in `{info, parts}`.
    #[must_use]
    pub fn new(message: Value<'d>) -> Self {
        Self { message, info: message.get("info").unwrap_or(message) }
    }

    /// The messages of a list, or of an export `{info, messages}`, oldest first.
    ///
    /// # Errors
    ///
    /// `invalid_settings` if there is no list.
    pub fn list(data: Value<'d>) -> Result<Vec<Self>, Error> {
        let list = if data.is_object() { data.get("messages") } else { Some(data) };
        let list = list
            .filter(|list| list.is_array())
            .ok_or_else(|| Error::invalid_settings("OpenCode is asked about a list of messages"))?;
        Ok(list.elements().map(Self::new).collect())
    }

    /// The information about the message itself.
    #[must_use]
    pub fn info(self) -> Value<'d> {
        self.info
    }

    /// Its parts, in order.
    #[must_use]
    pub fn parts(self) -> Elements<'d> {
        self.message.elements_of("parts")
    }

    /// Its id. Ids are ordered by time, so comparing their UTF-16 units compares times.
    #[must_use]
    pub fn id(self) -> Option<Utf16> {
        self.info.text_of("id").map(Utf16::from)
    }

    /// Whether it has the user's role.
    #[must_use]
    pub fn is_user(self) -> bool {
        is(self.info, "role", "user")
    }

    /// Whether it is the assistant's.
    #[must_use]
    pub fn is_assistant(self) -> bool {
        is(self.info, "role", "assistant")
    }

    /// The user message that it answers.
    #[must_use]
    pub fn parent_id(self) -> Option<Utf16> {
        self.info.text_of("parentID").map(Utf16::from)
    }

    /// Whether it is the assistant's summary of earlier messages.
    #[must_use]
    pub fn is_summary(self) -> bool {
        self.is_assistant() && flag(self.info, "summary")
    }

    /// Whether it is an assistant's message that the model has ended.
    #[must_use]
    pub fn is_finished(self) -> bool {
        self.is_assistant() && flag(self.info, "finish")
    }

    /// Whether an error is stored with it.
    #[must_use]
    pub fn has_error(self) -> bool {
        flag(self.info, "error")
    }

    /// Its first compaction part: what makes a user message a compaction marker.
    #[must_use]
    pub fn marker(self) -> Option<Value<'d>> {
        self.parts().find(|part| is(*part, "type", "compaction"))
    }

    /// Whether it begins a turn: a user message that is not a compaction marker.
    #[must_use]
    pub fn begins_turn(self) -> bool {
        self.is_user() && self.marker().is_none()
    }
}

/// Whether the member `key` equals the text `word`.
pub(super) fn is(value: Value<'_>, key: &str, word: &str) -> bool {
    value.text_of(key).is_some_and(|text| text.is(word))
}

/// Whether the member `key` is truthy in JavaScript.
pub(super) fn flag(value: Value<'_>, key: &str) -> bool {
    value.get(key).is_some_and(Value::is_truthy)
}

/// The member `key` as JavaScript puts it into a template string.
pub(super) fn interpolated(value: Value<'_>, key: &str) -> Utf16 {
    match value.get(key) {
        None => Utf16::from("undefined"),
        Some(member) => member.text().map_or_else(|| stringify(member), Utf16::from),
    }
}

/// A value converted to a number as in JavaScript.
pub(super) fn to_number(value: Value<'_>) -> f64 {
    match value.kind() {
        Kind::Null | Kind::False => 0.0,
        Kind::True => 1.0,
        Kind::Number => value.number().unwrap_or(f64::NAN),
        Kind::Plain | Kind::Escaped => {
            value.text().map(Text::decode).map_or(f64::NAN, |text| match text.trim() {
                "" => 0.0,
                "Infinity" => f64::INFINITY,
                "-Infinity" => f64::NEG_INFINITY,
                // Rust parses "inf" and "nan" in any case, JavaScript parses neither.
                number if number.bytes().any(|byte| byte.is_ascii_digit()) => {
                    decimal(number).unwrap_or(f64::NAN)
                }
                _ => f64::NAN,
            })
        }
        Kind::Array | Kind::Object => f64::NAN,
    }
}

/// The member `key` as a number; NaN when it is missing.
pub(super) fn number_of(value: Value<'_>, key: &str) -> f64 {
    value.get(key).map_or(f64::NAN, to_number)
}

/// `Token.estimate`: a quarter of the UTF-16 units, with halves rounded up.
pub(super) fn estimate(utf16_length: usize) -> u64 {
    (utf16_length as u64 + 2) / 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    #[test]
    fn lists_and_exports_are_read_alike() {
        for source in [r#"[{"info":{"id":"a"},"parts":[]}]"#, r#"{"messages":[{"info":{"id":"a"}}]}"#] {
            let document = Document::parse(source).unwrap();
            let messages = StoredMessage::list(document.root()).unwrap();
            assert_eq!(messages[0].id(), Some(Utf16::from("a")));
            assert_eq!(messages[0].parts().count(), 0);
        }
        let document = Document::parse("{}").unwrap();
        assert_eq!(StoredMessage::list(document.root()).unwrap_err().code(), "invalid_settings");
    }

    #[test]
    fn numbers_are_those_of_javascript() {
        let cases = [
            ("null", 0.0),
            ("true", 1.0),
            ("1e3", 1000.0),
            (r#"" 5 ""#, 5.0),
            (r#""""#, 0.0),
            (r#""Infinity""#, f64::INFINITY),
        ];
        for (source, number) in cases {
            let document = Document::parse(source).unwrap();
            assert!((to_number(document.root()) - number).abs() < 1e-9 || number.is_infinite(), "{source}");
        }
        for source in [r#""inf""#, r#""NaN""#, "{}", "[]"] {
            assert!(to_number(Document::parse(source).unwrap().root()).is_nan(), "{source}");
        }
    }

    #[test]
    fn estimates_round_halves_up() {
        assert_eq!([0, 1, 2, 5, 6, 4000].map(estimate), [0, 0, 1, 1, 2, 1000]);
    }
}
