//! Why a knob has no effect, as one sentence beside it.

use ebbline::Policy;
use ebbline::effect::Idle;
use ebbline::plan::VerdictReason;

use crate::edge::Edge;
use crate::figures::Figures;
use crate::knob::Knob;
use ebbline::numbers::grouped;

/// Why `knob` has no effect on the plan with these figures; empty if it has one. `turns`: whether some value of it changes
/// what happens.
pub(crate) fn said(knob: Knob, figures: &Figures, policy: &Policy, turns: bool) -> String {
    let protects = matches!(knob, Knob::Protect | Knob::Turns);
    match ebbline::effect::idle(policy, knob.path(), figures.situation) {
        Some(idle) => idle_words(idle),
        None if protects && figures.prune.reason == VerdictReason::RoomNeeded => protection(figures, policy),
        None if turns => String::new(),
        None => here(knob, figures, policy),
    }
}

/// Why no value of `knob` changes anything at this moment.
fn here(knob: Knob, figures: &Figures, policy: &Policy) -> String {
    let resolved = policy.resolved();
    let of_summary = matches!(knob, Knob::Keep | Knob::KeepTurns | Knob::UserWords);
    match (figures.prune.reason, figures.retain.reason) {
        _ if knob == Knob::Context => "Changes nothing at this moment.".to_owned(),
        (VerdictReason::Disabled, _) if !of_summary => "No effect: this step is off.".to_owned(),
        (_, VerdictReason::Disabled) if of_summary => "No effect: this step is off.".to_owned(),
        _ if of_summary && figures.prune.applied && !figures.retain.applied => {
            "Not used here: pruning was enough.".to_owned()
        }
        (VerdictReason::NotFull, _) | (_, VerdictReason::BelowThreshold) if !figures.prune.applied => {
            "Changes nothing here: the context is not full.".to_owned()
        }
        (VerdictReason::NothingToPrune, _) if !of_summary => {
            "Changes nothing here: there is no output that could be pruned.".to_owned()
        }
        (VerdictReason::BelowMinimum, _) if !of_summary => format!(
            "Changes nothing here: {} could be pruned, and the minimum saving is {}.",
            grouped(figures.prune.candidates),
            grouped(resolved.prune.minimum)
        ),
        _ => "Changes nothing at this moment.".to_owned(),
    }
}

/// Why no handle stands at an edge, as one sentence.
pub(crate) fn without_handle(edge: Edge, figures: &Figures, policy: &Policy) -> String {
    let resolved = policy.resolved();
    let full = grouped(figures.trigger.threshold);
    match (edge, figures.prune.reason, figures.retain.reason) {
        (Edge::Limit, ..) if policy.model.context.is_none() => "The context window is not known.".to_owned(),
        (Edge::Limit, ..) => "The context window changes nothing at this moment.".to_owned(),
        (Edge::Prune, VerdictReason::Disabled, _) => "Nothing is pruned: that step is off.".to_owned(),
        (Edge::Prune, VerdictReason::NotFull, _) => {
            format!("Nothing is pruned: the context is full only above {full} tokens.")
        }
        (Edge::Prune, VerdictReason::BelowMinimum, _) => format!(
            "Nothing is pruned: {} tokens could be, and the minimum saving is {}.",
            grouped(figures.prune.candidates),
            grouped(resolved.prune.minimum)
        ),
        (Edge::Prune, VerdictReason::TooFewTurns, _) => {
            "Nothing is pruned: there are too few turns.".to_owned()
        }
        (Edge::Prune, VerdictReason::ContextSmall, _) => {
            "Nothing is pruned: the context is too small for it.".to_owned()
        }
        (Edge::Prune, ..) if figures.prune.applied => {
            "Every output that may be pruned is pruned: no number decides where that ends.".to_owned()
        }
        (Edge::Prune, ..) => "There is no output that could be pruned.".to_owned(),
        (Edge::Keep, _, VerdictReason::Disabled) => "Nothing is summarized: that step is off.".to_owned(),
        (Edge::Keep, ..) if figures.retain.applied => {
            "The newest messages that stay are the same with any number to keep.".to_owned()
        }
        (Edge::Keep, ..) if figures.prune.applied => "Nothing is summarized: pruning was enough.".to_owned(),
        (Edge::Keep, _, VerdictReason::BelowThreshold) => {
            format!("Nothing is summarized: the context is full only above {full} tokens.")
        }
        (Edge::Keep, ..) => "Nothing is summarized at this moment.".to_owned(),
    }
}

