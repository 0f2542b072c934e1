//! The least that a message of a chat has where no sign of a format is shown.

use crate::json::{Text, Value};

/// The roles of a chat whose messages show nothing else.
const ROLES: [&str; 5] = ["user", "assistant", "system", "developer", "function"];

/// What an answer may have instead of a content.
const INSTEAD: [&str; 7] = [
    "tool_calls",
    "function_call",
    "refusal",
    "reasoning_content",
    "reasoning",
    "reasoning_details",
    "audio",
];

/// Why a value is no message of a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is no object.
    Message,
    /// Its role is unknown or missing.
    Role,
    /// Its content is neither a text nor a list, or is missing.
    Content,
    /// The block of this number in its content has no type.
    Block(usize),
}

/// Why `message` is no message of a chat; `None` if it is one.
pub(super) fn fault_of(message: Value<'_>) -> Option<Fault> {
    if !message.is_object() {
        return Some(Fault::Message);
    }
    let role = message.text_of("role").map(Text::decode).unwrap_or_default();
    if !ROLES.contains(&role.as_ref()) {
        return Some(Fault::Role);
    }
    if !has_content(message) {
        return Some(Fault::Content);
    }
    let mut blocks = message.elements_of("content");
    blocks.position(|block| block.text_of("type").is_none()).map(Fault::Block)
}

/// Whether a message has a content that can be read, or needs none. A message without one is not read as an empty
/// one, because what it says may be in a member that nobody knows.
pub(super) fn has_content(message: Value<'_>) -> bool {
    let is_by =
        |names: &[&str]| message.text_of("role").is_some_and(|role| names.iter().any(|name| role.is(name)));
    match message.get("content") {
        // Only answers and results may be empty.
        Some(content) if content.is_null() => is_by(&["assistant", "function"]),
        Some(content) => content.is_string() || content.is_array(),
        None => {
            let is_said = || INSTEAD.iter().any(|name| message.present(name).is_some());
            is_by(&["assistant"]) && message.get("parts").is_none() && is_said()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Fault::{Block, Content, Message, Role};
    use super::*;
    use crate::format::source::Source;

    #[test]
    fn what_is_no_message_of_a_chat_has_a_fault() {
        let cases = [
            (r#"{"role":"user","content":"hi"}"#, None),
            (r#"{"role":"user","content":""}"#, None),
            (r#"{"role":"user","content":[]}"#, None),
            (r#"{"role":"user","content":[{"type":"text","text":"hi"}]}"#, None),
            (r#"{"role":"user","content":[{"type":"of tomorrow","x":1}]}"#, None),
            (r#"{"role":"assistant","content":null}"#, None),
            (r#"{"role":"assistant","refusal":"no"}"#, None),
            (r#"{"role":"assistant","function_call":{"name":"f"}}"#, None),
            (r#"{"role":"assistant","reasoning":"hm"}"#, None),
            (r#"{"role":"function","name":"f","content":null}"#, None),
            ("[]", Some(Message)),
            ("7", Some(Message)),
            (r#"{"content":"hi"}"#, Some(Role)),
            (r#"{"role":"human","content":"hi"}"#, Some(Role)),
            (r#"{"role":7,"content":"hi"}"#, Some(Role)),
            (r#"{"role":"user"}"#, Some(Content)),
            (r#"{"role":"user","text":"hi"}"#, Some(Content)),
            (r#"{"role":"user","refusal":"no"}"#, Some(Content)),
            (r#"{"role":"user","content":null}"#, Some(Content)),
            (r#"{"role":"user","content":42}"#, Some(Content)),
            (r#"{"role":"user","content":true}"#, Some(Content)),
            (r#"{"role":"user","content":{"text":"hi"}}"#, Some(Content)),
            (r#"{"role":"assistant"}"#, Some(Content)),
            (r#"{"role":"assistant","refusal":null}"#, Some(Content)),
            (r#"{"role":"assistant","text":"hi"}"#, Some(Content)),
            (r#"{"role":"function","name":"f"}"#, Some(Content)),
            (r#"{"role":"user","content":[1]}"#, Some(Block(0))),
            (r#"{"role":"user","content":["hi"]}"#, Some(Block(0))),
            (r#"{"role":"user","content":[{"type":"text","text":"hi"},{"text":"ho"}]}"#, Some(Block(1))),
            (r#"{"role":"user","content":[{"type":7}]}"#, Some(Block(0))),
        ];
        for (text, fault) in cases {
            let source = Source::parse(text).unwrap();
            assert_eq!(fault_of(source.root().unwrap()), fault, "{text}");
        }
    }
}
