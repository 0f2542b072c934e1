//! Compares reported usage with the estimate: the error of the estimate, and the current size of the context.

use ebbline::Transcript;
use ebbline::transcript::{Message, Part, PartKind};

/// How many of the newest usages are used. The ratio changes over a session, and the cost of a decision must not grow
/// with it. On real sessions, the errors of 32, 64 and all usages differ by a tenth; on simulated ones, 64 are better
/// than all if the ratio drifts (error 10.6 % instead of 15.6), and worse if it is constant but noisy (14.3 instead
/// of 12.6).
const NEWEST: usize = 64;
/// Steps with fewer estimated tokens are too small to be informative.
const SMALLEST_STEP: u64 = 50;
/// The minimum of estimated tokens and steps for a correction.
const LEAST_GROWTH: u64 = 1_000;
const LEAST_STEPS: usize = 3;
/// A correction is at most between half and double: a larger difference means that something else is counted.
const NARROWEST: u64 = 500;
const WIDEST: u64 = 2_000;
const ONE: u64 = 1_000;

/// The ratio of the provider's count to the estimate, learnt from one session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calibration {
    /// Reported tokens per 1,000 estimated ones: 500 to 2,000; 1,000 without enough evidence.
    pub per_mille: u32,
    /// The tokens that the provider counts in addition to the messages: system prompt and tool definitions that the
    /// session does not contain. `None` if no usage was reported.
    pub overhead: Option<u64>,
    /// How many steps between reported usages the ratio is based on; 0 if there are too few.
    pub samples: usize,
}

impl Default for Calibration {
    /// Without evidence the estimate stays unchanged.
    fn default() -> Self {
        Self { per_mille: ONE as u32, overhead: None, samples: 0 }
    }
}

impl Calibration {
    /// What steps say; the list is used up.
    fn of(steps: &mut Vec<Step>) -> Self {
        let (per_mille, samples) = ratio(steps).unwrap_or((ONE, 0));
        Self { per_mille: per_mille as u32, overhead: None, samples }
    }

    /// The estimate `tokens`, corrected and rounded to the nearest integer.
    #[must_use]
    pub fn correct(&self, tokens: u64) -> u64 {
        let corrected =
            (u128::from(tokens) * u128::from(self.per_mille) + u128::from(ONE / 2)) / u128::from(ONE);
        u64::try_from(corrected).unwrap_or(u64::MAX)
    }
}

/// The size of a context, as far as possible from the provider's count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Anchored {
    /// Reported and trailing tokens together.
    pub tokens: u64,
    /// What the provider reported with the anchor; 0 without one.
    pub reported: u64,
    /// The corrected estimate of everything after the anchor or, without one, of all active messages.
    pub trailing: u64,
    /// The last active message with a usage.
    pub anchor: Option<usize>,
}

/// One step: the growth of the reported and the estimated context between two usages.
#[derive(Clone, Copy, Debug)]
struct Step {
    reported: u64,
    estimated: u64,
    per_mille: u64,
}

impl Step {
    /// `None` for an uninformative step: a negative or very small one.
    fn new(reported: u64, estimated: u64) -> Option<Self> {
        let per_mille = reported.saturating_mul(ONE) / estimated.max(1);
        (reported > 0 && estimated >= SMALLEST_STEP).then_some(Self { reported, estimated, per_mille })
    }
}

/// Learns the error of the estimates `costs` (tokens, one for each of [`Transcript::parts`]) from the usages of
/// active messages.
///
/// The size of a context alone is not informative, because it includes the system prompt and the tool definitions,
/// which are not in the session. But these stay the same, so the growth from one usage to the next consists of
/// messages only. The ratio is that of the sums of all steps between half and double of the median step, weighted by
/// size. Negative steps (something was pruned in between) and very small ones are skipped, and so are steps over
/// parts flagged in `changed`: the provider has counted them differently, because they were pruned since.
///
/// Only the newest 64 usages of active messages are used: the steps are those between them, at most 63. A usage
/// counts among the 64 even if its steps are skipped. The overhead is not learnt from steps: it is the remainder of
/// the latest usage before the first change, however old that is, with the current ratio.
///
/// A usage covers the answer and the request's content. Tool results in the message of their call, as in `OpenCode`,
/// came later.
#[must_use]
pub fn calibration(transcript: &Transcript, costs: &[u64], changed: &[bool]) -> Calibration {
    // The steps between usages; `None` for an uninformative one.
    let mut steps = Vec::new();
    let mut estimated = 0_u64;
    let (mut latest, mut unchanged) = (None, None);
    let (mut step_changed, mut any_changed) = (false, false);
    for (_, message, cost) in active(transcript, costs, changed) {
        let covered = estimated.saturating_add(cost.covered);
        estimated = covered.saturating_add(cost.results);
        step_changed |= cost.covered_changed;
        any_changed |= cost.covered_changed;
        let Some(usage) = message.usage.map(u64::from) else {
            step_changed |= cost.results_changed;
            any_changed |= cost.results_changed;
            continue;
        };
        if let Some((usage_before, covered_before)) = latest {
            let step = Step::new(usage.saturating_sub(usage_before), covered.saturating_sub(covered_before));
            steps.push(step.filter(|_| !step_changed));
        }
        latest = Some((usage, covered));
        if !any_changed {
            unchanged = latest;
        }
        step_changed = cost.results_changed;
        any_changed |= cost.results_changed;
    }
    let newest = steps.len().saturating_sub(NEWEST - 1);
    let mut steps: Vec<Step> = steps.into_iter().skip(newest).flatten().collect();
    let ratio = Calibration::of(&mut steps);
    let overhead = unchanged.map(|(usage, covered)| usage.saturating_sub(ratio.correct(covered)));
    Calibration { overhead, ..ratio }
}

