//! Messages of blocks: one reader for the formats whose messages differ from each other in names alone.
//!
//! A format says what each of its blocks is ([`Block`]); how it is measured, where it is pruned, and what the message is with
//! it, is the same for all.

use std::ops::Range;

use super::chat::Fault;
use super::media::{ANY, data_length, priced};
use super::recorder::{Recorder, length_of_value};
use super::slot::{Shape, Slot};
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Message, Part, PartKind, Role};

/// What a block of a message is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Block<'d> {
    Text(Option<Text<'d>>),
    /// Thinking, and its signature.
    Thinking(Option<Text<'d>>, Option<Text<'d>>),
    Call(Called<'d>),
    Result(Answered<'d>),
    /// An image or a file, and its data.
    Media(PartKind, Option<Value<'d>>, Value<'d>),
    /// For the user alone.
    Unsent,
    Other(Value<'d>),
}

/// A call of a tool.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Called<'d> {
    pub(super) id: Option<Text<'d>>,
    pub(super) name: Option<Text<'d>>,
    pub(super) input: Option<Value<'d>>,
}

/// A result: a text, a list of blocks with texts, or any other value, which is sent as JSON.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answered<'d> {
    pub(super) id: Option<Text<'d>>,
    pub(super) name: Option<Text<'d>>,
    /// The object whose member `key` is what the model gets.
    pub(super) holder: Value<'d>,
    pub(super) key: &'static str,
    pub(super) has_failed: bool,
    /// How a pruned one is written.
    pub(super) shape: Shape,
    /// What a block inside it is: a text, an image, or a value.
    pub(super) inside: fn(Value<'d>) -> Block<'d>,
}

/// A block inside a result of a format in which texts alone are sent.
pub(super) fn text_inside(block: Value<'_>) -> Block<'_> {
    Block::Text(block.text_of("text"))
}

/// What a message says in its member `content`: a text, or blocks of a format.
pub(super) fn blocks_in<'d>(
    content: Option<Value<'d>>,
    block: impl Fn(Value<'d>) -> Block<'d>,
) -> Vec<Block<'d>> {
    let Some(content) = content else { return Vec::new() };
    content
        .text()
        .map_or_else(|| content.elements().map(block).collect(), |text| vec![Block::Text(Some(text))])
}

/// The message of a role that says this: a user's message of nothing but results is a tool's, and an answer that calls
/// nothing ends its run.
pub(super) fn message_of(role: Role, blocks: &[Block<'_>]) -> Message {
    let sent = || blocks.iter().filter(|block| !matches!(block, Block::Unsent));
    let results = sent().filter(|block| matches!(block, Block::Result(_))).count();
    let calls = sent().any(|block| matches!(block, Block::Call(_)));
    let says = |block: &Block<'_>| matches!(block, Block::Text(Some(text)) if !text.is_blank());
    match role {
        Role::User if results > 0 && results == sent().count() => Message::new(Role::Tool),
        Role::User => Message::person(),
        Role::Assistant => Message { ended: !calls && sent().any(says), ..Message::new(Role::Assistant) },
        role => Message::new(role),
    }
}

/// The message of whoever has this name, and says this.
pub(super) fn message_by(role: Option<Text<'_>>, blocks: &[Block<'_>]) -> Message {
    match role.map(Text::decode).as_deref() {
        Some("user") => message_of(Role::User, blocks),
        Some("assistant") => message_of(Role::Assistant, blocks),
        Some("tool") => Message::new(Role::Tool),
        Some("system" | "developer") => Message::new(Role::System),
        _ => Message::new(Role::Other),
    }
}

/// The member of an object that two languages, or two versions, write in two ways.
pub(super) fn either<'d>(object: Value<'d>, keys: [&str; 2]) -> Option<Value<'d>> {
    keys.into_iter().find_map(|key| object.present(key))
}

/// The fault of a message whose texts stand where the format has none: read, it would be an empty one.
pub(super) fn fault_where(is_of_another: bool) -> Option<Fault> {
    is_of_another.then_some(Fault::Content)
}

/// Records a message and its blocks.
pub(super) fn record(message: Message, span: Range<usize>, blocks: &[Block<'_>], recorder: &mut Recorder) {
    recorder.begin(message, span);
    if let Some(Block::Text(text)) = blocks.first() {
        recorder.check_summary(*text);
    }
    let words = if message.summary { PartKind::Summary } else { PartKind::Text };
    for block in blocks {
        match *block {
            Block::Text(text) => recorder.text(words, text),
            Block::Thinking(text, signature) => {
                recorder.text(PartKind::Thinking, text);
                recorder.sign(signature);
            }
            Block::Call(call) => recorder.call(call.id, call.name, call.input),
            Block::Result(result) => record_result(result, recorder),
            Block::Media(kind, data, block) => record_media(kind, data, block, None, recorder),
            Block::Unsent => {}
            Block::Other(block) => recorder.value(PartKind::Other, Some(block)),
        }
    }
}

fn record_media(
    kind: PartKind,
    data: Option<Value<'_>>,
    block: Value<'_>,
    call: Option<u32>,
    recorder: &mut Recorder,
) {
    let length = data.map_or_else(|| length_of_value(block), data_length);
    recorder.media(kind, priced(kind, length, data, block, ANY), call);
}

fn record_result(result: Answered<'_>, recorder: &mut Recorder) {
    let value = result.holder.present(result.key);
    let inside: Vec<_> = value.into_iter().flat_map(Value::elements).map(result.inside).collect();
    let said: Vec<(Length, Range<usize>)> = inside
        .iter()
        .filter_map(|block| match block {
            Block::Text(text) => text.map(|text| (text.length(), text.span())),
            Block::Other(value) => Some((length_of_value(*value), value.span())),
            _ => None,
        })
        .collect();
    let is_of_blocks = !said.is_empty() || inside.iter().any(|block| matches!(block, Block::Media(..)));
    let (length, pieces) = if is_of_blocks {
        let length = said.iter().fold(Length::default(), |sum, (length, _)| sum.plus(*length));
        (length, u16::try_from(said.len()).unwrap_or(u16::MAX))
    } else {
        (value.map(length_of_value).unwrap_or_default(), 1)
    };
    let sole = match inside.as_slice() {
        [Block::Text(text)] => *text,
        _ => value.and_then(Value::text),
    };
    let output = recorder.output_of(sole, result.id, result.has_failed);
    let part = Part { output, pieces, ..Part::new(PartKind::ToolResult, length) };
    let slot = Slot::of_member(result.holder, result.key, result.shape);
    let call = recorder.result(result.id, result.name, part, Some(slot));
    if is_of_blocks {
        recorder.set_places(said.into_iter().map(|(_, span)| span));
    } else {
        recorder.set_places(value.map(Value::span));
    }
    for block in inside {
        if let Block::Media(kind, data, block) = block {
            record_media(kind, data, block, call, recorder);
        }
    }
}
