//! Every knob of a decision, as plain data.

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorCode};
use crate::estimate::Estimator;

/// How a figure is compared with a limit. Systems differ, and at the limit their answers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// Strictly more than the limit: `>`.
    Above,
    /// The limit itself suffices: `>=`.
    AtLeast,
}

impl Comparison {
    /// Whether `figure` passes `limit`.
    #[must_use]
    pub fn holds(self, figure: u64, limit: u64) -> bool {
        match self {
            Self::Above => figure > limit,
            Self::AtLeast => figure >= limit,
        }
    }
}

/// The model's limits, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Model {
    /// The context window: what a request and its answer may fill together. 0 when it is not known: then
    /// summarising never fires.
    pub context: u64,
    /// The most that an answer may have; 0 when it is not known.
    #[serde(default)]
    pub output: u64,
}

impl Default for Model {
    fn default() -> Self {
        Self { context: 200_000, output: 32_000 }
    }
}

/// When and how old tool outputs are cleared.
#[expect(clippy::struct_excessive_bools, reason = "each is a knob of its own, and a policy is plain data")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrunePolicy {
    /// Whether outputs are pruned at all.
    pub enabled: bool,
    /// The newest tokens of tool output that are protected. The output that crosses the limit is pruned whole.
    pub protect: u64,
    /// Pruning happens only if the candidates hold this many tokens.
    pub minimum: u64,
    /// Whether exactly `minimum` suffices.
    pub minimum_is: Comparison,
    /// A session with fewer turns is left alone.
    pub minimum_turns: u64,
    /// The newest turns whose outputs are never pruned nor counted.
    pub protected_turns: u64,
    /// Whether messages that the agent wrote in the user's place count as turns.
    pub count_synthetic_turns: bool,
    /// Tools whose outputs are never pruned nor counted.
    pub protected_tools: Vec<String>,
    /// Whether the outputs of failed calls are counted and may be pruned.
    pub errors: bool,
    /// Whether outputs no longer than the placeholder are pruned all the same.
    pub short_outputs: bool,
    /// Whether everything before a summary is left alone.
    pub stop_at_summary: bool,
    /// Whether everything before an already pruned output is left alone.
    pub stop_at_pruned: bool,
    /// What takes the place of a pruned output.
    pub placeholder: String,
}

/// Which way a retention boundary moves when it may not stand where the budget puts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Snap {
    /// To an older message: keeps more than asked for. TunaCode.
    Older,
    /// To a newer message: keeps less. pi.
    Newer,
}

/// Where a retention boundary may stand. It never stands between a call and its result, whatever the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    /// Between any two messages.
    Anywhere,
    /// After a user's message or an answer that the model ended, and never before a tool result. TunaCode 0.2.
    AfterEndedMessage,
    /// Only where a turn begins.
    BeforeTurn,
}

/// Which newest messages stay word for word when the rest is summarised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RetainPolicy {
    /// Whether older messages are summarised at all.
    pub enabled: bool,
    /// The newest tokens that the retention window holds at least.
    pub keep: u64,
    /// Which way the boundary moves off a place where it may not stand.
    pub snap: Snap,
    /// Where the boundary may stand.
    pub cut: Cut,
    /// Whether a compaction asked for by hand, or forced by an overflow, keeps nothing at all.
    pub forced_keeps_nothing: bool,
    /// The size allowed for the summary when totals are forecast, in tokens. No figure of the system: the
    /// summary does not exist yet.
    pub summary_allowance: u64,
}

/// When the context counts as full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TriggerPolicy {
    /// What is kept free of the context window, in tokens. May be negative in systems that allow it.
    pub reserve: i64,
    /// Whether the retention window's `keep` is taken off the threshold as well. TunaCode 0.2 does.
    pub less_keep: bool,
    /// Whether reaching the threshold exactly suffices.
    pub fires: Comparison,
}

impl TriggerPolicy {
    /// The number of tokens at which compaction fires: context window less reserve (less `keep`), never below 0.
    #[must_use]
    pub fn threshold(&self, model: Model, keep: u64) -> u64 {
        let wide = |tokens: u64| i128::from(tokens);
        let less = if self.less_keep { wide(keep) } else { 0 };
        let threshold = wide(model.context) - i128::from(self.reserve) - less;
        u64::try_from(threshold.max(0)).unwrap_or(u64::MAX)
    }
}

/// A decision's every knob. A [`profile`](crate::profiles) is a policy pinned to a system and version.
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
pub struct Policy {
    /// The profile it came from, with `*` appended once a knob has been turned.
    pub profile: String,
    /// The model's limits.
    pub model: Model,
    /// How text becomes tokens.
    pub estimator: Estimator,
    /// Clearing old tool outputs.
    pub prune: PrunePolicy,
    /// Summarising old messages.
    pub retain: RetainPolicy,
    /// When summarising fires. Pruning does not wait for it.
    pub trigger: TriggerPolicy,
}

