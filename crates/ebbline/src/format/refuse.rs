//! Refuses texts that are no session, and names what they contain instead.

use super::chat::{Fault, FaultOf};
use super::openai_chat;
use super::recognized::{self, CONVERT};
use super::signs::LOOKED_AT;
use super::source::Source;
use super::streams;
use crate::error::{Error, ErrorCode};
use crate::json::{Text, Value};

/// How many keys of an object the message names.
const NAMED_KEYS: usize = 8;
/// How many characters of a role the message names.
const NAMED_CHARACTERS: usize = 40;

/// Refuses messages of which one is not of the format that the others show.
pub(super) fn foreign(source: &Source<'_>, messages: &[Value<'_>], fault_of: FaultOf) -> Option<Error> {
    let (index, message, fault) = first_fault(messages.iter().copied(), fault_of)?;
    let name = if source.is_lines {
        let before = source.text.get(..message.span().start).unwrap_or_default();
        format!("the message of line {}", before.matches('\n').count() + 1)
    } else {
        format!("message {index}")
    };
    let seen = advised(&fault_of_message(message, fault, &name));
    Some(other(&seen).located(source.text, source.first_byte()))
}

fn first_fault<'d>(
    mut messages: impl Iterator<Item = Value<'d>>,
    fault_of: FaultOf,
) -> Option<(usize, Value<'d>, Fault)> {
    let mut index = 0;
    messages.find_map(|message| {
        index += 1;
        fault_of(message).map(|fault| (index - 1, message, fault))
    })
}

/// What was seen, and what to do.
fn advised(seen: &str) -> String {
    format!("{seen}; an agent's own shape is not read: {CONVERT}")
}

/// The same for objects that nobody knows: they may be a session.
fn perhaps(seen: String, root: Value<'_>) -> String {
    let is_filled = |value: Value<'_>| value.members().next().is_some();
    let may_be = is_filled(root) || root.elements().next().is_some_and(is_filled);
    if may_be && !seen.contains(CONVERT) { format!("{seen}; if an agent wrote it, {CONVERT}") } else { seen }
}

/// Why a message is none of a chat.
fn fault_of_chat(message: Value<'_>) -> Option<Fault> {
    openai_chat::ENTRY.fault_of.and_then(|fault_of| fault_of(message))
}

/// Refuses JSON in an unknown format.
pub(super) fn no_session(source: &Source<'_>) -> Error {
    let stream = streams::of_values(source);
    let error = match (stream, source.root()) {
        (Some(stream), _) => stream.refusal(),
        (None, Some(root)) if source.is_lines => other(&perhaps(lines_seen(source, root), root)),
        (None, Some(root)) => other(&perhaps(seen(root), root)),
        (None, None) => other("nothing"),
    };
    error.located(source.text, source.first_byte())
}

fn other(seen: &str) -> Error {
    Error::new(ErrorCode::NoMessages, format!("JSON, but no session: {seen}"))
}

/// Describes one document.
fn seen(root: Value<'_>) -> String {
    if root.is_object() {
        let whole = described(root, "an object");
        return match root.get("messages").filter(|messages| messages.is_array()) {
            Some(messages) => match fault_seen(messages.elements()) {
                Some(fault) => format!("{whole}; {fault}"),
                None => format!("{whole}; its messages are {}", list_seen(messages)),
            },
            None => whole,
        };
    }
    if root.is_array() {
        return fault_seen(root.elements()).unwrap_or_else(|| list_seen(root));
    }
    kind_of(root).to_owned()
}

/// Describes JSON Lines. What has no role is a log's own line.
fn lines_seen(source: &Source<'_>, first: Value<'_>) -> String {
    let faulty = source.values().take(LOOKED_AT).enumerate().find_map(|(index, line)| {
        let fault = line.get("role").and_then(|_| fault_of_chat(line))?;
        Some(advised(&fault_of_message(line, fault, &format!("the message of line {}", index + 1))))
    });
    faulty.unwrap_or_else(|| format!("lines of {}", described(first, "objects")))
}

/// Names the first message that is none, if there are messages beside it.
fn fault_seen<'d>(messages: impl Iterator<Item = Value<'d>> + Clone) -> Option<String> {
    messages.clone().find(|message| message.get("role").is_some())?;
    let (index, message, fault) = first_fault(messages.take(LOOKED_AT), fault_of_chat)?;
    Some(advised(&fault_of_message(message, fault, &format!("message {index}"))))
}

