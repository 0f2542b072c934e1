//! Messages of a Mastra store: what its memory keeps and its processors get, `MastraDBMessage`.
//!
//! Structures from `dist/agent/message-list/state/types` of npm `@mastra/core` 1.71. What is sent is the result of its
//! `MessageList` for a model of the AI SDK 5 (`AIV5Adapter.toUIMessage`, `aiV5UIMessagesToAIV5ModelMessages`).

mod entry;
mod summary;

pub(super) use entry::ENTRY;

use super::placement::SummaryPlacement;
use super::provider_metadata::{item_of, signature_of};
use super::recorder::{Recorder, length_of_value};
use super::slot::Slot;
use super::source::Source;
use super::structure;
use super::vercel_model::{media_kind, media_length, read_told};
use crate::error::{Error, ErrorCode};
use crate::json::{Text, Value};
use crate::length::Length;
use crate::notation::javascript::stringified_length;
use crate::transcript::{Message, Output, Part, PartKind, Role};

/// The text that the model gets for a call that the user refused without a reason.
const DENIED: &str = "Tool call was not approved by the user";

pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    for (at, message) in source.list().into_iter().enumerate() {
        // The calls of a message of the model would be read as nothing.
        if message.get("content").is_some_and(Value::is_array) {
            let why = format!(
                "message {at} has a list as its content, unlike the messages of a Mastra store beside it"
            );
            let place = message.span().start;
            return Err(Error::new(ErrorCode::InvalidMessage, why).located(source.text, place));
        }
        read_message(message, recorder);
    }
    Ok(SummaryPlacement::List(&summary::LISTED))
}

fn read_message(message: Value<'_>, recorder: &mut Recorder) {
    let content = Content::of(message);
    let role = message.text_of("role").map(Text::decode);
    let begun = match role.as_deref() {
        Some("system") => Message::new(Role::System),
        Some("user") => Message::person(),
        // What the application or the user says while the agent works; the model gets it as a message of the user.
        Some("signal") if content.is_users(message) => Message::person(),
        Some("signal") => Message::context(),
        Some("assistant") => Message { ended: content.has_ended(), ..Message::new(Role::Assistant) },
        _ => Message::new(Role::Other),
    };
    recorder.begin(begun, message.span());
    if role.as_deref() == Some("user") {
        recorder.check_summary(content.first_text());
    }
    if matches!(begun.role, Role::System | Role::User) {
        content.read_said(recorder);
    } else {
        content.read_answer(recorder);
    }
}

/// The content of a message: an object; older messages have a text.
#[derive(Clone, Copy)]
struct Content<'d> {
    object: Option<Value<'d>>,
    bare: Option<Value<'d>>,
}

impl<'d> Content<'d> {
    fn of(message: Value<'d>) -> Self {
        let content = message.get("content");
        let object = content.filter(|content| content.is_object());
        let bare = object.map_or(content, |object| object.get("content"));
        Self { object, bare }
    }

