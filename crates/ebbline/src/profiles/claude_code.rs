//! Claude Code. The program is closed: its figures are read in the published program and in recorded sessions.

use super::profile::summarizing_all;
use super::{Decides, Profile};
use crate::policy::{Policy, Rounding};

/// Claude Code 2.1.332 (npm `@anthropic-ai/claude-code`), November 2026.
pub(super) const V2_1: Profile = Profile {
    name: "claude-code@2.1",
    about: "Claude Code 2.1, November 2026: fires 33,000 tokens below the window, and keeps nothing.",
    decides: Decides::BEFORE_REQUESTS,
    policy,
};

fn policy() -> Policy {
    let mut policy = summarizing_all();
    // A text is a fourth of its length, and an image 2,000 tokens.
    (policy.estimator.rounding, policy.estimator.image) = (Rounding::Nearest, Some(8_000));
    // The output limit, but at most 20,000, which every model of it has; and 13,000 more.
    policy.trigger.reserve = 33_000;
    // Of the summary alone. What it reads again afterwards (up to five files) is in no policy.
    policy.retain.summary_allowance = 3_500;
    // It clears old outputs by switches that the server sets, which no file says: nothing is pruned.
    policy
}
