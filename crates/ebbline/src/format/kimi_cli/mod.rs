//! Kimi CLI: the lines of a `context.jsonl`.
//!
//! Shapes by `kimi_cli/soul/context.py` of `PyPI` `kimi-cli` 1.52 and `kosong/message.py`. Lines whose role begins with `_` are
//! Kimi's own. A compaction empties the file, and writes one message of the user in front of those that stay.

use super::entry::{Description, FormatEntry};
use super::marker::MarkerKind;
use super::placement::{OldMessages, SummaryPlacement, SummaryRecord};
use super::recorder::Recorder;
use super::shaped::{Answered, Block, Called, blocks_in, message_by, record, text_inside};
use super::signs::{Sign, is};
use super::slot::Shape;
use super::source::Source;
use super::store::{Place, Store};
use super::summary::{Summary, join};
use super::usage::ReportedInput;
use crate::edit::Edit;
use crate::error::Error;
use crate::json::{Text, Value, quote};
use crate::transcript::{Message, PartKind, Role};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    description: &Description {
        reported_input: Some(ReportedInput::IncludesCache),
        ..Description::of("kimi_cli", "Kimi CLI")
    },
    store: &Store {
        places: &[Place::of("Kimi CLI", ".kimi/sessions", "context.jsonl")],
        moved: &[("KIMI_SHARE_DIR", ".kimi")],
        ..Store::NONE
    },
    ..FormatEntry::of(SIGNS, read)
};

const SIGNS: &[Sign] = &[Sign::log(61, |log| {
    let is_own = |line: Value<'_>| {
        OWN.iter().any(|role| is(line, "role", role)) || is_compacted(&blocks_in(line.get("content"), block))
    };
    log.head().any(is_own).then(|| "lines with the roles _system_prompt, _checkpoint and _usage".to_owned())
})];

const OWN: [&str; 3] = ["_system_prompt", "_checkpoint", "_usage"];

/// The first block of the message that Kimi writes when it compacts.
const COMPACTED: &str =
    "<system>Previous context has been compacted. Here is the compaction output:</system>";

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let (mut is_behind_answer, mut has_spoken) = (false, false);
    for line in source.list() {
        let role = line.text_of("role").map(Text::decode).unwrap_or_default();
        if role == "_usage" {
            // Behind an answer it is the total of the request and the answer; elsewhere it is an estimate.
            let total = line.get("token_count").and_then(Value::number).filter(|total| *total > 0.0);
            recorder.transcript.report_usage(total.filter(|_| is_behind_answer).map(|total| total as u32));
        }
        is_behind_answer = role == "assistant";
        if role == "_usage" || role == "_checkpoint" {
            recorder.begin(Message { active: false, ..Message::new(Role::Other) }, line.span());
            continue;
        }
        let blocks = blocks_of(line);
        let begun = match role.as_ref() {
            "user" if !has_spoken && is_compacted(&blocks) => {
                recorder.mark(MarkerKind::Compaction, "compaction output", line.span());
                Message::earlier_summary()
            }
            "_system_prompt" => Message::new(Role::System),
            _ => message_by(line.text_of("role"), &blocks),
        };
        has_spoken |= begun.role != Role::System;
        record(begun, line.span(), &blocks, recorder);
        if let [_, Block::Text(text), ..] = blocks.as_slice()
            && begun.summary
        {
            recorder.check_summary(*text);
        }
    }
    Ok(SummaryPlacement::Record(&RECORDED))
}

