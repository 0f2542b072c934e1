//! Codex rollouts: the current ones, with a payload on every line, and those of mid 2025, with bare items.
//!
//! Rules from openai/codex 0.125: `codex-rs/core/src/session/rollout_reconstruction.rs`,
//! `codex-rs/core/src/compact.rs` and `codex-rs/core/src/context_manager/normalize.rs`.

mod compaction;
mod context;
mod entry;
mod log;
mod words;

pub(super) use entry::ENTRY;

use self::context::{Context, Place};
use self::log::{Log, Step};
use super::marker::MarkerKind;
use super::openai_responses::{self, parts::read_entries, spelling::RESPONSES};
use super::placement::SummaryPlacement;
use super::recorder::Recorder;
use super::source::Source;
use crate::error::Error;
use crate::length::Length;
use crate::transcript::{Message, Part, PartKind, Role};

/// Codex's replacement for a summary without text.
const NO_SUMMARY: &str = "(no summary available)";

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let log = Log::of(source);
    if let Some(instructions) = log.instructions {
        recorder.begin_unlisted(Message::new(Role::System), instructions.span());
        recorder.text(PartKind::Text, instructions.text());
    }
    let mut context = Context::beginning_at(recorder.transcript.messages().len());
    for step in &log.steps {
        carry_out(step, &log, &mut context, recorder);
    }
    context.settle(recorder);
    Ok(match source.is_lines {
        true if log.is_legacy => SummaryPlacement::List(&openai_responses::summary::LISTED),
        true => SummaryPlacement::Record(&compaction::RECORDED),
        false => SummaryPlacement::None,
    })
}

fn carry_out(step: &Step<'_>, log: &Log<'_>, context: &mut Context, recorder: &mut Recorder) {
    match step {
        Step::Said(entries) => say(log, entries, context, recorder),
        Step::Replaced { line, entries } => {
            recorder.mark(MarkerKind::Compaction, "compacted", line.span());
            context.replace(recorder);
            say(log, entries, context, recorder);
        }
        Step::Summarized { line, payload } => {
            recorder.mark(MarkerKind::Compaction, "compacted", line.span());
            context.keep_words(recorder);
            recorder.begin_unlisted(Message::earlier_summary(), payload.span());
            let text = payload.text_of("message").filter(|text| !text.is_empty());
            if text.is_some() {
                recorder.text(PartKind::Summary, text);
            } else {
                recorder.transcript.push(Part::new(PartKind::Summary, Length::of(NO_SUMMARY)));
            }
            context.add(Place::Turn, recorder);
        }
        Step::TakenBack { line, turns } => {
            recorder.mark(MarkerKind::Rewind, "thread_rolled_back", line.span());
            context.take_back(*turns, recorder);
        }
        Step::Told(payload) => {
            recorder.begin_unlisted(Message::context(), payload.span());
            recorder.text(PartKind::Text, payload.text_of("content"));
            recorder.sign(payload.text_of("encrypted_content"));
            context.add(Place::Turn, recorder);
        }
    }
}

fn say(log: &Log<'_>, entries: &std::ops::Range<usize>, context: &mut Context, recorder: &mut Recorder) {
    let entries = log.entries.get(entries.clone()).unwrap_or_default();
    let first = recorder.transcript.messages().len();
    read_entries(entries, &RESPONSES, recorder);
    for (offset, entry) in entries.iter().enumerate() {
        let message = recorder.transcript.messages().get(first + offset).copied();
        context
            .add_at(first + offset, message.map_or(Place::Within, |message| Place::of(entry.item, message)));
    }
}

#[cfg(test)]
mod tests;
