//! One message: its role, and what is sent of its parts.

use super::super::marker::MarkerKind;
use super::super::media::{ANY, priced};
use super::super::pieces::PieceKind;
use super::super::recorder::{Recorder, length_of_value};
use super::super::slot::{Shape, Slot};
use super::super::usage;
use super::Stored;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::marks::{self, PLACEHOLDER};
use crate::transcript::{Message, Output, Part, PartKind, Role, Turn};

/// What the model gets instead of a compaction marker.
const MARKER: &str = "What did we do so far?";
/// What the model gets instead of a task that the user gave to another agent.
const SUBTASK: &str = "The following tool was executed by the user";

/// The times at which OpenCode pruned, as far as they have been read; all outputs of one prune have the same time.
#[derive(Debug, Default)]
pub(super) struct Prunes<'d> {
    moments: Vec<&'d str>,
    /// The pruned parts, each with its time.
    pub(super) parts: Vec<(usize, u64)>,
}

/// Records a message; `is_current` says that its reported usage describes the current context.
pub(super) fn read<'d>(
    stored: &Stored<'d>,
    active: bool,
    is_current: bool,
    prunes: &mut Prunes<'d>,
    recorder: &mut Recorder,
) {
    let Stored { info, span, .. } = stored;
    for key in ["created", "completed"] {
        recorder.moment(info.get("time").and_then(|time| time.get(key)));
    }
    let mut in_summary = false;
    if stored.is("user") {
        let typed = stored.values().any(|part| kind_is(part, "text") && !flag(part, "synthetic"));
        let turn = if typed { Turn::Person } else { Turn::Synthetic };
        recorder
            .begin(Message { turn, active, has_prune_field: true, ..Message::new(Role::User) }, span.clone());
    } else if stored.is("assistant") {
        in_summary = flag(*info, "summary");
        // The summary's own request had another context than the session.
        let reports = is_current && !in_summary && info.present("error").is_none();
        let usage = usage::total(info.get("tokens"), &usage::OPENCODE).filter(|_| reports);
        let ended = info.present("finish").is_some();
        let summary = in_summary;
        recorder.begin(
            Message { ended, summary, active, usage, has_prune_field: true, ..Message::new(Role::Assistant) },
            span.clone(),
        );
        if in_summary {
            recorder.mark(MarkerKind::Summary, "summary:true", span.clone());
        }
    } else {
        recorder.begin(
            Message { active: false, has_prune_field: true, ..Message::new(Role::Other) },
            span.clone(),
        );
    }
    for part in &stored.parts {
        recorder.within(part.origins);
        Reader { recorder: &mut *recorder, prunes: &mut *prunes, stored, in_summary }.part(part.value);
    }
    recorder.within(None);
}

fn kind_is(part: Value<'_>, name: &str) -> bool {
    part.text_of("type").is_some_and(|kind| kind.is(name))
}

fn flag(value: Value<'_>, name: &str) -> bool {
    value.get(name).is_some_and(Value::is_truthy)
}

/// Reads the parts of one message.
struct Reader<'r, 'd> {
    recorder: &'r mut Recorder,
    prunes: &'r mut Prunes<'d>,
    stored: &'r Stored<'d>,
    in_summary: bool,
}

