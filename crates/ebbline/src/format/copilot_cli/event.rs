//! The type of an event.

use crate::json::Value;

pub(super) fn is(event: Value<'_>, kind: &str) -> bool {
    event.text_of("type").is_some_and(|text| text.is(kind))
}
