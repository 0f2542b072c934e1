//! The known name that is most similar to an unknown one.

use crate::json::quote;
use std::fmt::Write as _;

use crate::order::sort_by;

/// With more mistakes than this it is another word.
const MOST_MISTAKES: usize = 3;

/// The known name nearest to `word`: a few letters off, or the only one that contains the word as one of its parts.
/// Case is ignored.
///
/// # Example
///
/// ```
/// let commands = ["detect", "plan", "compact"];
/// assert_eq!(ebbline::binding::nearest("comapct", commands), Some("compact"));
/// assert_eq!(ebbline::binding::nearest("shrink", commands), None);
/// assert_eq!(ebbline::binding::nearest("keep", ["retain.keep", "retain.turns"]), Some("retain.keep"));
/// ```
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = |name: &str| name.chars().map(|letter| letter.to_ascii_lowercase()).collect::<Vec<char>>();
    let known: Vec<&str> = known.into_iter().collect();
    let longest = known.iter().map(|name| name.len()).max().unwrap_or(0);
    // A text much longer than every known name is not a misspelt name.
    if word.len() > longest.saturating_mul(4) {
        return None;
    }
    let word = letters(word);
    let limit = (word.len() / 3).clamp(1, MOST_MISTAKES);
    let by_letters = known
        .iter()
        .map(|name| (mistakes(&word, &letters(name)), *name))
        .filter(|(mistakes, name)| *mistakes <= limit && *mistakes < name.chars().count())
        .min_by_key(|(mistakes, _)| *mistakes);
    if let Some((_, name)) = by_letters {
        return Some(name);
    }
    let has_part =
        |name: &str| letters(name).split(|letter| !letter.is_ascii_alphanumeric()).any(|part| part == word);
    let mut with_part = known.into_iter().filter(|name| has_part(name));
    with_part.next().filter(|_| !word.is_empty() && with_part.next().is_none())
}

/// Of more names than this, only the nearest are listed.
const MOST_LISTED: usize = 40;
/// How many these are.
const LISTED: usize = 3;

/// The names that are nearest to `word` as a whole or by one of their parts, the nearest first.
fn nearest_few<'a>(word: &str, known: &[&'a str]) -> Vec<&'a str> {
    let letters = |name: &str| name.chars().map(|letter| letter.to_ascii_lowercase()).collect::<Vec<char>>();
    let longest = known.iter().map(|name| name.len()).max().unwrap_or(0);
    let word: Vec<char> = letters(word).into_iter().take(longest.saturating_mul(2)).collect();
    let last = word.rsplit(|letter| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
    let distance = |name: &str| {
        let name = letters(name);
        let part = name.rsplit(|letter| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
        mistakes(&word, &name).min(mistakes(last, part) + 1)
    };
    let mut ranked: Vec<_> = known.iter().map(|name| (distance(name), *name)).collect();
    sort_by(&mut ranked, &|one, other| one.0.cmp(&other.0));
    ranked.into_iter().take(LISTED).map(|(_, name)| name).collect()
}

/// The error message for an unknown `noun` called `name`.
pub(crate) fn unknown(noun: &str, name: &str, known: &[&str]) -> String {
    let mut said = format!("there is no {noun} {}; ", quote(name));
    let few = if known.len() > MOST_LISTED { nearest_few(name, known) } else { known.to_vec() };
    let verb = if few.len() < known.len() { "he nearest are" } else { "here are" };
    let letter = match nearest(name, known.iter().copied()) {
        Some(meant) => {
            // Writing into a String cannot fail.
            let _ = write!(said, "did you mean {}? ", quote(meant));
            'T'
        }
        None => 't',
    };
    let _ = write!(said, "{letter}{verb} {}", few.join(", "));
    if few.len() < known.len() {
        let _ = write!(said, ", of {}", known.len());
    }
    said
}

/// How many letters are missing, superfluous, wrong, or swapped (restricted Damerau-Levenshtein distance).
fn mistakes(first: &[char], second: &[char]) -> usize {
    let cost = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX / 2);
    let mut older: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=second.len()).collect();
    let mut previous = None;
    for (index, letter) in first.iter().enumerate() {
        let mut row = vec![index + 1];
        let mut beside = None;
        for (column, other) in second.iter().enumerate() {
            let wrong = cost(&above, column) + usize::from(letter != other);
            let mut least = wrong.min(cost(&above, column + 1) + 1).min(cost(&row, column) + 1);
            if previous == Some(other) && beside == Some(letter) {
                least = least.min(cost(&older, column.saturating_sub(1)) + 1);
            }
            row.push(least);
            beside = Some(other);
        }
        previous = Some(letter);
        older = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(first: &str, second: &str) -> usize {
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        mistakes(&letters(first), &letters(second))
    }

    #[test]
    fn mistakes_are_counted_as_people_make_them() {
        for (first, second, count) in [
            ("", "", 0),
            ("", "abc", 3),
            ("plan", "plan", 0),
            ("plna", "plan", 1),
            ("pla", "plan", 1),
            ("plaan", "plan", 1),
            ("plon", "plan", 1),
            ("comapct", "compact", 1),
            ("ca", "abc", 3),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(between(first, second), count, "{first} {second}");
            assert_eq!(between(second, first), count, "{second} {first}");
        }
    }

    #[test]
    fn a_name_is_guessed_only_when_it_is_near() {
        let profiles = ["ebbline@1", "pi@0.84", "pi@1.5", "opencode@2026-06", "opencode@2026-01"];
        for (word, meant) in [
            ("opencode@2026-6", Some("opencode@2026-06")),
            ("EBBLINE@1", Some("ebbline@1")),
            ("ebline@1", Some("ebbline@1")),
            ("pi@0.85", Some("pi@0.84")),
            ("opencode", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, profiles), meant, "{word}");
        }
        assert_eq!(nearest("claude", ["claude_code", "cline"]), Some("claude_code"));
        assert_eq!(nearest("openai", ["openai_chat", "openai_responses"]), None);
        assert_eq!(nearest("b", ["a"]), None);
        assert_eq!(nearest("", []), None);
        assert_eq!(nearest(&"x".repeat(1 << 20), profiles), None);
    }
}
