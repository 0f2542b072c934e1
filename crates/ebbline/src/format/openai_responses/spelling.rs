//! How the Responses API spells its items, and what the spellings of items have in common.

use super::item::{Entry, Kind, Spelling, Thinking, element_of};
use super::parts::{Answer, Pair, read_answer, read_pair, tool_called};
use super::summary;
use crate::format::layout::Element;
use crate::format::media::{OPENAI, priced};
use crate::format::recorder::{Recorder, length_of_value};
use crate::format::usage;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Output, Part, PartKind};

pub(in crate::format) const RESPONSES: Spelling = Spelling {
    kind_of,
    id_of,
    approval_of: |item| item.text_of("approval_request_id").or_else(|| item.text_of("id")),
    read_call,
    read_served,
    read_output,
    thinking_of,
    media_in,
    other_in: |item| item,
    encrypted_in: |item| item.text_of("encrypted_content"),
    leaves_out: false,
    usage: &usage::OPENAI,
    summary: &summary::LISTED,
};

/// The members with the arguments of an item's call.
const ARGUMENTS: &[&str] = &["arguments", "input", "action", "actions", "operation", "queries", "code"];

pub(in crate::format) fn kind_of(value: Value<'_>) -> Kind {
    let Some(name) = value.text_of("type").map(Text::decode) else {
        return if value.text_of("role").is_some() { Kind::Message } else { Kind::Unknown };
    };
    match name.as_ref() {
        "message" => Kind::Message,
        "reasoning" => Kind::Reasoning,
        "function_call" | "custom_tool_call" | "local_shell_call" | "shell_call" | "apply_patch_call"
        | "computer_call" => Kind::Call,
        // The server's own search produces its result itself, in an item that does not name the call either.
        "tool_search_call" if value.text_of("call_id").is_some() => Kind::Call,
        "tool_search_output" if value.text_of("call_id").is_some() => Kind::Output,
        "compaction" | "compaction_summary" | "context_compaction" => Kind::Compaction,
        "agent_message" => Kind::AgentMessage,
        "mcp_list_tools" => Kind::Notice,
        "mcp_approval_request" => Kind::Asked,
        "mcp_approval_response" => Kind::Allowed,
        "item_reference" => Kind::Reference,
        "ghost_snapshot" | "compaction_trigger" => Kind::Silent,
        name if name.ends_with("_call_output") => Kind::Output,
        name if name.ends_with("_call") => Kind::Served,
        _ => Kind::Unknown,
    }
}

/// The texts of a list of blocks.
pub(in crate::format) fn texts_in(blocks: Option<Value<'_>>) -> impl Iterator<Item = Text<'_>> {
    blocks.into_iter().flat_map(Value::elements).filter_map(|block| block.text_of("text"))
}

fn thinking_of(item: Value<'_>) -> Thinking<'_> {
    Thinking {
        texts: texts_in(item.get("summary")).chain(texts_in(item.get("content"))).collect(),
        encrypted: item.text_of("encrypted_content"),
    }
}

fn arguments_of(value: Value<'_>) -> Option<Value<'_>> {
    ARGUMENTS.iter().find_map(|key| value.present(key))
}

/// The tool: by its name, or by the type of its calls.
fn tool_of(value: Value<'_>) -> String {
    tool_called(value.text_of("name").or_else(|| value.text_of("type")))
}

fn id_of(value: Value<'_>) -> Option<Text<'_>> {
    value.text_of("call_id").or_else(|| value.text_of("id"))
}

fn read_call(value: Value<'_>, recorder: &mut Recorder) {
    let id = id_of(value).map(Text::decode);
    recorder.call_named(id.as_deref(), Some(&tool_of(value)), arguments_of(value));
}

fn read_served(value: Value<'_>, recorder: &mut Recorder) {
    let given = ["output", "error", "results"].into_iter().find_map(|key| value.present(key));
    let pair = Pair {
        tool: &tool_of(value),
        arguments: arguments_of(value),
        given,
        outputs: value.get("outputs"),
        image: value.text_of("result"),
    };
    read_pair(&pair, recorder);
}

fn read_output(entry: &Entry<'_>, recorder: &mut Recorder) {
    let value = entry.item.value;
    let output = value.present("output");
    let is_sealed = ["computer_call_output", "tool_search_output"]
        .into_iter()
        .any(|name| value.text_of("type").is_some_and(|kind| kind.is(name)));
    if is_sealed {
        return read_sealed(value, id_of(value), output.map(media_length), recorder);
    }
    let answer = Answer { item: value, id: id_of(value), output, slot: None };
    read_answer(answer, &RESPONSES, recorder);
    for copy in &entry.copies {
        recorder.add_copy(copy.clone());
    }
}

/// An output that the provider verifies: tools that were found, or a screenshot.
pub(in crate::format) fn read_sealed(
    item: Value<'_>,
    id: Option<Text<'_>>,
    screenshot: Option<Length>,
    recorder: &mut Recorder,
) {
    let length = item.present("tools").map(length_of_value).unwrap_or_default();
    let part = Part { output: Output::Sealed, ..Part::new(PartKind::ToolResult, length) };
    let call = recorder.result(id, None, part, None);
    recorder.set_places(item.present("tools").map(Value::span));
    if let Some(screenshot) = screenshot {
        recorder.media(PartKind::Image, screenshot, call);
    }
}

fn media_in(block: Value<'_>) -> Option<(PartKind, Length)> {
    let kind = match block.text_of("type").map(Text::decode).as_deref() {
        Some("input_image" | "computer_screenshot") => PartKind::Image,
        Some("input_file" | "input_audio") => PartKind::File,
        _ => return None,
    };
    let data = data_of(block).map(|data| data.present("data").unwrap_or(data));
    Some((kind, priced(kind, media_length(block), data, block, OPENAI)))
}

/// The length of an image's or file's URL or data.
fn media_length(block: Value<'_>) -> Length {
    data_of(block).map(length_of_value).unwrap_or_default()
}

fn data_of(block: Value<'_>) -> Option<Value<'_>> {
    let keys = ["image_url", "file_data", "file_url", "file_id", "input_audio"];
    keys.into_iter().find_map(|key| block.present(key))
}

/// What an item of the Responses API is to a repair.
pub(in crate::format) fn element(value: Value<'_>) -> Option<Element> {
    element_of(kind_of(value))
}
