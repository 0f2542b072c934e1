//! What one event of Copilot CLI sends to the model.

use std::ops::Range;

use crate::format::media::{ANY, priced};
use crate::format::pieces::PieceKind;
use crate::format::recorder::{Recorder, length_of_value};
use crate::format::slot::{Shape, Slot};
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Message, Part, PartKind, Role};

/// The result that the model gets for a call that failed without a message.
const FAILED: &str = "Tool execution failed";

/// The user's message as sent: with the time and reminders around the typed text.
pub(super) fn user(data: Value<'_>, span: Range<usize>, recorder: &mut Recorder) {
    let typed = data.text_of("content").filter(|text| !text.is_blank());
    let is_own = data.present("source").is_some()
        || data.get("isAutopilotContinuation").is_some_and(Value::is_truthy)
        || typed.is_none();
    recorder.begin(if is_own { Message::context() } else { Message::person() }, span);
    let sent = data.text_of("transformedContent").or_else(|| data.text_of("content"));
    recorder.text(PartKind::Text, sent);
    for attachment in data.elements_of("attachments") {
        let is_image = attachment.text_of("mimeType").is_some_and(|mime| mime.starts_with("image/"));
        let words = attachment.text_of("taggedFilesEntry").or_else(|| attachment.text_of("text"));
        if is_image {
            recorder.media(PartKind::Image, bytes_of(attachment), None);
        } else if let Some(words) = words {
            recorder.text(PartKind::Text, Some(words));
            recorder.set_piece_kind(PieceKind::Added);
        } else if attachment.present("data").is_some() {
            let length = priced(PartKind::File, bytes_of(attachment), data_of(attachment), attachment, ANY);
            recorder.media(PartKind::File, length, None);
        }
    }
}

/// A message that the agent wrote in the user's name, for example that a background task has ended.
pub(super) fn notification(data: Value<'_>, span: Range<usize>, recorder: &mut Recorder) {
    recorder.begin_unlisted(Message::context(), span);
    recorder.text(PartKind::Text, data.text_of("content"));
}

/// An answer or a piece of one.
pub(super) fn assistant(data: Value<'_>, span: Range<usize>, thinks: bool, recorder: &mut Recorder) {
    let content = data.text_of("content").filter(|text| !text.is_empty());
    let calls = data.elements_of("toolRequests").count();
    let continues = data.get("chunkIndex").and_then(Value::number).is_some_and(|chunk| chunk > 0.0);
    let ended = calls == 0 && content.is_some_and(|text| !text.is_blank());
    recorder.begin(Message { ended, continues, ..Message::new(Role::Assistant) }, span);
    let opaque = ["reasoningOpaque", "encryptedContent"].map(|key| data.text_of(key));
    let reasoning = data.text_of("reasoningText");
    let is_opaque = || opaque.iter().flatten().any(|text| !text.is_empty());
    if thinks && (reasoning.is_some() || is_opaque()) {
        recorder.text(PartKind::Thinking, reasoning);
        for text in opaque {
            recorder.sign(text);
        }
    }
    if content.is_some() {
        recorder.text(PartKind::Text, content);
    }
    for call in data.elements_of("toolRequests") {
        recorder.call(call.text_of("toolCallId"), call.text_of("name"), call.get("arguments"));
    }
}

/// The result of a call: its short text is sent; the detailed one is for people.
pub(super) fn result(data: Value<'_>, span: Range<usize>, recorder: &mut Recorder) {
    recorder.begin(Message::new(Role::Tool), span);
    let is_success = data.get("success").is_some_and(Value::is_truthy);
    let holder = data.get(if is_success { "result" } else { "error" }).filter(|holder| holder.is_object());
    let key = if is_success { "content" } else { "message" };
    let text = holder.and_then(|holder| holder.text_of(key));
    let id = data.text_of("toolCallId");
    let output = recorder.output_of(text, id, !is_success);
    let unsaid = if is_success { Length::default() } else { Length::of(FAILED) };
    let length = text.filter(|text| is_success || !text.is_empty()).map_or(unsaid, Text::length);
    let part = Part { output, ..Part::new(PartKind::ToolResult, length) };
    // If pruned outputs are replaced by nothing, the model would be told on every request that the call failed.
    let is_fixed = !is_success && recorder.clears_to_nothing();
    let slot = holder.filter(|_| !is_fixed).map(|holder| Slot::of_member(holder, key, Shape::Text));
    let call = recorder.result(id, None, part, slot);
    let index = recorder.newest_part();
    recorder.set_places(text.map(Text::span));
    let Some(holder) = holder else { return };
    if holder.text_of("detailedContent").is_some() {
        recorder.add_copy(Slot::of_member(holder, "detailedContent", Shape::Text));
    }
    if holder.elements_of("contents").next().is_some() {
        recorder.add_copy(Slot::of_member(holder, "contents", Shape::Fixed("[]")));
    }
    if holder.elements_of("binaryResultsForLlm").next().is_some() {
        recorder.add_slot(index, Slot::of_member(holder, "binaryResultsForLlm", Shape::Fixed("[]")));
        for binary in holder.elements_of("binaryResultsForLlm") {
            let is_image = binary.text_of("mimeType").is_some_and(|mime| mime.starts_with("image/"));
            let kind = if is_image { PartKind::Image } else { PartKind::File };
            recorder.media(kind, priced(kind, bytes_of(binary), data_of(binary), binary, ANY), call);
        }
    }
}

fn bytes_of(holder: Value<'_>) -> Length {
    data_of(holder).map(length_of_value).unwrap_or_default()
}

fn data_of(holder: Value<'_>) -> Option<Value<'_>> {
    ["data", "assetId", "path"].iter().find_map(|key| holder.present(key))
}
