//! TinyAgent messages: TunaCode's storage since 0.2, and lists of them.
//!
//! Structures from `tinyagent/agent_types.py` of tiny-agent-os 1.2 (alchemiststudiosDOTai/tinyAgent).

mod entry;
mod summary;

pub(super) use entry::{CONTENT, ENTRY};

mod block;
mod load;
mod member;

use super::marker::MarkerKind;
use super::openai_chat::sole_text;
use super::placement::SummaryPlacement;
use super::reading::ReadOptions;
use super::recorder::Recorder;
use super::slot::{Shape, Slot};
use super::source::Source;
use super::usage;
use crate::error::{Error, ErrorCode};
use crate::json::{Text, Value};
use crate::length::Length;
use crate::notation::python;
use crate::transcript::{Message, Part, PartKind, Role, Transcript, Turn};

pub use block::{BlockKind, block_kind};
pub use load::{refusal, unmeasurable};

pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    for message in source.list() {
        read_message(message, recorder)?;
    }
    Ok(SummaryPlacement::List(&summary::LISTED))
}

/// The transcript of messages that are known to be TinyAgent's.
///
/// # Errors
///
/// `invalid_message` if `options` are strict and TunaCode's loader would refuse a message.
///
/// # Example
///
/// ```
/// let json = r#"[{"role": "user", "content": [{"type": "text", "text": "hello"}]}]"#;
/// let document = ebbline::json::Document::parse(json)?;
/// let messages: Vec<_> = document.root().elements().collect();
/// let transcript = ebbline::format::tinyagent::transcript(&messages, &ebbline::ReadOptions::default())?;
/// assert_eq!(transcript.parts()[0].length.utf16, 5);
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn transcript(messages: &[Value<'_>], options: &ReadOptions) -> Result<Transcript, Error> {
    let mut recorder = Recorder::new(options);
    for message in messages {
        read_message(*message, &mut recorder)?;
    }
    Ok(recorder.transcript)
}

pub(super) fn read_message(message: Value<'_>, recorder: &mut Recorder) -> Result<(), Error> {
    if recorder.strict
        && let Some(why) = refusal(message).or_else(|| unmeasurable(message))
    {
        return Err(
            Error::new(ErrorCode::InvalidMessage, why).located(message.whole_source(), message.span().start)
        );
    }
    recorder.moment(message.get("timestamp"));
    let content = message.present("content");
    match message.text_of("role").map(Text::decode).as_deref() {
        Some("user") => {
            let summary = is_flagged(message);
            // TunaCode's pruning looks for the key `content` and ignores its value: `null` makes a turn, a missing
            // key none (commit 41ae26a, `prune_old_tool_outputs`).
            let turn = match (summary, message.get("content")) {
                (true, _) => Turn::Synthetic,
                (false, Some(_)) => Turn::Person,
                (false, None) => Turn::No,
            };
            if summary {
                recorder.mark(MarkerKind::Summary, "compaction_summary", message.span());
            }
            recorder.begin(Message { turn, summary, ..Message::new(Role::User) }, message.span());
            recorder.check_summary(first_text(content));
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
    read_content(message, content, recorder);
    Ok(())
}

/// TunaCode's rule: any stop reason, or text without a call (`ContextSummarizer`, 0.2.3).
fn has_ended(message: Value<'_>, content: Option<Value<'_>>) -> bool {
    let blocks = || content.into_iter().flat_map(Value::elements);
    let calls = || blocks().any(|block| kind_of(message, block) == Some(BlockKind::ToolCall));
    let says = || {
        content
            .and_then(Value::text)
            .into_iter()
            .chain(
                blocks()
                    .filter(|block| kind_of(message, *block) == Some(BlockKind::Text))
                    .filter_map(|block| block.text_of("text")),
            )
            .any(|text| !python::is_blank(text))
    };
    message.present("stop_reason").is_some() || (says() && !calls())
}

/// The kind of a block of `message`: the loader's, or its own type if the loader would refuse it.
fn kind_of(message: Value<'_>, block: Value<'_>) -> Option<BlockKind> {
    block_kind(block, BlockKind::of_role(message.text_of("role")))
        .or_else(|| BlockKind::named(block.text_of("type")?))
}

/// Whether a user's message is flagged as a summary.
pub(super) fn is_flagged(message: Value<'_>) -> bool {
    message.get("compaction_summary").is_some_and(Value::is_truthy)
}

/// The first text of a message.
pub(super) fn first_text(content: Option<Value<'_>>) -> Option<Text<'_>> {
    content.and_then(|content| content.text().or_else(|| content.elements().next()?.text_of("text")))
}

fn read_content(message: Value<'_>, content: Option<Value<'_>>, recorder: &mut Recorder) {
    let Some(content) = content else { return };
    if let Some(text) = content.text() {
        return recorder.text(PartKind::Text, Some(text));
    }
    for block in content.elements() {
        match kind_of(message, block) {
            Some(BlockKind::Text) => {
                recorder.text(PartKind::Text, block.text_of("text"));
                recorder.sign(block.text_of("text_signature"));
            }
            Some(BlockKind::Thinking) => {
                recorder.text(PartKind::Thinking, block.text_of("thinking"));
                recorder.sign(block.text_of("thinking_signature"));
            }
            Some(BlockKind::Image) => recorder.media(PartKind::Image, image_length(block), None),
            Some(BlockKind::ToolCall) => {
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
    let texts = blocks().filter(|block| kind_of(message, *block) == Some(BlockKind::Text));
    let whole = text.map_or((Length::default(), 0_u16), |text| (text.length(), 1));
    let (length, pieces) = texts.fold(whole, |(length, pieces), block| {
        let text = block.text_of("text").map(Text::length).unwrap_or_default();
        (length.plus(text), pieces.saturating_add(1))
    });
    let has_failed = message.get("is_error").is_some_and(Value::is_truthy);
    let id = message.text_of("tool_call_id");
    let output = recorder.output_of(text.or_else(|| sole_text(content)), id, has_failed);
    let part = Part { output, pieces, ..Part::new(PartKind::ToolResult, length) };
    let slot = Slot::of_member(message, "content", Shape::Blocks);
    let call = recorder.result(id, message.text_of("tool_name"), part, Some(slot));
    recorder.set_text_places(content);
    for image in blocks().filter(|block| kind_of(message, *block) == Some(BlockKind::Image)) {
        recorder.media(PartKind::Image, image_length(image), call);
    }
}

/// The length of an image's URL; TinyAgent's text for an image without one is `[image]`.
fn image_length(block: Value<'_>) -> Length {
    block.text_of("url").filter(|url| !url.is_empty()).map_or_else(|| Length::of("[image]"), Text::length)
}
