//! pydantic-ai messages: TunaCode's storage until 0.1, and lists of them.
//!
//! Structures from `ModelMessagesTypeAdapter` of pydantic-ai 1.39 (`pydantic_ai_slim/pydantic_ai/messages.py`).

mod entry;
mod summary;

pub(super) use entry::{ENTRY, PARTS, REQUEST, is_pydantic};

use std::num::NonZeroU32;

use super::marker::MarkerKind;
use super::media::{ANY, priced};
use super::placement::SummaryPlacement;
use super::recorder::{Recorder, length_of_value};
use super::slot::{Shape, Slot};
use super::source::Source;
use super::usage;
use crate::error::Error;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::notation::python;
use crate::transcript::{Message, Output, Part, PartKind, Role, Turn};

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let messages = source.list();
    // Only the newest instructions are sent.
    if let Some(instructions) = messages.iter().rev().find_map(|message| message.text_of("instructions")) {
        recorder.begin_unlisted(Message::new(Role::System), instructions.span());
        recorder.text(PartKind::Text, Some(instructions));
    }
    for message in messages {
        read_message(message, recorder);
    }
    Ok(SummaryPlacement::List(&summary::LISTED))
}

pub(super) fn read_message(message: Value<'_>, recorder: &mut Recorder) {
    let has = |name: &str| {
        message.elements_of("parts").any(|part| part.text_of("part_kind").is_some_and(|kind| kind.is(name)))
    };
    let is_response = message.text_of("kind").is_some_and(|kind| kind.is("response"));
    let turn = if has("user-prompt") { Turn::Person } else { Turn::No };
    let (role, ended) = if is_response {
        (Role::Assistant, message.present("finish_reason").is_some() || (has("text") && !has("tool-call")))
    } else if has("system-prompt") {
        // The system prompt is part of the first request; a message that contains it is never summarized.
        (Role::System, false)
    } else if turn != Turn::No || !(has("tool-return") || has("retry-prompt")) {
        (Role::User, false)
    } else {
        (Role::Tool, false)
    };
    let usage = usage::total(message.get("usage"), &usage::PYDANTIC_AI);
    recorder.begin(Message { turn, ended, usage, ..Message::new(role) }, message.span());
    // A summary is a request with only a user prompt.
    let mut parts = message.elements_of("parts");
    let sole = parts.next().filter(|_| turn == Turn::Person && parts.next().is_none());
    recorder.check_summary(sole.and_then(|part| part.text_of("content")));
    for part in message.elements_of("parts") {
        read_part(part, recorder);
    }
}

