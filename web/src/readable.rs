//! The text of a message for people: what the model reads of it, part by part, as the engine's readers found it.

use ebbline::json::Document;
use ebbline::{Fate, MessagePlan, Output, Part, PartKind, Session};

use crate::number::grouped;

/// A stretch of text with what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// `text`, `thinking`, `call grep`, `output of grep`.
    pub label: String,
    /// The text, unescaped; in words what it is where there is none.
    pub text: String,
}

/// The blocks of message `index`; its JSON when nothing of it is sent.
#[must_use]
pub fn blocks(session: &Session, source: &str, index: usize) -> Vec<Block> {
    let found: Vec<_> = parts(session, index).map(|(at, part)| block(session, source, at, &part)).collect();
    if found.is_empty() { as_it_stands(session, source, index) } else { found }
}

/// The block of a message of which nothing is sent.
fn as_it_stands(session: &Session, source: &str, index: usize) -> Vec<Block> {
    let raw = source.get(session.span(index)).unwrap_or_default();
    vec![Block { label: "as it stands".to_owned(), text: raw.to_owned() }]
}

/// The blocks of message `index` as they are once `plan` is carried out.
#[must_use]
pub fn blocks_after(
    session: &Session,
    source: &str,
    index: usize,
    plan: &MessagePlan,
    placeholder: &str,
) -> Vec<Block> {
    let mut found = Vec::new();
    for ((at, part), planned) in parts(session, index).zip(&plan.parts) {
        let is_pruned = planned.fate == Fate::Pruned || planned.pruned_first;
        match part.kind {
            PartKind::ToolResult if is_pruned => {
                found.push(Block { label: label(session, &part), text: placeholder.to_owned() });
            }
            // What stands inside a pruned output goes with it.
            _ if is_pruned => {}
            _ => found.push(block(session, source, at, &part)),
        }
    }
    if found.is_empty() { as_it_stands(session, source, index) } else { found }
}

/// One line that shows what message `index` is about, at most `length` characters.
#[must_use]
pub fn preview(session: &Session, source: &str, index: usize, length: usize) -> String {
    let mut line = String::new();
    for block in blocks(session, source, index) {
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

fn parts(session: &Session, index: usize) -> impl Iterator<Item = (usize, Part)> {
    let transcript = session.transcript();
    transcript.part_range(index).zip(transcript.parts_of(index).iter().copied())
}

fn block(session: &Session, source: &str, at: usize, part: &Part) -> Block {
    let text = session.text_of(source, at);
    let text = if text.is_empty() { without_text(part) } else { text.into_owned() };
    Block { label: label(session, part), text }
}

fn label(session: &Session, part: &Part) -> String {
    let tool =
        part.tool.and_then(|tool| session.transcript().tool_name(tool)).filter(|tool| !tool.is_empty());
    match (part.kind, tool) {
        (PartKind::Text, _) => "text".to_owned(),
        (PartKind::Thinking, _) => "thinking".to_owned(),
        (PartKind::ToolCall, tool) => format!("call {}", tool.unwrap_or("tool")),
        (PartKind::ToolResult, Some(tool)) => format!("output of {tool}"),
        (PartKind::ToolResult, None) => "output".to_owned(),
        (PartKind::Image, _) => "image".to_owned(),
        (PartKind::File, _) => "file".to_owned(),
        (PartKind::Summary, _) => "summary".to_owned(),
        (PartKind::Other, _) => "other".to_owned(),
    }
}

/// What is said of a part that holds no text.
fn without_text(part: &Part) -> String {
    match part.kind {
        PartKind::ToolResult if part.output == Output::Pruned => "cleared earlier".to_owned(),
        PartKind::Thinking | PartKind::Summary if part.signed => "encrypted by the provider".to_owned(),
        PartKind::Image | PartKind::File if part.length.utf16 > 0 => {
            format!("{} characters of data", grouped(u64::from(part.length.utf16)))
        }
        PartKind::Other if part.length.utf16 > 0 => {
            format!("{} characters", grouped(u64::from(part.length.utf16)))
        }
        _ => String::new(),
    }
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

#[cfg(test)]
mod tests {
    use ebbline::ReadOptions;

    use super::*;

    fn read(source: &str) -> Session {
        Session::read(source, &ReadOptions::default()).unwrap()
    }

    fn shown(source: &str) -> Vec<String> {
        let session = read(source);
        let shown = |index| blocks(&session, source, index).into_iter();
        (0..session.transcript().messages().len())
            .flat_map(shown)
            .map(|block| format!("{}: {}", block.label, block.text))
            .collect()
    }

    #[test]
    fn words_calls_outputs_and_what_is_no_text_are_shown() {
        assert_eq!(
            shown(
                r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"grep","arguments":"{\"p\":1}"}}]},
                {"role":"tool","tool_call_id":"c","content":"a\nb"}]"#
            ),
            ["call grep: {\"p\":1}", "output of grep: a\nb"]
        );
        assert_eq!(
            shown(
                r#"[{"role":"assistant","content":[{"type":"redacted_thinking","data":"xyz"},{"type":"thinking","thinking":"hm"},
                {"type":"tool_use","id":"t","name":"look","input":{}}]},
                {"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"out"},
                {"type":"image","source":{"data":"0123456789"}}]},{"type":"text","text":"hi"}]}]"#
            ),
            [
                "thinking: encrypted by the provider",
                "thinking: hm",
                "call look: {}",
                "output of look: out",
                "image: 10 characters of data",
                "text: hi"
            ]
        );
    }

    #[test]
    fn a_preview_is_one_short_line() {
        let source = r#"[{"role":"user","content":"  two\n\n words  "},{"role":"assistant","tool_calls":[{"function":{"name":"grep","arguments":"{\"pattern\":\"a b\",\"max\":3}"}}]}]"#;
        let session = read(source);
        assert_eq!(preview(&session, source, 0, 40), "two words");
        assert_eq!(preview(&session, source, 0, 4), "two …");
        assert_eq!(preview(&session, source, 1, 40), "grep a b 3");
    }
}
