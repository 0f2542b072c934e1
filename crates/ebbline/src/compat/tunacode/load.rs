//! TunaCode 0.2: what its loader refuses.
//!
//! TunaCode 0.2.3 validates every message with the models of tiny-agent-os 1.2.29 and refuses the whole
//! session when one does not fit. ebbline reads such sessions unless [`crate::ReadOptions::strict`] asks for
//! the loader's own answer.

use crate::json::{Text, Value};

const STOP_REASONS: &[&str] = &["complete", "error", "aborted", "tool_calls", "stop", "length", "tool_use"];

/// Why TunaCode 0.2.3 would refuse to load `message`; `None` when it would not.
#[must_use]
pub(crate) fn refusal(message: Value<'_>) -> Option<String> {
    let role = message.text_of("role").map(Text::decode).unwrap_or_default();
    match role.as_ref() {
        "user" => blocks(message, &["text", "image"], false),
        "assistant" => blocks(message, &["text", "thinking", "tool_call"], true)
            .or_else(|| stop_reason(message))
            .or_else(|| member(message, "usage", |value| value.is_object(), "an object"))
            .or_else(|| texts(message, &["api", "provider", "model", "error_message"])),
        "tool_result" => blocks(message, &["text", "image"], false)
            .or_else(|| required(message, "details", |value| value.is_object(), "an object"))
            .or_else(|| texts(message, &["tool_call_id", "tool_name"])),
        other => Some(format!("role {other:?} is none of user, assistant, tool_result")),
    }
}

fn stop_reason(message: Value<'_>) -> Option<String> {
    let reason = message.present("stop_reason")?;
    let known = reason.text().is_some_and(|reason| STOP_REASONS.iter().any(|known| reason.is(known)));
    (!known).then(|| format!("stop_reason {} is not one of {}", reason.source(), STOP_REASONS.join(", ")))
}

/// The content: a list of blocks of known types, with null elements where they are allowed.
fn blocks(message: Value<'_>, types: &[&str], nulls: bool) -> Option<String> {
    let content = message.get("content")?;
    if !content.is_array() {
        return Some("content must be a list".to_owned());
    }
    content.elements().enumerate().find_map(|(index, block)| {
        if block.is_null() && nulls {
            return None;
        }
        if !block.is_object() {
            return Some(format!("content[{index}] must be an object"));
        }
        let kind = block.get("type");
        let known =
            kind.is_none_or(|kind| kind.text().is_some_and(|kind| types.iter().any(|known| kind.is(known))));
        if !known {
            return Some(format!("content[{index}].type is none of {}", types.join(", ")));
        }
        let fields =
            ["text", "text_signature", "url", "mime_type", "thinking", "thinking_signature", "id", "name"];
        let is_call = kind.and_then(Value::text).is_some_and(|kind| kind.is("tool_call"));
        texts(block, &fields)
            .or_else(|| {
                if is_call {
                    required(block, "arguments", |value| value.is_object(), "an object")
                } else {
                    None
                }
            })
            .map(|why| format!("content[{index}].{why}"))
    })
}

/// Members that must be texts, missing or null.
fn texts(object: Value<'_>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| member(object, key, |value| value.is_string(), "a text"))
}

/// A member that may be missing or null.
fn member(object: Value<'_>, key: &str, fits: impl Fn(Value<'_>) -> bool, what: &str) -> Option<String> {
    object.present(key).filter(|value| !fits(*value)).map(|_| format!("{key} must be {what}"))
}

/// A member that may be missing, but not null.
fn required(object: Value<'_>, key: &str, fits: impl Fn(Value<'_>) -> bool, what: &str) -> Option<String> {
    object.get(key).filter(|value| !fits(*value)).map(|_| format!("{key} must be {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[test]
    fn what_the_loader_refuses_is_named() {
        let cases = [
            (r#"{"role":"user"}"#, None),
            (
                r#"{"role":"assistant","content":[null,{"type":"text","text":"ab"},{"type":"thinking"}]}"#,
                None,
            ),
            (r#"{"role":"user","content":null}"#, Some("content must be a list")),
            (
                r#"{"role":"user","content":[{"type":"video"}]}"#,
                Some("content[0].type is none of text, image"),
            ),
            (r#"{"role":"user","content":[null]}"#, Some("content[0] must be an object")),
            (
                r#"{"role":"assistant","stop_reason":"weird"}"#,
                Some(
                    "stop_reason \"weird\" is not one of complete, error, aborted, tool_calls, stop, length, tool_use",
                ),
            ),
            (r#"{"role":"tool_result","details":null}"#, Some("details must be an object")),
            (
                r#"{"role":"assistant","content":[{"type":"tool_call","arguments":"{}"}]}"#,
                Some("content[0].arguments must be an object"),
            ),
            (r#"{"role":"robot"}"#, Some("role \"robot\" is none of user, assistant, tool_result")),
        ];
        for (json, why) in cases {
            let document = Document::parse(json).unwrap();
            assert_eq!(refusal(document.root()).as_deref(), why, "{json}");
        }
    }
}
