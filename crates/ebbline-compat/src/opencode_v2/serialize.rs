//! A session's messages as text, for a summary request and for a checkpoint's recent part.

use ebbline::json::{Kind, Text, Value, format_js};
use ebbline::notation::javascript::{Utf16, stringify};
use ebbline::notation::python::CodePoints;
use ebbline::{Error, ErrorCode};

use super::version::Version;

/// How much of a tool's output is included: in UTF-16 units in 2026-06, in code points later.
const OUTPUT_LIMIT: usize = 2_000;
const TRUNCATED: &str = "\n[truncated]";

/// The message of an entry; a message without an entry is itself.
pub(super) fn message_of(entry: Value<'_>) -> Value<'_> {
    entry.get("message").filter(|message| message.is_object()).unwrap_or(entry)
}

/// Whether a message is of type `kind`.
pub(super) fn is(message: Value<'_>, kind: &str) -> bool {
    message.text_of("type").is_some_and(|name| name.is(kind))
}

/// A message as text; empty if it is not included.
///
/// # Errors
///
/// `invalid_message` if OpenCode raises an exception: an assistant message without content, a tool without state, a
/// completed tool without content, an invalid output.
pub fn serialize(message: Value<'_>, version: Version) -> Result<Utf16, Error> {
    let labelled = |label: &str, key: &str| {
        let mut line = Utf16::from(label);
        line.push(&shown(message.get(key)));
        line
    };
    let later = version == Version::Later;
    Ok(match message.text_of("type").map(Text::decode).as_deref() {
        Some("user") => Utf16::join(&user_lines(message, later), "\n"),
        Some("assistant") => {
            let parts = message.get("content").filter(|content| content.is_array());
            let parts = parts.ok_or_else(|| broken("an assistant's message has no content"))?;
            let mut lines = Vec::new();
            for part in parts.elements() {
                push_part(&mut lines, part, version)?;
            }
            Utf16::join(&lines, "\n")
        }
        Some("system") if !later => labelled("[System update]: ", "text"),
        Some("synthetic") => labelled("[Synthetic context]: ", "text"),
        Some("shell") => shell(message, version)?,
        Some("skill") if later => skill(message),
        Some("location-switched") if later => {
            let location = message.get("location").and_then(|location| location.get("directory"));
            let mut line = Utf16::from("[User]: The working directory has been changed to ");
            line.push(&shown(location));
            line.push_str(".");
            line
        }
        _ => Utf16::default(),
    })
}

fn user_lines(message: Value<'_>, later: bool) -> Vec<Utf16> {
    let mut lines: Vec<Utf16> = Vec::new();
    if later {
        lines.extend(message.elements_of("skills").filter(|skill| skill.get("text").is_some()).map(skill));
    }
    let mut text = Utf16::from("[User]: ");
    text.push(&shown(message.get("text")));
    lines.push(text);
    for file in message.elements_of("files") {
        let source = file.get("source").filter(|_| later);
        let place = match source {
            Some(source) if is(source, "uri") => shown(source.get("uri")),
            Some(_) => Utf16::from("inline attachment"),
            None => shown(file.get("uri")),
        };
        let name = file.present("name").map_or(place, |name| shown(Some(name)));
        lines.push(attached(file, Some(&name)));
    }
    lines
}

fn attached(file: Value<'_>, name: Option<&Utf16>) -> Utf16 {
    let mut line = Utf16::from("[Attached ");
    line.push(&shown(file.get("mime")));
    if let Some(name) = name {
        line.push_str(": ");
        line.push(name);
    }
    line.push_str("]");
    line
}

fn skill(skill: Value<'_>) -> Utf16 {
    let mut text = Utf16::from("[Skill activated: ");
    text.push(&shown(skill.get("name")));
    text.push_str("]\n");
    text.push(&shown(skill.get("text")));
    text
}

fn shell(message: Value<'_>, version: Version) -> Result<Utf16, Error> {
    let mut text = Utf16::from("[Shell]: ");
    text.push(&shown(message.get("command")));
    text.push_str("\n");
    let output = match version {
        Version::V2026_06 => message
            .text_of("output")
            .map(Utf16::from)
            .ok_or_else(|| broken("a shell message has no output"))?,
        Version::Later => {
            let background = message.get("metadata").and_then(|metadata| metadata.get("background"));
            if background.is_some_and(|flag| flag.kind() == Kind::True) {
                return Ok(Utf16::default());
            }
            let output = message.get("output").and_then(|output| output.present("output"));
            output.map(|output| shown(Some(output))).unwrap_or_default()
        }
    };
    text.push(&truncate(output, version));
    Ok(text)
}

fn push_part(lines: &mut Vec<Utf16>, part: Value<'_>, version: Version) -> Result<(), Error> {
    let mut push = |label: &str, text: &Utf16| {
        let mut line = Utf16::from(label);
        line.push(text);
        lines.push(line);
    };
    if is(part, "text") {
        push("[Assistant]: ", &shown(part.get("text")));
        return Ok(());
    }
    if is(part, "reasoning") {
        if part.get("text").is_some_and(Value::is_truthy) {
            push("[Assistant reasoning]: ", &shown(part.get("text")));
        }
        return Ok(());
    }
    let state = part.present("state").ok_or_else(|| broken("a tool has no state"))?;
    let mut call = shown(part.get("name"));
    call.push_str("(");
    call.push(&match state.get("input") {
        Some(input) if input.is_string() => shown(Some(input)),
        Some(input) => stringify(input),
        None => Utf16::from("undefined"),
    });
    call.push_str(")");
    push("[Assistant tool call]: ", &call);
    match state.text_of("status").map(Text::decode).as_deref() {
        Some("completed") => {
            let content = state.get("content").filter(|content| content.is_array());
            let content = content.ok_or_else(|| broken("a completed tool has no content"))?;
            push("[Tool result]: ", &truncate(tool_content(content), version));
        }
        Some("error") => {
            let error = state.present("error").ok_or_else(|| broken("a failed tool has no error"))?;
            push("[Tool error]: ", &shown(error.get("message")));
        }
        _ => {}
    }
    Ok(())
}

/// The output of a tool: texts, and the names of files.
fn tool_content(content: Value<'_>) -> Utf16 {
    let items: Vec<Utf16> = content
        .elements()
        .map(|item| {
            if is(item, "text") {
                // `join` writes nothing for a missing text.
                return item.present("text").map(|text| shown(Some(text))).unwrap_or_default();
            }
            let name = item.get("name").map(|name| shown(Some(name)));
            attached(item, name.as_ref())
        })
        .collect();
    Utf16::join(&items, "\n")
}

fn truncate(text: Utf16, version: Version) -> Utf16 {
    let mut cut = match version {
        Version::V2026_06 => text.slice(0, OUTPUT_LIMIT),
        Version::Later => text.first_code_points(OUTPUT_LIMIT),
    };
    if cut.len() == text.len() {
        return text;
    }
    cut.push_str(TRUNCATED);
    cut
}

/// A value in a template literal.
fn shown(value: Option<Value<'_>>) -> Utf16 {
    let Some(value) = value else { return Utf16::from("undefined") };
    match value.kind() {
        Kind::Plain | Kind::Escaped => value.text().map(Utf16::from).unwrap_or_default(),
        Kind::Number => Utf16::from(format_js(value.number().unwrap_or(f64::NAN)).as_str()),
        Kind::Object => Utf16::from("[object Object]"),
        Kind::Array => {
            let elements: Vec<_> = value
                .elements()
                .map(|element| if element.is_null() { Utf16::default() } else { shown(Some(element)) })
                .collect();
            Utf16::join(&elements, ",")
        }
        Kind::Null | Kind::True | Kind::False => Utf16::from(value.source()),
    }
}

fn broken(message: &str) -> Error {
    Error::new(ErrorCode::InvalidMessage, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    fn of(json: &str, version: Version) -> Result<String, Error> {
        serialize(Document::parse(json).unwrap().root(), version).map(|text| text.to_text())
    }

    #[test]
    fn messages_read_as_each_version_writes_them() {
        let calls = [
            "[Assistant]: ",
            r#"[Assistant tool call]: a({"k":[1,null]})"#,
            "[Tool result]: ",
            "[Attached m]",
            "[Attached m: n]",
            r#"[Assistant tool call]: b({"x)"#,
            "[Tool error]: boom",
            "[Assistant tool call]: c(undefined)",
        ]
        .join("\n");
        let cases = [
            (
                r#"{"type":"user","text":"t","files":[{"mime":"a/b","name":"n","uri":"u"},{"mime":"c/d","uri":"u"}]}"#,
                "[User]: t\n[Attached a/b: n]\n[Attached c/d: u]",
                "[User]: t\n[Attached a/b: n]\n[Attached c/d: u]",
            ),
            (
                r#"{"type":"user","text":"t","skills":[{"name":"s","text":"how"},{"name":"r"}],
                    "files":[{"mime":"a/b","source":{"type":"inline"}}]}"#,
                "[User]: t\n[Attached a/b: undefined]",
                "[Skill activated: s]\nhow\n[User]: t\n[Attached a/b: inline attachment]",
            ),
            (r#"{"type":"system","text":"x"}"#, "[System update]: x", ""),
            (r#"{"type":"user"}"#, "[User]: undefined", "[User]: undefined"),
            (r#"{"type":"agent-switched","agent":"plan"}"#, "", ""),
            (
                r#"{"type":"location-switched","location":{"directory":"/d"}}"#,
                "",
                "[User]: The working directory has been changed to /d.",
            ),
            (
                r#"{"type":"assistant","content":[{"type":"reasoning","text":""},{"type":"text","text":""},
                    {"type":"tool","name":"a","state":{"status":"completed","input":{"k":[1.0,null]},
                     "content":[{"type":"text"},{"type":"file","mime":"m"},{"mime":"m","name":"n"}]}},
                    {"type":"tool","name":"b","state":{"status":"error","input":"{\"x","error":{"message":"boom"}}},
                    {"type":"tool","name":"c","state":{"status":"running"}}]}"#,
                calls.as_str(),
                calls.as_str(),
            ),
        ];
        for (json, june, later) in cases {
            assert_eq!(of(json, Version::V2026_06).unwrap(), june, "{json}");
            assert_eq!(of(json, Version::Later).unwrap(), later, "{json}");
        }
        let shell = r#"{"type":"shell","command":"ls","output":{"output":"out"}}"#;
        assert_eq!(of(shell, Version::Later).unwrap(), "[Shell]: ls\nout");
        of(shell, Version::V2026_06).unwrap_err();
        of(r#"{"type":"assistant"}"#, Version::Later).unwrap_err();
    }

    #[test]
    fn june_cuts_inside_a_pair_and_the_later_version_does_not() {
        let output = |text: &str| format!(r#"{{"type":"shell","command":"c","output":"{text}"}}"#);
        let document = output(&format!("{}😀y", "x".repeat(1_999)));
        let document = Document::parse(&document).unwrap();
        let june = serialize(document.root(), Version::V2026_06).unwrap();
        assert_eq!(june.len(), "[Shell]: c\n".len() + 2_000 + TRUNCATED.len());
        assert!(june.to_text().contains('\u{fffd}'));
        let later = truncate(Utf16::from(format!("{}😀y", "x".repeat(1_999)).as_str()), Version::Later);
        assert_eq!(later.to_text(), format!("{}😀{TRUNCATED}", "x".repeat(1_999)));
        let fits = Utf16::from("😀".repeat(2_000).as_str());
        assert_eq!(truncate(fits.clone(), Version::Later), fits);
    }
}
