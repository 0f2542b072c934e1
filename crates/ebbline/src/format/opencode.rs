//! OpenCode exports (formats.md, section 6): `{info, messages: [{info, parts}]}`, or the list alone.

use std::collections::HashSet;

use super::recorder::{Recorder, Shape, Slot, length_of_value};
use super::source::Source;
use super::summary::{Ending, Summary};
use super::usage;
use crate::edit::Edit;
use crate::error::{Error, ErrorCode};
use crate::json::{Text, Value};
use crate::length::Length;
use crate::prune::PLACEHOLDER;
use crate::transcript::{Message, Output, Part, PartKind, Role, Turn};

/// What the model is told in place of a compaction marker.
const MARKER: &str = "What did we do so far?";

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<Ending, Error> {
    let messages = source.list();
    for message in &messages {
        read_message(*message, recorder);
    }
    order_as_sent(&messages, recorder);
    Ok(Ending::Opencode)
}

fn read_message(message: Value<'_>, recorder: &mut Recorder) {
    let info = info_of(message);
    let is = |key: &str, name: &str| info.text_of(key).is_some_and(|text| text.is(name));
    let parts = || message.elements_of("parts");
    for key in ["created", "completed"] {
        recorder.moment(info.get("time").and_then(|time| time.get(key)));
    }
    let begun = if is("role", "user") {
        let typed = parts().any(|part| kind_is(part, "text") && !flag(part, "synthetic"));
        Message { turn: if typed { Turn::Person } else { Turn::Synthetic }, ..Message::new(Role::User) }
    } else {
        let summary = info.get("summary").is_some_and(Value::is_truthy);
        // The summary's own request was another one than the session's.
        let usage = usage::total(info.get("tokens"), &usage::OPENCODE)
            .filter(|_| !summary && info.present("error").is_none());
        let ended = info.present("finish").is_some();
        Message { ended, summary, usage, ..Message::new(Role::Assistant) }
    };
    recorder.begin(begun, message.span());
    for part in parts() {
        read_part(part, begun.summary, recorder);
    }
}

