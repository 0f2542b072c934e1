//! Gemini CLI (`@google/gemini-cli-core`): it masks old outputs before each request, and compresses a context that is half full.

use super::profile::summarizing_all;
use super::{Decides, Profile};
use crate::policy::{Cut, Fill, Measure, Policy, Rounding, Share, Snap};

/// Gemini CLI 0.61.0, November 2026.
pub(super) const V0_61: Profile = Profile {
    name: "gemini-cli@0.61",
    about: "Gemini CLI 0.61, November 2026: prunes beyond 50,000 tokens of output, fires at half of the window, keeps the newest 30%.",
    decides: Decides::BEFORE_REQUESTS,
    policy,
};

/// `EXEMPT_TOOLS` of `ToolOutputMaskingService`.
const EXEMPT: [&str; 4] = ["activate_skill", "ask_user", "enter_plan_mode", "exit_plan_mode"];

fn policy() -> Policy {
    let mut policy = summarizing_all();
    // `estimateTokenCountSync`: a fourth of a token for each ASCII character, 3,000 tokens an image.
    (policy.estimator.rounding, policy.estimator.image) = (Rounding::Floor, Some(12_000));
    // `ToolOutputMaskingService.mask`.
    (policy.prune.enabled, policy.prune.errors, policy.prune.protected_turns) = (true, true, 0);
    (policy.prune.protect, policy.prune.minimum) = (50_000, 30_000);
    policy.prune.protected_tools = EXEMPT.map(str::to_owned).to_vec();
    // `findCompressSplitPoint` of `ChatCompressionService`: the first turn behind 70% of the history.
    (policy.retain.keep, policy.retain.keep_share) = (1_000_000, Some(Share::percent(30)));
    (policy.retain.fill, policy.retain.snap, policy.retain.cut) =
        (Fill::AtMost, Snap::NewerOrLast, Cut::BeforeTurn);
    (policy.retain.summarize_all_that_fits, policy.retain.forced_keeps_nothing) = (false, false);
    (policy.trigger.measure, policy.trigger.reserve) = (Measure::Reported, 100_000);
    // The path is a knob: this cannot fail, and a test turns it.
    let _ = policy.set_share("trigger.reserve", Share::percent(50));
    policy
}