impl Policy {
    /// Reads a policy from JSON as [`Policy::to_json`] writes it.
    ///
    /// # Errors
    ///
    /// `invalid_policy` names the unknown field, missing field or wrong type; `not_json`.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let policy: Self = serde_json::from_str(json).map_err(|error| {
            let code = if error.is_syntax() || error.is_eof() {
                ErrorCode::NotJson
            } else {
                ErrorCode::InvalidPolicy
            };
            Error::new(code, format!("the policy cannot be read: {error}"))
        })?;
        policy.check()?;
        Ok(policy)
    }

    /// The policy as JSON, two spaces a level.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Turns one knob, named by its path in the JSON form, for example `prune.protect`.
    ///
    /// `value` is JSON; what is no JSON is taken as a string, so that `retain.cut=anywhere` can be written
    /// without quotes. `protectedTools` also takes names separated by commas.
    ///
    /// # Errors
    ///
    /// `invalid_policy` when there is no such knob (the message lists those there are) or the value does not fit.
    pub fn set(&mut self, path: &str, value: &str) -> Result<(), Error> {
        let invalid = |message: String| Error::new(ErrorCode::InvalidPolicy, message);
        let mut tree = serde_json::to_value(&*self).map_err(|error| invalid(error.to_string()))?;
        let pointer = format!("/{}", path.replace('.', "/"));
        let Some(knob) = tree.pointer_mut(&pointer).filter(|knob| !knob.is_object()) else {
            return Err(invalid(format!("there is no knob {path:?}; there are {}", knobs(self).join(", "))));
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
        changed.check()?;
        // A profile reproduces a system, not a model: other limits leave it what it is.
        let is_knob_of_system = path != "profile" && !path.starts_with("model.");
        if is_knob_of_system && changed != *self && !changed.profile.ends_with('*') {
            changed.profile.push('*');
        }
        *self = changed;
        Ok(())
    }

    /// Refuses values that no decision can be made with.
    ///
    /// # Errors
    ///
    /// `invalid_policy` names the knob.
    pub fn check(&self) -> Result<(), Error> {
        const LARGEST: u64 = (1 << 53) - 1;
        let figures = [
            ("model.context", self.model.context),
            ("model.output", self.model.output),
            ("prune.protect", self.prune.protect),
            ("prune.minimum", self.prune.minimum),
            ("retain.keep", self.retain.keep),
            ("retain.summaryAllowance", self.retain.summary_allowance),
            ("trigger.reserve", self.trigger.reserve.unsigned_abs()),
        ];
        if let Some((name, figure)) = figures.into_iter().find(|(_, figure)| *figure > LARGEST) {
            return Err(Error::new(
                ErrorCode::InvalidPolicy,
                format!("{name} is {figure}, more than {LARGEST}"),
            ));
        }
        if self.estimator.per_token == 0 {
            return Err(Error::new(
                ErrorCode::InvalidPolicy,
                "estimator.perToken is 0; it must be at least 1",
            ));
        }
        Ok(())
    }
}

/// The paths of all knobs.
fn knobs(policy: &Policy) -> Vec<String> {
    fn collect(prefix: &str, value: &serde_json::Value, into: &mut Vec<String>) {
        let Some(members) = value.as_object() else {
            into.push(prefix.to_owned());
            return;
        };
        for (name, member) in members {
            let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            collect(&path, member, into);
        }
    }
    let mut paths = Vec::new();
    if let Ok(tree) = serde_json::to_value(policy) {
        collect("", &tree, &mut paths);
    }
    paths
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
    fn knobs_are_turned_by_path_and_faults_are_named() {
        let mut policy = profiles::get("opencode@2026-01").unwrap();
        policy.set("prune.protectedTools", "skill, task").unwrap();
        assert_eq!(policy.prune.protected_tools, ["skill", "task"]);
        policy.set("retain.cut", "anywhere").unwrap();
        assert_eq!(policy.profile, "opencode@2026-01*");
        for (path, value, fault) in [
            ("prune", "1", "there is no knob \"prune\""),
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

    #[test]
    fn a_threshold_never_falls_below_zero_nor_wraps() {
        let trigger = TriggerPolicy { reserve: 16_384, less_keep: true, fires: Comparison::Above };
        let threshold = |context| trigger.threshold(Model { context, output: 0 }, 20_000);
        assert_eq!(threshold(200_000), 163_616);
        assert_eq!(threshold(36_384), 0);
        assert_eq!(threshold(0), 0);
        let widest = TriggerPolicy { reserve: i64::MIN, ..trigger };
        assert_eq!(widest.threshold(Model { context: u64::MAX, output: 0 }, u64::MAX), 1 << 63);
    }
}
