//! Usage that the provider reported, set against the estimate: how far off it is, and how large the context is now.

use ebbline::Transcript;
use ebbline::transcript::{Message, Part, PartKind};

/// How many usages are looked at, the newest ones: what is written changes over a session, and a decision must not
/// cost more the longer it gets. On real sessions 32, 64 and all of them differ by a tenth of the error; on simulated ones
/// 64 are better than all where the ratio drifts (10.6 % off instead of 15.6), and worse where it is steady but noisy
/// (14.3 instead of 12.6).
const NEWEST: usize = 64;
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
pub struct Calibration {
    /// Reported tokens for 1,000 estimated ones: 500 to 2,000; 1,000 until there is evidence enough.
    pub per_mille: u32,
    /// The tokens that the provider counts beyond the messages: system prompt and tool definitions that the session
    /// does not hold. `None` when no usage was reported.
    pub overhead: Option<u64>,
    /// How many steps from one reported usage to the next the ratio is taken from; 0 when there are too few.
    pub samples: usize,
}

impl Default for Calibration {
    /// Nothing is known: the estimate stays as it is.
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

    /// The estimate `tokens`, corrected and rounded to the nearest.
    #[must_use]
    pub fn correct(&self, tokens: u64) -> u64 {
        let corrected =
            (u128::from(tokens) * u128::from(self.per_mille) + u128::from(ONE / 2)) / u128::from(ONE);
        u64::try_from(corrected).unwrap_or(u64::MAX)
    }
}

/// The size of a context, as far as possible as the provider counted it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Anchored {
    /// Reported and trailing tokens together.
    pub tokens: u64,
    /// What the provider reported with the anchor; 0 without one.
    pub reported: u64,
    /// The corrected estimate of what came after the anchor; without one, of all active messages.
    pub trailing: u64,
    /// The last active message with a usage.
    pub anchor: Option<usize>,
}

/// One step: how much the reported and the estimated context grew from one usage to the next.
#[derive(Clone, Copy, Debug)]
struct Step {
    reported: u64,
    estimated: u64,
    per_mille: u64,
}

impl Step {
    /// `None` for a step that says nothing: back, or a tiny one.
    fn new(reported: u64, estimated: u64) -> Option<Self> {
        let per_mille = reported.saturating_mul(ONE) / estimated.max(1);
        (reported > 0 && estimated >= SMALLEST_STEP).then_some(Self { reported, estimated, per_mille })
    }
}

/// Learns from the usages of active messages how far the estimates `costs` (tokens, one for each of
/// [`Transcript::parts`]) are off.
///
/// The size of a context says nothing by itself, because the system prompt and the tool definitions are counted, too,
/// and are not in the session. But they stay the same: what the context grew by from one usage to the next was
/// messages only. Of these steps the median is taken, weighted by size, and then the ratio of the sums of all steps
/// within half and double of it. Steps back (something was pruned in between) and tiny ones are passed over, and so are
/// steps over parts that `changed`, one flag for each part, names: the provider has seen them otherwise than they are
/// now, because they were pruned since.
///
/// Only the newest 64 usages of active messages are looked at: the steps are those from each of them to the next, at
/// most 63. A usage counts among the 64 whether its steps are passed over or not. The overhead is not learnt from
/// steps: it is what the latest usage before the first change leaves over, however old that usage is, with the ratio
/// of now.
///
/// A usage covers the answer and what the request held. Tool results that stand in the message of their call, as in
/// `OpenCode`, came afterwards.
#[must_use]
pub fn calibration(transcript: &Transcript, costs: &[u64], changed: &[bool]) -> Calibration {
    // Between each usage and the next; `None` where the step says nothing.
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

/// The size of the context now: what the last active message with a usage reports, and the corrected estimate of what
/// follows it. `costs` are estimated tokens, one for each of [`Transcript::parts`]; `changed` as in [`calibration`],
/// whose result corrects the estimates.
///
/// A report that covers what has changed since says too much. Then the size is at most the estimate of all messages,
/// with the overhead that the reports before the first change tell of. Without any usage, all is estimated, and what
/// the session does not hold is not in it.
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

/// What a message costs: what a usage reported with it covers, and the tool results in it, which came later.
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

/// Reported tokens for 1,000 estimated ones, and of how many steps; `None` if they are no evidence.
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

    /// A session of steps: what is estimated of each request and answer, and what is reported with it.
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
        // A first usage, then `before` steps of 800 that are reported as 800, then `since` as 1,200.
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
        // Forty requests, each reported twice: the second time, nothing has been added.
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
        // Of 4,000 overhead and 1,000 a step, the third step's messages have been pruned to 100.
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
