//! What a model sees of a message: role, texts, the ids, names and arguments of calls, and media. Two messages are the same to
//! the model if this is the same; their ids, times, metadata and cache marks may differ, because hosts and databases add,
//! drop and reorder them.
//!
//! JavaScript writes the same text of live messages (`npm/src/equality.ts`), so that records of both fit each other's histories.

use ebbline_json::json::{Value, format_js};
use ebbline_json::notation::javascript::members;

use crate::format::OwnElement;

/// How deep messages are compared. Nothing that is sent to a provider is nested as deeply.
const DEEPEST: usize = 64;

/// The members of a message that a model sees, in the order in which they are written. Hosts add others of their own.
const MESSAGE: [&str; 22] = [
    "audio", "command", "content", "customType", "encrypted_content", "function_call", "isError", "is_error",
    "kind", "name", "output", "parts", "refusal", "role", "summary", "toolCallId", "toolInvocations",
    "toolName", "tool_call_id", "tool_calls", "tool_name", "type",
];

/// The members of a part, and of an item that is no message, that no model sees.
const UNSEEN: [&str; 27] = [
    "annotations", "cacheControl", "cachePoint", "cache_control", "callProviderMetadata", "caller",
    "citations", "createdAt", "created_at", "experimental_providerMetadata", "index", "logprobs",
    "messageID", "metadata", "providerData", "providerMetadata", "providerOptions", "resultProviderMetadata",
    "sessionID", "signature", "status", "textSignature", "thinkingSignature", "thoughtSignature",
    "thought_signature", "time", "timestamp",
];
/// The members whose values are data of a tool: all that is in them is seen.
const DATA: [&str; 7] = ["args", "arguments", "input", "json", "response", "result", "value"];
/// The types of outputs that are written in parts.
const OUTPUTS: [&str; 15] = [
    "text", "input_text", "output_text", "image", "input_image", "file", "input_file", "audio",
    "input_audio", "computer_screenshot", "content", "json", "error-text", "error-json", "execution-denied",
];
const TEXTS: [&str; 3] = ["text", "input_text", "output_text"];
const THOUGHTS: [&str; 2] = ["reasoning", "thinking"];
/// Other names of the id of a call: where one stands, `id` is that of the item.
const CALL_IDS: [&str; 6] = ["call_id", "callId", "callID", "toolCallId", "tool_use_id", "toolUseId"];
/// Items whose id others refer to, beside the elements that only one format has.
const REFERRED: [&str; 2] = ["item_reference", "mcp_approval_request"];

