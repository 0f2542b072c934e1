//! TinyAgent messages (formats.md, section 3): what TunaCode 0.2 stores, and lists of them.

use super::openai_chat::sole_text;
use super::recorder::{Recorder, Shape, Slot};
use super::source::Source;
use super::summary::{Ending, Style};
use super::usage;
use crate::compat::tunacode::refusal;
use crate::error::{Error, ErrorCode};
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Message, Output, Part, PartKind, Role, Turn};

pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<Ending, Error> {
    for message in source.list() {
        read_message(message, recorder)?;
    }
    Ok(Ending::List(Style::TinyAgent))
}

pub(super) fn read_message(message: Value<'_>, recorder: &mut Recorder) -> Result<(), Error> {
    if recorder.strict
        && let Some(why) = refusal(message)
    {
        return Err(
            Error::new(ErrorCode::InvalidMessage, why).located(message.whole_source(), message.span().start)
        );
    }
    recorder.moment(message.get("timestamp"));
    let content = message.present("content");
    match message.text_of("role").map(Text::decode).as_deref() {
        Some("user") => {
            let summary = is_summary(message, content);
            let turn = match (summary, content) {
                (true, _) => Turn::Synthetic,
                (false, Some(_)) => Turn::Person,
                (false, None) => Turn::No,
            };
            recorder.begin(Message { turn, summary, ..Message::new(Role::User) }, message.span());
        }
        Some("assistant") => {
            recorder.begin(
                Message {
                    ended: has_ended(message, content),
                    usage: usage::total(message.get("usage"), &usage::TINY_AGENT),
                    ..Message::new(Role::Assistant)
                },
                message.span(),
            );
        }
        Some("tool_result") => {
            recorder.begin(Message::new(Role::Tool), message.span());
            read_result(message, content, recorder);
            return Ok(());
        }
        Some("system") => recorder.begin(Message::new(Role::System), message.span()),
        _ => recorder.begin(Message::new(Role::Other), message.span()),
    }
    read_content(content, recorder);
    Ok(())
}

/// TunaCode's notion: a stop reason of any kind, or words without a call (`ContextSummarizer`, 0.2.3).
fn has_ended(message: Value<'_>, content: Option<Value<'_>>) -> bool {
    let blocks = || content.into_iter().flat_map(Value::elements);
    let calls = blocks().any(|block| block.text_of("type").is_some_and(|kind| kind.is("tool_call")));
    let says = content.and_then(Value::text).is_some_and(|text| !text.is_blank())
        || blocks().filter_map(|block| block.text_of("text")).any(|text| !text.is_blank());
    message.present("stop_reason").is_some() || (says && !calls)
}

fn is_summary(message: Value<'_>, content: Option<Value<'_>>) -> bool {
    let flagged = message.get("compaction_summary").is_some_and(Value::is_truthy);
    let first =
        content.and_then(|content| content.text().or_else(|| content.elements().next()?.text_of("text")));
    flagged || first.is_some_and(|text| text.starts_with("[Compaction summary]"))
}

fn read_content(content: Option<Value<'_>>, recorder: &mut Recorder) {
    let Some(content) = content else { return };
    if let Some(text) = content.text() {
        return recorder.text(PartKind::Text, Some(text));
    }
    for block in content.elements() {
        match block.text_of("type").map(Text::decode).as_deref() {
            Some("text") => recorder.text(PartKind::Text, block.text_of("text")),
            Some("thinking") => recorder.text(PartKind::Thinking, block.text_of("thinking")),
            Some("image") => recorder.media(PartKind::Image, image_length(block), None),
            Some("tool_call") => {
                recorder.call(block.text_of("id"), block.text_of("name"), block.get("arguments"));
            }
            // A content element may be null.
            _ if block.is_null() => {}
            _ => recorder.value(PartKind::Other, Some(block)),
        }
    }
}

fn read_result(message: Value<'_>, content: Option<Value<'_>>, recorder: &mut Recorder) {
    let blocks = || content.into_iter().flat_map(Value::elements);
    let text = content.and_then(Value::text);
    let texts = blocks().filter(|block| block.text_of("type").is_some_and(|kind| kind.is("text")));
    let whole = text.map_or((Length::default(), 0_u16), |text| (text.length(), 1));
    let (length, pieces) = texts.fold(whole, |(length, pieces), block| {
        let text = block.text_of("text").map(Text::length).unwrap_or_default();
        (length.plus(text), pieces.saturating_add(1))
    });
    let output = if message.get("is_error").is_some_and(Value::is_truthy) {
        Output::Error
    } else {
        recorder.output_of(text.or_else(|| sole_text(content)))
    };
    let part = Part { output, pieces, ..Part::new(PartKind::ToolResult, length) };
    let slot = Slot::of_member(message, "content", Shape::Blocks);
    let call =
        recorder.result(message.text_of("tool_call_id"), message.text_of("tool_name"), part, Some(slot));
    recorder.stands_in(content);
    for image in blocks().filter(|block| block.text_of("type").is_some_and(|kind| kind.is("image"))) {
        recorder.media(PartKind::Image, image_length(image), call);
    }
}

/// The length of an image's URL; without one TinyAgent's text is `[image]`.
fn image_length(block: Value<'_>) -> Length {
    block.text_of("url").filter(|url| !url.is_empty()).map_or_else(|| Length::of("[image]"), Text::length)
}
