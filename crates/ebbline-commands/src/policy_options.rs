//! A policy as a grid in a file names it: a profile, or the options of the npm package that describe one.

use ebbline::binding::nearest;
use ebbline::json::{Value, format_js, quote};
use ebbline::notation::javascript::{members, stringify};
use ebbline::{Error, ErrorCode, Policy};

use crate::engine_options::EngineOptions;

/// The longest text that the npm package passes on.
const LONGEST: usize = 1 << 26;
/// The greatest amount that it passes on.
const MOST: f64 = ((1_u64 << 53) - 1) as f64;

/// What an option holds. Those that concern no policy are checked and change nothing.
#[derive(Clone, Copy)]
enum Holds {
    Text,
    Object,
    Flag,
    Amount,
    Conversation,
}

const OPTIONS: [(&str, Holds); 15] = [
    ("profile", Holds::Text),
    ("policy", Holds::Object),
    ("model", Holds::Object),
    ("set", Holds::Object),
    ("format", Holds::Text),
    ("strict", Holds::Flag),
    ("conversation", Holds::Conversation),
    ("overhead", Holds::Amount),
    ("usage", Holds::Text),
    ("moments", Holds::Text),
    ("rates", Holds::Object),
    ("prices", Holds::Object),
    ("cache", Holds::Object),
    ("loss", Holds::Flag),
    ("cacheCheck", Holds::Flag),
];

/// The policy of a name or of options; without either it is the default profile. `options` hold the model's limits, which
/// hold unless the options have their own.
pub(crate) fn policy(given: Option<Value<'_>>, options: &EngineOptions) -> Result<Policy, Error> {
    let Some(given) = given else { return options.plain_policy() };
    if let Some(profile) = given.text() {
        return options.policy_named(&profile.decode());
    }
    check(given)?;
    let profile = given.text_of("profile").map(|name| name.decode().into_owned());
    let mut policy = ebbline::profiles::get(profile.as_deref().unwrap_or(ebbline::profiles::DEFAULT))?;
    if let Some(overlay) = given.get("policy") {
        policy.overlay(&stringify(overlay).to_text())?;
    }
    let mut limits = options.limits();
    if let Some(model) = given.get("model") {
        if let Some(name) = model.get("name") {
            policy = policy.for_model(&text(name))?;
        }
        let own = members(model).into_iter().filter(|(name, _)| !name.is("name"));
        let own =
            own.map(|(name, value)| format!("{}:{}", quote(&name.decode()), stringify(value).to_text()));
        limits = format!("{{{}}}", own.collect::<Vec<_>>().join(","));
    }
    policy.overlay(&format!("{{\"model\":{limits}}}"))?;
    for (path, value) in given.get("set").map(members).into_iter().flatten() {
        policy.set(&path.decode(), &stringify(value).to_text())?;
    }
    Ok(policy)
}

/// A value as JavaScript's `String` gives it.
fn text(value: Value<'_>) -> String {
    match (value.text(), value.number()) {
        (Some(text), _) => text.decode().into_owned(),
        (None, Some(number)) => format_js(number),
        (None, None) if value.is_object() => "[object Object]".to_owned(),
        (None, None) if value.is_array() => value.elements().map(text).collect::<Vec<_>>().join(","),
        (None, None) => value.source().to_owned(),
    }
}

/// Refuses options that do not exist or have a wrong type: a misspelt option would silently do nothing.
fn check(given: Value<'_>) -> Result<(), Error> {
    if !given.is_object() {
        return Err(invalid("the options must be an object".to_owned()));
    }
    for (name, _) in members(given) {
        if !OPTIONS.iter().any(|(known, _)| name.is(known)) {
            return Err(invalid(unknown(&name.decode())));
        }
    }
    for (name, holds) in OPTIONS {
        let Some(value) = given.get(name) else { continue };
        if let Some(wanted) = lacks(value, holds) {
            return Err(invalid(format!("the option {name} must be {wanted}")));
        }
    }
    Ok(())
}

/// What a value is to be, if it is not.
fn lacks(value: Value<'_>, holds: Holds) -> Option<String> {
    let number = value.number().filter(|number| *number >= 0.0 && *number <= MOST);
    let (fits, wanted) = match holds {
        Holds::Text => {
            let is_short = value.text().is_some_and(|text| text.raw().len() <= LONGEST);
            return (!is_short).then(|| format!("a string of at most {LONGEST} characters"));
        }
        Holds::Object => (value.is_object(), "an object"),
        Holds::Flag => (matches!(value.source(), "true" | "false"), "true or false"),
        Holds::Amount => (number.is_some(), "a number of 0 or more"),
        Holds::Conversation => {
            (number.is_some_and(|number| number.fract() == 0.0), "a whole number of 0 or more")
        }
    };
    (!fits).then(|| wanted.to_owned())
}

fn unknown(name: &str) -> String {
    let names = OPTIONS.map(|(known, _)| known);
    let there_are = match nearest(name, names) {
        Some(meant) => format!("did you mean \"{meant}\"? There are"),
        None => "there are".to_owned(),
    };
    format!("there is no option \"{name}\"; {there_are} {}", names.join(", "))
}

fn invalid(sentence: String) -> Error {
    Error::new(ErrorCode::InvalidOption, sentence)
}

#[cfg(test)]
mod tests {
    use ebbline::json::Document;

    use super::*;

    fn of(json: &str) -> Result<Policy, Error> {
        policy(Some(Document::parse(json).unwrap().root()), &EngineOptions::default())
    }

    #[test]
    fn a_policy_is_a_name_or_options() {
        assert_eq!(of(r#""pi@1.5""#).unwrap(), ebbline::profiles::get("pi@1.5").unwrap());
        let policy = of(
            r#"{"profile":"pi@1.5","policy":{"prune":{"protect":7}},"model":{"context":9000},"set":{"retain.keep":5}}"#,
        )
        .unwrap();
        assert_eq!((policy.prune.protect, policy.retain.keep), (7, 5));
        assert_eq!(policy.model.context.map(u64::from), Some(9_000));
    }

    #[test]
    fn what_is_no_option_is_refused() {
        for (json, sentence) in [
            ("1", "the options must be an object"),
            (
                r#"{"profil":"x"}"#,
                "there is no option \"profil\"; did you mean \"profile\"? There are profile,",
            ),
            (r#"{"set":[]}"#, "the option set must be an object"),
            (r#"{"strict":1}"#, "the option strict must be true or false"),
            (r#"{"overhead":-1}"#, "the option overhead must be a number of 0 or more"),
            (r#"{"profile":null}"#, "the option profile must be a string of at most 67108864 characters"),
            (r#"{"conversation":1.5}"#, "the option conversation must be a whole number of 0 or more"),
        ] {
            let error = of(json).unwrap_err();
            assert!(error.message().starts_with(sentence), "{}", error.message());
        }
    }
}
