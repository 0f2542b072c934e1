//! Strings as written in the source, and writing strings.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

use super::Origins;
use crate::length::{Length, Sampling};
use crate::walk::Walk;
use crate::written::{Piece, Pieces};

/// The text of a JSON string, escaped as in the source.
///
/// # Example
///
/// ```
/// let document = ebbline::json::Document::parse(r#""caf\u00e9 \ud83d\ude00""#)?;
/// let text = document.root().text().unwrap();
/// assert_eq!(text.length().utf16, 7);
/// assert_eq!(text.decode(), "café 😀");
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Text<'d> {
    raw: &'d str,
    escaped: bool,
    start: u32,
}

impl<'d> Text<'d> {
    pub(super) fn new(raw: &'d str, escaped: bool, start: u32) -> Self {
        Self { raw, escaped, start }
    }

    /// The bytes of the string in the source, including its quotes.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""ab""#)?;
    /// let text = document.root().text().unwrap();
    /// assert_eq!(text.span(), 0..4);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn span(self) -> Range<usize> {
        let start = self.start as usize;
        start.saturating_sub(1)..start + self.raw.len() + 1
    }

    /// The characters between the quotes, with escapes.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""a\u0062""#)?;
    /// let text = document.root().text().unwrap();
    /// assert_eq!(text.raw(), r"a\u0062");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn raw(self) -> &'d str {
        self.raw
    }

    /// Whether the text has no characters.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""""#)?;
    /// let text = document.root().text().unwrap();
    /// assert!(text.is_empty());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.raw.is_empty()
    }

    /// Whether the text contains only white space.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"" \t""#)?;
    /// let text = document.root().text().unwrap();
    /// assert!(text.is_blank());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn is_blank(self) -> bool {
        if self.escaped {
            self.pieces().all(|piece| match piece {
                Piece::Run(run) => run.trim().is_empty(),
                Piece::Character(character) => character.is_whitespace(),
                Piece::LoneSurrogate(_) => false,
            })
        } else {
            self.raw.trim().is_empty()
        }
    }

    /// Whether the unescaped text equals `other`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""a\u0062""#)?;
    /// let text = document.root().text().unwrap();
    /// assert!(text.is("ab"));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn is(self, other: &str) -> bool {
        if !self.escaped {
            return self.raw == other;
        }
        // An escape has at most six bytes, so a much longer text differs without being unescaped.
        self.raw.len() <= 6 * other.len() && self.decode() == other
    }

    /// The last `bytes` bytes of the text, if they contain no escapes and begin at a character.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""a\nbc""#)?;
    /// let text = document.root().text().unwrap();
    /// assert_eq!((text.plain_tail(2), text.plain_tail(4)), (Some("bc"), None));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn plain_tail(self, bytes: usize) -> Option<&'d str> {
        let tail = self.raw.get(self.raw.len().checked_sub(bytes)?..)?;
        (!self.escaped || !tail.contains('\\')).then_some(tail)
    }

    /// Whether the unescaped text begins with `prefix`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""a\u0062c""#)?;
    /// let text = document.root().text().unwrap();
    /// assert!(text.starts_with("ab"));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn starts_with(self, prefix: &str) -> bool {
        if !self.escaped {
            return self.raw.starts_with(prefix);
        }
        let mut rest = prefix;
        for piece in self.pieces() {
            let left = match piece {
                _ if rest.is_empty() => return true,
                Piece::Run(run) if run.len() >= rest.len() => return run.starts_with(rest),
                Piece::Run(run) => rest.strip_prefix(run),
                Piece::Character(character) => rest.strip_prefix(character),
                Piece::LoneSurrogate(_) => rest.strip_prefix(char::REPLACEMENT_CHARACTER),
            };
            match left {
                Some(left) => rest = left,
                None => return false,
            }
        }
        rest.is_empty()
    }

    /// The text after `prefix`, if it begins with `prefix` and writes that without escapes.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""abc""#)?;
    /// let text = document.root().text().unwrap();
    /// assert!(text.strip_prefix("ab").is_some_and(|rest| rest.is("c")));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn strip_prefix(self, prefix: &str) -> Option<Self> {
        let raw = self.raw.strip_prefix(prefix)?;
        Some(Self { raw, start: self.start + prefix.len() as u32, ..self })
    }

    /// The length of the unescaped text. An unpaired surrogate counts as one UTF-16 unit, one code point and three
    /// bytes, which is the length of the replacement character that it becomes.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""\u00e9""#)?;
    /// let text = document.root().text().unwrap();
    /// assert_eq!((text.length().utf16, text.length().bytes), (1, 2));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn length(self) -> Length {
        self.measured(Sampling::Text)
    }

    /// The same length for the text of a call's arguments: more of it is read for the classes of JSON.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""{\"path\": \"src\"}""#)?;
    /// let text = document.root().text().unwrap();
    /// assert_eq!(text.length_of_arguments(), text.length());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn length_of_arguments(self) -> Length {
        self.measured(Sampling::Arguments)
    }

    /// The same length, with the classes of JSON as for a string of JSON.
    pub(super) fn length_in_json(self) -> Length {
        self.measured(Sampling::Json)
    }

    fn measured(self, sampling: Sampling) -> Length {
        Length::measured(&Walk::new(self.raw, self.escaped), sampling)
    }

    /// The unescaped text; unpaired surrogates become U+FFFD.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""a\u0062 \ud800""#)?;
    /// let text = document.root().text().unwrap();
    /// assert_eq!(text.decode(), "ab \u{fffd}");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn decode(self) -> Cow<'d, str> {
        if !self.escaped {
            return Cow::Borrowed(self.raw);
        }
        let mut decoded = String::with_capacity(self.raw.len());
        for piece in self.pieces() {
            match piece {
                Piece::Run(run) => decoded.push_str(run),
                Piece::Character(character) => decoded.push(character),
                Piece::LoneSurrogate(_) => decoded.push(char::REPLACEMENT_CHARACTER),
            }
        }
        Cow::Owned(decoded)
    }

    /// The unescaped text, and the origins of its bytes in the source.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""a\u0062c""#)?;
    /// let text = document.root().text().unwrap();
    /// let (decoded, origins) = text.decode_placed();
    /// assert_eq!((decoded.as_str(), origins.of(&(2..3))), ("abc", 8..9));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn decode_placed(self) -> (String, Origins) {
        let mut decoded = String::with_capacity(self.raw.len());
        let mut origins = Origins::default();
        let mut pieces = self.pieces();
        loop {
            let at = self.start as usize + self.raw.len() - pieces.rest.len();
            origins.begin(decoded.len(), at);
            match pieces.next() {
                Some(Piece::Run(run)) => decoded.push_str(run),
                Some(Piece::Character(character)) => decoded.push(character),
                Some(Piece::LoneSurrogate(_)) => decoded.push(char::REPLACEMENT_CHARACTER),
                None => return (decoded, origins),
            }
        }
    }

    /// The start of the text, after its opening quote.
    pub(super) fn start(self) -> u32 {
        self.start
    }

    /// Whether JavaScript and Python consider both texts equal; texts that differ in unpaired surrogates are
    /// different.
    pub(super) fn equals(self, other: Self) -> bool {
        if self.escaped || other.escaped {
            self.compare(other) == Ordering::Equal
        } else {
            self.raw == other.raw
        }
    }

    /// The order of two texts by code points, including unpaired surrogates.
    pub(super) fn compare(self, other: Self) -> Ordering {
        if self.escaped || other.escaped {
            self.code_points().cmp(other.code_points())
        } else {
            self.raw.cmp(other.raw)
        }
    }

    /// The code points of the unescaped text, including unpaired surrogates.
    fn code_points(self) -> impl Iterator<Item = u32> {
        let (plain, pieces) =
            if self.escaped { ("", Pieces { rest: self.raw }) } else { (self.raw, Pieces { rest: "" }) };
        let unescaped = pieces.flat_map(|piece| {
            let (run, one) = match piece {
                Piece::Run(run) => (run, None),
                Piece::Character(character) => ("", Some(u32::from(character))),
                Piece::LoneSurrogate(unit) => ("", Some(u32::from(unit))),
            };
            run.chars().map(u32::from).chain(one)
        });
        plain.chars().map(u32::from).chain(unescaped)
    }

    /// Bytes that only an equal text has: its UTF-8, with unpaired surrogates encoded like characters. JavaScript and
    /// Python distinguish keys that only differ in these.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""\ud800""#)?;
    /// let text = document.root().text().unwrap();
    /// assert_eq!(*text.identity(), [0xed, 0xa0, 0x80]);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn identity(self) -> Cow<'d, [u8]> {
        if !self.escaped {
            return Cow::Borrowed(self.raw.as_bytes());
        }
        let mut bytes = Vec::with_capacity(self.raw.len());
        for piece in self.pieces() {
            match piece {
                Piece::Run(run) => bytes.extend_from_slice(run.as_bytes()),
                Piece::Character(character) => {
                    bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                Piece::LoneSurrogate(unit) => {
                    let [high, low] = unit.to_be_bytes();
                    bytes.extend([0xED, 0x80 | ((high & 0x0F) << 2) | (low >> 6), 0x80 | (low & 0x3F)]);
                }
            }
        }
        Cow::Owned(bytes)
    }

    /// Calls `take` with every UTF-16 unit of the unescaped text, including unpaired surrogates.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#""\ud800""#)?;
    /// let text = document.root().text().unwrap();
    /// let mut units = Vec::new();
    /// text.each_unit(|unit| units.push(unit));
    /// assert_eq!(units, [0xd800]);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn each_unit(self, mut take: impl FnMut(u16)) {
        for piece in self.pieces() {
            match piece {
                Piece::Run(run) => run.encode_utf16().for_each(&mut take),
                Piece::Character(character) => {
                    character.encode_utf16(&mut [0; 2]).iter().copied().for_each(&mut take);
                }
                Piece::LoneSurrogate(unit) => take(unit),
            }
        }
    }

    fn pieces(self) -> Pieces<'d> {
        Pieces { rest: self.raw }
    }
}

