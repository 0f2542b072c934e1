//! A profile.

use super::Decides;
use crate::policy::{Comparison, Cut, Measure, Policy};

/// A profile: its name, what it is, and the policy.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Profile {
    /// The name that selects it.
    pub name: &'static str,
    /// One sentence on what it reproduces, for menus and help texts.
    pub about: &'static str,
    /// When its system decides.
    pub decides: Decides,
    pub(super) policy: fn() -> Policy,
}

impl Profile {
    /// The profile's policy, to be used or changed.
    ///
    /// # Example
    ///
    /// ```
    /// let profile = ebbline::profiles::find("pi@1.5").unwrap();
    /// assert_eq!(profile.policy().profile, profile.name);
    /// ```
    #[must_use]
    pub fn policy(&self) -> Policy {
        Policy { profile: self.name.to_owned(), ..(self.policy)() }
    }
}

/// What several agents begin with: fires at what reported usage and the estimate of the rest reach, and keeps nothing.
#[inline(never)]
pub(super) fn summarizing_all() -> Policy {
    let mut policy = Policy::default();
    (policy.trigger.measure, policy.trigger.fires) = (Measure::Anchored, Comparison::AtLeast);
    (policy.retain.enabled, policy.retain.keep, policy.retain.cut) = (true, 0, Cut::AtEnd);
    (policy.retain.summarize_all_that_fits, policy.retain.forced_keeps_nothing) = (true, true);
    policy
}
