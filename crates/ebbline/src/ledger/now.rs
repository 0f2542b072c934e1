//! The session as it is now, seen as it will be once its old outputs are pruned.

use std::ops::Range;

use super::Ledger;
use super::cleared::Cleared;
use super::outputs::Walk;
use super::reports::{Report, Reports};
use crate::calibrate::{Calibration, NEWEST, Step};
use crate::plan::{Position, PruneReport, Source, VerdictReason};
use crate::policy::Measure;
use crate::retain::History;
use crate::run::begins_with_signed_thinking;
use crate::transcript::{Message, Part, Role};

/// One decision's view of a ledger.
pub(super) struct Now<'l> {
    ledger: &'l Ledger,
    walk: Walk,
    /// The outputs that give way; empty when nothing is pruned.
    pruned: Range<usize>,
    cleared: Cleared,
}

impl<'l> Now<'l> {
    pub(super) fn new(ledger: &'l Ledger) -> Self {
        let walk = ledger.outputs.walk(&ledger.policy.prune);
        let pruned = if walk.applied { walk.beyond.clone() } else { 0..0 };
        let ends = ends(ledger, &pruned);
        let cleared = ends.map_or_else(Cleared::default, |(first, last)| {
            Cleared::new(first, last, |position| ledger.change(position, &pruned))
        });
        let end = ledger.active.len();
        if walk.applied && cleared.until(&ledger.costs, end) >= ledger.costs.until(end) {
            let walk = Walk { applied: false, reason: VerdictReason::NothingGained, ..walk };
            return Self { ledger, walk, pruned: 0..0, cleared: Cleared::default() };
        }
        Self { ledger, walk, pruned, cleared }
    }

    pub(super) fn tokens_before(&self) -> u64 {
        self.ledger.costs.until(self.len())
    }

    pub(super) fn prune_report(&self) -> PruneReport {
        let Walk { beyond, counted, candidates, outputs, reason, applied, .. } = &self.walk;
        let boundary = beyond.clone().next_back().and_then(|crossing| self.ledger.outputs.place(crossing));
        PruneReport {
            applied: *applied,
            reason: *reason,
            boundary: boundary.map(|(position, part)| Position { message: self.index(position), part }),
            counted: *counted,
            candidates: *candidates,
            outputs: *outputs,
            reclaimed: self.reclaimed(),
        }
    }

    /// The outputs that give way, as indices of message and part.
    pub(super) fn pruned(&self) -> Vec<(usize, usize)> {
        let outputs = &self.ledger.outputs;
        let prunable = self.pruned.clone().filter(|output| outputs.prunable(&(*output..output + 1)) > 0);
        let places = prunable.filter_map(|output| outputs.place(output));
        places.map(|(position, part)| (self.index(position), part)).collect()
    }

    /// What pruning frees.
    fn reclaimed(&self) -> u64 {
        let Some((first, last)) = ends(self.ledger, &self.pruned) else { return 0 };
        let at = |position| self.ledger.change(position, &self.pruned).reclaimed;
        let newer = if last > first { at(last) } else { 0 };
        at(first) + self.ledger.costs.reclaimed(first + 1, last) + newer
    }

    /// How full the context is once outputs are pruned, and what says so: what the caller knows, else what the policy
    /// goes by.
    pub(super) fn measure(&self, reports: &mut Reports, known: u64) -> (u64, Source) {
        let after = self.tokens_until(self.len());
        if known > 0 {
            return (known.saturating_sub(self.tokens_before().saturating_sub(after)), Source::Known);
        }
        let newest = reports.newest(1).first().copied();
        match self.ledger.policy.trigger.measure {
            Measure::Estimate => (after, Source::Estimate),
            Measure::Reported => {
                newest.map_or((0, Source::Nothing), |newest| (newest.usage, Source::Reported))
            }
            Measure::Anchored => self.anchored(reports, newest, after),
        }
    }

    /// The rule of [`crate::calibrate::anchored`].
    fn anchored(&self, reports: &mut Reports, anchor: Option<Report>, after: u64) -> (u64, Source) {
        let calibration = if self.ledger.policy.estimator.calibrate {
            reports.kept(&self.pruned).unwrap_or_else(|| {
                reports.calibrate(&self.pruned, |reports, steps| self.steps(reports, steps))
            })
        } else {
            Calibration::default()
        };
        let Some(anchor) = anchor else { return (calibration.correct(after), Source::Estimate) };
        let answered = self.tokens_until(anchor.position) + self.covered(anchor);
        let tokens = anchor.usage.saturating_add(calibration.correct(after.saturating_sub(answered)));
        let first_pruned = self.first_pruned(reports).unwrap_or(usize::MAX);
        if first_pruned >= anchor.position {
            return (tokens, Source::Reported);
        }
        let unchanged = reports.newest_until(first_pruned).filter(|_| self.ledger.policy.estimator.calibrate);
        let overhead = unchanged.map_or(0, |report| {
            let covered = self.tokens_until(report.position) + self.covered(report);
            report.usage.saturating_sub(calibration.correct(covered))
        });
        (tokens.min(calibration.correct(after).saturating_add(overhead)), Source::Estimate)
    }

