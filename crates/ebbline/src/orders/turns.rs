//! What a sentence does to orders that were given before: it takes them back, allows what they forbid, or says what was
//! meant.

use super::ban::begins_at;
use super::languages::LANGUAGES;
use super::phrases::TAKES_BACK;
use super::signs::{any, corrects, is_question};
use super::speech::{Word, say_any, says, text};

/// What a sentence does to orders that were given before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// It takes them back, and says nothing else.
    Revokes,
    /// It says that what was forbidden is allowed, and that is to be known.
    Permits,
    /// It says what was meant.
    Means,
}

/// What the sentence does to earlier orders.
pub(super) fn turn_of(words: &[Word], sentence: &str) -> Option<Turn> {
    if is_question(words, sentence) {
        return None;
    }
    let is_fine =
        LANGUAGES.iter().any(|language| say_any(words, language.fine) && say_any(words, language.reverses));
    let says_fine = LANGUAGES.iter().any(|language| say_any(words, language.fine));
    if any(words, |language| language.revokes) || is_fine && words.len() <= 16 && !permits_now(words) {
        return Some(Turn::Revokes);
    }
    if say_any(words, TAKES_BACK) || (0..words.len()).any(|at| permits(words, at)) {
        return Some(Turn::Permits);
    }
    if any(words, |language| language.meant) || corrects(words) && !says_fine {
        return Some(Turn::Means);
    }
    None
}

/// "You may now commit to main."
fn permits_now(words: &[Word]) -> bool {
    say_any(words, TAKES_BACK) || (0..words.len()).any(|at| permits(words, at))
}

/// "You may delete files", and "the bundle may be 500 kilobytes".
fn permits(words: &[Word], at: usize) -> bool {
    let next = text(words, at + 2);
    let guesses =
        ["have", "notice", "see", "want", "need", "find", "be", "not", "also", "wonder", "think", "only"];
    says(words, at, "you may") && begins_at(words, at) && !next.is_empty() && !guesses.contains(&next)
        || says(words, at, "may be") && words.get(at + 2).is_some_and(Word::is_number)
}

/// Whether the sentence says that the user meant something else.
pub(super) fn says_meant(words: &[Word]) -> bool {
    any(words, |language| language.meant)
}
