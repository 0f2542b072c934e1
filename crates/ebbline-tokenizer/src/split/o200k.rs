//! The pieces of `o200k_base`.

use super::{contraction, number, plain_letters, punctuation, run, space};
use crate::unicode::{Kind, kind_at};

/// Two kinds of words first, by case, then what `cl100k_base` has, too:
///
/// ```text
/// [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
/// [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
/// \p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
/// ```
pub(crate) fn end_of_piece(text: &[u8], start: usize) -> usize {
    let Some((kind, next)) = kind_at(text, start) else { return start };
    // A mark could also be the word's own first character.
    let leads = matches!(kind, Kind::Space | Kind::Other);
    if let Some(end) = plain_letters(text, if leads { next } else { start }, true) {
        return contraction(text, end).unwrap_or(end);
    }
    // What may lead a word is taken along first, and a mark either way.
    let lead = kind.may_lead().then_some(next);
    let plain = (kind.is_letter() || kind == Kind::Mark).then_some(start);
    let end = lead
        .and_then(|at| ends_lower(text, at))
        .or_else(|| plain.and_then(|at| ends_lower(text, at)))
        .or_else(|| lead.and_then(|at| upper(text, at)))
        .or_else(|| plain.and_then(|at| upper(text, at)));
    if let Some(end) = end {
        return contraction(text, end).unwrap_or(end);
    }
    if kind == Kind::Number {
        return number(text, next);
    }
    punctuation(text, start, Some(b'/')).unwrap_or_else(|| space(text, start))
}

fn is_upper(kind: Kind) -> bool {
    matches!(kind, Kind::Upper | Kind::Letter | Kind::Mark)
}

fn is_lower(kind: Kind) -> bool {
    matches!(kind, Kind::Lower | Kind::Letter | Kind::Mark)
}

/// A word that ends in lower case or in letters without case. Of the run in upper case, as much is given back as is
/// needed for the rest: the last character of it that has no case.
fn ends_lower(text: &[u8], start: usize) -> Option<usize> {
    let (mut at, mut without_case) = (start, None);
    while let Some((kind, next)) = kind_at(text, at)
        && is_upper(kind)
    {
        if kind != Kind::Upper {
            without_case = Some(next);
        }
        at = next;
    }
    let end = run(text, at, is_lower);
    if end > at { Some(end) } else { without_case }
}

/// A word in upper case.
fn upper(text: &[u8], start: usize) -> Option<usize> {
    let end = run(text, start, is_upper);
    (end > start).then(|| run(text, end, is_lower))
}

#[cfg(test)]
mod tests {
    use super::super::tests::pieces;
    use super::*;

    #[test]
    fn words_are_cut_where_the_case_changes() {
        for (text, expected) in [
            ("I'll don't", vec!["I'll", " don't"]),
            ("fooBarBAZ", vec!["foo", "Bar", "BAZ"]),
            ("HTTPServer", vec!["HTTPServer"]),
            ("$foo(Bar)", vec!["$foo", "(Bar", ")"]),
            ("日本GO", vec!["日本", "GO"]),
            ("日本Go", vec!["日本Go"]),
            ("A日BC d", vec!["A日", "BC", " d"]),
            ("\u{301}ABC", vec!["\u{301}", "ABC"]),
            ("!\u{301}ABC", vec!["!\u{301}", "ABC"]),
            ("x //\n/", vec!["x", " //\n/"]),
            ("DON'T'S", vec!["DON'T", "'S"]),
        ] {
            assert_eq!(pieces(end_of_piece, text), expected, "{text}");
        }
    }
}
