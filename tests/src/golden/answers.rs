//! Requests answers as JSON and compares them.

use ebbline::json::{Document, Value};
use ebbline::notation::javascript::Utf16;
use sha2::{Digest, Sha256};

use super::expand;

/// Asks a system; `Ok(None)` if it refuses and the vectors record an exception.
pub(super) fn ask(
    system: &str,
    name: &str,
    data: &str,
    options: &str,
    expected: Value<'_>,
) -> Result<Option<String>, String> {
    match (ebbline_compat::ask(system, name, data, options), super::throws(expected)) {
        (Ok(answer), false) => Ok(Some(answer)),
        (Err(_), true) => Ok(None),
        (Ok(_), true) => Err("the system raised an exception, we did not".to_owned()),
        (Err(error), false) => Err(error.to_string()),
    }
}

/// The options of a question: those members of an input that exist, with their spelling.
pub(super) fn options(input: Value<'_>, keys: &[&str], more: &[(&str, &str)]) -> String {
    let given = keys.iter().filter_map(|key| Some((*key, input.get(key)?.source())));
    let members: Vec<String> =
        given.chain(more.iter().copied()).map(|(key, value)| format!("{key:?}:{value}")).collect();
    format!("{{{}}}", members.join(","))
}

/// Compares two values; the order of keys does not matter, and members in `ignored` are skipped.
pub(super) fn same(what: &str, ours: Value<'_>, expected: Value<'_>, ignored: &[&str]) -> Result<(), String> {
    let expected = expand(expected);
    let expected = Document::parse(&expected).map_err(|error| error.to_string())?;
    compare(what, ours, expected.root(), ignored)
}

/// Compares the members `key` of two values; they are equal if both lack it.
pub(super) fn same_member(
    key: &str,
    ours: Value<'_>,
    expected: Value<'_>,
    ignored: &[&str],
) -> Result<(), String> {
    match (ours.get(key), expected.get(key)) {
        (Some(ours), Some(expected)) => same(key, ours, expected, ignored),
        (None, None) => Ok(()),
        (ours, _) => Err(format!("{key} is {}", if ours.is_some() { "not expected" } else { "missing" })),
    }
}

fn compare(what: &str, ours: Value<'_>, expected: Value<'_>, ignored: &[&str]) -> Result<(), String> {
    let differ = || Err(format!("{what}: ours {}, expected {}", ours.source(), expected.source()));
    if expected.is_object() && ours.is_object() {
        let keys = |value: Value<'_>| {
            let mut keys: Vec<String> = value.members().map(|(key, _)| key.decode().into_owned()).collect();
            keys.retain(|key| !ignored.contains(&key.as_str()));
            keys.sort();
            keys
        };
        super::equal(&format!("members of {what}"), &keys(ours), &keys(expected))?;
        return keys(expected).iter().try_for_each(|key| match (ours.get(key), expected.get(key)) {
            (Some(ours), Some(expected)) => compare(&format!("{what}.{key}"), ours, expected, ignored),
            _ => differ(),
        });
    }
    if expected.is_array() && ours.is_array() {
        super::equal(&format!("length of {what}"), &ours.elements().count(), &expected.elements().count())?;
        return ours.elements().zip(expected.elements()).enumerate().try_for_each(
            |(index, (ours, expected))| compare(&format!("{what}[{index}]"), ours, expected, ignored),
        );
    }
    let equal = match (ours.text(), expected.text()) {
        (Some(ours), Some(expected)) => Utf16::from(ours) == Utf16::from(expected),
        (None, None) => match (ours.number(), expected.number()) {
            (Some(ours), Some(expected)) => ours.to_bits() == expected.to_bits(),
            (None, None) => ours.source() == expected.source(),
            _ => false,
        },
        _ => false,
    };
    if equal { Ok(()) } else { differ() }
}

/// Compares a text with the expected one, or with its digest.
pub(super) fn same_text(what: &str, ours: Value<'_>, expected: Value<'_>) -> Result<(), String> {
    let Some(sha256) = expected.text_of("sha256") else {
        return same(what, ours, expected.get("text").unwrap_or(expected), &[]);
    };
    let text = ours.text().map(|text| text.decode().into_owned()).unwrap_or_default();
    let ours = Sha256::digest(text.as_bytes())
        .iter()
        .fold(String::new(), |hash, byte| hash + &format!("{byte:02x}"));
    super::equal(&format!("{what}, SHA-256"), &ours.as_str(), &sha256.decode().as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(ours: &str, expected: &str) -> Result<(), String> {
        let (ours, expected) = (Document::parse(ours).unwrap(), Document::parse(expected).unwrap());
        same("answer", ours.root(), expected.root(), &["when"])
    }

    #[test]
    fn order_spelling_and_what_is_ignored_are_free() {
        compared(r#"{"a":[1.0,"\u0061"],"b":null,"when":1}"#, r#"{"b":null,"a":[1,{"$repeat":["a",1]}]}"#)
            .unwrap();
        for (ours, expected) in
            [("1", "2"), (r#""1""#, "1"), ("[]", "[1]"), ("{}", r#"{"a":1}"#), ("false", "null")]
        {
            compared(ours, expected).unwrap_err();
        }
    }
}
