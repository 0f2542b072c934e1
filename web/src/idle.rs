//! Why a knob has no effect, as one sentence beside it.

use ebbline::Policy;
use ebbline::effect::Idle;
use ebbline::plan::VerdictReason;

use crate::figures::Figures;
use crate::knob::Knob;
use ebbline::numbers::grouped;

/// Why `knob` has no effect on the plan with these figures; empty if it has one.
pub(crate) fn said(knob: Knob, figures: &Figures, policy: &Policy) -> String {
    match ebbline::effect::idle(policy, knob.path(), figures.situation) {
        Some(idle) => idle_words(idle),
        None if matches!(knob, Knob::Protect | Knob::Turns) => protection(figures, policy),
        None => String::new(),
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
        let both = Knob::ALL.into_iter().zip(words).filter(|(_, [_, idle])| !idle.is_empty());
        both.map(|(knob, [_, idle])| format!("{}: {idle}", knob.label())).collect()
    }

    #[test]
    fn a_knob_without_effect_says_so() {
        assert_eq!(
            said("ebbline@1", false),
            ["Reserve: No effect up to 32,000: the model's output limit is always left free."]
        );
        assert_eq!(said("ebbline@2", false), [""; 0]);
        let asked = said("ebbline@1", true);
        assert!(asked.iter().all(|sentence| !sentence.starts_with("Keep")), "the history is long: {asked:?}");
        assert_eq!(
            said("opencode@2026-01", false),
            [
                "Keep: No effect: this profile triggers on reported usage alone, and the session has none.",
                "Reserve: No effect: this profile triggers on reported usage alone, and the session has none."
            ]
        );
        assert_eq!(
            said("opencode@2026-01", true),
            [
                "Keep: No effect now: a forced compaction keeps nothing word for word under this profile.",
                "Reserve: No effect now: a forced compaction ignores the trigger."
            ]
        );
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
                for (knob, [_, idle]) in Knob::ALL.into_iter().zip(&planned.said.knobs) {
                    assert_eq!(*idle == protection, matches!(knob, Knob::Protect | Knob::Turns), "{knob:?}");
                }
                for (knob, by) in others {
                    assert_eq!(more(knob, by), planned.fates, "{window} {protect} {knob:?} {by}");
                }
            }
        }
        assert!(said > 5 && has_effect, "{said}");
    }
}
