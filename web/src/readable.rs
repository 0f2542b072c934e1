//! The text of a message for people: what the model reads of it, part by part, as the engine's readers recorded it.

use serde::{Deserialize, Serialize};
use std::ops::Range;

use ebbline::plan::{PartPlan, Preview};
use ebbline::transcript::{Message, Output, Part, PartKind, Role};
use ebbline::{Fate, Policy};

use crate::content::Content;
use ebbline::numbers::grouped;

/// A labelled text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// `text`, `thinking`, `call grep`, `output of grep`.
    pub label: String,
    /// The unescaped text, or a description of a part without text.
    pub text: String,
}

/// The blocks of the parts `shown` of message `index`, or its JSON if none of it is sent.
pub fn blocks(content: &impl Content, index: usize, shown: Range<usize>) -> Vec<Block> {
    let parts = parts(content, index).skip(shown.start).take(shown.len());
    let found: Vec<_> = parts.map(|(at, part)| block(content, at, &part)).collect();
    if found.is_empty() { as_it_stands(content, index) } else { found }
}

/// A file's name without characters that are not seen or that turn others around.
pub fn file_name(name: &str) -> String {
    let is_hidden = |character: char| {
        character.is_control()
            || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    name.chars().filter(|character| !is_hidden(*character)).collect()
}

/// A file's name without its ending.
pub fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// Whether any block of message `index` is `wanted`.
pub fn any_block(content: &impl Content, index: usize, wanted: impl Fn(&Block) -> bool) -> bool {
    let mut parts = parts(content, index).peekable();
    if parts.peek().is_none() {
        return as_it_stands(content, index).iter().any(wanted);
    }
    parts.any(|(at, part)| wanted(&block(content, at, &part)))
}

/// The block of a message that is not sent.
fn as_it_stands(content: &impl Content, index: usize) -> Vec<Block> {
    vec![Block { label: "as it stands".to_owned(), text: raw(content, index).to_owned() }]
}

fn raw(content: &impl Content, index: usize) -> &str {
    content.source().get(content.span(index)).unwrap_or_default()
}

/// The blocks of the parts `shown` of message `index` after the plan is carried out. `planned` is what is planned for
/// each part; nothing for a part that an earlier compaction took out. `remains` is what stands for each part that is pruned, where
/// that is not the bare placeholder.
pub fn blocks_after(
    content: &impl Content,
    index: usize,
    shown: Range<usize>,
    planned: &[Option<PartPlan>],
    remains: &[Option<String>],
    policy: &Policy,
) -> Vec<Block> {
    let transcript = content.transcript();
    let cleared = |part: &Part, remains: &Option<String>| {
        let mut prune = policy.prune.clone();
        prune.placeholder = remains.clone().unwrap_or(prune.placeholder);
        let call = part.call.and_then(|call| transcript.call_id(call));
        let message = transcript.messages().get(index).copied();
        prune.cleared(&message.unwrap_or(Message::new(Role::Tool)), call)
    };
    let mut found = Vec::new();
    let parts = parts(content, index).zip(planned.iter().zip(remains)).skip(shown.start).take(shown.len());
    for ((at, part), (planned, remains)) in parts {
        let Some(planned) = planned else { continue };
        // An output that an earlier compaction pruned stands whole in the file.
        let was_pruned = planned.fate == Fate::AlreadyPruned
            && !matches!(part.output, Output::Pruned | Output::Placeholder | Output::FailedPlaceholder);
        let is_pruned = planned.fate == Fate::Pruned || planned.pruned_first || was_pruned;
        match part.kind {
            PartKind::ToolResult if is_pruned => {
                let text = match planned.preview {
                    Some(Preview { head, tail, most, media, .. }) => {
                        ebbline::binding::preview(&content.text_of(at), [head, tail, most, media], policy)
                    }
                    None => cleared(&part, remains),
                };
                found.push(Block { label: label(content, &part), text });
            }
            // Pruning an output also removes the parts inside it.
            _ if is_pruned => {}
            _ => found.push(block(content, at, &part)),
        }
    }
    if found.is_empty() && shown.start == 0 { as_it_stands(content, index) } else { found }
}

/// One line of at most `length` characters that shows what message `index` is about.
pub fn preview(content: &impl Content, index: usize, length: usize) -> String {
    let mut line = String::new();
    let mut parts = parts(content, index).peekable();
    if parts.peek().is_none() {
        add_words(&mut line, raw(content, index), length);
    }
    for (at, part) in parts {
        let fits = if part.kind == PartKind::ToolCall {
            let tool = tool(content, &part).unwrap_or("tool");
            add_words(&mut line, tool, length) && add_words(&mut line, &content.values_of(at), length)
        } else {
            add_words(&mut line, &block(content, at, &part).text, length)
        };
        if !fits {
            break;
        }
    }
    line
}

/// Adds the words of `text` to `line`, and returns whether all of them fitted.
fn add_words(line: &mut String, text: &str, length: usize) -> bool {
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if let Some((end, _)) = line.char_indices().nth(length) {
            line.truncate(end);
            line.push('…');
            return false;
        }
    }
    true
}

fn parts(content: &impl Content, index: usize) -> impl Iterator<Item = (usize, Part)> {
    let transcript = content.transcript();
    transcript.part_range(index).zip(transcript.parts_of(index).iter().copied())
}

fn block(content: &impl Content, at: usize, part: &Part) -> Block {
    let text = content.text_of(at);
    let text = if text.is_empty() { without_text(part) } else { text.into_owned() };
    Block { label: label(content, part), text }
}

fn tool<'c>(content: &'c impl Content, part: &Part) -> Option<&'c str> {
    part.tool.and_then(|tool| content.transcript().tool_name(tool)).filter(|tool| !tool.is_empty())
}

fn label(content: &impl Content, part: &Part) -> String {
    match (part.kind, tool(content, part)) {
        (PartKind::ToolCall, tool) => format!("call {}", tool.unwrap_or("tool")),
        (PartKind::ToolResult, Some(tool)) => format!("output of {tool}"),
        (PartKind::ToolResult, None) => "output".to_owned(),
        (kind, _) => kind.as_str().to_owned(),
    }
}

/// Describes a part without text.
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

#[cfg(test)]
mod tests {
    use ebbline::ReadOptions;

    use super::*;

    use crate::file::File;
    use crate::open_session::OpenSession;

    fn read(source: &str) -> OpenSession<File> {
        OpenSession::open(source.as_bytes().to_vec(), "session.json", &ReadOptions::default()).unwrap().0
    }

    fn shown(source: &str) -> Vec<String> {
        let session = read(source);
        let shown = |index| blocks(session.content(), index, 0..9).into_iter();
        (0..session.content().transcript().messages().len())
            .flat_map(shown)
            .map(|block| format!("{}: {}", block.label, block.text))
            .collect()
    }

    #[test]
    fn a_name_is_what_it_looks_like() {
        assert_eq!(file_name("ann\u{202e}nosj.exe\u{7}"), "annnosj.exe");
        assert_eq!(file_name("Übung 日本.jsonl"), "Übung 日本.jsonl");
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
        assert_eq!(preview(session.content(), 0, 40), "two words");
        assert_eq!(preview(session.content(), 0, 4), "two …");
        assert_eq!(preview(session.content(), 1, 40), "grep a b 3");
    }
}
