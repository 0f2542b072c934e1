//! The words of a sentence, in lower case, with what separates clauses.

use crate::order::sort_by;

/// A word of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// The word in lower case, with a plain apostrophe.
    pub(crate) text: String,
    /// Whether it begins a clause: nothing, a comma, a colon, a dash or a bracket precedes it.
    pub(crate) begins: bool,
}

impl Word {
    /// Whether it contains a digit, or is a number in words.
    pub(crate) fn is_number(&self) -> bool {
        self.text.bytes().any(|byte| byte.is_ascii_digit()) || NUMBERS.contains(&self.text.as_str())
    }
}

/// The words of a sentence. A path, a name with dots or a number with its unit is one word.
pub(crate) fn words(sentence: &str) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let mut begins = true;
    for piece in sentence.split_whitespace() {
        let inside = piece.trim_matches(|c: char| !is_inside(c) && !matches!(c, '/' | '$' | '€' | '#' | '@'));
        if inside.is_empty() {
            begins |= piece.contains(['-', '–', '—', ':', ';']);
            continue;
        }
        let lead = piece.find(inside).unwrap_or(0);
        begins |= piece.get(..lead).is_some_and(|lead| lead.contains(['(', '[', '-', '—']));
        let text = inside.replace('’', "'").to_lowercase();
        found.push(Word { text, begins });
        let tail = piece.get(lead + inside.len()..).unwrap_or_default();
        begins = tail.contains([',', ':', ';', ')', '—', '–', '(']);
    }
    found
}

fn is_inside(character: char) -> bool {
    character.is_alphanumeric()
}

/// Whether `words` contain `phrase` from `at` on.
pub(crate) fn says(words: &[Word], at: usize, phrase: &str) -> bool {
    let mut rest = words.get(at..).unwrap_or_default().iter();
    phrase.split(' ').all(|expected| rest.next().is_some_and(|word| word.text == expected))
}

/// Where `words` contain `phrase` first.
pub(crate) fn find(words: &[Word], phrase: &str) -> Option<usize> {
    (0..words.len()).find(|at| says(words, *at, phrase))
}

/// Whether `words` contain one of `phrases`.
pub(crate) fn say_any(words: &[Word], phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| find(words, phrase).is_some())
}

/// The words that carry the meaning of a sentence, each once and without its ending, sorted. Numbers are left out.
pub(crate) fn content(words: &[Word]) -> Vec<String> {
    let carries =
        |word: &&Word| !word.is_number() && !STOP.contains(&word.text.as_str()) && word.text.len() > 1;
    let mut found: Vec<String> = words.iter().filter(carries).map(|word| stem(&word.text)).collect();
    sort_by(&mut found, &|one, other| one.cmp(other));
    found.dedup();
    found
}

/// The numbers, and the names of days and languages, of a sentence, in order.
pub(crate) fn amounts(words: &[Word]) -> Vec<&str> {
    let is_amount = |word: &&Word| {
        let text = word.text.as_str();
        word.is_number() || DAYS.contains(&text) || LANGUAGES.contains(&text)
    };
    words.iter().filter(is_amount).map(|word| word.text.as_str()).collect()
}

/// A word without the endings of plurals and verb forms.
fn stem(word: &str) -> String {
    let endings = ["ing", "ed", "es", "s"];
    let shorter = endings.iter().find_map(|ending| word.strip_suffix(ending).filter(|rest| rest.len() >= 3));
    let shorter = shorter.unwrap_or(word);
    let shorter = shorter.strip_suffix('e').filter(|rest| rest.len() >= 3).unwrap_or(shorter);
    // `committing` and `commit` are one word.
    let mut letters = shorter.chars().rev();
    let is_doubled = letters.next().is_some_and(|last| letters.next() == Some(last) && last.is_alphabetic());
    let end = shorter.char_indices().last().map_or(0, |(at, _)| at);
    shorter.get(..if is_doubled { end } else { shorter.len() }).unwrap_or(shorter).to_owned()
}

/// Numbers in words.
const NUMBERS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "twenty",
    "thirty", "fifty", "hundred", "thousand", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht",
    "neun", "zehn", "zwanzig", "hundert", "tausend",
];

/// Days and times that a deadline names.
pub(crate) const DAYS: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "today",
    "tonight",
    "tomorrow",
    "noon",
    "midnight",
    "eod",
    "eow",
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonntag",
    "heute",
    "morgen",
    "mittag",
    "mitternacht",
];

/// Languages in which one answers or writes.
pub(crate) const LANGUAGES: &[&str] = &[
    "english",
    "german",
    "french",
    "spanish",
    "italian",
    "portuguese",
    "dutch",
    "polish",
    "russian",
    "chinese",
    "japanese",
    "korean",
    "arabic",
    "turkish",
    "swedish",
    "englisch",
    "deutsch",
    "französisch",
    "spanisch",
];

/// Words that say nothing about the subject of an order.
const STOP: &[&str] = &[
    "a", "about", "actually", "again", "all", "also", "always", "an", "and", "any", "are", "as", "at",
    "avoid", "be", "before", "but", "by", "can", "could", "do", "does", "don't", "dont", "every", "for",
    "from", "going", "have", "i", "i'd", "i'll", "i'm", "if", "in", "instead", "into", "is", "it", "it's",
    "its", "just", "keep", "least", "less", "like", "make", "may", "me", "more", "most", "must", "my",
    "never", "no", "not", "now", "of", "ok", "on", "only", "or", "other", "please", "prefer", "rather",
    "should", "so", "stop", "sure", "than", "that", "the", "them", "then", "there", "these", "they", "this",
    "those", "to", "under", "until", "up", "us", "use", "using", "want", "we", "when", "whenever", "will",
    "with", "without", "would", "you", "your", // German
    "ab", "aber", "auch", "auf", "bis", "bitte", "das", "dem", "den", "der", "die", "ein", "eine", "einen",
    "es", "für", "ich", "im", "immer", "ist", "jetzt", "kein", "keine", "keinen", "lieber", "mehr", "mit",
    "muss", "nicht", "nie", "niemals", "nur", "oder", "sie", "statt", "und", "von", "wir", "zu", "zum",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_clause() {
        let found = words("Please, never push to `origin/main` — it's mine (Don’t!).");
        let begins: Vec<_> = found.iter().filter(|word| word.begins).map(|word| word.text.as_str()).collect();
        assert_eq!(begins, ["please", "never", "it's", "don't"]);
        assert_eq!(find(&found, "push to"), Some(2));
        assert!(says(&found, 1, "never push") && !says(&found, 1, "never pull"));
    }

    #[test]
    fn content_is_what_an_order_is_about() {
        for (sentence, expected) in [
            ("Never commit to main.", &["commit", "main"][..]),
            ("You must not be committing to the main", &["commit", "main"]),
            ("Keep it under 300 lines", &["lin"]),
            ("", &[]),
        ] {
            assert_eq!(content(&words(sentence)), expected, "{sentence}");
        }
        assert_eq!(amounts(&words("at most 3 files by Friday")), ["3", "friday"]);
    }
}
