//! Cursor: the lines of an agent's transcript (`agent-transcripts/<id>.jsonl`).
//!
//! Seen in public files of 2026; the program is closed. The transcript has what was said and called, without ids and mostly without
//! outputs. Cursor keeps its chats in a database, and reads no transcript back.

use super::entry::{Description, FormatEntry};
use super::placement::SummaryPlacement;
use super::recorder::Recorder;
use super::shaped::{Answered, Block, Called, blocks_in, message_by, record, text_inside};
use super::signs::{Sign, has};
use super::slot::Shape;
use super::source::Source;
use super::store::{Place, Store};
use crate::error::Error;
use crate::json::{Text, Value};
use crate::rules::{Rules, Unanswered};
use crate::transcript::Message;

pub(super) const ENTRY: FormatEntry = FormatEntry {
    description: &Description::of("cursor", "Cursor"),
    // Most transcripts have no outputs.
    rules: Rules { unanswered: Unanswered::Anywhere, ..Rules::COMMON },
    store: &Store { places: &[Place::of("Cursor", ".cursor/projects", ".jsonl")], ..Store::NONE },
    ..FormatEntry::of(SIGNS, read)
};

const SIGNS: &[Sign] = &[Sign::log(79, |log| {
    let is_line = |line: Value<'_>| {
        line.text_of("role").is_some()
            && !has(line, &["content"])
            && !has(line, &["type"])
            && line.get("message").is_some_and(|message| has(message, &["content"]))
    };
    log.head().any(is_line).then(|| "lines of role and message.content".to_owned())
})];

/// Why no summary is written.
const IN_DATABASE: &str =
    "Cursor keeps its chats in a database and reads no transcript back, so a summary in this file would reach no model";

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    for line in source.values() {
        let content = line.get("message").and_then(|message| message.present("content"));
        let blocks = blocks_in(content, block);
        let begun = message_by(line.text_of("role"), &blocks);
        record(Message { active: content.is_some(), ..begun }, line.span(), &blocks, recorder);
    }
    Ok(SummaryPlacement::Refused(IN_DATABASE))
}

fn block(block: Value<'_>) -> Block<'_> {
    let any = |keys: [&str; 3]| keys.into_iter().find_map(|key| block.text_of(key));
    match block.text_of("type").map(Text::decode).as_deref() {
        Some("text") => Block::Text(block.text_of("text")),
        Some("thinking" | "reasoning") => Block::Thinking(any(["thinking", "text", "reasoning"]), None),
        Some("tool_use" | "tool-call") => Block::Call(Called {
            id: any(["id", "toolCallId", "tool_use_id"]),
            name: any(["name", "toolName", "tool"]),
            input: block.get("input").or_else(|| block.get("args")),
        }),
        Some("tool_result" | "tool-result") => Block::Result(Answered {
            id: any(["tool_use_id", "toolCallId", "id"]),
            name: any(["name", "toolName", "tool"]),
            holder: block,
            key: if block.get("result").is_some() { "result" } else { "content" },
            has_failed: block.get("is_error").is_some_and(Value::is_truthy),
            shape: Shape::Text,
            inside: text_inside,
        }),
        _ => Block::Other(block),
    }
}

#[cfg(test)]
mod tests {
    use crate::format::carried_out::{pruned, read};
    use crate::transcript::{Role, Turn};

    #[test]
    fn what_was_said_and_called_is_read() {
        let text = concat!(
            r#"{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nFix it.\n</user_query>"}]}}"#,
            "\n",
            r#"{"role":"assistant","message":{"content":[{"type":"text","text":"ok"},{"type":"tool_use","name":"Read","input":{"path":"a"}}]}}"#
        );
        let found = read(text);
        assert_eq!(found.format().name(), "cursor");
        let messages = found.transcript().messages();
        assert_eq!((messages[0].turn, messages[1].role, messages[1].ended), (Turn::Person, Role::Assistant, false));
        assert_eq!(pruned(text, true), text);
    }

    #[test]
    fn whatever_stands_there_is_read() {
        let odd = "{\"role\":\"user\",\"message\":{\"content\":7}}\n{\"role\":7}\n{\"role\":\"assistant\",\"message\":{\"content\":[7,{},{\"type\":\"tool_result\"}]}}";
        assert_eq!(read(odd).counts().messages, 3);
        pruned(odd, true);
    }
}
