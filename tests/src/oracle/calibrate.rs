//! Compares reported usage with the estimate: the error of the estimate, and the current size of the context.
//!
//! A usage covers the parts of all messages before it, and those of its own message that were there when the model
//! answered. Everything else follows from what one usage covers and another does not, added up anew each time.

use super::prune::belongs_to_result;
use ebbline::Transcript;
use ebbline::transcript::{Message, Part, PartKind};

/// A ratio is learnt from so many usages, counted from the newest.
const NEWEST_USAGES: usize = 64;
/// The fewest estimated tokens of a step that counts.
const INFORMATIVE: u128 = 50;
/// The fewest steps for a ratio, and the fewest estimated tokens in them.
const EVIDENCE: (usize, u128) = (3, 1_000);

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
        Self { per_mille: 1_000, overhead: None, samples: 0 }
    }
}

impl Calibration {
    /// The estimate `tokens`, corrected; half a token is rounded up.
    pub fn correct(&self, tokens: u64) -> u64 {
        self.corrected(u128::from(tokens))
    }

    fn corrected(&self, tokens: u128) -> u64 {
        let thousandths = tokens.saturating_mul(u128::from(self.per_mille));
        let is_rounded_up = thousandths % 1_000 >= 500;
        capped(thousandths / 1_000 + u128::from(is_rounded_up))
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

/// Learns the error of the estimates `costs` (tokens, one for each of [`Transcript::parts`]) from the usages of
/// active messages.
///
/// The size of a context alone is not informative, because it includes the system prompt and the tool definitions,
/// which are not in the session. But these stay the same, so the growth from one usage to the next consists of
/// messages only. Such a step counts if the reported context grew, if its parts have at least 50 estimated tokens, and
/// if none of them is flagged in `changed`: the provider has counted those as they were before they were pruned.
///
/// The ratio is that of the sums of all steps within half and double of the median, which is weighted by estimated
/// tokens. All ratios are whole thousandths, rounded down.
///
/// Only the newest 64 usages are used, whether their steps count or not. The overhead is not learnt from steps: it is
/// what the latest usage that covers nothing changed reported beyond the corrected estimate, however old that is.
pub fn calibration(transcript: &Transcript, costs: &[u64], changed: &[bool]) -> Calibration {
    let session = Session::new(transcript, costs, changed);
    let learnt = ratio(&session.steps(NEWEST_USAGES));
    let unchanged = session.usages.iter().rfind(|usage| !session.covers_changed(**usage));
    let overhead =
        unchanged.map(|usage| usage.tokens.saturating_sub(learnt.corrected(session.covered(*usage))));
    Calibration { overhead, ..learnt }
}

/// How much a session grew between its usages: by their reports, and by `costs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The steps between usages that count, and those of them within half and double of the median.
    pub steps: [usize; 2],
    /// What the latter have together, reported and by `costs`.
    pub reported: u128,
    /// The same by `costs`.
    pub counted: u128,
}

/// The growth of the whole session, under the rules of [`calibration`]; `None` if there is no step.
pub fn growth(transcript: &Transcript, costs: &[u64], changed: &[bool]) -> Option<Growth> {
    let steps = Session::new(transcript, costs, changed).steps(usize::MAX);
    let near = near(&steps, median(&steps)?);
    let together = Step::sum(&near);
    let (reported, counted) = (together.reported, together.estimated);
    Some(Growth { steps: [steps.len(), near.len()], reported, counted })
}

/// The current size of the context: the usage of the last active message with one, and the corrected estimate of
/// everything that it does not cover. `costs` are estimated tokens, one for each of [`Transcript::parts`]; `changed` is
/// as in [`calibration`], whose result corrects the estimates.
///
/// A usage that covers what has changed since is too high. Then the size is at most the estimate of all messages plus
/// the overhead. Without any usage, everything is estimated, without what the session does not contain.
pub fn anchored(
    transcript: &Transcript,
    costs: &[u64],
    changed: &[bool],
    calibration: &Calibration,
) -> Anchored {
    let session = Session::new(transcript, costs, changed);
    let all = calibration.corrected(session.sum(|_| true));
    let Some(newest) = session.usages.last().copied() else {
        return Anchored { tokens: all, reported: 0, trailing: all, anchor: None };
    };
    let trailing = calibration.corrected(session.sum(|piece| !newest.covers(piece)));
    let tokens = newest.tokens.saturating_add(trailing);
    if session.covers_changed(newest) {
        let tokens = tokens.min(all.saturating_add(calibration.overhead.unwrap_or(0)));
        return Anchored { tokens, reported: 0, trailing: tokens, anchor: None };
    }
    Anchored { tokens, reported: newest.tokens, trailing, anchor: Some(newest.message) }
}

/// A part of an active message.
#[derive(Clone, Copy)]
struct Piece {
    message: usize,
    tokens: u64,
    /// Whether it is a result, or belongs to one. In the message of its call, as in `OpenCode`, it came after the
    /// answer.
    is_result: bool,
    is_changed: bool,
}

/// What the provider reported with an active message.
#[derive(Clone, Copy)]
struct Usage {
    message: usize,
    tokens: u64,
}

impl Usage {
    fn covers(self, piece: &Piece) -> bool {
        piece.message < self.message || piece.message == self.message && !piece.is_result
    }
}

/// How much the context grew between two usages.
#[derive(Clone, Copy)]
struct Step {
    reported: u128,
    estimated: u128,
}

impl Step {
    /// Reported tokens per 1,000 estimated ones.
    fn per_mille(self) -> u128 {
        self.reported * 1_000 / self.estimated.max(1)
    }

