//! The signs of an order: which words make a sentence one, and of which kind.
//!
//! The rules look at words and at where clauses begin, because the words alone also describe: "it always fails" and
//! "the user must have clicked" order nothing.

use super::OrderKind;
use super::phrases::{
    ADVERBS, BANS, BEGINS_PREFERENCE, BEGINS_RULE, BOUNDS, CERTAIN, CHOICES, CORRECTIONS, CORRECTS,
    CORRECTS_ANYWHERE, EVERYTHING, FORMS, FROM_NOW_ON, GOES, INSTEAD, INTO, LEADS, MONTHS, NO_BAN,
    NO_PROHIBITION, NO_SUBJECTS, ORDERING, PREFERENCES, SHAPING, TAKES_BACK, THINGS, UNTIL, WEAK_BOUNDS,
};
use super::speech::{DAYS, LANGUAGES, Word, say_any, says};

/// The kind of the order that a sentence is; `None` if it is none. `asks` says that it ends in a question mark.
pub(super) fn kind_of(words: &[Word], asks: bool) -> Option<OrderKind> {
    let begins_asking =
        words.first().is_some_and(|word| ["can", "could", "will", "would"].contains(&word.text.as_str()));
    if asks && !begins_asking {
        return None;
    }
    let kind = if is_deadline(words) {
        OrderKind::Deadline
    } else if is_limit(words) {
        OrderKind::Limit
    } else if is_rule(words) {
        OrderKind::Rule
    } else if is_preference(words) {
        OrderKind::Preference
    } else if say_any(words, CORRECTIONS) && !is(words, 0, THINGS) && words.len() <= 20 {
        OrderKind::Correction
    } else {
        return None;
    };
    Some(if corrects(words) { OrderKind::Correction } else { kind })
}

/// Whether the sentence forbids.
pub(super) fn bans(words: &[Word]) -> bool {
    say_any(words, BANS)
}

/// Whether the sentence takes an earlier order back.
pub(super) fn takes_back(words: &[Word]) -> bool {
    say_any(words, TAKES_BACK) || (0..words.len()).any(|at| permits(words, at))
}

/// "You may delete files", and "the bundle may be 500 kilobytes".
fn permits(words: &[Word], at: usize) -> bool {
    let next = text(words, at + 2);
    let guesses = ["have", "notice", "see", "want", "need", "find", "be", "not", "also", "wonder", "think"];
    says(words, at, "you may") && begins_at(words, at) && !next.is_empty() && !guesses.contains(&next)
        || says(words, at, "may be") && words.get(at + 2).is_some_and(Word::is_number)
}

/// What the sentence rejects: the words behind "instead of" and the like.
pub(super) fn rejected(words: &[Word]) -> &[Word] {
    let Some((at, length)) = choice(words) else { return &[] };
    words
        .get(at + length..)
        .unwrap_or_default()
        .get(..3)
        .or_else(|| words.get(at + length..))
        .unwrap_or_default()
}

fn corrects(words: &[Word]) -> bool {
    CORRECTS.iter().any(|phrase| says(words, 0, phrase) && (*phrase != "no" || begins_at(words, 1)))
        || say_any(words, CORRECTS_ANYWHERE)
}

