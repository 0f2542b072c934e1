//! Encodes lives.

use ebbline::replay::Known;

use super::bytes::{NONE, Reader, Writer, numbers};
use crate::life::Life;

pub(super) fn write_life(life: &Life, out: &mut Writer) {
    let Life { answers, turns, found, sent, events, recorded, window, threshold, .. } = life;
    for column in [answers, turns, found, sent] {
        out.words(column);
    }
    out.events(events);
    out.events(recorded);
    out.numbers(&[
        window.unwrap_or(NONE),
        threshold.unwrap_or(NONE),
        life.beside,
        life.known as u64,
        u64::from(life.pruned_before),
    ]);
}

pub(super) fn read_life(from: &mut Reader<'_>) -> Option<Life> {
    let (answers, turns, found, sent) = (from.words()?, from.words()?, from.words()?, from.words()?);
    let (events, recorded) = (from.events()?, from.events()?);
    let [window, threshold, beside, known, pruned_before] = numbers(from)?;
    let some = |number: u64| Some(number).filter(|number| *number != NONE);
    Some(Life {
        answers,
        turns,
        found,
        sent,
        events,
        recorded,
        window: some(window),
        threshold: some(threshold),
        beside,
        known: Known::ALL.get(usize::try_from(known).ok()?).copied()?,
        pruned_before: u32::try_from(pruned_before).ok()?,
    })
}
