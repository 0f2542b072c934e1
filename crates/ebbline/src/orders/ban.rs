//! "Don't", and where an order begins.

use super::phrases::{LEADS, NO_BAN};
use super::speech::{Word, before, is, says, text};

/// "don't" and "do not" as an imperative.
pub(super) fn is_ban(words: &[Word], at: usize) -> bool {
    let length = if is(words, at, &["don't"]) {
        1
    } else if says(words, at, "do not") {
        2
    } else {
        return false;
    };
    let next = text(words, at + length);
    match before(words, at) {
        "i" => next == "want" && is(words, at + length + 1, &["you", "any", "to", "us"]),
        "we" => ["use", "allow", "commit"].contains(&next),
        _ => {
            let next = if next == "ever" { text(words, at + length + 1) } else { next };
            !next.is_empty() && !NO_BAN.contains(&next) && begins_at(words, at)
        }
    }
}

/// Whether the order may begin at `at`: a clause begins there, or in front of words such as "please".
pub(super) fn begins_at(words: &[Word], at: usize) -> bool {
    let mut at = at;
    loop {
        let Some(word) = words.get(at) else { return false };
        if word.begins {
            return true;
        }
        let Some(before) = at.checked_sub(1).and_then(|before| words.get(before)) else { return true };
        if !LEADS.contains(&before.text.as_str()) {
            return false;
        }
        at -= 1;
    }
}
