//! `OpenHands` events: a trajectory's export, an event log, an evaluation's `output.jsonl`, a single event; of
//! version 0 and of the SDK (version 1).
//!
//! Every event is one message of the transcript. Events that are not sent (`null`, state changes, condensations that
//! another one replaced) have no parts and stay with the events before them.

mod answers;
mod entry;
mod events;
mod standing;
mod v0;
mod v1;
mod view;
mod write;

pub(super) use entry::ENTRY;

use self::answers::Answers;
use self::events::Events;
use self::standing::Standing;
use self::view::View;
use super::marker::MarkerKind;
use super::order::as_sent;
use super::placement::SummaryPlacement;
use super::recorder::Recorder;
use super::source::Source;
use crate::error::Error;
use crate::transcript::{Message, PartKind, Role};

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let events = Events::of(source);
    let view = View::of(&events);
    let answers = Answers::of(&events, &view);
    let mut v0 = v0::Reader::default();
    let mut v1 = v1::Reader::default();
    for (index, event) in events.list.iter().enumerate() {
        let span = event.value.span();
        let place = answers.place(index);
        match event.standing {
            Standing::Condensation if view.holds(index) => {
                recorder.begin(Message::earlier_summary(), span.clone());
                recorder.text(PartKind::Summary, event.summary());
            }
            Standing::Sent if events.is_sdk => v1.event(event, place, recorder),
            Standing::Sent => v0.event(event, place, recorder),
            Standing::Condensation | Standing::Silent | Standing::Noise => {
                recorder.begin(Message { continues: index > 0, ..Message::new(Role::Other) }, span.clone());
                v1.pass_over(event);
            }
        }
        if event.standing == Standing::Sent && !view.holds(index) {
            recorder.transcript.set_active(index, false);
        }
        if event.standing == Standing::Condensation {
            let name = if events.is_sdk { "Condensation" } else { "condensation" };
            recorder.mark(MarkerKind::Compaction, name, span);
        }
    }
    // Version 0 always puts the user's first message back, even if it was forgotten.
    if let Some(first) = view::first_words(&events.list).filter(|_| !events.is_sdk) {
        recorder.transcript.pin(first);
    }
    // Usage reported before the newest condensation describes the context that it replaced.
    for index in 0..view.newest_condensation.unwrap_or(0) {
        recorder.transcript.forget_usage(index);
    }
    recorder.reorder(&as_sent(view.events.iter().copied(), events.list.len()));
    Ok(SummaryPlacement::Record(&write::RECORDED))
}

#[cfg(test)]
mod tests;
