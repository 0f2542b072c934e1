//! pi session files, versions 1 to 3, and lists of pi messages.
//!
//! Structures from badlogic/pi-mono: `packages/coding-agent/docs/session.md`,
//! `packages/coding-agent/src/core/session-manager.ts` and `packages/ai/src/types.ts`.

mod entry;
mod write;

pub(super) use entry::ENTRY;

use std::collections::{HashMap, HashSet};

use crate::error::Error;
use crate::format::Entry;
use crate::format::marker::MarkerKind;
use crate::format::openai_chat::sole_text;
use crate::format::pieces::PieceKind;
use crate::format::placement::SummaryPlacement;
use crate::format::recorder::{Counts, Recorder, length_of_value};
use crate::format::slot::{Shape, Slot};
use crate::format::source::Source;
use crate::format::usage;
use crate::json::{Text, Value, decimal};
use crate::length::Length;
use crate::notation::javascript::stringified_length;
use crate::transcript::{Message, Part, PartKind, Role, Turn};

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(in crate::format) fn read(
    source: &Source<'_>,
    recorder: &mut Recorder,
) -> Result<SummaryPlacement, Error> {
    recorder.set_injected(Counts::AsTurn);
    // The lines of a file have a type; messages have a role. A file may have lost its header.
    let is_file = source.values().any(|line| line.text_of("type").is_some() && line.get("role").is_none());
    if !is_file {
        for message in source.list() {
            read_message(message, message.span(), recorder);
        }
        return Ok(SummaryPlacement::List(&write::LISTED));
    }
    let lines: Vec<Value<'_>> = source.values().filter(|line| line.is_object()).collect();
    let mut entries = migrate(&lines);
    for (line, entry) in lines.iter().zip(&mut entries) {
        read_entry(*line, entry, recorder);
    }
    // OpenClaw notes some things beside the branch.
    let is_beside = |line: &Value<'_>| line.text_of("appendMode").is_some_and(|mode| mode.is("side"));
    let newest = lines.iter().rposition(|line| !is_header(line) && !is_beside(line));
    order_as_sent(newest, &mut entries, recorder);
    for message in entries.iter().filter(|entry| !entry.on_branch).filter_map(|entry| entry.message) {
        recorder.set_beside(message);
    }
    let version = lines.iter().find(|line| is_header(line)).map_or(1.0, |header| version_of(*header));
    recorder.entries = entries;
    Ok(SummaryPlacement::Record(if version < 2.0 { &write::BY_INDEX } else { &write::BY_ID }))
}

fn is_header(line: &Value<'_>) -> bool {
    line.text_of("type").is_some_and(|kind| kind.is("session"))
}

/// The version of a file; 1 if it states none. A version that is not a number equals no other, as in JavaScript.
fn version_of(header: Value<'_>) -> f64 {
    match header.present("version") {
        None => 1.0,
        Some(version) => match version.text() {
            Some(text) => decimal(text.decode().trim()).unwrap_or(f64::NAN),
            None => version.number().unwrap_or(1.0),
        },
    }
}

