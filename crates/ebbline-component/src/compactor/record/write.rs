//! Writes a record.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use ebbline::json::{Document, Writer};

use super::super::view::{About, Change, Sent, View};
use super::checksum::{sum_of, sum_of_record};
use crate::live::Text;

/// The record of a view.
pub(crate) fn write(view: &View, controller: &[f64], overhead: Option<u64>, has_originals: bool) -> String {
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
    out.raw(",\"messages\":").number(log.len() as u64).raw(",\"changes\":[");
    for (at, change) in view.done().iter().enumerate() {
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
        out.raw("{\"message\":").number(message as u64).raw(",\"original\":").raw(&text.words).raw("}");
    }
    out.raw("]");
}

fn write_change(Change { before, after, until, about }: &Change, log: &[Text], out: &mut Writer) {
    out.raw("{\"at\":").number(about.at).raw(",\"cause\":").string(about.cause.as_str());
    out.raw(",\"profile\":").string(&about.profile);
    about.write(out);
    let old: HashMap<usize, &Sent> =
        before.iter().filter_map(|sent| sent.origin.map(|origin| (origin, sent))).collect();
    let replaced = after.iter().filter_map(|sent| {
        let origin = sent.origin?;
        old.get(&origin).filter(|old| old.text.words != sent.text.words).map(|_| (origin, sent))
    });
    out.raw(",\"replaced\":[");
    for (at, (origin, sent)) in replaced.enumerate() {
        write_bound(origin, log, out.raw(if at == 0 { "" } else { "," }));
        out.raw(",\"becomes\":").raw(&sent.text.words).raw("}");
    }
    out.raw("]");
    let left: HashSet<usize> = after.iter().filter_map(|sent| sent.origin).collect();
    let is_in = |list: &[Sent], made: &Sent| {
        list.iter().any(|sent| sent.origin.is_none() && Rc::ptr_eq(&sent.text.words, &made.text.words))
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
            let text = after.get(place).map_or("null", |sent| &*sent.text.words);
            out.raw(if at == 0 { "" } else { "," });
            out.raw("{\"place\":").number(place as u64).raw(",\"becomes\":").raw(text).raw("}");
        }
        out.raw("]}");
    }
    out.raw("}");
}

/// A message and its checksum, without the bracket at the end.
fn write_bound(message: usize, log: &[Text], out: &mut Writer) {
    let sum = log.get(message).map_or(0, |text| sum_of(&text.words));
    out.raw("{\"message\":").number(message as u64).raw(",\"checksum\":").number(sum.into());
}

impl About {
    /// Its figures as members of an object.
    pub(crate) fn write(&self, out: &mut Writer) {
        out.raw(",\"pruned\":").number(self.pruned).raw(",\"summarised\":").number(self.summarised);
        if let Some(carried) = self.carried {
            out.raw(",\"orders\":").number(carried.orders).raw(",\"pins\":").number(carried.pins);
            out.raw(",\"byRule\":").flag(carried.is_by_rule);
        }
        out.raw(",\"tokensBefore\":").number(self.tokens_before);
        out.raw(",\"tokensAfter\":").number(self.tokens_after);
    }
}
