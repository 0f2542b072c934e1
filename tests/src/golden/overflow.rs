//! The meaning of errors: pi, OpenCode and TunaCode.

use ebbline::json::{Document, Value};
use ebbline_compat as compat;

use super::{Case, equal, throws};

pub(super) fn pi(case: &Case<'_>) -> Result<(), String> {
    let (_, rest) = case.file.split_once('-').unwrap_or_default();
    let (version, _) = rest.rsplit_once('-').unwrap_or_default();
    let option = |key: &str| case.input.get(key).map_or("null", Value::source);
    let options = format!(
        r#"{{"version": "{version}", "contextWindow": {}, "desiredMaxOutput": {}}}"#,
        option("contextWindow"),
        option("desiredMaxOutput")
    );
    let message = case.input.get("message").map_or("null", Value::source);
    answers("pi", "overflow", message, &options, case.expected)
}

pub(super) fn opencode_text(case: &Case<'_>) -> Result<(), String> {
    let text = case.input.get("message").map_or("null", Value::source);
    let expected = case.expected.get("isContextOverflow").unwrap_or(case.expected);
    answers("opencode", "isContextOverflow", text, "{}", expected)
}

pub(super) fn opencode_error(case: &Case<'_>) -> Result<(), String> {
    let provider = case.input.get("providerID").map_or("null", Value::source);
    let options = format!(r#"{{"providerID": {provider}}}"#);
    let thrown = match (case.input.get("error"), case.input.get("streamError")) {
        (Some(error), _) => {
            let fields = error.source().strip_prefix('{').unwrap_or("}");
            let comma = if error.members().next().is_some() { "," } else { "" };
            format!(r#"{{"name": "AI_APICallError"{comma}{fields}"#)
        }
        (None, thrown) => thrown.map_or("null", Value::source).to_owned(),
    };
    answers("opencode", "fromError", &thrown, &options, case.expected)
}

pub(super) fn tunacode(case: &Case<'_>) -> Result<(), String> {
    let text = case.input.get("errorText").map_or("null", Value::source);
    let expected = case.expected.get("isContextOverflow").unwrap_or(case.expected);
    answers("tunacode", "isContextOverflow", text, "{}", expected)
}

/// Asks, and compares the answer as JSON, ignoring the order of its members.
fn answers(system: &str, name: &str, data: &str, options: &str, expected: Value<'_>) -> Result<(), String> {
    let answer = match (compat::ask(system, name, data, options), throws(expected)) {
        (Ok(answer), false) => answer,
        (Err(_), true) => return Ok(()),
        (Ok(_), true) => return Err("the system raised an exception, we did not".to_owned()),
        (Err(error), false) => return Err(error.to_string()),
    };
    let document = Document::parse(&answer).map_err(|error| error.to_string())?;
    equal(name, &sorted(document.root()), &sorted(expected))
}

/// A value as text, with the members of objects sorted by key.
fn sorted(value: Value<'_>) -> String {
    if value.is_object() {
        let mut members: Vec<_> =
            value.members().map(|(key, member)| format!("{:?}: {}", key.decode(), sorted(member))).collect();
        members.sort();
        return format!("{{{}}}", members.join(", "));
    }
    match (value.text(), value.number()) {
        (Some(text), _) => format!("{:?}", text.decode()),
        (None, Some(number)) => number.to_string(),
        (None, None) => value.source().to_owned(),
    }
}