fn is_compacted(blocks: &[Block<'_>]) -> bool {
    matches!(blocks, [Block::Text(Some(first)), _, ..] if first.is(COMPACTED))
}

fn blocks_of(line: Value<'_>) -> Vec<Block<'_>> {
    if is(line, "role", "tool") {
        let answered = Answered {
            id: line.text_of("tool_call_id"),
            name: line.text_of("name"),
            holder: line,
            key: "content",
            // Kimi says so in words of its own.
            has_failed: first_text(line).is_some_and(|text| text.starts_with("<system>ERROR")),
            shape: Shape::Text,
            inside: text_inside,
        };
        return vec![Block::Result(answered)];
    }
    let calls = line.elements_of("tool_calls").map(|call| {
        let function = call.get("function");
        Block::Call(Called {
            id: call.text_of("id"),
            name: function.and_then(|function| function.text_of("name")),
            input: function.and_then(|function| function.get("arguments")),
        })
    });
    blocks_in(line.present("content"), block).into_iter().chain(calls).collect()
}

fn first_text(line: Value<'_>) -> Option<Text<'_>> {
    line.text_of("content").or_else(|| line.elements_of("content").find_map(|block| block.text_of("text")))
}

fn block(block: Value<'_>) -> Block<'_> {
    let url = |key| block.get(key).and_then(|media| media.get("url"));
    match block.text_of("type").map(Text::decode).as_deref() {
        Some("text") => Block::Text(block.text_of("text")),
        Some("think") => Block::Thinking(block.text_of("think"), block.text_of("encrypted")),
        Some("image_url") => Block::Media(PartKind::Image, url("image_url"), block),
        Some("audio_url") => Block::Media(PartKind::File, url("audio_url"), block),
        Some("video_url") => Block::Media(PartKind::File, url("video_url"), block),
        _ => Block::Other(block),
    }
}

static RECORDED: SummaryRecord = SummaryRecord { write: summarize, old: OldMessages::Leave };

/// The message that Kimi writes, in place of what it replaces. The recorded counts of tokens become 0: Kimi would take the last of
/// them for the size of what is left.
fn summarize(summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    let source = Source::parse(summary.source)?;
    let removed = summary.removed();
    let is_count = |line: &Value<'_>| is(*line, "role", "_usage") && !removed.contains(&line.span());
    let counts = source.values().filter(is_count).filter_map(|line| line.get("token_count"));
    let message = format!(
        r#"{{"role":"user","content":[{{"type":"text","text":{}}},{{"type":"text","text":{}}}]}}"#,
        quote(COMPACTED),
        quote(&summary.marked()),
    );
    let mut edits = summary.replace_messages(&message);
    edits.extend(counts.map(|count| Edit::new(count.span(), "0")));
    Ok(join(edits))
}

#[cfg(test)]
mod tests {
    use crate::format::carried_out::{pruned, read, summarized};
    use crate::transcript::{Output, PartKind, Role};

    const LINES: &str = concat!(
        r#"{"role":"_system_prompt","content":"You are Kimi."}"#,
        "\n",
        r#"{"role":"_checkpoint","id":0}"#,
        "\n",
        r#"{"role":"user","content":"Fix it."}"#,
        "\n",
        r#"{"role":"_usage","token_count":40}"#,
        "\n",
        r#"{"role":"assistant","content":[{"type":"think","think":"Hm.","encrypted":"e"}],"tool_calls":[{"type":"function","id":"c","function":{"name":"Shell","arguments":"{}"}}]}"#,
        "\n",
        r#"{"role":"_usage","token_count":90}"#,
        "\n",
        r#"{"role":"tool","content":[{"type":"text","text":"<system>ERROR: no</system>"},{"type":"text","text":"out"}],"tool_call_id":"c"}"#,
        "\n",
        r#"{"role":"assistant","content":"Done."}"#,
        "\n",
    );

    #[test]
    fn kimis_own_lines_are_not_sent() {
        let session = read(LINES);
        let messages = session.transcript().messages();
        let roles: Vec<_> = messages.iter().map(|message| message.role).collect();
        assert_eq!(
            roles,
            [
                Role::System,
                Role::Other,
                Role::User,
                Role::Other,
                Role::Assistant,
                Role::Other,
                Role::Tool,
                Role::Assistant
            ]
        );
        assert_eq!(messages.iter().filter(|message| message.active).count(), 5);
        assert_eq!((messages[2].usage, messages[4].usage, messages[7].usage), (None, Some(90), None));
        let part = session.transcript().parts_of(6)[0];
        assert_eq!((part.output, part.length.utf16), (Output::Error, 29));
        assert!(session.transcript().parts_of(4)[0].signed);
        assert_eq!(session.transcript().parts_of(4)[1].kind, PartKind::ToolCall);
    }

    #[test]
    fn an_output_gives_way_in_its_line() {
        let long = LINES.replace("out\"", &format!("{}\"", "out ".repeat(100)));
        let written = pruned(&long, true);
        assert!(
            written.contains(
                r#"{"role":"tool","content":"[Old tool result content cleared]","tool_call_id":"c"}"#
            ),
            "{written}"
        );
    }

    #[test]
    fn a_summary_is_kimis_message_and_no_count_stays() {
        let turn = format!(
            "{{\"role\":\"user\",\"content\":\"{0}\"}}\n{{\"role\":\"assistant\",\"content\":\"{0}\"}}\n{{\"role\":\"_usage\",\"token_count\":9000}}\n",
            "word ".repeat(80)
        );
        let text = format!("{}\n{}", LINES.lines().next().unwrap(), turn.repeat(4));
        let written = summarized(&text, 200, "So far.");
        assert!(!written.contains("9000") && written.contains(super::COMPACTED), "{written}");
        let found = read(&written);
        assert_eq!(found.format().name(), "kimi_cli");
        assert!(found.transcript().messages()[1].summary, "{written}");
        assert_eq!(found.transcript().messages()[0].role, Role::System);
    }

    #[test]
    fn whatever_stands_there_is_read() {
        let odd = "{\"role\":\"_usage\",\"token_count\":\"x\"}\n{\"role\":7}\n{\"role\":\"tool\"}\n{\"role\":\"assistant\",\"content\":[7,{}],\"tool_calls\":[7,{}]}\n{\"role\":\"user\",\"content\":{}}\n";
        assert_eq!(read(odd).counts().messages, 5);
        pruned(odd, true);
    }
}
