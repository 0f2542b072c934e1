//! Texts in and out of a rollout.

use crate::json::{Text, Value};

/// A message of the user with this text.
pub(super) fn user_message(text: &str) -> String {
    format!(r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":{text}}}]}}"#)
}

pub(super) fn text_of(value: Value<'_>, key: &str) -> String {
    value.text_of(key).map(Text::decode).unwrap_or_default().into_owned()
}
