//! Text and JSON as a JavaScript program stores and writes them: UTF-16 units, including unpaired surrogates.
//!
//! pi and OpenCode count, cut and compare text in UTF-16 units, and measure values by what `JSON.stringify` writes.
//! If such a system cuts a text in the middle of a surrogate pair, so does this module.

use std::fmt::Write as _;

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::json::{Kind, Text, Value, distinct_members, format_js};
use crate::order::sort_by;

/// A JavaScript string.
///
/// # Example
///
/// ```
/// use ebbline::notation::javascript::Utf16;
/// let text = Utf16::from("a😀");
/// assert_eq!(text.len(), 3);
/// assert_eq!(text.slice(0, 2).to_json(), r#""a\ud83d""#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Utf16(Vec<u16>);

impl From<&str> for Utf16 {
    fn from(text: &str) -> Self {
        Self(text.encode_utf16().collect())
    }
}

impl From<&[u16]> for Utf16 {
    fn from(units: &[u16]) -> Self {
        Self(units.to_vec())
    }
}

impl From<Text<'_>> for Utf16 {
    fn from(text: Text<'_>) -> Self {
        let mut units = Self::default();
        units.push_text(text);
        units
    }
}

impl Utf16 {
    /// The number of UTF-16 units: JavaScript's `length`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::notation::javascript::Utf16;
    /// assert_eq!(Utf16::from("😀").len(), 2);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the string is empty.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::notation::javascript::Utf16;
    /// assert!(Utf16::from("").is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The units.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::notation::javascript::Utf16;
    /// assert_eq!(Utf16::from("a").units(), [0x61]);
    /// ```
    #[must_use]
    pub fn units(&self) -> &[u16] {
        &self.0
    }

    /// Appends a text.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::notation::javascript::Utf16;
    /// let mut text = Utf16::from("a");
    /// text.push_str("b");
    /// assert_eq!(text.to_text(), "ab");
    /// ```
    pub fn push_str(&mut self, text: &str) {
        self.0.extend(text.encode_utf16());
    }

    /// Appends the text of a JSON document.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::notation::javascript::Utf16;
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""b""#)?;
    /// let mut text = Utf16::from("a");
    /// text.push_text(document.root().text().unwrap());
    /// assert_eq!(text.to_text(), "ab");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn push_text(&mut self, text: Text<'_>) {
        text.each_unit(|unit| self.0.push(unit));
    }

    /// Appends a JavaScript string.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::notation::javascript::Utf16;
    /// let mut text = Utf16::from("a");
    /// text.push(&Utf16::from("b"));
    /// assert_eq!(text.to_text(), "ab");
    /// ```
    pub fn push(&mut self, other: &Self) {
        self.0.extend_from_slice(&other.0);
    }

    /// The units from `start` to `end`, both limited to the length: JavaScript's `slice` with non-negative positions.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::notation::javascript::Utf16;
    /// assert_eq!(Utf16::from("abc").slice(1, 9).to_text(), "bc");
    /// ```
    #[must_use]
    pub fn slice(&self, start: usize, end: usize) -> Self {
        let end = end.min(self.0.len());
        Self(self.0.get(start.min(end)..end).unwrap_or_default().to_vec())
    }

    /// The strings joined by `separator`: JavaScript's `join`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::notation::javascript::Utf16;
    /// assert_eq!(Utf16::join(&[Utf16::from("a"), Utf16::from("b")], ", ").to_text(), "a, b");
    /// ```
    #[must_use]
    pub fn join(parts: &[Self], separator: &str) -> Self {
        let mut joined = Self::default();
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                joined.push_str(separator);
            }
            joined.push(part);
        }
        joined
    }

    /// Removes white space from both ends: JavaScript's `trim`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::notation::javascript::Utf16;
    /// assert_eq!(Utf16::from(" a\n").trim().to_text(), "a");
    /// ```
    #[must_use]
    pub fn trim(&self) -> Self {
        let is_space = |unit: &u16| is_white_space(*unit);
        let start = self.0.iter().take_while(|unit| is_space(unit)).count();
        let end = self.0.len() - self.0.iter().rev().take_while(|unit| is_space(unit)).count();
        self.slice(start, end)
    }

    /// Converts to Unicode text; an unpaired surrogate becomes U+FFFD.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::notation::javascript::Utf16;
    /// assert_eq!(Utf16::from("😀").slice(0, 1).to_text(), "\u{fffd}");
    /// ```
    #[must_use]
    pub fn to_text(&self) -> String {
        String::from_utf16_lossy(&self.0)
    }

    /// Converts to a JSON string with its quotes, as `JSON.stringify` writes it: an unpaired surrogate is escaped.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::notation::javascript::Utf16;
    /// assert_eq!(Utf16::from("😀").slice(0, 1).to_json(), r#""\ud83d""#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = String::with_capacity(self.0.len() + 2);
        json.push('"');
        for unit in char::decode_utf16(self.0.iter().copied()) {
            match unit {
                Ok(character) => push_escaped(&mut json, character),
                Err(lone) => {
                    let _ = write!(json, "\\u{:04x}", lone.unpaired_surrogate());
                }
            }
        }
        json.push('"');
        json
    }
}

