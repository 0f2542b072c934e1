//! Gemini API contents: a list, a request, a checkpoint of Gemini CLI, or a line each.

mod entry;
mod media;
mod pairing;
mod part;
mod response;
mod spelling;
mod summary;

pub(super) use entry::ENTRY;

pub(super) use pairing::Pairing;
pub(super) use part::{element, read_parts};
pub(super) use response::{OutputOf, read_inner};
pub(super) use spelling::{call_in, id_of, is_thought, name_of, parts_of, response_in, words_of};

use super::placement::SummaryPlacement;
use super::recorder::Recorder;
use super::source::Source;
use crate::error::Error;
use crate::json::Value;
use crate::transcript::{Message, PartKind, Role, Turn};
use part::is_media;
use spelling::either;

/// The beginning of the summaries of Gemini CLI and Qwen Code.
pub(super) const SNAPSHOT: &str = "<state_snapshot>";

/// Their model's fixed answer to one.
pub(super) const ACKNOWLEDGED: &str = "Got it. Thanks for the additional context!";

/// A summary as they have it.
pub(super) fn snapshot(text: &str) -> String {
    if text.contains(SNAPSHOT) { text.to_owned() } else { format!("{SNAPSHOT}\n{text}\n</state_snapshot>") }
}

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let root = source.root().filter(|root| root.is_object() && !source.is_lines);
    if let Some(system) = root.and_then(system_instruction) {
        recorder.begin_unlisted(Message::new(Role::System), system.span());
        let parts = parts_of(system.present("parts").unwrap_or(system));
        read_parts(&parts, PartKind::Text, &mut Pairing::default(), recorder);
    }
    let listed = root.and_then(|root| root.get("contents").or_else(|| root.get("history")));
    let contents = listed.map_or_else(|| source.list(), |list| list.elements().collect());
    let mut pairing = Pairing::default();
    for content in contents {
        read_content(content, &mut pairing, recorder);
    }
    Ok(SummaryPlacement::List(&summary::LISTED))
}

/// The separate system prompt; the JavaScript SDK stores it in `config`.
fn system_instruction(root: Value<'_>) -> Option<Value<'_>> {
    let of = |object| either(object, "systemInstruction", "system_instruction");
    of(root).or_else(|| of(root.get("config")?))
}

fn read_content<'d>(content: Value<'d>, pairing: &mut Pairing<'d>, recorder: &mut Recorder) {
    let parts = content.present("parts").map(parts_of).unwrap_or_default();
    let role = content.present("role");
    let is = |name: &str| role.and_then(Value::text).is_some_and(|role| role.is(name));
    let message = if is("model") {
        pairing.model_speaks();
        answer(&parts)
    } else if is("user") || (role.is_none() && content.is_object()) {
        pairing.user_speaks();
        spoken(&parts)
    } else if is("function") || is("tool") {
        pairing.user_speaks();
        Message::new(Role::Tool)
    } else if is("system") {
        Message::new(Role::System)
    } else {
        Message::new(Role::Other)
    };
    recorder.begin(message, content.span());
    if message.turn == Turn::Person {
        recorder.check_summary(parts.first().and_then(|part| words_of(*part)));
    }
    read_parts(&parts, words_in(message), pairing, recorder);
}

/// The kind of a message's texts.
pub(super) fn words_in(message: Message) -> PartKind {
    if message.summary { PartKind::Summary } else { PartKind::Text }
}

/// A message of the model: it ends the turn if it contains text and no calls.
pub(super) fn answer(parts: &[Value<'_>]) -> Message {
    let calls = parts.iter().any(|part| call_in(*part).is_some());
    let says = |part: &Value<'_>| !is_thought(*part) && words_of(*part).is_some_and(|text| !text.is_blank());
    Message { ended: !calls && parts.iter().any(says), ..Message::new(Role::Assistant) }
}

/// A message of the user: the results of calls and their media, a summary, or the user's text.
pub(super) fn spoken(parts: &[Value<'_>]) -> Message {
    let has_responses = parts.iter().any(|part| response_in(*part).is_some());
    let says = |part: &Value<'_>| response_in(*part).is_none() && !is_media(*part);
    if has_responses && !parts.iter().any(says) { Message::new(Role::Tool) } else { Message::person() }
}

#[cfg(test)]
mod tests;
