//! OpenCode: the released 1.x line, the event-based core (v2), and BRUTUS, a specification that follows the 1.x
//! line.

use super::{Decides, Profile};
use crate::length::Unit;
use crate::policy::{
    Comparison, Cut, Fill, Limit, Measure, Policy, PrunePolicy, RetainPolicy, Share, Snap, TriggerPolicy,
};
use crate::policy::{CountCalls, Estimator, Rounding};

/// OpenCode at commit 48dc520f, 2025-12-04.
pub(super) const V2025_12: Profile = Profile {
    name: "opencode@2025-12",
    about: "OpenCode, December 2025: prunes beyond 40,000 tokens of output but for the newest two turns; summarizes everything.",
    decides: Decides::PRUNE_AFTER_RUNS,
    policy: december,
};

/// OpenCode at commit 8d720f94, 2026-01-15.
pub(super) const V2026_01: Profile = Profile {
    name: "opencode@2026-01",
    about: "OpenCode, January 2026: prunes beyond 40,000 tokens of output, spares the newest two turns and skills.",
    decides: Decides::PRUNE_AFTER_RUNS,
    policy: january,
};

/// OpenCode at commit e6c45134, 2026-06-25.
pub(super) const V2026_06: Profile = Profile {
    name: "opencode@2026-06",
    about: "OpenCode, June 2026: prunes only if told to; keeps the newest two turns within 2,000 to 8,000 tokens.",
    decides: Decides::PRUNE_AFTER_RUNS,
    policy: june,
};

/// OpenCode's event-based core at commit e6c45134, 2026-06-25: `packages/core`, `session/compaction.ts`.
pub(super) const CORE_2026_06: Profile = Profile {
    name: "opencode-v2@2026-06",
    about: "OpenCode v2, June 2026: fires 20,000 tokens below the window, keeps the newest 8,000 as text.",
    decides: Decides::BEFORE_REQUESTS,
    policy: core_june,
};

/// The same core at commit 031a4a9c, undated.
pub(super) const CORE_LATER: Profile = Profile {
    name: "opencode-v2@later",
    about: "OpenCode v2, a later state: measured by reported usage, keeps the newest 15,000 back to a user's message.",
    decides: Decides::BEFORE_REQUESTS,
    policy: core_later,
};

/// BRUTUS, the specification at commit 68d26b20, 2026-01-17. It has no code.
pub(super) const BRUTUS: Profile = Profile {
    name: "brutus@2026-01",
    about: "BRUTUS, January 2026, a specification: OpenCode's rules of that month over bytes, rounded up.",
    decides: Decides::PRUNE_AFTER_RUNS,
    policy: brutus,
};

fn january() -> Policy {
    Policy {
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
            ..PrunePolicy::none()
        },
        // Everything is summarized and nothing kept.
        retain: RetainPolicy {
            enabled: true,
            keep: 0,
            cut: Cut::AtEnd,
            forced_keeps_nothing: true,
            summarize_all_that_fits: true,
            ..RetainPolicy::none()
        },
        trigger: TriggerPolicy {
            measure: Measure::Reported,
            limit: Limit::InputElseLessOutput,
            reserve: 0,
            output_cap: 32_000,
            fires: Comparison::Above,
            ..TriggerPolicy::default()
        },
        ..Policy::default()
    }
}

fn december() -> Policy {
    let january = january();
    Policy {
        // Skills are protected since 2025-12-22, input limits looked at since 2026-01-15.
        prune: PrunePolicy { protected_tools: Vec::new(), ..january.prune },
        trigger: TriggerPolicy { limit: Limit::LessOutput, ..january.trigger },
        ..january
    }
}

fn june() -> Policy {
    let january = january();
    Policy {
        // The default was turned to off on 2026-04-19.
        prune: PrunePolicy { enabled: false, ..january.prune },
        retain: RetainPolicy {
            keep: 8_000,
            fill: Fill::AtMost,
            turns: 2,
            snap: Snap::Newer,
            cut: Cut::Anywhere,
            keep_share: Share::parse("25%"),
            keep_floor: 2_000,
            forced_keeps_nothing: false,
            ..january.retain
        },
        trigger: TriggerPolicy {
            limit: Limit::InputLessReserveElseLessOutput,
            reserve: 20_000,
            reserve_within_output: true,
            fires: Comparison::AtLeast,
            ..january.trigger
        },
        ..january
    }
}

fn core_june() -> Policy {
    let january = january();
    Policy {
        prune: PrunePolicy::none(),
        retain: RetainPolicy {
            enabled: true,
            keep: 8_000,
            fill: Fill::AtMost,
            snap: Snap::Newer,
            cut: Cut::Anywhere,
            ..RetainPolicy::none()
        },
        trigger: TriggerPolicy {
            measure: Measure::Estimate,
            limit: Limit::LessLarger,
            reserve: 20_000,
            fires: Comparison::Above,
            ..TriggerPolicy::default()
        },
        ..january
    }
}

fn core_later() -> Policy {
    let june = core_june();
    Policy {
        // 1,500 tokens an image.
        estimator: Estimator { image: Some(6_000), ..june.estimator },
        retain: RetainPolicy { keep: 15_000, snap: Snap::Older, cut: Cut::BeforeTurn, ..june.retain },
        trigger: TriggerPolicy {
            measure: Measure::Anchored,
            limit: Limit::SmallerOfBoth,
            output_cap: 32_000,
            fires: Comparison::AtLeast,
            ..june.trigger
        },
        ..june
    }
}

fn brutus() -> Policy {
    let january = january();
    Policy {
        estimator: Estimator { unit: Unit::Bytes, rounding: Rounding::Ceil, ..january.estimator },
        ..january
    }
}
