//! What placeholders and summaries of unknown text name of what leaves.

use super::departure::{Departure, Left};
use super::measure::Walk;
use super::meter::each_in;
use crate::identifiers::Identifier;
use crate::order::sort_by;
use crate::placeholder::names::{budget, is_name, names_anything, rank, within};
use crate::policy::Estimator;

/// Identifiers that something names in the place of what left.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    /// The number of its holder.
    pub(super) holder: u32,
    /// The identifiers, and the output that contained each.
    pub(super) names: Vec<(u64, String, usize)>,
}

impl Walk<'_, '_> {
    /// The placeholders of the outputs that are pruned name what stood only in these, newest output first. `owned` are the identifiers
    /// that left, with their outputs.
    pub(super) fn placeholders_name(&mut self, due: &[Departure]) {
        let Some(policy) = self.input.placeholders.filter(|policy| names_anything(&policy.prune)) else {
            return;
        };
        let mut outputs: Vec<usize> =
            due.iter().filter(|it| it.how == Left::Pruned).map(|it| it.part).collect();
        sort_by(&mut outputs, &|one, other| other.cmp(one));
        for output in outputs {
            let names = self.only_in(output);
            let part = self.part(output);
            let estimator = &policy.estimator;
            let tokens =
                part.map_or(0, |part| estimator.alone(estimator.weigh(self.session.transcript(), &part)));
            let placeholder = self.name(&names, budget(&policy.prune, tokens), estimator);
            if let Some(slot) = self.named.get_mut(output) {
                *slot = Some(placeholder);
            }
        }
    }

    /// A summary of unknown text names what the one before it named, and what stood only in the outputs that it replaces, newest first.
    pub(super) fn summary_names(&mut self, due: &[Departure], estimator: &Estimator) {
        let is_unknown =
            |departure: &&Departure| departure.how == Left::Summarized && departure.summary.is_none();
        let mut outputs: Vec<usize> = due.iter().filter(is_unknown).map(|departure| departure.part).collect();
        if self.input.named == 0 || outputs.is_empty() {
            return;
        }
        let Named { holder, names: before } = std::mem::take(&mut self.named_by_summary);
        for (key, _, output) in &before {
            self.context.leave(*key, holder);
            if !self.context.is_live(*key) {
                self.context.own(*key, *output);
            }
        }
        sort_by(&mut outputs, &|one, other| other.cmp(one));
        let mut names: Vec<(u64, String, usize)> = Vec::new();
        for output in outputs {
            names.extend(self.only_in(output));
        }
        names.extend(before.into_iter().filter(|(key, _, _)| !self.context.is_live(*key)));
        self.named_by_summary = self.name(&names, self.input.named, estimator);
    }

    /// The identifiers of an output that nothing in the context contains, the most telling first.
    fn only_in(&self, output: usize) -> Vec<(u64, String, usize)> {
        let Some(part) = self.part(output) else { return Vec::new() };
        let text = self.text(output, part).unwrap_or_default();
        let mut found: Vec<((bool, u8), u64, String)> = Vec::new();
        each_in(part, &text, &mut |identifier: Identifier<'_>| {
            let is_known = self.context.is_live(identifier.key)
                || found.iter().any(|(_, key, _)| *key == identifier.key);
            if !is_known && is_name(identifier.text) {
                let rank = rank(identifier.class, identifier.is_strong);
                found.push((rank, identifier.key, identifier.text.to_owned()));
            }
        });
        sort_by(&mut found, &|(one, _, _), (other, _, _)| one.cmp(other));
        found.into_iter().map(|(_, key, text)| (key, text, output)).collect()
    }

    /// Names as many as fit: they are in the context from here on.
    fn name(&mut self, names: &[(u64, String, usize)], most: u64, estimator: &Estimator) -> Named {
        let mut texts = names.iter().map(|(_, text, _)| text.as_str());
        let kept = within(&mut texts, most, estimator);
        let is_named = |text: &str| kept.iter().any(|longer| longer.ends_with(text));
        let said: Vec<_> = names.iter().filter(|(_, text, _)| is_named(text)).cloned().collect();
        self.holders = self.holders.saturating_add(1);
        self.context.begin();
        for (key, _, _) in &said {
            self.context.enter(*key, self.holders);
        }
        Named { holder: self.holders, names: said }
    }
}
