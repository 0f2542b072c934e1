//! Gemini CLI sessions, JSON and JSONL.
//!
//! Order and rules of the CLI's own loader (google-gemini/gemini-cli, core 0.61.0:
//! `packages/core/src/services/chatRecordingService.ts` and `packages/core/src/utils/sessionUtils.ts`).

mod entry;
mod log;
mod record;
mod write;

pub(super) use entry::ENTRY;

use std::collections::HashMap;

use super::gemini_contents::{Pairing, id_of, parts_of, response_in};
use super::placement::SummaryPlacement;
use super::recorder::Recorder;
use super::slot::Slot;
use super::source::Source;
use crate::error::Error;
use crate::transcript::PartKind;
use log::Entry;
use record::{Reading, recorded_at};

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let (entries, placement) = if source.is_lines {
        (log::entries(source, recorder), SummaryPlacement::Record(&write::RECORDED))
    } else {
        let whole = source.list().into_iter().map(|message| Entry { message, active: true });
        (whole.collect(), SummaryPlacement::List(&write::LISTED))
    };
    let mut reading = Reading {
        sent_apart: entries.iter().flat_map(sent_apart).collect(),
        elsewhere: Vec::new(),
        pairing: Pairing::default(),
        is_summarized: false,
    };
    let mut rest = entries.as_slice();
    while let [entry, behind @ ..] = rest {
        let next = behind.iter().find(|next| next.active == entry.active).map(|next| next.message);
        record::read_message(*entry, next, &mut reading, recorder);
        rest = behind;
    }
    forget_replaced(&entries, recorder);
    prune_everywhere(reading.elsewhere, recorder);
    Ok(placement)
}

/// The calls that a user message answers.
fn sent_apart(entry: &Entry<'_>) -> Vec<(bool, String)> {
    let is_user = entry.message.text_of("type").is_some_and(|kind| kind.is("user"));
    let content = entry.message.get("content").filter(|_| is_user);
    let responses = content.map(parts_of).unwrap_or_default().into_iter().filter_map(response_in);
    responses.filter_map(id_of).map(|id| (entry.active, id.into_owned())).collect()
}

/// When the session is resumed, a result that is recorded twice is read twice, so it is pruned in both places.
fn prune_everywhere(elsewhere: Vec<(bool, String, Slot)>, recorder: &mut Recorder) {
    if elsewhere.is_empty() {
        return;
    }
    let mut results = HashMap::new();
    for (index, message) in recorder.transcript.messages().iter().enumerate() {
        for (part, at) in
            recorder.transcript.parts_of(index).iter().zip(recorder.transcript.part_range(index))
        {
            if let Some(call) = part.call.filter(|_| part.kind == PartKind::ToolResult) {
                results.entry((message.active, call)).or_insert(at);
            }
        }
    }
    for (active, id, slot) in elsewhere {
        let call = recorder.transcript.call(&id);
        if let Some(result) = results.get(&(active, call)) {
            recorder.add_slot(*result, slot);
        }
    }
}

/// Removes usage reported before the newest summary was recorded, because it describes the replaced context.
fn forget_replaced(entries: &[Entry<'_>], recorder: &mut Recorder) {
    let messages = recorder.transcript.messages().iter().zip(entries);
    let summaries = messages.filter(|(message, _)| message.active && message.summary);
    let moments = summaries.filter_map(|(_, entry)| recorded_at(entry.message));
    let Some(replaced) = moments.max() else { return };
    for (index, entry) in entries.iter().enumerate() {
        if recorded_at(entry.message).is_some_and(|moment| moment <= replaced) {
            recorder.transcript.forget_usage(index);
        }
    }
}

#[cfg(test)]
mod tests;
