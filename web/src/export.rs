//! What a person takes home: the compacted session, the policy as data and as code, and the plan.

use ebbline::{EditOptions, ErrorCode, Plan, Policy, Session};
use serde_json::{Map, Value};

use crate::error_text::Trouble;
use crate::number::counted;

/// What is taken home.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The compacted session in its own format.
    Session,
    /// The policy as JSON.
    Policy,
    /// The policy as a call of the npm package.
    JavaScript,
    /// The policy as a call of the crate.
    Rust,
    /// The plan as JSON.
    Plan,
}

impl Wanted {
    /// All of them; `ALL[wanted as usize]` is `wanted`.
    pub const ALL: [Self; 5] = [Self::Session, Self::Policy, Self::JavaScript, Self::Rust, Self::Plan];
}

/// A file, ready to be saved or copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The file's name.
    pub name: String,
    /// Its content.
    pub text: String,
    /// What has to be known about it, in a sentence; empty when nothing has.
    pub note: String,
}

/// The compacted session. Where messages are to be summarised and no summary is given, a visible stub stands in its
/// place: nothing here writes summaries.
///
/// # Errors
///
/// When the engine cannot write the plan into the text.
pub fn session(
    session: &Session,
    source: &str,
    plan: &Plan,
    policy: &Policy,
    summary: &str,
    name: &str,
) -> Result<Exported, Trouble> {
    let given = summary.trim();
    let stub = stub(plan.retain.messages);
    let text = if given.is_empty() { stub.as_str() } else { given };
    let options = EditOptions { summary: Some(text.to_owned()), now: None };
    let name = compacted_name(name);
    match session.compact(source, plan, policy, &options) {
        Ok(text) => {
            let note = if plan.retain.applied && given.is_empty() {
                format!("It holds the stub “{stub}”: replace it by a summary, or give one above.")
            } else {
                String::new()
            };
            Ok(Exported { name, text, note })
        }
        Err(error) if error.kind() == ErrorCode::NoPlaceForSummary => {
            let text = session
                .compact(source, plan, policy, &EditOptions::default())
                .map_err(|error| Trouble::new(&error, source.as_bytes()))?;
            let note = format!(
                "{} cannot hold a summary yet, so this is the pruned session only.",
                session.format()
            );
            Ok(Exported { name, text, note })
        }
        Err(error) => Err(Trouble::new(&error, source.as_bytes())),
    }
}

/// What stands in the place of a summary that nobody has written.
#[must_use]
pub fn stub(messages: usize) -> String {
    format!("[summary of {} goes here]", counted(messages as u64, "message"))
}

/// `bug-hunt.json` becomes `bug-hunt.compacted.json`.
fn compacted_name(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => format!("{stem}.compacted.{ending}"),
        _ => format!("{name}.compacted.json"),
    }
}

/// The policy as JSON.
#[must_use]
pub fn policy_json(policy: &Policy) -> Exported {
    Exported { name: "ebbline-policy.json".to_owned(), text: policy.to_json() + "\n", note: String::new() }
}

/// The policy as a call of the npm package: the profile by name, and only what differs from it.
#[must_use]
pub fn javascript(policy: &Policy) -> Exported {
    let (profile, changes) = changes(policy);
    let overlay = if changes.is_empty() {
        String::new()
    } else {
        format!("\n  policy: {},", indented(&spelled(&Value::Object(changes), 0)))
    };
    let text = format!(
        "import {{ init, compact }} from \"ebbline\";\n\nawait init();\n\nconst {{ messages: next }} = compact(messages, {{\n  profile: {},{overlay}\n}});\n",
        Value::from(profile)
    );
    Exported { name: "compact.mjs".to_owned(), text, note: String::new() }
}