/// Whether the order may begin at `at`: a clause begins there, or in front of words such as "please".
fn begins_at(words: &[Word], at: usize) -> bool {
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

fn is_rule(words: &[Word]) -> bool {
    say_any(words, FROM_NOW_ON)
        || (0..words.len()).any(|at| {
            begins_at(words, at) && BEGINS_RULE.iter().any(|phrase| says(words, at, phrase))
                || is_always(words, at)
                || is_ban(words, at)
                || is_must(words, at)
                || is_stop(words, at)
        })
        || is_prohibition(words)
        || is_of_everything(words)
        || is_reminder(words)
        || (1..=5).any(|at| is_convention(words, at))
}

/// "Remember: the key stays out of the logs."
fn is_reminder(words: &[Word]) -> bool {
    is(words, 0, &["remember"]) && words.get(1).is_some_and(|word| word.begins)
}

/// "Write all comments in English", and "write the docs in English".
fn is_of_everything(words: &[Word]) -> bool {
    let verb = (0..words.len()).find(|at| is(words, *at, SHAPING) && begins_at(words, *at));
    let is_language = |at: usize| {
        let place = if is(words, at + 1, LANGUAGES) { at + 1 } else { at + 2 };
        is(words, at, &["in", "auf"]) && is(words, place, LANGUAGES)
    };
    verb.is_some_and(|verb| (verb + 1..words.len()).any(|at| is(words, at, EVERYTHING) || is_language(at)))
}

/// "Commit messages go in imperative mood", "Comments are written in English", "Helpers go under src/lib/": what is said of things in
/// general. "The tests go in circles" says how they behave, and "the docs are written in English" how they are.
fn is_convention(words: &[Word], at: usize) -> bool {
    let is_certain = is(words, 0, CERTAIN);
    let goes = is(words, at, GOES) && is(words, at + 1, INTO);
    let is_written = is(words, at, &["are", "is"]) && says(words, at + 1, "written in") && !is_certain;
    let behind = if goes { at + 2 } else { at + 3 };
    let is_thing = is(words, 0, THINGS)
        || is(words, 0, NO_SUBJECTS)
        || words.iter().take(at).skip(1).any(|word| word.begins);
    if !(goes || is_written) || is_thing || words.len() > 12 {
        return false;
    }
    let is_form = |form: usize| {
        // "In case", and "in style", are phrases of their own.
        is(words, form, LANGUAGES)
            || is(words, form, FORMS) && (form > behind || !is(words, form, &["case", "style"]))
    };
    // A path from the root is where something is, not where it should be.
    let is_place =
        goes && !is_certain && text(words, behind).contains('/') && !text(words, behind).starts_with('/');
    is_place || (behind..behind + 3).any(is_form)
}

fn is(words: &[Word], at: usize, any: &[&str]) -> bool {
    words.get(at).is_some_and(|word| any.contains(&word.text.as_str()))
}

fn text(words: &[Word], at: usize) -> &str {
    words.get(at).map_or("", |word| word.text.as_str())
}

fn before(words: &[Word], at: usize) -> &str {
    at.checked_sub(1).map_or("", |at| text(words, at))
}

/// "always" and "never", in English and German.
fn is_always(words: &[Word], at: usize) -> bool {
    let next = text(words, at + 1);
    if is(words, at, &["always", "never"]) {
        let is_past = next.ends_with("ed") && !["need", "exceed", "embed", "feed"].contains(&next);
        let told = ["mind", "been", "was", "is", "are", "had", "saw", "got", "did", "does", "", "the", "a"];
        let is_bound = ["should", "must", "shall"].contains(&before(words, at));
        return !is_past && !told.contains(&next) && (is_bound || begins_at(words, at));
    }
    if is(words, at, &["immer", "niemals", "nie", "stets"]) {
        let goes_on = ["noch", "wieder", "mehr", "wenn", "weniger"].contains(&next);
        let describes =
            is(words, 0, THINGS) || is(words, 0, &["der", "die", "ich", "wie", "wenn", "weil", "sie"]);
        return !goes_on && !describes && at <= 4 && words.len() > at.max(1);
    }
    false
}

/// "don't" and "do not" as an imperative.
fn is_ban(words: &[Word], at: usize) -> bool {
    let length = if is(words, at, &["don't", "dont"]) {
        1
    } else if says(words, at, "do not") {
        2
    } else {
        return false;
    };
    let next = text(words, at + length);
    match before(words, at) {
        "i" => next == "want" && is(words, at + length + 1, &["you", "any", "to", "us"]),
        "we" => ["want", "use", "allow", "commit", "add"].contains(&next),
        _ => !next.is_empty() && !NO_BAN.contains(&next) && begins_at(words, at),
    }
}

fn is_must(words: &[Word], at: usize) -> bool {
    if says(words, at, "darf nicht") || says(words, at, "dürfen nicht") || says(words, at, "darf kein") {
        return true;
    }
    if is(words, at, &["mustn't"]) {
        return true;
    }
    if !is(words, at, &["must"]) {
        return false;
    }
    let next = text(words, at + 1);
    let after = text(words, at + 2);
    let is_guess = next == "have"
        && (after == "been" || after.ends_with("ed") || after == "had" || after == "done")
        || next == "be" && ["a", "an", "the", "some", "something", "because"].contains(&after);
    let binds = ["not", "never", "always", "stay", "remain", "keep"].contains(&next);
    let subject = before(words, at);
    let is_things = THINGS.contains(&subject) || subject == "i" || subject == "as";
    !next.is_empty() && !is_guess && (binds || !is_things)
}

/// "stop adding comments".
fn is_stop(words: &[Word], at: usize) -> bool {
    is(words, at, &["stop", "quit"]) && begins_at(words, at) && text(words, at + 1).ends_with("ing")
}

/// "No new dependencies."
fn is_prohibition(words: &[Word]) -> bool {
    let next = text(words, 1);
    is(words, 0, &["no"])
        && (2..=8).contains(&words.len())
        && words.get(1).is_some_and(|word| !word.begins)
        && !NO_PROHIBITION.contains(&next)
}

fn is_limit(words: &[Word]) -> bool {
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
    bound(BOUNDS) && (is_short(words) || say_any(words, ORDERING))
        || say_any(words, ORDERING) && bound(WEAK_BOUNDS)
}

/// Whether a sentence is short enough to be an order without a verb that says so.
fn is_short(words: &[Word]) -> bool {
    words.len() <= 14
}

fn is_deadline(words: &[Word]) -> bool {
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
    let told = is(words, 0, THINGS) && !is_bound || say_any(words, &["was", "were"]);
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

fn is_preference(words: &[Word]) -> bool {
    let begins =
        |at: usize| begins_at(words, at) && BEGINS_PREFERENCE.iter().any(|phrase| says(words, at, phrase));
    // "No, use yarn instead."
    let replaces = words.last().is_some_and(|word| word.text == "instead")
        && (0..words.len()).any(|at| is(words, at, CHOICES) && begins_at(words, at));
    // "Use tabs in Go files": with "to", it is a step of the task.
    let is_use = is(words, 0, &["use"])
        && words.len() <= 8
        && (2..words.len()).any(|at| is(words, at, &["in", "for"]))
        && !words.iter().any(|word| word.text == "to");
    say_any(words, PREFERENCES)
        || (0..words.len()).any(|at| prefers(words, at))
        || choice(words).is_some()
        || replaces
        || is_use
        || (0..words.len()).any(begins)
}

/// "I really prefer Rust", "we would much rather not": an adverb stands between.
fn prefers(words: &[Word], at: usize) -> bool {
    let would = usize::from(is(words, at + 1, &["would"]));
    is(words, at, &["i", "we", "i'd", "we'd"])
        && is(words, at + would + 1, ADVERBS)
        && is(words, at + would + 2, &["prefer", "favor", "favour", "rather"])
}

/// Where "instead of", "not" or the like divides a choice such as "use pnpm, not npm", and how many words that takes.
fn choice(words: &[Word]) -> Option<(usize, usize)> {
    let verb = (0..words.len()).find(|at| is(words, *at, CHOICES) && begins_at(words, *at))?;
    let behind = (verb + 2)..words.len();
    behind.into_iter().find_map(|at| {
        let phrase = INSTEAD.iter().find(|phrase| says(words, at, phrase))?;
        let length = phrase.split(' ').count();
        // "not" alone divides only behind a comma: "use what is not used" is no choice.
        let is_weak = ["not", "nicht", "over"].contains(phrase);
        let divides = !is_weak
            || *phrase == "over" && is(words, verb, &["prefer", "favor", "favour"])
            || *phrase != "over" && words.get(at).is_some_and(|word| word.begins);
        (divides && words.len() > at + length).then_some((at, length))
    })
}
