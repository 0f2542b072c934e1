//! OpenCode: the released 1.x line, the event-based core (v2), and BRUTUS, a specification that follows the 1.x
//! line.

use super::{Decides, Profile};
use crate::length::Unit;
use crate::policy::{Comparison, CountCalls, Cut, Fill, Limit, Measure, Policy, Rounding, Share, Snap};

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

#[inline(never)]
fn january() -> Policy {
    let mut policy = Policy::default();
    // `Token.estimate`: max(0, Math.round(length / 4)) of one text.
    (policy.estimator.rounding, policy.estimator.calls) = (Rounding::Nearest, CountCalls::Arguments);
    policy.estimator.image = None;
    policy.prune.enabled = true;
    policy.prune.minimum_is = Comparison::Above;
    // A compaction marker and the synthetic "Continue" are messages of role user, and that is counted.
    policy.prune.count_synthetic_turns = true;
    policy.prune.protected_tools.push("skill".to_owned());
    policy.prune.short_outputs = true;
    (policy.prune.stop_at_summary, policy.prune.stop_at_pruned) = (true, true);
    // Everything is summarized and nothing kept.
    (policy.retain.enabled, policy.retain.keep, policy.retain.cut) = (true, 0, Cut::AtEnd);
    (policy.retain.forced_keeps_nothing, policy.retain.summarize_all_that_fits) = (true, true);
    (policy.trigger.measure, policy.trigger.limit) = (Measure::Reported, Limit::InputElseLessOutput);
    (policy.trigger.reserve, policy.trigger.output_cap) = (0, 32_000);
    policy
}

fn december() -> Policy {
    let mut policy = january();
    // Skills are protected since 2025-12-22, input limits looked at since 2026-01-15.
    policy.prune.protected_tools.clear();
    policy.trigger.limit = Limit::LessOutput;
    policy
}

fn june() -> Policy {
    let mut policy = january();
    // The default was turned to off on 2026-04-19.
    policy.prune.enabled = false;
    (policy.retain.keep, policy.retain.turns) = (8_000, 2);
    (policy.retain.fill, policy.retain.snap, policy.retain.cut) = (Fill::AtMost, Snap::Newer, Cut::Anywhere);
    (policy.retain.keep_share, policy.retain.keep_floor) = (Share::parse("25%"), 2_000);
    policy.retain.forced_keeps_nothing = false;
    policy.trigger.limit = Limit::InputLessReserveElseLessOutput;
    (policy.trigger.reserve, policy.trigger.reserve_within_output) = (20_000, true);
    policy.trigger.fires = Comparison::AtLeast;
    policy
}

fn core_june() -> Policy {
    let mut policy = Policy { estimator: january().estimator, ..Policy::default() };
    (policy.retain.enabled, policy.retain.keep) = (true, 8_000);
    (policy.retain.fill, policy.retain.snap, policy.retain.cut) = (Fill::AtMost, Snap::Newer, Cut::Anywhere);
    (policy.trigger.limit, policy.trigger.reserve) = (Limit::LessLarger, 20_000);
    policy
}

fn core_later() -> Policy {
    let mut policy = core_june();
    // 1,500 tokens an image.
    policy.estimator.image = Some(6_000);
    (policy.retain.keep, policy.retain.snap, policy.retain.cut) = (15_000, Snap::Older, Cut::BeforeTurn);
    (policy.trigger.measure, policy.trigger.limit) = (Measure::Anchored, Limit::SmallerOfBoth);
    (policy.trigger.output_cap, policy.trigger.fires) = (32_000, Comparison::AtLeast);
    policy
}

fn brutus() -> Policy {
    let mut policy = january();
    (policy.estimator.unit, policy.estimator.rounding) = (Unit::Bytes, Rounding::Ceil);
    policy
}
