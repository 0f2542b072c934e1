//! Python's notation: how long `repr` of a parsed JSON value is. TunaCode measures tool results that are no
//! strings by it (commit 41ae26a, `estimate_tokens(repr(content))`).

use super::unprintable::UNPRINTABLE;
use crate::json::{Kind, Text, Value, distinct_members, format_python};

/// The length, in code points, of `repr(json.loads(value))`.
pub(crate) fn repr_length(value: Value<'_>) -> u32 {
    u32::try_from(length(value)).unwrap_or(u32::MAX)
}

fn length(value: Value<'_>) -> usize {
    match value.kind() {
        // None, True
        Kind::Null | Kind::True => 4,
        // False
        Kind::False => 5,
        Kind::Number => number_length(value),
        Kind::Plain | Kind::Escaped => value.text().map_or(2, string_length),
        Kind::Array => {
            let (count, inside) =
                value.elements().fold((0_usize, 0), |(count, sum), item| (count + 1, sum + length(item)));
            2 + inside + 2 * count.saturating_sub(1)
        }
        Kind::Object => {
            let members = distinct_members(value);
            let inside: usize =
                members.iter().map(|(key, member)| string_length(*key) + 2 + length(*member)).sum();
            2 + inside + 2 * members.len().saturating_sub(1)
        }
    }
}

/// An integer of any size stays an integer; everything else is a float.
fn number_length(value: Value<'_>) -> usize {
    let source = value.source();
    if source == "-0" {
        1
    } else if source.contains(['.', 'e', 'E']) {
        format_python(value.number().unwrap_or(f64::NAN)).len()
    } else {
        source.len()
    }
}

/// Quotes are single unless the text has single quotes and no double ones.
fn string_length(text: Text<'_>) -> usize {
    let text = text.decode();
    let single_quoted = !text.contains('\'') || text.contains('"');
    let characters: usize = text
        .chars()
        .map(|character| match character {
            '\\' | '\n' | '\r' | '\t' => 2,
            '\'' if single_quoted => 2,
            other => printed_length(u32::from(other)),
        })
        .sum();
    2 + characters
}

fn printed_length(point: u32) -> usize {
    let after = UNPRINTABLE.partition_point(|(first, _)| *first <= point);
    let unprintable =
        after.checked_sub(1).and_then(|at| UNPRINTABLE.get(at)).is_some_and(|(_, last)| point <= *last);
    match point {
        _ if !unprintable => 1,
        // \xff, \uffff, \U0010ffff
        0..=0xFF => 4,
        0x100..=0xFFFF => 6,
        _ => 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[test]
    fn lengths_are_those_of_python() {
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
        ];
        for (json, python) in cases {
            let document = Document::parse(json).unwrap();
            assert_eq!(repr_length(document.root()) as usize, python.chars().count(), "{json}");
        }
    }
}
