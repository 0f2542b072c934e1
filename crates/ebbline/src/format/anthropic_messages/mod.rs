//! Anthropic Messages: a request, a response, a list, or a line each.
//!
//! Shapes by `resources/messages` of npm `@anthropic-ai/sdk` 1.12.

mod entry;
mod summary;

pub(super) use entry::ENTRY;

use super::marker::MarkerKind;
use super::media::{ANY, priced};
use super::openai_chat::{joined, sole_text};
use super::placement::SummaryPlacement;
use super::recorder::{Recorder, length_of_value};
use super::slot::{Shape, Slot};
use super::source::Source;
use super::usage;
use crate::error::Error;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Message, Output, Part, PartKind, Role};

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let root = source.root().filter(|root| root.is_object() && !source.is_lines);
    if let Some(system) = root.and_then(|root| root.present("system")) {
        recorder.begin_unlisted(Message::new(Role::System), system.span());
        read_content(Some(system), recorder);
    }
    let response = root.filter(|root| root.get("messages").is_none());
    if let Some(response) = response {
        read_message(response, response.span(), true, recorder);
        return Ok(SummaryPlacement::None);
    }
    let messages = source.list();
    // The server ignores everything before the newest compaction block.
    let compacts = |message: &Value<'_>| message.elements_of("content").any(is_compaction);
    let first_sent = messages.iter().rposition(compacts).unwrap_or(0);
    for (index, message) in messages.into_iter().enumerate() {
        read_message(message, message.span(), index >= first_sent, recorder);
    }
    Ok(SummaryPlacement::List(&summary::LISTED))
}

/// Whether a block stands for what is before it. One without content is that of a compaction that failed: the server
/// ignores it.
fn is_compaction(block: Value<'_>) -> bool {
    is_type(block, "compaction") && block.present("content").is_some()
}

/// Reads a message that stands at `span`: the message itself, or an entry with it.
pub(super) fn read_message(
    message: Value<'_>,
    span: std::ops::Range<usize>,
    active: bool,
    recorder: &mut Recorder,
) {
    for edit in message.get("context_management").into_iter().flat_map(|by| by.elements_of("applied_edits")) {
        recorder.mark(MarkerKind::Prune, "applied_edits", edit.span());
    }
    let content = message.get("content");
    let blocks = || content.into_iter().flat_map(Value::elements);
    match message.text_of("role").map(Text::decode).as_deref() {
        Some("assistant") => {
            let calls = blocks().any(|block| is_type(block, "tool_use"));
            let says = content.and_then(Value::text).is_some_and(|text| !text.is_blank())
                || blocks().filter_map(|block| block.text_of("text")).any(|text| !text.is_blank());
            let ended = message.present("stop_reason").is_some() || (says && !calls);
            let usage = usage::total(message.get("usage"), &usage::ANTHROPIC).filter(|_| active);
            // An answer that only contains the compaction: the server was told to pause after it.
            let summary = blocks().next().is_some() && blocks().all(is_compaction);
            let begun = Message { ended, summary, usage, ..Message::new(Role::Assistant) };
            recorder.begin(Message { active, ..begun }, span);
        }
        Some("user") => {
            // A user message with only tool results begins no turn, because the user said nothing.
            let results = blocks().filter(|block| is_type(*block, "tool_result")).count();
            let only_results = results > 0 && results == blocks().count();
            let begun = if only_results { Message::new(Role::Tool) } else { Message::person() };
            recorder.begin(Message { active, ..begun }, span);
            recorder.check_summary(content.and_then(Value::text).or_else(|| sole_text(content)));
        }
        Some("system") => recorder.begin(Message { active, ..Message::new(Role::System) }, message.span()),
        _ => recorder.begin(Message { active, ..Message::new(Role::Other) }, message.span()),
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
        // Content that the server encrypted is sent, but its number of tokens is unknown.
        "redacted_thinking" => {
            recorder.text(PartKind::Thinking, None);
            recorder.sign(block.text_of("data"));
        }
        "tool_use" | "server_tool_use" | "mcp_tool_use" => {
            recorder.call(block.text_of("id"), block.text_of("name"), block.get("input"));
        }
        "tool_result" => read_result(block, recorder),
        "image" => recorder.media(PartKind::Image, media_length(block), None),
        "document" => read_document(block, None, recorder),
        "search_result" => recorder.value(PartKind::File, block.get("content")),
        "container_upload" => recorder.value(PartKind::File, block.get("file_id")),
        "compaction" => {
            recorder.mark(MarkerKind::Compaction, "compaction", block.span());
            recorder.value(PartKind::Summary, block.get("content"));
            recorder.sign(block.text_of("encrypted_content"));
        }
        name if name.ends_with("_tool_result") => {
            let length = block.get("content").map(length_of_value).unwrap_or_default();
            let part = Part { output: Output::Sealed, ..Part::new(PartKind::ToolResult, length) };
            recorder.result(block.text_of("tool_use_id"), None, part, None);
            recorder.set_places(block.get("content").map(Value::span));
        }
        _ => recorder.value(PartKind::Other, Some(block)),
    }
}

