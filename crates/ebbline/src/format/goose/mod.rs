//! Goose: lines of messages behind a line about the session (until 1.9), an export of a session, or a list of messages.
//!
//! Shapes by `crates/goose/src/conversation/message.rs` and `session/legacy.rs` of `block/goose` 1.23. What Goose compacts stays
//! in the session: its metadata hides it from the model, and the summary from the user (`context_mgmt`).

use super::entry::{Description, FormatEntry};
use super::layout::{Element, Layout, Listed, OwnElement};
use super::marker::MarkerKind;
use super::media::{ANY, data_length, priced};
use super::openai_chat::{has_text, joined, sole_text};
use super::placement::{ListSummary, OldMessages, SummaryPlacement, SummaryRecord};
use super::recorder::{Recorder, length_of_value};
use super::signs::{Sign, count_of, has};
use super::slot::{Shape, Slot};
use super::source::Source;
use super::store::{Place, Store};
use super::summary::{Summary, join};
use crate::edit::Edit;
use crate::error::Error;
use crate::json::{Text, Value, quote};
use crate::rules::{Rules, Unanswered};
use crate::transcript::{Message, Part, PartKind, Role};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { is_live: true, ..Description::of("goose", "Goose") },
    // Goose mends a conversation before it sends it: it drops calls without results, and results without calls.
    rules: Rules { unanswered: Unanswered::Anywhere, ..Rules::COMMON },
    layout: Some(&LAYOUT),
    store: &Store {
        places: &[
            Place::of("Goose", ".local/share/goose/sessions", ".jsonl"),
            Place::of("Goose", "AppData/Roaming/Block/goose/data/sessions", ".jsonl"),
        ],
        ..Store::NONE
    },
    ..FormatEntry::of(SIGNS, read)
};

const LAYOUT: Layout = Layout { own: &OWN, ..Layout::of(&[Listed::at(&["content"], element)]) };
const OWN: [OwnElement; 3] = [
    OwnElement { kind: "toolRequest", element: Element::Call, inside: &["toolCall", "value"] },
    OwnElement { kind: "frontendToolRequest", element: Element::Call, inside: &["toolCall", "value"] },
    OwnElement { kind: "toolResponse", element: Element::Result, inside: &[] },
];

const SIGNS: &[Sign] = &[
    Sign::document(57, |root| {
        let is_session = has(root, &["working_dir", "conversation"]) && root.elements_of("conversation").any(is_own);
        is_session.then(|| format!("a session of Goose with {} messages", count_of(root, "conversation")))
    }),
    Sign::log(57, |log| {
        let is_head = |line: &Value<'_>| has(*line, &["working_dir", "message_count"]);
        log.lines.first().is_some_and(is_head).then(|| "a first line with working_dir and message_count".to_owned())
    }),
    Sign::list(57, "messages with created and content, of Goose's types", |list| list.any(is_own)),
];

/// Whether a message is one that no other format has.
fn is_own(message: Value<'_>) -> bool {
    let types = ["toolRequest", "toolResponse", "frontendToolRequest", "systemNotification", "toolConfirmationRequest"];
    let metadata = message.get("metadata");
    let is_shown = metadata.is_some_and(|metadata| has(metadata, &["userVisible", "agentVisible"]));
    let is_block = |block: Value<'_>| types.iter().any(|name| is_type(block, name));
    message.get("created").is_some() && (is_shown || message.elements_of("content").any(is_block))
}

fn is_type(block: Value<'_>, name: &str) -> bool {
    block.text_of("type").is_some_and(|kind| kind.is(name))
}

