//! Claude Code session files (formats.md, section 7): a log of lines, or the web's export of one.
//!
//! A line is a message of the transcript, though several lines may hold one answer of the model. Forks that write the
//! same lines are read the same way.

mod attachment;
mod context;
mod log;
mod write;

use super::anthropic;
use super::marker::MarkerKind;
use super::places::PieceKind;
use super::recorder::{Recorder, Shape, Slot, length_of_value};
use super::source::Source;
use super::summary::Ending;
use super::usage;
use crate::error::Error;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::prune::PLACEHOLDER;
use crate::transcript::{Message, Output, Part, PartKind, Role};
use context::Context;
use log::{Kind, Line, Log};

pub(super) use write::summarise;

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<Ending, Error> {
    let log = Log::of(source);
    let context = Context::of(&log);
    let mut place = vec![None; log.lines.len()];
    for (index, line) in log.iter() {
        mark(index, line, &context, recorder);
        let next = recorder.transcript.messages().len();
        if read_line(index, line, &context, recorder)
            && let Some(place) = place.get_mut(index)
        {
            *place = Some(next);
        }
    }
    let order: Vec<usize> =
        context.order.iter().filter_map(|index| place.get(*index).copied().flatten()).collect();
    recorder.reorder(&order);
    Ok(Ending::ClaudeCode)
}

/// Marks what the agent has done to the session.
fn mark(index: usize, line: &Line<'_>, context: &Context<'_>, recorder: &mut Recorder) {
    let span = line.value.span();
    match line.kind {
        Kind::Boundary => {
            recorder.mark(MarkerKind::Compaction, "compact_boundary", span);
            let record = line.value.get("compactMetadata");
            recorder.figures(figure(record, "preTokens"), None, None);
        }
        Kind::Clearing => {
            recorder.mark(MarkerKind::Prune, "microcompact_boundary", span);
            let record = line.value.get("microcompactMetadata");
            let outputs = record.map(|record| record.elements_of("compactedToolIds").count());
            recorder.figures(figure(record, "preTokens"), figure(record, "tokensSaved"), outputs);
        }
        Kind::Summary => recorder.mark(MarkerKind::Summary, "isCompactSummary", span),
        _ if context.retries.binary_search(&index).is_ok() => {
            recorder.mark(MarkerKind::Rewind, "rewind", span);
        }
        _ => {}
    }
}

fn figure(record: Option<Value<'_>>, key: &str) -> Option<u32> {
    record?.get(key)?.number().map(|figure| figure as u32)
}

/// Records what a line says; whether it makes a message of the transcript.
fn read_line(index: usize, line: &Line<'_>, context: &Context<'_>, recorder: &mut Recorder) -> bool {
    let active = context.sent.contains(&index);
    let user = Message { active, ..Message::new(Role::User) };
    let message = match line.kind {
        Kind::Prompt if !line.aside => Message { active, ..Message::person() },
        Kind::Prompt | Kind::Meta | Kind::Echo => user,
        Kind::Results if is_only_results(line) => Message { role: Role::Tool, ..user },
        Kind::Results => user,
        Kind::Summary => Message { active, ..Message::earlier_summary() },
        Kind::Answer => answer(index, line, context),
        Kind::LocalError => Message { role: Role::Assistant, ..user },
        Kind::Aside => return active && attachment::read(line.value, recorder),
        Kind::Boundary | Kind::Clearing | Kind::Other => return false,
    };
    recorder.begin(message, line.value.span());
    match line.kind {
        Kind::Summary => read_texts(line.content(), PartKind::Summary, recorder),
        Kind::Echo => read_echo(line.content(), recorder),
        // An error of the agent's own is part of the log, but nothing of it is sent.
        Kind::LocalError => {}
        _ => read_content(line, context, recorder),
    }
    true
}

fn is_only_results(line: &Line<'_>) -> bool {
    let mut blocks = line.content().into_iter().flat_map(Value::elements);
    blocks.all(|block| is_type(block, "tool_result"))
}

fn is_type(block: Value<'_>, name: &str) -> bool {
    block.text_of("type").is_some_and(|kind| kind.is(name))
}

/// A line of an answer. Every line repeats the usage of the whole answer: the last has it as it was in the end.
fn answer(index: usize, line: &Line<'_>, context: &Context<'_>) -> Message {
    let message = line.value.get("message");
    let blocks = || line.content().into_iter().flat_map(Value::elements);
    let is_last = context.endings.contains(&index);
    let says = blocks().any(|block| block.text_of("text").is_some_and(|text| !text.is_blank()));
    let stopped = message.is_some_and(|message| message.present("stop_reason").is_some());
    let reported = message.and_then(|message| usage::total(message.get("usage"), &usage::ANTHROPIC));
    Message {
        active: context.sent.contains(&index),
        continues: context.continuing.contains(&index),
        ended: is_last && (stopped || says && line.calls.is_empty()),
        usage: reported.filter(|_| is_last && index >= context.usage_from),
        ..Message::new(Role::Assistant)
    }
}

