//! What a statement is about, and which values it gives: two that give other values of the same contradict each other.

use super::phrases::MONTHS;
use super::signs::is_question;
use super::speech::{Word, content, is_language, say_any, says, words};
use crate::order::sort_by;

use super::terms::{CURRENCIES, GENERIC, SINGLE, STYLES, SUBJECTS, UNITS, UPDATES, ZONES};

/// What kind of thing a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Money,
    Date,
    Zone,
    Style,
    Unit,
    /// A path, a host, a code, a hash: what has digits or marks inside.
    Id,
    /// A person, a product.
    Name,
    Number,
    Language,
}

/// What a sentence is about, and what it says of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Subject {
    about: Vec<String>,
    values: Vec<(Kind, String)>,
    updates: bool,
}

impl Subject {
    /// Of a sentence of the user.
    pub(crate) fn of(sentence: &str) -> Self {
        let whole = words(sentence);
        let updates = say_any(&whole, UPDATES) && !is_question(&whole, sentence);
        // "We moved to main; next is the script": what stands behind a semicolon is about something else.
        let clauses: Vec<&str> = sentence.split(';').collect();
        let found =
            clauses.iter().map(|clause| (clause, values(clause))).find(|(_, values)| !values.is_empty());
        let (clause, values) = found.unwrap_or((&sentence, Vec::new()));
        let words = words(clause);
        let is_value = |word: &str| values.iter().any(|(_, value)| value.split(' ').any(|part| part == word));
        let mut about: Vec<String> = SUBJECTS
            .iter()
            .filter(|(_, phrases)| say_any(&words, phrases))
            .map(|(subject, _)| (*subject).to_owned())
            .collect();
        let is_subject =
            |word: &Word| SUBJECTS.iter().any(|(_, phrases)| phrases.contains(&word.text.as_str()));
        let parts = words.iter().filter(|word| {
            !is_subject(word) && !is_value(&word.text) && !ZONES.contains(&word.text.as_str())
        });
        let parts: Vec<Word> = parts.flat_map(parted).filter(|word| !is_subject(word)).collect();
        let names = |word: &str| {
            CURRENCIES.contains(&word)
                || MONTHS.contains(&word)
                || STYLES.contains(&word)
                || UNITS.contains(&word)
        };
        about.extend(
            content(&parts).into_iter().filter(|word| !GENERIC.contains(&word.as_str()) && !names(word)),
        );
        sort_by(&mut about, &|one, other| one.cmp(other));
        about.dedup();
        Self { about, values, updates }
    }

    /// Whether `newer` says otherwise of the same.
    pub(crate) fn is_replaced_by(&self, newer: &Self) -> bool {
        let differs = self.values.iter().any(|(kind, _)| {
            let of = |subject: &Self| -> Vec<String> {
                subject.values.iter().filter(|(it, _)| it == kind).map(|(_, value)| value.clone()).collect()
            };
            let (old, new) = (of(self), of(newer));
            !new.is_empty() && !old.iter().any(|value| new.contains(value))
        });
        if !differs {
            return false;
        }
        let shared: Vec<&String> = self.about.iter().filter(|word| newer.about.contains(word)).collect();
        if shared.iter().any(|word| SINGLE.contains(&word.as_str())) {
            return true;
        }
        let is_within = shared.len() == self.about.len() || shared.len() == newer.about.len();
        match shared.len() {
            0 => false,
            count if newer.updates => count > 1 || is_within,
            count => count == self.about.len() && count == newer.about.len(),
        }
    }

    /// Whether it is of something of which there is one at a time, and says what that is.
    pub(crate) fn is_single(&self) -> bool {
        let is_said = self
            .values
            .iter()
            .any(|(kind, _)| matches!(kind, Kind::Zone | Kind::Style | Kind::Unit | Kind::Language));
        is_said && self.about.iter().any(|word| SINGLE.contains(&word.as_str()))
    }

    /// Whether the sentence says something that nobody can guess.
    pub(crate) fn has_values(&self) -> bool {
        self.values.iter().any(|(kind, _)| !matches!(kind, Kind::Number | Kind::Style | Kind::Language))
    }
}

