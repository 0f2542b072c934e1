//! The members that a case may have, from `shapes.json`: a misspelt member fails instead of being ignored.
//!
//! A shape is one of these. `"any"` accepts every value, because the adapter compares the whole value; `"null"` and
//! `"string"` accept values of that type; any other name refers to a shape in `names`. An object lists its members,
//! with `?` in front of optional ones; `{"$each": shape}` is a list and `{"$values": shape}` an object with any keys.
//! A list of shapes accepts what one of them accepts. `tests/npm/golden/shapes.mjs` reads the same file.

use std::sync::OnceLock;

use ebbline::json::Value;
use serde_json::{Map, Value as Shape};

/// The content of `shapes.json`.
static SHAPES: OnceLock<Shape> = OnceLock::new();

fn shapes() -> &'static Shape {
    SHAPES.get_or_init(|| serde_json::from_str(include_str!("shapes.json")).unwrap_or_default())
}

/// Checks the members of a case of `file`, which is a file's name without `.json`.
pub(super) fn check(file: &str, input: Value<'_>, expected: Value<'_>) -> Result<(), String> {
    let files = &shapes()["files"];
    let shape = files
        .get(file)
        .or_else(|| files.get(general(file)))
        .ok_or_else(|| format!("shapes.json says nothing of {file}"))?;
    fits("input", input, &shape["input"])?;
    if super::throws(expected) {
        return fits("expected", expected, &Shape::from("throws"));
    }
    fits("expected", expected, &shape["expected"])
}

/// Converts `pi-1.5.2-cut` to `pi-*-cut`: all versions of a function share a shape.
fn general(file: &str) -> String {
    let system = if file.starts_with("opencode-v2-") { Some("opencode-v2") } else { file.split('-').next() };
    format!("{}-*-{}", system.unwrap_or_default(), file.rsplit('-').next().unwrap_or_default())
}

fn fits(at: &str, value: Value<'_>, shape: &Shape) -> Result<(), String> {
    match shape {
        Shape::String(name) => match name.as_str() {
            "any" => Ok(()),
            "null" if value.is_null() => Ok(()),
            "string" if value.text().is_some() || is_notation(value) => Ok(()),
            "null" | "string" => Err(format!("{at} is no {name}")),
            name => {
                let named = shapes()["names"].get(name).ok_or_else(|| format!("no shape {name:?}"))?;
                fits(at, value, named)
            }
        },
        Shape::Array(choices) => {
            let mut why = Err(format!("{at} has no shape"));
            for choice in choices {
                why = fits(at, value, choice);
                if why.is_ok() {
                    break;
                }
            }
            why
        }
        Shape::Object(members) => fits_members(at, value, members),
        _ => Err(format!("{at} has no shape")),
    }
}

fn fits_members(at: &str, value: Value<'_>, members: &Map<String, Shape>) -> Result<(), String> {
    if let Some(each) = members.get("$each") {
        if !value.is_array() {
            return Err(format!("{at} is not a list"));
        }
        return value
            .elements()
            .enumerate()
            .try_for_each(|(index, value)| fits(&format!("{at}[{index}]"), value, each));
    }
    if !value.is_object() {
        return Err(format!("{at} is no object"));
    }
    for (key, value) in value.members() {
        let key = key.decode();
        let shape = members
            .get("$values")
            .or_else(|| members.get(key.as_ref()))
            .or_else(|| members.get(&format!("?{key}")))
            .ok_or_else(|| format!("{at} has an unknown member {key:?}"))?;
        fits(&format!("{at}.{key}"), value, shape)?;
    }
    let required = members.keys().filter(|key| !key.starts_with(['?', '$']));
    let missing = required.into_iter().find(|key| value.get(key).is_none());
    missing.map_or(Ok(()), |key| Err(format!("{at} has no {key}")))
}

/// Whether a value is a string in the vectors' notation.
fn is_notation(value: Value<'_>) -> bool {
    value.members().next().is_some_and(|(key, _)| key.raw().starts_with('$'))
}

#[cfg(test)]
mod tests {
    use ebbline::json::Document;

    use super::*;

    fn checked(file: &str, input: &str, expected: &str) -> Result<(), String> {
        let (input, expected) = (Document::parse(input).unwrap(), Document::parse(expected).unwrap());
        check(file, input.root(), expected.root())
    }

    #[test]
    fn a_misspelt_or_missing_member_is_named() {
        let input = r#"{"messages":[]}"#;
        checked("opencode-2026-06-filterCompacted", input, r#"{"ids":[]}"#).unwrap();
        checked("opencode-2026-06-filterCompacted", input, r#"{"throws":"Error"}"#).unwrap();
        for (input, expected, why) in [
            (input, r#"{"id":[]}"#, "expected has an unknown member \"id\""),
            (input, "{}", "expected has no ids"),
            (r#"{"messages":[],"confg":{}}"#, r#"{"ids":[]}"#, "input has an unknown member \"confg\""),
        ] {
            assert_eq!(checked("opencode-2026-06-filterCompacted", input, expected).unwrap_err(), why);
        }
    }

    #[test]
    fn members_of_members_and_of_each_element_are_looked_at() {
        let input = r#"{"entries":[],"runs":[{"startIndex":0}]}"#;
        let cut = |more: &str| {
            format!(
                r#"{{"cuts":[{{"throws":1}},{{"firstKeptEntryIndex":1,"firstKeptEntryId":"a","turnStartIndex":1{more}}}]}}"#
            )
        };
        checked("pi-1.5.2-cut", input, &cut(r#","isSplitTurn":false"#)).unwrap();
        let why = checked("pi-1.5.2-cut", input, &cut(r#","isSplit":false"#)).unwrap_err();
        assert_eq!(why, "expected.cuts[1] has an unknown member \"isSplit\"");
        let why = checked("pi-9-serialize", r#"{"messages":[]}"#, r#"{"sha":"x"}"#).unwrap_err();
        assert_eq!(why, "expected has an unknown member \"sha\"");
        checked("pi-9-serialize", r#"{"messages":[]}"#, r#"{"$repeat":["x",3]}"#).unwrap();
    }

    #[test]
    fn a_file_without_a_shape_is_refused() {
        assert!(checked("pi-1.5.2-unheard", "{}", "{}").unwrap_err().contains("says nothing of"));
    }
}