fn read_content(line: &Line<'_>, context: &Context<'_>, recorder: &mut Recorder) {
    let Some(content) = line.content() else { return };
    if let Some(text) = content.text() {
        return recorder.text(PartKind::Text, Some(text));
    }
    let results = content.elements().filter(|block| is_type(*block, "tool_result")).count();
    for block in content.elements() {
        if is_type(block, "tool_result") {
            // The richer copy is that of one result.
            read_result(block, Some(line.value).filter(|_| results == 1), context, recorder);
        } else {
            anthropic::read_block(block, recorder);
        }
    }
}

/// A tool result. `line` is what holds a copy of it that is not sent.
fn read_result(block: Value<'_>, line: Option<Value<'_>>, context: &Context<'_>, recorder: &mut Recorder) {
    let id = block.text_of("tool_use_id");
    let slot = Slot::of_member(block, "content", Shape::Text);
    let copy = line.filter(|line| line.present("toolUseResult").is_some());
    let copy = copy.map(|line| Slot::of_member(line, "toolUseResult", Shape::Text));
    let is_cleared = id.is_some_and(|id| context.cleared.contains(&id.decode()));
    if is_cleared {
        let cleared = Part::new(PartKind::ToolResult, Length::of(PLACEHOLDER));
        recorder.result(id, None, Part { output: Output::Pruned, ..cleared }, None);
        // The file still holds the text that is not sent any more.
        recorder.copy(slot);
        copy.into_iter().for_each(|copy| recorder.copy(copy));
        return;
    }
    // Some forks keep an object where Claude Code has a text or blocks.
    let object = block.get("content").filter(|content| content.is_object());
    let part = anthropic::result_part(block, recorder);
    let part = Part { length: object.map_or(part.length, length_of_value), ..part };
    let call = recorder.result(id, None, part, Some(slot));
    copy.into_iter().for_each(|copy| recorder.copy(copy));
    recorder.stands_in(block.get("content"));
    recorder.stands_at(object.map(Value::span));
    anthropic::read_enclosures(block, call, recorder);
}

fn read_texts(content: Option<Value<'_>>, kind: PartKind, recorder: &mut Recorder) {
    let blocks = content.into_iter().flat_map(Value::elements).filter_map(|block| block.text_of("text"));
    for text in content.and_then(Value::text).into_iter().chain(blocks) {
        recorder.text(kind, Some(text));
    }
}

/// A command that the user ran, or what it printed.
fn read_echo(content: Option<Value<'_>>, recorder: &mut Recorder) {
    let blocks = content.into_iter().flat_map(Value::elements).filter_map(|block| block.text_of("text"));
    for text in content.and_then(Value::text).into_iter().chain(blocks) {
        recorder.text(PartKind::Text, Some(text));
        recorder.is_a(piece_of(text));
    }
}