/// The parts of a word with hyphens: `field-trip`.
fn parted(word: &Word) -> Vec<Word> {
    let is_plain = word.text.chars().all(|letter| letter.is_alphabetic() || letter == '-');
    if !is_plain || !word.text.contains('-') {
        return vec![word.clone()];
    }
    let part = |text: &str| Word { text: text.to_owned(), begins: false };
    word.text.split('-').filter(|text| !text.is_empty()).map(part).collect()
}

/// The values that a text gives.
fn values(text: &str) -> Vec<(Kind, String)> {
    let mut found = Vec::new();
    let said = words(text);
    for (at, word) in said.iter().enumerate() {
        let word = word.text.as_str();
        let next = said.get(at + 1).map_or("", |next| next.text.as_str());
        let has_digit = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
        if is_language(&said, at) {
            found.push((Kind::Language, word.to_owned()));
        } else if STYLES.iter().any(|style| says(&said, at, style)) {
            found.push((Kind::Style, word.to_owned()));
        } else if UNITS.iter().any(|unit| says(&said, at, unit)) {
            found.push((Kind::Unit, word.to_owned()));
        } else if ZONES.contains(&word) {
            found.push((Kind::Zone, word.to_owned()));
        } else if CURRENCIES.contains(&word) {
            let number: Vec<&str> = said
                .iter()
                .take(at)
                .rev()
                .take_while(|word| word.is_number())
                .map(|word| word.text.as_str())
                .collect();
            found.push((Kind::Money, number.join(" ")));
        } else if word.starts_with(['$', '€', '£']) && has_digit(word) {
            found.push((Kind::Money, word.to_owned()));
        } else if (MONTHS.contains(&word) || word == "may") && has_digit(next) {
            found.push((Kind::Date, format!("{word} {next}")));
        } else if is_date(word) {
            found.push((Kind::Date, word.to_owned()));
        } else if is_id(word) {
            found.push((
                if word.contains('/') && !has_digit(word) && !word.contains("://") {
                    Kind::Zone
                } else {
                    Kind::Id
                },
                word.to_owned(),
            ));
            if word.contains('/') {
                found.push((Kind::Id, word.to_owned()));
            }
        } else if word.bytes().all(|byte| byte.is_ascii_digit()) {
            found.push((Kind::Number, word.to_owned()));
        }
    }
    found.extend(names(text).into_iter().map(|name| (Kind::Name, name)));
    found
}

/// `2027-05-01`, `03-12`, `5/12/2027`.
fn is_date(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['-', '/', '.']).collect();
    (2..=3).contains(&parts.len())
        && parts
            .iter()
            .all(|part| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()))
        && (parts.len() == 3 || !word.contains('.') && parts.iter().all(|part| part.len() == 2))
}

/// A path, a host, a code or a hash.
fn is_id(word: &str) -> bool {
    let (mut letters, mut digits, mut inside) = (0, 0, false);
    for letter in word.chars() {
        letters += usize::from(letter.is_ascii_alphabetic());
        digits += usize::from(letter.is_ascii_digit());
        inside |= matches!(letter, '/' | '_' | '@' | '.');
    }
    letters > 1 && (digits > 0 && word.len() > 3 || inside)
}

/// Names: two or more capitalized words in a row, such as a person's, and one behind a small word of English.
fn names(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut run: Vec<&str> = Vec::new();
    let mut begins = true;
    let mut flush = |run: &mut Vec<&str>| {
        if run.len() > 1 {
            found.push(run.join(" ").to_lowercase());
        }
        run.clear();
    };
    for piece in text.split_whitespace() {
        let word = piece.trim_matches(|c: char| !c.is_alphanumeric());
        let mut letters = word.chars();
        let is_capital =
            letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase);
        // The first word of a clause is capitalized whatever it is.
        let is_article = begins && STARTS.contains(&word.to_lowercase().as_str());
        if is_capital && !is_article {
            run.push(word);
        } else {
            flush(&mut run);
        }
        begins = piece.ends_with(['.', ':', '!', ';']);
        if piece.ends_with(['.', ',', ':', ';', '!', ')']) {
            flush(&mut run);
        }
    }
    flush(&mut run);
    found
}

/// First words of sentences that are no part of a name.
#[rustfmt::skip]
const STARTS: &[&str] = &[
    "the", "a", "an", "our", "my", "this", "that", "only", "production", "use", "no", "never", "always", "if", "keep", "for", "and",
    "but", "please", "ask", "tell", "der", "die", "das", "el", "la", "los", "le", "les", "un", "une",
];
