//! JSON Lines: splitting a text into lines.

use std::ops::Range;

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
    source.split_inclusive('\n').enumerate().filter_map(move |(index, line)| {
        let from = start;
        start += line.len();
        let text = line.strip_suffix('\n').unwrap_or(line);
        let text = text.strip_suffix('\r').unwrap_or(text);
        let blank = text.trim_matches([' ', '\t', '\r', '\u{feff}']).is_empty();
        (!blank).then(|| Line { number: index + 1, range: from..from + text.len() })
    })
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
}
