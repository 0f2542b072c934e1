//! A policy as JSON. Knobs are read and written through their table, so that a program which only plans contains no
//! general JSON reader beside the one for sessions.

use super::{Estimator, Kind, Policy, Share};
use crate::error::{Error, ErrorCode};
use crate::json::{Document, Value, Writer, quote};
use crate::nearest::unknown;
use crate::notation::javascript::stringify;

fn invalid(message: String) -> Error {
    Error::new(ErrorCode::InvalidPolicy, message)
}

impl Policy {
    /// Reads a policy from JSON as [`Policy::to_json`] writes it.
    ///
    /// # Errors
    ///
    /// `invalid_policy` names the unknown field, the missing field or the wrong value; `not_json`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Policy;
    /// let policy = ebbline::profiles::get("pi@1.5")?;
    /// assert_eq!(Policy::from_json(&policy.to_json())?, policy);
    /// let error = Policy::from_json("{}").unwrap_err();
    /// assert_eq!(error.message(), "the policy cannot be read: profile is missing");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let mut policy = Self::default();
        let seen = policy.read(json)?;
        let is_seen = |path: &str| seen.iter().any(|known| known == path);
        let missing = Self::knobs().find(|knob| !knob.may_be_missing && !is_seen(knob.path));
        let missing = if is_seen("profile") { missing.map(|knob| knob.path) } else { Some("profile") };
        if let Some(path) = missing {
            return Err(invalid(format!("the policy cannot be read: {path} is missing")));
        }
        for knob in Self::knobs().filter(|knob| !is_seen(knob.path)) {
            let empty = match knob.kind {
                Kind::Switch => "false",
                Kind::Number { or_null: false, .. } => "0",
                Kind::Texts => "[]",
                Kind::Text | Kind::Choice(_) => continue,
                Kind::Number { .. } | Kind::Share => "null",
            };
            let document = Document::parse(empty)?;
            (knob.read)(&mut policy, document.root()).map_err(invalid)?;
        }
        Ok(policy)
    }

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
        let mut changed = self.clone();
        changed.read(json)?;
        *self = changed;
        Ok(())
    }

    /// Sets one knob, named by its path in the JSON form, for example `prune.protect`.
    ///
    /// An amount of tokens may be a share of the context window, such as `"25%"`: it then follows the window when
    /// the model changes. `value` is JSON. A value that is not JSON is taken as a string, so
    /// `retain.cut=anywhere` needs no quotes. `protectedTools` also accepts names separated by commas.
    ///
    /// # Errors
    ///
    /// `invalid_policy` when there is no such knob (the message names the nearest ones) or when the value is not valid.
    ///
    /// # Example
    ///
    /// ```
    /// let mut policy = ebbline::profiles::get("ebbline@1")?;
    /// policy.set("retain.keep", "5000")?;
    /// policy.set("prune.protect", "25%")?;
    /// assert_eq!((policy.retain.keep, policy.resolved().prune.protect), (5_000, 50_000));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn set(&mut self, path: &str, value: &str) -> Result<(), Error> {
        match Document::parse(value) {
            Ok(document) => self.set_value(path, document.root(), value),
            Err(_) => self.set_value(path, Document::parse(&quote(value))?.root(), value),
        }
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
        let mut out = Writer::default();
        out.raw("{\n  \"profile\": ").string(&settled.profile);
        let mut open = "";
        for knob in Self::knobs() {
            let Some((group, name)) = knob.path.split_once('.') else { continue };
            if group == open {
                out.raw(",\n    ");
            } else {
                out.raw(if open.is_empty() { ",\n  " } else { "\n  },\n  " });
                out.word(group).raw(": {\n    ");
            }
            open = group;
            out.word(name).raw(": ");
            (knob.write)(&settled, &mut out);
        }
        out.raw("\n  }");
        for (index, (path, share)) in settled.shares.iter().enumerate() {
            out.raw(if index == 0 { ",\n  \"shares\": {\n    " } else { ",\n    " });
            out.string(path).raw(": ").string(&share.to_string());
        }
        out.raw(if settled.shares.is_empty() { "" } else { "\n  }" });
        for (index, (name, overlay)) in settled.models.iter().enumerate() {
            out.raw(if index == 0 { ",\n  \"models\": {\n    " } else { ",\n    " });
            out.string(name).raw(": ").raw(overlay);
        }
        out.raw(if settled.models.is_empty() { "" } else { "\n  }" });
        out.raw("\n}");
        out.finish()
    }

    /// Reads an estimator from the JSON that [`Policy::write_estimator`] writes.
    pub(crate) fn read_estimator(value: Value<'_>) -> Result<Estimator, Error> {
        let mut policy = Self::default();
        policy.read_group("estimator", value, &mut Vec::new())?;
        Ok(policy.estimator)
    }

    /// Writes an estimator as JSON.
    pub(crate) fn write_estimator(estimator: &Estimator, out: &mut Writer) {
        let policy = Self { estimator: estimator.clone(), ..Self::default() };
        let mut lead = "{";
        for knob in Self::knobs() {
            let Some(name) = knob.path.strip_prefix("estimator.") else { continue };
            out.raw(lead).word(name).raw(":");
            (knob.write)(&policy, out);
            lead = ",";
        }
        out.raw("}");
    }

    /// Sets every knob that `json` names; the paths of the knobs that it names.
    fn read(&mut self, json: &str) -> Result<Vec<String>, Error> {
        let document = Document::parse(json).map_err(|fault| {
            Error::new(ErrorCode::NotJson, format!("the policy cannot be read: {}", fault.message()))
        })?;
        let root = document.root();
        if !root.is_object() {
            return Err(invalid("a policy must be an object".to_owned()));
        }
        let mut seen = Vec::new();
        let (mut profile, mut shares, mut models) = (None, None, None);
        for (name, value) in root.members() {
            match name.decode().as_ref() {
                "profile" => profile = Some(value),
                "shares" => shares = Some(value),
                "models" => models = Some(value),
                group => self.read_group(group, value, &mut seen)?,
            }
        }
        self.read_shares(shares)?;
        self.read_models(models)?;
        if let Some(name) = profile {
            let name = name.text().ok_or_else(|| invalid(cannot_be("profile", name.source(), "a text")))?;
            self.profile = name.decode().into_owned();
            seen.push("profile".to_owned());
        }
        Ok(seen)
    }

    fn read_group(&mut self, group: &str, value: Value<'_>, seen: &mut Vec<String>) -> Result<(), Error> {
        if !value.is_object() || !Self::has_group(group) {
            let first = value.members().next().filter(|_| value.is_object());
            let path =
                first.map_or_else(|| group.to_owned(), |(name, _)| format!("{group}.{}", name.decode()));
            return Err(no_such_knob(&path));
        }
        for (name, value) in value.members() {
            let path = format!("{group}.{}", name.decode());
            self.set_value(&path, value, value.source())?;
            seen.push(today(&path).to_owned());
        }
        Ok(())
    }

    fn read_shares(&mut self, shares: Option<Value<'_>>) -> Result<(), Error> {
        let Some(shares) = shares else { return Ok(()) };
        if !shares.is_object() {
            return Err(invalid("shares must be an object".to_owned()));
        }
        for (path, share) in shares.members() {
            let path = path.decode();
            let share = share.text().and_then(|text| Share::parse(&text.decode()));
            let fault = || invalid(format!("shares must be such as \"25%\", which {path} is not"));
            self.set_share(&path, share.ok_or_else(fault)?)?;
        }
        Ok(())
    }

    fn read_models(&mut self, models: Option<Value<'_>>) -> Result<(), Error> {
        let Some(models) = models else { return Ok(()) };
        if !models.is_object() {
            return Err(invalid("models must be an object".to_owned()));
        }
        for (name, overlay) in models.members() {
            if overlay.get("models").is_some() {
                let name = name.decode();
                return Err(invalid(format!(
                    "models.{name} is for one model: it cannot have models of its own"
                )));
            }
            let overlay = stringify(overlay).to_text();
            // Applied here once, so that an error shows when the policy is made and not with the first request.
            self.clone().overlay(&overlay)?;
            self.models.insert(&name.decode(), overlay);
        }
        Ok(())
    }

    /// Sets one knob to a JSON value; `shown` is the value in the words of the caller.
    fn set_value(&mut self, path: &str, value: Value<'_>, shown: &str) -> Result<(), Error> {
        let path = today(path);
        let knob = Self::knob(path);
        // A knob whose type is a share takes the share as its value.
        let share = value.text().and_then(|text| Share::parse(&text.decode()));
        if let Some(share) = share.filter(|_| knob.is_none_or(|knob| knob.kind != Kind::Share)) {
            return self.set_share(path, share);
        }
        let mut base = self.clone();
        base.settle_shares();
        let mut changed = base.clone();
        if let Some(knob) = knob {
            (knob.read)(&mut changed, value).map_err(|wanted| invalid(cannot_be(path, shown, &wanted)))?;
        } else if path == "profile" {
            let name = value.text().ok_or_else(|| invalid(cannot_be(path, shown, "a text")))?;
            changed.profile = name.decode().into_owned();
        } else {
            return Err(no_such_knob(path));
        }
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
}

