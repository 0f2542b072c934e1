//! The words of a sentence, in lower case, with what separates clauses.

use super::typos;
use super::vocabulary::{CONCEPTS, DAYS, LANGUAGES, NUMBERS, STOP, UNSPACED_STOP};
use crate::order::sort_by;

/// A word of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// The word in lower case, without accents and with a plain apostrophe. In a script without blanks, each character is
    /// a word.
    pub(crate) text: String,
    /// Whether it begins a clause: nothing, a comma, a colon, a dash or a bracket precedes it.
    pub(crate) begins: bool,
}

impl Word {
    /// Whether it contains a digit, or is a number in words.
    pub(crate) fn is_number(&self) -> bool {
        self.text.bytes().any(|byte| byte.is_ascii_digit()) || NUMBERS.contains(&self.text.as_str())
    }

    /// Whether it is a character of a script without blanks.
    fn is_character(&self) -> bool {
        self.text.chars().next().is_some_and(is_unspaced)
    }
}

/// The words of a sentence. A path, a name with dots or a number with its unit is one word.
pub(crate) fn words(sentence: &str) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let mut begins = true;
    for piece in sentence.split_whitespace() {
        let mut rest = piece;
        while let Some(character) = rest.chars().next() {
            let is_single = is_unspaced(character) || is_wide_mark(character);
            let end = if is_single {
                character.len_utf8()
            } else {
                rest.find(|c| is_unspaced(c) || is_wide_mark(c)).unwrap_or(rest.len())
            };
            let (run, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            rest = behind;
            if is_wide_mark(character) {
                begins = true;
            } else if is_single {
                found.push(Word { text: run.to_owned(), begins });
                begins = false;
            } else {
                begins = word(run, begins, &mut found);
            }
        }
    }
    found
}

/// Adds the word in a run of characters without blanks, and says whether the next one begins a clause.
fn word(run: &str, begins: bool, found: &mut Vec<Word>) -> bool {
    let inside =
        run.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '/' | '$' | '€' | '#' | '@'));
    if inside.is_empty() {
        return begins || run.contains(['-', '–', '—', ':', ';']);
    }
    let lead = run.find(inside).unwrap_or(0);
    let begins = begins || run.get(..lead).is_some_and(|lead| lead.contains(['(', '[', '-', '—']));
    let text = typos::mended(&folded(inside));
    found.push(Word { text, begins });
    let tail = run.get(lead + inside.len()..).unwrap_or_default();
    tail.contains([',', ':', ';', ')', '—', '–', '('])
}

/// A word in lower case, without accents and with a plain apostrophe: many people type none.
fn folded(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    for letter in word.chars().flat_map(char::to_lowercase) {
        text.push_str(match letter {
            '’' | '`' | '´' => "'",
            'á' | 'à' | 'â' | 'ä' => "a",
            'é' | 'è' | 'ê' | 'ë' => "e",
            'í' | 'ì' | 'î' | 'ï' => "i",
            'ó' | 'ò' | 'ô' | 'ö' => "o",
            'ú' | 'ù' | 'û' | 'ü' => "u",
            'ñ' => "n",
            'ç' => "c",
            'ß' => "ss",
            'œ' => "oe",
            // The mark of an accent that stands behind its letter.
            '\u{300}'..='\u{36f}' => "",
            letter => {
                text.push(letter);
                continue;
            }
        });
    }
    text
}

/// Whether the character is of a script that has no blanks between words.
pub(super) fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character), 0x3005..=0x3007 | 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF)
        && character != '・'
}

/// Whether the character is a mark of such a script.
fn is_wide_mark(character: char) -> bool {
    matches!(
        character,
        '、' | '，' | '：' | '；' | '。' | '！' | '？' | '（' | '）' | '「' | '」' | '《' | '》' | '・'
    )
}

/// Whether `words` contain `phrase` from `at` on.
pub(crate) fn says(words: &[Word], at: usize, phrase: &str) -> bool {
    let mut rest = phrase;
    // Nearly all phrases begin otherwise.
    let first = |text: &str| text.as_bytes().first().copied();
    if words.get(at).is_none_or(|word| first(&word.text) != first(phrase)) {
        return false;
    }
    for word in words.get(at..).unwrap_or_default() {
        let Some(behind) = rest.strip_prefix(word.text.as_str()) else { return false };
        if behind.is_empty() {
            return true;
        }
        // Between characters of a script without blanks stands none.
        rest = match behind.strip_prefix(' ') {
            Some(next) => next,
            None if word.is_character() => behind,
            None => return false,
        };
    }
    false
}

