//! The blocks of a LangChain message: those of its own standard, and those of providers, which it passes through
//! unchanged.

use std::collections::HashSet;

use super::super::anthropic_messages;
use super::super::layout::{Element, anthropic_block};
use super::super::media::{ANY, data_length, priced};
use super::super::recorder::{Recorder, length_of_value};
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Output, Part, PartKind};

/// The texts of a content: the content itself, or the texts of its blocks. A block may be a bare string.
pub(super) fn texts(content: Option<Value<'_>>) -> impl Iterator<Item = Text<'_>> {
    let blocks = content.into_iter().flat_map(Value::elements);
    content.and_then(Value::text).into_iter().chain(blocks.filter_map(text_of))
}

/// The text of a block that contains nothing else.
pub(super) fn text_of(block: Value<'_>) -> Option<Text<'_>> {
    let is_text = match block.text_of("type") {
        Some(kind) => ["text", "input_text", "output_text"].iter().any(|name| kind.is(name)),
        None => block.get("type").is_none(),
    };
    block.text().or_else(|| block.text_of("text").filter(|_| is_text))
}

/// Reads a content and returns the ids of its calls. Calls in `known` are skipped, because they are read from the
/// message's own list.
pub(super) fn read(
    content: Option<Value<'_>>,
    known: Option<&HashSet<String>>,
    recorder: &mut Recorder,
) -> HashSet<String> {
    let mut made = HashSet::new();
    if let Some(text) = content.and_then(Value::text) {
        recorder.text(PartKind::Text, Some(text));
    }
    for block in content.into_iter().flat_map(Value::elements) {
        read_block(block, known, &mut made, recorder);
    }
    made
}

fn read_block(
    block: Value<'_>,
    known: Option<&HashSet<String>>,
    made: &mut HashSet<String>,
    recorder: &mut Recorder,
) {
    if let Some(text) = text_of(block) {
        recorder.text(PartKind::Text, Some(text));
        return sign(block, recorder);
    }
    match block.text_of("type").map(Text::decode).as_deref() {
        Some("reasoning") => read_reasoning(block, recorder),
        // Bedrock.
        Some("reasoning_content") => {
            let inner = block.get("reasoning_content").unwrap_or(block);
            recorder.text(PartKind::Thinking, inner.text_of("text"));
            recorder.sign(inner.text_of("signature"));
        }
        _ if is_call(block) => read_call(block, known, made, recorder),
        Some("server_tool_call") => {
            recorder.call(block.text_of("id"), block.text_of("name"), block.get("args"));
        }
        Some("tool_result" | "server_tool_result") => {
            let id = block.text_of("tool_call_id").or_else(|| block.text_of("tool_use_id"));
            let content = block.get("output").or_else(|| block.get("content"));
            let length = content.map(length_of_value).unwrap_or_default();
            let result = Part { output: Output::Sealed, ..Part::new(PartKind::ToolResult, length) };
            recorder.result(id, None, result, None);
            recorder.set_places(content.map(Value::span));
        }
        Some("refusal") => recorder.text(PartKind::Text, block.text_of("refusal")),
        // Pieces of a stream; the list contains the whole call.
        Some("input_json_delta" | "tool_call_chunk" | "invalid_tool_call") => {}
        _ if is_media(block) => recorder.media(media_kind(block), media_length(block), None),
        Some("non_standard") => recorder.value(PartKind::Other, block.get("value")),
        _ => anthropic_messages::read_block(block, recorder),
    }
}

/// A signature beside a text, as in Gemini's blocks.
fn sign(block: Value<'_>, recorder: &mut Recorder) {
    recorder.sign(block.text_of("signature"));
    recorder.sign(block.get("extras").and_then(|extras| extras.text_of("signature")));
}

/// Reasoning in LangChain's standard, or as in the Responses API: a list of summaries beside the encrypted reasoning.
pub(super) fn read_reasoning(block: Value<'_>, recorder: &mut Recorder) {
    let mut summaries = block.elements_of("summary").map(|summary| summary.text_of("text"));
    let text = block.text_of("reasoning");
    recorder.text(PartKind::Thinking, text.or_else(|| summaries.next().flatten()));
    for summary in summaries {
        recorder.text(PartKind::Thinking, summary);
    }
    sign(block, recorder);
    recorder.sign(block.text_of("encrypted_content"));
}

/// Whether a block is a call for the application to make.
pub(super) fn is_call(block: Value<'_>) -> bool {
    let kind = block.text_of("type");
    kind.is_some_and(|kind| ["tool_use", "tool_call", "function_call"].iter().any(|name| kind.is(name)))
}

/// What a block is to a repair.
pub(super) fn element(block: Value<'_>) -> Option<Element> {
    is_call(block).then_some(Element::Call).or_else(|| anthropic_block(block))
}

/// A call in the content, unless the message also lists it.
fn read_call(
    block: Value<'_>,
    known: Option<&HashSet<String>>,
    made: &mut HashSet<String>,
    recorder: &mut Recorder,
) {
    let id = block.text_of("call_id").or_else(|| block.text_of("id"));
    let listed = known.is_some_and(|known| match id {
        Some(id) => known.contains(id.decode().as_ref()),
        None => !known.is_empty(),
    });
    if listed {
        return;
    }
    made.extend(id.map(|id| id.decode().into_owned()));
    let arguments = ["args", "input", "arguments"].into_iter().find_map(|key| block.get(key));
    recorder.call(id, block.text_of("name"), arguments);
    sign(block, recorder);
}

fn is_media(block: Value<'_>) -> bool {
    const MEDIA: [&str; 10] = [
        "image",
        "image_url",
        "input_image",
        "audio",
        "input_audio",
        "video",
        "file",
        "input_file",
        "media",
        "text-plain",
    ];
    let kind = block.text_of("type");
    kind.is_some_and(|kind| MEDIA.iter().any(|name| kind.is(name))) && block.get("source").is_none()
}

/// Whether a block is an image: by its type or else by its media type.
pub(super) fn media_kind(block: Value<'_>) -> PartKind {
    let is_named = block
        .text_of("type")
        .is_some_and(|kind| ["image", "image_url", "input_image"].iter().any(|name| kind.is(name)));
    let is_typed = block.text_of("mime_type").is_some_and(|kind| kind.starts_with("image/"));
    if is_named || is_typed { PartKind::Image } else { PartKind::File }
}

/// The length of a file's data, its URL, or the provider's name for it, in LangChain's standard or in a provider's.
pub(super) fn media_length(block: Value<'_>) -> Length {
    let data = data_of(block);
    priced(media_kind(block), data.map(data_length).unwrap_or_default(), data, block, ANY)
}

fn data_of(block: Value<'_>) -> Option<Value<'_>> {
    let keys = ["base64", "data", "url", "file_data", "file_id", "text"];
    let beside = ["source", "image_url", "file", "input_audio"].into_iter().filter_map(|key| block.get(key));
    std::iter::once(block).chain(beside).find_map(|holder| {
        if holder.is_string() { Some(holder) } else { keys.into_iter().find_map(|key| holder.present(key)) }
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::Format;
    use super::super::super::outline::outline;

    #[test]
    fn blocks_of_every_origin_are_read() {
        for (block, expected) in [
            (r#"{"type":"text","text":"abc","extras":{"signature":"x"}}"#, "\"3^"),
            (r#"{"type":"thinking","thinking":"abc","signature":"x"}"#, "~3^"),
            (r#"{"type":"redacted_thinking","data":"xyz"}"#, "~0^"),
            (r#"{"type":"reasoning","reasoning":"abc","extras":{"signature":"x"}}"#, "~3^"),
            (
                r#"{"type":"reasoning","summary":[{"text":"ab"},{"text":"c"}],"encrypted_content":"x"}"#,
                "~2 ~1^",
            ),
            (r#"{"type":"reasoning_content","reasoning_content":{"text":"abc","signature":"x"}}"#, "~3^"),
            (r#"{"type":"image","url":"https://a.example/"}"#, "image18"),
            (r#"{"type":"image","base64":"iVBO","mime_type":"image/png"}"#, "image4"),
            (r#"{"type":"image","source_type":"base64","data":{"0":1,"1":2}}"#, "image4"),
            (r#"{"type":"image","file_id":"f_1"}"#, "image3"),
            (r#"{"type":"image","source":{"type":"base64","data":"iVBO"}}"#, "image4"),
            (r#"{"type":"image_url","image_url":{"url":"iVBO"}}"#, "image4"),
            (r#"{"type":"image_url","image_url":"iVBO"}"#, "image4"),
            (r#"{"type":"input_audio","input_audio":{"data":"YQ==","format":"wav"}}"#, "file4"),
            (r#"{"type":"file","file":{"file_data":"YQ=="}}"#, "file4"),
            (r#"{"type":"media","mime_type":"image/png","data":"iVBO"}"#, "image4"),
            (r#"{"type":"server_tool_call","id":"s","name":"search","args":{}}"#, "c0:2"),
            (r#"{"type":"server_tool_result","tool_call_id":"s","output":[]}"#, "=s0:2"),
            (r#"{"type":"web_search_tool_result","tool_use_id":"s","content":[]}"#, "=s0:2"),
            (r#"{"type":"refusal","refusal":"no"}"#, "\"2"),
            (r#"{"type":"non_standard","value":{"a":1}}"#, "other7"),
        ] {
            let text = format!(r#"[{{"type":"ai","content":[{block}]}}]"#);
            let found = outline(&text, Format::Langchain);
            assert_eq!(found.split_once(' ').unwrap().1, expected, "{block}");
        }
    }
}
