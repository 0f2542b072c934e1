//! How the OpenAI Agents SDK spells items: like the Responses API with other names, and with `providerData` for what
//! has no member of its own.

use super::summary;
use crate::format::media::{OPENAI, data_length, priced};
use crate::format::openai_responses::item::{Entry, Kind, Spelling, Thinking};
use crate::format::openai_responses::parts::{Answer, Pair, read_answer, read_pair, tool_called};
use crate::format::openai_responses::spelling::{RESPONSES, read_sealed, texts_in};
use crate::format::recorder::Recorder;
use crate::format::slot::{Shape, Slot};
use crate::format::usage;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::PartKind;

pub(super) static AGENTS: Spelling = Spelling {
    kind_of,
    id_of,
    approval_of,
    read_call,
    read_served,
    read_output,
    thinking_of,
    media_in,
    other_in,
    encrypted_in: |item| {
        item.present("encrypted_content").or_else(|| item.present("encryptedContent")).and_then(Value::text)
    },
    // The package's runner leaves it out.
    leaves_out: true,
    usage: &usage::VERCEL,
    summary: &summary::LISTED,
};

/// The members with the arguments of an item's call.
const ARGUMENTS: &[&str] = &["arguments", "actions", "action", "operation", "queries", "code", "input"];

pub(super) fn kind_of(item: Value<'_>) -> Kind {
    let calls = || call_id_of(item).is_some();
    match item.text_of("type").map(Text::decode).as_deref() {
        Some("hosted_tool_call") => match hosted_type(item).as_ref() {
            "mcp_list_tools" => Kind::Notice,
            "mcp_approval_request" => Kind::Asked,
            "mcp_approval_response" => Kind::Allowed,
            _ => Kind::Served,
        },
        // The server's own search names no call.
        Some("tool_search_call") if calls() => Kind::Call,
        Some("tool_search_output") if calls() => Kind::Output,
        Some("program") => Kind::Call,
        Some("program_output" | "function_call_result" | "computer_call_result") => Kind::Output,
        _ => (RESPONSES.kind_of)(item),
    }
}

/// What the provider calls a hosted tool's item.
fn hosted_type(item: Value<'_>) -> std::borrow::Cow<'_, str> {
    let named = data_of(item).and_then(|data| data.text_of("type"));
    named
        .or_else(|| item.text_of("name"))
        .or_else(|| item.text_of("type"))
        .map(Text::decode)
        .unwrap_or_default()
}

/// What the package keeps of the provider's item without a member of its own for it.
fn data_of(item: Value<'_>) -> Option<Value<'_>> {
    item.get("providerData").filter(|data| data.is_object())
}

fn id_of(item: Value<'_>) -> Option<Text<'_>> {
    call_id_of(item).or_else(|| item.text_of("id"))
}

fn approval_of(item: Value<'_>) -> Option<Text<'_>> {
    let data = data_of(item);
    let kept = |key| data.and_then(|data| data.text_of(key));
    kept("approval_request_id").or_else(|| kept("id")).or_else(|| (RESPONSES.approval_of)(item))
}

fn call_id_of(item: Value<'_>) -> Option<Text<'_>> {
    let data = data_of(item);
    let kept = |key| data.and_then(|data| data.text_of(key));
    item.text_of("callId")
        .or_else(|| item.text_of("call_id"))
        .or_else(|| kept("call_id"))
        .or_else(|| kept("callId"))
}

fn arguments_of(value: Value<'_>) -> Option<Value<'_>> {
    ARGUMENTS.iter().find_map(|key| value.present(key))
}

/// What the package does not know it keeps as it came, and sends it back.
fn other_in(item: Value<'_>) -> Value<'_> {
    let is_kept = ["unknown", "hosted_tool_call"]
        .into_iter()
        .any(|name| item.text_of("type").is_some_and(|kind| kind.is(name)));
    data_of(item).filter(|_| is_kept).unwrap_or(item)
}

fn thinking_of(item: Value<'_>) -> Thinking<'_> {
    let data = data_of(item);
    let kept = |key| data.and_then(|data| data.present(key));
    let raw = item.present("rawContent").or_else(|| kept("content"));
    Thinking {
        texts: texts_in(item.get("content")).chain(texts_in(raw)).collect(),
        encrypted: kept("encryptedContent").or_else(|| kept("encrypted_content")).and_then(Value::text),
    }
}

fn read_call(item: Value<'_>, recorder: &mut Recorder) {
    let id = id_of(item).map(Text::decode);
    let tool = tool_called(item.text_of("name").or_else(|| item.text_of("type")));
    recorder.call_named(id.as_deref(), Some(&tool), arguments_of(item));
}

/// A hosted tool's call: the package keeps the output in one member, and the rest as the provider sent it.
fn read_served(item: Value<'_>, recorder: &mut Recorder) {
    let data = data_of(item);
    let kept = |key| data.and_then(|data| data.present(key));
    let hosted = hosted_type(item);
    let tool = hosted.strip_suffix("_call").unwrap_or(&hosted);
    let name = data.and_then(|data| data.text_of("name")).map(Text::decode);
    let output = item.present("output").or_else(|| kept("output"));
    let is_image = tool == "image_generation";
    let pair = Pair {
        tool: name.as_deref().unwrap_or(tool),
        arguments: arguments_of(item).or_else(|| data.and_then(arguments_of)),
        given: output.or_else(|| kept("error")).or_else(|| kept("results")).filter(|_| !is_image),
        outputs: data.and_then(|data| data.get("outputs")),
        image: output.or_else(|| kept("result")).filter(|_| is_image).and_then(Value::text),
    };
    read_pair(&pair, recorder);
}

fn read_output(entry: &Entry<'_>, recorder: &mut Recorder) {
    let item = entry.item.value;
    let output = item.present("output");
    let is_sealed = ["computer_call_result", "tool_search_output"]
        .into_iter()
        .any(|name| item.text_of("type").is_some_and(|kind| kind.is(name)));
    if is_sealed {
        return read_sealed(item, id_of(item), output.map(media_length), recorder);
    }
    // The older of the package's two forms of an output stays an object.
    let object = output.filter(|output| output.is_object());
    let said = object
        .filter(|object| object.text_of("type").is_some_and(|kind| kind.is("text")))
        .and_then(|object| object.get("text"))
        .filter(|text| text.is_string());
    let slot = object.map(|object| Slot::of_value(object, Shape::Within(r#"{"type":"text","text":"#, "}")));
    read_answer(Answer { item, id: id_of(item), output: said.or(output), slot }, &AGENTS, recorder);
}

fn media_in(block: Value<'_>) -> Option<(PartKind, Length)> {
    let kind = match block.text_of("type").map(Text::decode).as_deref() {
        Some("input_image" | "image" | "computer_screenshot") => PartKind::Image,
        Some("input_file" | "file" | "audio") => PartKind::File,
        _ => return None,
    };
    let data = file_of(block);
    Some((kind, priced(kind, media_length(block), data, block, OPENAI)))
}

/// The length of an image's or file's URL, data or id.
fn media_length(block: Value<'_>) -> Length {
    file_of(block).map(data_length).unwrap_or_default()
}

fn file_of(block: Value<'_>) -> Option<Value<'_>> {
    let keys = ["image", "file", "audio", "data", "imageUrl", "fileData", "fileUrl", "fileId"];
    let media = keys.into_iter().find_map(|key| block.present(key))?;
    let inner = ["data", "url", "fileId", "id"].into_iter().find_map(|key| media.present(key));
    Some(inner.unwrap_or(media))
}