/// The path that a knob has today. Policies that were stored before 0.1.0 have British spelling.
fn today(path: &str) -> &str {
    if path == "retain.summariseAllThatFits" { "retain.summarizeAllThatFits" } else { path }
}

fn no_such_knob(path: &str) -> Error {
    invalid(unknown("knob", path, &Policy::knob_paths()))
}

fn cannot_be(path: &str, shown: &str, wanted: &str) -> String {
    format!("{path} cannot be {shown}: it must be {wanted}")
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
    fn a_policy_is_written_as_serde_writes_it() {
        for name in profiles::names() {
            let mut policy = profiles::get(name).unwrap();
            policy.prune.protected_tools = vec!["a\\".into(), "{\"b\": [1,2]}".into()];
            policy.overlay(r#"{"retain": {"keep": "12.5%"}, "trigger": {"reserve": "1%"}}"#).unwrap();
            assert_eq!(policy.to_json(), serde_json::to_string_pretty(&policy).unwrap());
            policy.overlay(r#"{"models": {"x/y": {"prune": {}, "retain": {"keep": 1}}}}"#).unwrap();
            let tree: serde_json::Value = serde_json::from_str(&policy.to_json()).unwrap();
            assert_eq!(tree, serde_json::to_value(&policy).unwrap());
            assert_eq!(serde_json::from_value::<Policy>(tree).unwrap().to_json(), policy.to_json());
        }
    }

    #[test]
    fn policies_of_models_do_not_nest_however_deep_the_json_is() {
        let deep = format!("{}{{}}{}", r#"{"models":{"a":"#.repeat(450), "}}".repeat(450));
        let mut policy = profiles::get("ebbline@1").unwrap();
        let error = policy.overlay(&deep).unwrap_err();
        assert_eq!(error.message(), "models.a is for one model: it cannot have models of its own");
        assert_eq!(policy, profiles::get("ebbline@1").unwrap());
    }

    #[test]
    fn a_policy_in_british_spelling_is_read() {
        let today = profiles::get("opencode@2025-12").unwrap();
        let stored = today.to_json().replace("summarizeAllThatFits", "summariseAllThatFits");
        assert_eq!(Policy::from_json(&stored).unwrap(), today);
        let mut policy = profiles::get("ebbline@1").unwrap();
        policy.set("retain.summariseAllThatFits", "true").unwrap();
        assert!(policy.retain.summarize_all_that_fits);
    }

    #[test]
    fn a_knob_that_is_not_given_where_it_may_be_is_switched_off() {
        let mut tree: serde_json::Value =
            serde_json::from_str(&profiles::get("ebbline@1").unwrap().to_json()).unwrap();
        for knob in Policy::knobs().filter(|knob| knob.may_be_missing) {
            let (group, name) = knob.path.split_once('.').unwrap();
            tree[group].as_object_mut().unwrap().remove(name);
        }
        let policy = Policy::from_json(&tree.to_string()).unwrap();
        assert_eq!(policy.to_json(), serde_json::from_value::<Policy>(tree.clone()).unwrap().to_json());
        for (path, fault) in
            [("prune.protect", "prune.protect is missing"), ("profile", "profile is missing")]
        {
            let mut tree = tree.clone();
            match path.split_once('.') {
                Some((group, name)) => tree[group].as_object_mut().unwrap().remove(name),
                None => tree.as_object_mut().unwrap().remove(path),
            };
            let error = Policy::from_json(&tree.to_string()).unwrap_err();
            assert!(error.message().ends_with(fault), "{}", error.message());
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
                r#"there is no knob "prune.protcet"; did you mean "prune.protect"? The nearest are prune.protect, "#,
            ),
            (
                "keep",
                "1",
                r#"there is no knob "keep"; did you mean "retain.keep"? The nearest are retain.keep, "#,
            ),
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
