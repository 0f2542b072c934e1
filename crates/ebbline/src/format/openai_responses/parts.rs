//! The contents of an item of the Responses API: text, thinking, calls, results, images.

use super::item::{Entry, Item, Kind};
use crate::format::openai_chat::{joined, sole_text};
use crate::format::recorder::{Recorder, length_of_value};
use crate::format::slot::{Shape, Slot};
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Output, Part, PartKind};

/// The members with the arguments of an item's call.
const ARGUMENTS: &[&str] = &["arguments", "input", "action", "actions", "operation", "queries", "code"];

pub(super) fn read_parts(entry: &Entry<'_>, in_summary: bool, recorder: &mut Recorder) {
    let Item { value, kind } = entry.item;
    match kind {
        Kind::Message | Kind::AgentMessage => {
            let words = if in_summary { PartKind::Summary } else { PartKind::Text };
            read_content(value.present("content"), words, recorder);
        }
        Kind::Reasoning => read_reasoning(value, recorder),
        Kind::Call => read_call(value, recorder),
        Kind::Served => read_served(value, recorder),
        Kind::Output => read_output(value, &entry.copies, recorder),
        Kind::Compaction => {
            recorder.text(PartKind::Summary, None);
            recorder.sign(value.text_of("encrypted_content"));
        }
        Kind::Notice | Kind::Unknown => read_other(value, recorder),
        Kind::Silent => {}
    }
}

fn read_content(content: Option<Value<'_>>, words: PartKind, recorder: &mut Recorder) {
    let Some(content) = content else { return };
    if let Some(text) = content.text() {
        return recorder.text(words, Some(text));
    }
    for block in content.elements() {
        match block.text_of("type").map(Text::decode).as_deref() {
            Some("refusal") => recorder.text(words, block.text_of("refusal")),
            Some("input_image" | "computer_screenshot") => {
                recorder.media(PartKind::Image, media_length(block), None);
            }
            Some("input_file" | "input_audio") => recorder.media(PartKind::File, media_length(block), None),
            Some(_) | None => match block.text_of("text") {
                Some(text) => recorder.text(words, Some(text)),
                None => read_other(block, recorder),
            },
        }
    }
}

/// Content that is sent but unknown. The length of encrypted content says nothing about its tokens.
fn read_other(value: Value<'_>, recorder: &mut Recorder) {
    let encrypted = value.text_of("encrypted_content");
    if encrypted.is_some() {
        recorder.text(PartKind::Other, None);
        recorder.sign(encrypted);
    } else {
        recorder.value(PartKind::Other, Some(value));
    }
}

/// Thinking: each plain text is one part; the encrypted whole belongs to the last.
fn read_reasoning(value: Value<'_>, recorder: &mut Recorder) {
    let blocks = value.elements_of("summary").chain(value.elements_of("content"));
    let mut texts = blocks.filter_map(|block| block.text_of("text")).peekable();
    if texts.peek().is_none() {
        recorder.text(PartKind::Thinking, None);
    }
    for text in texts {
        recorder.text(PartKind::Thinking, Some(text));
    }
    recorder.sign(value.text_of("encrypted_content"));
}

