//! Reads TunaCode's `tunacode.json`, and the settings of its controller.

use super::{Group, put};
use crate::error::Error;
use crate::policy::Policy;
use crate::profiles;

pub(super) fn policy(policy: Policy, settings: &Group<'_>) -> Result<Policy, Error> {
    let settings = settings.group("settings")?;
    let mut policy = policy;
    if policy.profile == "tunacode@0.2" {
        put(&mut policy.trigger.enabled, settings.flag("auto_compact")?);
        put(&mut policy.trigger.reserve, settings.reserve("reserve_tokens")?);
        put(&mut policy.retain.keep, settings.amount("keep_recent_tokens")?);
    } else if policy.profile == "tunacode@2026-01" && settings.flag("local_mode")? == Some(true) {
        // The mode was removed on 2026-01-26.
        policy = profiles::get("tunacode@2026-01/local")?;
    }
    Ok(policy)
}