fn info_of(message: Value<'_>) -> Value<'_> {
    message.get("info").unwrap_or(message)
}

fn kind_is(part: Value<'_>, name: &str) -> bool {
    part.text_of("type").is_some_and(|kind| kind.is(name))
}

fn flag(part: Value<'_>, name: &str) -> bool {
    part.get(name).is_some_and(Value::is_truthy)
}

fn read_part(part: Value<'_>, in_summary: bool, recorder: &mut Recorder) {
    let kind = part.text_of("type").map(Text::decode).unwrap_or_default();
    match kind.as_ref() {
        "text" if flag(part, "ignored") => {}
        "text" => {
            recorder.text(if in_summary { PartKind::Summary } else { PartKind::Text }, part.text_of("text"));
            recorder.sign(signature_of(part));
        }
        "reasoning" => {
            recorder.text(PartKind::Thinking, part.text_of("text"));
            recorder.sign(signature_of(part));
        }
        "tool" => read_tool(part, recorder),
        "file" => read_file(part, None, recorder),
        "compaction" => {
            recorder.transcript.push(Part::new(PartKind::Other, Length::of(MARKER)));
        }
        "subtask" => {
            recorder
                .transcript
                .push(Part::new(PartKind::Other, Length::of("The following tool was executed by the user")));
        }
        // Steps, snapshots, patches, agents and retries are bookkeeping.
        _ => {}
    }
}

/// What the provider wants back: a part's metadata holds it under the provider's name.
fn signature_of(part: Value<'_>) -> Option<Text<'_>> {
    let providers = part.get("metadata").into_iter().flat_map(Value::members);
    let opaque = ["signature", "redactedData", "reasoningEncryptedContent", "thoughtSignature"];
    providers
        .flat_map(|(_, provider)| opaque.into_iter().filter_map(move |key| provider.text_of(key)))
        .find(|text| !text.is_empty())
}

/// Text files and directories are sent as text parts of their own, not as files.
fn read_file(part: Value<'_>, call: Option<u32>, recorder: &mut Recorder) {
    let mime = part.text_of("mime").map(Text::decode).unwrap_or_default();
    if matches!(mime.as_ref(), "text/plain" | "application/x-directory") {
        return;
    }
    let kind = if mime.starts_with("image/") { PartKind::Image } else { PartKind::File };
    recorder.media(kind, part.get("url").map(length_of_value).unwrap_or_default(), call);
    recorder.stands_at(part.text_of("filename").map(Text::span));
}

/// A tool part is call and result in one; only a completed one has an output that can be pruned.
fn read_tool(part: Value<'_>, recorder: &mut Recorder) {
    let (id, name) = (part.text_of("callID"), part.text_of("tool"));
    let Some(state) = part.get("state") else { return recorder.call(id, name, None) };
    recorder.call(id, name, state.get("input"));
    recorder.sign(signature_of(part));
    let time = state.get("time");
    for key in ["start", "end"] {
        recorder.moment(time.and_then(|time| time.get(key)));
    }
    match state.text_of("status").map(Text::decode).as_deref() {
        Some("completed") => {
            let compacted = time.and_then(|time| time.get("compacted")).is_some_and(Value::is_truthy);
            let (output, length) = if compacted {
                (Output::Pruned, Length::of(PLACEHOLDER))
            } else {
                let text = state.text_of("output");
                (recorder.output_of(text), state.get("output").map(length_of_value).unwrap_or_default())
            };
            let slot = time
                .filter(|time| time.is_object())
                .map(|time| Slot::of_member(time, "compacted", Shape::Moment));
            let result = Part { output, ..Part::new(PartKind::ToolResult, length) };
            // Without a time there is no place for the mark, and the output has to stay.
            let result = if slot.is_some() { result } else { Part { output: Output::Sealed, ..result } };
            let call = recorder.result(id, name, result, slot);
            if !compacted {
                recorder.stands_at(state.get("output").map(Value::span));
                for attachment in state.elements_of("attachments") {
                    read_file(attachment, call, recorder);
                }
            }
        }
        Some("error") => {
            let length = state.get("error").map(length_of_value).unwrap_or_default();
            recorder.result(
                id,
                name,
                Part { output: Output::Error, ..Part::new(PartKind::ToolResult, length) },
                None,
            );
            recorder.stands_at(state.get("error").map(Value::span));
        }
        // Pending or running: a call without a result.
        _ => {}
    }
}

/// Finds the latest completed compaction. What lies before its marker is not sent, except the tail it names,
/// which is sent behind the summary (systems.md, section 2.8).
fn order_as_sent(messages: &[Value<'_>], recorder: &mut Recorder) {
    let mut answered = HashSet::new();
    let mut marker = None;
    for (index, message) in messages.iter().enumerate().rev() {
        let info = info_of(*message);
        if info.get("summary").is_some_and(Value::is_truthy)
            && info.text_of("role").is_some_and(|role| role.is("assistant"))
            && info.present("finish").is_some()
            && info.present("error").is_none()
        {
            answered.extend(info.text_of("parentID").map(Text::decode));
        }
        let compaction = message.elements_of("parts").find(|part| kind_is(*part, "compaction"));
        let is_answered = info.text_of("id").is_some_and(|id| answered.contains(&id.decode()));
        if let Some(part) = compaction.filter(|_| is_answered) {
            marker = Some((index, part.text_of("tail_start_id")));
            break;
        }
    }
    let Some((marker, tail_id)) = marker else { return };
    let tail = tail_id.map(Text::decode).map(|id| {
        messages
            .iter()
            .take(marker)
            .position(|message| info_of(*message).text_of("id").is_some_and(|text| text.is(&id)))
    });
    // A tail that names no message brings the whole history back: that is what OpenCode sends.
    let first_sent = tail.map_or(marker, |found| found.unwrap_or(0));
    for index in 0..first_sent {
        recorder.transcript.set_active(index, false);
    }
    // What was reported before the compaction describes the context that it replaced.
    for index in 0..marker {
        recorder.transcript.forget_usage(index);
    }
    let summary = messages
        .iter()
        .skip(marker)
        .position(|message| info_of(*message).get("summary").is_some_and(Value::is_truthy));
    let Some(summary) =
        summary.map(|offset| marker + offset).filter(|_| first_sent < marker && tail != Some(None))
    else {
        return;
    };
    let order: Vec<usize> = (0..first_sent)
        .chain(marker..=summary)
        .chain(first_sent..marker)
        .chain(summary + 1..messages.len())
        .collect();
    recorder.reorder(&order);
}

pub(super) fn summarise(_summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    Err(Error::new(ErrorCode::NoPlaceForSummary, "not written yet"))
}
