//! SWE-agent's `history`: what its main agent sends, entry by entry.

use super::answer::{is_type, read_answer};
use super::copies::{Copies, slot, text_of};
use crate::format::openai_chat::{image_length, joined, read_content};
use crate::format::recorder::Recorder;
use crate::json::{Text, Value};
use crate::marks::Claim;
use crate::transcript::{Message, Output, Part, PartKind, Role};

/// The role of an entry in the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The task: the first observation, which is never removed.
    Task,
    /// The output of a command.
    Observation,
    /// Anything else, by its role.
    Other,
}

pub(super) fn read(root: Value<'_>, recorder: &mut Recorder) {
    let entries: Vec<_> = root.elements_of("history").collect();
    let kinds = kinds_of(&entries);
    let mut copies = Copies::of(root);
    for (index, (entry, kind)) in entries.iter().copied().zip(kinds.iter().copied()).enumerate() {
        match kind {
            Kind::Task => {
                recorder.begin(Message::person(), entry.span());
                read_observation(entry, true, recorder);
            }
            Kind::Observation => {
                recorder.begin(Message::new(Role::Tool), entry.span());
                let output = read_observation(entry, is_demo(entry), recorder);
                copies.note(index, entry, output, recorder);
            }
            Kind::Other => {
                let is_answered = kinds.get(index + 1).is_some_and(|next| *next == Kind::Observation);
                read_other(entry, is_answered, recorder);
            }
        }
    }
}

/// Classifies the entries. Since 1.0 `message_type` states what an entry is; before, every user message after the
/// task is an observation.
fn kinds_of(entries: &[Value<'_>]) -> Vec<Kind> {
    let is_typed = entries.iter().any(|entry| entry.get("message_type").is_some());
    let mut has_task = false;
    let kind = |(index, entry): (usize, &Value<'_>)| {
        let is_user = is(*entry, "role", "user");
        if is_user && !is_demo(*entry) && is_summary(entries, index) {
            // A summary that replaces the task. A summary of the demonstrations before the task belongs to these.
            has_task = true;
            return Kind::Other;
        }
        let is_observation = if is_typed {
            is(*entry, "message_type", "observation")
        } else {
            is_user && !is_demo(*entry) || is(*entry, "role", "tool")
        };
        if !is_observation {
            return Kind::Other;
        }
        if is_user && !has_task && !is_demo(*entry) {
            has_task = true;
            return if is_typed { Kind::Task } else { Kind::Other };
        }
        Kind::Observation
    };
    entries.iter().enumerate().map(kind).collect()
}

/// Whether entry `index`, a user message, is a summary by ebbline: see [`Recorder::check_summary`].
fn is_summary(entries: &[Value<'_>], index: usize) -> bool {
    let (before, rest) = entries.split_at_checked(index).unwrap_or_default();
    let Some((entry, behind)) = rest.split_first() else { return false };
    let claim = entry.text_of("content").and_then(|text| Claim::of(&text.decode()));
    claim.filter(|_| before.iter().all(|entry| is(*entry, "role", "system"))).is_some_and(|claim| {
        let anchor = || behind.iter().find_map(|entry| anchor_of(*entry));
        claim.fits_itself() || anchor().is_some_and(|anchor| claim.fits(&anchor.decode()))
    })
}

/// The anchor of an entry, in the order in which its parts are read: see `Recorder::text` and `Recorder::call`.
fn anchor_of(entry: Value<'_>) -> Option<Text<'_>> {
    if is(entry, "role", "tool") || entry.elements_of("tool_call_ids").next().is_some() {
        let answers = entry.elements_of("tool_call_ids").next().and_then(Value::text);
        return answers.or_else(|| entry.text_of("tool_call_id"));
    }
    if is(entry, "role", "user") {
        return None;
    }
    let is_said = |text: &Text<'_>| !text.is_empty();
    let texts = entry.elements_of("content").filter_map(|block| block.text_of("text"));
    let said = entry.text_of("content").into_iter().chain(texts).find(is_said);
    said.or_else(|| entry.elements_of("tool_calls").find_map(|call| call.text_of("id")))
}

fn is(entry: Value<'_>, key: &str, name: &str) -> bool {
    entry.text_of(key).is_some_and(|text| text.is(name))
}

/// Whether an entry belongs to a demonstration, which is sent before the task.
fn is_demo(entry: Value<'_>) -> bool {
    entry.get("is_demo").is_some_and(Value::is_truthy)
}

fn read_other(entry: Value<'_>, is_answered: bool, recorder: &mut Recorder) {
    let content = entry.present("content");
    match entry.text_of("role").map(Text::decode).as_deref() {
        Some("system") => recorder.begin(Message::new(Role::System), entry.span()),
        Some("user") => {
            recorder.begin(if is_demo(entry) { Message::context() } else { Message::person() }, entry.span());
            recorder.check_summary(content.and_then(Value::text));
        }
        Some("assistant") => {
            let ended = !is_answered && entry.elements_of("tool_calls").next().is_none();
            recorder.begin(Message { ended, ..Message::new(Role::Assistant) }, entry.span());
            // `thought` and `action` are parsed from the content and not sent.
            return read_answer(entry, recorder);
        }
        _ => recorder.begin(Message::new(Role::Other), entry.span()),
    }
    read_content(content, recorder);
}

/// Adds an observation and returns what may be done with it.
pub(super) fn read_observation(entry: Value<'_>, sealed: bool, recorder: &mut Recorder) -> Output {
    let content = entry.present("content");
    let blocks = || content.into_iter().flat_map(Value::elements);
    let text = content.and_then(Value::text);
    let (length, pieces) = text.map_or_else(
        || joined(blocks().filter_map(|block| block.text_of("text"))),
        |text| (text.length(), 1),
    );
    let id = entry.elements_of("tool_call_ids").next().and_then(Value::text);
    let id = id.or_else(|| entry.text_of("tool_call_id"));
    let images = || blocks().filter(|block| is_type(*block, "image_url"));
    // Images belong to a call's result. Without a call they would stay after pruning, and so must the observation.
    let is_fixed = sealed || is_tagged(entry, "keep_output") || (id.is_none() && images().next().is_some());
    let output = match text_of(entry) {
        _ if is_fixed => Output::Sealed,
        text => recorder.output_of(text, id, false),
    };
    let part = Part { output, pieces, ..Part::new(PartKind::ToolResult, length) };
    let slot = slot(entry).filter(|_| !is_fixed);
    let call = recorder.result(id, None, part, slot);
    recorder.set_text_places(content);
    for image in images() {
        recorder.media(PartKind::Image, image_length(image), call);
    }
    output
}

/// Whether SWE-agent's processors must leave an observation unchanged.
fn is_tagged(entry: Value<'_>, tag: &str) -> bool {
    entry.elements_of("tags").filter_map(Value::text).any(|text| text.is(tag))
}
