//! The signs of an order: which words make a sentence one, and of which kind.
//!
//! The rules look at words and at where clauses begin, because the words alone also describe: "it always fails" and
//! "the user must have clicked" order nothing.

use super::OrderKind;
use super::ban::{begins_at, is_ban};
use super::bounds::{is_deadline, is_limit};
use super::languages::{LANGUAGES, Language};
use super::phrases::{
    ADVERBS, BANS, BEGINS_LASTING, BEGINS_PREFERENCE, BEGINS_RULE, CERTAIN, CHOICES, CONDUCT, CORRECTIONS,
    CORRECTS, DETERMINERS, EVERYTHING, FORBIDDING, FORMS, GOES, INSTEAD, INSTEAD_BEGINS, INTO, NO_ORDER,
    NO_PROHIBITION, NO_SUBJECTS, OF_A_TASK, PREFERENCES, SCOPES, SHAPED, SHAPING, THINGS,
};
use super::speech::{Word, before, content, is, is_language, is_unspaced, narrates, say_any, says, text};

/// A longer sentence that orders something in general says so.
const LONGEST_GENERAL: usize = 16;
/// A longer sentence tells something; a character is a word of some scripts.
const LONGEST: usize = 34;
const LONGEST_UNSPACED: usize = 90;

/// What makes a sentence an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sign {
    pub(super) kind: OrderKind,
    /// Whether a word says that it lasts: always, never, from now on.
    pub(super) lasts: bool,
    /// Whether it is of things in general. One that neither lasts nor is general is of the task at hand.
    pub(super) is_general: bool,
}

/// What makes a sentence an order; `None` if it is none. `text` is the sentence as it is written.
pub(super) fn sign_of(words: &[Word], text: &str) -> Option<Sign> {
    if is_question(words, text)
        || is_fragment(text)
        || narrates(words)
        || any(words, |language| language.once)
    {
        return None;
    }
    let is_unspaced = words.iter().any(|word| word.text.starts_with(is_unspaced));
    if words.len() > if is_unspaced { LONGEST_UNSPACED } else { LONGEST } {
        return None;
    }
    let lasts = lasts(words);
    let kind = if is_deadline(words) {
        OrderKind::Deadline
    } else if is_limit(words) {
        OrderKind::Limit
    } else if lasts || is_rule(words) {
        OrderKind::Rule
    } else if is_preference(words) {
        OrderKind::Preference
    } else if say_any(words, CORRECTIONS) && !is(words, 0, THINGS) && words.len() <= 20 {
        OrderKind::Correction
    } else {
        return None;
    };
    let is_general = match kind {
        OrderKind::Limit | OrderKind::Deadline => true,
        OrderKind::Preference if choice(words).is_none() => true,
        _ => words.len() <= LONGEST_GENERAL && is_general(words) || any(words, |language| language.wishes),
    };
    let is_general = is_general && (is_of_conduct(words) || !requests(words, text));
    Some(Sign { kind: if corrects(words) { OrderKind::Correction } else { kind }, lasts, is_general })
}

/// Whether the order is about what an agent does in every task, or names nothing certain.
fn is_general(words: &[Word]) -> bool {
    let is_certain = words.iter().any(|word| DETERMINERS.contains(&word.text.as_str()));
    let is_bare = (0..words.len()).any(|at| begins_at(words, at) && is_any(words, at, BEGINS_RULE));
    is_of_conduct(words) || is_bare || !is_certain
}

fn is_of_conduct(words: &[Word]) -> bool {
    words.iter().any(|word| CONDUCT.contains(&word.text.as_str()))
}

/// Whether words of one of the languages say so.
pub(super) fn any(words: &[Word], phrases: fn(&Language) -> &'static [&'static str]) -> bool {
    LANGUAGES.iter().any(|language| say_any(words, phrases(language)))
}

/// Whether the sentence asks something: "could you please never …" does not.
pub(super) fn is_question(words: &[Word], text: &str) -> bool {
    let is_marked = text.ends_with(['?', '？']) || text.starts_with('¿');
    let requests =
        ["can", "could", "will", "would"].iter().any(|word| is(words, 0, &[word]) && is(words, 1, &["you"]));
    let ends_asking = text.chars().last().is_some_and(|last| !last.is_ascii())
        && LANGUAGES.iter().any(|language| {
            language.asks.iter().any(|phrase| {
                words.len().checked_sub(phrase.chars().count()).is_some_and(|at| says(words, at, phrase))
            })
        });
    is_marked && !requests || ends_asking
}