fn fault_of_message(message: Value<'_>, fault: Fault, name: &str) -> String {
    match fault {
        Fault::Message => format!("{name} is {}", kind_of(message)),
        Fault::Role => role_seen(message, name),
        Fault::Content => content_seen(message, name),
        Fault::Block(index) => {
            let whose = format!("block {index} of {name}");
            let is_list = message.get("content").is_some_and(Value::is_array);
            let of = if is_list { "content" } else { "parts" };
            match message.elements_of(of).nth(index) {
                Some(block) if block.is_object() => match block.get("type") {
                    Some(kind) => match kind.text() {
                        Some(text) => {
                            format!(
                                "{whose} has the type {}; its members are {}",
                                short(text),
                                named_keys_of(block)
                            )
                        }
                        None => format!("the type of {whose} is {}", kind_of(kind)),
                    },
                    None => format!("{whose} has no type, but {}", named_keys_of(block)),
                },
                block => format!("{whose} is {}", block.map_or("null", kind_of)),
            }
        }
        Fault::Call(index) => {
            let call = message.elements_of("tool_calls").nth(index);
            let keys = call.map_or_else(|| "no members".to_owned(), named_keys_of);
            format!("call {index} of {name} has no function, but {keys}")
        }
        Fault::Answer => {
            format!("{name} is a result without tool_call_id; its members are {}", named_keys_of(message))
        }
    }
}

/// The beginning of a text that a sentence names.
fn short(text: Text<'_>) -> String {
    text.decode().chars().take(NAMED_CHARACTERS).collect()
}

fn role_seen(message: Value<'_>, name: &str) -> String {
    let keys = named_keys_of(message);
    let Some(role) = message.get("role") else { return format!("{name} has no role, but {keys}") };
    match role.text() {
        Some(text) => format!("{name} has the unknown role {}; its members are {keys}", short(text)),
        None => format!("the role of {name} is {}; its members are {keys}", kind_of(role)),
    }
}

fn content_seen(message: Value<'_>, name: &str) -> String {
    if let Some(content) = message.get("content") {
        let seen =
            if content.is_object() { described(content, "an object") } else { kind_of(content).to_owned() };
        return format!("the content of {name} is {seen}");
    }
    let missing = format!("{name} has no content, but {}", named_keys_of(message));
    match message.get("parts").filter(|parts| parts.is_array()) {
        Some(parts) => format!("{missing}; its parts are {}", list_seen(parts)),
        None => missing,
    }
}

/// Describes a list by its elements.
fn list_seen(list: Value<'_>) -> String {
    let count = list.elements().count();
    let Some(first) = list.elements().next() else { return "an empty array".to_owned() };
    let kinds = || list.elements().map(kind_of);
    if kinds().all(|kind| kind == "an object") {
        let keys = named_keys_of(first);
        return match count {
            1 => format!("an array of one object with {keys}"),
            _ => format!("an array of {count} objects, the first with {keys}"),
        };
    }
    let mut distinct: Vec<&str> = Vec::new();
    for kind in kinds() {
        if !distinct.contains(&kind) {
            distinct.push(kind);
        }
    }
    match (count, distinct.as_slice()) {
        (1, [kind]) => format!("an array of {kind}"),
        (_, [kind]) => format!("an array of {count} values, each {kind}"),
        _ => format!("an array of {count} values: {}", distinct.join(", ")),
    }
}

