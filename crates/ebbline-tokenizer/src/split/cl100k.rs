//! The pieces of `cl100k_base`.

use super::{contraction, number, plain_letters, punctuation, run, space};
use crate::unicode::{Kind, kind_at};

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
pub(crate) fn end_of_piece(text: &[u8], start: usize) -> usize {
    let Some((kind, next)) = kind_at(text, start) else { return start };
    if let Some(end) = contraction(text, start) {
        return end;
    }
    let word = if kind.may_lead() { next } else { start };
    let end = plain_letters(text, word, false).unwrap_or_else(|| run(text, word, Kind::is_letter));
    if end > word {
        return end;
    }
    if kind == Kind::Number {
        return number(text, next);
    }
    punctuation(text, start, None).unwrap_or_else(|| space(text, start))
}

#[cfg(test)]
mod tests {
    use super::super::tests::pieces;
    use super::*;

    #[test]
    fn words_take_one_character_in_front_of_them() {
        for (text, expected) in [
            ("I'll don't", vec!["I", "'ll", " don", "'t"]),
            ("fooBar", vec!["fooBar"]),
            ("$foo(bar)", vec!["$foo", "(bar", ")"]),
            ("a/b//c", vec!["a", "/b", "//", "c"]),
            ("e\u{301}a", vec!["e", "\u{301}a"]),
            ("x //\n/", vec!["x", " //\n", "/"]),
        ] {
            assert_eq!(pieces(end_of_piece, text), expected, "{text}");
        }
    }
}