    fn parts(self) -> impl Iterator<Item = Value<'d>> {
        self.object.into_iter().flat_map(|object| object.elements_of("parts"))
    }

    fn has(self, kind: &str) -> bool {
        self.parts().any(|part| is_type(part, kind))
    }

    fn first_text(self) -> Option<Text<'d>> {
        let first = self.parts().next().and_then(|part| part.text_of("text"));
        first.or_else(|| self.bare.and_then(Value::text))
    }

    /// Whether a signal is what the user wrote.
    fn is_users(self, message: Value<'_>) -> bool {
        let signal =
            self.object.and_then(|object| object.get("metadata")).and_then(|data| data.get("signal"));
        let told = signal.and_then(|signal| signal.text_of("type"));
        let kind = told.map(Text::decode).or_else(|| message.text_of("type").map(Text::decode));
        kind.is_some_and(|kind| matches!(kind.as_ref(), "user" | "user-message"))
    }

    /// Whether the answer ends with text; after calls, another step would follow.
    fn has_ended(self) -> bool {
        let is_said = |text: Text<'_>| !text.is_blank();
        if self.is_bare() {
            return self.bare.and_then(Value::text).is_some_and(is_said);
        }
        let is_sent = |part: &Value<'_>| {
            ["text", "reasoning", "file", "tool-invocation"].into_iter().any(|kind| is_type(*part, kind))
        };
        let last = self.parts().filter(is_sent).last().filter(|part| is_type(*part, "text"));
        last.and_then(|part| part.text_of("text")).is_some_and(is_said)
    }

    /// Whether the text beside the parts is sent: whether no part but calls, thinking and files is there.
    fn is_bare(self) -> bool {
        !self.parts().any(|part| (part.is_object() || part.is_array()) && !is_beside(part))
    }

    /// A message of the system consists of its texts, one of the user of its texts and files.
    fn read_said(self, recorder: &mut Recorder) {
        self.read_files_beside(recorder);
        for part in self.parts().filter(|part| is_type(*part, "text") || is_type(*part, "file")) {
            read_part(part, self, recorder);
        }
        self.read_text_beside(recorder);
    }

    fn read_answer(self, recorder: &mut Recorder) {
        if !self.has("tool-invocation") {
            for invocation in self.invocations() {
                read_invocation(invocation, None, self, recorder);
            }
        }
        let thought =
            self.object.and_then(|object| object.text_of("reasoning")).filter(|text| !text.is_empty());
        if let Some(thought) = thought.filter(|_| !self.has("reasoning")) {
            recorder.text(PartKind::Thinking, Some(thought));
        }
        self.read_files_beside(recorder);
        for part in self.parts() {
            read_part(part, self, recorder);
        }
        self.read_text_beside(recorder);
    }

    fn invocations(self) -> impl Iterator<Item = Value<'d>> {
        self.object.into_iter().flat_map(|object| object.elements_of("toolInvocations"))
    }

    fn read_files_beside(self, recorder: &mut Recorder) {
        if self.has("file") {
            return;
        }
        for file in self.object.into_iter().flat_map(|object| object.elements_of("experimental_attachments"))
        {
            recorder.media(media_kind(file), media_length(file), None);
        }
    }

    fn read_text_beside(self, recorder: &mut Recorder) {
        let bare = self.bare.and_then(Value::text).filter(|_| self.is_bare());
        if bare.is_some() {
            recorder.text(PartKind::Text, bare);
        }
    }
}

/// Whether the text of the content is sent beside such a part.
fn is_beside(part: Value<'_>) -> bool {
    let kind = part.text_of("type").map(Text::decode).unwrap_or_default();
    kind.starts_with("tool-")
        || matches!(
            kind.as_ref(),
            "reasoning"
                | "file"
                | "source"
                | "source-document"
                | "data-tool-call-suspended"
                | "data-tool-call-approval"
        )
}

fn is_type(part: Value<'_>, name: &str) -> bool {
    part.text_of("type").is_some_and(|kind| kind.is(name))
}

fn read_part(part: Value<'_>, content: Content<'_>, recorder: &mut Recorder) {
    let metadata = part.get("providerMetadata");
    match part.text_of("type").map(Text::decode).as_deref() {
        Some("text") => {
            recorder.text(PartKind::Text, part.text_of("text"));
            recorder.sign(signature_of(metadata));
        }
        Some("file") => {
            recorder.media(media_kind(part), media_length(part), None);
            recorder.set_places(part.text_of("filename").map(Text::span));
        }
        Some("reasoning") => read_reasoning(part, recorder),
        Some("tool-invocation") => {
            if let Some(invocation) = part.get("toolInvocation") {
                read_invocation(invocation, Some(part), content, recorder);
            } else {
                recorder.call(None, None, None);
                recorder.sign(signature_of(metadata));
            }
        }
        // Sources, data, errors and step markers are not sent.
        _ => {}
    }
}

