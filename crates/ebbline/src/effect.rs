//! Whether a knob has an effect in the current policy and, if not, why: a knob without effect misleads the user who
//! sets it.

use serde::{Deserialize, Serialize};

use crate::plan::{Decision, Source};
use crate::policy::{Cut, Limit, Policy, PrunePolicy, Snap, path, unknown};
use crate::transcript::{Role, Transcript};

/// Why a knob has no effect; amounts are tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Idle {
    /// The knob's step is switched off.
    StepOff,
    /// The context window is unknown, so the context never counts as full.
    WindowUnknown,
    /// The policy triggers on reported usage alone and the session has none, so the context never counts as full.
    NoUsage,
    /// Compaction is forced, which ignores the trigger.
    NotConsulted,
    /// The threshold depends on the output limit instead.
    OutputLimitInstead(u64),
    /// The threshold depends on the input limit instead.
    InputLimitInstead(u64),
    /// The larger of the reserve and the output limit is kept free; up to this figure, that is the output limit.
    OutputLimitLarger(u64),
    /// It has no effect above the output limit.
    AtMostOutputLimit(u64),
    /// The threshold is never below this figure, and a larger reserve would make it so.
    AtFloor(u64),
    /// The policy keeps nothing when it summarizes.
    KeepsNothing,
    /// The policy keeps nothing in a forced compaction.
    ForcedKeepsNothing,
    /// A forced compaction keeps at most half of a history that would fit: this figure.
    ForcedHalf(u64),
    /// At most a share of the threshold is kept: this figure.
    ShareIsMost(u64),
}

/// What the effect of a knob depends on, other than the policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Situation {
    /// Whether compaction is forced.
    pub force: bool,
    /// The source of the context's size.
    pub source: Source,
    /// The tokens from the first message worth summarizing to the newest one, after pruning.
    pub history: u64,
}

impl Situation {
    /// The situation of a decision on `transcript`. `pruned` are the tokens of each of its messages after pruning, before
    /// summarizing.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::effect::Situation;
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let mut policy = ebbline::profiles::get("ebbline@1")?;
    /// let decision = session.plan(&policy).decision;
    /// policy.retain.enabled = false;
    /// let alone = session.plan(&policy).messages;
    /// let pruned = alone.iter().map(|message| message.tokens_after);
    /// assert!(!Situation::new(session.transcript(), &decision, pruned, false).force);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn new(
        transcript: &Transcript,
        decision: &Decision,
        pruned: impl IntoIterator<Item = u64>,
        force: bool,
    ) -> Self {
        let active = transcript.messages().iter().zip(pruned).filter(|(message, _)| message.active);
        let history = active
            .skip_while(|(message, _)| message.role == Role::System || message.summary)
            .map(|(_, tokens)| tokens)
            .sum();
        Self { force, source: decision.trigger.source, history }
    }
}

/// Why the knob at `path` (as in [`Policy::set`]) has no effect in `policy`; `None` if it has one. Only the knobs of
/// pruning, `retain.keep` and `trigger.reserve` are examined.
///
/// # Example
///
/// ```
/// use ebbline::effect::{Idle, Situation, idle};
/// let mut situation = Situation::default();
/// situation.history = 100_000;
/// let policy = ebbline::profiles::get("ebbline@1")?;
/// assert_eq!(idle(&policy, "trigger.reserve", situation), Some(Idle::OutputLimitLarger(32_000)));
/// assert_eq!(idle(&policy, "retain.keep", situation), None);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn idle(policy: &Policy, path: &str, situation: Situation) -> Option<Idle> {
    let policy = &*policy.resolved();
    match path {
        path::trigger::reserve => {
            // Where pruning depends on it, it has an effect without summarizing, too.
            let full = if depends_on_fullness(&policy.prune) { never_full } else { summarizing };
            full(policy, situation).or_else(|| reserve(policy, situation))
        }
        path::retain::keep => summarizing(policy, situation).or_else(|| keep(policy, situation)),
        path::prune::enabled => None,
        _ if !PrunePolicy::KNOBS.iter().any(|knob| knob.path == path) => None,
        _ if !policy.prune.enabled => Some(Idle::StepOff),
        _ if policy.prune.only_when_full => never_full(policy, situation),
        _ => None,
    }
}