/// The policy as a call of the crate.
#[must_use]
pub fn rust(policy: &Policy) -> Exported {
    let (profile, changes) = changes(policy);
    let mut knobs = Vec::new();
    for (group, members) in &changes {
        for (name, value) in members.as_object().into_iter().flatten() {
            let value = value.to_string();
            knobs.push(format!("policy.set({:?}, {value:?})?;\n", format!("{group}.{name}")));
        }
    }
    let mutable = if knobs.is_empty() { "" } else { "mut " };
    let knobs = knobs.concat();
    let text = format!(
        "use ebbline::{{EditOptions, PlanOptions, ReadOptions, Session}};\n\nlet session = Session::read(text, &ReadOptions::default())?;\nlet {mutable}policy = ebbline::profiles::get({profile:?})?;\n{knobs}let plan = session.plan(&policy, PlanOptions::default());\nlet compacted = session.compact(text, &plan, &policy, &EditOptions::default())?;\n"
    );
    Exported { name: "compact.rs".to_owned(), text, note: String::new() }
}

/// The plan as JSON.
#[must_use]
pub fn plan(plan: &Plan, name: &str) -> Exported {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    Exported { name: format!("{stem}.plan.json"), text: plan.to_json() + "\n", note: String::new() }
}

/// The profile that `policy` came from, and the knobs that differ from it, by group.
fn changes(policy: &Policy) -> (String, Map<String, Value>) {
    let named = policy.profile.trim_end_matches('*');
    let base = ebbline::profiles::get(named).unwrap_or_else(|_| policy.clone());
    let tree = |policy: &Policy| serde_json::to_value(policy).unwrap_or_default();
    let (from, to) = (tree(&base), tree(policy));
    let mut changes = Map::new();
    for (group, members) in to.as_object().into_iter().flatten() {
        let differing: Map<String, Value> = members
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(name, value)| {
                from.get(group).and_then(|members| members.get(name.as_str())) != Some(value)
            })
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if !differing.is_empty() {
            changes.insert(group.clone(), Value::Object(differing));
        }
    }
    (named.to_owned(), changes)
}

/// A value as JavaScript spells it: keys without quotes.
fn spelled(value: &Value, depth: usize) -> String {
    let Some(members) = value.as_object() else { return value.to_string() };
    let spelled_members: Vec<_> =
        members.iter().map(|(name, value)| format!("{name}: {}", spelled(value, depth + 1))).collect();
    if depth == 0 {
        format!("{{\n  {},\n}}", spelled_members.join(",\n  "))
    } else {
        format!("{{ {} }}", spelled_members.join(", "))
    }
}

fn indented(text: &str) -> String {
    text.replace('\n', "\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned() -> Policy {
        let mut policy = ebbline::profiles::get("opencode@2026-01").unwrap();
        for (knob, value) in
            [("prune.protect", "30000"), ("prune.protectedTools", "skill,task"), ("model.context", "128000")]
        {
            policy.set(knob, value).unwrap();
        }
        policy
    }

    #[test]
    fn code_names_the_profile_and_what_differs() {
        insta::assert_snapshot!(javascript(&turned()).text, @r#"
        import { init, compact } from "ebbline";

        await init();

        const { messages: next } = compact(messages, {
          profile: "opencode@2026-01",
          policy: {
            model: { context: 128000 },
            prune: { protect: 30000, protectedTools: ["skill","task"] },
          },
        });
        "#);
        insta::assert_snapshot!(rust(&turned()).text, @r#"
        use ebbline::{EditOptions, PlanOptions, ReadOptions, Session};

        let session = Session::read(text, &ReadOptions::default())?;
        let mut policy = ebbline::profiles::get("opencode@2026-01")?;
        policy.set("model.context", "128000")?;
        policy.set("prune.protect", "30000")?;
        policy.set("prune.protectedTools", "[\"skill\",\"task\"]")?;
        let plan = session.plan(&policy, PlanOptions::default());
        let compacted = session.compact(text, &plan, &policy, &EditOptions::default())?;
        "#);
        let plain = ebbline::profiles::get("ebbline@0").unwrap();
        assert!(!javascript(&plain).text.contains("policy:"));
    }

    #[test]
    fn a_policy_comes_back_from_its_json() {
        assert_eq!(Policy::from_json(&policy_json(&turned()).text).unwrap(), turned());
    }

    #[test]
    fn names_say_what_the_file_is() {
        assert_eq!(compacted_name("a.b.jsonl"), "a.b.compacted.jsonl");
        assert_eq!(compacted_name("session"), "session.compacted.json");
    }
}
