//! Messages that TunaCode's loader refuses, and messages that it cannot measure.
//!
//! TunaCode 0.2.3 validates every message with the models of tiny-agent-os 1.2.29 (pydantic in lax mode) and refuses
//! the whole session if one is invalid. ebbline reads such sessions unless [`crate::ReadOptions::strict`] requests
//! the loader's behavior.

use super::block::{BlockKind, block_refusal};
use super::member::{member, required, texts};
use crate::json::{Text, Value};
use crate::notation::python::repr_text;

const STOP_REASONS: &[&str] = &["complete", "error", "aborted", "tool_calls", "stop", "length", "tool_use"];

/// Why TunaCode 0.2.3 would refuse to load `message`; `None` if it would load it.
///
/// A message with a role without a model is loaded unchecked; only [`unmeasurable`] refuses it.
///
/// # Example
///
/// ```
/// let message = ebbline::json::Document::parse(r#"{"content": []}"#)?;
/// let why = ebbline::format::tinyagent::refusal(message.root());
/// assert_eq!(why.as_deref(), Some("role must be a text that is not empty"));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn refusal(message: Value<'_>) -> Option<String> {
    if !message.is_object() {
        return Some("a message must be an object".to_owned());
    }
    let Some(role) = message.text_of("role").filter(|role| !role.is_empty()) else {
        return Some("role must be a text that is not empty".to_owned());
    };
    let own = match role.decode().as_ref() {
        "user" => blocks(message, BlockKind::OF_INPUT, false),
        "assistant" => blocks(message, BlockKind::OF_ASSISTANT, true)
            .or_else(|| stop_reason(message))
            .or_else(|| member(message, "usage", |value| value.is_object(), "an object"))
            .or_else(|| texts(message, &["api", "provider", "model", "error_message"])),
        "tool_result" => blocks(message, BlockKind::OF_INPUT, false)
            .or_else(|| required(message, "details", |value| value.is_object(), "an object"))
            .or_else(|| required(message, "is_error", is_lax_bool, "true or false"))
            .or_else(|| required(message, "terminate", is_lax_bool, "true or false"))
            .or_else(|| texts(message, &["tool_call_id", "tool_name"])),
        _ => None,
    };
    own.or_else(|| member(message, "timestamp", is_lax_int, "a whole number"))
}

/// Why TunaCode 0.2.3 cannot estimate a message that it has loaded; `None` if it can.
///
/// # Example
///
/// ```
/// let message = ebbline::json::Document::parse(r#"{"role": "note"}"#)?;
/// let why = ebbline::format::tinyagent::unmeasurable(message.root());
/// assert_eq!(why.as_deref(), Some("messages of role 'note' cannot be measured"));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn unmeasurable(message: Value<'_>) -> Option<String> {
    let role = message.text_of("role")?;
    if ["user", "assistant", "tool_result"].iter().any(|own| role.is(own)) {
        return None;
    }
    if !role.is("system") && !role.is("tool") {
        return Some(format!("messages of role {} cannot be measured", repr_text(role)));
    }
    let content = message.present("content")?;
    if !content.is_array() {
        return Some("content must be a list".to_owned());
    }
    let known = ["text", "thinking", "image", "tool_call"];
    content.elements().filter(|item| !item.is_null()).enumerate().find_map(|(index, item)| {
        let is_known = item.text_of("type").is_some_and(|kind| known.iter().any(|known| kind.is(known)));
        (!is_known).then(|| format!("content[{index}].type is none of {}", known.join(", ")))
    })
}

fn stop_reason(message: Value<'_>) -> Option<String> {
    let reason = message.present("stop_reason")?;
    let known = reason.text().is_some_and(|reason| STOP_REASONS.iter().any(|known| reason.is(known)));
    (!known).then(|| format!("stop_reason {} is not one of {}", reason.source(), STOP_REASONS.join(", ")))
}