/// Whether pruning depends on when the context counts as full.
fn depends_on_fullness(prune: &PrunePolicy) -> bool {
    prune.enabled && (prune.only_when_full || prune.down_to > 0 || prune.preview > 0)
}

/// Why summarizing cannot fire at all.
fn summarizing(policy: &Policy, situation: Situation) -> Option<Idle> {
    if policy.retain.enabled { never_full(policy, situation) } else { Some(Idle::StepOff) }
}

/// Why the context never counts as full.
fn never_full(policy: &Policy, situation: Situation) -> Option<Idle> {
    if situation.force {
        None
    } else if !policy.trigger.enabled {
        Some(Idle::StepOff)
    } else if policy.model.context.is_none() {
        Some(Idle::WindowUnknown)
    } else {
        (situation.source == Source::Nothing).then_some(Idle::NoUsage)
    }
}

fn reserve(policy: &Policy, situation: Situation) -> Option<Idle> {
    let (trigger, model) = (&policy.trigger, policy.model);
    // A forced compaction only depends on the threshold if the window must leave room below it.
    if situation.force && policy.retain.snap != Snap::Nearest && policy.retain.keep_share.is_none() {
        return Some(Idle::NotConsulted);
    }
    let output = unknown::or_zero(trigger.output_of(model));
    let (wide, context) = (i128::from(output), i128::from(unknown::or_zero(model.context)));
    let reserve = i128::from(trigger.reserve);
    let is_larger = reserve <= wide;
    let is_instead = match trigger.limit {
        Limit::LessReserve => None,
        Limit::LessOutput => Some(Idle::OutputLimitInstead(output)),
        Limit::InputElseLessOutput => Some(match model.input {
            Some(input) => Idle::InputLimitInstead(input.get()),
            None => Idle::OutputLimitInstead(output),
        }),
        Limit::InputLessReserveElseLessOutput => {
            model.input.is_none().then_some(Idle::OutputLimitInstead(output))
        }
        Limit::LessLarger => is_larger.then_some(Idle::OutputLimitLarger(output)),
        Limit::SmallerOfBoth => {
            let counts = model.input.is_none_or(|input| context - wide <= i128::from(input.get()) - reserve);
            (is_larger && counts).then_some(Idle::OutputLimitLarger(output))
        }
    };
    let is_capped = trigger.reserve_within_output && reserve > wide;
    let at_floor = || trigger.is_at_floor(model, policy.retain.keep).then_some(Idle::AtFloor(trigger.floor));
    is_instead.or_else(|| is_capped.then_some(Idle::AtMostOutputLimit(output))).or_else(at_floor)
}

