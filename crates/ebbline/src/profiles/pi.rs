//! pi (pi-mono), the reference for threshold and overflow compaction. It prunes nothing.

use super::{Decides, Profile};
use crate::policy::{
    Comparison, Cut, Fill, Limit, Measure, Policy, PrunePolicy, RetainPolicy, Snap, TriggerPolicy,
};
use crate::policy::{CountCalls, Estimator, Rounding, Scope};

/// pi 0.58.3 (npm `@mariozechner/pi-coding-agent`), March 2026.
pub(super) const V0_58: Profile = Profile {
    name: "pi@0.58",
    about: "pi 0.58.3, March 2026: fires 16,384 tokens below the window, keeps the newest 20,000, may cut inside a turn.",
    decides: Decides::BETWEEN_RUNS,
    policy: until_0_85,
};

/// pi 0.84.2, August 2026.
pub(super) const V0_84: Profile = Profile {
    name: "pi@0.84",
    about: "pi 0.84.2, August 2026: as 0.58, but what one compaction kept is summarized by the next.",
    decides: Decides::BETWEEN_RUNS,
    policy: until_0_85,
};

/// pi 1.5.2, November 2026.
pub(super) const V1_5: Profile = Profile {
    name: "pi@1.5",
    about: "pi 1.5.2, November 2026: as 0.84, but trailing tool results no longer keep it from compacting.",
    decides: Decides::AFTER_ANSWERS,
    policy: since_0_86,
};

fn since_0_86() -> Policy {
    Policy {
        // `estimateTokens`: ceil(chars / 4) of a message; 4,800 characters an image; arguments as `JSON.stringify`.
        estimator: Estimator {
            rounding: Rounding::Ceil,
            rounded: Scope::Message,
            calls: CountCalls::NameAndArguments,
            image: Some(4_800),
            native_notation: true,
            ..Estimator::default()
        },
        prune: PrunePolicy::none(),
        retain: RetainPolicy {
            enabled: true,
            keep: 20_000,
            fill: Fill::AtLeast,
            turns: 0,
            snap: Snap::NewerOrLast,
            cut: Cut::BeforeMessage,
            ..RetainPolicy::none()
        },
        trigger: TriggerPolicy {
            measure: Measure::Anchored,
            limit: Limit::LessReserve,
            reserve: 16_384,
            fires: Comparison::Above,
            ..TriggerPolicy::default()
        },
        ..Policy::default()
    }
}

fn until_0_85() -> Policy {
    let newest = since_0_86();
    Policy { retain: RetainPolicy { snap: Snap::Newer, ..newest.retain }, ..newest }
}
