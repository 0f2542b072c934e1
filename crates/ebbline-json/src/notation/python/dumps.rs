//! `json.dumps(value, sort_keys=True)`: keys sorted by code point, everything beyond ASCII escaped, integers
//! unchanged and floats as `repr` writes them.

use std::fmt::Write as _;

use crate::json::{Kind, Text, Value, distinct_members, format_python};
use crate::order::sort_by;

/// What Python writes for `json.dumps(json.loads(value), sort_keys=True)`.
///
/// The last of repeated keys counts; an unpaired surrogate is escaped like any other unit.
///
/// # Example
///
/// ```
/// use ebbline::json::Document;
/// let document = Document::parse(r#"{"b":1,"a":[]}"#)?;
/// assert_eq!(ebbline::notation::python::dumps_sorted(document.root()), r#"{"a": [], "b": 1}"#);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn dumps_sorted(value: Value<'_>) -> String {
    let mut json = String::new();
    write_value(&mut json, value);
    json
}

fn write_value(out: &mut String, value: Value<'_>) {
    match value.kind() {
        Kind::Null => out.push_str("null"),
        Kind::True => out.push_str("true"),
        Kind::False => out.push_str("false"),
        Kind::Number => write_number(out, value),
        Kind::Plain | Kind::Escaped => {
            if let Some(text) = value.text() {
                write_string(out, text);
            }
        }
        Kind::Array => {
            out.push('[');
            for (index, element) in value.elements().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_value(out, element);
            }
            out.push(']');
        }
        Kind::Object => {
            let mut members: Vec<_> =
                distinct_members(value).map(|(key, member)| (code_points(key), key, member)).collect();
            sort_by(&mut members, &|one, other| one.0.cmp(&other.0));
            out.push('{');
            for (index, (_, key, member)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_string(out, key);
                out.push_str(": ");
                write_value(out, member);
            }
            out.push('}');
        }
    }
}

/// Python compares texts by code point, which differs from the order of UTF-16 for characters beyond U+FFFF.
fn code_points(text: Text<'_>) -> Vec<u32> {
    let mut units = Vec::new();
    text.each_unit(|unit| units.push(unit));
    char::decode_utf16(units)
        .map(|point| point.map_or_else(|lone| u32::from(lone.unpaired_surrogate()), u32::from))
        .collect()
}

fn write_number(out: &mut String, value: Value<'_>) {
    let source = value.source();
    let number = value.number().unwrap_or(f64::NAN);
    if !source.contains(['.', 'e', 'E']) {
        // An integer keeps its digits, but Python has no negative zero integer.
        out.push_str(if source == "-0" { "0" } else { source });
    } else if number.is_finite() {
        out.push_str(&format_python(number));
    } else {
        out.push_str(if number > 0.0 { "Infinity" } else { "-Infinity" });
    }
}

fn write_string(out: &mut String, text: Text<'_>) {
    out.push('"');
    text.each_unit(|unit| match unit {
        0x22 => out.push_str("\\\""),
        0x5C => out.push_str("\\\\"),
        0x08 => out.push_str("\\b"),
        0x0C => out.push_str("\\f"),
        0x0A => out.push_str("\\n"),
        0x0D => out.push_str("\\r"),
        0x09 => out.push_str("\\t"),
        // Space to tilde.
        0x20..=0x7E => out.push(char::from(unit as u8)),
        other => {
            let _ = write!(out, "\\u{other:04x}");
        }
    });
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[test]
    fn values_are_written_as_python_writes_them() {
        // Expected texts were printed by Python 3.11.
        let cases = [
            (r#"{"b":1,"a":[2.0,null,true,false]}"#, r#"{"a": [2.0, null, true, false], "b": 1}"#),
            (
                "[1e5,1e16,-0,-0.0,123456789012345678901,1e400,-1E400]",
                "[100000.0, 1e+16, 0, -0.0, 123456789012345678901, Infinity, -Infinity]",
            ),
            (r#"{"k":1,"j":{},"k":[]}"#, r#"{"j": {}, "k": []}"#),
            (r#"{"\ud83d\ude00":1,"\uffee":2,"Z":3}"#, r#"{"Z": 3, "\uffee": 2, "\ud83d\ude00": 1}"#),
            ("\"\u{7f}\\u001b\\n\\/ \u{e9}\"", r#""\u007f\u001b\n/ \u00e9""#),
            (r#""\ud83d""#, r#""\ud83d""#),
        ];
        for (json, python) in cases {
            let document = Document::parse(json).unwrap();
            assert_eq!(dumps_sorted(document.root()), python, "{json}");
        }
    }
}
