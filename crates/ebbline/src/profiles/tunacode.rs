//! TunaCode: the prune of early 2026, and the controller that replaced it.

use super::{Decides, Profile};
use crate::length::Unit;
use crate::policy::{CountCalls, Cut, Policy, Rounding, Scope};

/// TunaCode at commit 41ae26a, 2026-01-20.
pub(super) const V2026_01: Profile = Profile {
    name: "tunacode@2026-01",
    about: "TunaCode, January 2026: prunes beyond 40,000 tokens of output, even the newest turn's.",
    decides: Decides::BEFORE_REQUESTS,
    policy: standard,
};

/// The same with `local_mode`, for models with small windows.
pub(super) const V2026_01_LOCAL: Profile = Profile {
    name: "tunacode@2026-01/local",
    about: "TunaCode, January 2026, local mode: protects 2,000 tokens of output, prunes from 500.",
    decides: Decides::BEFORE_REQUESTS,
    policy: local,
};

/// TunaCode before commit 3f8dea1a, February 2026: the optimized prune. It clears the same outputs. It also reports less than
/// it reclaims: that figure is an answer of `ebbline-compat`, because it changes nothing that is decided.
pub(super) const V2026_02: Profile = Profile {
    name: "tunacode@2026-02",
    about: "TunaCode, February 2026: prunes as in January.",
    decides: Decides::BEFORE_REQUESTS,
    policy: standard,
};

/// TunaCode 0.2.3, June 2026: the controller `CompactionController`.
///
/// Its constructor refuses a negative reserve, its `should_compact` takes one as an argument. The profile does as the latter:
/// a negative `trigger.reserve` moves the threshold up.
pub(super) const V0_2: Profile = Profile {
    name: "tunacode@0.2",
    about: "TunaCode 0.2.3, June 2026, the newest: keeps a window of 20,000 tokens, snapped to an older message, and summarizes the rest.",
    decides: Decides::BEFORE_REQUESTS,
    policy: controller,
};

fn standard() -> Policy {
    pruning(40_000, 20_000)
}

fn local() -> Policy {
    pruning(2_000, 500)
}

fn pruning(protect: u64, minimum: u64) -> Policy {
    let mut policy = controller();
    // `len(content) // 4` of each tool return; of what is no string, of its `repr`.
    (policy.estimator.rounded, policy.estimator.separator) = (Scope::Part, 0);
    (policy.estimator.calls, policy.estimator.native_notation) = (CountCalls::Arguments, true);
    (policy.prune.enabled, policy.prune.protect, policy.prune.minimum) = (true, protect, minimum);
    policy.retain.enabled = false;
    policy
}

#[inline(never)]
fn controller() -> Policy {
    let mut policy = Policy::default();
    // `len // 4` of text, thinking and image URLs joined by spaces; arguments count nothing.
    (policy.estimator.unit, policy.estimator.rounding) = (Unit::CodePoints, Rounding::Floor);
    (policy.estimator.rounded, policy.estimator.separator) = (Scope::Message, 1);
    (policy.estimator.calls, policy.estimator.image) = (CountCalls::Nothing, None);
    (policy.prune.minimum_turns, policy.prune.protected_turns) = (2, 0);
    (policy.prune.count_synthetic_turns, policy.prune.short_outputs) = (true, true);
    (policy.retain.enabled, policy.retain.cut) = (true, Cut::AfterEndedMessage);
    policy.retain.forced_keeps_nothing = true;
    policy.trigger.less_keep = true;
    policy
}

#[cfg(test)]
mod tests {
    use crate::transcript::Transcript;
    use crate::{PlanOptions, plan, profiles};

    #[test]
    fn a_negative_reserve_moves_the_threshold_up() {
        let mut policy = profiles::get("tunacode@0.2").unwrap();
        policy.set("model.context", "1000").unwrap();
        policy.set("retain.keep", "500").unwrap();
        for (reserve, threshold) in [("0", 500), ("-1000", 1_500), ("2000", 0)] {
            policy.set("trigger.reserve", reserve).unwrap();
            let trigger = plan(&Transcript::default(), &policy, PlanOptions::default()).decision.trigger;
            assert_eq!(trigger.threshold, threshold, "{reserve}");
        }
    }
}
