//! Measuring, cutting and stripping texts as Python does: by code point.

use crate::json::Text;
use crate::notation::javascript::Utf16;

/// What Python computes for a text differently from JavaScript. An unpaired surrogate is one code point.
pub trait CodePoints {
    /// Python's `len`.
    fn code_points(&self) -> usize;
    /// The first `count` code points: Python's `text[:count]`.
    #[must_use]
    fn first_code_points(&self, count: usize) -> Self;
}

impl CodePoints for Utf16 {
    fn code_points(&self) -> usize {
        points(self).count()
    }

    fn first_code_points(&self, count: usize) -> Self {
        self.slice(0, points(self).take(count).sum())
    }
}

/// The UTF-16 units of each code point.
fn points(text: &Utf16) -> impl Iterator<Item = usize> {
    char::decode_utf16(text.units().iter().copied()).map(|point| point.map_or(1, char::len_utf16))
}

/// Removes white space from both ends: Python's `strip`.
///
/// # Example
///
/// ```
/// use ebbline::notation::javascript::Utf16;
/// assert_eq!(ebbline::notation::python::strip(&Utf16::from(" a\n")).to_text(), "a");
/// ```
#[must_use]
pub fn strip(text: &Utf16) -> Utf16 {
    let units = text.units();
    let start = units.iter().take_while(|unit| is_space(**unit)).count();
    let end = units.len() - units.iter().rev().take_while(|unit| is_space(**unit)).count();
    text.slice(start, end)
}

/// Whether a text contains only white space: Python's `not text.strip()`.
///
/// # Example
///
/// ```
/// use ebbline::json::Document;
/// let document = Document::parse(r#"" \n""#)?;
/// assert!(ebbline::notation::python::is_blank(document.root().text().unwrap()));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn is_blank(text: Text<'_>) -> bool {
    let mut blank = true;
    text.each_unit(|unit| blank &= is_space(unit));
    blank
}

/// Python's `str.isspace`: Unicode's white space and the four separators U+001C to U+001F.
fn is_space(unit: u16) -> bool {
    (0x1C..=0x1F).contains(&unit) || char::from_u32(u32::from(unit)).is_some_and(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_points_are_counted_and_never_split() {
        let text = Utf16::from("a😀b");
        assert_eq!(text.code_points(), 3);
        assert_eq!(text.first_code_points(2), Utf16::from("a😀"));
        assert_eq!(text.first_code_points(9), text);
        assert_eq!(text.slice(0, 2).code_points(), 2, "half a pair is a code point of its own");
    }

    #[test]
    fn stripping_takes_what_python_takes_for_space() {
        for (text, stripped) in
            [("\u{1c}\u{85} a \u{3000}\n", "a"), ("\u{feff}a\u{200b}", "\u{feff}a\u{200b}"), (" \t ", "")]
        {
            assert_eq!(strip(&Utf16::from(text)), Utf16::from(stripped), "{text:?}");
        }
    }
}