impl<'d> Reader<'_, 'd> {
    fn part(&mut self, part: Value<'d>) {
        let kind = part.text_of("type").map(Text::decode).unwrap_or_default();
        let is_user = self.stored.is("user");
        match kind.as_ref() {
            // Shown to the user but not sent to the model.
            "text" if is_user && flag(part, "ignored") => {}
            "text" => {
                self.recorder.text(
                    if self.in_summary { PartKind::Summary } else { PartKind::Text },
                    part.text_of("text"),
                );
                if is_user && flag(part, "synthetic") {
                    self.recorder.set_piece_kind(PieceKind::Added);
                }
                self.recorder.sign(signature_of(part));
            }
            "reasoning" => {
                self.recorder.text(PartKind::Thinking, part.text_of("text"));
                self.recorder.sign(signature_of(part));
            }
            "tool" => self.tool(part),
            "file" if is_user => self.file(part, None),
            "compaction" if is_user => {
                self.recorder.transcript.push(Part::new(PartKind::Other, Length::of(MARKER)));
                let place = self.recorder.place_of(part.span());
                self.recorder.mark(MarkerKind::Compaction, "compaction-part", place);
            }
            "subtask" if is_user => {
                self.recorder.transcript.push(Part::new(PartKind::Other, Length::of(SUBTASK)));
            }
            // Steps, snapshots, patches, agents and retries are not sent.
            _ => {}
        }
    }

    /// Text files and directories are sent as separate text parts, not as files.
    fn file(&mut self, part: Value<'d>, call: Option<u32>) {
        let mime = part.text_of("mime").map(Text::decode).unwrap_or_default();
        if matches!(mime.as_ref(), "text/plain" | "application/x-directory") {
            return;
        }
        let kind = if mime.starts_with("image/") { PartKind::Image } else { PartKind::File };
        let url = part.get("url");
        let length = url.map(length_of_value).unwrap_or_default();
        self.recorder.media(kind, priced(kind, length, url, part, ANY), call);
        self.recorder.set_places(part.text_of("filename").map(Text::span));
    }

    /// A tool part is call and result in one; only a completed one has a prunable output.
    fn tool(&mut self, part: Value<'d>) {
        let (id, name) = (part.text_of("callID"), part.text_of("tool"));
        let Some(state) = part.get("state") else { return self.recorder.call(id, name, None) };
        self.recorder.call(id, name, state.get("input"));
        self.recorder.sign(signature_of(part));
        let time = state.get("time").filter(|time| time.is_object());
        for key in ["start", "end"] {
            self.recorder.moment(time.and_then(|time| time.get(key)));
        }
        match state.text_of("status").map(Text::decode).as_deref() {
            Some("completed") => self.output(id, name, part, state, time),
            Some("error") => {
                let length = state.get("error").map(length_of_value).unwrap_or_default();
                let part = Part { output: Output::Error, ..Part::new(PartKind::ToolResult, length) };
                self.recorder.result(id, name, part, None);
                self.recorder.set_places(state.get("error").map(Value::span));
            }
            // Pending or running: a call without a result.
            _ => {}
        }
    }

    fn output(
        &mut self,
        id: Option<Text<'d>>,
        name: Option<Text<'d>>,
        part: Value<'d>,
        state: Value<'d>,
        time: Option<Value<'d>>,
    ) {
        let compacted = time.and_then(|time| time.get("compacted")).filter(|moment| moment.is_truthy());
        let text = state.text_of("output");
        let (output, length) = if let Some(moment) = compacted {
            self.note_prune(moment, part);
            (Output::Pruned, Length::of(PLACEHOLDER))
        } else {
            (Output::Ordinary, state.get("output").map(length_of_value).unwrap_or_default())
        };
        // Without a time there is no place for the mark, so the output has to stay.
        let slot = time
            .filter(|time| time.is_object())
            .map(|time| Slot::of_member(time, "compacted", Shape::Moment));
        // A freed output ends in the reference that stands for no call.
        let is_marked = |text: Text<'_>| {
            let tail = text.plain_tail(marks::REFERENCE_LENGTH).unwrap_or_default();
            compacted.is_some() && text.length().utf16 <= marks::MOST_LEFT && marks::is_cleared(tail, "")
        };
        let is_freed = text.is_some_and(|text| text.is(PLACEHOLDER) || is_marked(text));
        let result = Part { output, ..Part::new(PartKind::ToolResult, length) };
        let call = self.recorder.result(id, name, result, slot);
        if let Some(moment) = compacted.and_then(Value::number) {
            self.prunes.parts.push((self.recorder.transcript.parts().len().saturating_sub(1), moment as u64));
        }
        // The mark leaves the output in the file; to free bytes, the output is cleared as well.
        if let Some(text) = state.get("output").filter(|_| !is_freed) {
            self.recorder.add_copy(Slot::of_value(text, Shape::Text));
        }
        if let Some(attachments) = state.get("attachments").filter(|list| list.elements().next().is_some()) {
            self.recorder.add_copy(Slot::of_value(attachments, Shape::Fixed("[]")));
        }
        if compacted.is_none() {
            self.recorder.set_places(state.get("output").map(Value::span));
            for attachment in state.elements_of("attachments") {
                self.file(attachment, call);
            }
        }
    }

    /// Records one marker per prune.
    fn note_prune(&mut self, moment: Value<'d>, part: Value<'d>) {
        if !self.prunes.moments.contains(&moment.source()) {
            self.prunes.moments.push(moment.source());
            let place = self.recorder.place_of(part.span());
            self.recorder.mark(MarkerKind::Prune, "time.compacted", place);
        }
    }
}

/// What the provider needs back: it is in the part's metadata, under the provider's name.
fn signature_of(part: Value<'_>) -> Option<Text<'_>> {
    let providers = part.get("metadata").into_iter().flat_map(Value::members);
    let opaque = ["signature", "redactedData", "reasoningEncryptedContent", "thoughtSignature"];
    providers
        .flat_map(|(_, provider)| opaque.into_iter().filter_map(move |key| provider.text_of(key)))
        .find(|text| !text.is_empty())
}
