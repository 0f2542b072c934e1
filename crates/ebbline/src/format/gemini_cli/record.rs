//! What the CLI would send of one message of a session.

use std::borrow::Cow;
use std::collections::HashSet;
use std::num::NonZeroU32;
use std::ops::Range;

use super::super::gemini_contents::{
    ACKNOWLEDGED, OutputOf, Pairing, SNAPSHOT, answer, call_in, id_of, is_thought, name_of, parts_of, read_inner,
    read_parts, response_in, spoken, words_in, words_of,
};
use super::super::marker::MarkerKind;
use super::super::pieces::PieceKind;
use super::super::recorder::Recorder;
use super::super::slot::{Shape, Slot};
use super::super::usage;
use super::log::Entry;
use crate::json::{Text, Value, quote};
use crate::length::Length;
use crate::transcript::{Message, Output, Part, PartKind, Role, Turn};

/// The lines around the texts of files that the user named (gemini-cli, commands that begin with `@`).
const FILES_BEGIN: &str = "--- Content from referenced files ---";
const FILES_END: &str = "--- End of content ---";

/// Records a message; `next` is the one after it.
///
/// Notices, warnings, errors, and messages that the CLI skips when it resumes, are never sent: they are recorded as
/// inactive messages without parts.
pub(super) fn read_message<'d>(
    entry: Entry<'d>,
    next: Option<Value<'d>>,
    reading: &mut Reading<'d>,
    recorder: &mut Recorder,
) {
    let Entry { message, active } = entry;
    let parts = message.present("content").map(parts_of).unwrap_or_default();
    if is_type(message, "gemini") {
        reading.pairing.model_speaks();
        // Current models get no thoughts back.
        let sent: Vec<_> = parts.into_iter().filter(|part| !is_thought(*part)).collect();
        read_answer(entry, &sent, reading, recorder);
    } else if is_type(message, "user") && !is_passed_over(&parts) {
        reading.pairing.user_speaks();
        let begun = if is_snapshot(&parts, next) { Message::earlier_summary() } else { spoken(&parts) };
        let begun = Message { turn: turn_of(&parts).unwrap_or(begun.turn), active, ..begun };
        recorder.begin(begun, message.span());
        if begun.turn == Turn::Person || begun.summary {
            recorder.check_summary(parts.first().and_then(|part| words_of(*part)));
        }
        reading.is_summarized = begun.summary;
        if begun.summary {
            recorder.mark(MarkerKind::Compaction, "state_snapshot", message.span());
        }
        read_parts(&parts, words_in(begun), &mut reading.pairing, recorder);
        mark_files(&parts, recorder);
    } else {
        recorder.begin(Message { active: false, ..Message::new(Role::Other) }, message.span());
    }
}

