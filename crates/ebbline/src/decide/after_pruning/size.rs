//! How full the context is after pruning, by what was reported and by what is estimated.

use std::ops::Range;

use super::AfterPruning;
use crate::decide::calibration::{Calibration, Step};
use crate::decide::costs::Change;
use crate::decide::overhead::Overhead;
use crate::decide::usages::{Usage, Usages};
use crate::plan::Source;
use crate::policy::Measure;

impl AfterPruning<'_> {
    /// How full the context is after pruning, and the source of that figure: `known` if the caller knows it, else
    /// what the policy measures.
    pub(in crate::decide) fn measure(&self, usages: &mut Usages, known: Option<u64>) -> (u64, Source) {
        let measured = self.measured.get().unwrap_or_else(|| self.measure_anew(usages, known));
        self.measured.set(Some(measured));
        measured
    }

    fn measure_anew(&self, usages: &mut Usages, known: Option<u64>) -> (u64, Source) {
        let after = self.tokens_until(self.len());
        if let Some(known) = known {
            return (known.saturating_sub(self.tokens_before().saturating_sub(after)), Source::Known);
        }
        let newest = usages.newest(1).first().copied();
        match self.policy.trigger.measure {
            Measure::Estimate => {
                (after.saturating_add(self.overhead.known().unwrap_or_default()), Source::Estimate)
            }
            Measure::Reported => {
                newest.map_or((0, Source::Nothing), |newest| (newest.tokens, Source::Reported))
            }
            Measure::Anchored => self.anchored(usages, newest, after),
        }
    }

    /// The size of the context for the knobs `minimum_context` and `down_to`: what is measured, or the estimate where the policy
    /// goes by reported usage and none was reported.
    pub(in crate::decide) fn size(&self, usages: &mut Usages, known: Option<u64>) -> u64 {
        self.size_of(self.measure(usages, known))
    }

    pub(super) fn size_of(&self, measured: (u64, Source)) -> u64 {
        match measured {
            (_, Source::Nothing) => self.tokens_until(self.len()),
            (tokens, _) => tokens,
        }
    }

    /// The newest usage gives the size of the context up to its message. What came later is estimated and
    /// corrected.
    ///
    /// A usage that covers outputs pruned since is too large, unless whoever decides knows that it was reported
    /// after they were. The size is then at most the corrected estimate of all messages, plus the overhead. Where
    /// that is neither given nor remembered, the newest usage before the first pruned message gives it. So the size is the same
    /// once the outputs are pruned.
    fn anchored(&self, usages: &mut Usages, anchor: Option<Usage>, after: u64) -> (u64, Source) {
        let calibration = self.calibration(usages);
        let estimate =
            |overhead: Option<u64>| calibration.correct(after).saturating_add(overhead.unwrap_or_default());
        let Some(anchor) = anchor else { return (estimate(self.overhead.known()), Source::Estimate) };
        let answered = self.tokens_until(anchor.position) + self.covered(anchor, &self.pruned);
        let tokens = anchor.tokens.saturating_add(calibration.correct(after.saturating_sub(answered)));
        let is_current = self.policy.estimator.calibrate && self.is_since_change(anchor) == Some(true);
        let before = if is_current { None } else { usages.first_pruned_before() };
        let first_pruned = self.first_pruned().min(before.unwrap_or(usize::MAX));
        if first_pruned >= anchor.position {
            return (tokens, Source::Reported);
        }
        let unchanged = usages.newest_until(first_pruned).filter(|_| self.policy.estimator.calibrate);
        let before_pruned = unchanged.map(|usage| {
            let covered = self.tokens_until(usage.position) + self.covered(usage, &self.pruned);
            usage.tokens.saturating_sub(calibration.correct(covered))
        });
        let overhead = self.overhead.known().or(before_pruned).or(self.overhead.learnt);
        (tokens.min(estimate(overhead)), Source::Estimate)
    }

    /// What reported usage says about the overhead. Nothing may be pruned yet.
    pub(in crate::decide) fn learn(&self, usages: &mut Usages) -> Overhead {
        if !self.policy.estimator.calibrate || self.policy.trigger.measure != Measure::Anchored {
            return Overhead::default();
        }
        let calibration = self.calibration(usages);
        let learnt = Overhead::learn(usages, calibration, self.books.memory, |usage| {
            self.is_current(usage) == Some(true)
        });
        // What fills the window alone was reported of another one.
        let window = self.policy.model.context;
        let fits = |overhead: &u64| window.is_none_or(|window| *overhead < window.get());
        Overhead { remembered: learnt.remembered.filter(fits), ..learnt }
    }

    /// Whether a usage was reported after the newest change, if a session or whoever decides knows when that was.
    fn is_current(&self, usage: Usage) -> Option<bool> {
        let from = self.books.memory.current_from.or(self.books.changed_at);
        from.map(|from| self.index(usage.position) >= from)
    }

    /// The same, if whoever decides says when that was.
    fn is_since_change(&self, usage: Usage) -> Option<bool> {
        self.books.changed_at.map(|from| self.index(usage.position) >= from)
    }

    /// The tokens sent beside the messages; `None` when they are not known.
    pub(in crate::decide) fn overhead(&self) -> Option<u64> {
        self.overhead.figure()
    }

    fn calibration(&self, usages: &mut Usages) -> Calibration {
        if !self.policy.estimator.calibrate {
            return Calibration::default();
        }
        let is_whole = self.pruned.is_empty() && self.cuts.is_empty() && usages.none_pruned_before();
        let position =
            |output: usize| self.books.outputs.place(output).map_or(usize::MAX, |(position, _)| position);
        usages.calibration(&self.pruned, position, |usages, pair, pruned| {
            self.step(usages, pair, pruned, is_whole)
        })
    }

    /// The step between two usages. `None` where it does not count, for example because an output between them
    /// was pruned since: the provider counted that output as it was then. `is_whole` says that no output between
    /// them was pruned.
    fn step(
        &self,
        usages: &Usages,
        (older, newer): (Usage, Usage),
        pruned: &Range<usize>,
        is_whole: bool,
    ) -> Option<Step> {
        // What was changed before a usage made the context smaller, too: where it is known when that was, only what was reported
        // since counts.
        let is_apart = self.is_since_change(older) == Some(false);
        if is_apart || !is_whole && self.is_changed(usages, older.position..newer.position, pruned) {
            return None;
        }
        // Nothing between the two is pruned, so the sums from the time they were reported are still right.
        let until =
            if is_whole { newer.until } else { newer.until - newer.covered + self.covered(newer, pruned) };
        Step::new(newer.tokens.saturating_sub(older.tokens), until.saturating_sub(older.until))
    }

    /// Whether an output of these messages was pruned before, or is among `pruned`.
    fn is_changed(&self, usages: &Usages, messages: Range<usize>, pruned: &Range<usize>) -> bool {
        let (outputs, Range { start, end }) = (&self.books.outputs, messages);
        let between =
            outputs.before_message(start).max(pruned.start)..outputs.before_message(end).min(pruned.end);
        outputs.prunable(&between) > 0 || self.cuts.any(start, end) || usages.any_pruned_before(start, end)
    }

    /// The oldest message with an output that is pruned now; `usize::MAX` if there is none.
    fn first_pruned(&self) -> usize {
        let outputs = &self.books.outputs;
        let now = outputs.first_prunable(&self.pruned).and_then(|output| outputs.place(output));
        let now = now.map(|(position, _)| position);
        now.into_iter().chain(self.cuts.first()).min().unwrap_or(usize::MAX)
    }

    /// How pruning changes the message at `position`, but for what is covered by usage: the books know it of whole messages.
    pub(super) fn saved(&self, position: usize, pruned: &Range<usize>) -> Change {
        let outputs = self.books.outputs.of_message(position);
        if pruned.start <= outputs.start && outputs.end <= pruned.end {
            return self.books.costs.change(position);
        }
        self.change(position, pruned)
    }

    /// How pruning changes the message at `position`.
    fn change(&self, position: usize, pruned: &Range<usize>) -> Change {
        self.books.change(self.transcript, self.policy, position, pruned)
    }

    /// The tokens of its own message that a usage covers.
    fn covered(&self, usage: Usage, pruned: &Range<usize>) -> u64 {
        let outputs = self.books.outputs.of_message(usage.position);
        let pruned = outputs.start.max(pruned.start)..outputs.end.min(pruned.end);
        let cut = self.cuts.change(usage.position).covered_saved;
        if pruned.is_empty() {
            return usage.covered.saturating_add_signed(-cut);
        }
        let change = self.change(usage.position, &pruned);
        usage.covered.saturating_add_signed(-change.covered_saved - cut)
    }
}
