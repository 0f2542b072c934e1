//! Python's notation: what `repr` prints for a parsed JSON value, and its length. TunaCode measures tool results that
//! are not strings by it (commit 41ae26a, `estimate_tokens(repr(content))`).

use super::unprintable::UNPRINTABLE;
use crate::json::{Kind, Text, Value, distinct_members, format_python};

/// The length, in code points, of `repr(json.loads(value))`.
///
/// # Example
///
/// ```
/// use ebbline::json::Document;
/// let document = Document::parse(r#"[true, "a"]"#)?;
/// assert_eq!(ebbline::notation::python::repr_length(document.root()), "[True, 'a']".len() as u32);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn repr_length(value: Value<'_>) -> u32 {
    let mut length = 0_u32;
    write_value(value, &mut |_| length = length.saturating_add(1));
    length
}

/// `repr` of a text.
///
/// # Example
///
/// ```
/// use ebbline::json::Document;
/// let document = Document::parse(r#""it's""#)?;
/// assert_eq!(ebbline::notation::python::repr_text(document.root().text().unwrap()), r#""it's""#);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn repr_text(text: Text<'_>) -> String {
    let mut printed = String::new();
    write_string(text, &mut |character| printed.push(character));
    printed
}

/// Calls `put` with each character of a value's notation.
fn write_value(value: Value<'_>, put: &mut dyn FnMut(char)) {
    match value.kind() {
        Kind::Null => write_all("None", put),
        Kind::True => write_all("True", put),
        Kind::False => write_all("False", put),
        Kind::Number => write_number(value, put),
        Kind::Plain | Kind::Escaped => {
            if let Some(text) = value.text() {
                write_string(text, put);
            }
        }
        Kind::Array => {
            put('[');
            for (index, element) in value.elements().enumerate() {
                if index > 0 {
                    write_all(", ", put);
                }
                write_value(element, put);
            }
            put(']');
        }
        Kind::Object => {
            put('{');
            for (index, (key, member)) in distinct_members(value).enumerate() {
                if index > 0 {
                    write_all(", ", put);
                }
                write_string(key, put);
                write_all(": ", put);
                write_value(member, put);
            }
            put('}');
        }
    }
}

fn write_all(text: &str, put: &mut dyn FnMut(char)) {
    text.chars().for_each(put);
}

/// An integer of any size stays an integer; other numbers are floats.
fn write_number(value: Value<'_>, put: &mut dyn FnMut(char)) {
    let source = value.source();
    if source == "-0" {
        put('0');
    } else if source.contains(['.', 'e', 'E']) {
        write_all(&format_python(value.number().unwrap_or(f64::NAN)), put);
    } else {
        write_all(source, put);
    }
}

/// The quotes are single unless the text contains single quotes and no double quotes.
fn write_string(text: Text<'_>, put: &mut dyn FnMut(char)) {
    let (mut units, mut singles, mut doubles) = (Vec::new(), false, false);
    text.each_unit(|unit| {
        singles |= unit == u16::from(b'\'');
        doubles |= unit == u16::from(b'"');
        units.push(unit);
    });
    let quote = if singles && !doubles { '"' } else { '\'' };
    put(quote);
    for point in char::decode_utf16(units) {
        match point {
            Ok('\n') => write_all("\\n", put),
            Ok('\r') => write_all("\\r", put),
            Ok('\t') => write_all("\\t", put),
            Ok(character) => {
                if character == '\\' || character == quote {
                    put('\\');
                }
                write_character(u32::from(character), Some(character), put);
            }
            Err(lone) => write_character(u32::from(lone.unpaired_surrogate()), None, put),
        }
    }
    put(quote);
}

/// A character unchanged, or escaped if Python does not print it: `\xff`, `\uffff`, `\U0010ffff`.
fn write_character(point: u32, character: Option<char>, put: &mut dyn FnMut(char)) {
    let after = UNPRINTABLE.partition_point(|(first, _)| *first <= point);
    let unprintable =
        after.checked_sub(1).and_then(|at| UNPRINTABLE.get(at)).is_some_and(|(_, last)| point <= *last);
    match (character, point) {
        (Some(character), _) if !unprintable => put(character),
        (_, 0..=0xFF) => write_all(&format!("\\x{point:02x}"), put),
        (_, 0x100..=0xFFFF) => write_all(&format!("\\u{point:04x}"), put),
        _ => write_all(&format!("\\U{point:08x}"), put),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[test]
    fn values_are_printed_as_python_prints_them() {
        // Expected texts were printed by Python 3.11.
        let cases = [
            (r#"{"a": [1, null, true, "x'y"], "n": 1.5}"#, r#"{'a': [1, None, True, "x'y"], 'n': 1.5}"#),
            (r#"["a", {"b": false}]"#, "['a', {'b': False}]"),
            (r#"{"q": "both ' and \""}"#, r#"{'q': 'both \' and "'}"#),
            (r#""line\nbreak\ttab\\ é 😀 \u200b \u001b""#, r"'line\nbreak\ttab\\ é 😀 \u200b \x1b'"),
            (
                "[1e5, 1.0, -0, -0.0, 1e21, 123456789012345678901234567890]",
                "[100000.0, 1.0, 0, -0.0, 1e+21, 123456789012345678901234567890]",
            ),
            (r#"{"k": 1, "k": "two"}"#, "{'k': 'two'}"),
            ("[]", "[]"),
            ("{}", "{}"),
            (r#""\udb80\udc00\u00ad""#, r"'\U000f0000\xad'"),
            (r#""\ud83d""#, r"'\ud83d'"),
        ];
        for (json, python) in cases {
            let document = Document::parse(json).unwrap();
            let mut printed = String::new();
            write_value(document.root(), &mut |character| printed.push(character));
            assert_eq!(printed, python, "{json}");
            assert_eq!(repr_length(document.root()) as usize, python.chars().count(), "{json}");
        }
    }
}