/// Marks the texts of files that the user named: the CLI adds them between two lines of its own.
fn mark_files(parts: &[Value<'_>], recorder: &mut Recorder) {
    let says = |line: &str| {
        let is_line = |part: &Value<'_>| words_of(*part).is_some_and(|text| text.decode().trim() == line);
        parts.iter().position(is_line)
    };
    let Some(first) = says(FILES_BEGIN) else { return };
    let count = parts.len();
    let last = says(FILES_END).unwrap_or(count);
    // One part of the transcript for each, or the positions say nothing.
    let range = recorder.transcript.part_range(recorder.transcript.messages().len().saturating_sub(1));
    if range.len() == count {
        for part in range.skip(first).take((last + 1).saturating_sub(first)) {
            recorder.set_kind_of_part(part, PieceKind::Added);
        }
    }
}

/// Whether the CLI skips a user message when it resumes the session: commands, and context that it writes again. The
/// context at the beginning of a session is sent again unchanged.
fn is_passed_over(parts: &[Value<'_>]) -> bool {
    for part in parts {
        // A part that is not text has content too.
        let Some(text) = words_of(*part).filter(|_| !is_thought(*part)).map(Text::decode) else {
            return false;
        };
        let said = text.trim_start();
        if !said.is_empty() {
            return ["/", "?", "<hook_context>"].iter().any(|sign| said.starts_with(sign));
        }
    }
    true
}

/// What a message of the user begins that the CLI wrote itself.
fn turn_of(parts: &[Value<'_>]) -> Option<Turn> {
    let [part] = parts else { return None };
    let text = words_of(*part)?;
    if text.is("System: Please continue.") || text.is("Please continue.") {
        return Some(Turn::Synthetic);
    }
    text.starts_with("<session_context>").then_some(Turn::Context)
}

/// Whether a user message is the summary of a compression: the model's answer to it is always the same.
fn is_snapshot(parts: &[Value<'_>], next: Option<Value<'_>>) -> bool {
    let acknowledges = |part: &Value<'_>| words_of(*part).is_some_and(|text| text.is(ACKNOWLEDGED));
    let answer = next.filter(|next| is_type(*next, "gemini")).and_then(|next| next.present("content"));
    answer.map(parts_of).unwrap_or_default().iter().any(acknowledges)
        && parts.first().and_then(|part| words_of(*part)).is_some_and(|text| text.decode().contains(SNAPSHOT))
}

/// Records the model's text and calls, and the results that are stored with the calls.
fn read_answer<'d>(
    entry: Entry<'d>,
    parts: &[Value<'d>],
    reading: &mut Reading<'d>,
    recorder: &mut Recorder,
) {
    let Entry { message, active } = entry;
    let calls: Vec<_> = message.elements_of("toolCalls").filter(|call| call.is_object()).collect();
    // If the content contains the calls, these were sent, and the record only repeats them.
    let said: Vec<_> = parts.iter().filter_map(|part| call_in(*part)).collect();
    let begun = answer(parts);
    let ended = begun.ended && calls.is_empty();
    let usage = usage::total(message.get("tokens"), &usage::GEMINI_CLI);
    let summary = std::mem::take(&mut reading.is_summarized);
    recorder.begin(Message { ended, summary, active, usage, ..begun }, message.span());
    let parts: Vec<_> = parts.iter().copied().filter(|part| !is_blank(*part)).collect();
    read_parts(&parts, PartKind::Text, &mut reading.pairing, recorder);
    let keys: Vec<_> = calls.iter().map(|call| key_of(*call, &said, reading)).collect();
    if said.is_empty() {
        for (call, key) in calls.iter().zip(&keys) {
            recorder.call_named(Some(key), name_of(*call).as_deref(), call.get("args"));
            if id_of(*call).is_none() {
                recorder.paired_by_place();
            }
        }
    }
    for (call, key) in calls.iter().zip(keys) {
        let apart = (active, key.into_owned());
        let Some(result) = call.get("result").filter(is_there) else { continue };
        if reading.sent_apart.contains(&apart) {
            reading.elsewhere.push((active, apart.1, slot_of(*call, result)));
        } else {
            read_result(*call, &apart.1, result, recorder);
        }
    }
}

/// An empty text, which is the content of an answer with only calls.
fn is_blank(part: Value<'_>) -> bool {
    part.text().is_some_and(|text| text.is_empty())
}

/// The key that pairs a recorded call with its result: its id, or the key of the call in the content.
fn key_of<'d>(call: Value<'d>, said: &[Value<'d>], reading: &mut Reading<'d>) -> Cow<'d, str> {
    let id = id_of(call);
    if said.is_empty()
        || id.as_ref().is_some_and(|id| said.iter().any(|said| id_of(*said).as_ref() == Some(id)))
    {
        return id.unwrap_or_else(|| reading.pairing.call(call));
    }
    let name = name_of(call);
    let open = reading.pairing.take(name.as_deref());
    open.or(id).unwrap_or_else(|| reading.pairing.call(call))
}

/// Records a result: texts and responses are one part; media are separate parts of the same call.
fn read_result(call: Value<'_>, key: &str, result: Value<'_>, recorder: &mut Recorder) {
    let parts = own_parts(call, parts_of(result));
    let id = id_of_result(call, &parts);
    let Said { part, places, masked } = Said::by(&parts, id, recorder);
    let failed = is_status(call, "error") && part.output == Output::Ordinary;
    let part = if failed { Part { output: Output::Error, ..part } } else { part };
    let slot = slot_of(call, result).answering(id);
    let paired = recorder.result_named(Some(key), name_of(call).as_deref(), part, Some(slot));
    recorder.set_places(places);
    if let Some(span) = masked {
        recorder.mark(MarkerKind::Prune, "tool_output_masked", span);
    }
    if let Some(shown) = call.present("resultDisplay").filter(|shown| shown.is_truthy()) {
        recorder.add_copy(Slot::of_value(shown, Shape::Text));
    }
    for part in parts {
        let inside = response_in(part).map(|response| response.elements_of("parts"));
        for inner in inside.into_iter().flatten() {
            read_inner(inner, paired, recorder);
        }
        if response_in(part).is_none() && words_of(part).is_none() {
            read_inner(part, paired, recorder);
        }
    }
}

/// The parts of a result taken together.
struct Said {
    part: Part,
    places: Vec<Range<usize>>,
    /// The part that the CLI has masked.
    masked: Option<Range<usize>>,
}

impl Said {
    fn by(parts: &[Value<'_>], id: Option<Text<'_>>, recorder: &Recorder) -> Self {
        let nothing = Part { pieces: 0, ..Part::new(PartKind::ToolResult, Length::default()) };
        let mut said = Self { part: nothing, places: Vec::new(), masked: None };
        for part in parts {
            if let Some(response) = response_in(*part) {
                let OutputOf { part: output, is_masked, place } = OutputOf::of(response, id, recorder);
                said.add(output, place.map(Value::span));
                said.masked = is_masked.then(|| part.span()).or(said.masked);
            } else if let Some(text) = words_of(*part) {
                let output = recorder.output_of(Some(text), id, false);
                said.add(
                    Part { output, ..Part::new(PartKind::ToolResult, text.length()) },
                    Some(text.span()),
                );
            }
        }
        // Content beside a placeholder shows that the result was not pruned.
        let is_cleared = said.part.output == Output::Pruned || said.part.output.says_placeholder();
        if said.part.pieces > 1 && is_cleared {
            said.part.output = Output::Ordinary;
        }
        said
    }

    fn add(&mut self, output: Part, place: Option<Range<usize>>) {
        let part = &mut self.part;
        part.length = part.length.plus(output.length);
        part.pieces = part.pieces.saturating_add(1);
        part.native = output
            .native
            .map(|native| native.saturating_add(part.native.map_or(0, NonZeroU32::get)))
            .or(part.native);
        if output.output != Output::Ordinary {
            part.output = output.output;
        }
        self.places.extend(place);
    }
}

/// The id that the file has for a call, and that no tool is told: of the record, or of its response.
fn id_of_result<'d>(call: Value<'d>, parts: &[Value<'d>]) -> Option<Text<'d>> {
    let of_response = || parts.iter().find_map(|part| response_in(*part)?.text_of("id"));
    call.text_of("id").or_else(of_response)
}

/// Whether a result has content: the CLI does not send `null`, an empty text or an empty list.
fn is_there(result: &Value<'_>) -> bool {
    result.is_truthy() && !(result.is_array() && result.elements().next().is_none())
}

fn is_status(call: Value<'_>, name: &str) -> bool {
    call.text_of("status").is_some_and(|status| status.is(name))
}

/// The parts of a call's result. After masking, the CLI stores the parts of a whole batch with each of its calls.
fn own_parts<'d>(call: Value<'d>, parts: Vec<Value<'d>>) -> Vec<Value<'d>> {
    let id = id_of(call);
    let is_own = |part: &Value<'d>| response_in(*part).and_then(id_of) == id;
    let responses = || parts.iter().filter(|part| response_in(**part).is_some());
    if responses().count() > 1 && responses().any(is_own) {
        let mut own = false;
        let keeps = |part: &Value<'d>| {
            own = response_in(*part).map_or(own, |_| is_own(part));
            own
        };
        return parts.iter().copied().filter(keeps).collect();
    }
    parts
}

/// Where a result is pruned: in its response if it is nothing else; otherwise one response replaces the whole result.
fn slot_of(call: Value<'_>, result: Value<'_>) -> Slot {
    if result.is_string() {
        return Slot::of_value(result, Shape::Text);
    }
    let parts = parts_of(result);
    if let [part] = parts.as_slice()
        && let Some(response) = response_in(*part).filter(|response| response.present("parts").is_none())
    {
        return Slot::of_member(response, "response", Shape::Within(r#"{"output":"#, "}"));
    }
    let response = parts.iter().find_map(|part| response_in(*part));
    let member = |key: &str| {
        let value = call.text_of(key).or_else(|| response?.text_of(key))?;
        Some(format!(r#""{key}":{},"#, quote(&value.decode())))
    };
    let named: String = ["id", "name"].into_iter().filter_map(member).collect();
    Slot::of_value(result, Shape::Within("", "}}}]"))
        .led_by(format!(r#"[{{"functionResponse":{{{named}"response":{{"output":"#))
}

/// What reading a message needs to know about the others.
pub(super) struct Reading<'d> {
    /// The calls whose results are separate messages, and whether those are active. The newest versions of the CLI
    /// record such a result twice: as a message and with its call.
    pub(super) sent_apart: HashSet<(bool, String)>,
    /// Where these results are recorded with their calls.
    pub(super) elsewhere: Vec<(bool, String, Slot)>,
    pub(super) pairing: Pairing<'d>,
    /// Whether the previous message is a summary, which the model acknowledges with a fixed answer.
    pub(super) is_summarized: bool,
}

/// When a message was recorded, as the text that the CLI writes, which sorts by time.
pub(super) fn recorded_at(message: Value<'_>) -> Option<String> {
    message.text_of("timestamp").map(Text::decode).map(std::borrow::Cow::into_owned)
}

pub(super) fn is_type(message: Value<'_>, name: &str) -> bool {
    message.text_of("type").is_some_and(|kind| kind.is(name))
}
