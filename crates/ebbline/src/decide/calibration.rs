//! Measures how far off the estimate is, from the usages that the provider reported in one session.
//!
//! The size of a context alone says little, because the provider also counts the system prompt and the tool
//! definitions, which are not in the session. But these stay the same: from one usage to the next, the context
//! grows by messages only. The calibration takes the median ratio of these steps, weighted by size, and then the
//! ratio of the sums over all steps within half and double of that median. Three kinds of steps do not count:
//! steps in which the context shrank (something was pruned in between), tiny steps, and steps over outputs that
//! were pruned since, because the provider counted those outputs as they were then.
//!
//! Only the newest 64 usages of active messages count. The steps lead from each of these usages to the next, so
//! there are at most 63. A usage is one of the 64 whether or not its steps count.
//!
//! A usage covers the request and the answer. Tool results that the format stores in the message of their call,
//! as OpenCode does, came later and are not covered.

use crate::order::sort_by;

/// The number of usages used, counted from the newest. The limit has two reasons: what is written changes over a
/// session, and the cost of a decision must not grow with the session. On real sessions, 32, 64 and all usages
/// differ by a tenth of the error. On simulated sessions, 64 are better than all where the ratio drifts (10.6 %
/// off instead of 15.6 %), and worse where it is steady but noisy (14.3 % instead of 12.6 %).
pub(super) const NEWEST: usize = 64;
/// A step of fewer estimated tokens than this does not count.
const SMALLEST_STEP: u64 = 50;
/// The smallest total of estimated tokens and of steps that is enough evidence for a correction.
const LEAST_GROWTH: u64 = 1_000;
const LEAST_STEPS: usize = 3;
/// The correction factor stays between 0.5 and 2. A ratio beyond that means that something else was counted.
const NARROWEST: u64 = 500;
const WIDEST: u64 = 2_000;
const ONE: u64 = 1_000;

/// How the provider's count relates to the estimate, learnt from one session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Calibration {
    /// Reported tokens per 1,000 estimated tokens: 500 to 2,000, and 1,000 until there is enough evidence.
    per_mille: u32,
    /// The number of steps from which the ratio was computed; 0 when there are too few.
    samples: usize,
}

impl Default for Calibration {
    /// No correction: the estimate stays as it is.
    fn default() -> Self {
        Self { per_mille: ONE as u32, samples: 0 }
    }
}

impl Calibration {
    /// The calibration computed from `steps`.
    pub(super) fn of(steps: &Steps) -> Self {
        let (per_mille, samples) = steps.ratio().unwrap_or((ONE, 0));
        Self { per_mille: per_mille as u32, samples }
    }

    /// The estimate `tokens` after correction, rounded to the nearest token.
    pub(super) fn correct(&self, tokens: u64) -> u64 {
        // Whole and rest apart: their product with the rate may be wider than 64 bits, and a wider division is a kilobyte.
        let (whole, rest, rate) = (tokens / ONE, tokens % ONE, u64::from(self.per_mille));
        whole.saturating_mul(rate).saturating_add((rest * rate + ONE / 2) / ONE)
    }
}

/// One step: how much the reported and the estimated context grew between two consecutive usages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    reported: u64,
    estimated: u64,
    per_mille: u64,
}

impl Step {
    /// `None` for a step that does not count: the context shrank, or the step is tiny.
    pub(super) fn new(reported: u64, estimated: u64) -> Option<Self> {
        let per_mille = reported.saturating_mul(ONE) / estimated.max(1);
        (reported > 0 && estimated >= SMALLEST_STEP).then_some(Self { reported, estimated, per_mille })
    }
}

/// Steps, sorted by their ratio, and their sums.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    sorted: Vec<Step>,
    reported: u64,
    estimated: u64,
}

impl Steps {
    /// Replaces all steps by these.
    pub(super) fn set(&mut self, steps: impl Iterator<Item = Step>) {
        self.sorted.clear();
        self.sorted.extend(steps);
        sort_by(&mut self.sorted, &|one, other| one.per_mille.cmp(&other.per_mille));
        let sum = |of: fn(&Step) -> u64| self.sorted.iter().map(of).fold(0, u64::saturating_add);
        (self.reported, self.estimated) = (sum(|step| step.reported), sum(|step| step.estimated));
    }

    /// Removes a step that is equal to `old`, and adds another.
    pub(super) fn replace(&mut self, old: Option<Step>, new: Option<Step>) {
        if let Some(old) = old {
            let first = self.below(old.per_mille);
            if let Some(offset) = self.sorted.iter().skip(first).position(|other| *other == old) {
                self.sorted.remove(first + offset);
                self.reported = self.reported.saturating_sub(old.reported);
                self.estimated = self.estimated.saturating_sub(old.estimated);
            }
        }
        if let Some(new) = new {
            self.sorted.insert(self.below(new.per_mille), new);
            self.reported = self.reported.saturating_add(new.reported);
            self.estimated = self.estimated.saturating_add(new.estimated);
        }
    }

    /// How many steps have a smaller ratio.
    fn below(&self, per_mille: u64) -> usize {
        self.sorted.partition_point(|step| step.per_mille < per_mille)
    }