fn kind_of(value: Value<'_>) -> &'static str {
    if value.is_object() {
        "an object"
    } else if value.is_array() {
        "an array"
    } else if value.is_string() {
        "a text"
    } else if value.is_null() {
        "null"
    } else if value.number().is_some() {
        "a number"
    } else {
        "true or false"
    }
}

/// Describes an object by its keys.
fn described(object: Value<'_>, noun: &str) -> String {
    if !object.is_object() {
        return format!("{noun}, the first {}", kind_of(object));
    }
    let keys = keys_of(object);
    if keys.is_empty() { format!("{noun} without members") } else { format!("{noun} with {keys}") }
}

fn named_keys_of(object: Value<'_>) -> String {
    let keys = keys_of(object);
    if keys.is_empty() { "no members".to_owned() } else { keys }
}

fn keys_of(object: Value<'_>) -> String {
    let mut keys: Vec<_> =
        object.members().take(NAMED_KEYS).map(|(key, _)| key.decode().into_owned()).collect();
    if object.members().count() > NAMED_KEYS {
        keys.push("…".to_owned());
    }
    keys.join(", ")
}

/// Says what a text that could not be parsed is, if that is obvious; otherwise returns the parser's error.
pub(super) fn no_json(text: &str, fault: Error) -> Error {
    if fault.kind() != ErrorCode::NotJson {
        return fault;
    }
    if let Some(stream) = streams::of_events(text) {
        return stream.refusal().located(text, 0);
    }
    if let Some(refusal) = recognized::text_refusal(text) {
        return refusal;
    }
    let Some(kind) = language_of(text) else { return fault };
    let error = Error::new(ErrorCode::NotJson, format!("expected JSON, found {kind}"));
    match fault.place() {
        Some(place) => error.located(text, place.byte),
        None => error,
    }
}

/// The language of a text that is not JSON; `None` if it may be faulty JSON.
fn language_of(text: &str) -> Option<&'static str> {
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let begins = |prefixes: &[&str]| {
        prefixes
            .iter()
            .any(|prefix| text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix)))
    };
    if begins(&["<!doctype html", "<html", "<head", "<body"]) {
        return Some("HTML: a page of the web");
    }
    if begins(&["<"]) {
        return Some("XML");
    }
    if begins(&["{'", "[{'", "[ {'"]) {
        return Some("a Python literal: write it with json.dumps");
    }
    if begins(&["{", "[", "\""]) {
        return None;
    }
    if begins(&["# ", "## ", "---\n", "```", "* ", "> "]) {
        return Some("Markdown");
    }
    if is_table(text) {
        return Some("a table of comma-separated values");
    }
    let is_word = text.chars().next().is_some_and(char::is_alphabetic);
    let is_literal = ["true", "false", "null"].iter().any(|literal| text.starts_with(literal));
    (is_word && !is_literal).then_some("plain text")
}

/// Whether the first lines are rows with the same number of commas.
fn is_table(text: &str) -> bool {
    let mut rows = text.lines().take(4).map(|row| row.matches(',').count());
    let Some(first) = rows.next().filter(|commas| *commas > 0) else { return false };
    let rows: Vec<_> = rows.collect();
    !rows.is_empty() && rows.iter().all(|commas| *commas == first)
}

#[cfg(test)]
mod tests {
    use crate::format::detect;

    /// Texts that users open by mistake, and the messages they get.
    #[test]
    fn what_is_no_session_is_named() {
        let texts = [
            r#"{"name":"shop","version":"1.0.0","dependencies":{}}"#,
            r#"{"schema_version":5,"database_id":"d","cursor":{},"pricing":{},"projects":{},"sessions":[],"a":1,"b":2,"c":3}"#,
            "{}",
            r#"{"messages":[]}"#,
            r#"{"messages":[{"id":1,"payload":{}},{"id":2}]}"#,
            "[]",
            "[1, 2, 3]",
            r#"[{"a":1,"b":2}]"#,
            r#"[{"a":1},{"b":2}]"#,
            r#"[{"a":1},2,"x"]"#,
            r#"[{"role":"user","text":"hello"}]"#,
            r#"[{"role":"user","content":"hello"},{"role":"assistant","text":"hello"}]"#,
            r#"[{"role":"user","content":42}]"#,
            r#"[{"role":"user","content":{"text":"hello"}}]"#,
            r#"[{"role":"user","content":["hello"]}]"#,
            r#"[{"role":"user","content":[{"type":"text","text":"a"},{"body":"b"}]}]"#,
            r#"[{"role":"user","content":[{"type":7}]}]"#,
            r#"[{"role":"human","content":"hello"}]"#,
            r#"[{"role":7,"content":"hello"}]"#,
            r#"[{"role":"user","content":"hello"},{"content":"hello"}]"#,
            r#"[{"role":"user","content":"hello"},"hello"]"#,
            r#"[{"role":"user","parts":[{"body":"hello"}]}]"#,
            r#"{"model":"m","messages":[{"role":"user","text":"hello"}]}"#,
            "{\"time\":1}\n{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"user\",\"text\":\"b\"}",
            "{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"user\",\"text\":\"b\"}",
            "3",
            "\"hello\"",
            "null",
            "{\"level\":\"info\",\"msg\":\"started\"}\n{\"level\":\"info\",\"msg\":\"stopped\"}",
            "hello there",
            "<!DOCTYPE html>\n<html></html>",
            "<?xml version=\"1.0\"?>",
            "# Notes\n\n- one\n",
            "name,count\na,1\nb,2\n",
            "[{'role': 'user', 'content': 'hi'}]",
            "{\"role\": \"user\", \"content\": tru}",
        ];
        let answers: Vec<_> = texts
            .iter()
            .map(|text| {
                let error = detect(text).unwrap_err();
                format!("{text:?}\n    {}: {error}", error.code())
            })
            .collect();
        insta::assert_snapshot!(answers.join("\n"));
    }
}
