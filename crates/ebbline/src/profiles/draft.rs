//! `ebbline@0`: what is used until our own profile, `ebbline@1`, is worked out. Its numbers may still change.

use super::Profile;
use crate::estimate::Estimator;
use crate::policy::{Comparison, Cut, Model, Policy, PrunePolicy, RetainPolicy, Snap, TriggerPolicy};
use crate::prune::PLACEHOLDER;

pub(super) const EBBLINE_0: Profile = Profile {
    name: "ebbline@0",
    about: "Draft of our own: prune like OpenCode, then keep a window that parts no call from its result.",
    policy,
};

fn policy() -> Policy {
    Policy {
        profile: String::new(),
        model: Model::default(),
        estimator: Estimator::default(),
        prune: PrunePolicy {
            enabled: true,
            protect: 40_000,
            minimum: 20_000,
            minimum_is: Comparison::AtLeast,
            minimum_turns: 0,
            protected_turns: 2,
            count_synthetic_turns: false,
            protected_tools: vec!["skill".to_owned()],
            errors: false,
            short_outputs: false,
            stop_at_summary: false,
            stop_at_pruned: false,
            placeholder: PLACEHOLDER.to_owned(),
        },
        retain: RetainPolicy {
            enabled: true,
            keep: 20_000,
            snap: Snap::Older,
            cut: Cut::Anywhere,
            forced_keeps_nothing: false,
            summary_allowance: 2_000,
        },
        trigger: TriggerPolicy { reserve: 16_384, less_keep: false, fires: Comparison::Above },
    }
}
