//! The text of a message for people: what a reader of the session wants to see, without knowing its format.
//!
//! Cost and fate come from the engine's readers, which know every format. This is only for looking at: it walks a
//! message's JSON and collects what stands under the keys that all formats use for content.

use ebbline::json::{Document, Value};

/// A stretch of text with what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// `text`, `thinking`, `call grep`, `output of grep`.
    pub label: String,
    /// The text, unescaped.
    pub text: String,
}

/// Keys whose values hold content, or lead to it.
const CONTENT: [&str; 19] = [
    "content",
    "parts",
    "message",
    "tool_calls",
    "function",
    "function_call",
    "custom",
    "state",
    "output",
    "result",
    "text",
    "thinking",
    "reasoning",
    "reasoning_content",
    "summary",
    "refusal",
    "error",
    "image_url",
    "source",
];
/// Keys whose values are a call's arguments.
const ARGUMENTS: [&str; 3] = ["arguments", "input", "args"];
/// Keys under which a tool's name stands.
const NAMES: [&str; 4] = ["name", "tool", "tool_name", "toolName"];
/// How deep content is looked for.
const DEEPEST: usize = 8;

/// The blocks of the message whose JSON is `source`. Something that is no JSON is one block as it stands.
#[must_use]
pub fn blocks(source: &str) -> Vec<Block> {
    let mut found = Vec::new();
    if let Ok(document) = Document::parse(source) {
        let root = document.root();
        match root.text() {
            Some(text) => found.push(Block { label: "text".to_owned(), text: text.decode().into_owned() }),
            None => walk(root, &Place { label: "text", tool: None, depth: 0 }, &mut found),
        }
    }
    // An empty output is content too; it is left out only beside others.
    if found.iter().any(|block| !block.text.is_empty()) {
        found.retain(|block| !block.text.is_empty());
    }
    found.dedup_by(|second, first| second.text.is_empty() && first.text.is_empty());
    if found.is_empty() {
        found.push(Block { label: "as it stands".to_owned(), text: source.to_owned() });
    }
    found
}

/// One line that shows what a message is about, at most `length` characters.
#[must_use]
pub fn preview(source: &str, length: usize) -> String {
    let mut line = String::new();
    for block in blocks(source) {
        let call = block.label.strip_prefix("call ");
        let text = if call.is_some() { values(&block.text) } else { block.text };
        let words = call.into_iter().flat_map(str::split_whitespace).chain(text.split_whitespace());
        for word in words {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
            if line.chars().count() > length {
                return line.chars().take(length).chain(['…']).collect();
            }
        }
    }
    line
}

/// A call's arguments without their names: what it was called with says enough.
fn values(arguments: &str) -> String {
    let Ok(document) = Document::parse(arguments) else { return arguments.to_owned() };
    let values = document.root().members().map(|(_, value)| match value.text() {
        Some(text) => text.decode().into_owned(),
        None => value.source().to_owned(),
    });
    values.collect::<Vec<_>>().join(" ")
}

/// Where the walk stands: what text found here is, and whose call it belongs to.
struct Place<'p> {
    label: &'p str,
    tool: Option<&'p str>,
    depth: usize,
}