    fn sum(steps: &[Step]) -> Step {
        Step {
            reported: steps.iter().map(|step| step.reported).sum(),
            estimated: steps.iter().map(|step| step.estimated).sum(),
        }
    }
}

/// The steps within half and double of the median.
fn near(steps: &[Step], median: u128) -> Vec<Step> {
    let range = median / 2..=median * 2;
    steps.iter().filter(|step| range.contains(&step.per_mille())).copied().collect()
}

struct Session {
    pieces: Vec<Piece>,
    usages: Vec<Usage>,
}

impl Session {
    /// Parts without a cost are left out, and so is what `changed` does not reach.
    fn new(transcript: &Transcript, costs: &[u64], changed: &[bool]) -> Self {
        let active = || transcript.messages().iter().enumerate().filter(|(_, message)| message.active);
        let piece = |message: usize, at: usize| {
            let (part, tokens) = (transcript.parts().get(at)?, *costs.get(at)?);
            let is_changed = changed.get(at).copied().unwrap_or(false);
            Some(Piece { message, tokens, is_result: is_result(part), is_changed })
        };
        let of_message = |message| transcript.part_range(message).filter_map(move |at| piece(message, at));
        let usage = |(message, of): (usize, &Message)| {
            of.usage.map(|tokens| Usage { message, tokens: u64::from(tokens) })
        };
        Self {
            pieces: active().flat_map(|(message, _)| of_message(message)).collect(),
            usages: active().filter_map(usage).collect(),
        }
    }

    fn sum(&self, is_counted: impl Fn(&Piece) -> bool) -> u128 {
        self.pieces.iter().filter(|piece| is_counted(piece)).map(|piece| u128::from(piece.tokens)).sum()
    }

    fn covered(&self, usage: Usage) -> u128 {
        self.sum(|piece| usage.covers(piece))
    }

    fn covers_changed(&self, usage: Usage) -> bool {
        self.pieces.iter().any(|piece| piece.is_changed && usage.covers(piece))
    }

    /// The steps between so many usages, counted from the newest.
    fn steps(&self, usages: usize) -> Vec<Step> {
        let newest: Vec<Usage> = self.usages.iter().rev().take(usages).rev().copied().collect();
        let pairs = newest.iter().zip(newest.iter().skip(1));
        pairs.filter_map(|(older, newer)| self.step(*older, *newer)).collect()
    }