/// Reads the entries as pi's `migrateSessionEntries` converts them (0.58.3; 0.84.2 and 1.5.2 do the same).
///
/// Version 1 has no ids: every entry gets one and the entry before it as its parent. A compaction's index (counted
/// over the whole file, including the header) becomes the id of that entry if it already has one.
fn migrate(lines: &[Value<'_>]) -> Vec<Entry> {
    let version = lines.iter().find(|line| is_header(line)).map_or(1.0, |header| version_of(*header));
    let mut parent: Option<String> = None;
    let mut entries: Vec<Entry> = Vec::with_capacity(lines.len());
    for (index, line) in lines.iter().enumerate() {
        let text = |key: &str| line.text_of(key).map(|text| text.decode().into_owned());
        let mut entry = Entry { kind: text("type").unwrap_or_default(), ..Entry::default() };
        if entry.kind == "session" {
            let written = line.get("version").map(|version| version.source().to_owned());
            entry.version = Some(if version < 3.0 { "3".to_owned() } else { written.unwrap_or_default() });
            entries.push(entry);
            continue;
        }
        let role = line.get("message").and_then(|message| message.text_of("role"));
        let renamed =
            entry.kind == "message" && version < 3.0 && role.is_some_and(|role| role.is("hookMessage"));
        entry.role =
            if renamed { Some("custom".to_owned()) } else { role.map(|role| role.decode().into_owned()) };
        entry.first_kept_entry_id = text("firstKeptEntryId");
        if version < 2.0 {
            entry.id = Some(format!("{index:08x}"));
            entry.parent_id = parent.replace(format!("{index:08x}"));
            let kept = line.get("firstKeptEntryIndex").and_then(Value::number);
            if let Some(kept) = kept.filter(|_| entry.kind == "compaction") {
                let named = (kept.fract() == 0.0 && kept >= 0.0).then_some(kept as usize);
                if let Some(named) =
                    named.filter(|named| lines.get(*named).is_some_and(|line| !is_header(line)))
                {
                    // A later entry of the file has no id yet.
                    entry.first_kept_entry_id = (named <= index).then(|| format!("{named:08x}"));
                }
            }
        } else {
            entry.id = text("id");
            // An entry of OpenClaw's that goes on behind another one.
            entry.parent_id = text(if entry.kind == "leaf" { "targetId" } else { "parentId" });
        }
        entries.push(entry);
    }
    entries
}

/// Records what an entry contributes to the context.
fn read_entry(line: Value<'_>, entry: &mut Entry, recorder: &mut Recorder) {
    let next = recorder.transcript.messages().len();
    match entry.kind.as_str() {
        "message" => {
            if let Some(message) = line.get("message") {
                read_message(message, line.span(), recorder);
            }
        }
        "compaction" => {
            read_summary(line, recorder);
            recorder.mark(MarkerKind::Compaction, "compaction", line.span());
        }
        "branch_summary" => {
            recorder.mark(MarkerKind::Branch, "branch_summary", line.span());
            if line.text_of("summary").is_none_or(Text::is_empty) {
                return;
            }
            read_summary(line, recorder);
        }
        "custom_message" => {
            let message = Message { turn: Turn::Synthetic, ..Message::new(Role::User) };
            recorder.begin_unlisted(message, line.span());
            read_content(line.present("content"), recorder);
        }
        _ => return,
    }
    entry.message = (recorder.transcript.messages().len() > next).then_some(next);
}

fn read_summary(line: Value<'_>, recorder: &mut Recorder) {
    let message = Message::earlier_summary();
    recorder.begin_unlisted(message, line.span());
    recorder.text(PartKind::Summary, line.text_of("summary"));
}

fn read_message(message: Value<'_>, span: std::ops::Range<usize>, recorder: &mut Recorder) {
    recorder.moment(message.get("timestamp"));
    let content = message.present("content");
    match message.text_of("role").map(Text::decode).as_deref() {
        Some("user") => recorder.begin(Message::person(), span),
        Some("assistant") => {
            let ended = message.present("stopReason").is_some();
            let failed = message
                .text_of("stopReason")
                .is_some_and(|reason| reason.is("error") || reason.is("aborted"));
            // Usage reported before a compaction describes another context than the current one.
            let is_old = message
                .get("timestamp")
                .and_then(Value::number)
                .is_some_and(|moment| moment < recorder.summarized_at);
            let usage = usage::total(message.get("usage"), &usage::PI).filter(|_| !failed && !is_old);
            recorder.begin(Message { ended, usage, ..Message::new(Role::Assistant) }, span);
        }
        Some("toolResult") => {
            recorder.begin(Message::new(Role::Tool), span);
            return read_result(message, content, recorder);
        }
        Some("bashExecution") => {
            // A command that the user ran; the model sees it unless it was excluded.
            let active = !message.get("excludeFromContext").is_some_and(Value::is_truthy);
            recorder.begin(Message { turn: Turn::Synthetic, active, ..Message::new(Role::User) }, span);
            recorder.text(PartKind::Text, message.text_of("command"));
            recorder.set_piece_kind(PieceKind::Command);
            recorder.text(PartKind::Text, message.text_of("output"));
            return recorder.set_piece_kind(PieceKind::Printed);
        }
        Some(role @ ("compactionSummary" | "branchSummary")) => {
            let (kind, name) = if role == "branchSummary" {
                (MarkerKind::Branch, "branchSummary")
            } else {
                (MarkerKind::Summary, "compactionSummary")
            };
            recorder.mark(kind, name, span.clone());
            recorder.begin(Message::earlier_summary(), span);
            if role == "compactionSummary" {
                recorder.set_kept(message.get("keptMessages"));
                recorder.summarized_at =
                    message.get("timestamp").and_then(Value::number).unwrap_or(recorder.summarized_at);
            }
            return recorder.text(PartKind::Summary, message.text_of("summary"));
        }
        Some("custom" | "hookMessage") => {
            recorder.begin(Message { turn: Turn::Synthetic, ..Message::new(Role::User) }, span);
        }
        Some("system") => recorder.begin(Message::new(Role::System), span),
        _ => recorder.begin(Message::new(Role::Other), span),
    }
    read_content(content, recorder);
}

fn read_content(content: Option<Value<'_>>, recorder: &mut Recorder) {
    let Some(content) = content else { return };
    if let Some(text) = content.text() {
        return recorder.text(PartKind::Text, Some(text));
    }
    for block in content.elements() {
        match block.text_of("type").map(Text::decode).as_deref() {
            Some("text") => {
                recorder.text(PartKind::Text, block.text_of("text"));
                recorder.sign(block.text_of("textSignature"));
            }
            Some("thinking") => {
                recorder.text(PartKind::Thinking, block.text_of("thinking"));
                recorder.sign(block.text_of("thinkingSignature"));
            }
            Some("image") => recorder.media(PartKind::Image, data_length(block), None),
            Some("toolCall") => {
                let arguments = block.get("arguments");
                recorder.call(block.text_of("id"), block.text_of("name"), arguments);
                recorder.set_native_length(arguments.map(stringified_length));
                recorder.sign(block.text_of("thoughtSignature"));
            }
            _ => recorder.value(PartKind::Other, Some(block)),
        }
    }
}

fn read_result(message: Value<'_>, content: Option<Value<'_>>, recorder: &mut Recorder) {
    let blocks = || content.into_iter().flat_map(Value::elements);
    let text = content.and_then(Value::text);
    let (length, pieces) = blocks().filter_map(|block| block.text_of("text")).fold(
        text.map_or((Length::default(), 0), |text| (text.length(), 1)),
        |(length, pieces): (Length, u16), text| (length.plus(text.length()), pieces.saturating_add(1)),
    );
    let (id, has_failed) =
        (message.text_of("toolCallId"), message.get("isError").is_some_and(Value::is_truthy));
    let output = recorder.output_of(text.or_else(|| sole_text(content)), id, has_failed);
    let part = Part { output, pieces, ..Part::new(PartKind::ToolResult, length) };
    let slot = Slot::of_member(message, "content", Shape::Blocks);
    let call = recorder.result(message.text_of("toolCallId"), message.text_of("toolName"), part, Some(slot));
    recorder.set_text_places(content);
    for image in blocks().filter(|block| block.text_of("type").is_some_and(|kind| kind.is("image"))) {
        recorder.media(PartKind::Image, data_length(image), call);
    }
}

fn data_length(block: Value<'_>) -> Length {
    block.get("data").map(length_of_value).unwrap_or_default()
}

/// Finds what pi would send of the branch that ends in the newest entry: the newest compaction's summary, then what
/// that compaction kept, then what followed (`buildSessionContext`).
///
/// Behind a reset of `OpenClaw`, a session begins anew, with what it names as kept.
fn order_as_sent(newest: Option<usize>, entries: &mut [Entry], recorder: &mut Recorder) {
    let branch = branch(newest, entries);
    for index in &branch {
        if let Some(entry) = entries.get_mut(*index) {
            entry.on_branch = true;
        }
    }
    let at = |position: usize| branch.get(position).and_then(|index| entries.get(*index));
    let compaction = (0..branch.len())
        .rev()
        .find(|position| at(*position).is_some_and(|entry| matches!(&*entry.kind, "compaction" | "reset")));
    let mut sent: HashSet<usize> = HashSet::new();
    let mut summary = None;
    match compaction {
        None => sent.extend(branch.iter().filter_map(|index| entries.get(*index)?.message)),
        Some(compaction) => {
            let kept_id = at(compaction).and_then(|entry| entry.first_kept_entry_id.as_deref());
            let kept = (0..compaction).find(|position| {
                kept_id.is_some() && at(*position).is_some_and(|entry| entry.id.as_deref() == kept_id)
            });
            let positions = kept.map_or(0..0, |kept| kept..compaction).chain(compaction + 1..branch.len());
            // Older compactions in the kept range are not sent: the newest summary contains them.
            let messages = positions.filter_map(at).filter(|entry| entry.kind != "compaction");
            sent.extend(messages.filter_map(|entry| entry.message));
            summary = at(compaction).and_then(|entry| entry.message);
            // Usage reported before the compaction describes the context that it replaced.
            for message in (0..compaction).filter_map(|position| at(position)?.message) {
                recorder.transcript.forget_usage(message);
            }
        }
    }
    sent.extend(summary);
    for index in 0..recorder.transcript.messages().len() {
        let excluded = recorder.transcript.messages().get(index).is_none_or(|message| !message.active);
        recorder.transcript.set_active(index, sent.contains(&index) && !excluded);
    }
    if let Some(summary) = summary {
        move_summary_to_front(summary, &sent, entries, recorder);
    }
}

/// Moves the summary in front of the first message that is sent.
fn move_summary_to_front(
    summary: usize,
    sent: &HashSet<usize>,
    entries: &mut [Entry],
    recorder: &mut Recorder,
) {
    let count = recorder.transcript.messages().len();
    let Some(first) = (0..count).find(|index| sent.contains(index)).filter(|first| *first < summary) else {
        return;
    };
    let order: Vec<usize> =
        (0..first).chain([summary]).chain((first..count).filter(|index| *index != summary)).collect();
    let mut moved = vec![0; count];
    for (position, index) in order.iter().enumerate() {
        if let Some(slot) = moved.get_mut(*index) {
            *slot = position;
        }
    }
    recorder.reorder(&order);
    for entry in entries {
        entry.message = entry.message.and_then(|message| moved.get(message).copied());
    }
}

/// The indices of the entries from the root to the newest entry.
fn branch(newest: Option<usize>, entries: &[Entry]) -> Vec<usize> {
    let by_id: HashMap<&str, usize> =
        entries.iter().enumerate().filter_map(|(index, entry)| Some((entry.id.as_deref()?, index))).collect();
    let mut branch = Vec::new();
    let mut seen = HashSet::new();
    let mut next = newest;
    while let Some(index) = next.filter(|index| seen.insert(*index)) {
        branch.push(index);
        next = entries.get(index).and_then(|entry| by_id.get(entry.parent_id.as_deref()?).copied());
    }
    branch.reverse();
    branch
}
