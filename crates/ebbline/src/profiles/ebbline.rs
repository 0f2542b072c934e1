//! ebbline's own profile: the rules that we consider right where the systems disagree or have faults.

use super::{Decides, Profile};
use crate::length::Unit;
use crate::length::classes::TOKEN;
use crate::policy::Estimator;
use crate::policy::{
    Comparison, Cut, Fill, Limit, Measure, Policy, PrunePolicy, RetainPolicy, Share, Snap, TriggerPolicy,
};

/// What remains of an output under the third version.
const THIRD_PLACEHOLDER: &str =
    "[Old tool result content cleared: {tool} {argument}, {size} characters{outcome}]";

/// The first version. Thresholds are shares of the context window: the figures beside them hold where the window is not
/// known.
pub(super) const V1: Profile = Profile {
    name: "ebbline@1",
    about: "Our own, the first: prunes behind 20% of the window but never in the newest two turns, then keeps the newest 10% word for word.",
    decides: Decides::BEFORE_REQUESTS,
    policy,
};

/// The second version: prunes only when the context is full, then deeply, and summarizes only if that is
/// not enough. docs/defaults.md has the figures for which it was chosen.
pub(super) const V2: Profile = Profile {
    name: "ebbline@2",
    about: "Our own, the second: as the third, but it waits until the window is 85% full, and names nothing.",
    decides: Decides::BEFORE_REQUESTS,
    policy: second,
};

/// The third version, and the default: where the provider's cache is cold, a prune does not wait, and a placeholder names what stood only there.
/// docs/defaults.md has the figures for which it was chosen.
pub(super) const V3: Profile = Profile {
    name: "ebbline@3",
    about: "Our own: nothing changes until the window is 85% full, or the provider's cache is cold; then outputs behind the newest 10% are pruned, newer ones only to get down to 40%, and a summary is made only if that is not enough. What leaves says what it was and names what stood only there (paths, ids, error codes).",
    decides: Decides::BEFORE_REQUESTS,
    policy: third,
};

fn policy() -> Policy {
    with_shares(
        figures(),
        &[("prune.protect", 20), ("prune.minimum", 10), ("retain.keep", 10), ("trigger.floor", 50)],
    )
}

fn second() -> Policy {
    let mut policy = figures();
    policy.estimator.unit = Unit::ClassesOfJson;
    // An output limit counts if it is known, whatever its size; none is assumed.
    policy.model.output = None;
    policy.trigger.output_cap = 0;
    (policy.prune.only_when_full, policy.prune.down_to) = (true, 80_000);
    policy.retain.user_words = 8_000;
    policy.prune.preview = 50_000;
    with_shares(
        policy,
        &[
            ("prune.protect", 10),
            ("prune.minimum", 10),
            ("prune.downTo", 40),
            ("prune.preview", 25),
            ("retain.keep", 10),
            ("retain.userWords", 4),
            ("trigger.reserve", 15),
            ("trigger.floor", 75),
            ("trigger.floorBelow", 25),
        ],
    )
}

fn third() -> Policy {
    let mut policy = second();
    policy.prune.cold_after = 300_000;
    (policy.prune.names, policy.retain.names) = (160, 400);
    THIRD_PLACEHOLDER.clone_into(&mut policy.prune.placeholder);
    policy
}

fn with_shares(mut policy: Policy, shares: &[(&str, u8)]) -> Policy {
    for (path, percent) in shares {
        // The paths are knobs: this cannot fail, and a test turns each.
        let _ = policy.set_share(path, Share::percent(*percent));
    }
    policy
}

fn figures() -> Policy {
    Policy {
        // Text by the kinds of its characters, corrected by what the provider reports; an image as 1,200 tokens.
        estimator: Estimator {
            unit: Unit::Classes,
            per_token: TOKEN,
            image: Some(1_200 * TOKEN),
            calibrate: true,
            ..Estimator::default()
        },
        prune: PrunePolicy {
            enabled: true,
            protected_tools: vec!["skill".to_owned()],
            reference: true,
            ..PrunePolicy::none()
        },
        retain: RetainPolicy {
            enabled: true,
            keep: 20_000,
            fill: Fill::AtLeast,
            turns: 0,
            snap: Snap::Nearest,
            cut: Cut::Anywhere,
            keep_share: None,
            keep_floor: 0,
            summarize_all_that_fits: false,
            forced_keeps_nothing: false,
            summary_allowance: 2_000,
            user_words: 0,
            names: 0,
        },
        trigger: TriggerPolicy {
            enabled: true,
            measure: Measure::Anchored,
            limit: Limit::SmallerOfBoth,
            // An answer of that length fits even where the model's own limit is not known.
            reserve: 32_000,
            reserve_within_output: false,
            output_cap: 32_000,
            less_keep: false,
            floor: 0,
            floor_below: 0,
            fires: Comparison::Above,
        },
        ..Policy::default()
    }
}
