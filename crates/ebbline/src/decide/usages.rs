//! The usages that the provider reported, oldest first, and the calibration that is made of them.

use std::num::NonZeroU64;
use std::ops::Range;

use super::calibration::{Calibration, NEWEST, Step, Steps};
use crate::policy::Policy;
use crate::search::newest;

/// A usage reported with a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usage {
    pub(super) position: usize,
    pub(super) tokens: u64,
    /// The tokens of its own message that the usage covers: all parts except the tool results, which came later.
    pub(super) covered: u64,
    /// The tokens of all messages before it plus `covered`, with nothing pruned.
    pub(super) until: u64,
    /// Those of them that are certain: of text, not of images, files and reasoning.
    pub(super) certain: u64,
}

/// How far a report is believed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Belief {
    /// Whether reports are compared with the estimate at all.
    compares: bool,
    window: Option<u64>,
}

impl Belief {
    /// Whether what a usage says can be true of the messages that it covers. No text has less than half of its estimate: a
    /// usage below that is one of another list, for example of a view that an earlier process compacted. And a
    /// request that was answered was not larger than the window, unless another model answered it: then its messages show it,
    /// or showed it before some of them were pruned.
    fn holds(self, usage: &Usage, first_pruned: Option<usize>) -> bool {
        let is_of_these = usage.tokens.saturating_mul(2) >= usage.certain;
        let fits = self.window.is_none_or(|window| usage.tokens <= window);
        let was_shown =
            usage.tokens / 2 <= usage.until || first_pruned.is_some_and(|first| first < usage.position);
        !self.compares || is_of_these && (fits || was_shown)
    }
}

/// All usages, oldest first, and the messages that were pruned before.
#[derive(Clone, Debug, Default)]
pub(super) struct Usages {
    /// All that were reported, and those that are believed.
    reported: Vec<Usage>,
    list: Vec<Usage>,
    belief: Belief,
    /// The messages with outputs that were pruned before.
    pruned_before: Vec<usize>,
    /// With nothing pruned, and with what was pruned last.
    whole: Kept,
    kept: Kept,
}

/// The last calibration, and what it was computed from: the number of usages, and the outputs pruned since.
#[derive(Clone, Debug, Default)]
struct Kept {
    made_from: Option<(usize, Range<usize>)>,
    calibration: Calibration,
    steps: Steps,
}

impl Usages {
    /// Removes everything, but keeps the allocated memory.
    pub(super) fn clear(&mut self) {
        self.reported.clear();
        self.list.clear();
        self.pruned_before.clear();
        self.forget();
    }

    /// Removes the messages from `position` on.
    pub(super) fn truncate(&mut self, position: usize) {
        for list in [&mut self.reported, &mut self.list] {
            list.truncate(list.partition_point(|usage| usage.position < position));
        }
        self.pruned_before.truncate(self.pruned_before.partition_point(|pruned| *pruned < position));
        self.forget();
    }

    /// Forgets the last calibrations: they were computed from other lengths.
    pub(super) fn forget(&mut self) {
        (self.whole.made_from, self.kept.made_from) = (None, None);
    }

    pub(super) fn push(&mut self, usage: Usage) {
        self.reported.push(usage);
        if self.belief.holds(&usage, self.pruned_before.first().copied()) {
            self.list.push(usage);
        }
    }

    /// Believes what can be true under a policy. Costs a walk over the usages if its window is another one.
    pub(super) fn believe(&mut self, policy: &Policy) {
        let belief = Belief {
            compares: policy.estimator.calibrate,
            window: policy.model.context.map(NonZeroU64::get),
        };
        if belief != self.belief {
            self.belief = belief;
            self.list.clear();
            let first_pruned = self.pruned_before.first().copied();
            self.list.extend(self.reported.iter().filter(|usage| belief.holds(usage, first_pruned)));
            self.forget();
        }
    }

    /// Records that an output of the message at `position` was pruned before.
    pub(super) fn was_pruned(&mut self, position: usize) {
        if self.pruned_before.last() != Some(&position) {
            self.pruned_before.push(position);
        }
    }

    /// The newest usages, oldest first.
    pub(super) fn newest(&self, count: usize) -> &[Usage] {
        self.list.get(self.list.len().saturating_sub(count)..).unwrap_or_default()
    }

