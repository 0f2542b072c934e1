//! Reads OpenCode's `opencode.json`, and the settings documents of its event-based core.

use std::num::NonZeroU64;

use super::{Group, Surroundings, put};
use crate::error::Error;
use crate::json::Document;
use crate::policy::Policy;

pub(super) fn policy(
    mut policy: Policy,
    settings: &Group<'_>,
    surroundings: &Surroundings<'_>,
) -> Result<Policy, Error> {
    let compaction = settings.group("compaction")?;
    put(&mut policy.trigger.enabled, compaction.flag("auto")?);
    put(&mut policy.prune.enabled, compaction.flag("prune")?);
    // The window and its budget were added in April 2026; earlier versions have neither.
    if policy.profile == "opencode@2026-06" {
        put(&mut policy.retain.turns, compaction.amount("tail_turns")?);
        if policy.retain.turns == 0 {
            policy.retain.keep = 0;
        }
        if let Some(keep) = compaction.amount("preserve_recent_tokens")? {
            (policy.retain.keep, policy.retain.keep_share) = (keep, None);
        }
        if let Some(reserve) = compaction.reserve("reserved")? {
            (policy.trigger.reserve, policy.trigger.reserve_within_output) = (reserve, false);
        }
    }
    if let Some((provider, model)) = surroundings.model.and_then(|name| name.split_once('/')) {
        let models = settings.group("provider")?.group(provider)?.group("models")?;
        let limit = models.group(model)?.group("limit")?;
        put(&mut policy.model.context, limit.amount("context")?.map(NonZeroU64::new));
        put(&mut policy.model.output, limit.amount("output")?.map(NonZeroU64::new));
        put(&mut policy.model.input, limit.amount("input")?.map(NonZeroU64::new));
    }
    let is_set = |name: &str| {
        surroundings.flag(name).is_some_and(|value| value == "1" || value.eq_ignore_ascii_case("true"))
    };
    policy.trigger.enabled &= !is_set("OPENCODE_DISABLE_AUTOCOMPACT");
    policy.prune.enabled &= !is_set("OPENCODE_DISABLE_PRUNE");
    let cap =
        surroundings.flag("OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX").and_then(|cap| cap.trim().parse().ok());
    put(&mut policy.trigger.output_cap, cap.filter(|cap| *cap > 0));
    Ok(policy)
}

/// The core accepts a list of documents. If several contain a setting, the last one decides.
pub(super) fn core_policy(mut policy: Policy, document: &Document<'_>) -> Result<Policy, Error> {
    let root = document.root();
    let documents = if root.is_array() { root.elements().collect() } else { vec![root] };
    for document in documents {
        let info = document.get("info").unwrap_or(document);
        let compaction = Group { path: String::new(), value: Some(info) }.group("compaction")?;
        put(&mut policy.trigger.enabled, compaction.flag("auto")?);
        put(&mut policy.trigger.reserve, compaction.reserve("buffer")?);
        put(&mut policy.retain.keep, compaction.group("keep")?.amount("tokens")?);
    }
    Ok(policy)
}