/// The lists, for the code that is generated for JavaScript: name, what it has, and its words.
#[doc(hidden)]
#[must_use]
pub fn lists() -> [(&'static str, &'static str, Vec<&'static str>); 8] {
    let referred = REFERRED.into_iter().chain(OwnElement::all().map(|own| own.kind));
    [
        (
            "MESSAGE",
            "The members of a message that a model sees, in the order in which they are written.",
            MESSAGE.to_vec(),
        ),
        (
            "UNSEEN",
            "The members of a part, and of an item that is no message, that no model sees.",
            UNSEEN.to_vec(),
        ),
        ("DATA", "The members whose values are data of a tool: all that is in them is seen.", DATA.to_vec()),
        ("OUTPUTS", "The types of outputs that are written in parts.", OUTPUTS.to_vec()),
        ("TEXTS", "The types of texts.", TEXTS.to_vec()),
        ("THOUGHTS", "The types of thoughts.", THOUGHTS.to_vec()),
        (
            "CALL_IDS",
            "Other names of the id of a call: where one stands, `id` is that of the item.",
            CALL_IDS.to_vec(),
        ),
        ("REFERRED", "The types of items and parts whose id others refer to.", referred.collect()),
    ]
}

/// What a model sees of a message.
#[doc(hidden)]
#[must_use]
pub fn seen(message: Value<'_>) -> String {
    of_message(message, 0)
}

/// An object in which everything is seen but the members `without`. Its members are written in the order of their names, because
/// databases keep none.
#[doc(hidden)]
#[must_use]
pub fn data(object: Value<'_>, without: &[&str]) -> String {
    let members = sorted(object).into_iter().filter(|(name, _)| !is_in(without, name));
    let seen: String = members.map(|(name, value)| quoted(&name) + &of_data(value, 1)).collect();
    format!("{{{seen}}}")
}

/// Whether the model sees a member of a message, or of an item that is none.
#[doc(hidden)]
#[must_use]
pub fn is_seen(message: Value<'_>, name: &str) -> bool {
    if is_message(message) { is_in(&MESSAGE, name) } else { !is_unseen(message, name, true) }
}

/// Whether the model sees the id of a part.
#[doc(hidden)]
#[must_use]
pub fn is_seen_id(part: Value<'_>) -> bool {
    !is_unseen(part, "id", false)
}

/// Whether a message is a system prompt.
#[doc(hidden)]
#[must_use]
pub fn is_system(message: Value<'_>) -> bool {
    let info = object(message, "info").and_then(|info| info.text_of("role"));
    let role = message.text_of("role").or(info).or_else(|| message.text_of("type"));
    role.is_some_and(|role| role.is("system") || role.is("developer"))
}

fn of_message(message: Value<'_>, depth: usize) -> String {
    if !message.is_object() {
        return of_data(message, depth);
    }
    // Envelopes of LangChain.
    if let (Some(kwargs), Some(path)) = (object(message, "kwargs"), message.get("id"))
        && path.is_array()
    {
        let class = path.elements().last().map_or_else(|| "undefined".to_owned(), |last| plain(last, depth));
        return format!("{{kind:{}{}}}", quoted(&class), of_message(kwargs, depth + 1));
    }
    if let Some(inside) = object(message, "data")
        && message.get("role").is_none()
    {
        let kind = message.get("type").map_or_else(|| "undefined;".to_owned(), |kind| of_data(kind, depth));
        return format!("{{kind:{kind}{}}}", of_message(inside, depth + 1));
    }
    if !is_message(message) {
        return of_part(message, depth, true);
    }
    let mut out = String::from("{");
    if let Some(role) = object(message, "info").and_then(|info| info.text_of("role")) {
        out.push_str("info:");
        out.push_str(&quoted(&role.decode()));
    }
    for name in MESSAGE {
        let value = message.present(name);
        // That something is a message says nothing.
        let is_said = !(name == "type" && value.and_then(Value::text).is_some_and(|kind| kind.is("message")));
        if let Some(value) = value.filter(|_| is_said) {
            out.push_str(&member(name, value, depth + 1));
        }
    }
    out + "}"
}

fn is_message(message: Value<'_>) -> bool {
    message.get("role").is_some_and(Value::is_string)
        || message.get("content").is_some()
        || message.get("parts").is_some()
}

/// A value as JavaScript makes a text of it.
fn plain(value: Value<'_>, depth: usize) -> String {
    value.text().map_or_else(|| of_data(value, depth), |text| text.decode().into_owned())
}

/// What is said: texts and parts. A text by itself is a list of one text.
fn said(value: Value<'_>, depth: usize) -> String {
    let one = |part: Value<'_>| match part.text() {
        Some(text) if text.is_empty() => String::new(),
        _ => inside(part, depth + 1),
    };
    let seen = if value.is_array() { value.elements().map(one).collect() } else { one(value) };
    listed(&seen)
}

fn listed(seen: &str) -> String {
    if seen.is_empty() { String::new() } else { format!("[{seen}]") }
}

/// Parts, or one; nothing for what is empty.
fn inside(value: Value<'_>, depth: usize) -> String {
    if value.is_array() {
        if depth > DEEPEST {
            return "!".to_owned();
        }
        return listed(&value.elements().map(|part| inside(part, depth + 1)).collect::<String>());
    }
    if value.is_object() { of_part(value, depth, false) } else { of_data(value, depth) }
}

fn of_part(part: Value<'_>, depth: usize, is_item: bool) -> String {
    if depth > DEEPEST {
        return "!".to_owned();
    }
    let members: Vec<(String, Value<'_>)> = sorted(part)
        .into_iter()
        .filter(|(name, value)| !value.is_null() && !is_unseen(part, name, is_item))
        .collect();
    let kind = part.present("type");
    let is_one_of =
        |kinds: &[&str]| kind.and_then(Value::text).is_some_and(|kind| is_in(kinds, &kind.decode()));
    let text =
        part.text_of("text").filter(|_| members.iter().all(|(name, _)| name == "text" || name == "type"));
    if let Some(text) = text {
        if kind.is_none() || is_one_of(&TEXTS) {
            return if text.is_empty() { String::new() } else { quoted(&text.decode()) };
        }
        if text.is_empty() && is_one_of(&THOUGHTS) {
            return String::new();
        }
    }
    if members.is_empty() {
        return String::new();
    }
    let mut out = String::from("{");
    for (name, value) in members {
        out.push_str(&member(&name, value, depth + 1));
    }
    // What the host has cleared by a mark of its own is another output to the model.
    if object(part, "time").is_some_and(|time| time.present("compacted").is_some()) {
        out.push_str("compacted;");
    }
    out + "}"
}

fn member(name: &str, value: Value<'_>, depth: usize) -> String {
    let is_said = name == "content" || name == "parts" || (name == "output" && is_output(value));
    let what = if is_said {
        said(value, depth)
    } else if is_in(&DATA, name) || name == "output" {
        of_data(value, depth)
    } else {
        inside(value, depth)
    };
    if what.is_empty() { what } else { format!("{name}:{what}") }
}

/// Whether an output is written in parts, and not as data of the tool's own.
fn is_output(value: Value<'_>) -> bool {
    let is_part = |part: Value<'_>| {
        part.is_string() || part.text_of("type").is_some_and(|kind| is_in(&OUTPUTS, &kind.decode()))
    };
    if value.is_array() { value.elements().all(is_part) } else { is_part(value) }
}

