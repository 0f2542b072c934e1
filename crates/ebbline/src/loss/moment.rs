//! One moment of departure: what leaves together, what stands for it afterwards, and what nothing stands for.

use std::collections::HashMap;

use super::departure::{Departure, Left};
use super::measure::{Gone, Place, SENTENCE, Voice, WHOLE, Walk, keys_of_words};
use super::meter::Stated;
use super::owner::Owner;
use super::report::shown;
use super::report::{Coverage, Finding, LossKind, Share};
use super::summaries::{Carrier, Survival};
use crate::identifiers::{Class, Identifier, each, key};
use crate::injection::Speech;
use crate::orders::joined;
use crate::transcript::{Part, PartKind};

/// So many summaries are searched for the user's words.
const CARRIERS: usize = 16;

impl Walk<'_, '_> {
    /// Parts leave, all of one moment after those of another.
    pub(super) fn leave(&mut self, leaving: &[(usize, &Departure)]) {
        for moment in leaving.chunk_by(|(one, _), (next, _)| one == next) {
            let is_due = |departure: &&Departure| {
                self.is_in_context(departure.part)
                    || departure.how == Left::Summarized
                        && self.named.get(departure.part).is_some_and(Option::is_some)
            };
            let due: Vec<Departure> =
                moment.iter().map(|(_, departure)| *departure).filter(is_due).copied().collect();
            if !due.is_empty() {
                self.moment(&due);
            }
        }
    }

    fn moment(&mut self, due: &[Departure]) {
        let meter = self.meter;
        self.report.compactions += 1;
        self.requests_at.push(self.report.requests);
        let mut owned: Vec<(u64, usize)> = Vec::new();
        let mut named: Vec<(u64, Class, bool)> = Vec::new();
        let mut decided: Vec<Gone> = Vec::new();
        for departure in due {
            let at = departure.part;
            if let Some(named) = self.named.get_mut(at).and_then(Option::take) {
                // The placeholder leaves, too.
                owned.extend(self.leave_names(&named));
                continue;
            }
            let Some(part) = self.part(at).filter(|_| self.is_in_context(at)) else { continue };
            if let Some(place) = self.places.get_mut(at) {
                *place = Place::Gone;
            }
            self.report.departed_parts += 1;
            let voice = self.voice(at, part);
            if voice == Voice::Output {
                self.output_leaves(*departure, part);
            }
            let Some(said) = meter.said(at) else {
                self.report.without_text += 1;
                continue;
            };
            self.note_change(voice);
            match voice {
                Voice::Person => {
                    for key in keys_of_words(Speech::of(&self.text(at, part).unwrap_or_default()).own) {
                        self.context.leave(key, at as u32 + 1);
                    }
                }
                Voice::Summary => self.carriers.retain(|carrier| carrier.holder != at as u32 + 1),
                Voice::Assistant if part.kind == PartKind::Text => {
                    self.decisions_leave(*departure, meter.decisions(at, part), &mut decided);
                }
                _ => {}
            }
            let is_summarized = departure.how == Left::Summarized && voice != Voice::Summary;
            for (key, class) in &said.identifiers {
                if !self.context.leave(*key, at as u32 + 1) {
                    continue;
                }
                if voice == Voice::Output {
                    owned.push((*key, at));
                }
                if is_summarized {
                    named.push((*key, *class, voice == Voice::Output));
                }
            }
        }
        self.summaries(due);
        self.placeholders_name(due);
        self.summary_names(due);
        self.owners(due, owned);
        self.cover(&named);
        self.words_kept(due);
        self.orders_left(due);
        for gone in decided {
            self.report.decisions.departed += 1;
            if !gone.keys.iter().any(|key| self.context.is_live(*key)) {
                self.gone.push(gone);
            }
        }
    }

    fn output_leaves(&mut self, departure: Departure, part: Part) {
        self.report.departed_outputs += 1;
        let Some((call, key)) = part.call.and_then(|call| Some((call, *self.calls.get(&call)?))) else {
            return;
        };
        self.report.re_reads.outputs += 1;
        self.departed_calls.insert(key, (departure.part, departure.at));
        if self.read_again.contains(&call) {
            self.report.thrash.departed_again += 1;
        }
    }

    fn decisions_leave(&self, departure: Departure, stated: &[Stated], decided: &mut Vec<Gone>) {
        for decision in stated {
            let finding = Finding {
                kind: LossKind::Decision,
                message: self.message_of(departure.part),
                part: departure.part,
                at: departure.at,
                words: vec![decision.sentence.clone()],
                used_in: None,
                weight: decision.keys.len(),
            };
            decided.push(Gone { finding, keys: decision.keys.clone(), moment: self.context.now() });
        }
    }

