//! Qwen Code: Claude Code's lines with Gemini contents in them (its `ChatRecord`).
//!
//! The tree is followed from the newest line to the root, because there one answer is one line. A compression records
//! the whole context that it leaves.

use crate::format::gemini_contents::{ACKNOWLEDGED, answer, parts_of, spoken};
use crate::format::media::{GEMINI, priced};
use crate::format::recorder::{Recorder, length_of_value};
use crate::format::slot::{Shape, Slot};
use crate::format::usage::Spelling;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Message, Part, PartKind};

/// Gemini's usage; its prompt tokens include those from the cache.
pub(super) const USAGE: Spelling = Spelling {
    total: "totalTokenCount",
    summands: &[&["promptTokenCount"], &["candidatesTokenCount"], &["thoughtsTokenCount"]],
};

/// The ids of the calls that a content makes or answers.
pub(super) fn calls<'d>(message: Value<'d>) -> impl Iterator<Item = Text<'d>> {
    let call = |part: Value<'d>| part.get("functionCall").or_else(|| part.get("functionResponse"));
    message.elements_of("parts").filter_map(move |part| call(part)?.text_of("id"))
}

/// Records the context that a compression left, as messages that are not the file's.
pub(super) fn read_compressed(line: Value<'_>, recorder: &mut Recorder) {
    let history = line.get("systemPayload").and_then(|payload| payload.get("compressedHistory"));
    for (index, content) in history.into_iter().flat_map(Value::elements).enumerate() {
        let parts = content.present("parts").map(parts_of).unwrap_or_default();
        let is_models = content.text_of("role").is_some_and(|role| role.is("model"));
        let message = match (index, is_models) {
            // The summary comes first, then the kept messages.
            (0, false) => Message::earlier_summary(),
            (_, false) => spoken(&parts),
            // The model's fixed answer to it is a part of it.
            (1, true) if is_said(&parts, ACKNOWLEDGED) => Message { summary: true, ..answer(&parts) },
            (_, true) => answer(&parts),
        };
        recorder.begin_unlisted(message, content.span());
        let kind = if index == 0 && message.summary { PartKind::Summary } else { PartKind::Text };
        read(content, kind, recorder);
    }
}