/// Where `words` contain `phrase` first.
pub(crate) fn find(words: &[Word], phrase: &str) -> Option<usize> {
    (0..words.len()).find(|at| says(words, *at, phrase))
}

/// Whether `words` contain one of `phrases`.
pub(crate) fn say_any(words: &[Word], phrases: &[&str]) -> bool {
    // Each sentence is compared with thousands of phrases: nearly all begin as none of its words does.
    let bit = |text: &str| text.as_bytes().first().map_or(0, |first| 1_u64 << (first & 63));
    let firsts = words.iter().fold(0, |all, word| all | bit(&word.text));
    phrases.iter().any(|phrase| bit(phrase) & firsts != 0 && find(words, phrase).is_some())
}

/// The words that carry the meaning of a sentence, each once and without its ending, sorted. Numbers and languages are left
/// out. What several languages call by words of their own has one name, and of a script without blanks two neighbours are a
/// word.
pub(crate) fn content(words: &[Word]) -> Vec<String> {
    let mut found: Vec<String> = CONCEPTS
        .iter()
        .filter(|(_, phrases)| say_any(words, phrases))
        .map(|(concept, _)| (*concept).to_owned())
        .collect();
    for (at, word) in words.iter().enumerate() {
        let text = word.text.as_str();
        if word.is_character() {
            let next = words.get(at + 1).filter(|next| next.is_character() && !next.begins);
            let carries = |text: &str| !UNSPACED_STOP.contains(text);
            if let Some(next) = next.filter(|next| carries(text) && carries(&next.text)) {
                found.push(format!("{text}{}", next.text));
            }
        } else if text.len() > 1
            && !word.is_number()
            && !STOP.contains(&text)
            && language_named(text).is_none()
            && !CONCEPTS.iter().any(|(_, phrases)| phrases.contains(&text))
        {
            found.push(stem(text));
        }
    }
    sort_by(&mut found, &|one, other| one.cmp(other));
    found.dedup();
    found
}

/// The numbers, and the names of days and languages, of a sentence, in order.
pub(crate) fn amounts(words: &[Word]) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let is_named = |names: &[&str]| names.iter().any(|name| says(words, at, name));
        if let Some((language, _)) = LANGUAGES.iter().find(|(_, names)| is_named(names)) {
            found.push(*language);
        } else if word.is_number() || DAYS.contains(&word.text.as_str()) {
            found.push(word.text.as_str());
        }
    }
    found
}

/// Whether a language is named at `at`.
pub(crate) fn is_language(words: &[Word], at: usize) -> bool {
    LANGUAGES.iter().any(|(_, names)| names.iter().any(|name| says(words, at, name)))
}

fn language_named(text: &str) -> Option<&'static str> {
    LANGUAGES.iter().find(|(_, names)| names.contains(&text)).map(|(language, _)| *language)
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

pub(super) fn is(words: &[Word], at: usize, any: &[&str]) -> bool {
    words.get(at).is_some_and(|word| any.contains(&word.text.as_str()))
}

pub(super) fn text(words: &[Word], at: usize) -> &str {
    words.get(at).map_or("", |word| word.text.as_str())
}

pub(super) fn before(words: &[Word], at: usize) -> &str {
    at.checked_sub(1).map_or("", |at| text(words, at))
}

/// "Renaming a helper for clarity": what one is doing.
pub(super) fn narrates(words: &[Word]) -> bool {
    words.first().is_some_and(|first| {
        let first = first.text.as_str();
        first.len() > 5
            && first.ends_with("ing")
            && !["going", "starting", "moving", "beginning", "nothing", "anything", "everything", "something"]
                .contains(&first)
    })
}

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
            ("Réponds en français", &["answer"]),
            ("提交信息", &["commit", "交信", "信息", "提交"]),
            ("", &[]),
        ] {
            assert_eq!(content(&words(sentence)), expected, "{sentence}");
        }
        assert_eq!(amounts(&words("at most 3 files by Friday")), ["3", "friday"]);
    }
}
