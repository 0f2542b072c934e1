//! pi (pi-mono), the reference for threshold and overflow compaction. It prunes nothing.

use super::{Decides, Profile};
use crate::policy::{Cut, Measure, Policy, Scope, Snap};

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

#[inline(never)]
fn since_0_86() -> Policy {
    let mut policy = Policy::default();
    // `estimateTokens`: ceil(chars / 4) of a message; 4,800 characters an image; arguments as `JSON.stringify`.
    (policy.estimator.rounded, policy.estimator.native_notation) = (Scope::Message, true);
    (policy.retain.enabled, policy.retain.snap, policy.retain.cut) =
        (true, Snap::NewerOrLast, Cut::BeforeMessage);
    policy.trigger.measure = Measure::Anchored;
    policy
}

fn until_0_85() -> Policy {
    let mut policy = since_0_86();
    policy.retain.snap = Snap::Newer;
    policy
}