fn piece_of(text: Text<'_>) -> PieceKind {
    let printed = ["<local-command-stdout", "<local-command-stderr", "<bash-stdout", "<bash-stderr"];
    if printed.iter().any(|mark| text.starts_with(mark)) { PieceKind::Printed } else { PieceKind::Command }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use crate::session::{ReadOptions, Session};
    use crate::{Format, Output};

    /// A log from a drawing: a line each, as `id<parent kind details`. An `*` behind the parent makes a sidechain.
    fn log(drawing: &str) -> Session {
        let mut text = String::new();
        for line in drawing.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (place, said) = line.split_once(' ').unwrap();
            let (id, parent) = place.split_once('<').unwrap();
            let (parent, side) = parent.strip_suffix('*').map_or((parent, false), |parent| (parent, true));
            let parent = if parent.is_empty() { "null".to_owned() } else { format!("{parent:?}") };
            let (kind, rest) = said.split_once(' ').unwrap_or((said, ""));
            let words: Vec<&str> = rest.split(' ').collect();
            let blocks = |block: &dyn Fn(&str) -> String| {
                words.iter().skip(1).map(|word| block(word)).collect::<Vec<_>>().join(",")
            };
            let said = match kind {
                "prompt" => format!(r#""type":"user","message":{{"content":{rest:?}}}"#),
                "meta" => format!(r#""type":"user","isMeta":true,"message":{{"content":{rest:?}}}"#),
                "summary" => format!(r#""type":"user","isCompactSummary":true,"message":{{"content":{rest:?}}}"#),
                "says" => format!(
                    r#""type":"assistant","message":{{"id":"{}","usage":{{"input_tokens":{}}},"content":[{{"type":"text","text":"hm"}}]}}"#,
                    words[0], words[1]
                ),
                "calls" => format!(
                    r#""type":"assistant","message":{{"id":"{}","usage":{{"input_tokens":7}},"content":[{}]}}"#,
                    words[0],
                    blocks(&|id| format!(r#"{{"type":"tool_use","id":"{id}","name":"t","input":{{}}}}"#))
                ),
                "results" => format!(
                    r#""type":"user","message":{{"content":[{}]}},"toolUseResult":"{}""#,
                    blocks(&|id| format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"some text"}}"#)),
                    words[0]
                ),
                "error" => r#""type":"assistant","isApiErrorMessage":true,"message":{"model":"<synthetic>","content":[{"type":"text","text":"overloaded"}]}"#.to_owned(),
                _ => rest.to_owned(),
            };
            writeln!(text, r#"{{"uuid":"{id}","parentUuid":{parent},"isSidechain":{side},{said}}}"#).unwrap();
        }
        Session::read(&text, &ReadOptions { format: Some(Format::ClaudeCode), ..ReadOptions::default() })
            .unwrap()
    }

    /// The active lines by the order of their ids: `a` is the first line, and `+` says that a line continues.
    fn sent(session: &Session) -> String {
        let mut starts: Vec<_> = session.spans.iter().map(|span| span.start).collect();
        starts.sort_unstable();
        let messages = session.transcript.messages().iter().enumerate().filter(|(_, message)| message.active);
        let names = messages.map(|(index, message)| {
            let place = starts.binary_search(&session.span(index).start).unwrap();
            let name = char::from(b'a' + u8::try_from(place).unwrap());
            if message.continues { format!("+{name}") } else { name.to_string() }
        });
        names.collect()
    }

    #[test]
    fn what_is_sent_and_in_which_order() {
        let boundary = r#""type":"system","subtype":"compact_boundary","compactMetadata""#;
        let cases = [
            (
                "parallel calls hang on each other, and the next line on the result written last",
                "a< prompt go\nb<a calls m1 t1\nc<b calls m1 t2\nd<c results - t2\ne<b results - t1\nf<d says m2 9",
                "ab+cdef",
            ),
            (
                "a call that was streamed stands behind a result, and is sent before it",
                "a< prompt go\nb<a calls m1 t1\nc<b results - t1\nd<b calls m1 t2\ne<d results - t2",
                "ab+dce",
            ),
            (
                "a result behind a prompt belongs to its call",
                "a< prompt go\nb<a calls m1 t1\nc<b prompt stop\nd<b results - t1",
                "abdc",
            ),
            (
                "a prompt ends an answer",
                "a< prompt go\nb<a says m1 9\nc<b prompt more\nd<c says m1 9",
                "abcd",
            ),
            (
                "a sub-agent in the same file",
                "a< prompt go\nb<a calls m1 t1\nc<* prompt look\nd<c* says m2 9\ne<b results - t1",
                "abe",
            ),
            ("the file of a sub-agent", "a<* prompt look\nb<a* says m1 9", "ab"),
            (
                "a prompt that was taken back, with all that followed it",
                "a< prompt go\nb<a says m1 9\nc<b prompt one\nd<c says m2 9\ne<b prompt two\nf<e says m3 9",
                "abef",
            ),
            (
                "the first prompt, taken back",
                "a< prompt go\nb<a says m1 9\nc< prompt went\nd<c says m2 9",
                "cd",
            ),
            (
                "the session goes on from the earlier of two prompts",
                "a< prompt go\nb<a prompt one\nc<a prompt two\nd<b says m1 9",
                "abd",
            ),
            ("a line that is there twice", "a< prompt go\nb<a says m1 9\nb<a says m1 9", "ac"),
            ("lines without any links", "a< prompt go\nb< says m1 9\nc< prompt more", "abc"),
            ("parents that are not in the file", "a<x prompt go\nb<y prompt more\nc<x prompt again", "abc"),
            (
                "notes of the agent are no prompts",
                "a< prompt go\nb<a meta one\nc<a prompt [Request interrupted by user]\nd<a prompt more",
                "abcd",
            ),
            (
                "progress is a link of the chain",
                "a< prompt go\np<a - \"type\":\"progress\"\nb<p prompt one\nc<p prompt two",
                "ac",
            ),
        ];
        for (what, drawing, expected) in cases {
            assert_eq!(sent(&log(drawing)), expected, "{what}");
        }
        let head = "a< prompt go\nb<a calls m1 t1\nc<b results - t1\nd<c says m2 9";
        let compacted = [
            ("nothing kept", "", "efg"),
            ("a list", r#","preservedMessages":{"anchorUuid":"e","uuids":["b","c","d"]}"#, "ebcdfg"),
            (
                "a list in front of the summary",
                r#","preservedMessages":{"anchorUuid":"x","uuids":["d"]}"#,
                "defg",
            ),
            (
                "a list that names a line twice",
                r#","preservedMessages":{"anchorUuid":"e","uuids":["d","d"]}"#,
                "edfg",
            ),
            ("a list with a gap", r#","preservedMessages":{"anchorUuid":"e","uuids":["d","?"]}"#, "efg"),
            ("an empty list", r#","preservedMessages":{"anchorUuid":"e"}"#, "efg"),
            (
                "a segment",
                r#","preservedSegment":{"headUuid":"b","anchorUuid":"e","tailUuid":"d"}"#,
                "ebcdfg",
            ),
            (
                "a segment whose head is not before its tail",
                r#","preservedSegment":{"headUuid":"d","anchorUuid":"e","tailUuid":"b"}"#,
                "efg",
            ),
        ];
        for (what, kept, expected) in compacted {
            let drawing = format!(
                "{head}\nx< - {boundary}:{{\"preTokens\":9{kept}}}\ne<x summary so far\nf<e prompt more\ng<f says m3 9"
            );
            let session = log(&drawing);
            assert_eq!(sent(&session), expected, "{what}");
            let usage =
                session.transcript.messages().iter().filter(|message| message.usage.is_some()).count();
            assert_eq!(usage, 1, "{what}: what was reported before the compaction is forgotten");
        }
    }

    #[test]
    fn usage_is_that_of_the_last_line_of_an_answer() {
        let session =
            log("a< prompt go\nb<a says m1 1\nc<b says m1 2\nd<c prompt more\ne<d says m2 3\nf<e error");
        let usage: Vec<_> = session.transcript.messages().iter().map(|message| message.usage).collect();
        assert_eq!(usage, [None, None, Some(2), None, Some(3), None]);
        assert!(session.transcript.parts_of(5).is_empty(), "a local error is not sent");
    }

    #[test]
    fn what_the_agent_cleared_is_pruned_and_outdates_the_usage() {
        let clearing = r#""type":"system","subtype":"microcompact_boundary","microcompactMetadata""#;
        let session = log(&format!(
            "a< prompt go\nb<a calls m1 t1 t2\nc<b results - t1\nd<b results - t2\n\
             x<d - {clearing}:{{\"tokensSaved\":5,\"compactedToolIds\":[\"t0\",\"t1\",3]}}\ne<x prompt more\nf<e says m2 9"
        ));
        let outputs: Vec<_> = [2, 3].map(|index| session.transcript.parts_of(index)[0].output).into();
        assert_eq!(outputs, [Output::Pruned, Output::Ordinary]);
        let usage: Vec<_> = session.transcript.messages().iter().map(|message| message.usage).collect();
        assert_eq!(usage, [None, None, None, None, None, Some(9)]);
        let marker = &session.markers()[0];
        assert_eq!(
            (marker.name, marker.tokens_saved, marker.outputs),
            ("microcompact_boundary", Some(5), Some(3))
        );
    }

    #[test]
    fn lines_that_are_not_as_expected_are_read_as_far_as_they_go() {
        for text in [
            r#"{"type":"user"}"#,
            r#"{"type":"assistant","message":[1]}"#,
            r#"{"type":"user","uuid":"a","parentUuid":"a","message":{"content":[null,{"type":"tool_result"}]}}"#,
            r#"{"type":"system","subtype":"compact_boundary","compactMetadata":{"preservedSegment":[]}}"#,
            r#"{"type":"system","subtype":"microcompact_boundary","microcompactMetadata":null}"#,
            r#"{"type":"attachment","attachment":{"type":"file","content":[{"file":{"content":"x"}}]}}"#,
            r#"{"loglines":7}"#,
            "[]",
            "null",
            "7",
        ] {
            let options = ReadOptions { format: Some(Format::ClaudeCode), ..ReadOptions::default() };
            let session = Session::read(text, &options).unwrap();
            assert!(session.transcript.messages().len() < 2, "{text}");
        }
    }
}
