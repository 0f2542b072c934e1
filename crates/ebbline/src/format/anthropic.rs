//! Anthropic Messages (formats.md, section 12): a request, a response, a list, or a line each.

use super::openai_chat::{joined, sole_text};
use super::recorder::{Recorder, Shape, Slot, length_of_value};
use super::source::Source;
use super::summary::{Ending, Style, is_recorded};
use super::usage;
use crate::error::Error;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Message, Output, Part, PartKind, Role, Turn};

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<Ending, Error> {
    let root = source.root().filter(|root| root.is_object() && !source.is_lines);
    if let Some(system) = root.and_then(|root| root.present("system")) {
        recorder.begin_unlisted(Message::new(Role::System), system.span());
        read_content(Some(system), recorder);
    }
    let response = root.filter(|root| root.get("messages").is_none());
    if let Some(response) = response {
        read_message(response, recorder);
        return Ok(Ending::None);
    }
    for message in source.list() {
        read_message(message, recorder);
    }
    Ok(Ending::List(Style::Anthropic))
}

fn read_message(message: Value<'_>, recorder: &mut Recorder) {
    let content = message.get("content");
    let blocks = || content.into_iter().flat_map(Value::elements);
    match message.text_of("role").map(Text::decode).as_deref() {
        Some("assistant") => {
            let calls = blocks().any(|block| is_type(block, "tool_use"));
            let says = content.and_then(Value::text).is_some_and(|text| !text.is_blank())
                || blocks().filter_map(|block| block.text_of("text")).any(|text| !text.is_blank());
            let ended = message.present("stop_reason").is_some() || (says && !calls);
            let usage = usage::total(message.get("usage"), &usage::ANTHROPIC);
            recorder.begin(Message { ended, usage, ..Message::new(Role::Assistant) }, message.span());
        }
        Some("user") if is_recorded(content) => recorder.begin(Message::earlier_summary(), message.span()),
        Some("user") => {
            // A user message made only of tool results is no turn: nobody said anything.
            let results = blocks().filter(|block| is_type(*block, "tool_result")).count();
            let only_results = results > 0 && results == blocks().count();
            let begun = if only_results { Message::new(Role::Tool) } else { Message::person() };
            recorder.begin(begun, message.span());
        }
        Some("system") => recorder.begin(Message::new(Role::System), message.span()),
        _ => recorder.begin(Message { turn: Turn::No, ..Message::new(Role::Other) }, message.span()),
    }
    read_content(content, recorder);
}

fn is_type(block: Value<'_>, name: &str) -> bool {
    block.text_of("type").is_some_and(|kind| kind.is(name))
}

fn read_content(content: Option<Value<'_>>, recorder: &mut Recorder) {
    let Some(content) = content else { return };
    if let Some(text) = content.text() {
        return recorder.text(PartKind::Text, Some(text));
    }
    for block in content.elements() {
        read_block(block, recorder);
    }
}

/// One block of a message's content.
pub(super) fn read_block(block: Value<'_>, recorder: &mut Recorder) {
    let kind = block.text_of("type").map(Text::decode).unwrap_or_default();
    match kind.as_ref() {
        "text" => recorder.text(PartKind::Text, block.text_of("text")),
        "thinking" => {
            recorder.text(PartKind::Thinking, block.text_of("thinking"));
            recorder.sign(block.text_of("signature"));
        }
        // What the server encrypted is sent, but nobody outside can tell how many tokens it stands for.
        "redacted_thinking" => {
            recorder.text(PartKind::Thinking, None);
            recorder.sign(block.text_of("data"));
        }
        "tool_use" | "server_tool_use" | "mcp_tool_use" => {
            recorder.call(block.text_of("id"), block.text_of("name"), block.get("input"));
        }
        "tool_result" => read_result(block, recorder),
        "image" => recorder.media(PartKind::Image, media_length(block), None),
        "document" => recorder.media(PartKind::File, media_length(block), None),
        "compaction" => {
            recorder.value(PartKind::Summary, block.get("content"));
            recorder.sign(block.text_of("encrypted_content"));
        }
        name if name.ends_with("_tool_result") => {
            let length = block.get("content").map(length_of_value).unwrap_or_default();
            let part = Part { output: Output::Sealed, ..Part::new(PartKind::ToolResult, length) };
            recorder.result(block.text_of("tool_use_id"), None, part, None);
            recorder.stands_at(block.get("content").map(Value::span));
        }
        _ => recorder.value(PartKind::Other, Some(block)),
    }
}

/// A tool result: its texts are one part; its images are parts that go with it.
fn read_result(block: Value<'_>, recorder: &mut Recorder) {
    let part = result_part(block, recorder);
    let slot = Slot::of_member(block, "content", Shape::Text);
    let call = recorder.result(block.text_of("tool_use_id"), None, part, Some(slot));
    recorder.stands_in(block.get("content"));
    read_enclosures(block, call, recorder);
}

/// The texts of a tool result as one part.
pub(super) fn result_part(block: Value<'_>, recorder: &Recorder) -> Part {
    let content = block.get("content");
    let blocks = content.into_iter().flat_map(Value::elements);
    let text = content.and_then(Value::text);
    let (length, pieces) = text
        .map_or_else(|| joined(blocks.filter_map(|block| block.text_of("text"))), |text| (text.length(), 1));
    let output = if block.get("is_error").is_some_and(Value::is_truthy) {
        Output::Error
    } else {
        recorder.output_of(text.or_else(|| sole_text(content)))
    };
    Part { output, pieces, ..Part::new(PartKind::ToolResult, length) }
}

/// What a tool result holds besides texts.
pub(super) fn read_enclosures(block: Value<'_>, call: Option<u32>, recorder: &mut Recorder) {
    for inner in block.elements_of("content") {
        match inner.text_of("type").map(Text::decode).as_deref() {
            Some("image") => recorder.media(PartKind::Image, media_length(inner), call),
            Some("text") | None => {}
            Some(_) => recorder.media(PartKind::File, length_of_value(inner), call),
        }
    }
}

/// The length of an image's or document's URL, data or text.
fn media_length(block: Value<'_>) -> Length {
    let source = block.get("source");
    ["data", "url", "file_id", "content"]
        .into_iter()
        .find_map(|key| source.and_then(|source| source.present(key)))
        .map(length_of_value)
        .unwrap_or_default()
}
