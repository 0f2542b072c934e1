//! The transcript that TunaCode 0.2.3 passes to its summarizer.

use ebbline::format::tinyagent::{BlockKind, block_kind};
use ebbline::json::{Text, Value};
use ebbline::notation::javascript::Utf16;
use ebbline::notation::python::{CodePoints, dumps_sorted, repr_text, strip};
use ebbline::{Error, ErrorCode};

/// How many code points of a tool's result it includes.
const RESULT_LIMIT: usize = 500;
const TRUNCATED: &str = "...[truncated]";
/// How an image without a URL is counted and written.
const IMAGE: &str = "[image]";

/// Messages as text: `[User]:`, `[Assistant]:` with its thinking, `[Tool Call]:` with sorted arguments, `[Tool
/// Result]:` with at most 500 code points; empty texts are left out.
///
/// The messages must have passed TunaCode's loader.
///
/// # Errors
///
/// `invalid_message` for a message with another role and for a call without a name, in TunaCode's own words, which
/// become the detail of a failed compaction.
///
/// # Example
///
/// ```
/// use ebbline_compat::tunacode::serialize;
/// let json = r#"[{"role": "user", "content": [{"type": "text", "text": " hello "}]}]"#;
/// let document = ebbline::json::Document::parse(json)?;
/// let messages: Vec<_> = document.root().elements().collect();
/// assert_eq!(serialize(&messages)?.to_text(), "[User]: hello");
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn serialize(messages: &[Value<'_>]) -> Result<Utf16, Error> {
    let mut lines = Vec::new();
    for message in messages {
        let role = message.text_of("role");
        match role.map(Text::decode).as_deref() {
            Some("user") => push_line(&mut lines, "[User]: ", &strip(&content_text(*message))),
            Some("assistant") => {
                push_line(&mut lines, "[Assistant]: ", &strip(&content_text(*message)));
                for block in message.elements_of("content") {
                    if block_kind(block, BlockKind::OF_ASSISTANT) == Some(BlockKind::ToolCall) {
                        lines.push(call_line(block)?);
                    }
                }
            }
            Some("tool_result") => {
                push_line(&mut lines, "[Tool Result]: ", &truncate(strip(&content_text(*message))));
            }
            _ => {
                let role = role.map(repr_text).unwrap_or_default();
                return Err(invalid(format!(
                    "Unsupported message role for compaction serialization: {role}"
                )));
            }
        }
    }
    Ok(Utf16::join(&lines, "\n"))
}

/// The text of a message: its texts, thinking and image URLs, joined by spaces.
fn content_text(message: Value<'_>) -> Utf16 {
    let allowed = BlockKind::of_role(message.text_of("role"));
    let text_of = |block: Value<'_>, key: &str| block.text_of(key).map(Utf16::from).unwrap_or_default();
    let pieces: Vec<Utf16> = message
        .elements_of("content")
        .filter_map(|block| match block_kind(block, allowed)? {
            BlockKind::Text => Some(text_of(block, "text")),
            BlockKind::Thinking => Some(text_of(block, "thinking")),
            BlockKind::Image => {
                Some(text_of(block, "url")).map(|url| if url.is_empty() { Utf16::from(IMAGE) } else { url })
            }
            _ => None,
        })
        .collect();
    Utf16::join(&pieces, " ")
}

fn push_line(lines: &mut Vec<Utf16>, label: &str, text: &Utf16) {
    if !text.is_empty() {
        let mut line = Utf16::from(label);
        line.push(text);
        lines.push(line);
    }
}

fn call_line(call: Value<'_>) -> Result<Utf16, Error> {
    let Some(name) = call.text_of("name").filter(|name| !name.is_empty()) else {
        return Err(invalid("tool_call item missing non-empty 'name'"));
    };
    let mut line = Utf16::from("[Tool Call]: ");
    line.push_text(name);
    let arguments = call.get("arguments").map_or_else(|| "{}".to_owned(), dumps_sorted);
    line.push_str(&format!("({arguments})"));
    Ok(line)
}

fn truncate(text: Utf16) -> Utf16 {
    let mut cut = text.first_code_points(RESULT_LIMIT);
    if cut.len() < text.len() {
        cut.push_str(TRUNCATED);
        return cut;
    }
    text
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidMessage, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    fn of(json: &str) -> Result<String, String> {
        let document = Document::parse(json).unwrap();
        let messages: Vec<_> = document.root().elements().collect();
        serialize(&messages).map(|text| text.to_text()).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn every_kind_of_message_has_its_label() {
        let cases = [
            ("[]", ""),
            (
                r#"[{"role":"user","content":[{"text":"see"},{"url":"u.png"},{"type":"image","url":""}]}]"#,
                "[User]: see u.png [image]",
            ),
            (
                r#"[{"role":"assistant","content":[null,{"thinking":"why"},{"text":"so"},
                    {"type":"tool_call","name":"f","arguments":{"z":1.0,"a":"é"}},{"name":"g"}]}]"#,
                "[Assistant]: why so\n[Tool Call]: f({\"a\": \"\\u00e9\", \"z\": 1.0})\n[Tool Call]: g({})",
            ),
            (r#"[{"role":"tool_result","content":[{"text":" \n"}]},{"role":"user"}]"#, ""),
        ];
        for (json, text) in cases {
            assert_eq!(of(json).as_deref(), Ok(text), "{json}");
        }
    }

    #[test]
    fn results_are_cut_by_code_points_after_stripping() {
        let result = |text: &str| {
            of(&format!(r#"[{{"role":"tool_result","content":[{{"type":"text","text":"{text}"}}]}}]"#))
                .unwrap()
        };
        assert_eq!(
            result(&format!("  {} ", "😀".repeat(500))),
            format!("[Tool Result]: {}", "😀".repeat(500))
        );
        assert_eq!(result(&"😀".repeat(501)), format!("[Tool Result]: {}...[truncated]", "😀".repeat(500)));
    }

    #[test]
    fn what_cannot_be_written_is_refused_in_tunacodes_words() {
        assert_eq!(
            of(r#"[{"role":"it's"}]"#).unwrap_err(),
            "Unsupported message role for compaction serialization: \"it's\""
        );
        for call in [r#"{"type":"tool_call"}"#, r#"{"type":"tool_call","name":""}"#] {
            let json = format!(r#"[{{"role":"assistant","content":[{call}]}}]"#);
            assert_eq!(of(&json).unwrap_err(), "tool_call item missing non-empty 'name'");
        }
    }
}