fn keep(policy: &Policy, situation: Situation) -> Option<Idle> {
    let retain = &policy.retain;
    if situation.force && retain.forced_keeps_nothing {
        return Some(Idle::ForcedKeepsNothing);
    }
    // If it is subtracted from the threshold, it has an effect even if nothing is kept.
    if policy.trigger.less_keep && !situation.force {
        return None;
    }
    if retain.cut == Cut::AtEnd {
        return Some(Idle::KeepsNothing);
    }
    let most = retain.budget(policy.trigger.threshold(policy.model, retain.keep));
    let half = situation.history / 2;
    let is_halved = situation.force
        && retain.snap == Snap::Nearest
        && situation.history >= retain.summary_allowance.saturating_mul(2);
    if is_halved && most > half {
        Some(Idle::ForcedHalf(half))
    } else {
        (retain.keep > most).then_some(Idle::ShareIsMost(most))
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;
    use crate::explain::plan;
    use crate::length::Length;
    use crate::plan::{Plan, PlanOptions};
    use crate::policy::{Model, TriggerPolicy};
    use crate::profiles;
    use crate::transcript::{Message, Part, PartKind};

    /// A transcript of `turns` turns, each with a question, a call, an output and an answer.
    fn transcript(turns: usize, usage: Option<u32>) -> Transcript {
        let mut transcript = Transcript::default();
        for turn in 0..turns {
            transcript.begin(Message::person());
            transcript.push(Part::new(PartKind::Text, Length::ascii(80)));
            let call = Some(turn as u32);
            for (role, kind, size) in
                [(Role::Assistant, PartKind::ToolCall, 40), (Role::Tool, PartKind::ToolResult, 9_000)]
            {
                transcript.begin(Message::new(role));
                transcript.push(Part { call, ..Part::new(kind, Length::ascii(size)) });
            }
            transcript.begin(Message { usage, ended: true, ..Message::new(Role::Assistant) });
            transcript.push(Part::new(PartKind::Text, Length::ascii(900)));
        }
        transcript
    }

    fn plans(transcript: &Transcript, policy: &Policy, force: bool) -> (Plan, Plan) {
        let options = PlanOptions::new().force(force);
        let mut alone = policy.clone();
        alone.retain.enabled = false;
        (plan(transcript, policy, options), plan(transcript, &alone, options))
    }

    #[test]
    fn a_knob_that_is_said_to_be_idle_changes_no_plan() {
        let mut said = 0;
        for (turns, usage) in [(3, None), (40, None), (40, Some(150_000)), (90, Some(190_000))] {
            let transcript = transcript(turns, usage);
            for profile in profiles::ALL {
                for (force, window) in [(false, 200_000), (true, 200_000), (false, 40_000), (true, 40_000)] {
                    let mut policy = profile.policy();
                    policy.model.context = NonZeroU64::new(window);
                    let (plan, pruned) = plans(&transcript, &policy, force);
                    let tokens = pruned.messages.iter().map(|message| message.tokens_after);
                    let situation = Situation::new(&transcript, &plan.decision, tokens, force);
                    for (path, value) in [
                        (path::retain::keep, policy.resolved().retain.keep),
                        (path::trigger::reserve, policy.trigger.reserve.unsigned_abs()),
                        (path::prune::protect, policy.prune.protect),
                    ] {
                        let Some(idle) = idle(&policy, path, situation) else { continue };
                        said += 1;
                        // If a limit decides, a value below the limit has an effect.
                        let other = match idle {
                            Idle::ForcedHalf(_)
                            | Idle::ShareIsMost(_)
                            | Idle::AtFloor(_)
                            | Idle::AtMostOutputLimit(_) => value + 5_000,
                            _ => value / 3,
                        };
                        let mut turned = policy.clone();
                        turned.set(path, &other.to_string()).unwrap();
                        turned.profile.clone_from(&policy.profile);
                        let (with, _) = plans(&transcript, &turned, force);
                        // The reported threshold may differ, but the result must be the same.
                        let done = |plan: &Plan| {
                            let retain = plan.decision.retain.applied.then_some(plan.decision.retain);
                            let prune = plan.decision.prune.applied.then_some(plan.decision.prune);
                            (
                                plan.decision.verdict, plan.decision.reason, plan.decision.tokens_after,
                                prune, retain,
                            )
                        };
                        assert_eq!(done(&with), done(&plan), "{} {path} {idle:?}", profile.name);
                    }
                }
            }
        }
        assert!(said > 200, "{said}");
    }

    #[test]
    fn a_reserve_that_is_not_said_to_be_idle_moves_the_threshold() {
        let limits = [
            Limit::LessReserve,
            Limit::LessOutput,
            Limit::InputElseLessOutput,
            Limit::InputLessReserveElseLessOutput,
            Limit::LessLarger,
            Limit::SmallerOfBoth,
        ];
        for limit in limits {
            for (output, input, reserve, floor, floor_below) in (0..162).map(|at| {
                let floor_below = at / 81 * 150_000;
                (
                    at % 3 * 16_000,
                    at / 3 % 3 * 90_000,
                    at / 9 % 3 * 20_000,
                    at / 27 % 3 * 100_000,
                    floor_below,
                )
            }) {
                for reserve_within_output in [false, true] {
                    let mut policy = profiles::get("pi@1.5").unwrap();
                    policy.model = Model::new(200_000).output(output).input(input);
                    let reserve = reserve as i64;
                    policy.trigger = TriggerPolicy {
                        limit,
                        reserve,
                        reserve_within_output,
                        floor,
                        floor_below,
                        ..policy.trigger
                    };
                    let situation = Situation { force: false, source: Source::Estimate, history: 0 };
                    let threshold = |reserve: i64| {
                        TriggerPolicy { reserve, ..policy.trigger.clone() }.threshold(policy.model, 0)
                    };
                    let moves = |other: i64| threshold(reserve) != threshold(other);
                    let said = idle(&policy, path::trigger::reserve, situation);
                    match said {
                        None => assert!(moves(reserve + 1) || moves(reserve - 1), "{policy:?}"),
                        Some(Idle::AtFloor(_) | Idle::AtMostOutputLimit(_)) => {
                            assert!(!moves(reserve + 1) && !moves(reserve + 50_000), "{said:?} {policy:?}");
                        }
                        Some(_) => assert!(!moves(0) && !moves(reserve / 2), "{said:?} {policy:?}"),
                    }
                }
            }
        }
    }

    #[test]
    fn each_profile_says_why() {
        let usual = Situation { force: false, source: Source::Reported, history: 30_000 };
        let asked = Situation { force: true, ..usual };
        let silent = Situation { source: Source::Nothing, ..usual };
        for (profile, path, situation, expected) in [
            ("ebbline@1", path::trigger::reserve, usual, Some(Idle::OutputLimitLarger(32_000))),
            ("ebbline@1", path::retain::keep, usual, None),
            ("ebbline@1", path::retain::keep, asked, Some(Idle::ForcedHalf(15_000))),
            ("opencode@2026-01", path::trigger::reserve, usual, Some(Idle::OutputLimitInstead(32_000))),
            ("opencode@2026-01", path::retain::keep, usual, Some(Idle::KeepsNothing)),
            ("opencode@2026-01", path::retain::keep, silent, Some(Idle::NoUsage)),
            ("opencode@2026-06", path::prune::protect, usual, Some(Idle::StepOff)),
            ("opencode@2026-06", path::trigger::reserve, usual, Some(Idle::OutputLimitInstead(32_000))),
            ("opencode-v2@2026-06", path::trigger::reserve, usual, Some(Idle::OutputLimitLarger(32_000))),
            ("pi@1.5", path::trigger::reserve, usual, None),
            ("pi@1.5", path::trigger::reserve, asked, Some(Idle::NotConsulted)),
            ("pi@1.5", path::retain::keep, asked, None),
            ("tunacode@0.2", path::retain::keep, usual, None),
            ("tunacode@0.2", path::retain::keep, asked, Some(Idle::ForcedKeepsNothing)),
            ("tunacode@2026-01", path::retain::keep, usual, Some(Idle::StepOff)),
        ] {
            let policy = profiles::get(profile).unwrap();
            assert_eq!(idle(&policy, path, situation), expected, "{profile} {path}");
        }
        let mut policy = profiles::get("ebbline@2").unwrap();
        policy.retain.enabled = false;
        assert_eq!(idle(&policy, path::trigger::reserve, usual), None, "pruning depends on it");
        policy.prune.enabled = false;
        assert_eq!(idle(&policy, path::trigger::reserve, usual), Some(Idle::StepOff));
        let mut policy = profiles::get("ebbline@1").unwrap();
        policy.set(path::trigger::reserve, "150000").unwrap();
        assert_eq!(idle(&policy, path::trigger::reserve, usual), Some(Idle::AtFloor(100_000)));
        policy.set(path::model::context, "0").unwrap();
        assert_eq!(idle(&policy, path::retain::keep, usual), Some(Idle::WindowUnknown));
    }
}