    /// Reported tokens per 1,000 estimated tokens, and the number of steps used; `None` when the steps are not
    /// enough evidence.
    fn ratio(&self) -> Option<(u64, usize)> {
        let mut below = 0_u64;
        let median = self.sorted.iter().find(|step| {
            below = below.saturating_add(step.estimated);
            below >= self.estimated.div_ceil(2)
        })?;
        let (low, high) = (median.per_mille / 2, median.per_mille.saturating_mul(2));
        let (mut reported, mut estimated, mut samples) = (self.reported, self.estimated, self.sorted.len());
        // Few are far off, and they stand at the ends.
        let too_low = self.sorted.iter().take_while(|step| step.per_mille < low);
        for step in too_low.chain(self.sorted.iter().rev().take_while(|step| step.per_mille > high)) {
            reported = reported.saturating_sub(step.reported);
            estimated = estimated.saturating_sub(step.estimated);
            samples -= 1;
        }
        let per_mille = Step::new(reported, estimated)?.per_mille;
        let is_evidence = samples >= LEAST_STEPS && estimated >= LEAST_GROWTH;
        is_evidence.then(|| (per_mille.clamp(NARROWEST, WIDEST), samples))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The calibration by steps: what is estimated of each request and answer, and what is reported with it.
    fn calibration(requests: &[(u64, Option<u32>)]) -> (u32, usize) {
        let mut steps = Vec::new();
        let (mut estimated, mut latest) = (0, None);
        for (cost, usage) in requests {
            estimated += cost;
            let Some(usage) = usage.map(u64::from) else { continue };
            if let Some((usage_before, estimated_before)) = latest {
                steps.extend(Step::new(usage.saturating_sub(usage_before), estimated - estimated_before));
            }
            latest = Some((usage, estimated));
        }
        let mut sorted = Steps::default();
        for step in &steps {
            sorted.replace(None, Some(*step));
        }
        let Calibration { per_mille, samples } = Calibration::of(&sorted);
        (per_mille, samples)
    }

    #[test]
    fn the_ratio_is_that_of_the_growth() {
        type Steps<'s> = &'s [(u64, Option<u32>)];
        let cases: [(&str, Steps<'_>, u32, usize); 9] = [
            ("no usage", &[(500, None), (500, None)], 1_000, 0),
            ("a single usage", &[(500, None), (500, Some(7_000))], 1_000, 0),
            ("too few steps", &[(800, Some(5_000)), (800, Some(6_600)), (800, Some(8_200))], 1_000, 0),
            (
                "too little growth",
                &[(90, Some(100)), (90, Some(280)), (90, Some(460)), (90, Some(640))],
                1_000,
                0,
            ),
            (
                "a quarter more",
                &[(800, Some(5_000)), (800, Some(6_000)), (800, Some(7_000)), (800, Some(8_000))],
                1_250,
                3,
            ),
            (
                "an answer without usage in between",
                &[
                    (800, Some(5_000)),
                    (400, None),
                    (400, Some(6_000)),
                    (800, Some(7_000)),
                    (800, Some(8_000)),
                ],
                1_250,
                3,
            ),
            (
                "a step back, a tiny one and one that is far off",
                &[
                    (800, Some(5_000)),
                    (800, Some(6_000)),
                    (9_000, Some(5_500)),
                    (800, Some(6_500)),
                    (10, Some(9_500)),
                    (200, Some(20_000)),
                    (800, Some(21_000)),
                ],
                1_250,
                3,
            ),
            (
                "no further than the double",
                &[(800, Some(0)), (800, Some(5_000)), (800, Some(10_000)), (800, Some(15_000))],
                2_000,
                3,
            ),
            (
                "nor than a half",
                &[(800, Some(9_000)), (800, Some(9_100)), (800, Some(9_200)), (800, Some(9_300))],
                500,
                3,
            ),
        ];
        for (name, steps, per_mille, samples) in cases {
            assert_eq!(calibration(steps), (per_mille, samples), "{name}");
        }
    }

    #[test]
    fn steps_that_come_and_go_one_by_one_stay_sorted() {
        let step = |at: u64| Step::new(at * 7_919 % 1_000 + 1, 500 + at * 31 % 200).unwrap();
        let mut window = Steps::default();
        for at in 0..200 {
            window.replace((at >= 60).then(|| step(at - 60)), Some(step(at)));
            let mut all = Steps::default();
            all.set((at.saturating_sub(59)..=at).map(step));
            assert_eq!(window.sorted.len(), all.sorted.len());
            assert_eq!(Calibration::of(&window), Calibration::of(&all), "{at}");
        }
    }

    #[test]
    fn nothing_overflows() {
        let step = Step::new(u64::from(u32::MAX), u64::MAX).unwrap();
        let mut steps = Steps::default();
        steps.set([step; 4].into_iter());
        let calibration = Calibration::of(&steps);
        assert_eq!(Calibration { per_mille: 2_000, ..calibration }.correct(u64::MAX), u64::MAX);
    }
}
