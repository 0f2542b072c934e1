//! JSON Lines: splitting a text into lines.

use std::ops::Range;

use crate::block::{self, Block};

/// One line of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Counted from 1.
    pub number: usize,
    /// Its bytes, without the line break.
    pub range: Range<usize>,
}

/// Splits `source` at `\n` only and removes a `\r` before it; blank lines are skipped.
///
/// A Unicode line splitter would be wrong: U+2028, U+2029 and U+0085 are legal inside JSON strings.
///
/// # Example
///
/// ```
/// assert_eq!(ebbline::json::lines("{}\r\n\n[]\n").count(), 2);
/// ```
pub fn lines(source: &str) -> impl Iterator<Item = Line> + '_ {
    let mut start = 0;
    let mut number = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = source.get(start..).filter(|rest| !rest.is_empty())?;
            let from = start;
            let length = position(rest.as_bytes(), b'\n').map_or(rest.len(), |at| at + 1);
            start += length;
            number += 1;
            let line = rest.get(..length).unwrap_or_default();
            let text = line.strip_suffix('\n').unwrap_or(line);
            let text = text.strip_suffix('\r').unwrap_or(text);
            let blank = text.trim_matches([' ', '\t', '\r', '\u{feff}']).is_empty();
            if !blank {
                return Some(Line { number, range: from..from + text.len() });
            }
        }
    })
}

/// The position of the first byte that equals `byte`.
#[inline(never)]
fn position(bytes: &[u8], byte: u8) -> Option<usize> {
    let mut at = 0;
    while let Some(block) = bytes.get(at..).and_then(block::first) {
        let found = Block::new(block).equal(byte);
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize);
        }
        at += block::SIZE;
    }
    let further = bytes.get(at..)?.iter().position(|other| *other == byte)?;
    Some(at + further)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_line_feeds_break_lines() {
        let source = "\u{feff}{}\r\n\n \t\n[\"\u{2028}\u{85}\"]\n1";
        let found: Vec<_> = lines(source).map(|line| (line.number, &source[line.range])).collect();
        assert_eq!(found, [(1, "\u{feff}{}"), (4, "[\"\u{2028}\u{85}\"]"), (5, "1")]);
    }

    #[test]
    fn long_lines_are_split_as_short_ones_are() {
        let lengths = (0..70).chain([127, 128, 129, 1_000]);
        let source: Vec<_> = lengths.map(|length| "é".repeat(length) + "x\r").collect();
        let found: Vec<_> = lines(&source.join("\n")).map(|line| (line.number, line.range.len())).collect();
        let expected = source.iter().enumerate();
        let expected: Vec<_> = expected.map(|(index, line)| (index + 1, line.len() - 1)).collect();
        assert_eq!(found, expected);
    }
}