/// Whether the text is a note and no sentence: with arrows, with a heading's colon, with marks that nobody closes.
fn is_fragment(text: &str) -> bool {
    let text = text.trim_end_matches(['"', '*', '_', ' ']);
    let pairs = || text.chars().zip(text.chars().skip(1));
    // `main.rs:12`, and `exit(1)`: what a program printed, or code.
    let is_code = pairs().any(|(one, next)| one == ':' && next.is_ascii_digit())
        && text.split(' ').any(|word| {
            word.split(':').nth(1).is_some_and(|line| line.parse::<u32>().is_ok()) && word.contains('.')
        })
        || text.contains("](")
        || pairs().any(|(one, next)| one.is_ascii_alphanumeric() && next == '(');
    is_code
        || text.contains(['→', '←', '⇒', '|'])
        || ["->", "=>", "<-", "..."].iter().any(|mark| text.contains(mark))
        || text.ends_with([':', '：'])
}

/// Whether a word says that the order lasts.
fn lasts(words: &[Word]) -> bool {
    let tells = |language: &Language| language.tells.iter().any(|phrase| says(words, 0, phrase));
    any(words, |language| language.lasting)
        || (0..words.len())
            .any(|at| is_always(words, at) || begins_at(words, at) && is_any(words, at, BEGINS_LASTING))
        || LANGUAGES.iter().any(|language| {
            words.len() > 2
                && !tells(language)
                && (0..words.len().min(5)).any(|at| is_any(words, at, language.always) && !goes_on(words, at))
        })
        || (0..words.len()).any(|at| is_assured(words, at) || is_kept(words, at))
        || is_of_everything(words)
        || needs_all(words)
        || answers_in(words)
        || (1..=5).any(|at| is_convention(words, at))
}

/// Whether "immer" and the like only say that something goes on.
fn goes_on(words: &[Word], at: usize) -> bool {
    is(words, at + 1, &["noch", "wieder", "mehr", "wenn", "weniger", "pas", "falla", "fallan", "pasa"])
}

fn is_any(words: &[Word], at: usize, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| says(words, at, phrase))
}

/// Whether the sentence forbids.
pub(super) fn bans(words: &[Word]) -> bool {
    say_any(words, BANS)
        || any(words, |language| language.bans)
        || words.iter().any(|word| word.text.starts_with("n'"))
}

/// Whether the order points to something at hand: "this file", "don't change it".
pub(super) fn points(words: &[Word]) -> bool {
    let points = ["it", "this", "that", "these", "those", "them", "here", "well"];
    let is_scope = |at: usize| at >= words.len() || is(words, at, SCOPES);
    words.last().is_some_and(|last| points.contains(&last.text.as_str()))
        || (0..words.len()).any(|at| {
            is(words, at, &["this", "these", "those", "diese", "dieses", "esta", "este", "cette", "ce"])
                && !is_scope(at + 1)
        })
        || say_any(words, &["这个", "那个", "この", "その"])
}

/// Whether the order is about what no task changes: where one pushes, which packages one uses.
pub(super) fn is_of_every_task(words: &[Word]) -> bool {
    words.iter().any(|word| CONDUCT.contains(&word.text.as_str()) && !OF_A_TASK.contains(&word.text.as_str()))
}

/// Whether an item of a list of rules is one.
pub(super) fn may_be_rule(words: &[Word], text: &str) -> bool {
    !(words.is_empty()
        || is_question(words, text)
        || is_fragment(text)
        || any(words, |language| language.once))
}

/// Whether the sentence asks for work.
pub(super) fn requests(words: &[Word], text: &str) -> bool {
    LANGUAGES.iter().any(|language| {
        language.requests.iter().any(|phrase| {
            // Japanese verbs stand at the end.
            let is_verb = || phrase.chars().any(|c| matches!(c, 'ぁ'..='ん'));
            (0..words.len()).any(|at| says(words, at, phrase) && (begins_at(words, at) || is_verb()))
        })
    }) && (!is_question(words, text) || is(words, 1, &["you"]))
}