fn element(block: Value<'_>) -> Option<Element> {
    match block.text_of("type").map(Text::decode).as_deref() {
        Some("text") => Some(Element::Text),
        Some("thinking" | "redactedThinking" | "reasoning") => Some(Element::Thinking),
        Some(kind) => OWN.iter().find(|own| own.kind == kind).map(|own| own.element),
        None => None,
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let mut is_behind_summary = false;
    for message in messages(source) {
        is_behind_summary = read_message(message, is_behind_summary, recorder);
    }
    let is_file = source.values().any(|value| value.get("working_dir").is_some());
    Ok(if is_file { SummaryPlacement::Record(&RECORDED) } else { SummaryPlacement::List(&LISTED) })
}

/// The messages of a session, of lines or of a list. The line about the session is none.
fn messages<'d>(source: &'d Source<'_>) -> Vec<Value<'d>> {
    let root = source.root().filter(|root| root.is_object() && !source.is_lines);
    let list = match root.and_then(|root| root.get("conversation")) {
        Some(list) => list.elements().collect(),
        None => source.list(),
    };
    let is_head = |message: &Value<'_>| message.get("role").is_none() && message.get("working_dir").is_some();
    list.into_iter().filter(|message| !is_head(message)).collect()
}

/// Reads a message; whether it is a summary.
fn read_message(message: Value<'_>, is_behind_summary: bool, recorder: &mut Recorder) -> bool {
    let content = message.get("content");
    let blocks = || message.elements_of("content");
    let is_hidden = |from: &str| {
        message.get("metadata").and_then(|metadata| metadata.get(from)).is_some_and(|flag| flag.source() == "false")
    };
    // What the user does not see was written by Goose itself: a summary, and what tells the model to go on behind it.
    let is_own = is_hidden("userVisible") && !is_hidden("agentVisible");
    let begun = match message.text_of("role").map(Text::decode).as_deref() {
        Some("assistant") => {
            let ended = has_text(content) && !blocks().any(|block| element(block) == Some(Element::Call));
            Message { ended, summary: is_own && is_behind_summary, ..Message::new(Role::Assistant) }
        }
        Some("user") if is_own => Message::earlier_summary(),
        Some("user") => {
            let results = blocks().filter(|block| element(*block) == Some(Element::Result)).count();
            if results > 0 && results == blocks().count() { Message::new(Role::Tool) } else { Message::person() }
        }
        _ => Message::new(Role::Other),
    };
    let is_summary = begun.summary && begun.role == Role::User;
    if is_summary {
        recorder.mark(MarkerKind::Compaction, "agentVisible", message.span());
    }
    recorder.begin(Message { active: !is_hidden("agentVisible"), ..begun }, message.span());
    if is_summary {
        recorder.check_summary(sole_text(content));
    }
    for block in blocks() {
        read_block(block, is_summary, recorder);
    }
    is_summary
}

fn read_block(block: Value<'_>, is_summary: bool, recorder: &mut Recorder) {
    match block.text_of("type").map(Text::decode).as_deref() {
        Some("text") => {
            let kind = if is_summary { PartKind::Summary } else { PartKind::Text };
            recorder.text(kind, block.text_of("text"));
        }
        Some("toolRequest" | "frontendToolRequest") => {
            let call = block.get("toolCall");
            let made = call.and_then(|call| call.get("value"));
            let input = made.and_then(|made| made.get("arguments")).or_else(|| call?.get("error"));
            recorder.call(block.text_of("id"), made.and_then(|made| made.text_of("name")), input);
        }
        Some("toolResponse") => read_result(block, recorder),
        Some("thinking") => {
            recorder.text(PartKind::Thinking, block.text_of("thinking"));
            recorder.sign(block.text_of("signature"));
        }
        Some("redactedThinking") => {
            recorder.text(PartKind::Thinking, None);
            recorder.sign(block.text_of("data"));
        }
        Some("reasoning") => recorder.text(PartKind::Thinking, block.text_of("text")),
        Some("image") => read_media(block, None, recorder),
        // For the user alone.
        Some("systemNotification" | "toolConfirmationRequest" | "actionRequired" | "conversationCompacted") => {}
        _ => recorder.value(PartKind::Other, Some(block)),
    }
}

/// A result: texts, which are one part, with images and files; or the error of a tool that did not run. Until 1.14 its value was
/// the list of its content.
fn read_result(block: Value<'_>, recorder: &mut Recorder) {
    let result = block.get("toolResult");
    let id = block.text_of("id");
    if let Some((result, error)) = result.and_then(|result| Some((result, result.text_of("error")?))) {
        let output = recorder.output_of(Some(error), id, true);
        let part = Part { output, pieces: 1, ..Part::new(PartKind::ToolResult, error.length()) };
        recorder.result(id, None, part, Some(Slot::of_member(result, "error", Shape::Text)));
        recorder.set_places([error.span()]);
        return;
    }
    let value = result.and_then(|result| result.get("value"));
    let content = value.filter(|value| value.is_array()).or_else(|| value?.get("content"));
    let blocks = || content.into_iter().flat_map(Value::elements);
    let said = || blocks().filter_map(text_in);
    let (length, pieces) = joined(said());
    let has_failed = value.and_then(|value| value.get("isError")).is_some_and(Value::is_truthy);
    let part = Part {
        output: recorder.output_of(sole_text(content), id, has_failed),
        pieces,
        ..Part::new(PartKind::ToolResult, length)
    };
    let slot = content.map(|content| Slot::of_value(content, Shape::Blocks));
    let call = recorder.result(id, None, part, slot);
    recorder.set_places(said().map(|text| text.span()));
    for block in blocks().filter(|block| text_in(*block).is_none()) {
        read_media(block, call, recorder);
    }
}

/// What a block of a result says: a text, or a resource that is one.
fn text_in(block: Value<'_>) -> Option<Text<'_>> {
    block.text_of("text").or_else(|| block.get("resource")?.text_of("text"))
}

fn read_media(block: Value<'_>, call: Option<u32>, recorder: &mut Recorder) {
    let kind = if is_type(block, "image") { PartKind::Image } else { PartKind::File };
    let data = block.get("data").or_else(|| block.get("resource")?.get("blob"));
    let length = data.map_or_else(|| length_of_value(block), data_length);
    recorder.media(kind, priced(kind, length, data, block, ANY), call);
}

/// In a list, which is what the model gets, the summary takes the place of what it replaces.
static LISTED: ListSummary = ListSummary::of(written);

/// In a session it stands behind what it replaces, which stays there: the user goes on seeing it.
static RECORDED: SummaryRecord = SummaryRecord { write: summarize, old: OldMessages::Stay };

fn summarize(summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    let source = Source::parse(summary.source)?;
    let removed = summary.removed();
    let is_removed = |message: &Value<'_>| removed.contains(&message.span());
    let mut edits: Vec<Edit> =
        messages(&source).into_iter().filter(is_removed).filter_map(hidden).collect();
    let Some(last) = removed.last() else { return Ok(edits) };
    edits.push(Edit::new(last.end..last.end, format!("{}{}", summary.separator(), written(summary))));
    Ok(join(edits))
}

/// The message that is a summary: the user does not see it.
fn written(summary: &Summary<'_>) -> String {
    format!(
        concat!(
            r#"{{"role":"user","created":{},"content":[{{"type":"text","text":{}}}],"#,
            r#""metadata":{{"userVisible":false,"agentVisible":true}}}}"#
        ),
        summary.now / 1_000,
        quote(&summary.marked()),
    )
}

/// The edit that hides a message from the model.
fn hidden(message: Value<'_>) -> Option<Edit> {
    let slot = match message.get("metadata").filter(|metadata| metadata.is_object()) {
        Some(metadata) => Slot::of_member(metadata, "agentVisible", Shape::Fixed("false")),
        None => Slot::of_member(message, "metadata", Shape::Fixed(r#"{"userVisible":true,"agentVisible":false}"#)),
    };
    slot.showing("")
}
