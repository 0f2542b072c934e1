//! Whether a text is about the messages that it is to replace: it shares their words, names and numbers.
//!
//! A model that fails may answer with anything: a cached page, the answer to somebody else, a sentence about its own work. What is
//! about the messages uses words that the user and the agent used, in any language; what is not shares only what every text has.

use std::collections::{HashMap, HashSet};

use super::serialize::{Entry, Voice};
use crate::identifiers;

/// Words of fewer letters say nothing, and so many letters of a word are compared: endings differ.
const SHORTEST: usize = 3;
const STEM: usize = 5;
/// Numbers of fewer digits are found by chance.
const DIGITS: usize = 3;
/// Words that stand in any text, and those with which a text speaks of itself.
const EVERYWHERE: &[&str] = &[
    "the", "and", "was", "that", "with", "for", "are", "not", "this", "but", "you", "your", "have", "has",
    "had", "from", "they", "them", "their", "there", "then", "than", "when", "what", "which", "who", "will",
    "would", "can", "could", "should", "may", "might", "been", "being", "into", "out", "about", "over",
    "under", "after", "before", "also", "all", "any", "each", "some", "such", "only", "just", "its", "our",
    "were", "did", "does", "done", "one", "two", "more", "most", "other", "very", "let", "now", "here",
    "how", "why", "where", "between", "these", "those", "him", "her", "his", "she", "own", "same", "too",
    "per", "via", "get", "got", "make", "made", "many", "much", "well", "like", "use", "used", "using",
    "new", "see", "please", "need", "want", "know", "time", "way", "first", "last", "next", "der", "die",
    "das", "und", "ist", "nicht", "mit", "für", "ein", "eine", "wird", "auf", "den", "dem", "von", "zu",
    "les", "des", "est", "une", "dans", "pour", "pas", "sur", "avec", "qui", "sont", "que", "los", "las",
    "por", "con", "para", "del", "pero", "como", "più", "che", "non", "per", "het", "een", "van", "niet",
    "não", "uma", "com",
];
const OWN: &[&str] = &[
    "summar", "conversation", "assistant", "user", "message", "text", "context", "history", "transcript",
    "previous", "following", "success", "complete", "continu", "progress", "discuss", "important", "point",
    "thing", "various",
];
/// What an agent's work is called in the languages that people write in: a summary may be in another one than the messages.
const WORK: &[&str] = &[
    "agent", "work", "test", "file", "fault", "error", "bug", "fix", "mend", "code", "build", "command",
    "function", "fail", "datei", "fehler", "behoben", "prüf", "befehl", "fichier", "erreur", "corrig",
    "échou", "archivo", "prueba", "fallo", "corre", "arquivo", "erro", "teste", "файл", "ошибк", "тест",
    "исправ", "код", "用户", "测试", "文件", "修复", "错误", "代码", "任务", "失败", "函数", "ユー", "テス",
    "ファ", "修正", "エラ", "コー", "失敗", "실패", "파일", "오류", "테스", "코드",
];

/// A word is central if the user said it in a message no longer than this, or if it stands in so many entries.
const TYPED: usize = 2_000;
const OFTEN: u32 = 3;
/// With fewer words than this, one that is shared is enough.
const FEW: usize = 8;
/// With fewer than this, one of an agent's work.
const FEWER: usize = 4;
/// How much of a text must be shared, in hundredths, by the number of words that the messages have: many words share more by
/// chance.
const SHARES: &[(usize, usize)] = &[(1_000, 45), (3_000, 60), (usize::MAX, 85)];

/// The words of the messages that are to be replaced.
#[derive(Debug, Default)]
pub(super) struct Topic {
    /// Of the user and the agent, of calls and earlier summaries, with their weights.
    said: HashMap<u64, u32>,
    /// How many of them are of a script without blanks.
    wide: usize,
    /// Of outputs.
    seen: HashSet<u64>,
    /// Paths, error codes, hashes and long numbers.
    names: HashSet<u64>,
}

/// What a text shares with a topic.
#[derive(Clone, Copy, Debug, Default)]
struct Shared {
    /// How many different words it has, and how many of a script without blanks.
    words: usize,
    wide: usize,
    said: usize,
    central: usize,
    seen: usize,
    names: usize,
    /// Words for an agent's work that nobody said.
    work: usize,
}

