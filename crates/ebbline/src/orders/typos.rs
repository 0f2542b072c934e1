//! Words that people mistype: what makes a sentence an order is known with one letter wrong.

use std::cmp::Ordering;

/// What is known although a letter is missing, doubled, wrong or in another place. Shorter words have too many
/// neighbours.
const KNOWN: &[&str] = &[
    "always", "never", "please", "instead", "remember", "avoid", "prefer", "before", "without", "answer",
    "respond", "commit", "anymore", "whenever", "actually", "forget", "should", "immer", "niemals",
    "antworte", "benutze", "verwende", "siempre", "nunca", "responde", "toujours", "jamais", "reponds",
];

/// Words that look like one of them.
const OTHERS: &[&str] = &[
    "newer", "lever", "comet", "answers", "answered", "commits", "prefers", "avoids", "responds", "forgets",
    "jammers", "responder", "verwendet", "benutzt", "pleas", "plea", "alway", "remembers", "preferred",
    "respond", "responde", "reponds", "shoulder", "nimmer", "commie", "summit", "prefere", "prefiero",
    "preferer", "verwenden", "benutzen", "antworten", "antwortet", "shoulds",
];

/// What is typed in one go.
const JOINED: &[(&str, &str)] = &[
    ("dont", "don't"),
    ("don;t", "don't"),
    ("do'nt", "don't"),
    ("dont'", "don't"),
    ("donot", "don't"),
    ("dnt", "don't"),
    ("musnt", "mustn't"),
    ("mustnt", "mustn't"),
    ("pls", "please"),
    ("plz", "please"),
    ("pleas", "please"),
    ("alway", "always"),
    ("nevr", "never"),
    ("nver", "never"),
    ("nie mals", "niemals"),
];

/// The word that was meant.
pub(super) fn mended(word: &str) -> String {
    if let Some((_, meant)) = JOINED.iter().find(|(typed, _)| *typed == word) {
        return (*meant).to_owned();
    }
    let is_plain = (5..=10).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_plain || KNOWN.contains(&word) || OTHERS.contains(&word) {
        return word.to_owned();
    }
    KNOWN
        .iter()
        .find(|known| is_near(word.as_bytes(), known.as_bytes()))
        .map_or(word, |known| known)
        .to_owned()
}

/// Whether one letter too many, too few, wrong, or in its neighbour's place is all that differs; the first one is right.
fn is_near(typed: &[u8], meant: &[u8]) -> bool {
    if typed.first() != meant.first() || typed.len().abs_diff(meant.len()) > 1 {
        return false;
    }
    let same = typed.iter().zip(meant).take_while(|(one, other)| one == other).count();
    let (typed, meant) = (typed.get(same..).unwrap_or_default(), meant.get(same..).unwrap_or_default());
    let swapped = typed.first() == meant.get(1) && typed.get(1) == meant.first();
    match typed.len().cmp(&meant.len()) {
        Ordering::Greater => typed.get(1..) == Some(meant),
        Ordering::Less => meant.get(1..) == Some(typed),
        Ordering::Equal => typed.get(1..) == meant.get(1..) || swapped && typed.get(2..) == meant.get(2..),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_letter_does_not_hide_what_a_word_means() {
        for (typed, meant) in [
            ("alwyas", "always"),
            ("allways", "always"),
            ("neevr", "never"),
            ("plese", "please"),
            ("plaese", "please"),
            ("insted", "instead"),
            ("befor", "before"),
            ("siempree", "siempre"),
            ("dont", "don't"),
            ("newer", "newer"),
            ("answers", "answers"),
            ("never", "never"),
            ("sever", "sever"),
            ("ever", "ever"),
            ("src/alway.rs", "src/alway.rs"),
        ] {
            assert_eq!(mended(typed), meant, "{typed}");
        }
    }
}