/// Whether the sentence opens a list of rules, and whether each item needs its words to be understood.
pub(super) fn opens_rules(words: &[Word], text: &str) -> Option<bool> {
    let is_opening = text.trim_end_matches(['*', '_', ' ']).ends_with([':', '：'])
        || words.len() <= 4
        || words.iter().any(|word| ["following", "these"].contains(&word.text.as_str()));
    if !is_opening || any(words, |language| language.once) {
        return None;
    }
    let closes = |phrase: &&str| {
        let length = phrase.split(' ').count();
        words.len().checked_sub(length).is_some_and(|at| says(words, at, phrase))
    };
    if words.len() <= 6 && FORBIDDING.iter().any(closes) {
        return Some(true);
    }
    let named = words.len() <= 14 && any(words, |language| language.rules);
    let told = any(words, |language| language.lasting);
    (named || told).then_some(false)
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

pub(super) fn corrects(words: &[Word]) -> bool {
    CORRECTS.iter().any(|phrase| says(words, 0, phrase) && (*phrase != "no" || begins_at(words, 1)))
}

/// Whether it is a rule without a word that it lasts.
fn is_rule(words: &[Word]) -> bool {
    (0..words.len()).any(|at| {
        begins_at(words, at)
            && (is_any(words, at, BEGINS_RULE)
                || LANGUAGES.iter().any(|language| {
                    language.begins.iter().any(|phrase| match phrase.strip_suffix('\'') {
                        Some(_) => words.get(at).is_some_and(|word| word.text.starts_with(*phrase)),
                        None => says(words, at, phrase),
                    })
                }) && words.len() > 2)
            || is_ban(words, at)
            || is_must(words, at)
            || is_stop(words, at)
    }) || is_prohibition(words)
        || is_reminder(words)
}

/// "Please be sure that every function has a test": of everything, not of what is asked for.
fn is_assured(words: &[Word], at: usize) -> bool {
    is_any(words, at, &["make sure", "be sure", "ensure"])
        && begins_at(words, at)
        && (at..words.len())
            .any(|at| is(words, at, EVERYTHING) && !is(words, at, &["any"]) || is(words, at, &["always"]))
}

/// "All new endpoints need a test."
fn needs_all(words: &[Word]) -> bool {
    is(words, 0, EVERYTHING)
        && (1..6).any(|at| is(words, at, &["need", "needs", "must", "should", "get", "gets"]))
        && !(1..6).any(|at| is(words, at, &["been", "already", "have"]) && is(words, at + 1, &["been"]))
        && words.len() <= 16
}

/// "Keep the commits small."
fn is_kept(words: &[Word], at: usize) -> bool {
    is(words, at, &["keep", "try"])
        && begins_or_asked(words, at)
        && (at + 1..at + 6).any(|at| is(words, at, SHAPED))
}

/// Whether a clause begins at `at`, or "could you please" does in front of it.
fn begins_or_asked(words: &[Word], at: usize) -> bool {
    let lead = at.saturating_sub(usize::from(is(words, at.saturating_sub(1), &["please"])));
    begins_at(words, at) || lead.checked_sub(1).is_some_and(|before| is(words, before, &["you", "to"]))
}

/// The language of answers: "réponds en français".
fn answers_in(words: &[Word]) -> bool {
    words.len() <= 16
        && content(words).iter().any(|word| word == "answer")
        && (0..words.len()).any(|at| is_language(words, at))
        && !is(words, 0, THINGS)
        && !is(words, 0, &["the", "its", "i", "why", "how"])
}

/// "Remember: the key stays out of the logs."
fn is_reminder(words: &[Word]) -> bool {
    is(words, 0, &["remember"]) && words.get(1).is_some_and(|word| word.begins)
}

/// "Write all comments in English", and "write the docs in English".
fn is_of_everything(words: &[Word]) -> bool {
    let verb = (0..words.len()).find(|at| is(words, *at, SHAPING) && begins_at(words, *at));
    let is_language = |at: usize| {
        is(words, at, &["in", "auf"]) && (is_language(words, at + 1) || is_language(words, at + 2))
    };
    // What is said of "each item" far behind the verb, or to an end, is a step of the task.
    verb.is_some_and(|verb| {
        (verb + 1..verb + 6).any(|at| is(words, at, EVERYTHING)) && words.len() <= 16
            || (verb + 1..words.len()).any(is_language)
    })
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
        is_language(words, form)
            || is(words, form, FORMS) && (form > behind || !is(words, form, &["case", "style"]))
    };
    // A path from the root is where something is, not where it should be.
    let is_place =
        goes && !is_certain && text(words, behind).contains('/') && !text(words, behind).starts_with('/');
    is_place || (behind..behind + 3).any(is_form)
}

