//! pydantic-ai messages (formats.md, section 4): what TunaCode stored until 0.1, and lists of them.

use super::recorder::{Recorder, Shape, Slot, length_of_value};
use super::source::Source;
use super::summary::{Ending, Style};
use super::usage;
use crate::compat::python;
use crate::error::Error;
use crate::json::{Text, Value};
use crate::transcript::{Message, Output, Part, PartKind, Role, Turn};

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<Ending, Error> {
    for message in source.list() {
        read_message(message, recorder);
    }
    Ok(Ending::List(Style::PydanticAi))
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
        // The system prompt travels with the first request; a message that holds it is never summarised.
        (Role::System, false)
    } else if turn == Turn::Person || !(has("tool-return") || has("retry-prompt")) {
        (Role::User, false)
    } else {
        (Role::Tool, false)
    };
    let usage = usage::total(message.get("usage"), &usage::PYDANTIC_AI);
    recorder.begin(Message { turn, ended, usage, ..Message::new(role) }, message.span());
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
            let output = recorder.output_of(text);
            let native = content.filter(|content| !content.is_string()).map(python::repr_length);
            let length = content.map(length_of_value).unwrap_or_default();
            let result = Part { output, native, ..Part::new(PartKind::ToolResult, length) };
            recorder.result(id, name, result, Some(Slot::of_member(part, "content", Shape::Text)));
            recorder.stands_at(content.map(Value::span));
        }
        // With a tool's name it reports that tool's failure; without one it is a nudge in the user's place.
        "retry-prompt" if name.is_some() => {
            let length = content.map(length_of_value).unwrap_or_default();
            let result = Part { output: Output::Error, ..Part::new(PartKind::ToolResult, length) };
            recorder.result(id, name, result, None);
            recorder.stands_at(content.map(Value::span));
        }
        "builtin-tool-return" => {
            let length = content.map(length_of_value).unwrap_or_default();
            let result = Part { output: Output::Sealed, ..Part::new(PartKind::ToolResult, length) };
            recorder.result(id, name, result, None);
            recorder.stands_at(content.map(Value::span));
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
            recorder.text(PartKind::Summary, content.and_then(Value::text));
            recorder.sign(signature_of(part));
        }
        "file" => recorder.value(PartKind::File, content),
        _ => {
            recorder.value(PartKind::Text, content.filter(|content| !content.is_null()));
            recorder.sign(signature_of(part));
        }
    }
}

/// Thinking has a field for its signature; what else a provider wants back lies among its details.
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
        let is_image = item.text_of("kind").is_some_and(|kind| kind.is("image-url"))
            || item.text_of("media_type").is_some_and(|media| media.starts_with("image/"));
        let kind = if is_image { PartKind::Image } else { PartKind::File };
        let data = item.get("url").or_else(|| item.get("data"));
        match (data, item.text_of("content")) {
            (Some(data), _) => recorder.media(kind, length_of_value(data), None),
            (None, Some(text)) => recorder.text(PartKind::Text, Some(text)),
            (None, None) => recorder.value(PartKind::Other, Some(item)),
        }
    }
}
