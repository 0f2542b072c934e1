//! What a compaction writes: the summary's message, and the message that makes the agent continue.

use ebbline::Error;
use ebbline::json::Value;
use ebbline::notation::javascript::{Utf16, members};
use serde::Serialize;

use super::media::{attachment_note, is_media};
use super::message::{StoredMessage, is};
use super::object::{Json, Object};
use super::task::{NewIds, Outcome, Task};

/// The prompt by which the agent continues on its own.
const CONTINUE: &str =
    "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed.";

/// What [`CONTINUE`] was until January 2026.
const CONTINUE_BEFORE: &str = "Continue if you have next steps";

/// The text before it if a request exceeded the window and cannot be repeated.
const MEDIA_REMOVED: &str = "The previous request exceeded the provider's size limit due to large media attachments. \
The conversation was compacted and media files were removed from context. If the user was asking about attached \
images or files, explain that the attachments were too large to process and suggest they try again with smaller or \
fewer files.\n\n";

/// Messages and parts in the order in which they are written; a message that is written twice appears twice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Created {
    /// The first message is the summary's, whose text is streamed into it.
    pub messages: Vec<Json>,
    /// The parts of the other messages.
    pub parts: Vec<Json>,
}

/// What is written: the summary, and the message that makes the agent continue.
pub(super) fn written(
    parent: StoredMessage<'_>,
    replayed: Option<StoredMessage<'_>>,
    task: &Task,
) -> Result<Created, Error> {
    let session = parent.info().get("sessionID");
    let mut ids = Ids::of(task.new_ids.as_ref());
    let mut created = Created::default();
    let summary = summary_message(ids.message()?, parent, replayed.is_some(), task);
    if task.outcome == Outcome::Compact && task.version.keeps_tail() {
        created.messages.push(summary.clone());
    }
    created.messages.push(summary);
    if task.outcome != Outcome::Continue || !task.auto {
        return Ok(created);
    }
    let source = match replayed {
        Some(original) => original,
        None if task.hooks.autocontinue => parent,
        None => return Ok(created),
    };
    let message_id = ids.message()?;
    let message = with(Object::new(), "id", message_id)
        .word("role", "user")
        .value("sessionID", session)
        .value("agent", source.info().get("agent"))
        .value("model", source.info().get("model"));
    let remembered = |key| replayed.and_then(|original| original.info().get(key));
    let message = ["format", "tools", "system"]
        .into_iter()
        .fold(message, |object, key| object.value(key, remembered(key)));
    created.messages.push(message.end());
    match replayed {
        Some(original) => {
            let parts = original.parts().filter(|part| !is(*part, "type", "compaction"));
            for part in parts {
                created.parts.push(replayed_part(part, ids.part()?, message_id, session));
            }
        }
        None => created.parts.push(continue_part(ids.part()?, message_id, session, task)),
    }
    Ok(created)
}

/// Adds the member `key` to the object if there is an id for it.
fn with(object: Object, key: &str, id: Option<&Utf16>) -> Object {
    match id {
        Some(id) => object.text(key, id),
        None => object,
    }
}

/// The message with the summary. If the request for it exceeded the window, it contains that error.
fn summary_message(id: Option<&Utf16>, parent: StoredMessage<'_>, replays: bool, task: &Task) -> Json {
    let variant = parent.info().get("model").and_then(|model| model.get("variant"));
    let message = with(Object::new(), "id", id)
        .word("role", "assistant")
        .text("parentID", &task.parent_id)
        .value("sessionID", parent.info().get("sessionID"))
        .word("mode", "compaction")
        .word("agent", "compaction")
        .value("variant", variant)
        .flag("summary", true)
        .json("cost", "0")
        .json("tokens", r#"{"output":0,"input":0,"reasoning":0,"cache":{"read":0,"write":0}}"#)
        .text("modelID", &task.model.id)
        .text("providerID", &task.model.provider_id);
    if task.outcome != Outcome::Compact || !task.version.keeps_tail() {
        return message.end();
    }
    let why = if replays {
        "Conversation history too large to compact - exceeds model context limit"
    } else {
        "Session too large to compact - context exceeds model limit even after stripping media"
    };
    let data = Object::new().word("message", why).end();
    let error = Object::new().word("name", "ContextOverflowError").json("data", data.as_str()).end();
    message.json("error", error.as_str()).word("finish", "error").end()
}

/// A part of the repeated request with new ids; a line of text replaces media.
fn replayed_part(
    part: Value<'_>,
    id: Option<&Utf16>,
    message_id: Option<&Utf16>,
    session: Option<Value<'_>>,
) -> Json {
    if is(part, "type", "file") && is_media(part) {
        let note = with(Object::typed("text").text("text", &attachment_note(part)), "id", id);
        return with(note, "messageID", message_id).value("sessionID", session).end();
    }
    let mut copy = Object::new();
    let mut missing = vec!["id", "messageID", "sessionID"];
    let own = |copy: Object, key: &str| match key {
        "id" => with(copy, key, id),
        "messageID" => with(copy, key, message_id),
        _ => copy.value(key, session),
    };
    for (key, value) in members(part) {
        let place = missing.iter().position(|own| key.is(own));
        copy = match place.map(|place| missing.remove(place)) {
            Some(name) => own(copy, name),
            None => copy.entry(&Utf16::from(key), value),
        };
    }
    missing.into_iter().fold(copy, own).end()
}

fn continue_part(
    id: Option<&Utf16>,
    message_id: Option<&Utf16>,
    session: Option<Value<'_>>,
    task: &Task,
) -> Json {
    let part = with(with(Object::new(), "id", id), "messageID", message_id)
        .value("sessionID", session)
        .word("type", "text");
    if !task.version.keeps_tail() {
        return part.flag("synthetic", true).word("text", CONTINUE_BEFORE).end();
    }
    let mut text = Utf16::from(if task.overflow { MEDIA_REMOVED } else { "" });
    text.push_str(CONTINUE);
    part.json("metadata", r#"{"compaction_continue":true}"#).flag("synthetic", true).text("text", &text).end()
}

/// The new ids from the caller, and how many of them are used.
#[derive(Debug)]
struct Ids<'t> {
    given: Option<&'t NewIds>,
    messages: usize,
    parts: usize,
}

impl<'t> Ids<'t> {
    fn of(given: Option<&'t NewIds>) -> Self {
        Self { given, messages: 0, parts: 0 }
    }

    /// The next message's id; `None` if the caller gave no ids.
    fn message(&mut self) -> Result<Option<&'t Utf16>, Error> {
        self.given.map(|given| next("messages", &given.messages, &mut self.messages)).transpose()
    }

    /// The next part's id.
    fn part(&mut self) -> Result<Option<&'t Utf16>, Error> {
        self.given.map(|given| next("parts", &given.parts, &mut self.parts)).transpose()
    }
}

fn next<'t>(kind: &str, ids: &'t [Utf16], used: &mut usize) -> Result<&'t Utf16, Error> {
    let too_few = || Error::invalid_settings(format!("newIDs.{kind} has too few ids: {}", ids.len()));
    let id = ids.get(*used).ok_or_else(too_few)?;
    *used += 1;
    Ok(id)
}