    /// The oldest message with an output that was pruned before.
    pub(super) fn first_pruned_before(&self) -> Option<usize> {
        self.pruned_before.first().copied()
    }

    /// Whether no message holds an output that was pruned before.
    pub(super) fn none_pruned_before(&self) -> bool {
        self.pruned_before.is_empty()
    }

    /// Whether one of the messages from `first` up to, but not including, `end` holds an output that was pruned
    /// before.
    pub(super) fn any_pruned_before(&self, first: usize, end: usize) -> bool {
        let is_before = |at: usize| self.pruned_before.get(at).is_some_and(|pruned| *pruned < end);
        newest(0..self.pruned_before.len(), is_before)
            .and_then(|at| self.pruned_before.get(at))
            .is_some_and(|pruned| *pruned >= first)
    }

    /// The newest usage with a message at or before `position`.
    pub(super) fn newest_until(&self, position: usize) -> Option<Usage> {
        let is_before = |at: usize| self.list.get(at).is_some_and(|usage| usage.position <= position);
        newest(0..self.list.len(), is_before).and_then(|at| self.list.get(at)).copied()
    }

    /// The calibration from the newest usages, with the outputs `pruned` (a range of indices) pruned. `step` returns the
    /// step between two usages with other outputs pruned, or `None` where it does not count; `position` is where the message
    /// of an output stands.
    ///
    /// Only what changes is computed again: if one usage is new since the last call, the oldest step goes and one comes;
    /// if more is pruned or less than before, or than nothing, only the steps over those outputs are looked at.
    pub(super) fn calibration(
        &mut self,
        pruned: &Range<usize>,
        position: impl Fn(usize) -> usize,
        step: impl Fn(&Self, (Usage, Usage), &Range<usize>) -> Option<Step>,
    ) -> Calibration {
        let (count, nothing) = (self.list.len(), pruned.is_empty());
        let pruned = if nothing { 0..0 } else { pruned.clone() };
        let mut kept = std::mem::take(if nothing { &mut self.whole } else { &mut self.kept });
        let leads_here = |(made, before): &(usize, Range<usize>)| {
            *made == count && before.start == pruned.start || *made + 1 == count && *before == pruned
        };
        if !nothing && !kept.made_from.as_ref().is_some_and(leads_here) {
            kept = self.whole.clone();
            kept.made_from = kept.made_from.map(|(made, _)| (made, pruned.start..pruned.start));
        }
        let list = self.newest(NEWEST + 1);
        let (gone, newest) = if count > NEWEST { (list.get(..2), list.get(1..)) } else { (None, Some(list)) };
        let newest = newest.unwrap_or_default();
        let step = |pair: &[Usage], pruned: &Range<usize>| match pair {
            [older, newer] => step(self, (*older, *newer), pruned),
            _ => None,
        };
        match kept.made_from {
            Some((made, ref before)) if made == count && *before == pruned => {}
            Some((made, ref before)) if made == count && before.start == pruned.start => {
                let from = position(before.end.min(pruned.end));
                let to = position(before.end.max(pruned.end) - 1);
                let first = newest.partition_point(|usage| usage.position < from).saturating_sub(1);
                let end = newest.partition_point(|usage| usage.position <= to) + 1;
                let touched = newest.get(first..end.min(newest.len())).unwrap_or_default();
                for pair in touched.windows(2) {
                    let (old, new) = (step(pair, before), step(pair, &pruned));
                    if old != new {
                        kept.steps.replace(old, new);
                    }
                }
                kept.calibration = Calibration::of(&kept.steps);
            }
            Some((made, ref before)) if made > 0 && made + 1 == count && *before == pruned => {
                let new = newest.get(newest.len().saturating_sub(2)..).unwrap_or_default();
                kept.steps.replace(gone.and_then(|gone| step(gone, &pruned)), step(new, &pruned));
                kept.calibration = Calibration::of(&kept.steps);
            }
            _ => {
                kept.steps.set(newest.windows(2).filter_map(|pair| step(pair, &pruned)));
                kept.calibration = Calibration::of(&kept.steps);
            }
        }
        kept.made_from = Some((count, pruned));
        let calibration = kept.calibration;
        *(if nothing { &mut self.whole } else { &mut self.kept }) = kept;
        calibration
    }
}