impl Serialize for Utf16 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.to_json()).map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// A JavaScript number. In JSON, numbers that JSON cannot represent are the names `NaN`, `Infinity` and `-Infinity`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Number(pub f64);

impl Number {
    /// Reads a number, or the name of one that JSON cannot represent; `None` for other values.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::notation::javascript::Number;
    /// let document = ebbline::json::Document::parse(r#"[0.5, "-Infinity", "many"]"#)?;
    /// let numbers: Vec<_> = document.root().elements().map(Number::read).collect();
    /// assert_eq!(numbers, [Some(Number(0.5)), Some(Number(f64::NEG_INFINITY)), None]);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn read(value: Value<'_>) -> Option<Self> {
        let named = || match value.text()?.raw() {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        };
        value.number().or_else(named).map(Self)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(number) = *self;
        if number.is_nan() {
            serializer.serialize_str("NaN")
        } else if number.is_infinite() {
            serializer.serialize_str(if number > 0.0 { "Infinity" } else { "-Infinity" })
        } else if number.fract() == 0.0 && number.abs() < 9e15 {
            serializer.serialize_i64(number as i64)
        } else {
            serializer.serialize_f64(number)
        }
    }
}

/// What `JSON.stringify(JSON.parse(value))` writes: keys that look like array indices come first and in numerical
/// order, a repeated key has its last value in its first place, and numbers are written as in JavaScript.
///
/// # Example
///
/// ```
/// use ebbline::json::Document;
/// let document = Document::parse(r#"{"b": 1.0, "1": 2}"#)?;
/// assert_eq!(ebbline::notation::javascript::stringify(document.root()).to_text(), r#"{"1":2,"b":1}"#);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn stringify(value: Value<'_>) -> Utf16 {
    let mut written = Utf16::default();
    write_value(&mut written, value);
    written
}

/// The number of UTF-16 units that [`stringify()`] writes, computed without writing them.
///
/// # Example
///
/// ```
/// use ebbline::json::Document;
/// let document = Document::parse(r#"[1.0, 2]"#)?;
/// assert_eq!(ebbline::notation::javascript::stringified_length(document.root()), 5);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn stringified_length(value: Value<'_>) -> usize {
    let separated = |count: usize, inside: usize| inside + 2 + count.saturating_sub(1);
    match value.kind() {
        Kind::Null | Kind::True => 4,
        Kind::False => 5,
        Kind::Number => format_js(value.number().unwrap_or(f64::NAN)).len(),
        Kind::Plain | Kind::Escaped => value.text().map_or(0, quoted_length),
        Kind::Array => {
            let (count, inside) = value
                .elements()
                .fold((0, 0), |(count, sum), element| (count + 1, sum + stringified_length(element)));
            separated(count, inside)
        }
        Kind::Object => {
            let (count, inside) = distinct_members(value).fold((0, 0), |(count, sum), (key, member)| {
                (count + 1, sum + quoted_length(key) + 1 + stringified_length(member))
            });
            separated(count, inside)
        }
    }
}

/// The number of units of a text as a JSON string. The halves of a surrogate pair may be two escapes in the text.
fn quoted_length(text: Text<'_>) -> usize {
    // Except for these two, an escape is as long as the one that JavaScript writes.
    if !text.raw().contains("\\u") && !text.raw().contains("\\/") {
        return 2 + crate::Length::in_one_unit(text.raw(), crate::Unit::Utf16).utf16 as usize;
    }
    let (mut length, mut high) = (2, false);
    text.each_unit(|unit| {
        let is_low = (0xDC00..0xE000).contains(&unit);
        if high {
            // The first half was counted as unpaired.
            length -= if is_low { 5 } else { 0 };
        }
        length += match unit {
            0x22 | 0x5C | 0x8 | 0x9 | 0xA | 0xC | 0xD => 2,
            0..0x20 | 0xD800..0xDC00 => 6,
            0xDC00..0xE000 if !high => 6,
            _ => 1,
        };
        high = (0xD800..0xDC00).contains(&unit);
    });
    length
}

fn write_value(out: &mut Utf16, value: Value<'_>) {
    match value.kind() {
        Kind::Null => out.push_str("null"),
        Kind::True => out.push_str("true"),
        Kind::False => out.push_str("false"),
        Kind::Number => out.push_str(&format_js(value.number().unwrap_or(f64::NAN))),
        Kind::Plain | Kind::Escaped => {
            if let Some(text) = value.text() {
                out.push_str(&Utf16::from(text).to_json());
            }
        }
        Kind::Array => {
            out.push_str("[");
            for (index, element) in value.elements().enumerate() {
                if index > 0 {
                    out.push_str(",");
                }
                write_value(out, element);
            }
            out.push_str("]");
        }
        Kind::Object => {
            out.push_str("{");
            for (index, (key, member)) in members(value).into_iter().enumerate() {
                if index > 0 {
                    out.push_str(",");
                }
                out.push_str(&Utf16::from(key).to_json());
                out.push_str(":");
                write_value(out, member);
            }
            out.push_str("}");
        }
    }
}