fn is_said(parts: &[Value<'_>], words: &str) -> bool {
    parts.first().and_then(|part| part.text_of("text")).is_some_and(|text| text.is(words))
}

/// Records the parts of a content; its texts have the kind `kind`.
pub(super) fn read(content: Value<'_>, kind: PartKind, recorder: &mut Recorder) {
    for part in content.elements_of("parts") {
        if let Some(call) = part.present("functionCall") {
            recorder.call(call.text_of("id"), call.text_of("name"), call.get("args"));
        } else if let Some(answer) = part.present("functionResponse") {
            read_result(answer, recorder);
        } else if let Some(data) = part.present("inlineData").or_else(|| part.present("fileData")) {
            recorder.media(media_kind(data), media_length(data), None);
        } else if let Some(text) = part.text_of("text") {
            let is_thought = part.get("thought").is_some_and(Value::is_truthy);
            recorder.text(if is_thought { PartKind::Thinking } else { kind }, Some(text));
        } else {
            recorder.value(PartKind::Other, Some(part));
        }
        recorder.sign(part.text_of("thoughtSignature"));
    }
}

fn read_result(answer: Value<'_>, recorder: &mut Recorder) {
    let response = answer.get("response");
    let text = |key: &str| response.and_then(|response| response.text_of(key));
    let said = text("output").or_else(|| text("error"));
    let length = said.map(Text::length).or_else(|| response.map(length_of_value)).unwrap_or_default();
    let output = recorder.output_of(text("output"), answer.text_of("id"), text("error").is_some());
    let part = Part { output, ..Part::new(PartKind::ToolResult, length) };
    let slot = Slot::of_member(answer, "response", Shape::Within(r#"{"output":"#, "}"));
    let call = recorder.result(answer.text_of("id"), answer.text_of("name"), part, Some(slot));
    recorder.set_places(said.map(Text::span).or_else(|| response.map(Value::span)));
    for part in answer.elements_of("parts") {
        if let Some(data) = part.present("inlineData").or_else(|| part.present("fileData")) {
            recorder.media(media_kind(data), media_length(data), call);
        }
    }
}

fn media_kind(data: Value<'_>) -> PartKind {
    let is_image = data.text_of("mimeType").is_some_and(|mime| mime.starts_with("image/"));
    if is_image { PartKind::Image } else { PartKind::File }
}

fn media_length(data: Value<'_>) -> Length {
    let held = data.get("data").or_else(|| data.get("fileUri"));
    priced(media_kind(data), held.map(length_of_value).unwrap_or_default(), held, data, GEMINI)
}

#[cfg(test)]
mod tests {
    use crate::format::carried_out::summarized;
    use crate::profiles;
    use crate::session_text::SessionText;
    use crate::transcript::{Output, PartKind};

    #[test]
    fn parts_of_a_content_are_told_apart() {
        let parts = concat!(
            r#"{"text":"a thought","thought":true},{"text":"a word","thoughtSignature":"sig"},"#,
            r#"{"functionCall":{"id":"c1","name":"look","args":{}}},{"inlineData":{"mimeType":"image/png","data":"AA"}},"#,
            r#"{"functionResponse":{"id":"c1","response":{"output":"found"}}},{"functionResponse":{"response":{"error":"no"}}},"#,
            r#"{"functionResponse":{"response":{"rows":[1, 2]}}},{"executableCode":{}},7"#
        );
        let line = r#"{"uuid":"u","parentUuid":null,"sessionId":"s","type":"assistant","message":{"parts":["#;
        let session = SessionText::read(format!("{line}{parts}]}}}}\n{{\"x\":1}}")).unwrap();
        let found: Vec<_> = session
            .transcript()
            .parts_of(0)
            .iter()
            .map(|part| (part.kind, part.output, part.length.utf16, part.signed))
            .collect();
        let ordinary = |kind, length| (kind, Output::Ordinary, length, false);
        assert_eq!(
            found,
            [
                ordinary(PartKind::Thinking, 9),
                (PartKind::Text, Output::Ordinary, 6, true),
                ordinary(PartKind::ToolCall, 2),
                ordinary(PartKind::Image, 2),
                ordinary(PartKind::ToolResult, 5),
                (PartKind::ToolResult, Output::Error, 2, false),
                ordinary(PartKind::ToolResult, 14),
                ordinary(PartKind::Other, 21),
                ordinary(PartKind::Other, 1),
            ]
        );
    }

    #[test]
    fn a_summary_is_a_record_of_the_context_that_is_left() {
        let line = |index: usize, parent: &str, kind: &str, role: &str, parts: &str| {
            format!(
                r#"{{"uuid":"u{index}","parentUuid":{parent},"sessionId":"s","timestamp":"2026-09-12T08:00:0{index}.000Z","type":"{kind}","cwd":"/w","version":"0.15.10","message":{{"role":"{role}","parts":[{parts}]}}}}"#
            )
        };
        let long = format!(r#"{{"text":"{}"}}"#, "word ".repeat(80));
        let result = r#"{"functionResponse":{"id":"c","name":"look","response":{"output":"found"}}}"#;
        let lines = [
            line(0, "null", "user", "user", &long),
            line(1, r#""u0""#, "assistant", "model", &long),
            line(2, r#""u1""#, "user", "user", &long),
            line(3, r#""u2""#, "assistant", "model", r#"{"functionCall":{"id":"c","name":"look","args":{}}}"#),
            line(4, r#""u3""#, "tool_result", "user", result),
        ];
        let text = lines.join("\n") + "\n";
        let written = summarized(&text, 100, "So far.");
        let record = written.strip_prefix(&text).unwrap();
        assert!(record.contains(r#""parentUuid":"u4","cwd":"/w","sessionId":"s","version":"0.15.10","timestamp":"2026-09-12T08:00:04.001Z","type":"system","subtype":"chat_compression""#), "{record}");
        assert!(record.contains(r#""compressedHistory":[{"role":"user","parts":[{"text":"<state_snapshot>\nSo far."#), "{record}");
        assert!(record.contains(&format!("{result}]}}]}}}}\n")), "{record}");
        let again = SessionText::read(&written).unwrap();
        let size = again.plan(&profiles::get("ebbline@1").unwrap()).decision.tokens_before;
        assert!(record.contains(&format!(r#""newTokenCount":{size},"#)), "{size}: {record}");
        let sent = again.transcript().messages().iter().filter(|message| message.active);
        assert!(sent.clone().next().is_some_and(|message| message.summary), "{written}");
        // The summary, the answer to it, and what was kept; summarized again, contents of the record are kept.
        assert_eq!(sent.count(), 6, "{written}");
        let twice = summarized(&written, 20, "Further.");
        assert!(twice.ends_with(&format!("{result}]}}]}}}}\n")) && twice.contains("Further."), "{twice}");
    }
}