/// The current size of the context: the usage of the last active message with one, and the corrected estimate of
/// everything after it. `costs` are estimated tokens, one for each of [`Transcript::parts`]; `changed` is as in
/// [`calibration`], whose result corrects the estimates.
///
/// A usage that covers what has changed since is too high. Then the size is at most the estimate of all messages plus
/// the overhead found in the usages before the first change. Without any usage, everything is estimated, without what
/// the session does not contain.
#[must_use]
pub fn anchored(
    transcript: &Transcript,
    costs: &[u64],
    changed: &[bool],
    calibration: &Calibration,
) -> Anchored {
    let (mut anchor, mut reported, mut estimated) = (None, 0, 0_u64);
    let (mut whole, mut seen_otherwise, mut any_changed) = (0_u64, false, false);
    for (index, message, cost) in active(transcript, costs, changed) {
        let all = cost.covered.saturating_add(cost.results);
        whole = whole.saturating_add(all);
        if let Some(usage) = message.usage {
            (anchor, reported, estimated) = (Some(index), u64::from(usage), cost.results);
            seen_otherwise = any_changed || cost.covered_changed;
        } else {
            estimated = estimated.saturating_add(all);
        }
        any_changed |= cost.covered_changed || cost.results_changed;
    }
    let trailing = calibration.correct(estimated);
    let tokens = reported.saturating_add(trailing);
    if !seen_otherwise {
        return Anchored { tokens, reported, trailing, anchor };
    }
    let whole = calibration.correct(whole).saturating_add(calibration.overhead.unwrap_or(0));
    let tokens = tokens.min(whole);
    Anchored { tokens, reported: 0, trailing: tokens, anchor: None }
}

/// The cost of a message: what its usage covers, and its tool results, which came later.
#[derive(Clone, Copy, Default)]
struct Cost {
    covered: u64,
    results: u64,
    covered_changed: bool,
    results_changed: bool,
}

/// The active messages: index, message, cost.
fn active<'t>(
    transcript: &'t Transcript,
    costs: &'t [u64],
    changed: &'t [bool],
) -> impl Iterator<Item = (usize, &'t Message, Cost)> {
    let messages = transcript.messages().iter().enumerate().filter(|(_, message)| message.active);
    messages.map(|(index, message)| {
        let range = transcript.part_range(index);
        let costs = costs.get(range.clone()).unwrap_or_default();
        let changed = changed.get(range).unwrap_or_default().iter().copied().chain(std::iter::repeat(false));
        let mut cost = Cost::default();
        for ((part, tokens), changed) in transcript.parts_of(index).iter().zip(costs).zip(changed) {
            let (sum, any_changed) = if is_result(part) {
                (&mut cost.results, &mut cost.results_changed)
            } else {
                (&mut cost.covered, &mut cost.covered_changed)
            };
            *sum = sum.saturating_add(*tokens);
            *any_changed |= changed;
        }
        (index, message, cost)
    })
}

fn is_result(part: &Part) -> bool {
    match part.kind {
        PartKind::ToolResult => true,
        PartKind::Image | PartKind::File => part.call.is_some(),
        _ => false,
    }
}

