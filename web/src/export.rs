//! What the page exports: the compacted session, the policy as data and as code, and the plan.

use ebbline::json::{Document, Value};
use ebbline::{EditOptions, ErrorCode, Plan, Policy, Session};

use crate::error_text::UserError;
use crate::knob::preset;
use crate::number::counted;

/// The kinds of exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportKind {
    /// The compacted session in its own format.
    Session,
    /// The policy as JSON.
    Policy,
    /// The policy as a call of the npm package.
    JavaScript,
    /// The policy as a call of the Rust crate.
    Rust,
    /// The plan as JSON.
    Plan,
}

impl ExportKind {
    /// All kinds; `ALL[kind as usize]` is `kind`.
    pub const ALL: [Self; 5] = [Self::Session, Self::Policy, Self::JavaScript, Self::Rust, Self::Plan];
}

/// A file, ready to be saved or copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The file's name.
    pub name: String,
    /// Its content. If the session's file contained bytes that are not UTF-8, so does its export.
    pub bytes: Vec<u8>,
    /// What the user has to know about the file, as a sentence; empty if nothing.
    pub note: String,
}

impl Exported {
    fn of_text(name: impl Into<String>, text: String) -> Self {
        Self { name: name.into(), bytes: text.into_bytes(), note: String::new() }
    }
}

/// The compacted session. If messages are summarised and the user gave no summary, a visible stub takes its place:
/// the page cannot write summaries.
///
/// # Errors
///
/// If the engine cannot write the plan into the text.
pub fn session(
    session: &Session<'_>,
    name: &str,
    plan: &Plan,
    summary: &str,
    options: &EditOptions,
) -> Result<Exported, UserError> {
    let given = summary.trim();
    let stub = stub(plan.decision.retain.messages);
    let text = if given.is_empty() { stub.as_str() } else { given };
    let with_summary = options.clone().summary(text);
    let name = compacted_name(name);
    match session.compact_bytes(plan, &with_summary) {
        Ok(bytes) => {
            let note = if plan.decision.retain.applied && given.is_empty() {
                format!("It holds the stub “{stub}”: replace it by a summary, or give one above.")
            } else {
                String::new()
            };
            Ok(Exported { name, bytes, note })
        }
        Err(error) if error.kind() == ErrorCode::NoPlaceForSummary => {
            let bytes = session
                .compact_bytes(plan, options)
                .map_err(|error| UserError::new(&error, session.text().as_str().as_bytes()))?;
            let note = format!(
                "There is no place for a summary in {}, so this is the pruned session only.",
                session.format()
            );
            Ok(Exported { name, bytes, note })
        }
        Err(error) => Err(UserError::new(&error, session.text().as_str().as_bytes())),
    }
}

/// The stub that takes the place of a missing summary.
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

/// Exports the policy as JSON.
#[must_use]
pub fn policy_json(policy: &Policy) -> Exported {
    Exported::of_text("ebbline-policy.json", policy.to_json() + "\n")
}

/// The policy as a call of the npm package: the profile's name and the knobs that differ from it. `force` adds the
/// option that forces compaction.
#[must_use]
pub fn javascript(policy: &Policy, force: bool) -> Exported {
    let (profile, changes) = changes(policy);
    let mut overlay = String::new();
    for (group, knobs) in &changes {
        let knobs: Vec<_> = knobs.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        overlay += &format!("    {group}: {{ {} }},\n", knobs.join(", "));
    }
    if !overlay.is_empty() {
        overlay = format!("\n  policy: {{\n{overlay}  }},");
    }
    if force {
        overlay += "\n  force: true,";
    }
    let text = format!(
        "import {{ init, compact }} from \"ebbline\";\n\nawait init();\n\nconst {{ messages: next }} = compact(messages, {{\n  profile: {profile:?},{overlay}\n}});\n",
    );
    Exported::of_text("compact.mjs", text)
}

/// The policy as a call of the Rust crate; `force` as in [`javascript`].
#[must_use]
pub fn rust(policy: &Policy, force: bool) -> Exported {
    let (profile, changes) = changes(policy);
    let mut turned = String::new();
    for (group, knobs) in &changes {
        for (name, value) in knobs {
            turned += &format!("policy.set(\"{group}.{name}\", {value:?})?;\n");
        }
    }
    let (options, plan) = if force {
        ("PlanOptions, ", "plan_with(&policy, PlanOptions::new().force(true))")
    } else {
        ("", "plan(&policy)")
    };
    let mutable = if turned.is_empty() { "" } else { "mut " };
    let text = format!(
        "use ebbline::{{EditOptions, {options}Session}};\n\nlet session = Session::read(text)?;\nlet {mutable}policy = ebbline::profiles::get({profile:?})?;\n{turned}let plan = session.{plan};\nlet compacted = session.compact(&plan, &EditOptions::new())?;\n"
    );
    Exported::of_text("compact.rs", text)
}

