//! Reads pi's `settings.json`.

use super::{Group, Surroundings, put};
use crate::error::Error;
use crate::policy::Policy;

pub(super) fn policy(
    mut policy: Policy,
    settings: &Group<'_>,
    surroundings: &Surroundings<'_>,
) -> Result<Policy, Error> {
    let compaction = settings.group("compaction")?;
    put(&mut policy.trigger.enabled, compaction.flag("enabled")?);
    put(&mut policy.trigger.reserve, compaction.reserve("reserveTokens")?);
    put(&mut policy.retain.keep, compaction.amount("keepRecentTokens")?);
    // Since 0.86.0. The key must equal the model's name exactly, and each threshold falls back separately.
    if policy.profile == "pi@1.5"
        && let Some(model) = surroundings.model
    {
        let overrides = compaction.group("modelOverrides")?.group(model)?;
        put(&mut policy.trigger.reserve, overrides.reserve("reserveTokens")?);
        put(&mut policy.retain.keep, overrides.amount("keepRecentTokens")?);
    }
    Ok(policy)
}
