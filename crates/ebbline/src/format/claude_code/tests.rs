//! What is sent of a log, given as a sketch.

use std::fmt::Write as _;

use crate::Format;
use crate::session_text::{ReadOptions, SessionText};
use crate::transcript::Output;

/// A log from a sketch: one word per line, as `id<parent kind details`. An `*` after the parent makes a sidechain.
fn log(drawing: &str) -> SessionText<'static> {
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
    SessionText::read_with(text, &ReadOptions { format: Some(Format::ClaudeCode), ..ReadOptions::default() })
        .unwrap()
}

/// The active lines by the order of their ids: `a` is the first line, and `+` means that a line continues an answer.
fn sent(session: &SessionText) -> String {
    let mut starts: Vec<_> = session.reading.spans.iter().map(|span| span.start).collect();
    starts.sort_unstable();
    let messages = session.transcript().messages().iter().enumerate().filter(|(_, message)| message.active);
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
        ("a prompt ends an answer", "a< prompt go\nb<a says m1 9\nc<b prompt more\nd<c says m1 9", "abcd"),
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
        ("the first prompt, taken back", "a< prompt go\nb<a says m1 9\nc< prompt went\nd<c says m2 9", "cd"),
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
        ("a segment", r#","preservedSegment":{"headUuid":"b","anchorUuid":"e","tailUuid":"d"}"#, "ebcdfg"),
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
        let usage = session.transcript().messages().iter().filter(|message| message.usage.is_some()).count();
        assert_eq!(usage, 1, "{what}: what was reported before the compaction is forgotten");
    }
}

#[test]
fn usage_is_that_of_the_last_line_of_an_answer() {
    let session =
        log("a< prompt go\nb<a says m1 1\nc<b says m1 2\nd<c prompt more\ne<d says m2 3\nf<e error");
    let usage: Vec<_> = session.transcript().messages().iter().map(|message| message.usage).collect();
    assert_eq!(usage, [None, None, Some(2), None, Some(3), None]);
    assert!(session.transcript().parts_of(5).is_empty(), "a local error is not sent");
}

#[test]
fn what_the_agent_cleared_is_pruned_and_outdates_the_usage() {
    let clearing = r#""type":"system","subtype":"microcompact_boundary","microcompactMetadata""#;
    let session = log(&format!(
        "a< prompt go\nb<a calls m1 t1 t2\nc<b results - t1\nd<b results - t2\n\
         x<d - {clearing}:{{\"tokensSaved\":5,\"compactedToolIds\":[\"t0\",\"t1\",3]}}\ne<x prompt more\nf<e says m2 9"
    ));
    let outputs: Vec<_> = [2, 3].map(|index| session.transcript().parts_of(index)[0].output).into();
    assert_eq!(outputs, [Output::Pruned, Output::Ordinary]);
    let usage: Vec<_> = session.transcript().messages().iter().map(|message| message.usage).collect();
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
        let session = SessionText::read_with(text, &options).unwrap();
        assert!(session.transcript().messages().len() < 2, "{text}");
    }
}