/// Thinking: its text, or those of its details; what the provider signed or encrypted belongs to the last.
fn read_reasoning(part: Value<'_>, recorder: &mut Recorder) {
    let is_some = |text: &Text<'_>| !text.is_empty();
    if let Some(text) = part.text_of("reasoning").filter(is_some) {
        recorder.text(PartKind::Thinking, Some(text));
    } else {
        let texts =
            || part.elements_of("details").filter_map(|detail| detail.text_of("text")).filter(is_some);
        if texts().next().is_none() {
            recorder.text(PartKind::Thinking, None);
        }
        for text in texts() {
            recorder.text(PartKind::Thinking, Some(text));
        }
    }
    let metadata = part.get("providerMetadata");
    recorder.sign(signature_of(metadata));
    recorder.sign(item_of(metadata));
    for detail in part.elements_of("details") {
        recorder.sign(detail.text_of("signature"));
        recorder.sign(detail.text_of("data"));
    }
}

/// Call and result in one, in a part or beside all parts. While its arguments are being streamed, it is neither.
fn read_invocation(
    invocation: Value<'_>,
    part: Option<Value<'_>>,
    content: Content<'_>,
    recorder: &mut Recorder,
) {
    let state = invocation.text_of("state").map(Text::decode).unwrap_or_default();
    if state == "partial-call" {
        return;
    }
    let (id, name) = (invocation.text_of("toolCallId"), invocation.text_of("toolName"));
    recorder.call(id, name, invocation.present("args").or_else(|| invocation.present("rawInput")));
    let metadata = part.and_then(|part| part.get("providerMetadata"));
    recorder.sign(signature_of(metadata));
    let by_provider = part.and_then(|part| part.get("providerExecuted")).is_some_and(Value::is_truthy);
    let told = metadata
        .and_then(|metadata| metadata.get("mastra"))
        .filter(|told| told.present("modelOutput").is_some() && !by_provider);
    let (key, has_failed) = match state.as_ref() {
        "result" => ("result", invocation.get("isError").is_some_and(Value::is_truthy)),
        "output-error" => ("errorText", true),
        "output-denied" => return read_denial(invocation, id, name, recorder),
        // Not carried out yet, or waiting for the user.
        _ => return,
    };
    let copies = || copies_of(id, content).filter(|_| part.is_some());
    // The tool said what the model gets in the place of its result.
    if let Some(told) = told.filter(|_| key == "result") {
        let result = invocation.get("result").map(|_| structure::slot_of(invocation, "result"));
        let copies: Vec<_> = result.into_iter().chain(copies()).collect();
        return read_told([id, name], told, "modelOutput", &copies, recorder);
    }
    let value = invocation.get(key);
    // The provider's own output is sent back unchanged.
    let output = if by_provider {
        Output::Sealed
    } else {
        recorder.output_of(value.and_then(structure::text_in), id, has_failed)
    };
    let said = value.and_then(structure::text_in);
    let length = said.map_or_else(|| value.map(length_of_value).unwrap_or_default(), Text::length);
    let slot = (!by_provider).then(|| structure::slot_of(invocation, key));
    recorder.result(id, name, Part { output, ..Part::new(PartKind::ToolResult, length) }, slot);
    recorder.set_native_length(value.filter(|_| said.is_none()).map(stringified_length));
    recorder.set_places(said.map(Text::span).or_else(|| value.map(Value::span)));
    for copy in copies() {
        recorder.add_copy(copy);
    }
}

/// The copies of the result of the call `id` that are stored beside the parts.
fn copies_of<'d>(id: Option<Text<'d>>, content: Content<'d>) -> impl Iterator<Item = Slot> {
    let id = id.map(Text::decode);
    content.invocations().filter_map(move |copy| {
        let is_same =
            id.as_deref().is_some_and(|id| copy.text_of("toolCallId").is_some_and(|other| other.is(id)));
        (is_same && copy.get("result").is_some()).then(|| structure::slot_of(copy, "result"))
    })
}

/// The model gets the refusal instead of a result. It is short, and its text is the user's.
fn read_denial(invocation: Value<'_>, id: Option<Text<'_>>, name: Option<Text<'_>>, recorder: &mut Recorder) {
    let reason = invocation.get("approval").and_then(|approval| approval.text_of("reason"));
    let length = reason.map_or_else(|| Length::of(DENIED), Text::length);
    let result = Part { output: Output::Sealed, ..Part::new(PartKind::ToolResult, length) };
    recorder.result(id, name, result, None);
    recorder.set_places(reason.map(Text::span));
}

#[cfg(test)]
mod tests;