    /// The steps between the newest usages, but for those over what was pruned since.
    fn steps(&self, reports: &Reports, steps: &mut Vec<Step>) {
        let is_whole = self.pruned.is_empty() && reports.none_pruned_before();
        for pair in reports.newest(NEWEST).windows(2) {
            let &[older, newer] = pair else { continue };
            if !is_whole && self.is_changed(reports, older.position, newer.position) {
                continue;
            }
            // Between them nothing is pruned: what was counted when they came still holds.
            let until =
                if is_whole { newer.until } else { newer.until - newer.covered + self.covered(newer) };
            let reported = newer.usage.saturating_sub(older.usage);
            steps.extend(Step::new(reported, until.saturating_sub(older.until)));
        }
    }

    /// Whether an output of the messages from `first` up to, not including, `end` was pruned before, or is now.
    fn is_changed(&self, reports: &Reports, first: usize, end: usize) -> bool {
        let outputs = &self.ledger.outputs;
        let between = outputs.before_message(first).max(self.pruned.start)
            ..outputs.before_message(end).min(self.pruned.end);
        outputs.prunable(&between) > 0 || reports.any_pruned_before(first, end)
    }

    /// The oldest message with an output that was pruned before, or is now.
    fn first_pruned(&self, reports: &Reports) -> Option<usize> {
        let outputs = &self.ledger.outputs;
        let now = outputs.first_prunable(&self.pruned).and_then(|output| outputs.place(output));
        let now = now.map(|(position, _)| position);
        now.into_iter().chain(reports.first_pruned_before()).min()
    }

    /// What a usage covers of its own message.
    fn covered(&self, report: Report) -> u64 {
        let outputs = self.ledger.outputs.of_message(report.position);
        let pruned = outputs.start.max(self.pruned.start)..outputs.end.min(self.pruned.end);
        if pruned.is_empty() {
            return report.covered;
        }
        let change = self.ledger.change(report.position, &pruned);
        report.covered.saturating_add_signed(-change.covered_saved)
    }
}

/// The messages of the oldest and the newest of a range of outputs.
fn ends(ledger: &Ledger, outputs: &Range<usize>) -> Option<(usize, usize)> {
    let message = |output: usize| ledger.outputs.place(output).map(|(position, _)| position);
    let mut outputs = outputs.clone();
    let first = outputs.next()?;
    Some((message(first)?, message(outputs.next_back().unwrap_or(first))?))
}

impl History for Now<'_> {
    fn len(&self) -> usize {
        self.ledger.active.len()
    }

    fn message(&self, position: usize) -> Option<&Message> {
        let index = self.ledger.active.get(position)?;
        self.ledger.transcript.messages().get(*index as usize)
    }

    fn parts(&self, position: usize) -> &[Part] {
        let index = self.ledger.active.get(position);
        index.map_or(&[], |index| self.ledger.transcript.parts_of(*index as usize))
    }

    fn index(&self, position: usize) -> usize {
        let index = self.ledger.active.get(position).map(|index| *index as usize);
        index.unwrap_or(self.ledger.transcript.messages().len())
    }

    fn tokens_until(&self, position: usize) -> u64 {
        self.cleared.until(&self.ledger.costs, position)
    }

    fn replaced_until(&self, position: usize) -> u64 {
        self.cleared.replaced_until(&self.ledger.costs, position).1
    }

    fn replaced_count_until(&self, position: usize) -> usize {
        self.cleared.replaced_until(&self.ledger.costs, position).0
    }

    fn has_summary_before(&self, position: usize) -> bool {
        self.ledger.places.has_summary_before(position)
    }

    fn summaries_until(&self, position: usize) -> u64 {
        let summaries = self.ledger.places.summaries_before(position);
        summaries.map(|at| self.tokens_until(at + 1).saturating_sub(self.tokens_until(at))).sum()
    }

    fn pending(&self) -> Option<usize> {
        self.ledger.places.pending()
    }

    fn newest_summary(&self) -> Option<usize> {
        self.ledger.places.newest_summary()
    }

    fn is_parted(&self, position: usize) -> bool {
        let continues = || self.message(position).is_some_and(|message| message.continues);
        self.ledger.places.is_parted(position) || continues() || self.is_barred(position)
    }

    fn run(&self) -> Option<usize> {
        self.ledger.places.run()
    }

    fn substance(&self) -> usize {
        self.ledger.places.substance()
    }

    fn turn_before(&self, position: usize) -> Option<usize> {
        self.ledger.places.turn_before(position)
    }

    fn newest_turn_but(&self, skipped: usize) -> Option<usize> {
        self.ledger.places.newest_turn_but(skipped)
    }
}

impl Now<'_> {
    /// Whether what is kept of an unfinished run would begin there with an answer that does not begin with its thinking.
    fn is_barred(&self, position: usize) -> bool {
        if self.run().is_none_or(|run| position <= run) {
            return false;
        }
        let begins = |position: &usize| {
            self.message(*position)
                .is_some_and(|message| message.role == Role::Assistant && !message.continues)
        };
        let answer = (position..self.len()).find(begins);
        answer.is_some_and(|answer| !begins_with_signed_thinking(self.parts(answer)))
    }
}
