//! Limits and deadlines: an amount or a time, and what makes it a bound.

use super::ban::is_ban;
use super::languages::LANGUAGES;
use super::phrases::{BOUNDS, EXCESS, MONTHS, ORDERING, THINGS, UNTIL, WEAK_BOUNDS};
use super::speech::{Word, is, say_any, says, text};
use super::vocabulary::DAYS;

pub(super) fn is_limit(words: &[Word]) -> bool {
    let has_amount = words.iter().any(Word::is_number);
    if !has_amount || is(words, 0, THINGS) && !say_any(words, &["must", "should"]) {
        return false;
    }
    let near = |at: usize| {
        words.iter().skip(at).take(6).any(Word::is_number)
            || at > 0 && words.get(at - 1).is_some_and(Word::is_number)
    };
    let bound = |phrases: &[&str]| {
        (0..words.len()).any(|at| phrases.iter().any(|phrase| says(words, at, phrase)) && near(at))
    };
    let bounds = LANGUAGES.iter().any(|language| bound(language.bounds));
    (bounds || bound(BOUNDS)) && (is_short(words) || say_any(words, ORDERING))
        || say_any(words, ORDERING) && bound(WEAK_BOUNDS)
        // "Do not spend more than 40 dollars."
        || is_short(words) && (0..words.len()).any(|at| is_ban(words, at)) && bound(EXCESS)
}

/// Whether a sentence is short enough to be an order without a verb that says so.
fn is_short(words: &[Word]) -> bool {
    words.len() <= 14
        || words.len() <= 30 && words.iter().all(|word| !word.text.is_ascii() || word.is_number())
}

pub(super) fn is_deadline(words: &[Word]) -> bool {
    let is_date = |at: usize| {
        let (word, next) = (text(words, at), text(words, at + 1));
        DAYS.contains(&word)
            || MONTHS.contains(&word) && next.bytes().any(|byte| byte.is_ascii_digit())
            || MONTHS.contains(&next) && word.bytes().any(|byte| byte.is_ascii_digit())
            || MONTHS.contains(&word) && is(words, 0, UNTIL)
            || word == "may" && is_day(next)
            || next == "may" && is_day(word)
            || is_time(word)
            || word.bytes().all(|byte| byte.is_ascii_digit())
                && !word.is_empty()
                && ["am", "pm", "a.m", "p.m", "uhr", "o'clock"].contains(&next)
            || says(words, at, "end of day")
            || says(words, at, "the end of the")
            || says(words, at, "next week")
    };
    let until = |at: usize| {
        is(words, at, UNTIL)
            && (is_date(at + 1) || is(words, at + 1, &["zum", "this", "next"]) && is_date(at + 2))
            || says(words, at, "no later than")
    };
    let is_bound = say_any(words, &["must", "has to", "have to", "needs to", "muss"]);
    let told = is(words, 0, THINGS) && !is_bound
        || say_any(words, &["was", "were", "i don't", "neither", "i would"]);
    let named = say_any(
        words,
        &["deadline is", "the deadline", "due on", "due by", "is due", "are due", "due date", "frist"],
    );
    !told && (0..words.len()).any(until) || named && (0..words.len()).any(is_date)
}

/// A day of a month: the name of one month is also an ordinary word.
fn is_day(word: &str) -> bool {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
    (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `17:30`, `5pm`, `2026-01-31`.
fn is_time(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let rest: String = word.chars().filter(|c| !c.is_ascii_digit()).collect();
    digits > 0 && matches!(rest.as_str(), ":" | "am" | "pm") || digits == 8 && rest == "--"
}