/// "Always" and "never" where an order begins.
fn is_always(words: &[Word], at: usize) -> bool {
    if !is(words, at, &["always", "never"]) {
        return false;
    }
    let next = text(words, at + 1);
    let is_past = next.ends_with("ed") && !["need", "exceed", "embed", "feed"].contains(&next);
    let told = [
        "mind", "been", "was", "is", "are", "had", "saw", "got", "did", "does", "", "the", "a", "fires",
        "updates", "returns", "happens", "works", "fails", "seems",
    ];
    // "The view should always be hidden" is about the product.
    let subject = words.get(..at.saturating_sub(1)).unwrap_or_default();
    let is_ours = subject.iter().any(|word| {
        let word = word.text.as_str();
        ["you", "we", "code"].contains(&word) || SHAPED.contains(&word) || EVERYTHING.contains(&word)
    });
    let is_bound =
        before(words, at) == "ever" || ["should", "must", "shall"].contains(&before(words, at)) && is_ours;
    let after =
        if next.ends_with("ly") && next != "reply" && next != "apply" { text(words, at + 2) } else { next };
    let next = after;
    let is_past = is_past || next.ends_with("ed") && !["need", "exceed", "embed", "feed"].contains(&next);
    let is_lead_bound = ["should", "must", "shall"].contains(&before(words, at)) && !is_ours && at > 1;
    let has = next == "have"
        && (text(words, at + 2).ends_with("ed") || is(words, at + 2, &["been", "had", "happened"]));
    !has && !is_past && !is_lead_bound && !told.contains(&next) && (is_bound || begins_at(words, at))
}

fn is_must(words: &[Word], at: usize) -> bool {
    if says(words, at, "darf nicht") || says(words, at, "durfen nicht") || says(words, at, "darf kein") {
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
    let is_things = THINGS.contains(&subject) && !binds || subject == "i" || subject == "as";
    let is_ours = words.iter().take(at).any(|word| {
        let word = word.text.as_str();
        ["you", "we", "code"].contains(&word) || SHAPED.contains(&word)
    });
    let is_general = is_ours || words.iter().take(at).any(|word| EVERYTHING.contains(&word.text.as_str()));
    !next.is_empty() && !is_guess && !is_things && (binds && is_ours || is_general)
}

/// "stop adding comments".
fn is_stop(words: &[Word], at: usize) -> bool {
    is(words, at, &["stop", "quit"]) && begins_at(words, at) && text(words, at + 1).ends_with("ing")
}

/// "No new dependencies."
fn is_prohibition(words: &[Word]) -> bool {
    (0..words.len()).any(|at| {
        is(words, at, &["no"])
            && (at == 0 || ["so", "please"].contains(&before(words, at)))
            && (at + 2..=at + 7).contains(&words.len())
            && words.get(at + 1).is_some_and(|word| !word.begins)
            && !NO_PROHIBITION.contains(&text(words, at + 1))
            && !words.iter().skip(at).any(|word| NO_ORDER.contains(&word.text.as_str()))
    })
}

fn is_preference(words: &[Word]) -> bool {
    // "Instead of Redis, use Postgres": "instead of making changes, add …" goes on with the task.
    let uses = (0..words.len()).any(|at| is(words, at, CHOICES) && begins_at(words, at)) && words.len() <= 10;
    let begins = |at: usize| {
        begins_at(words, at)
            && (is_any(words, at, BEGINS_PREFERENCE)
                || uses && is_any(words, at, INSTEAD_BEGINS) && !text(words, at + 2).ends_with("ing"))
    };
    // "No, use yarn instead."
    let replaces = words.last().is_some_and(|word| word.text == "instead")
        && (0..words.len()).any(|at| is(words, at, CHOICES) && begins_at(words, at));
    // "Use tabs in Go files": with "to", it is a step of the task.
    let is_use = is(words, 0, &["use"])
        && words.len() <= 8
        && (2..words.len()).any(|at| is(words, at, &["in", "for"]))
        && !words.iter().any(|word| ["to", "the", "this", "that"].contains(&word.text.as_str()));
    // "I'd prefer that" names nothing.
    let names = !say_any(
        words,
        &[
            "i like that", "i like the", "i like how", "i like what", "i like your", "i like this",
            "i like it", "option", "options",
        ],
    ) && !words
        .last()
        .is_some_and(|last| ["that", "this", "it", "one", "those", "option"].contains(&last.text.as_str()));
    let wishes = say_any(words, PREFERENCES)
        || (0..words.len()).any(|at| prefers(words, at))
        || any(words, |language| language.wishes);
    names && wishes || choice(words).is_some() || replaces || is_use || (0..words.len()).any(begins)
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
        // Two names are chosen between, and not two ways to go on with the task.
        let is_close = at <= verb + 5 && words.len() <= at + length + 6;
        (divides && is_close && words.len() > at + length).then_some((at, length))
    })
}