    /// The step from one usage to a newer one; `None` if it does not count.
    fn step(&self, older: Usage, newer: Usage) -> Option<Step> {
        let is_between = |piece: &Piece| newer.covers(piece) && !older.covers(piece);
        let is_changed = self.pieces.iter().any(|piece| piece.is_changed && is_between(piece));
        let (reported, estimated) = (newer.tokens.checked_sub(older.tokens)?, self.sum(is_between));
        let counts = reported > 0 && estimated >= INFORMATIVE && !is_changed;
        counts.then_some(Step { reported: u128::from(reported), estimated })
    }
}

fn is_result(part: &Part) -> bool {
    part.kind == PartKind::ToolResult || belongs_to_result(part)
}

/// What the steps say, without the overhead.
fn ratio(steps: &[Step]) -> Calibration {
    let Some(median) = median(steps) else { return Calibration::default() };
    let near = near(steps, median);
    let together = Step::sum(&near);
    if near.len() < EVIDENCE.0 || together.estimated < EVIDENCE.1 {
        return Calibration::default();
    }
    let per_mille = together.per_mille().clamp(500, 2_000) as u32;
    Calibration { per_mille, overhead: None, samples: near.len() }
}

/// The smallest ratio of a step such that the steps up to it have at least half of the estimated tokens.
fn median(steps: &[Step]) -> Option<u128> {
    let up_to = |most: u128| -> u128 {
        steps.iter().filter(|step| step.per_mille() <= most).map(|step| step.estimated).sum()
    };
    let ratios = steps.iter().map(|step| step.per_mille());
    ratios.filter(|ratio| up_to(*ratio) * 2 >= up_to(u128::MAX)).min()
}

fn capped(tokens: u128) -> u64 {
    u64::try_from(tokens).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::with;
    use ebbline::length::Length;
    use ebbline::transcript::Role;

    fn part(kind: PartKind) -> Part {
        Part::new(kind, Length::default())
    }

    /// A session of requests: what is estimated of each with its answer, and the usage reported with it.
    fn session(requests: &[(u64, Option<u32>)]) -> (Transcript, Vec<u64>) {
        let mut transcript = Transcript::default();
        let mut costs = Vec::new();
        for (cost, usage) in requests {
            for message in
                [Message::person(), with(Message::new(Role::Assistant), |message| message.usage = *usage)]
            {
                transcript.begin(message);
                transcript.push(part(PartKind::Text));
            }
            costs.extend([cost - cost / 4, cost / 4]);
        }
        (transcript, costs)
    }

    /// What is learnt from a session that is written as `estimate=usage`, or `estimate` where no usage is reported.
    fn learnt(requests: &str) -> Calibration {
        let request = |word: &str| {
            let (estimate, usage) = word.split_once('=').unwrap_or((word, ""));
            (estimate.parse().unwrap(), usage.parse().ok())
        };
        let requests: Vec<(u64, Option<u32>)> = requests.split(' ').map(request).collect();
        let (transcript, costs) = session(&requests);
        calibration(&transcript, &costs, &[])
    }

    #[test]
    fn what_the_provider_counts_beside_the_messages_is_overhead() {
        let found = learnt("1000=8000 1000=9200 1000=10400 1000=11600");
        assert_eq!((found.per_mille, found.overhead), (1_200, Some(6_800)));
    }

    #[test]
    fn the_ratio_is_that_of_the_growth() {
        let unchanged = |overhead| Calibration { overhead, ..Calibration::default() };
        let changed =
            |per_mille, overhead, samples| Calibration { per_mille, overhead: Some(overhead), samples };
        for (what, requests, expected) in [
            ("no usage", "500 500", unchanged(None)),
            ("a single usage", "500 500=7000", unchanged(Some(6_000))),
            ("too few steps", "800=5000 800=6600 800=8200", unchanged(Some(5_800))),
            ("too little growth", "90=100 90=280 90=460 90=640", unchanged(Some(280))),
            ("a quarter more", "800=5000 800=6000 800=7000 800=8000", changed(1_250, 4_000, 3)),
            (
                "an answer without usage in between",
                "800=5000 400 400=6000 800=7000 800=8000",
                changed(1_250, 4_000, 3),
            ),
            (
                "a step back, a tiny one and one that is far off",
                "800=5000 800=6000 9000=5500 800=6500 10=9500 200=20000 800=21000",
                changed(1_250, 5_487, 3),
            ),
            ("no further than the double", "800=0 800=5000 800=10000 800=15000", changed(2_000, 8_600, 3)),
            ("nor than a half", "800=9000 800=9100 800=9200 800=9300", changed(500, 7_700, 3)),
        ] {
            assert_eq!(learnt(requests), expected, "{what}");
        }
    }

    #[test]
    fn many_small_steps_do_not_outweigh_a_few_large_ones() {
        let found = learnt("60=0 60=240 60=480 60=720 60=960 60=1200 500=1700 500=2200 500=2700");
        assert_eq!((found.per_mille, found.samples), (1_000, 3));
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
        let more = Calibration { per_mille: 1_500, ..Calibration::default() };
        let expected = Anchored { tokens: 6_700, reported: 5_500, trailing: 1_200, anchor: Some(3) };
        assert_eq!(anchored(&transcript, &costs, &[], &more), expected);
        transcript.begin(with(Message::new(Role::Assistant), |message| {
            message.active = false;
            message.usage = Some(90_000);
        }));
        transcript.push(part(PartKind::Text));
        costs.push(9_999);
        assert_eq!(anchored(&transcript, &costs, &[], &more), expected, "what is not sent does not count");
        for index in [1, 3] {
            transcript.forget_usage(index);
        }
        let estimated = Anchored { tokens: 1_600, trailing: 1_600, ..Anchored::default() };
        assert_eq!(anchored(&transcript, &costs, &[], &Calibration::default()), estimated);
    }

    #[test]
    fn results_in_the_message_of_their_call_came_after_its_usage() {
        let mut transcript = Transcript::default();
        let mut costs = Vec::new();
        for usage in [5_000, 6_100, 7_200, 8_300] {
            transcript.begin(with(Message::new(Role::Assistant), |message| message.usage = Some(usage)));
            transcript.push(part(PartKind::ToolCall));
            transcript.push(part(PartKind::ToolResult));
            transcript.push(with(part(PartKind::Image), |part| part.call = Some(0)));
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
