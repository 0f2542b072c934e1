//! Cutting a text into pieces. No token reaches over the end of a piece.
//!
//! `tiktoken` cuts with a regular expression for each encoding; here each is written out by hand. The expressions stand
//! in front of the code that does what they do, alternative by alternative.

pub(crate) mod cl100k;
pub(crate) mod o200k;

use crate::unicode::{Kind, kind_at};

/// Where the piece ends that begins at a byte of UTF-8 text.
pub(crate) type Split = fn(text: &[u8], start: usize) -> usize;

/// Where the run of characters of these kinds ends that begins at `at`.
fn run(text: &[u8], mut at: usize, belongs: impl Fn(Kind) -> bool) -> usize {
    while let Some((kind, next)) = kind_at(text, at)
        && belongs(kind)
    {
        at = next;
    }
    at
}

/// Where the run of letters without accents ends that begins at `at`, if what is behind it has none either: the words
/// of most texts. Upper case stands first, if `by_case`, and then only lower case.
#[inline]
fn plain_letters(text: &[u8], at: usize, by_case: bool) -> Option<usize> {
    let rest = text.get(at..)?;
    let first = if by_case { rest.iter().take_while(|byte| byte.is_ascii_uppercase()).count() } else { 0 };
    let more = rest.get(first..)?.iter();
    let length = first
        + if by_case {
            more.take_while(|byte| byte.is_ascii_lowercase()).count()
        } else {
            more.take_while(|byte| byte.is_ascii_alphabetic()).count()
        };
    (length > 0 && rest.get(length).is_none_or(u8::is_ascii)).then_some(at + length)
}

/// `\p{N}{1,3}`, of which the first ends at `next`.
fn number(text: &[u8], next: usize) -> usize {
    let mut at = next;
    for _ in 0..2 {
        let Some((Kind::Number, next)) = kind_at(text, at) else { break };
        at = next;
    }
    at
}

/// ` ?[^\s\p{L}\p{N}]+` and behind it any number of newlines and of `also`.
fn punctuation(text: &[u8], start: usize, also: Option<u8>) -> Option<usize> {
    let begin = if text.get(start) == Some(&b' ') { start + 1 } else { start };
    let mut end = run(text, begin, Kind::is_other);
    if end == begin {
        return None;
    }
    while text.get(end).is_some_and(|byte| matches!(byte, b'\r' | b'\n') || Some(*byte) == also) {
        end += 1;
    }
    Some(end)
}

/// `\s*[\r\n]+|\s+(?!\S)|\s+`: white space up to its last newline; else all of it but the last character, which belongs
/// to the word behind; else all.
fn space(text: &[u8], start: usize) -> usize {
    let (mut at, mut last, mut newline) = (start, start, None);
    while let Some((kind, next)) = kind_at(text, at)
        && kind.is_space()
    {
        if kind == Kind::Newline {
            newline = Some(next);
        }
        (last, at) = (at, next);
    }
    match newline {
        Some(newline) => newline,
        None if at < text.len() && last > start => last,
        None => at,
    }
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)`: where it ends, if it stands at `at`. The long s is an s without case.
fn contraction(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?.strip_prefix(b"'")?;
    let lower = |at: usize| rest.get(at).map(u8::to_ascii_lowercase);
    let letters = match (lower(0)?, lower(1)) {
        (b's' | b't' | b'm' | b'd', _) => 1,
        // The last one is U+017F.
        (b'r' | b'v', Some(b'e')) | (b'l', Some(b'l')) | (0xc5, Some(0xbf)) => 2,
        _ => return None,
    };
    Some(at + 1 + letters)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use fancy_regex::Regex;
    use proptest::prelude::*;

    use super::*;

    /// The pieces of a text.
    pub(super) fn pieces(split: Split, text: &str) -> Vec<&str> {
        let (mut start, mut pieces) = (0, Vec::new());
        while start < text.len() {
            let end = split(text.as_bytes(), start);
            pieces.push(&text[start..end]);
            start = end;
        }
        pieces
    }

    #[test]
    fn contractions_are_known_whatever_their_case() {
        for (text, length) in
            [("'s", 2), ("'S!", 2), ("'LL", 3), ("'Ve", 3), ("'ſ", 3), ("'l", 0), ("'x", 0), ("s", 0)]
        {
            assert_eq!(contraction(text.as_bytes(), 0).unwrap_or(0), length, "{text}");
        }
    }

    #[test]
    fn both_encodings_cut_spaces_and_numbers_alike() {
        for split in [cl100k::end_of_piece as Split, o200k::end_of_piece] {
            assert_eq!(pieces(split, "a  b"), ["a", " ", " b"]);
            assert_eq!(pieces(split, "a \n\n  b"), ["a", " \n\n", " ", " b"]);
            assert_eq!(pieces(split, "a  \n"), ["a", "  \n"]);
            assert_eq!(pieces(split, "a  "), ["a", "  "]);
            assert_eq!(pieces(split, "12345"), ["123", "45"]);
            assert_eq!(pieces(split, " 12"), [" ", "12"]);
            assert_eq!(pieces(split, " ;;\n\n x"), [" ;;\n\n", " x"]);
            assert_eq!(pieces(split, "\u{3000}\u{3000}日本"), ["\u{3000}", "\u{3000}日本"]);
        }
    }

    const O200K: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";
    const CL100K: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

    /// Characters of every kind, and those that decide.
    fn character() -> impl Strategy<Value = char> {
        let decide = "''sStTrReEvVmMlLdDſaAzZǅʰªßéÉ日あ한\u{301}\u{20dd}ा0a9²½Ⅷ  \t\n\r\u{b}\u{85}\u{a0}\u{2028}\u{3000}\u{200b}//.;{\"_-<|>👍\u{200d}\u{fe0f}\u{fffd}";
        prop_oneof![
            9 => prop::sample::select(decide.chars().collect::<Vec<_>>()),
            1 => any::<char>(),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn pieces_are_those_of_the_regular_expressions(characters in prop::collection::vec(character(), 0..40)) {
            static REGEXES: LazyLock<[(Regex, Split); 2]> = LazyLock::new(|| {
                [
                    (Regex::new(O200K).unwrap(), o200k::end_of_piece as Split),
                    (Regex::new(CL100K).unwrap(), cl100k::end_of_piece),
                ]
            });
            let text: String = characters.into_iter().collect();
            for (regex, split) in REGEXES.iter() {
                let expected: Vec<_> = regex.find_iter(&text).map(|found| found.unwrap().as_str()).collect();
                prop_assert_eq!(pieces(*split, &text), expected);
            }
        }
    }
}