/// The members of an object in the order in which JavaScript enumerates them.
///
/// # Example
///
/// ```
/// use ebbline::json::Document;
/// let document = Document::parse(r#"{"b": 1, "1": 2}"#)?;
/// let first = ebbline::notation::javascript::members(document.root())[0].0;
/// assert!(first.is("1"));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn members(object: Value<'_>) -> Vec<(Text<'_>, Value<'_>)> {
    let last: Vec<_> = distinct_members(object).collect();
    // A repeated key keeps its first place and gets its last value.
    let mut ordered: Vec<(Text<'_>, Value<'_>)> = Vec::with_capacity(last.len());
    let mut seen = std::collections::HashSet::with_capacity(last.len());
    let values: std::collections::HashMap<_, _> =
        last.iter().map(|(key, value)| (key.identity(), *value)).collect();
    for (key, value) in object.members() {
        if seen.insert(key.identity()) {
            ordered.push((key, values.get(&key.identity()).copied().unwrap_or(value)));
        }
    }
    let (mut indices, named): (Vec<_>, Vec<_>) =
        ordered.into_iter().partition(|(key, _)| array_index(*key).is_some());
    sort_by(&mut indices, &|one, other| array_index(one.0).cmp(&array_index(other.0)));
    indices.extend(named);
    indices
}

/// The number of a key that JavaScript considers an array index: a canonical integer below 2³² - 1.
fn array_index(key: Text<'_>) -> Option<u32> {
    let key = key.decode();
    let is_canonical = key.bytes().all(|byte| byte.is_ascii_digit()) && (key == "0" || !key.starts_with('0'));
    key.parse::<u32>().ok().filter(|index| is_canonical && *index < u32::MAX)
}

/// White space and line terminators of ECMA-262.
///
/// # Example
///
/// ```
/// use ebbline::notation::javascript::is_white_space;
/// assert!(is_white_space(0xfeff) && !is_white_space(0x61));
/// ```
#[must_use]
pub fn is_white_space(unit: u16) -> bool {
    matches!(unit, 0x9..=0xD | 0x20 | 0xA0 | 0x1680 | 0x2000..=0x200A | 0x2028 | 0x2029 | 0x202F | 0x205F | 0x3000 | 0xFEFF)
}

fn push_escaped(json: &mut String, character: char) {
    match character {
        '"' => json.push_str("\\\""),
        '\\' => json.push_str("\\\\"),
        '\u{8}' => json.push_str("\\b"),
        '\u{c}' => json.push_str("\\f"),
        '\n' => json.push_str("\\n"),
        '\r' => json.push_str("\\r"),
        '\t' => json.push_str("\\t"),
        control if (control as u32) < 0x20 => {
            let _ = write!(json, "\\u{:04x}", control as u32);
        }
        other => json.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[test]
    fn values_are_written_as_javascript_writes_them() {
        let cases = [
            (r#" { "b" : 1.0 , "a" : [ ] } "#, r#"{"b":1,"a":[]}"#),
            (
                r#"{"b":1,"10":2,"2":3,"01":4,"4294967295":5}"#,
                r#"{"2":3,"10":2,"b":1,"01":4,"4294967295":5}"#,
            ),
            (r#"{"k":1,"j":2,"k":3}"#, r#"{"k":3,"j":2}"#),
            (r#"{"\ud83d":1,"\ude00":2,"\ud83d":3}"#, r#"{"\ud83d":3,"\ude00":2}"#),
            (r#""\u0008\u000c\u001f\u007f\/\u65e5""#, "\"\\b\\f\\u001f\u{7f}/日\""),
            (r#""\ud83d x \ud83d\ude00""#, r#""\ud83d x 😀""#),
            ("[1e21,-0,12345678901234567890]", "[1e+21,0,12345678901234567000]"),
        ];
        for (source, expected) in cases {
            let document = Document::parse(source).unwrap();
            assert_eq!(stringify(document.root()).to_text(), expected, "{source}");
            assert_eq!(stringified_length(document.root()), Utf16::from(expected).len(), "{source}");
        }
    }

    #[test]
    fn a_cut_surrogate_pair_survives_as_json() {
        let text = Utf16::from("x😀y");
        assert_eq!(text.slice(0, 2).to_json(), r#""x\ud83d""#);
        assert_eq!(serde_json::to_string(&text.slice(2, 9)).unwrap(), r#""\ude00y""#);
        assert_eq!(text.slice(5, 2), Utf16::default());
    }

    #[test]
    fn trimming_takes_javascript_white_space_only() {
        assert_eq!(Utf16::from("\u{feff}\u{2028} a \u{85}\n").trim().to_text(), "a \u{85}");
    }
}