/// What a forced compaction does to the retention window; empty if the window is the same as otherwise.
pub(crate) fn forced(figures: &Figures, policy: &Policy) -> String {
    let mut forced = figures.situation;
    forced.force = true;
    forced_words(ebbline::effect::idle(policy, Knob::Keep.path(), forced))
}

/// Why the knob has no effect.
pub fn idle_words(idle: Idle) -> String {
    match idle {
        Idle::StepOff => "No effect: this step is off.".to_owned(),
        Idle::WindowUnknown => {
            "No effect: with a context window of 0, which stands for unknown, the context never counts as full."
                .to_owned()
        }
        Idle::NoUsage => {
            "No effect: this profile triggers on reported usage alone, and the session has none.".to_owned()
        }
        Idle::NotConsulted => "No effect now: a forced compaction ignores the trigger.".to_owned(),
        Idle::OutputLimitInstead(output) => format!(
            "No effect under this profile: it leaves the model's output limit free, {}.",
            grouped(output)
        ),
        Idle::InputLimitInstead(input) => {
            format!("No effect under this profile: it uses the model's input limit, {}.", grouped(input))
        }
        Idle::OutputLimitLarger(output) => {
            format!("No effect up to {}: the model's output limit is always left free.", grouped(output))
        }
        Idle::AtMostOutputLimit(output) => {
            format!(
                "No effect above {}: the model's output limit is the most that is left free.",
                grouped(output)
            )
        }
        Idle::AtFloor(floor) => {
            format!("More has no effect: summarizing never fires below {}.", grouped(floor))
        }
        Idle::KeepsNothing => {
            "No effect under this profile: when it summarizes, it keeps nothing word for word.".to_owned()
        }
        Idle::ForcedKeepsNothing => {
            "No effect now: a forced compaction keeps nothing word for word under this profile.".to_owned()
        }
        Idle::ForcedHalf(half) => format!(
            "No effect above {}: a forced compaction keeps at most half of the history.",
            grouped(half)
        ),
        Idle::ShareIsMost(most) => {
            format!("No effect above {}: this profile keeps no larger share of the threshold.", grouped(most))
        }
        _ => "No effect.".to_owned(),
    }
}

/// What a forced compaction does to the retention window, given why `keep` would have no effect on it; empty if the
/// window is the same as otherwise.
pub fn forced_words(idle: Option<Idle>) -> String {
    match idle {
        Some(Idle::ForcedHalf(half)) => {
            format!("It keeps at most half of the history: {} tokens.", grouped(half))
        }
        Some(Idle::ForcedKeepsNothing) => "It keeps nothing word for word.".to_owned(),
        _ => String::new(),
    }
}

/// What decides at this moment instead of the numbers that protect outputs: where there is too little room, protected outputs
/// are pruned as well.
fn protection(figures: &Figures, policy: &Policy) -> String {
    if figures.prune.reason != VerdictReason::RoomNeeded {
        return String::new();
    }
    format!(
        "More has no effect here: the context has to shrink to {} tokens, so protected outputs are pruned as well, oldest first.",
        grouped(policy.resolved().prune.down_to)
    )
}

#[cfg(test)]
mod tests {
    use ebbline::effect::Situation;

    use super::*;

    /// The knobs without effect on the sample, with their sentences.
    fn said(profile: &str, force: bool) -> Vec<String> {
        let (session, _) = crate::sample::opened();
        let policy = ebbline::profiles::get(profile).unwrap();
        let words = session.plan(&policy, force).said.knobs;
        let both = Knob::ALL.into_iter().zip(words).filter(|(_, said)| !said.idle.is_empty());
        both.map(|(knob, said)| format!("{}: {}", knob.label(), said.idle)).collect()
    }