    /// The summaries that departures name replace the one that was named before.
    fn summaries(&mut self, due: &[Departure]) {
        for departure in due.iter().filter(|departure| departure.how == Left::Summarized) {
            let text = departure.summary.and_then(|number| self.input.summaries.get(number));
            let Some((number, text)) =
                departure.summary.zip(text).filter(|(_, text)| !text.trim().is_empty())
            else {
                self.is_unknown = true;
                continue;
            };
            if self.given.is_some_and(|(given, _)| given == number) {
                continue;
            }
            if let Some((old, holder)) = self.given.take() {
                let old = self.input.summaries.get(old).map_or("", String::as_str);
                each(old, &mut |found: Identifier<'_>| {
                    self.context.leave(found.key, holder);
                });
                self.carriers.retain(|carrier| carrier.holder != holder);
            }
            self.holders = self.holders.saturating_add(1);
            self.context.begin();
            each(text, &mut |found: Identifier<'_>| {
                self.context.enter(found.key, self.holders);
            });
            self.carriers.push(Carrier::of(self.holders, text));
            self.given = Some((number, self.holders));
            self.note_change(Voice::Summary);
        }
    }

    /// Outputs that took identifiers with them own them, until these come back.
    fn owners(&mut self, due: &[Departure], owned: Vec<(u64, usize)>) {
        let moments: HashMap<usize, (usize, bool)> = due
            .iter()
            .map(|departure| (departure.part, (departure.at, departure.how == Left::Pruned)))
            .collect();
        for (key, part) in owned {
            if !self.context.is_live(key) {
                self.context.own(key, part);
                let (at, is_pruned) = moments.get(&part).copied().unwrap_or_default();
                self.owners.entry(part).or_insert_with(|| Owner { at, is_pruned, ..Owner::default() });
            }
        }
    }

    fn cover(&mut self, named: &[(u64, Class, bool)]) {
        self.is_covered |= !named.is_empty();
        let compaction = self.report.compactions as u32;
        // What somebody named is counted as named, even where an output contains it as well.
        for in_output in [false, true] {
            for (key, class, _) in named.iter().filter(|(_, _, output)| *output == in_output) {
                let Some(kept) = self.context.count(*key, compaction) else { continue };
                if let Some(share) = share_of(&mut self.coverage, *class, in_output) {
                    share.departed += 1;
                    share.kept += usize::from(kept);
                }
            }
        }
    }

    /// Whether the first and the newest message of the user are still there.
    fn words_kept(&mut self, due: &[Departure]) {
        let (Some(goal), Some(newest)) = (self.goal, self.newest) else { return };
        self.report.words.compactions += 1;
        let (has_goal, has_newest) = (self.is_kept(goal), self.is_kept(newest));
        self.report.words.goal_kept += usize::from(has_goal);
        self.report.words.last_kept += usize::from(has_newest);
        let left_now = due.iter().find(|departure| departure.part == goal);
        if let Some(departure) = left_now.filter(|_| !has_goal) {
            let text = self.part(goal).and_then(|part| self.text(goal, part)).unwrap_or_default();
            let said = vec![shown(Speech::of(&text).own)];
            self.find(LossKind::LostGoal, goal, departure.at, said, None, 1);
        }
    }

    fn is_kept(&mut self, at: usize) -> bool {
        if self.is_in_context(at) {
            return true;
        }
        if let Some(known) = self.kept.get(&at) {
            return *known;
        }
        let text = self.part(at).and_then(|part| self.text(at, part)).unwrap_or_default();
        let said = Speech::of(&text).own;
        let is_kept = self.context.is_live(key(WHOLE, &joined(said)))
            || self.newest_carriers().any(|carrier| carrier.repeats(said));
        self.kept.insert(at, is_kept);
        is_kept
    }

    /// The summaries in the context. Where none of them ever leaves, the oldest are passed over.
    fn newest_carriers(&self) -> impl Iterator<Item = &Carrier> {
        self.carriers.iter().rev().take(CARRIERS)
    }

    /// What became of the orders in force whose message is no longer in the context.
    fn orders_left(&mut self, due: &[Departure]) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        let now = due.first().map_or(0, |departure| departure.at);
        let mut lost = Vec::new();
        for (number, order) in self.orders.all().iter().enumerate() {
            let Some((at, before)) = self.order_parts.get(number).copied() else { continue };
            let is_here = self.is_in_context(at) || self.context.is_live(key(SENTENCE, &order.sentence));
            if order.superseded_by.is_some() || is_here || before == Some(Survival::Lost) {
                continue;
            }
            let survives = self.newest_carriers().map(|carrier| carrier.survival(&order.sentence)).max();
            let survives = survives.unwrap_or(Survival::Lost);
            if before.is_none_or(|before| survives < before) {
                lost.push((number, at, survives, order.sentence.clone()));
            }
        }
        for (number, at, survives, sentence) in lost {
            if let Some(slot) = self.order_parts.get_mut(number) {
                slot.1 = Some(survives);
            }
            if survives == Survival::Lost && !self.is_unknown {
                self.find(LossKind::LostOrder, at, now, vec![shown(&sentence)], None, 1);
            }
        }
    }
}

fn share_of(coverage: &mut Coverage, class: Class, in_output: bool) -> Option<&mut Share> {
    Some(match class {
        Class::Error => &mut coverage.errors,
        Class::Command => &mut coverage.commands,
        Class::Quote => return None,
        _ if in_output => &mut coverage.in_outputs,
        Class::File => &mut coverage.files,
        Class::Number => &mut coverage.numbers,
        Class::Name => &mut coverage.names,
    })
}