/// A tool result: its texts are one part; its images are separate parts of the same call.
fn read_result(block: Value<'_>, recorder: &mut Recorder) {
    let part = result_part(block, recorder);
    let slot = Slot::of_member(block, "content", Shape::Text);
    let call = recorder.result(block.text_of("tool_use_id"), None, part, Some(slot));
    recorder.set_text_places(block.get("content"));
    read_enclosures(block, call, recorder);
}

/// The texts of a tool result as one part.
pub(super) fn result_part(block: Value<'_>, recorder: &Recorder) -> Part {
    let content = block.get("content");
    let blocks = content.into_iter().flat_map(Value::elements);
    let text = content.and_then(Value::text);
    let (length, pieces) = text
        .map_or_else(|| joined(blocks.filter_map(|block| block.text_of("text"))), |text| (text.length(), 1));
    let (id, has_failed) =
        (block.text_of("tool_use_id"), block.get("is_error").is_some_and(Value::is_truthy));
    let output = recorder.output_of(text.or_else(|| sole_text(content)), id, has_failed);
    Part { output, pieces, ..Part::new(PartKind::ToolResult, length) }
}

/// The contents of a tool result other than texts.
pub(super) fn read_enclosures(block: Value<'_>, call: Option<u32>, recorder: &mut Recorder) {
    for inner in block.elements_of("content") {
        match inner.text_of("type").map(Text::decode).as_deref() {
            Some("image") => recorder.media(PartKind::Image, media_length(inner), call),
            Some("text") | None => {}
            Some(_) => {
                let length = priced(PartKind::File, length_of_value(inner), data_of(inner), inner, ANY);
                recorder.media(PartKind::File, length, call);
            }
        }
    }
}

/// A document. Images among its own blocks are parts of their own.
fn read_document(block: Value<'_>, call: Option<u32>, recorder: &mut Recorder) {
    let data = data_of(block);
    let is_image = |inner: &Value<'_>| inner.text_of("type").is_some_and(|kind| kind.is("image"));
    let blocks = || data.into_iter().flat_map(Value::elements);
    if !blocks().any(|inner| is_image(&inner)) {
        let file = data.filter(|data| !data.is_array());
        let length = priced(PartKind::File, media_length(block), file, block, ANY);
        return recorder.media(PartKind::File, length, call);
    }
    let said = blocks().filter(|inner| !is_image(inner));
    let length = said.fold(Length::default(), |length, inner| length.plus(length_of_value(inner)));
    recorder.media(PartKind::File, length, call);
    for image in blocks().filter(is_image) {
        recorder.media(PartKind::Image, media_length(image), call);
    }
}

/// The length of an image's or document's URL, data or text.
fn media_length(block: Value<'_>) -> Length {
    data_of(block).map(length_of_value).unwrap_or_default()
}

