//! JavaScript's conversions of values with unexpected types: pi reads session files without validating them.

use ebbline::Error;
use ebbline::json::{Kind, Value, format_js};
use ebbline::notation::javascript::{Utf16, members};

use crate::question::Question;

/// The error if pi itself raises an exception.
pub(crate) fn raises(what: &str) -> Error {
    Error::invalid_settings(format!("pi raises an exception: {what}"))
}

/// `value.length`: UTF-16 units for a string; NaN for a value without a length.
///
/// # Errors
///
/// If there is no value, whose properties JavaScript cannot read.
pub(crate) fn length(value: Option<Value<'_>>, what: &str) -> Result<f64, Error> {
    let value = value.filter(|value| !value.is_null()).ok_or_else(|| raises(&format!("no {what}")))?;
    Ok(match value.kind() {
        Kind::Plain | Kind::Escaped => value.text().map_or(0.0, |text| f64::from(text.length().utf16)),
        Kind::Array => value.elements().count() as f64,
        Kind::Object => number(value.get("length")),
        _ => f64::NAN,
    })
}

/// A value in a sum: a missing value is NaN, null is 0.
pub(crate) fn number(value: Option<Value<'_>>) -> f64 {
    let Some(value) = value else { return f64::NAN };
    match value.kind() {
        Kind::Null | Kind::False => 0.0,
        Kind::True => 1.0,
        _ => Question::number(value).unwrap_or(f64::NAN),
    }
}

/// A value in a template string.
pub(crate) fn string(value: Option<Value<'_>>) -> Utf16 {
    let Some(value) = value else { return Utf16::from("undefined") };
    match value.kind() {
        Kind::Null => Utf16::from("null"),
        Kind::True => Utf16::from("true"),
        Kind::False => Utf16::from("false"),
        Kind::Number => Utf16::from(format_js(value.number().unwrap_or(f64::NAN)).as_str()),
        Kind::Plain | Kind::Escaped => value.text().map(Utf16::from).unwrap_or_default(),
        Kind::Array => joined(value.elements().map(Some), ","),
        Kind::Object => Utf16::from("[object Object]"),
    }
}

/// JavaScript's `join`: a missing value or null is empty.
pub(crate) fn joined<'d>(values: impl Iterator<Item = Option<Value<'d>>>, separator: &str) -> Utf16 {
    let parts: Vec<Utf16> = values
        .map(|value| {
            value.filter(|value| !value.is_null()).map_or_else(Utf16::default, |value| string(Some(value)))
        })
        .collect();
    Utf16::join(&parts, separator)
}

/// JavaScript's `Object.entries`, with the keys as text.
///
/// # Errors
///
/// If the value is missing or null.
pub(crate) fn entries<'d>(value: Option<Value<'d>>, what: &str) -> Result<Vec<(Utf16, Member<'d>)>, Error> {
    let value = value.filter(|value| !value.is_null()).ok_or_else(|| raises(&format!("no {what}")))?;
    let numbered = |index: usize| Utf16::from(index.to_string().as_str());
    Ok(match value.kind() {
        Kind::Object => {
            members(value).into_iter().map(|(key, value)| (Utf16::from(key), Member::Value(value))).collect()
        }
        Kind::Array => value
            .elements()
            .enumerate()
            .map(|(index, element)| (numbered(index), Member::Value(element)))
            .collect(),
        Kind::Plain | Kind::Escaped => {
            let text = string(Some(value));
            (0..text.len())
                .map(|index| (numbered(index), Member::Unit(text.slice(index, index + 1))))
                .collect()
        }
        _ => Vec::new(),
    })
}

/// A value in the result of [`entries`].
#[derive(Clone, Debug)]
pub(crate) enum Member<'d> {
    /// A value of the document.
    Value(Value<'d>),
    /// One unit of a string.
    Unit(Utf16),
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    #[test]
    fn odd_values_become_what_javascript_makes_of_them() {
        let cases = [
            (r#""a😀""#, 3.0, f64::NAN, "a😀"),
            ("[1,null,[2]]", 3.0, f64::NAN, "1,,2"),
            (r#"{"length":7}"#, 7.0, f64::NAN, "[object Object]"),
            ("12.50", f64::NAN, 12.5, "12.5"),
            ("true", f64::NAN, 1.0, "true"),
            (r#""NaN""#, 3.0, f64::NAN, "NaN"),
        ];
        let same = |ours: f64, expected: f64| ours.to_bits() == expected.to_bits();
        for (json, long, summand, shown) in cases {
            let document = Document::parse(json).unwrap();
            let value = Some(document.root());
            assert!(same(length(value, "value").unwrap(), long), "{json}");
            assert!(same(number(value), summand), "{json}");
            assert_eq!(string(value).to_text(), shown, "{json}");
        }
        assert!(length(None, "value").is_err());
        assert_eq!(string(None).to_text(), "undefined");
        assert!(number(None).is_nan());
    }

    #[test]
    fn entries_are_those_of_objects_lists_and_strings() {
        for (json, keys) in
            [(r#"{"b":1,"1":2}"#, "1 b"), ("[7,8]", "0 1"), (r#""xyz""#, "0 1 2"), ("5", ""), ("true", "")]
        {
            let document = Document::parse(json).unwrap();
            let listed: Vec<String> = entries(Some(document.root()), "value")
                .unwrap()
                .iter()
                .map(|(key, _)| key.to_text())
                .collect();
            assert_eq!(listed.join(" "), keys, "{json}");
        }
        assert!(entries(None, "value").is_err());
    }
}
