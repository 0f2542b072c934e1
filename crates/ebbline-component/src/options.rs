//! Options: one JSON object, whose members have the names that they have in the npm package.

use ebbline::json::Value;
use ebbline::summary::SummaryOptions;
use ebbline::{EditOptions, Error, PlanOptions, Policy};

use crate::bindings::api::Asking;
use crate::failure::invalid;

use ebbline_compactor::binding::POLICY;
pub(crate) use ebbline_compactor::binding::members::{amount, flag, known, number, object, parsed, text};
pub(crate) use ebbline_compactor::binding::{
    acceptance_of as acceptance, policy_of as policy_for, reading_of as reading,
};

const READING: &[&str] = &["format", "strict", "conversation"];
const ASKING: &[&str] = &["force", "knownTokens", "overhead", "idle"];
const WRITING: &[&str] = &["summary", "now", "freeBytes", "focus", "notes", "budgetTokens"];
const LIFE: &[&str] = &["overhead", "usage", "moments", "rates", "cache"];
const RULES: &[&str] = &["also", "except"];

/// What every function about one session takes, so that one object serves them all.
pub(crate) const OF_SESSIONS: &[&[&str]] = &[POLICY, READING, ASKING, WRITING, RULES];
/// What the review of a summary takes.
pub(crate) const OF_REVIEWS: &[&[&str]] = &[POLICY, READING, ASKING, WRITING, RULES, &["accept"]];
/// What a replay takes.
pub(crate) const OF_REPLAYS: &[&[&str]] = &[POLICY, READING, LIFE, &["loss", "cacheCheck"]];
/// What a comparison takes beside its policies.
pub(crate) const OF_COMPARISONS: &[&[&str]] = &[POLICY, READING, LIFE, &["loss"]];
/// What an audit takes.
pub(crate) const OF_AUDITS: &[&[&str]] = &[READING];
/// What the weighing of a grid takes beside it.
pub(crate) const OF_GRIDS: &[&[&str]] = &[&["model", "carried"], READING, LIFE];
/// What a policy among the policies of a grid may say.
pub(crate) const OF_POLICIES: &[&[&str]] = &[POLICY];
/// What a growing session takes.
pub(crate) const OF_GROWING: &[&[&str]] = &[POLICY, &["format"]];
/// What the classification of an error takes.
pub(crate) const OF_ERRORS: &[&[&str]] = &[&["profile", "provider", "contextWindow", "desiredMaxOutput"]];
/// The policy: a profile, the changes in `policy`, the model, and single knobs.
pub(crate) fn policy(given: Value<'_>) -> Result<Policy, Error> {
    policy_for(given, None)
}

/// What the caller knows about a request.
pub(crate) fn asking(given: Value<'_>) -> Result<PlanOptions, Error> {
    Ok(PlanOptions::new()
        .force(flag(given, "force")?.unwrap_or(false))
        .known_tokens(known_size(amount(given, "knownTokens")?))
        .overhead(amount(given, "overhead")?)
        .idle(amount(given, "idle")?))
}

/// The same, typed.
pub(crate) fn plan_options(asking: &Asking) -> PlanOptions {
    PlanOptions::new()
        .force(asking.force)
        .known_tokens(known_size(asking.known_tokens))
        .overhead(asking.overhead)
        .idle(asking.idle)
}

/// As in the npm package, a size of 0 is one that nobody knows.
fn known_size(tokens: Option<u64>) -> Option<u64> {
    tokens.filter(|tokens| *tokens > 0)
}

/// How a plan is carried out.
pub(crate) fn edits(given: Value<'_>) -> Result<EditOptions, Error> {
    let mut options = EditOptions::new().free_bytes(flag(given, "freeBytes")?.unwrap_or(false));
    (options.summary, options.now) = (text(given, "summary")?, amount(given, "now")?);
    Ok(options)
}

/// How a summary is asked for.
pub(crate) fn summaries(given: Value<'_>) -> Result<SummaryOptions, Error> {
    let mut options = SummaryOptions::new().budget_tokens(amount(given, "budgetTokens")?);
    (options.focus, options.notes) = (text(given, "focus")?, text(given, "notes")?);
    Ok(options)
}

/// The names in a list.
pub(crate) fn names(given: Value<'_>, name: &str) -> Result<Vec<String>, Error> {
    let Some(list) = given.present(name) else { return Ok(Vec::new()) };
    let names = list.elements().map(|element| element.text().map(|text| text.decode().into_owned()));
    names
        .collect::<Option<Vec<_>>>()
        .filter(|_| list.is_array())
        .ok_or_else(|| invalid(format!("the option {name} must be a list of names")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy_of(json: &str) -> Result<Policy, Error> {
        policy(parsed(json, OF_SESSIONS)?.root())
    }

    #[test]
    fn a_policy_is_a_profile_a_model_and_knobs() {
        let policy = policy_of(
            r#"{"profile": "ebbline@1", "model": {"context": 32000, "output": null}, "set": {"retain.keep": 5000}}"#,
        )
        .unwrap();
        assert!(policy.profile.starts_with("ebbline@1"), "{}", policy.profile);
        assert_eq!(policy.model.context.map(|context| context.get()), Some(32_000));
    }

    #[test]
    fn a_mistake_is_named() {
        for (json, code, message) in [
            (
                r#"{"proflie": "ebbline@1"}"#,
                "invalid_option",
                "there is no option proflie: did you mean profile?",
            ),
            (r#"{"profile": 1}"#, "invalid_option", "the option profile must be a string"),
            (r#"{"set": []}"#, "invalid_option", "the option set must be an object"),
            ("[]", "invalid_option", "the options must be an object"),
        ] {
            let error = policy_of(json).unwrap_err();
            assert_eq!((error.code(), error.message()), (code, message));
        }
        assert_eq!(policy_of(r#"{"profile": "ebbline@0"}"#).unwrap_err().code(), "unknown_profile");
    }
}
