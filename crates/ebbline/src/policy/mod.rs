//! Every knob of a decision, as plain data.

mod estimator;
mod json;
pub mod knob;
mod model;
mod models;
pub mod path;
mod prune;
mod retain;
mod share;
mod trigger;
pub(crate) mod unknown;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use knob::Kind;

pub use estimator::{CountCalls, Estimator, Rounding, Scope};
pub use model::{Comparison, Model};
pub use models::Models;
pub use prune::PrunePolicy;
pub use retain::{Cut, Fill, RetainPolicy, Snap};
pub use share::{Share, Shares};
pub use trigger::{Limit, Measure, TriggerPolicy};

/// All settings of a decision. A [`profile`](crate::profiles) is a policy pinned to a system and version.
///
/// # Example
///
/// ```
/// let mut policy = ebbline::profiles::get("opencode@2026-01")?;
/// policy.set("prune.protect", "30000")?;
/// policy.set("model.context", "128000")?;
/// assert_eq!(policy.prune.protect, 30_000);
/// assert_eq!(policy.set("prune.protcet", "1").unwrap_err().code(), "invalid_policy");
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Policy {
    /// The profile that the policy came from. A `*` is appended once a knob differs from the profile.
    pub profile: String,
    /// The model's limits.
    pub model: Model,
    /// How text is converted to tokens.
    pub estimator: Estimator,
    /// How old tool outputs are pruned.
    pub prune: PrunePolicy,
    /// How old messages are summarized.
    pub retain: RetainPolicy,
    /// When the context counts as full: summarizing fires then. Pruning depends on it only by `prune.onlyWhenFull`,
    /// `prune.downTo` and `prune.preview`.
    pub trigger: TriggerPolicy,
    /// Knobs set to a share of the context window, by path. A share replaces the figure of its knob.
    #[serde(default, skip_serializing_if = "Shares::is_empty")]
    pub shares: Shares,
    /// Partial policies for single models, by `provider/model`. [`Policy::for_model`] applies them.
    #[serde(default, skip_serializing_if = "Models::is_empty")]
    pub models: Models,
}

impl Default for Policy {
    /// A policy that does nothing: the base from which profiles are built.
    fn default() -> Self {
        Self {
            profile: String::new(),
            model: Model::default(),
            estimator: Estimator::default(),
            prune: PrunePolicy::none(),
            retain: RetainPolicy::none(),
            trigger: TriggerPolicy::default(),
            shares: Shares::default(),
            models: Models::default(),
        }
    }
}

impl Policy {
    /// Rejects values with which no decision can be made.
    ///
    /// # Errors
    ///
    /// `invalid_policy` names the knob.
    ///
    /// # Example
    ///
    /// ```
    /// let mut policy = ebbline::profiles::get("ebbline@1")?;
    /// assert!(policy.check().is_ok());
    /// policy.estimator.per_token = 0;
    /// assert_eq!(policy.check().unwrap_err().code(), "invalid_policy");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn check(&self) -> Result<(), Error> {
        self.check_figures()?;
        self.prune.check_placeholder()?;
        self.check_shares()
    }
}
