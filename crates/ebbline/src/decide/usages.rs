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
    kept: Kept,
}

/// The last calibration, and what it was computed from: the number of usages, and the outputs pruned since.
#[derive(Clone, Debug, Default)]
struct Kept {
    made_from: Option<(usize, usize, usize)>,
    calibration: Calibration,
    steps: Steps,
}

impl Usages {
    /// Removes everything, but keeps the allocated memory.
    pub(super) fn clear(&mut self) {
        self.reported.clear();
        self.list.clear();
        self.pruned_before.clear();
        self.kept.made_from = None;
    }

    /// Removes the messages from `position` on.
    pub(super) fn truncate(&mut self, position: usize) {
        for list in [&mut self.reported, &mut self.list] {
            list.truncate(list.partition_point(|usage| usage.position < position));
        }
        self.pruned_before.truncate(self.pruned_before.partition_point(|pruned| *pruned < position));
        self.kept.made_from = None;
    }

    /// Forgets the last calibration: it was computed from other lengths.
    pub(super) fn forget(&mut self) {
        self.kept.made_from = None;
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
            self.kept.made_from = None;
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

    /// The calibration from the newest usages, with the outputs `pruned` (a range of indices) pruned. `step`
    /// returns the step between two usages, or `None` where it does not count.
    ///
    /// If only one usage is new since the last call, the function adds one step and removes one.
    pub(super) fn calibration(
        &mut self,
        pruned: &Range<usize>,
        step: impl Fn(&Self, Usage, Usage) -> Option<Step>,
    ) -> Calibration {
        let count = self.list.len();
        let made_from = (count, pruned.start, pruned.end);
        if self.kept.made_from == Some(made_from) {
            return self.kept.calibration;
        }
        let mut steps = std::mem::take(&mut self.kept.steps);
        let pair = |pair: &[Usage]| match pair {
            [older, newer] => step(self, *older, *newer),
            _ => None,
        };
        if count > 1 && self.kept.made_from == Some((count - 1, pruned.start, pruned.end)) {
            if let [oldest, second, _, ..] = self.newest(NEWEST + 1)
                && count > NEWEST
                && let Some(gone) = pair(&[*oldest, *second])
            {
                steps.remove(gone);
            }
            if let Some(new) = pair(self.newest(2)) {
                steps.add(new);
            }
        } else {
            steps.set(self.newest(NEWEST).windows(2).filter_map(pair));
        }
        let calibration = Calibration::of(&steps);
        self.kept = Kept { made_from: Some(made_from), calibration, steps };
        calibration
    }
}
