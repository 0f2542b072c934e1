//! What placeholders and summaries of unknown text name of what leaves.

use super::departure::{Departure, Left};
use super::measure::{Named, Walk};
use crate::holdings::Holdings;
use crate::identifiers::each;
use crate::order::sort_by;
use crate::placeholder::names::{names_anything, ranked, room, within};
use crate::policy::Estimator;

impl Walk<'_, '_> {
    /// The placeholders of the outputs that are pruned name what stood only in these.
    pub(super) fn placeholders_name(&mut self, due: &[Departure]) {
        let Some(policy) = self.input.placeholders.filter(|policy| names_anything(&policy.prune)) else {
            return;
        };
        let estimator = &policy.estimator;
        let outputs = outputs_of(due, |departure| departure.how == Left::Pruned);
        let all = self.only_in(&outputs);
        for output in outputs {
            let Some(part) = self.part(output) else { continue };
            let tokens = estimator.alone(estimator.weigh(self.session.transcript(), &part));
            let own = &mut all.iter().filter(|(of, _)| *of == output);
            let named = self.name(own, room(&policy.prune, tokens, estimator), estimator);
            if let Some(slot) = self.named.get_mut(output) {
                *slot = Some(named);
            }
        }
    }

    /// A summary of unknown text names what stood only in the outputs that it replaces, newest first, and then what the one before it
    /// named.
    pub(super) fn summary_names(&mut self, due: &[Departure]) {
        let has_text = |number: usize| self.input.summaries.get(number).is_some_and(|text| !text.is_empty());
        let is_unknown = |departure: &Departure| {
            departure.how == Left::Summarized && !departure.summary.is_some_and(has_text)
        };
        let outputs = outputs_of(due, is_unknown);
        if self.input.named == 0 || outputs.is_empty() {
            return;
        }
        let before = std::mem::take(&mut self.named_by_summary);
        for (key, output) in self.leave_names(&before) {
            if !self.context.is_live(key) {
                self.context.own(key, output);
            }
        }
        let all = self.only_in(&outputs);
        let newest_first =
            outputs.iter().rev().flat_map(|output| all.iter().filter(move |(of, _)| of == output));
        let before = before.names.iter().filter(|(_, name)| !self.is_said(name));
        let names: Vec<&(usize, String)> = newest_first.chain(before).collect();
        self.named_by_summary = self.name(&mut names.into_iter(), self.input.named, &Estimator::default());
    }

    /// What was named leaves: the keys, each with the output that contained it.
    pub(super) fn leave_names(&mut self, Named { holder, names }: &Named) -> Vec<(u64, usize)> {
        let mut left = Vec::new();
        for (output, name) in names {
            each(name, &mut |found| {
                self.context.leave(found.key, *holder);
                left.push((found.key, *output));
            });
        }
        left
    }

    /// The names that only these outputs contain, the most telling first.
    fn only_in(&self, outputs: &[usize]) -> Vec<(usize, String)> {
        let mut holdings = Holdings::default();
        for output in outputs {
            if let Some(part) = self.part(*output) {
                holdings.leaves(*output, part.kind, &self.text(*output, part).unwrap_or_default());
            }
        }
        let mut names = ranked(&holdings);
        names.retain(|(_, name)| !self.is_said(name));
        names
    }

    /// Whether the context contains an identifier.
    fn is_said(&self, name: &str) -> bool {
        let mut is_said = false;
        each(name, &mut |found| is_said |= found.text == name && self.context.is_live(found.key));
        is_said
    }

    /// Names as many as fit: they are in the context from here on.
    fn name(
        &mut self,
        names: &mut dyn Iterator<Item = &(usize, String)>,
        most: u64,
        estimator: &Estimator,
    ) -> Named {
        let names: Vec<&(usize, String)> = names.collect();
        let kept = within(&mut names.iter().map(|(_, name)| name.as_str()), most, estimator);
        self.holders = self.holders.saturating_add(1);
        self.context.begin();
        for name in &kept {
            each(name, &mut |found| {
                self.context.enter(found.key, self.holders);
            });
        }
        let is_kept = |name: &String| kept.contains(&name.as_str());
        let names = names.into_iter().filter(|(_, name)| is_kept(name)).cloned().collect();
        Named { holder: self.holders, names }
    }
}

/// The parts of some departures, in order.
fn outputs_of(due: &[Departure], takes: impl Fn(&Departure) -> bool) -> Vec<usize> {
    let mut outputs: Vec<usize> =
        due.iter().filter(|departure| takes(departure)).map(|departure| departure.part).collect();
    sort_by(&mut outputs, &|one, other| one.cmp(other));
    outputs
}
