//! Options: one JSON object, whose members have the names that they have in the npm package.

use ebbline::json::{Document, Value, Writer};
use ebbline::summary::{Acceptance, SummaryOptions};
use ebbline::{EditOptions, Error, Format, PlanOptions, Policy, ReadOptions, profiles};

use crate::bindings::api::Asking;
use crate::failure::invalid;

const POLICY: &[&str] = &["profile", "policy", "model", "set"];
const READING: &[&str] = &["format", "strict", "conversation"];
const ASKING: &[&str] = &["force", "knownTokens", "overhead", "idle"];
const WRITING: &[&str] = &["summary", "now", "freeBytes", "focus", "budgetTokens"];
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
pub(crate) const OF_GRIDS: &[&[&str]] = &[&["model"], READING, LIFE];
/// What a policy among the policies of a grid may say.
pub(crate) const OF_POLICIES: &[&[&str]] = &[POLICY];
/// What a growing session takes.
pub(crate) const OF_GROWING: &[&[&str]] = &[POLICY, &["format"]];
/// What the classification of an error takes.
pub(crate) const OF_ERRORS: &[&[&str]] = &[&["profile", "provider", "contextWindow", "desiredMaxOutput"]];
/// What a compactor takes.
pub(crate) const OF_COMPACTORS: &[&[&str]] = &[
    POLICY,
    &[
        "format",
        "overhead",
        "summaries",
        "fallback",
        "budgetTokens",
        "auto",
        "failures",
        "cooldown",
        "accept",
        "pins",
        "when",
        "introduction",
        "originals",
        "record",
        "hooks",
        "notices",
        "background",
        "chunks",
        "store",
        "countTokens",
    ],
];

/// The options as a document, if all their names are known.
///
/// # Errors
///
/// `invalid_option` for a name that is none, `not_json`.
pub(crate) fn parsed<'j>(json: &'j str, names: &[&[&str]]) -> Result<Document<'j>, Error> {
    let document = Document::parse(json)?;
    known(document.root(), names)?;
    Ok(document)
}

/// Refuses what is no object, or has a member of another name.
pub(crate) fn known(given: Value<'_>, names: &[&[&str]]) -> Result<(), Error> {
    if !given.is_object() {
        return Err(invalid("the options must be an object"));
    }
    for (name, _) in given.members() {
        let name = name.decode();
        if !names.iter().flat_map(|names| names.iter()).any(|known| *known == name) {
            let all = names.iter().flat_map(|names| names.iter()).copied();
            let meant = ebbline::binding::nearest(&name, all);
            let meant = meant.map(|known| format!(": did you mean {known}?")).unwrap_or_default();
            return Err(invalid(format!("there is no option {name}{meant}")));
        }
    }
    Ok(())
}

/// The policy: a profile, the changes in `policy`, the model, and single knobs.
pub(crate) fn policy(given: Value<'_>) -> Result<Policy, Error> {
    policy_for(given, None)
}

/// The same, for another model where it names none.
pub(crate) fn policy_for(given: Value<'_>, other: Option<Value<'_>>) -> Result<Policy, Error> {
    let profile = text(given, "profile")?;
    let mut policy = profiles::get(profile.as_deref().unwrap_or(profiles::DEFAULT))?;
    if let Some(changes) = object(given, "policy")? {
        policy.overlay(changes.source())?;
    }
    if let Some(model) = object(given, "model")?.or(other) {
        if let Some(name) = text(model, "name")? {
            policy = policy.for_model(&name)?;
        }
        policy.overlay(&limits(model))?;
    }
    if let Some(knobs) = object(given, "set")? {
        for (path, value) in knobs.members() {
            policy.set(&path.decode(), value.source())?;
        }
    }
    Ok(policy)
}

/// The model without its name, as a partial policy.
fn limits(model: Value<'_>) -> String {
    let mut out = Writer::default();
    out.raw("{\"model\":{");
    let mut separator = "";
    for (name, value) in model.members() {
        if !name.is("name") && !value.is_null() {
            out.raw(separator).string(&name.decode()).raw(":").raw(value.source());
            separator = ",";
        }
    }
    out.raw("}}");
    out.finish()
}

/// How a text is read, under a policy whose placeholder marks pruned outputs.
pub(crate) fn reading(given: Value<'_>, policy: &Policy) -> Result<ReadOptions, Error> {
    let format = text(given, "format")?.map(|name| Format::from_name(&name)).transpose()?;
    // A number that is too large here is one that no file has.
    let conversation =
        amount(given, "conversation")?.map(|number| usize::try_from(number).unwrap_or(usize::MAX));
    let options = ReadOptions::new().format(format).placeholder(policy.prune.placeholder.clone());
    Ok(options.strict(flag(given, "strict")?.unwrap_or(false)).conversation(conversation))
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
    options.focus = text(given, "focus")?;
    Ok(options)
}

/// What a summary must have; `accept: false` asks for nothing but that it is one.
pub(crate) fn acceptance(given: Value<'_>) -> Result<Acceptance, Error> {
    let mut wanted = Acceptance::default();
    let Some(accept) = given.present("accept") else { return Ok(wanted) };
    if accept.source() == "false" {
        (wanted.language, wanted.facts) = (false, 0.0);
        return Ok(wanted);
    }
    if !accept.is_object() {
        return Err(invalid("the option accept must be false, or { headings, language, facts }"));
    }
    wanted.headings = flag(accept, "headings")?.unwrap_or(wanted.headings);
    wanted.language = flag(accept, "language")?.unwrap_or(wanted.language);
    wanted.facts = accept.get("facts").and_then(Value::number).unwrap_or(wanted.facts);
    Ok(wanted)
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

/// A text among the options.
pub(crate) fn text(given: Value<'_>, name: &str) -> Result<Option<String>, Error> {
    let read = |value: Value<'_>| {
        let text = value.text().ok_or_else(|| invalid(format!("the option {name} must be a string")))?;
        Ok(text.decode().into_owned())
    };
    given.present(name).map(read).transpose()
}

/// A yes or no among the options.
pub(crate) fn flag(given: Value<'_>, name: &str) -> Result<Option<bool>, Error> {
    let read = |value: Value<'_>| match value.source() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(invalid(format!("the option {name} must be true or false"))),
    };
    given.present(name).map(read).transpose()
}

/// A whole amount among the options.
pub(crate) fn amount(given: Value<'_>, name: &str) -> Result<Option<u64>, Error> {
    Ok(number(given, name)?.map(|number| number as u64))
}

/// An amount among the options.
pub(crate) fn number(given: Value<'_>, name: &str) -> Result<Option<f64>, Error> {
    let read = |value: Value<'_>| {
        let number = value.number().filter(|number| *number >= 0.0 && number.is_finite());
        number.ok_or_else(|| invalid(format!("the option {name} must be a number of 0 or more")))
    };
    given.present(name).map(read).transpose()
}

/// An object among the options.
pub(crate) fn object<'d>(given: Value<'d>, name: &str) -> Result<Option<Value<'d>>, Error> {
    match given.present(name) {
        Some(value) if !value.is_object() => Err(invalid(format!("the option {name} must be an object"))),
        value => Ok(value),
    }
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