/// Reported tokens per 1,000 estimated ones, and the number of steps; `None` if they are not enough evidence.
fn ratio(steps: &mut Vec<Step>) -> Option<(u64, usize)> {
    steps.sort_by_key(|step| step.per_mille);
    let total = sum(steps, |step| step.estimated);
    let mut below = 0_u64;
    let median = steps.iter().find(|step| {
        below = below.saturating_add(step.estimated);
        below >= total.div_ceil(2)
    })?;
    let (low, high) = (median.per_mille / 2, median.per_mille.saturating_mul(2));
    steps.retain(|step| (low..=high).contains(&step.per_mille));
    let (reported, estimated) = (sum(steps, |step| step.reported), sum(steps, |step| step.estimated));
    let per_mille = Step::new(reported, estimated)?.per_mille;
    let is_evidence = steps.len() >= LEAST_STEPS && estimated >= LEAST_GROWTH;
    is_evidence.then(|| (per_mille.clamp(NARROWEST, WIDEST), steps.len()))
}

fn sum(steps: &[Step], of: impl Fn(&Step) -> u64) -> u64 {
    steps.iter().map(of).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::length::Length;
    use ebbline::transcript::Role;

    fn part(kind: PartKind) -> Part {
        Part::new(kind, Length::default())
    }

    /// A session of steps: the estimate of each request and answer, and its reported usage.
    fn session(steps: &[(u64, Option<u32>)]) -> (Transcript, Vec<u64>) {
        let mut transcript = Transcript::default();
        let mut costs = Vec::new();
        for (cost, usage) in steps {
            transcript.begin(Message::person());
            transcript.push(part(PartKind::Text));
            transcript.begin(Message { usage: *usage, ..Message::new(Role::Assistant) });
            transcript.push(part(PartKind::Text));
            costs.extend([cost - cost / 4, cost / 4]);
        }
        (transcript, costs)
    }

    #[test]
    fn what_the_provider_counts_beside_the_messages_is_overhead() {
        let mut transcript = Transcript::default();
        for usage in [8_000, 9_200, 10_400, 11_600] {
            transcript.begin(Message::person());
            transcript.push(Part::new(PartKind::Text, Length::ascii(3_600)));
            transcript.begin(Message { usage: Some(usage), ..Message::new(Role::Assistant) });
            transcript.push(Part::new(PartKind::Text, Length::ascii(400)));
        }
        let found = calibration(&transcript, &[900, 100, 900, 100, 900, 100, 900, 100], &[]);
        assert_eq!((found.per_mille, found.overhead), (1_200, Some(6_800)));
    }

    #[test]
    fn the_ratio_is_that_of_the_growth() {
        type Steps<'s> = &'s [(u64, Option<u32>)];
        let cases: [(&str, Steps<'_>, u32, Option<u64>, usize); 9] = [
            ("no usage", &[(500, None), (500, None)], 1_000, None, 0),
            ("a single usage", &[(500, None), (500, Some(7_000))], 1_000, Some(6_000), 0),
            (
                "too few steps",
                &[(800, Some(5_000)), (800, Some(6_600)), (800, Some(8_200))],
                1_000,
                Some(5_800),
                0,
            ),
            (
                "too little growth",
                &[(90, Some(100)), (90, Some(280)), (90, Some(460)), (90, Some(640))],
                1_000,
                Some(280),
                0,
            ),
            (
                "a quarter more",
                &[(800, Some(5_000)), (800, Some(6_000)), (800, Some(7_000)), (800, Some(8_000))],
                1_250,
                Some(4_000),
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
                Some(4_000),
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
                Some(5_487),
                3,
            ),
            (
                "no further than the double",
                &[(800, Some(0)), (800, Some(5_000)), (800, Some(10_000)), (800, Some(15_000))],
                2_000,
                Some(8_600),
                3,
            ),
            (
                "nor than a half",
                &[(800, Some(9_000)), (800, Some(9_100)), (800, Some(9_200)), (800, Some(9_300))],
                500,
                Some(7_700),
                3,
            ),
        ];
        for (name, steps, per_mille, overhead, samples) in cases {
            let (transcript, costs) = session(steps);
            let expected = Calibration { per_mille, overhead, samples };
            assert_eq!(calibration(&transcript, &costs, &[]), expected, "{name}");
        }
    }

    #[test]
    fn only_the_newest_usages_are_looked_at() {
        // A first usage, then `before` steps of 800 that are reported as 800, then `since` steps reported as 1,200.
        let found = |before: u32, since: u32| {
            let usage = |step: u32| 5_000 + step.min(before) * 800 + step.saturating_sub(before) * 1_200;
            let steps: Vec<_> = (0..=before + since).map(|step| (800, Some(usage(step)))).collect();
            let (transcript, costs) = session(&steps);
            calibration(&transcript, &costs, &[])
        };
        assert_eq!((found(40, 0).per_mille, found(40, 0).samples), (1_000, 40));
        assert_eq!((found(200, 63).per_mille, found(200, 63).samples), (1_500, 63));
        assert_eq!(
            (found(200, 62).per_mille, found(200, 62).samples),
            ((800 + 62 * 1_200) * 1_000 / 50_400, 63)
        );
        assert_eq!(found(200, 63).overhead, Some(0), "all that went before is corrected by it, too");
        assert_eq!(found(2, 63).overhead, Some(5_000 + 2 * 800 + 63 * 1_200 - 66 * 1_200));
    }

    #[test]
    fn usages_whose_steps_say_nothing_are_among_the_newest() {
        // Forty requests, each reported twice; nothing is added before the second report.
        let steps: Vec<_> =
            (0..40).flat_map(|step| [5_000 + step * 1_000; 2].map(|usage| (800, Some(usage)))).collect();
        let (transcript, mut costs) = session(&steps);
        costs.chunks_mut(4).for_each(|request| request[2..].fill(0));
        let found = calibration(&transcript, &costs, &[]);
        assert_eq!((found.per_mille, found.samples), (1_250, 31));
    }

    #[test]
    fn the_context_is_the_last_report_and_what_follows() {
        let (mut transcript, mut costs) = session(&[(400, Some(5_000)), (400, Some(5_500)), (800, None)]);
        let half = Calibration { per_mille: 1_500, ..Calibration::default() };
        let expected = Anchored { tokens: 6_700, reported: 5_500, trailing: 1_200, anchor: Some(3) };
        assert_eq!(anchored(&transcript, &costs, &[], &half), expected);
        transcript.begin(Message { active: false, usage: Some(90_000), ..Message::new(Role::Assistant) });
        transcript.push(part(PartKind::Text));
        costs.push(9_999);
        assert_eq!(anchored(&transcript, &costs, &[], &half), expected, "what is not sent does not count");
        for index in [1, 3] {
            transcript.forget_usage(index);
        }
        let estimated = Anchored { tokens: 1_600, reported: 0, trailing: 1_600, anchor: None };
        assert_eq!(anchored(&transcript, &costs, &[], &Calibration::default()), estimated);
    }

    #[test]
    fn results_in_the_message_of_their_call_came_after_its_usage() {
        let mut transcript = Transcript::default();
        let mut costs = Vec::new();
        for usage in [5_000, 6_100, 7_200, 8_300] {
            transcript.begin(Message { usage: Some(usage), ..Message::new(Role::Assistant) });
            transcript.push(part(PartKind::ToolCall));
            transcript.push(part(PartKind::ToolResult));
            transcript.push(Part { call: Some(0), ..part(PartKind::Image) });
            costs.extend([100, 700, 200]);
        }
        let found = calibration(&transcript, &costs, &[]);
        assert_eq!(found, Calibration { per_mille: 1_100, overhead: Some(4_890), samples: 3 });
        let expected = Anchored { tokens: 9_290, reported: 8_300, trailing: 990, anchor: Some(3) };
        assert_eq!(anchored(&transcript, &costs, &[], &found), expected);
    }

    #[test]
    fn nothing_overflows() {
        let (transcript, _) = session(&[(0, Some(1)), (0, Some(u32::MAX)), (0, None)]);
        let costs = vec![u64::MAX; 6];
        let calibration = calibration(&transcript, &costs, &[]);
        assert_eq!(calibration.correct(u64::MAX), u64::MAX);
        assert_eq!(anchored(&transcript, &costs, &[], &calibration).tokens, u64::MAX);
        assert_eq!(anchored(&transcript, &[], &[], &calibration).tokens, u64::from(u32::MAX));
    }

    #[test]
    fn a_report_on_what_has_changed_since_is_no_anchor() {
        // The overhead is 4,000 and each step 1,000; the third step's messages have been pruned to 100.
        let steps = [(1_000, Some(5_000)), (1_000, Some(6_000)), (100, Some(7_000)), (1_000, Some(8_000))];
        let (transcript, costs) = session(&steps);
        let size = |changed: usize| {
            let changed: Vec<bool> = (0..costs.len()).map(|index| index == changed).collect();
            anchored(&transcript, &costs, &changed, &calibration(&transcript, &costs, &changed))
        };
        assert_eq!((size(4).tokens, size(4).anchor), (4_000 + 3_100, None));
        assert_eq!((size(99).tokens, size(99).anchor), (8_000, Some(7)), "nothing has changed");
        assert_eq!(size(0).tokens, 3_100, "of the overhead nothing is known then");
    }
}
