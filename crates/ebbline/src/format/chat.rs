//! What makes a message none of a format: a role, a content, a block or a call that the format does not have.
//!
//! A list is read as a format only if all its messages are of that format. Otherwise what an agent writes in a shape of
//! its own would be read as an empty chat, and repaired away. Members that nobody knows are no fault.

use super::signs::is;
use crate::json::{Text, Value};

/// Why a value is no message of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is no object.
    Message,
    /// Its role is unknown or missing.
    Role,
    /// Its content is neither a text nor a list, or is missing.
    Content,
    /// The block of this number in its content is unknown.
    Block(usize),
    /// The call of this number names no function.
    Call(usize),
    /// It is a result that names no call in the way of the format.
    Answer,
}

/// Finds the fault of a message; `None` if it is of the format.
pub(super) type FaultOf = fn(Value<'_>) -> Option<Fault>;

/// What an answer may have instead of a content.
const INSTEAD: [&str; 7] = [
    "tool_calls", "function_call", "refusal", "reasoning_content", "reasoning", "reasoning_details", "audio",
];

/// Where other shapes have what a message says.
const ELSEWHERE: [&str; 6] = ["parts", "text", "contents", "items", "blocks", "body"];

/// What a result without a content may have.
const OF_RESULT: [&str; 5] = ["role", "tool_call_id", "name", "tool_name", "id"];

/// The fault of a message with a role and a content, which is a text or a list of blocks.
pub(super) fn fault_among(
    message: Value<'_>,
    roles: &[&str],
    is_block: fn(Value<'_>) -> bool,
) -> Option<Fault> {
    if !message.is_object() {
        return Some(Fault::Message);
    }
    if !message.text_of("role").is_some_and(|role| roles.iter().any(|known| role.is(known))) {
        return Some(Fault::Role);
    }
    if !has_content(message) {
        return Some(Fault::Content);
    }
    message.elements_of("content").position(|block| !is_block(block)).map(Fault::Block)
}

/// The members in which one shape or another says which call a block is about.
const IDS: [&str; 8] =
    ["id", "tool_use_id", "toolUseId", "toolUseID", "tool_call_id", "toolCallId", "call_id", "callId"];

/// Whether a block says in the member `key` which call it is about. One that says it nowhere is damaged; one that says
/// it elsewhere is of another shape.
pub(super) fn names_call(block: Value<'_>, key: &str) -> bool {
    block.get(key).is_some() || IDS.iter().all(|id| block.get(id).is_none())
}

/// Whether a block says of what type it is, and has what a text of that type has.
pub(super) fn is_typed(block: Value<'_>, types: &[&str]) -> bool {
    let is_known = block.text_of("type").is_some_and(|kind| types.iter().any(|known| kind.is(known)));
    is_known && (!is(block, "type", "text") || block.text_of("text").is_some())
}

/// Whether a message has a content that can be read, or needs none. A message without one is not read as an empty
/// one, because what it says may be in a member that nobody knows.
pub(super) fn has_content(message: Value<'_>) -> bool {
    let is_by = |names: &[&str]| names.iter().any(|name| is(message, "role", name));
    match message.get("content") {
        // Only answers and results may be empty.
        Some(content) if content.is_null() => is_by(&["assistant", "function", "tool"]),
        Some(content) => content.is_string() || content.is_array(),
        None if is_by(&["assistant"]) => {
            let is_elsewhere = ELSEWHERE.iter().any(|name| message.get(name).is_some());
            !is_elsewhere && INSTEAD.iter().any(|name| message.present(name).is_some())
        }
        None => {
            let mut members = message.members().map(|(key, _)| Text::decode(key));
            is_by(&["tool"]) && members.all(|key| OF_RESULT.contains(&key.as_ref()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Fault::{Answer, Block, Call, Content, Message, Role};
    use crate::format::openai_chat;
    use crate::format::source::Source;

    #[test]
    fn what_is_no_message_of_a_chat_has_a_fault() {
        let cases = [
            (r#"{"role":"user","content":"hi"}"#, None),
            (r#"{"role":"user","content":""}"#, None),
            (r#"{"role":"user","content":[]}"#, None),
            (r#"{"role":"user","content":[{"type":"text","text":"hi"}]}"#, None),
            (r#"{"role":"user","content":"hi","of tomorrow":1}"#, None),
            (r#"{"role":"tool","tool_call_id":"c","content":null}"#, None),
            (r#"{"role":"tool","tool_call_id":"c"}"#, None),
            (r#"{"role":"tool","content":"x"}"#, None),
            (r#"{"role":"tool","name":"f","content":"x","at":1}"#, None),
            (r#"{"role":"assistant","tool_calls":[{"id":"c","custom":{"name":"f"}}]}"#, None),
            (r#"{"role":"user","content":[{"type":"of tomorrow","x":1}]}"#, Some(Block(0))),
            (r#"{"role":"user","content":[{"type":"text","value":"x"}]}"#, Some(Block(0))),
            (r#"{"role":"tool","tool_call_id":"c","text":"x"}"#, Some(Content)),
            (r#"{"role":"tool","content":"x","timestamp":1}"#, Some(Answer)),
            (r#"{"role":"assistant","content":"","tool_calls":[{"id":"c","name":"f"}]}"#, Some(Call(0))),
            (r#"{"role":"assistant","text":"x","tool_calls":[{"id":"c","function":{}}]}"#, Some(Content)),
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
            assert_eq!((openai_chat::ENTRY.fault_of.unwrap())(source.root().unwrap()), fault, "{text}");
        }
    }
}
