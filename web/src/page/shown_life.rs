//! The life on screen.

use ebbline::Policy;
use ebbline_web::life::Life;

/// The session's life under the policy that writes its history.
#[derive(Clone, Debug)]
pub(super) struct ShownLife {
    pub(super) life: Life,
    pub(super) policy: Policy,
    /// Why the session opened where it did.
    pub(super) opening: String,
    /// How often is compacted, what the file does not hold, and a description of the picture.
    pub(super) told: [String; 3],
    /// The window that was chosen for this session instead of another: the other, and the chosen one.
    pub(super) fitted: Option<(u64, u64)>,
    /// A smaller window that the session would have filled, if it does not fill its own.
    pub(super) smaller: Option<u64>,
}

impl ShownLife {
    /// The profile's name.
    pub(super) fn name(&self) -> &str {
        &self.policy.profile
    }
}