impl Topic {
    pub(super) fn of(entries: &[Entry<'_>]) -> Self {
        let mut topic = Self::default();
        for entry in entries {
            if matches!(entry.voice, Voice::Result | Voice::Other) {
                each_key(&entry.text, &mut |key| {
                    topic.seen.insert(key.hash);
                });
            } else {
                topic.say(entry);
            }
            identifiers::each(&entry.text, &mut |found| {
                if found.is_strong {
                    topic.names.insert(found.key);
                }
            });
        }
        topic
    }

    fn say(&mut self, entry: &Entry<'_>) {
        let is_typed = !matches!(entry.voice, Voice::Assistant | Voice::Thinking | Voice::Arguments)
            && entry.text.len() < TYPED;
        let weight = if is_typed { OFTEN } else { 1 };
        let mut own = HashSet::new();
        for text in [entry.label.as_str(), &entry.text] {
            each_key(text, &mut |key| {
                if own.insert(key.hash) {
                    let there = self.said.entry(key.hash).or_insert(0);
                    self.wide += usize::from(key.is_wide && *there == 0);
                    *there += weight;
                }
            });
        }
    }

    /// Whether a text is about it. `is_foreign`: it is known to be in another language.
    pub(super) fn has(&self, text: &str, is_foreign: bool) -> bool {
        let shared = self.shared(text);
        let Shared { words, wide, said, central, seen, names, work } = shared;
        let is_other_script = wide * 2 > words && self.wide * 4 < self.said.len();
        if is_foreign || is_other_script {
            // Names, and words that languages have in common.
            let known = said + work;
            return names > 0 || known > 1 && (is_other_script || known * FEW >= words);
        }
        if names > 1 || names == 1 && words < 3 * FEW {
            return true;
        }
        if words < FEW {
            let is_said = said == words && central > 0;
            return is_said
                || words > 1 && (central > 0 || said > 1 || work > 1 || work > 0 && words < FEWER);
        }
        let least = SHARES.iter().find(|(most, _)| self.said.len() <= *most).map_or(0, |(_, least)| *least);
        (said + central) * 100 + (seen + work) * 50 >= least * words
    }

    /// Whether a text names a path, an error code, a hash or a long number of it.
    pub(super) fn is_named_in(&self, text: &str) -> bool {
        let mut is_named = false;
        identifiers::each(text, &mut |found| is_named |= found.is_strong && self.names.contains(&found.key));
        is_named
    }

    fn shared(&self, text: &str) -> Shared {
        let mut shared = Shared::default();
        let mut keys = HashSet::new();
        each_key(text, &mut |key| {
            if !keys.insert(key.hash) {
                return;
            }
            shared.words += 1;
            shared.wide += usize::from(key.is_wide);
            match self.said.get(&key.hash) {
                Some(weight) => {
                    shared.said += 1;
                    shared.central += usize::from(*weight >= OFTEN);
                }
                None if self.seen.contains(&key.hash) => shared.seen += 1,
                None => shared.work += usize::from(key.is_work),
            }
        });
        let mut names = HashSet::new();
        identifiers::each(text, &mut |found| {
            if found.is_strong && self.names.contains(&found.key) {
                names.insert(found.key);
            }
        });
        shared.names = names.len();
        shared
    }
}

/// A word that says something.
struct Key {
    hash: u64,
    is_wide: bool,
    /// Whether it is one for an agent's work.
    is_work: bool,
}

/// Calls `take` with a key for each word that says something: the beginning of a word, two neighbors in a script without
/// blanks, a number.
fn each_key(text: &str, take: &mut dyn FnMut(Key)) {
    let mut word = String::new();
    let mut before: Option<char> = None;
    let mut is_number = false;
    for letter in text.chars().chain([' ']) {
        if is_wide(letter) {
            // Two neighbors with a letter of grammar stand in any Japanese text.
            if let Some(before) = before.filter(|before| is_wide(*before) && !is_hiragana(*before))
                && !is_hiragana(letter)
            {
                let pair: String = [before, letter].into_iter().collect();
                take(Key { hash: hash(&pair), is_wide: true, is_work: WORK.contains(&pair.as_str()) });
            }
            end(&mut word, is_number, take);
        } else if letter.is_alphanumeric() {
            // A name in code has a word behind each capital.
            let turns = before.is_some_and(|before| before.is_lowercase() && letter.is_uppercase());
            if turns || is_number != letter.is_numeric() {
                end(&mut word, is_number, take);
            }
            is_number = letter.is_numeric();
            if word.len() < 64 {
                word.extend(letter.to_lowercase());
            }
        } else {
            end(&mut word, is_number, take);
        }
        before = Some(letter);
    }
}

fn end(word: &mut String, is_number: bool, take: &mut dyn FnMut(Key)) {
    let letters = word.chars().count();
    let says = if is_number {
        letters >= DIGITS
    } else {
        letters >= SHORTEST
            && !EVERYWHERE.contains(&word.as_str())
            && !OWN.iter().any(|own| word.starts_with(own))
    };
    if says {
        let end = if is_number { letters } else { STEM };
        let stem: String = word.chars().take(end).collect();
        let stem = if letters <= STEM && !is_number { stem.trim_end_matches('s') } else { &stem };
        let is_work = WORK.iter().any(|work| word.starts_with(work));
        take(Key { hash: hash(stem), is_wide: false, is_work });
    }
    word.clear();
}

fn is_wide(letter: char) -> bool {
    matches!(u32::from(letter), 0xE00..=0xE7F | 0x1100..=0x11FF | 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xAC00..=0xD7AF)
}

fn is_hiragana(letter: char) -> bool {
    matches!(u32::from(letter), 0x3041..=0x309F)
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}
