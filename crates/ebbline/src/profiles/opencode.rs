//! OpenCode, the shipping 1.x line.

use super::Profile;
use crate::estimate::{CountCalls, Estimator, Rounding};
use crate::policy::{Comparison, Cut, Model, Policy, PrunePolicy, RetainPolicy, Snap, TriggerPolicy};
use crate::prune::PLACEHOLDER;

/// OpenCode at commit 8d720f94, 2026-01-15 (systems.md, sections 2.2 and 2.4).
pub(super) const V2026_01: Profile = Profile {
    name: "opencode@2026-01",
    about: "OpenCode, January 2026: prunes beyond 40,000 tokens of output, spares the newest two turns and skills.",
    policy,
};

fn policy() -> Policy {
    Policy {
        profile: String::new(),
        model: Model::default(),
        // `Token.estimate`: max(0, Math.round(length / 4)) of one text.
        estimator: Estimator {
            rounding: Rounding::Nearest,
            calls: CountCalls::Arguments,
            image: None,
            ..Estimator::default()
        },
        prune: PrunePolicy {
            enabled: true,
            protect: 40_000,
            minimum: 20_000,
            minimum_is: Comparison::Above,
            minimum_turns: 0,
            protected_turns: 2,
            // A compaction marker and the synthetic "Continue" are messages of role user, and that is counted.
            count_synthetic_turns: true,
            protected_tools: vec!["skill".to_owned()],
            errors: false,
            short_outputs: true,
            stop_at_summary: true,
            stop_at_pruned: true,
            placeholder: PLACEHOLDER.to_owned(),
        },
        // This version summarises everything and keeps nothing; that comes with the profile's other half.
        retain: RetainPolicy {
            enabled: false,
            keep: 20_000,
            snap: Snap::Older,
            cut: Cut::BeforeTurn,
            forced_keeps_nothing: true,
            summary_allowance: 2_000,
        },
        trigger: TriggerPolicy { reserve: 32_000, less_keep: false, fires: Comparison::Above },
    }
}