/// `text` as a JSON string with its quotes, with as few escapes as possible.
///
/// # Example
///
/// ```
/// assert_eq!(ebbline::json::quote("a \"b\""), r#""a \"b\"""#);
/// ```
#[must_use]
pub fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            control if (control as u32) < 0x20 => {
                quoted.push_str("\\u00");
                for shift in [4, 0] {
                    quoted.push(char::from_digit((control as u32 >> shift) & 0xF, 16).unwrap_or('0'));
                }
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    fn read(source: &str) -> (String, Length) {
        let document = Document::parse(source).unwrap();
        let text = document.root().text().unwrap();
        (text.decode().into_owned(), text.length())
    }

    #[test]
    fn escapes_are_measured_as_what_they_stand_for() {
        let cases = [
            (r#""""#, ""),
            (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
            (r#""a\u0041\u00e9\u65e5b""#, "aAé日b"),
            (r#""\ud83d\ude00!""#, "😀!"),
        ];
        for (source, expected) in cases {
            let (text, length) = read(source);
            assert_eq!(text, expected);
            assert_eq!(length, Length::of(expected), "{source}");
        }
    }

    #[test]
    fn unpaired_surrogates_are_counted_as_javascript_counts_them() {
        for (source, units) in [
            (r#""\ud83d""#, 1),
            (r#""\ude00\ud83d""#, 2),
            (r#""\ud83dx""#, 2),
            (r#""\ud83d\ud83d\ude00""#, 3),
        ] {
            assert_eq!(read(source).1.utf16, units, "{source}");
        }
        assert_eq!(read(r#""a\ud83d""#).0, "a\u{fffd}");
    }

    #[test]
    fn a_text_is_compared_as_what_it_stands_for() {
        let document = Document::parse(r#"["\u0061b\u00e9c", "plain", "\ud83d"]"#).unwrap();
        let texts: Vec<_> = document.root().elements().filter_map(crate::json::Value::text).collect();
        for (index, prefix, begins) in [
            (0, "", true),
            (0, "a", true),
            (0, "abéc", true),
            (0, "abé", true),
            (0, "abécd", false),
            (0, "ac", false),
            (1, "pl", true),
            (1, "b", false),
            (2, "\u{fffd}", true),
            (2, "x", false),
        ] {
            assert_eq!(texts[index].starts_with(prefix), begins, "{prefix}");
            assert_eq!(texts[index].is(prefix), texts[index].decode() == prefix, "{prefix}");
        }
    }

    #[test]
    fn what_is_quoted_reads_back() {
        for text in ["", "plain", "q\" b\\ n\n r\r t\t \u{0}\u{1f}\u{7f} é 😀 \u{2028}"] {
            assert_eq!(read(&quote(text)).0, text);
        }
    }
}