fn read_part(part: Value<'_>, recorder: &mut Recorder) {
    let kind = part.text_of("part_kind").map(Text::decode).unwrap_or_default();
    let (id, name) = (part.text_of("tool_call_id"), part.text_of("tool_name"));
    let content = part.get("content");
    match kind.as_ref() {
        "tool-return" => {
            let text = content.and_then(Value::text);
            let output = recorder.output_of(text, id, has_failed(part));
            let native = content
                .filter(|content| !content.is_string())
                .map(python::repr_length)
                .and_then(NonZeroU32::new);
            let length = content.map(length_without_media).unwrap_or_default();
            let result = Part { output, native, ..Part::new(PartKind::ToolResult, length) };
            let call = recorder.result(id, name, result, Some(Slot::of_member(part, "content", Shape::Text)));
            let media = content.filter(|content| is_media(*content));
            let items = content.into_iter().flat_map(Value::elements).filter(|item| is_media(*item));
            // A result with files has no literal text that could be replaced.
            let texts = content.into_iter().flat_map(Value::elements).filter(|item| !is_media(*item));
            if items.clone().next().is_some() {
                recorder.set_places(texts.map(Value::span));
            } else {
                recorder.set_places(content.filter(|content| !is_media(*content)).map(Value::span));
            }
            for item in media.into_iter().chain(items) {
                read_media(item, call, recorder);
            }
        }
        // With a tool's name it is that tool's error; without one it is a reminder in the user's name.
        "retry-prompt" if name.is_some() => {
            let length = content.map(length_of_value).unwrap_or_default();
            let result = Part { output: Output::Error, ..Part::new(PartKind::ToolResult, length) };
            recorder.result(id, name, result, None);
            recorder.set_places(content.map(Value::span));
        }
        "builtin-tool-return" => {
            let length = content.map(length_of_value).unwrap_or_default();
            let result = Part { output: Output::Sealed, ..Part::new(PartKind::ToolResult, length) };
            recorder.result(id, name, result, None);
            recorder.set_places(content.map(Value::span));
        }
        "tool-call" | "builtin-tool-call" => {
            recorder.call(id, name, part.get("args"));
            recorder.sign(signature_of(part));
        }
        "user-prompt" => read_prompt(content, recorder),
        "thinking" => {
            recorder.text(PartKind::Thinking, content.and_then(Value::text));
            recorder.sign(signature_of(part));
        }
        "compaction" => {
            recorder.mark(MarkerKind::Compaction, "compaction", part.span());
            recorder.text(PartKind::Summary, content.and_then(Value::text));
            recorder.sign(signature_of(part));
        }
        "file" => {
            if let Some(file) = content {
                read_media(file, None, recorder);
            }
            recorder.sign(signature_of(part));
        }
        "speech" => recorder.text(PartKind::Text, part.text_of("transcript")),
        _ => {
            recorder.value(PartKind::Text, content.filter(|content| !content.is_null()));
            recorder.sign(signature_of(part));
        }
    }
}

/// Since version 2 a return states the tool's outcome.
fn has_failed(part: Value<'_>) -> bool {
    part.text_of("outcome")
        .is_some_and(|outcome| ["failed", "denied", "interrupted"].iter().any(|name| outcome.is(name)))
}

