//! What a compaction writes: the summary's message, and what makes the agent go on.

use ebbline::json::Value;
use ebbline::notation::javascript::{Utf16, members};
use serde::Serialize;

use super::media::{attachment_note, is_media};
use super::message::{StoredMessage, is};
use super::object::{Json, Object};
use super::task::{Outcome, Task};

/// What the agent is told when it goes on by itself.
const CONTINUE: &str =
    "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed.";

/// What [`CONTINUE`] was until January 2026.
const CONTINUE_BEFORE: &str = "Continue if you have next steps";

/// What stands before it when a request exceeded the window and cannot be repeated.
const MEDIA_REMOVED: &str = "The previous request exceeded the provider's size limit due to large media attachments. \
The conversation was compacted and media files were removed from context. If the user was asking about attached \
images or files, explain that the attachments were too large to process and suggest they try again with smaller or \
fewer files.\n\n";

/// Messages and parts in the order in which they are written; a message that is written again stands there again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Created {
    /// The first is the summary's, whose text the summariser streams.
    pub messages: Vec<Json>,
    /// The parts of the others.
    pub parts: Vec<Json>,
}

/// What is written: the summary, and what makes the agent go on.
pub(super) fn written(
    parent: StoredMessage<'_>,
    replayed: Option<StoredMessage<'_>>,
    task: &Task,
) -> Created {
    let session = parent.info().get("sessionID");
    let mut ids = Ids::default();
    let mut created = Created::default();
    let summary = summary_message(&ids.next("msg"), parent, replayed.is_some(), task);
    if task.outcome == Outcome::Compact && task.version.keeps_tail() {
        created.messages.push(summary.clone());
    }
    created.messages.push(summary);
    if task.outcome != Outcome::Continue || !task.auto {
        return created;
    }
    let source = match replayed {
        Some(original) => original,
        None if task.hooks.autocontinue => parent,
        None => return created,
    };
    let message_id = ids.next("msg");
    let message = Object::new()
        .text("id", &message_id)
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
            created
                .parts
                .extend(parts.map(|part| replayed_part(part, &ids.next("prt"), &message_id, session)));
        }
        None => created.parts.push(continue_part(&ids.next("prt"), &message_id, session, task)),
    }
    created
}

/// The message that holds the summary. When the request for it exceeded the window it holds that error.
fn summary_message(id: &Utf16, parent: StoredMessage<'_>, replays: bool, task: &Task) -> Json {
    let variant = parent.info().get("model").and_then(|model| model.get("variant"));
    let message = Object::new()
        .text("id", id)
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

/// A part of the request that is repeated, under new ids; media gives way to a line that names it.
fn replayed_part(part: Value<'_>, id: &Utf16, message_id: &Utf16, session: Option<Value<'_>>) -> Json {
    if is(part, "type", "file") && is_media(part) {
        let note = Object::typed("text").text("text", &attachment_note(part)).text("id", id);
        return note.text("messageID", message_id).value("sessionID", session).end();
    }
    let mut copy = Object::new();
    let mut missing = vec!["id", "messageID", "sessionID"];
    let own = |copy: Object, key: &str| match key {
        "id" => copy.text(key, id),
        "messageID" => copy.text(key, message_id),
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

fn continue_part(id: &Utf16, message_id: &Utf16, session: Option<Value<'_>>, task: &Task) -> Json {
    let part = Object::new()
        .text("id", id)
        .text("messageID", message_id)
        .value("sessionID", session)
        .word("type", "text");
    if !task.version.keeps_tail() {
        return part.flag("synthetic", true).word("text", CONTINUE_BEFORE).end();
    }
    let mut text = Utf16::from(if task.overflow { MEDIA_REMOVED } else { "" });
    text.push_str(CONTINUE);
    part.json("metadata", r#"{"compaction_continue":true}"#).flag("synthetic", true).text("text", &text).end()
}

/// New ids, numbered in the order in which they are made.
#[derive(Debug, Default)]
struct Ids(usize);

impl Ids {
    fn next(&mut self, kind: &str) -> Utf16 {
        self.0 += 1;
        Utf16::from(format!("{kind}_new{}", self.0).as_str())
    }
}