/// Exports the plan as JSON.
#[must_use]
pub fn plan(plan: &Plan, name: &str) -> Exported {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    Exported::of_text(format!("{stem}.plan.json"), plan.to_json() + "\n")
}

/// Knobs by group: name and value as JSON.
type Changes = Vec<(String, Vec<(String, String)>)>;

/// The profile that `policy` is based on, and the knobs that differ from it, by group.
fn changes(policy: &Policy) -> (String, Changes) {
    let base = preset(policy);
    let (from, to) = (base.to_json(), policy.to_json());
    let mut changes = Changes::new();
    if let (Ok(from), Ok(to)) = (Document::parse(&from), Document::parse(&to)) {
        for (group, members) in to.root().members() {
            let group = group.decode();
            let before = from.root().get(&group);
            let knobs: Vec<_> = members
                .members()
                .map(|(name, value)| (name.decode().into_owned(), value))
                .filter(|(name, value)| {
                    // A number that replaced a share is a change even if it equals the profile's number.
                    let path = format!("{group}.{name}");
                    let was_share = base.share(&path).is_some() && policy.share(&path).is_none();
                    was_share
                        || before
                            .and_then(|before| before.get(name))
                            .is_none_or(|before| before.source() != value.source())
                })
                .map(|(name, value)| (name, in_one_line(value)))
                .collect();
            if !knobs.is_empty() {
                changes.push((group.into_owned(), knobs));
            }
        }
    }
    (policy.profile.trim_end_matches('*').to_owned(), changes)
}

/// A list on one line; other values unchanged.
fn in_one_line(value: Value<'_>) -> String {
    if !value.is_array() {
        return value.source().to_owned();
    }
    let elements: Vec<_> = value.elements().map(|element| element.source().to_owned()).collect();
    format!("[{}]", elements.join(", "))
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

    fn text(exported: Exported) -> String {
        String::from_utf8(exported.bytes).unwrap()
    }

    #[test]
    fn code_names_the_profile_and_what_differs() {
        insta::assert_snapshot!(text(javascript(&turned(), false)), @r#"
        import { init, compact } from "ebbline";

        await init();

        const { messages: next } = compact(messages, {
          profile: "opencode@2026-01",
          policy: {
            model: { context: 128000 },
            prune: { protect: 30000, protectedTools: ["skill", "task"] },
          },
        });
        "#);
        insta::assert_snapshot!(text(rust(&turned(), false)), @r#"
        use ebbline::{EditOptions, Session};

        let session = Session::read(text)?;
        let mut policy = ebbline::profiles::get("opencode@2026-01")?;
        policy.set("model.context", "128000")?;
        policy.set("prune.protect", "30000")?;
        policy.set("prune.protectedTools", "[\"skill\", \"task\"]")?;
        let plan = session.plan(&policy);
        let compacted = session.compact(&plan, &EditOptions::new())?;
        "#);
        let plain = ebbline::profiles::get("ebbline@1").unwrap();
        let plain = text(javascript(&plain, false));
        assert!(!plain.contains("policy:") && !plain.contains("force"));
    }

    #[test]
    fn code_contains_the_option_that_forces_compaction() {
        let policy = ebbline::profiles::get("ebbline@1").unwrap();
        assert!(text(javascript(&policy, true)).contains("\n  force: true,\n});"));
        assert!(text(javascript(&turned(), true)).contains("\n  force: true,\n});"));
        assert!(
            text(rust(&policy, true)).contains("session.plan_with(&policy, PlanOptions::new().force(true));")
        );
    }

    #[test]
    fn a_policy_comes_back_from_its_json() {
        assert_eq!(Policy::from_json(&text(policy_json(&turned()))).unwrap(), turned());
    }

    #[test]
    fn names_say_what_the_file_is() {
        assert_eq!(compacted_name("a.b.jsonl"), "a.b.compacted.jsonl");
        assert_eq!(compacted_name("session"), "session.compacted.json");
    }
}