fn is_unseen(part: Value<'_>, name: &str, is_item: bool) -> bool {
    match name {
        "state" => part.get("state").is_some_and(Value::is_string),
        "id" => {
            let is_referred = part.text_of("type").is_some_and(|kind| {
                let kind = kind.decode();
                is_in(&REFERRED, &kind) || OwnElement::of(&kind).is_some()
            });
            !(is_referred || (!is_item && is_call(part)))
        }
        // Hosts mark what is their own.
        _ => is_in(&UNSEEN, name) || name.starts_with('_'),
    }
}

/// Whether the id of a part is that of a call.
fn is_call(part: Value<'_>) -> bool {
    let is_named = part.present("name").is_some() || part.present("function").is_some();
    is_named && CALL_IDS.iter().all(|name| part.present(name).is_none())
}

fn of_data(value: Value<'_>, depth: usize) -> String {
    if let Some(text) = value.text() {
        return quoted(&text.decode());
    }
    if let Some(number) = value.number() {
        return format!("{};", format_js(number));
    }
    if !value.is_array() && !value.is_object() {
        return format!("{};", value.source());
    }
    if depth > DEEPEST {
        return "!".to_owned();
    }
    if value.is_array() {
        return format!("[{}]", value.elements().map(|one| of_data(one, depth + 1)).collect::<String>());
    }
    let members = sorted(value);
    let seen: String =
        members.iter().map(|(name, value)| quoted(name) + &of_data(*value, depth + 1)).collect();
    format!("{{{seen}}}")
}

/// A text with its length in front, so that two texts are never taken for one. A picture is the same with and without its kind.
fn quoted(text: &str) -> String {
    const OPENS: &str = ";base64,";
    let units = |text: &str| text.encode_utf16().count();
    let kind = text.strip_prefix("data:").and_then(|_| text.split_once(OPENS));
    let told = kind.filter(|(kind, _)| units(kind) <= 100).map_or(text, |(_, data)| data);
    format!("{}\"{told}", units(told))
}

/// The members of an object, in the order of their names as JavaScript sorts them.
fn sorted(object: Value<'_>) -> Vec<(String, Value<'_>)> {
    let mut found: Vec<_> =
        members(object).into_iter().map(|(name, value)| (name.decode().into_owned(), value)).collect();
    found.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
    found
}

fn object<'d>(value: Value<'d>, name: &str) -> Option<Value<'d>> {
    value.get(name).filter(|value| value.is_object())
}

fn is_in(names: &[&str], name: &str) -> bool {
    names.contains(&name)
}

#[cfg(test)]
mod tests {
    use ebbline_json::json::Document;

    use super::*;

    fn of(json: &str) -> String {
        seen(Document::parse(json).unwrap().root())
    }

    #[test]
    fn what_no_model_sees_makes_no_difference() {
        for (one, other) in [
            (
                r#"{"role":"user","content":"go"}"#,
                r#"{"content":[{"type":"text","text":"go","cache_control":{"type":"ephemeral"}},{"type":"text","text":""}],"id":"m1","role":"user","timestamp":7}"#,
            ),
            (
                r#"{"type":"function_call","id":"fc_1","callId":"c1","name":"read","arguments":"{}","status":"completed"}"#,
                r#"{"name":"read","arguments":"{}","callId":"c1","type":"function_call","id":null}"#,
            ),
            (
                r#"{"type":"ai","content":"","tool_calls":[{"id":"c1","name":"read","args":{"b":1,"a":[2]}}],"id":"x"}"#,
                r#"{"type":"ai","content":null,"tool_calls":[{"args":{"a":[2.0],"b":1},"name":"read","id":"c1"}],"response_metadata":{"a":1}}"#,
            ),
            (
                r#"{"role":"user","content":[{"type":"image","image":"data:image/png;base64,AQID"}]}"#,
                r#"{"role":"user","content":[{"type":"image","image":"AQID"}]}"#,
            ),
        ] {
            assert_eq!(of(one), of(other));
        }
    }

    #[test]
    fn what_a_model_sees_makes_one() {
        let message = r#"{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"t1","name":"read","input":{"id":1,"time":2}}]}"#;
        for (from, to) in [
            ("\"a\"", "\"b\""),
            ("assistant", "user"),
            ("\"t1\"", "\"t2\""),
            ("\"read\"", "\"write\""),
            ("\"id\":1", "\"id\":2"),
            ("\"time\":2", "\"time\":3"),
        ] {
            assert_ne!(of(message), of(&message.replace(from, to)), "{from}");
        }
    }

    #[test]
    fn what_is_nested_too_deeply_ends() {
        let deep = format!("{{\"role\":\"user\",\"content\":{}1{}}}", "[".repeat(500), "]".repeat(500));
        assert!(of(&deep).contains('!'));
    }
}