/// Thinking has a field for its signature; other data that a provider needs back is in its details.
fn signature_of(part: Value<'_>) -> Option<Text<'_>> {
    let details = part.get("provider_details");
    let detail = |key: &str| details.and_then(|details| details.text_of(key));
    [part.text_of("signature"), detail("thought_signature"), detail("encrypted_content")]
        .into_iter()
        .flatten()
        .find(|text| !text.is_empty())
}

/// A prompt is a text, or a list of texts and media.
fn read_prompt(content: Option<Value<'_>>, recorder: &mut Recorder) {
    let Some(content) = content else { return };
    if let Some(text) = content.text() {
        return recorder.text(PartKind::Text, Some(text));
    }
    for item in content.elements() {
        if let Some(text) = item.text() {
            recorder.text(PartKind::Text, Some(text));
            continue;
        }
        if data_of(item).is_some() {
            read_media(item, None, recorder);
            continue;
        }
        match item.text_of("content") {
            Some(text) => recorder.text(PartKind::Text, Some(text)),
            // Marks where the provider's cache may end; it is not sent.
            None if item.text_of("kind").is_some_and(|kind| kind.is("cache-point")) => {}
            None => recorder.value(PartKind::Other, Some(item)),
        }
    }
}

/// The data of an image or file: its URL, its data, or the provider's name for it.
fn data_of(item: Value<'_>) -> Option<Value<'_>> {
    ["url", "data", "file_id"].into_iter().find_map(|key| item.get(key))
}

fn is_media(item: Value<'_>) -> bool {
    const KINDS: &[&str] =
        &["image-url", "audio-url", "video-url", "document-url", "binary", "uploaded-file"];
    let kind = item.text_of("kind").map(Text::decode);
    kind.is_some_and(|kind| KINDS.contains(&kind.as_ref())) && data_of(item).is_some()
}

fn read_media(item: Value<'_>, call: Option<u32>, recorder: &mut Recorder) {
    let is_image = item.text_of("kind").is_some_and(|kind| kind.is("image-url"))
        || item.text_of("media_type").is_some_and(|media| media.starts_with("image/"));
    let kind = if is_image { PartKind::Image } else { PartKind::File };
    let data = data_of(item);
    let length = data.map(length_of_value).unwrap_or_default();
    recorder.media(kind, priced(kind, length, data, item, ANY), call);
}

/// The length of what a tool returned, without its images and files, which are separate parts.
fn length_without_media(content: Value<'_>) -> Length {
    if is_media(content) {
        return Length::default();
    }
    if !content.elements().any(is_media) {
        return length_of_value(content);
    }
    let others = content.elements().filter(|item| !is_media(*item));
    others.fold(Length::default(), |length, item| length.plus(length_of_value(item)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session_text::SessionText;

    fn kinds(source: &str) -> Vec<(PartKind, u32)> {
        let session = SessionText::read(source).unwrap();
        session.transcript().parts().iter().map(|part| (part.kind, part.length.utf16)).collect()
    }

    #[test]
    fn each_part_is_counted_as_what_is_sent_of_it() {
        let png = r#"{"kind":"binary","data":"AAAA","media_type":"image/png"}"#;
        let cases = [
            (format!(r#"{{"part_kind":"tool-return","tool_name":"t","tool_call_id":"c","content":["ab",{png},{{"n":1}}]}}"#), vec![(PartKind::ToolResult, 9), (PartKind::Image, 4)]),
            (format!(r#"{{"part_kind":"tool-return","tool_name":"t","tool_call_id":"c","content":{png}}}"#), vec![(PartKind::ToolResult, 0), (PartKind::Image, 4)]),
            (r#"{"part_kind":"tool-return","tool_name":"t","tool_call_id":"c","content":{"url":"x"}}"#.to_owned(), vec![(PartKind::ToolResult, 11)]),
            (r#"{"part_kind":"user-prompt","content":["a",{"kind":"cache-point"},{"kind":"uploaded-file","file_id":"f1","media_type":"application/pdf"},{"kind":"text-content","content":"bc"}]}"#.to_owned(), vec![(PartKind::Text, 1), (PartKind::File, 2), (PartKind::Text, 2)]),
            (format!(r#"{{"part_kind":"file","content":{png}}}"#), vec![(PartKind::Image, 4)]),
            (r#"{"part_kind":"speech","speaker":"assistant","transcript":"abc","audio":{"data":"AAAA"}}"#.to_owned(), vec![(PartKind::Text, 3)]),
            (r#"{"part_kind":"compaction","content":null,"provider_details":{"encrypted_content":"AAAA"}}"#.to_owned(), vec![(PartKind::Summary, 0)]),
            (r#"{"part_kind":"retry-prompt","content":"again","tool_name":null}"#.to_owned(), vec![(PartKind::Text, 5)]),
        ];
        for (part, expected) in cases {
            assert_eq!(kinds(&format!(r#"[{{"kind":"request","parts":[{part}]}}]"#)), expected, "{part}");
        }
    }

    #[test]
    fn a_return_that_tells_of_a_failure_is_an_error() {
        for (outcome, expected) in
            [("success", Output::Ordinary), ("failed", Output::Error), ("denied", Output::Error)]
        {
            let source = format!(
                r#"[{{"kind":"request","parts":[{{"part_kind":"tool-return","content":"x","tool_call_id":"c","outcome":"{outcome}"}}]}}]"#
            );
            let session = SessionText::read(&source).unwrap();
            assert_eq!(session.transcript().parts()[0].output, expected);
        }
    }

    #[test]
    fn the_newest_instructions_are_sent_beside_the_messages() {
        let source = r#"[{"kind":"request","instructions":"old","parts":[{"part_kind":"user-prompt","content":"a"}]},
 {"kind":"response","parts":[{"part_kind":"text","content":"b"}],"usage":{"request_tokens":7,"response_tokens":2}},
 {"kind":"request","instructions":"newer","parts":[{"part_kind":"user-prompt","content":"c"}]}]"#;
        let session = SessionText::read(source).unwrap();
        let messages = session.transcript().messages();
        assert_eq!((messages[0].role, session.transcript().parts_of(0)[0].length.utf16), (Role::System, 5));
        assert_eq!((session.counts().messages, messages[2].usage), (3, Some(9)));
    }
}