/// The content: a list of blocks of `allowed` kinds, with null elements where they are allowed.
fn blocks(message: Value<'_>, allowed: &[BlockKind], nulls: bool) -> Option<String> {
    let content = message.get("content")?;
    if !content.is_array() {
        return Some("content must be a list".to_owned());
    }
    content.elements().enumerate().find_map(|(index, block)| {
        if block.is_null() && nulls {
            return None;
        }
        block_refusal(block, allowed).map(|why| format!("content[{index}]{why}"))
    })
}

/// What pydantic accepts as an integer: an integer, a float without a fraction, a boolean, a text of digits.
fn is_lax_int(value: Value<'_>) -> bool {
    if let Some(text) = value.text() {
        return is_integer_text(&text.decode());
    }
    let Some(number) = value.number() else { return matches!(value.source(), "true" | "false") };
    let is_float = value.source().contains(['.', 'e', 'E']);
    // A float has to fit into 64 bits; an integer may have any size.
    !is_float || (number.fract() == 0.0 && number.abs() < i64::MAX as f64)
}

/// A sign, digits that single underscores may separate, and a fraction of zeros.
fn is_integer_text(text: &str) -> bool {
    let text = text.trim();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let whole = match digits.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0') => whole,
        Some(_) => return false,
        None => digits,
    };
    whole.split('_').all(|group| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What pydantic accepts as a boolean.
fn is_lax_bool(value: Value<'_>) -> bool {
    const WORDS: &[&str] = &["0", "off", "f", "false", "n", "no", "1", "on", "t", "true", "y", "yes"];
    match (value.text().map(Text::decode), value.number()) {
        (Some(text), _) => WORDS.contains(&text.to_ascii_lowercase().as_str()),
        (None, Some(number)) => number * (number - 1.0) == 0.0,
        (None, None) => matches!(value.source(), "true" | "false"),
    }
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
            (r#"{"role":"robot"}"#, None),
            (r#"{"role":""}"#, Some("role must be a text that is not empty")),
            (r#"["user"]"#, Some("a message must be an object")),
            (r#"{"role":"robot","timestamp":"soon"}"#, Some("timestamp must be a whole number")),
            (r#"{"role":"tool_result","is_error":null}"#, Some("is_error must be true or false")),
        ];
        for (json, why) in cases {
            let document = Document::parse(json).unwrap();
            assert_eq!(refusal(document.root()).as_deref(), why, "{json}");
        }
    }

    #[test]
    fn numbers_and_truth_values_are_taken_as_pydantic_takes_them() {
        // Compared with pydantic 2 in lax mode.
        let ints = [
            ("1", true),
            ("1.0", true),
            ("1.5", false),
            ("1e30", false),
            ("99999999999999999999999", true),
            ("true", true),
            (r#"" 1_000.00 ""#, true),
            (r#""1__0""#, false),
            (r#""1.""#, false),
            (r#""1e3""#, false),
            (r#""""#, false),
            ("[]", false),
        ];
        for (json, fits) in ints {
            assert_eq!(is_lax_int(Document::parse(json).unwrap().root()), fits, "{json}");
        }
        let bools = [("true", true), ("1.0", true), ("2", false), (r#""YES""#, true), (r#"" no""#, false)];
        for (json, fits) in bools {
            assert_eq!(is_lax_bool(Document::parse(json).unwrap().root()), fits, "{json}");
        }
    }

    #[test]
    fn other_roles_are_loaded_but_not_all_can_be_measured() {
        let cases = [
            (r#"{"role":"system"}"#, None),
            (r#"{"role":"tool","content":[null,{"type":"text","text":"x"}]}"#, None),
            (r#"{"role":"system","content":"x"}"#, Some("content must be a list")),
            (
                r#"{"role":"system","content":[{"text":"x"}]}"#,
                Some("content[0].type is none of text, thinking, image, tool_call"),
            ),
            (r#"{"role":"note"}"#, Some("messages of role 'note' cannot be measured")),
        ];
        for (json, why) in cases {
            let document = Document::parse(json).unwrap();
            assert_eq!(unmeasurable(document.root()).as_deref(), why, "{json}");
        }
    }
}
