//! The limits that a policy knows.

use std::num::NonZeroU64;

use crate::policy::Policy;

/// The context window that a policy knows.
pub(crate) fn window_of(policy: &Policy) -> Option<u64> {
    policy.model.context.map(NonZeroU64::get)
}

/// The size from which a policy considers the context full.
pub(crate) fn threshold_of(policy: &Policy) -> Option<u64> {
    let policy = policy.resolved();
    window_of(&policy).map(|_| policy.trigger.threshold(policy.model, policy.retain.keep))
}
