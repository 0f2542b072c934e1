//! Every knob of a decision, as plain data.

mod estimator;
pub mod knob;
mod model;
mod overlay;
mod prune;
mod retain;
mod share;
mod trigger;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorCode};
use crate::nearest::unknown;
use knob::Kind;

pub use estimator::{CountCalls, Estimator, Rounding, Scope};
pub use model::{Comparison, Model};
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
    /// How old messages are summarised.
    pub retain: RetainPolicy,
    /// When summarising fires. Pruning does not depend on it.
    pub trigger: TriggerPolicy,
    /// Knobs set to a share of the context window, by path. A share replaces the figure of its knob.
    #[serde(default, skip_serializing_if = "Shares::is_empty")]
    pub shares: Shares,
    /// Partial policies for single models, by `provider/model`. [`Policy::for_model`] applies them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, serde_json::Value>,
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
            models: BTreeMap::new(),
        }
    }
}

impl Policy {
    /// Reads a policy from JSON as [`Policy::to_json`] writes it.
    ///
    /// # Errors
    ///
    /// `invalid_policy` names the unknown field, the missing field or the wrong type; `not_json`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Policy;
    /// let policy = ebbline::profiles::get("pi@1.5")?;
    /// assert_eq!(Policy::from_json(&policy.to_json())?, policy);
    /// assert_eq!(Policy::from_json("{}").unwrap_err().code(), "invalid_policy");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let mut policy: Self = serde_json::from_str(json).map_err(|error| {
            let code = if error.is_syntax() || error.is_eof() {
                ErrorCode::NotJson
            } else {
                ErrorCode::InvalidPolicy
            };
            Error::new(code, format!("the policy cannot be read: {error}"))
        })?;
        policy.check()?;
        policy.settle_shares();
        Ok(policy)
    }

    /// The policy as JSON, indented by two spaces a level.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::profiles::get("pi@1.5")?.to_json().starts_with("{\n  \"profile\": \"pi@1.5\""));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut settled = self.clone();
        settled.settle_shares();
        serde_json::to_string_pretty(&settled).unwrap_or_default()
    }

    /// Sets one knob, named by its path in the JSON form, for example `prune.protect`.
    ///
    /// An amount of tokens may be a share of the context window, such as `"25%"`: it then follows the window when
    /// the model changes. `value` is JSON. A value that is not JSON is taken as a string, so
    /// `retain.cut=anywhere` needs no quotes. `protectedTools` also accepts names separated by commas.
    ///
    /// # Errors
    ///
    /// `invalid_policy` when there is no such knob (the message lists all knobs) or when the value is not valid.
    ///
    /// # Example
    ///
    /// ```
    /// let mut policy = ebbline::profiles::get("ebbline@1")?;
    /// policy.set("retain.keep", "5000")?;
    /// policy.set("prune.protect", "25%")?;
    /// assert_eq!((policy.retain.keep, policy.resolved().prune.protect), (5_000, policy.model.context / 4));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn set(&mut self, path: &str, value: &str) -> Result<(), Error> {
        let invalid = |message: String| Error::new(ErrorCode::InvalidPolicy, message);
        // A knob whose type is a share takes the share as its value.
        let share = Share::parse(value.trim_matches('"'))
            .filter(|_| Self::knob(path).is_none_or(|knob| knob.kind != Kind::Share));
        if let Some(share) = share {
            return self.set_share(path, share);
        }
        let mut base = self.clone();
        base.settle_shares();
        let mut tree = base.tree();
        let pointer = format!("/{}", path.replace('.', "/"));
        let is_known = path == "profile" || Self::knob(path).is_some();
        let Some(knob) = tree.pointer_mut(&pointer).filter(|_| is_known) else {
            return Err(invalid(unknown("knob", path, &Self::knob_paths())));
        };
        let parsed =
            serde_json::from_str(value).unwrap_or_else(|_| serde_json::Value::String(value.to_owned()));
        *knob = match parsed {
            serde_json::Value::String(names) if knob.is_array() => {
                names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect()
            }
            other => other,
        };
        let mut changed: Self = serde_json::from_value(tree)
            .map_err(|error| invalid(format!("{path} cannot be {value}: {error}")))?;
        changed.shares.remove(path);
        changed.settle_shares();
        changed.check()?;
        // A profile reproduces a system, not a model: changing the model's limits does not change the profile's
        // name.
        let is_knob_of_system = path != "profile" && !path.starts_with("model.");
        if is_knob_of_system && changed != base && !changed.profile.ends_with('*') {
            changed.profile.push('*');
        }
        *self = changed;
        Ok(())
    }

    /// The policy as a JSON value, parsed from its text, so that the program contains only one way to write a
    /// policy.
    fn tree(&self) -> serde_json::Value {
        serde_json::to_string(self).ok().and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default()
    }

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
        self.check_shares()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profiles;

    #[test]
    fn a_policy_survives_json() {
        for name in profiles::names() {
            let policy = profiles::get(name).unwrap();
            assert_eq!(Policy::from_json(&policy.to_json()).unwrap(), policy);
        }
    }

    #[test]
    fn a_policys_tree_is_what_serde_makes_of_it() {
        for name in profiles::names() {
            let mut policy = profiles::get(name).unwrap();
            policy.prune.protected_tools = vec!["a\\".into(), "{\"b\": [1,2]}".into()];
            policy.overlay(r#"{"models": {"x/y": {"prune": {}, "retain": {"keep": 1}}}}"#).unwrap();
            assert_eq!(policy.tree(), serde_json::to_value(&policy).unwrap());
        }
    }

    #[test]
    fn knobs_are_turned_by_path_and_faults_are_named() {
        let mut policy = profiles::get("opencode@2026-01").unwrap();
        policy.set("prune.protectedTools", "skill, task").unwrap();
        assert_eq!(policy.prune.protected_tools, ["skill", "task"]);
        policy.set("retain.cut", "anywhere").unwrap();
        assert_eq!(policy.profile, "opencode@2026-01*");
        for (path, value, fault) in [
            ("prune", "1", "there is no knob \"prune\""),
            (
                "prune.protcet",
                "1",
                r#"there is no knob "prune.protcet"; did you mean "prune.protect"? There are "#,
            ),
            ("keep", "1", r#"there is no knob "keep"; did you mean "retain.keep"? There are "#),
            ("prune.protect", "-1", "prune.protect cannot be -1"),
            ("prune.protect", "1.5", "prune.protect cannot be 1.5"),
            ("prune.protect", "1e300", "prune.protect cannot be 1e300"),
            ("model.context", "9007199254740992", "model.context is 9007199254740992"),
            ("estimator.perToken", "0", "estimator.perToken is 0"),
            ("trigger.fires", "sometimes", "trigger.fires cannot be sometimes"),
        ] {
            let error = policy.set(path, value).unwrap_err();
            assert_eq!(error.code(), "invalid_policy");
            assert!(error.message().starts_with(fault), "{}", error.message());
        }
    }
}
