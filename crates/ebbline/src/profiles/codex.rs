//! Codex CLI, where it compacts by itself (`core/src/compact.rs`). With a model of `OpenAI` the server does it: what it keeps
//! beside the user's messages is encrypted.

use super::profile::summarizing_all;
use super::{Decides, Profile};
use crate::length::Unit;
use crate::policy::{Policy, Share};

/// Codex 0.171 (npm `@openai/codex`), November 2026.
pub(super) const V0_171: Profile = Profile {
    name: "codex@0.171",
    about: "Codex 0.171, November 2026: fires at 90% of the window, and keeps the user's messages, up to 20,000 tokens.",
    decides: Decides::BEFORE_REQUESTS,
    policy,
};

fn policy() -> Policy {
    let mut policy = summarizing_all();
    // `ceil(bytes / 4)`; an image counts as 7,373 bytes.
    (policy.estimator.unit, policy.estimator.image) = (Unit::Bytes, Some(7_373));
    policy.retain.user_words = 20_000;
    policy.trigger.reserve = 20_000;
    // The path is a knob: this cannot fail, and a test turns it. An output is cut once, when it is recorded: nothing is pruned.
    let _ = policy.set_share("trigger.reserve", Share::percent(10));
    policy
}