fn walk(value: Value<'_>, place: &Place<'_>, found: &mut Vec<Block>) {
    if place.depth > DEEPEST {
        return;
    }
    if value.is_array() {
        for element in value.elements() {
            match element.text() {
                Some(text) => push(place, &text.decode(), found),
                None => walk(element, &Place { depth: place.depth + 1, ..*place }, found),
            }
        }
        return;
    }
    let named = NAMES.iter().find_map(|key| value.text_of(key)).map(|name| name.decode().into_owned());
    let tool = named.as_deref().or(place.tool);
    let kind = ["type", "part_kind", "role"].iter().find_map(|key| value.text_of(key));
    let kind = kind.map(|kind| kind.decode().into_owned()).unwrap_or_default();
    let label =
        if kind.contains("tool_result") || matches!(kind.as_str(), "tool" | "toolResult" | "tool-return") {
            "output"
        } else if kind.contains("thinking") || kind == "reasoning" {
            "thinking"
        } else {
            place.label
        };
    for (key, member) in value.members() {
        let key = key.decode();
        let inside = Place {
            label: match key.as_ref() {
                "thinking" | "reasoning" | "reasoning_content" => "thinking",
                "output" | "error" | "result" => "output",
                _ => label,
            },
            tool,
            depth: place.depth + 1,
        };
        if ARGUMENTS.contains(&key.as_ref()) && tool.is_some() {
            let text =
                member.text().map_or_else(|| member.source().to_owned(), |text| text.decode().into_owned());
            found.push(Block { label: format!("call {}", tool.unwrap_or("tool")), text });
        } else if CONTENT.contains(&key.as_ref()) {
            match member.text() {
                Some(text) => push(&inside, &text.decode(), found),
                None => walk(member, &inside, found),
            }
        } else if matches!(key.as_ref(), "data" | "url")
            && let Some(data) = member.text()
        {
            let data = data.decode();
            found.push(Block { label: "image".to_owned(), text: shortened(&data) });
        }
    }
}

fn push(place: &Place<'_>, text: &str, found: &mut Vec<Block>) {
    let label = match (place.label, place.tool) {
        ("output", Some(tool)) => format!("output of {tool}"),
        (label, _) => label.to_owned(),
    };
    found.push(Block { label, text: text.to_owned() });
}

/// Images travel as base64: their beginning says enough.
fn shortened(data: &str) -> String {
    let length = data.chars().count();
    let start: String = data.chars().take(64).collect();
    if length > 64 {
        format!("{start}… ({} characters)", crate::number::grouped(length as u64))
    } else {
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> Vec<String> {
        blocks(source).into_iter().map(|block| format!("{}: {}", block.label, block.text)).collect()
    }

    #[test]
    fn every_format_shows_words_calls_and_outputs() {
        assert_eq!(
            shown(
                r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"grep","arguments":"{\"p\":1}"}}]}"#
            ),
            ["call grep: {\"p\":1}"]
        );
        assert_eq!(shown(r#"{"role":"tool","tool_call_id":"c","content":"a\nb"}"#), ["output: a\nb"]);
        assert_eq!(
            shown(
                r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"out"}]},{"type":"text","text":"hi"}]}"#
            ),
            ["output: out", "text: hi"]
        );
        assert_eq!(
            shown(
                r#"{"info":{"role":"assistant"},"parts":[{"type":"tool","tool":"bash","state":{"status":"completed","input":{"command":"ls"},"output":"x"}}]}"#
            ),
            ["call bash: {\"command\":\"ls\"}", "output of bash: x"]
        );
        assert_eq!(
            shown(
                r#"{"type":"message","id":"1","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"toolCall","id":"a","name":"read","arguments":{"path":"x"}}]}}"#
            ),
            ["thinking: hm", "call read: {\"path\":\"x\"}"]
        );
        assert_eq!(
            shown(
                r#"{"kind":"request","parts":[{"part_kind":"tool-return","tool_name":"ls","content":"y"}]}"#
            ),
            ["output of ls: y"]
        );
        assert_eq!(shown("\"You are\\u0020helpful\""), ["text: You are helpful"]);
        assert_eq!(shown("{\"a\":1}"), ["as it stands: {\"a\":1}"]);
        assert_eq!(shown(r#"{"role":"tool","content":""}"#), ["output: "]);
        assert_eq!(shown("no json"), ["as it stands: no json"]);
    }

    #[test]
    fn a_preview_is_one_short_line() {
        assert_eq!(preview(r#"{"role":"user","content":"  two\n\n words  "}"#, 40), "two words");
        assert_eq!(preview(r#"{"role":"user","content":"abcdefgh"}"#, 4), "abcd…");
        let call = r#"{"role":"assistant","tool_calls":[{"function":{"name":"grep","arguments":"{\"pattern\":\"a b\",\"max\":3}"}}]}"#;
        assert_eq!(preview(call, 40), "grep a b 3");
    }
}
