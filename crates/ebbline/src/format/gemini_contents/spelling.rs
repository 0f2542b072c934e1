//! How members are spelled: with an inner capital, or with an underscore.

use std::borrow::Cow;

use crate::json::{Text, Value};

/// The parts of a list, or the single part that replaces a list.
pub(in crate::format) fn parts_of(content: Value<'_>) -> Vec<Value<'_>> {
    if content.is_array() { content.elements().collect() } else { vec![content] }
}

/// A member in either spelling: JavaScript writes camelCase, Python and REST write both, including `null`.
pub(super) fn either<'d>(object: Value<'d>, camel: &str, snake: &str) -> Option<Value<'d>> {
    object.present(camel).or_else(|| object.present(snake))
}

pub(in crate::format) fn call_in(part: Value<'_>) -> Option<Value<'_>> {
    either(part, "functionCall", "function_call").filter(|call| call.is_object())
}

pub(in crate::format) fn response_in(part: Value<'_>) -> Option<Value<'_>> {
    either(part, "functionResponse", "function_response").filter(|response| response.is_object())
}

/// The text of a part, which may be a bare string.
pub(in crate::format) fn words_of(part: Value<'_>) -> Option<Text<'_>> {
    part.text().or_else(|| part.text_of("text"))
}

pub(in crate::format) fn is_thought(part: Value<'_>) -> bool {
    part.get("thought").is_some_and(Value::is_truthy)
}

/// The id of a call or result; an empty one counts as missing, as in Gemini CLI.
pub(in crate::format) fn id_of(object: Value<'_>) -> Option<Cow<'_, str>> {
    object.text_of("id").map(Text::decode).filter(|id| !id.is_empty())
}

/// The name of the tool in a call or result.
pub(in crate::format) fn name_of(object: Value<'_>) -> Option<Cow<'_, str>> {
    object.text_of("name").map(Text::decode)
}
