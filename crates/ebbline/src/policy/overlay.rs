//! Applies a partial policy on top of a whole one.

use serde_json::Value;

use super::{Policy, Share};
use crate::error::{Error, ErrorCode};

impl Policy {
    /// Sets every knob that `json` names. `json` is an object in the policy's own form; any part of it may be
    /// missing.
    ///
    /// As with [`Policy::set`], the profile's name gets a `*` once a knob differs. If the object contains
    /// `profile`, that name is used unchanged.
    ///
    /// # Errors
    ///
    /// `not_json`; `invalid_policy` names the field that is unknown or not valid. After an error the policy is
    /// unchanged.
    ///
    /// # Example
    ///
    /// ```
    /// let mut policy = ebbline::profiles::get("opencode@2026-01")?;
    /// policy.overlay(r#"{"prune": {"protect": 30000}}"#)?;
    /// assert_eq!((policy.prune.protect, policy.prune.minimum), (30_000, 20_000));
    /// let error = policy.overlay(r#"{"prune": {"protcet": 1}}"#).unwrap_err();
    /// assert!(error.message().starts_with("there is no knob \"prune.protcet\""));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn overlay(&mut self, json: &str) -> Result<(), Error> {
        let partial: Value = serde_json::from_str(json)
            .map_err(|error| Error::new(ErrorCode::NotJson, format!("the policy cannot be read: {error}")))?;
        if !partial.is_object() {
            return Err(Error::new(ErrorCode::InvalidPolicy, "a policy must be an object"));
        }
        let mut changed = self.clone();
        let mut knobs = partial.clone();
        let groups = knobs.as_object_mut();
        let (shares, models) =
            groups.map_or((None, None), |groups| (groups.remove("shares"), groups.remove("models")));
        turn_knobs(&mut changed, "", &knobs)?;
        changed.lay_shares(shares.as_ref())?;
        changed.lay_models(models)?;
        if let Some(name) = partial.get("profile").and_then(Value::as_str) {
            name.clone_into(&mut changed.profile);
        }
        *self = changed;
        Ok(())
    }
}

impl Policy {
    fn lay_shares(&mut self, shares: Option<&Value>) -> Result<(), Error> {
        let invalid = |what: &str| Error::new(ErrorCode::InvalidPolicy, format!("shares {what}"));
        let Some(shares) = shares else { return Ok(()) };
        let shares = shares.as_object().ok_or_else(|| invalid("must be an object"))?;
        for (path, share) in shares {
            let share = share.as_str().and_then(Share::parse);
            let share =
                share.ok_or_else(|| invalid(&format!("must be such as \"25%\", which {path} is not")))?;
            self.set_share(path, share)?;
        }
        Ok(())
    }

    fn lay_models(&mut self, models: Option<Value>) -> Result<(), Error> {
        let Some(models) = models else { return Ok(()) };
        let Value::Object(models) = models else {
            return Err(Error::new(ErrorCode::InvalidPolicy, "models must be an object"));
        };
        for (name, overlay) in models {
            // Applied here once, so that an error shows when the policy is made and not with the first request.
            let mut alone = Self { models: std::collections::BTreeMap::new(), ..self.clone() };
            alone.overlay(&overlay.to_string())?;
            self.models.insert(name, overlay);
        }
        Ok(())
    }
}

fn turn_knobs(policy: &mut Policy, path: &str, value: &Value) -> Result<(), Error> {
    // An empty object sets no knob, but it is valid only where a group of knobs belongs.
    let members = value.as_object().filter(|members| !members.is_empty() || is_group(path));
    let Some(members) = members else { return policy.set(path, &value.to_string()) };
    members.iter().try_for_each(|(name, member)| {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        turn_knobs(policy, &path, member)
    })
}

fn is_group(path: &str) -> bool {
    path.is_empty() || Policy::has_group(path)
}

#[cfg(test)]
mod tests {
    use crate::profiles;

    #[test]
    fn a_whole_policy_laid_over_another_replaces_it() {
        let mut policy = profiles::get("tunacode@0.2").unwrap();
        let other = profiles::get("opencode@2026-01").unwrap();
        policy.overlay(&other.to_json()).unwrap();
        assert_eq!(policy, other);
    }

    #[test]
    fn faults_are_named_and_change_nothing() {
        let policy = profiles::get("ebbline@1").unwrap();
        for (json, code, message) in [
            ("{\"prune\":", "not_json", "the policy cannot be read"),
            ("[]", "invalid_policy", "a policy must be an object"),
            (r#"{"prune":5}"#, "invalid_policy", "there is no knob \"prune\""),
            (r#"{"prun":{}}"#, "invalid_policy", "there is no knob \"prun\""),
            // Once a knob, which policies may still hold.
            (
                r#"{"prune":{"protect":5,"estimateUntil":0}}"#,
                "invalid_policy",
                "there is no knob \"prune.estimateUntil\"",
            ),
            (
                r#"{"prune":{"protect":5},"trigger":{"fires":1}}"#,
                "invalid_policy",
                "trigger.fires cannot be 1",
            ),
        ] {
            let mut laid = policy.clone();
            let error = laid.overlay(json).unwrap_err();
            assert_eq!(error.code(), code, "{json}");
            assert!(error.message().starts_with(message), "{}", error.message());
            assert_eq!(laid, policy);
        }
        let mut same = policy.clone();
        same.overlay(r#"{"prune":{},"estimator":{"image":76800}}"#).unwrap();
        assert_eq!(same, policy);
    }
}