fn arguments_of(value: Value<'_>) -> Option<Value<'_>> {
    ARGUMENTS.iter().find_map(|key| value.present(key))
}

/// The tool: by its name, or by the type of its calls.
fn tool_of(value: Value<'_>) -> String {
    let name = value.text_of("name").or_else(|| value.text_of("type")).map(Text::decode).unwrap_or_default();
    name.strip_suffix("_call").unwrap_or(&name).to_owned()
}

fn id_of(value: Value<'_>) -> Option<Text<'_>> {
    value.text_of("call_id").or_else(|| value.text_of("id"))
}

fn read_call(value: Value<'_>, recorder: &mut Recorder) {
    let id = id_of(value).map(Text::decode);
    recorder.call_named(id.as_deref(), Some(&tool_of(value)), arguments_of(value));
}

/// A call with its result: the provider made both, and only the item pairs them.
fn read_served(value: Value<'_>, recorder: &mut Recorder) {
    let id = format!("#{}", recorder.transcript.messages().len());
    let tool = tool_of(value);
    recorder.call_named(Some(&id), Some(&tool), arguments_of(value));
    let given = ["output", "error", "results"].into_iter().find_map(|key| value.present(key));
    let logs = || value.elements_of("outputs").filter_map(|output| output.text_of("logs"));
    let (length, pieces) = given.map_or_else(|| joined(logs()), |given| (length_of_value(given), 1));
    let part = Part { output: Output::Sealed, pieces, ..Part::new(PartKind::ToolResult, length) };
    let call = recorder.result_named(Some(&id), Some(&tool), part, None);
    match given {
        Some(given) => recorder.set_places([given.span()]),
        None => recorder.set_places(logs().map(Text::span)),
    }
    for output in value.elements_of("outputs") {
        if let Some(url) = output.text_of("url") {
            recorder.media(PartKind::Image, url.length(), call);
        }
    }
    // A generated image is not text: its base64 costs far fewer tokens than its length.
    if let Some(image) = value.text_of("result") {
        recorder.media(PartKind::Image, image.length(), call);
    }
}

/// The output of a call: its texts are one part; its images and files are separate parts of the same call.
fn read_output(value: Value<'_>, copies: &[Slot], recorder: &mut Recorder) {
    let output = value.present("output");
    let is_sealed = ["computer_call_output", "tool_search_output"]
        .into_iter()
        .any(|name| value.text_of("type").is_some_and(|kind| kind.is(name)));
    let id = id_of(value).map(Text::decode);
    if is_sealed {
        let length = value.present("tools").map(length_of_value).unwrap_or_default();
        let part = Part { output: Output::Sealed, ..Part::new(PartKind::ToolResult, length) };
        let call = recorder.result_named(id.as_deref(), None, part, None);
        recorder.set_places(value.present("tools").map(Value::span));
        if let Some(screenshot) = output {
            recorder.media(PartKind::Image, media_length(screenshot), call);
        }
        return;
    }
    let (length, pieces) = joined(texts_of(output));
    let has_failed = value.text_of("status").is_some_and(|status| status.is("failed"));
    let state = recorder.output_of(only_text(output), id_of(value), has_failed);
    let part = Part { output: state, pieces, ..Part::new(PartKind::ToolResult, length) };
    let call = recorder.result(id_of(value), None, part, Some(slot_of(value, output)));
    recorder.set_places(texts_of(output).map(Text::span));
    for copy in copies {
        recorder.add_copy(copy.clone());
    }
    for block in output.into_iter().flat_map(Value::elements) {
        match block.text_of("type").map(Text::decode).as_deref() {
            Some("input_image") => recorder.media(PartKind::Image, media_length(block), call),
            Some("input_file" | "input_audio") => {
                recorder.media(PartKind::File, media_length(block), call);
            }
            _ => {}
        }
    }
}

/// The texts of an output: the output itself, its blocks, or the output of each shell command.
fn texts_of(output: Option<Value<'_>>) -> impl Iterator<Item = Text<'_>> {
    let itself = output.and_then(|output| output.text().or_else(|| output.text_of("content")));
    let blocks = output.into_iter().flat_map(Value::elements);
    let printed = blocks
        .flat_map(|block| ["text", "stdout", "stderr"].into_iter().filter_map(move |key| block.text_of(key)));
    itself.into_iter().chain(printed)
}

/// The text of an output with exactly one; a placeholder may be any of these.
fn only_text(output: Option<Value<'_>>) -> Option<Text<'_>> {
    let shell = || {
        let mut texts = texts_of(output).filter(|text| !text.is_empty());
        let first = texts.next();
        first.filter(|_| is_shell(output) && texts.next().is_none())
    };
    output.and_then(Value::text).or_else(|| sole_text(output)).or_else(shell)
}

/// Whether an output is a list of the outputs of shell commands.
fn is_shell(output: Option<Value<'_>>) -> bool {
    output
        .into_iter()
        .flat_map(Value::elements)
        .any(|entry| entry.get("stdout").is_some() || entry.get("stderr").is_some())
}

/// The output of a shell must remain a list of commands with their outcomes; every other output becomes a text.
fn slot_of(value: Value<'_>, output: Option<Value<'_>>) -> Slot {
    let slot = Slot::of_member(value, "output", Shape::Text);
    let Some(output) = output.filter(|output| is_shell(Some(*output))) else { return slot };
    let outcome = output.elements().find_map(|entry| entry.get("outcome"));
    let outcome = outcome.map(|outcome| format!(r#""outcome":{},"#, outcome.source())).unwrap_or_default();
    Slot::of_value(output, Shape::Within("", r#","stderr":""}]"#)).led_by(format!(r#"[{{{outcome}"stdout":"#))
}

/// The length of an image's or file's URL or data.
fn media_length(block: Value<'_>) -> Length {
    ["image_url", "file_data", "file_url", "file_id", "input_audio"]
        .into_iter()
        .find_map(|key| block.present(key))
        .map(length_of_value)
        .unwrap_or_default()
}