/// An image's or document's URL, data or text.
fn data_of(block: Value<'_>) -> Option<Value<'_>> {
    let source = block.get("source")?;
    ["data", "url", "file_id", "content"].into_iter().find_map(|key| source.present(key))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;
    use crate::format::Format;
    use crate::session_text::{EditOptions, ReadOptions, SessionText};
    use crate::{PlanOptions, profiles};

    fn read(source: &str) -> SessionText<'static> {
        let options = ReadOptions { format: Some(Format::AnthropicMessages), ..ReadOptions::default() };
        SessionText::read_with(source.to_owned(), &options).unwrap()
    }

    #[test]
    fn each_block_is_counted_as_what_is_sent_of_it() {
        let cases = [
            (
                r#"{"type":"search_result","source":"u","title":"t","content":[{"type":"text","text":"abc"}]}"#,
                PartKind::File,
                30,
            ),
            (r#"{"type":"container_upload","file_id":"file_1"}"#, PartKind::File, 6),
            (r#"{"type":"document","source":{"type":"base64","data":"AAAA"}}"#, PartKind::File, 4),
            (r#"{"type":"image","source":{"type":"file","file_id":"file_1"}}"#, PartKind::Image, 6),
            (r#"{"type":"redacted_thinking","data":"AAAA"}"#, PartKind::Thinking, 0),
            (r#"{"type":"mcp_tool_use","id":"m","name":"n","input":{}}"#, PartKind::ToolCall, 2),
            (r#"{"type":"mcp_tool_result","tool_use_id":"m","content":"ab"}"#, PartKind::ToolResult, 2),
            (r#"{"type":"compaction","content":"abc","encrypted_content":"AAAA"}"#, PartKind::Summary, 3),
            (r#"{"type":"fallback"}"#, PartKind::Other, 19),
            ("null", PartKind::Other, 4),
        ];
        for (block, kind, length) in cases {
            let session = read(&format!(r#"[{{"role":"assistant","content":[{block}]}}]"#));
            let part = session.transcript().parts_of(0)[0];
            assert_eq!((part.kind, part.length.utf16), (kind, length), "{block}");
        }
    }

    #[test]
    fn only_what_follows_the_newest_compaction_block_is_sent() {
        let source = r#"[{"role":"user","content":"old"},
 {"role":"assistant","content":[{"type":"compaction","content":"first"}],"usage":{"input_tokens":9}},
 {"role":"user","content":"newer"},
 {"role":"assistant","content":[{"type":"compaction","content":"second"},{"type":"text","text":"on"}],"stop_reason":"end_turn"},
 {"role":"user","content":"newest"}]"#;
        let session = read(source);
        let active: Vec<_> = session.transcript().messages().iter().map(|message| message.active).collect();
        assert_eq!(active, [false, false, false, true, true]);
        assert_eq!((session.transcript().messages()[1].usage, session.markers().len()), (None, 2));
        assert_eq!(session.validate(), []);

        let mut policy = profiles::get("pi@0.58").unwrap();
        (policy.retain.keep, policy.model.context, policy.trigger.reserve) = (1, NonZeroU64::new(1), 0);
        let plan = session.plan_with(&policy, PlanOptions { force: true, ..PlanOptions::default() });
        let options = EditOptions { summary: Some("third".to_owned()), ..EditOptions::default() };
        let written = session.compact(&plan, &options).unwrap();
        let expected = concat!(
            r#"[{"role":"user","content":[{"type":"text","text":"[Compaction summary: it stands for 1 earlier messages; the next 1 are kept word for word] [ref cfgfcpgg]\n\nthird","citations":null}]},"#,
            "\n",
            r#" {"role":"user","content":"newest"}]"#
        );
        assert_eq!(written, expected, "nothing comes back that the block kept out");
    }

    #[test]
    fn a_compaction_that_failed_stands_for_nothing() {
        for block in
            [r#"{"type":"compaction","content":null}"#, r#"{"type":"compaction","encrypted_content":"AAAA"}"#]
        {
            let source = format!(
                r#"[{{"role":"user","content":"old"}},{{"role":"assistant","content":[{block}]}},{{"role":"user","content":"new"}}]"#
            );
            let session = read(&source);
            let messages = session.transcript().messages();
            assert!(messages.iter().all(|message| message.active && !message.summary), "{block}");
        }
    }

    #[test]
    fn what_the_server_cleared_is_marked() {
        let source = r#"{"type":"message","role":"assistant","content":[],"context_management":{"applied_edits":[
 {"type":"clear_tool_uses_20250919","cleared_tool_uses":8,"cleared_input_tokens":50000}]}}"#;
        let marks: Vec<_> = read(source).markers().iter().map(|marker| (marker.kind, marker.name)).collect();
        assert_eq!(marks, [(MarkerKind::Prune, "applied_edits")]);
    }
}
