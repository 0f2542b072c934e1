//! How far off the estimate is, learnt from the usages that the provider reported over one session.
//!
//! The size of a context says nothing by itself, because the provider also counts the system prompt and the tool
//! definitions, which are not in the session. But they stay the same: from one usage to the next the context grew by
//! messages only. Of these steps the median is taken, weighted by size, and then the ratio of the sums of all steps
//! within half and double of it. Three kinds of steps do not count: steps back (something was pruned in between), tiny
//! ones, and steps over outputs that were pruned since, because the provider has seen those otherwise than they are now.
//!
//! Only the newest 64 usages of active messages count: the steps are those from each of them to the next, at most 63. A
//! usage is among the 64 whether its steps count or not.
//!
//! A usage covers the answer and what the request held. Tool results that stand in the message of their call, as in
//! OpenCode, came afterwards.

use crate::order::sort_by;

/// How many usages are looked at, the newest ones: what is written changes over a session, and a decision must not
/// cost more the longer it gets. On real sessions 32, 64 and all of them differ by a tenth of the error; on simulated ones
/// 64 are better than all where the ratio drifts (10.6 % off instead of 15.6), and worse where it is steady but noisy
/// (14.3 instead of 12.6).
pub(super) const NEWEST: usize = 64;
/// Steps that grow the context by fewer estimated tokens say too little.
const SMALLEST_STEP: u64 = 50;
/// Estimated tokens and steps that the usable growth must amount to before it corrects anything.
const LEAST_GROWTH: u64 = 1_000;
const LEAST_STEPS: usize = 3;
/// No correction goes further than from a half to the double: beyond that, something else is counted.
const NARROWEST: u64 = 500;
const WIDEST: u64 = 2_000;
const ONE: u64 = 1_000;

/// How the provider's count relates to the estimate, learnt from one session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Calibration {
    /// Reported tokens for 1,000 estimated ones: 500 to 2,000; 1,000 until there is evidence enough.
    per_mille: u32,
    /// How many steps from one reported usage to the next the ratio is taken from; 0 when there are too few.
    samples: usize,
}

impl Default for Calibration {
    /// Nothing is known: the estimate stays as it is.
    fn default() -> Self {
        Self { per_mille: ONE as u32, samples: 0 }
    }
}

impl Calibration {
    /// What steps say.
    pub(super) fn of(steps: &Steps) -> Self {
        let (per_mille, samples) = steps.ratio().unwrap_or((ONE, 0));
        Self { per_mille: per_mille as u32, samples }
    }

    /// The estimate `tokens`, corrected and rounded to the nearest.
    pub(super) fn correct(&self, tokens: u64) -> u64 {
        let corrected =
            (u128::from(tokens) * u128::from(self.per_mille) + u128::from(ONE / 2)) / u128::from(ONE);
        u64::try_from(corrected).unwrap_or(u64::MAX)
    }
}

/// One step: how much the reported and the estimated context grew from one usage to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    reported: u64,
    estimated: u64,
    per_mille: u64,
}

impl Step {
    /// `None` for a step that does not count: one back, or a tiny one.
    pub(super) fn new(reported: u64, estimated: u64) -> Option<Self> {
        let per_mille = reported.saturating_mul(ONE) / estimated.max(1);
        (reported > 0 && estimated >= SMALLEST_STEP).then_some(Self { reported, estimated, per_mille })
    }
}

/// Steps, sorted by their ratio.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps(Vec<Step>);

impl Steps {
    /// Takes these steps in the place of all others.
    pub(super) fn set(&mut self, steps: impl Iterator<Item = Step>) {
        self.0.clear();
        self.0.extend(steps);
        sort_by(&mut self.0, &|one, other| one.per_mille.cmp(&other.per_mille));
    }

    pub(super) fn add(&mut self, step: Step) {
        let at = self.0.partition_point(|other| other.per_mille < step.per_mille);
        self.0.insert(at, step);
    }

    /// Removes one step that is equal to `step`.
    pub(super) fn remove(&mut self, step: Step) {
        let first = self.0.partition_point(|other| other.per_mille < step.per_mille);
        let equal = self.0.iter().skip(first).position(|other| *other == step);
        if let Some(offset) = equal {
            self.0.remove(first + offset);
        }
    }

    /// Reported tokens for 1,000 estimated ones, and of how many steps; `None` if they are no evidence.
    fn ratio(&self) -> Option<(u64, usize)> {
        let total = self.0.iter().fold(0, |sum: u64, step| sum.saturating_add(step.estimated));
        let mut below = 0_u64;
        let median = self.0.iter().find(|step| {
            below = below.saturating_add(step.estimated);
            below >= total.div_ceil(2)
        })?;
        let (low, high) = (median.per_mille / 2, median.per_mille.saturating_mul(2));
        let (mut reported, mut estimated, mut samples) = (0_u64, 0_u64, 0);
        for step in self.0.iter().filter(|step| (low..=high).contains(&step.per_mille)) {
            reported = reported.saturating_add(step.reported);
            estimated = estimated.saturating_add(step.estimated);
            samples += 1;
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
            sorted.add(*step);
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
            window.add(step(at));
            if at >= 60 {
                window.remove(step(at - 60));
            }
            let mut all = Steps::default();
            all.set((at.saturating_sub(59)..=at).map(step));
            assert_eq!(window.0.len(), all.0.len());
            assert_eq!(Calibration::of(&window), Calibration::of(&all), "{at}");
        }
    }

    #[test]
    fn nothing_overflows() {
        let step = Step::new(u64::from(u32::MAX), u64::MAX).unwrap();
        let calibration = Calibration::of(&Steps(vec![step; 4]));
        assert_eq!(Calibration { per_mille: 2_000, ..calibration }.correct(u64::MAX), u64::MAX);
    }
}