    #[test]
    fn a_knob_without_effect_says_so() {
        let first = said("ebbline@1", false);
        for sentence in [
            "Reserve: No effect up to 32,000: the model's output limit is always left free.",
            "Keep: Not used here: pruning was enough.",
            "Prune down to: Changes nothing at this moment.",
        ] {
            assert!(first.iter().any(|said| said == sentence), "{sentence}: {first:?}");
        }
        assert!(said("ebbline@2", false).iter().all(|said| !said.starts_with("Protect")));
        let asked = said("ebbline@1", true);
        assert!(
            asked.iter().all(|sentence| !sentence.starts_with("Keep:")),
            "the history is long: {asked:?}"
        );
        for (force, sentences) in [
            (
                false,
                [
                    "Keep: No effect: this profile triggers on reported usage alone, and the session has none.",
                    "Reserve: No effect: this profile triggers on reported usage alone, and the session has none.",
                ],
            ),
            (
                true,
                [
                    "Keep: No effect now: a forced compaction keeps nothing word for word under this profile.",
                    "Reserve: No effect now: a forced compaction ignores the trigger.",
                ],
            ),
        ] {
            let all = said("opencode@2026-01", force);
            assert!(sentences.iter().all(|sentence| all.iter().any(|said| said == sentence)), "{all:?}");
        }
        assert!(
            said("pi@1.5", false).iter().any(|sentence| sentence == "Protect: No effect: this step is off.")
        );
    }

    #[test]
    fn a_forced_compaction_names_the_half_that_it_keeps() {
        let policy = ebbline::profiles::get("ebbline@1").unwrap();
        let mut situation = Situation::default();
        (situation.force, situation.history) = (true, 22_646);
        let idle = ebbline::effect::idle(&policy, "retain.keep", situation).unwrap();
        assert_eq!(forced_words(Some(idle)), "It keeps at most half of the history: 11,323 tokens.");
        assert!(idle_words(idle).starts_with("No effect above 11,323:"));
    }

    /// Where the sentence stands, larger numbers that protect change nothing; where it does not, some do.
    #[test]
    fn where_protected_outputs_give_way_protecting_more_changes_nothing() {
        let (session, _) = crate::sample::opened();
        let (mut said, mut has_effect) = (0, false);
        for window in [16_000, 32_000, 48_000, 64_000, 100_000, 150_000, 200_000] {
            for protect in [0, 1_000, 3_200, 20_000, 60_000] {
                let mut policy = ebbline::profiles::get("ebbline@2").unwrap();
                Knob::Context.set(&mut policy, window);
                Knob::Protect.set(&mut policy, protect);
                let planned = session.plan(&policy, false);
                let more = |knob: Knob, more: u64| {
                    let mut turned = policy.clone();
                    knob.set(&mut turned, knob.value(&policy) + more);
                    session.plan(&turned, false).fates
                };
                let others =
                    [(Knob::Protect, 500), (Knob::Protect, 90_000), (Knob::Turns, 1), (Knob::Turns, 4)];
                let protection = protection(&planned.figures, &policy);
                if protection.is_empty() {
                    has_effect |= others.iter().any(|(knob, by)| more(*knob, *by) != planned.fates);
                    continue;
                }
                said += 1;
                assert!(protection.contains(&grouped(policy.resolved().prune.down_to)), "{protection}");
                for (knob, said) in Knob::ALL.into_iter().zip(&planned.said.knobs) {
                    assert_eq!(
                        said.idle == protection,
                        matches!(knob, Knob::Protect | Knob::Turns),
                        "{knob:?}"
                    );
                }
                for (knob, by) in others {
                    assert_eq!(more(knob, by), planned.fates, "{window} {protect} {knob:?} {by}");
                }
            }
        }
        assert!(said > 5 && has_effect, "{said}");
    }
}
