//! Why a knob has no effect, in one sentence beside it.

use ebbline::effect::Idle;

use crate::number::grouped;

/// The sentence.
#[must_use]
pub fn idle_words(idle: Idle) -> String {
    match idle {
        Idle::StepOff => "No effect: this step is off.".to_owned(),
        Idle::WindowUnknown => {
            "No effect: with a context window of 0, which stands for unknown, summarising never fires."
                .to_owned()
        }
        Idle::NoUsage => {
            "No effect: summarising goes by reported usage alone here, and the session has none.".to_owned()
        }
        Idle::NotConsulted => "No effect now: compaction is asked for, whatever is left free.".to_owned(),
        Idle::OutputLimitInstead(output) => format!(
            "No effect under this profile: it leaves the model's output limit free, {}.",
            grouped(output)
        ),
        Idle::InputLimitInstead(input) => {
            format!("No effect under this profile: it goes by the model's input limit, {}.", grouped(input))
        }
        Idle::OutputLimitLarger(output) => {
            format!("No effect up to {}: the model's output limit is left free in any case.", grouped(output))
        }
        Idle::AtMostOutputLimit(output) => {
            format!("Counts up to the model's output limit only, {}.", grouped(output))
        }
        Idle::AtFloor(floor) => {
            format!("More has no effect: summarising never fires below {}.", grouped(floor))
        }
        Idle::KeepsNothing => {
            "No effect under this profile: when it summarises, it keeps nothing word for word.".to_owned()
        }
        Idle::ForcedKeepsNothing => {
            "No effect now: when compaction is asked for, this profile keeps nothing word for word."
                .to_owned()
        }
        Idle::ForcedHalf(half) => format!(
            "No effect above {}: when compaction is asked for, at most half of the history is kept.",
            grouped(half)
        ),
        Idle::ShareIsMost(most) => {
            format!("No effect above {}: this profile keeps no larger share of the threshold.", grouped(most))
        }
    }
}

/// What asking for compaction does to the window that is kept, given why `keep` would have no effect then; empty when
/// it keeps what it does otherwise.
#[must_use]
pub fn asked_words(idle: Option<Idle>) -> String {
    match idle {
        Some(Idle::ForcedHalf(half)) => {
            format!("At most half of the history is kept then: {} tokens.", grouped(half))
        }
        Some(Idle::ForcedKeepsNothing) => "Nothing is kept word for word then.".to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::effect::Situation;

    use crate::knob::Knob;

    /// The knobs without effect on the sample, with their sentences.
    fn said(profile: &str, force: bool) -> Vec<String> {
        let (desk, _) = crate::desk::Desk::of_sample();
        let policy = ebbline::profiles::get(profile).unwrap();
        let situation = desk.plan(&policy, force).head.situation;
        let silent = |knob: Knob| Some((knob, ebbline::effect::idle(&policy, knob.path(), situation)?));
        Knob::ALL
            .into_iter()
            .filter_map(silent)
            .map(|(knob, idle)| format!("{}: {}", knob.label(), idle_words(idle)))
            .collect()
    }

    #[test]
    fn a_knob_without_effect_says_so() {
        assert_eq!(
            said("ebbline@1", false),
            ["Reserve: No effect up to 32,000: the model's output limit is left free in any case."]
        );
        let asked = said("ebbline@1", true);
        assert!(asked.iter().all(|sentence| !sentence.starts_with("Keep")), "the history is long: {asked:?}");
        assert_eq!(
            said("opencode@2026-01", false),
            [
                "Keep: No effect: summarising goes by reported usage alone here, and the session has none.",
                "Reserve: No effect: summarising goes by reported usage alone here, and the session has none."
            ]
        );
        assert_eq!(
            said("opencode@2026-01", true),
            [
                "Keep: No effect now: when compaction is asked for, this profile keeps nothing word for word.",
                "Reserve: No effect now: compaction is asked for, whatever is left free."
            ]
        );
        assert!(
            said("pi@1.5", false).iter().any(|sentence| sentence == "Protect: No effect: this step is off.")
        );
    }

    #[test]
    fn what_is_halved_when_asked_for_is_said() {
        let policy = ebbline::profiles::get("ebbline@1").unwrap();
        let situation = Situation { force: true, source: ebbline::plan::Source::Estimate, history: 22_646 };
        let idle = ebbline::effect::idle(&policy, "retain.keep", situation).unwrap();
        assert_eq!(asked_words(Some(idle)), "At most half of the history is kept then: 11,323 tokens.");
        assert!(idle_words(idle).starts_with("No effect above 11,323:"));
    }
}
