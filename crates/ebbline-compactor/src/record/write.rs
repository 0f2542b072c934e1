//! Writes a record.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ebbline::json::{Document, Writer};

use super::checksum::{sum_of, sum_of_record};
use crate::overflow::LearntWindow;
use crate::texts::MessageText;
use crate::view::{Change, Sent, View};

/// The record of a view.
pub(crate) fn write(
    view: &View,
    controller: &[f64],
    overhead: Option<u64>,
    learnt: Option<LearntWindow>,
    has_originals: bool,
) -> String {
    let mut out = Writer::default();
    let log = view.history();
    out.raw("{\"version\":2,\"controller\":[");
    for (at, figure) in controller.iter().enumerate() {
        out.raw(if at == 0 { "" } else { "," }).number(*figure as u64);
    }
    out.raw("],\"overhead\":");
    match overhead {
        Some(tokens) => out.number(tokens),
        None => out.raw("null"),
    };
    if let Some(LearntWindow { window, told }) = learnt {
        out.raw(",\"learnt\":{\"window\":").number(window).raw(",\"told\":");
        match told {
            Some(told) => out.number(told),
            None => out.raw("null"),
        };
        out.raw("}");
    }
    out.raw(",\"messages\":").number(log.len() as u64).raw(",\"changes\":[");
    for (at, change) in view.compactions().iter().enumerate() {
        out.raw(if at == 0 { "" } else { "," });
        write_change(change, log, &mut out);
    }
    out.raw("]}");
    let said = out.finish();
    let sum = Document::parse(&said).map_or(0, |document| sum_of_record(document.root()));
    let mut out = Writer::default();
    out.raw(said.strip_suffix('}').unwrap_or_default());
    if has_originals {
        write_originals(view, &mut out);
    }
    out.raw(",\"checksum\":").number(sum.into()).raw("}");
    out.finish()
}

/// The messages that are not sent as they are.
fn write_originals(view: &View, out: &mut Writer) {
    let is_sent: HashSet<usize> =
        view.sent().iter().filter(|sent| !sent.is_changed).filter_map(|sent| sent.origin).collect();
    out.raw(",\"originals\":[");
    let gone = view.history().iter().enumerate().filter(|(message, _)| !is_sent.contains(message));
    for (at, (message, text)) in gone.enumerate() {
        out.raw(if at == 0 { "" } else { "," });
        out.raw("{\"message\":").number(message as u64).raw(",\"original\":").raw(&text.json).raw("}");
    }
    out.raw("]");
}

fn write_change(Change { before, after, until, compaction }: &Change, log: &[MessageText], out: &mut Writer) {
    out.raw("{\"at\":").number(compaction.at).raw(",\"cause\":").string(compaction.cause.as_str());
    out.raw(",\"profile\":").string(&compaction.profile);
    compaction.write(out);
    let old: HashMap<usize, &Sent> =
        before.iter().filter_map(|sent| sent.origin.map(|origin| (origin, sent))).collect();
    let replaced = after.iter().filter_map(|sent| {
        let origin = sent.origin?;
        old.get(&origin).filter(|old| old.text.json != sent.text.json).map(|_| (origin, sent))
    });
    out.raw(",\"replaced\":[");
    for (at, (origin, sent)) in replaced.enumerate() {
        write_bound(origin, log, out.raw(if at == 0 { "" } else { "," }));
        out.raw(",\"becomes\":").raw(&sent.text.json).raw("}");
    }
    out.raw("]");
    let left: HashSet<usize> = after.iter().filter_map(|sent| sent.origin).collect();
    let is_in = |list: &[Sent], made: &Sent| {
        list.iter().any(|sent| sent.origin.is_none() && Arc::ptr_eq(&sent.text.json, &made.text.json))
    };
    let gone: Vec<usize> =
        before.iter().filter_map(|sent| sent.origin).filter(|one| !left.contains(one)).collect();
    let of_made = |list: &'_ [Sent], other: &[Sent]| -> Vec<usize> {
        let made = list.iter().enumerate().filter(|(_, sent)| sent.origin.is_none() && !is_in(other, sent));
        made.map(|(place, _)| place).collect()
    };
    let (earlier, made) = (of_made(before, after), of_made(after, before));
    if !gone.is_empty() || !earlier.is_empty() || !made.is_empty() {
        out.raw(",\"summary\":{\"until\":").number(*until as u64).raw(",\"replaces\":[");
        for (at, origin) in gone.into_iter().enumerate() {
            write_bound(origin, log, out.raw(if at == 0 { "" } else { "," }));
            out.raw("}");
        }
        out.raw("],\"earlier\":[");
        for (at, place) in earlier.into_iter().enumerate() {
            out.raw(if at == 0 { "" } else { "," }).number(place as u64);
        }
        out.raw("],\"made\":[");
        for (at, place) in made.into_iter().enumerate() {
            let text = after.get(place).map_or("null", |sent| &*sent.text.json);
            out.raw(if at == 0 { "" } else { "," });
            out.raw("{\"place\":").number(place as u64).raw(",\"becomes\":").raw(text).raw("}");
        }
        out.raw("]}");
    }
    out.raw("}");
}

/// A message and its checksum, without the bracket at the end.
fn write_bound(message: usize, log: &[MessageText], out: &mut Writer) {
    let sum = log.get(message).map_or(0, |text| sum_of(&text.json));
    out.raw("{\"message\":").number(message as u64).raw(",\"checksum\":").number(sum.into());
}
