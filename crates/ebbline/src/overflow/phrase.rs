//! Whether the words of a pattern stand in a text.
//!
//! Nearly every pattern consists of words that stand one behind the other, some of them optional: [`joined`]. The others ask
//! for words in one line or near each other, for whole words, or for a number at the beginning; each is a check of its own.

/// A text that phrases are looked for in.
#[derive(Debug)]
pub(super) struct Text {
    /// In lower case, by ASCII's letters.
    lower: String,
    /// With every number as `0`, or as `0,0` where commas group its digits.
    folded: String,
}

impl Text {
    pub(super) fn new(text: &str) -> Self {
        let lower = text.to_ascii_lowercase();
        let mut folded = String::with_capacity(lower.len());
        let mut rest = lower.as_str();
        while let Some(at) = rest.find(is_of_number) {
            let (before, more) = rest.split_at_checked(at).unwrap_or((rest, ""));
            let after = more.trim_start_matches(is_of_number);
            let number = more.strip_suffix(after).unwrap_or(more);
            folded.push_str(before);
            folded.push_str(match (number.contains(','), number.contains(|one: char| one != ',')) {
                (false, _) => "0",
                (true, true) => "0,0",
                (true, false) => number,
            });
            rest = after;
        }
        folded.push_str(rest);
        Self { lower, folded }
    }
}

fn is_of_number(character: char) -> bool {
    character.is_ascii_digit() || character == ','
}

/// How a pattern is looked for. All words are in lower case.
#[derive(Clone, Copy, Debug)]
pub(super) enum Phrase {
    /// These characters.
    Literal(&'static str),
    /// One of each group, joined, with numbers as in [`Text`].
    Joined(&'static [&'static [&'static str]]),
    /// Whatever the text in lower case is asked.
    Check(fn(&str) -> bool),
}

impl Phrase {
    pub(super) fn is_in(self, text: &Text) -> bool {
        match self {
            Self::Literal(words) => text.lower.contains(words),
            Self::Joined(groups) => joined(&text.folded, groups),
            Self::Check(check) => check(&text.lower),
        }
    }
}

/// Whether one of each group stands in a text, each right behind the one before.
fn joined(text: &str, groups: &[&[&str]]) -> bool {
    stands(text, groups, false)
}

fn stands(text: &str, groups: &[&[&str]], begins_word: bool) -> bool {
    let Some((first, rest)) = groups.split_first() else { return true };
    first.iter().any(|word| {
        text.match_indices(word).any(|(at, word)| {
            text.get(at + word.len()..).is_some_and(|text| goes_on(text, rest))
                && (!begins_word || is_boundary(text, at))
        })
    })
}

fn goes_on(text: &str, groups: &[&[&str]]) -> bool {
    groups.split_first().is_none_or(|(words, rest)| {
        words.iter().any(|word| text.strip_prefix(word).is_some_and(|text| goes_on(text, rest)))
    })
}

/// Whether one of each group stands in a text, joined, at the beginning of a word.
pub(super) fn stands_at_word(text: &str, groups: &[&[&str]]) -> bool {
    stands(text, groups, true)
}

/// Whether one of these words stands in a text as a whole word.
pub(super) fn has_word(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.match_indices(word).any(|(at, word)| is_whole(text, at, word)))
}

/// Whether a text begins with this word.
pub(super) fn begins_with_word(text: &str, word: &str) -> bool {
    text.starts_with(word) && is_whole(text, 0, word)
}

/// Whether one line of a text has all of these, in their order.
pub(super) fn in_line(text: &str, words: &[&str]) -> bool {
    text.split(['\n', '\r', '\u{2028}', '\u{2029}']).any(|line| {
        words.iter().try_fold(line, |line, word| line.split_once(word).map(|(_, rest)| rest)).is_some()
    })
}

/// Two words that stand near each other.
#[derive(Debug)]
pub(super) struct Pair<'a> {
    /// Whether the first is a whole word, and no letter stands behind the second.
    pub(super) is_whole: bool,
    /// What stands behind them.
    pub(super) rest: &'a str,
}

/// Where a word of `first` stands before one of `second`, in one sentence and with at most `gap` characters between them.
pub(super) fn near<'a>(text: &'a str, first: &[&str], gap: usize, second: &[&str]) -> Vec<Pair<'a>> {
    let mut pairs = Vec::new();
    for (at, word) in second.iter().flat_map(|word| text.match_indices(word)) {
        let (mut before, rest) = (text.get(..at).unwrap_or_default(), text.get(at + word.len()..));
        for _ in 0..=gap {
            for first in first.iter().filter(|first| before.ends_with(**first)) {
                let start = before.len() - first.len();
                let is_whole = is_whole(text, start, first) && ends(text, at, word);
                pairs.push(Pair { is_whole, rest: rest.unwrap_or_default() });
            }
            let last = before.chars().next_back().filter(|last| !matches!(last, '.' | '\n'));
            let Some(shorter) = last.and_then(|last| before.strip_suffix(last)) else { break };
            before = shorter;
        }
    }
    pairs
}

/// Whether a status stands behind one of these names, with one to three signs between them: `error code: 429`.
pub(super) fn has_status(text: &str, names: &[&str], statuses: &[&str]) -> bool {
    let is_sign = |one: char| !is_word(one) && one != '\n';
    statuses.iter().flat_map(|status| text.match_indices(status)).any(|(at, status)| {
        let before = text.get(..at).unwrap_or_default();
        let name = before.trim_end_matches(is_sign);
        let signs = before.get(name.len()..).map_or(0, |signs| signs.chars().take(4).count());
        is_boundary(text, at + status.len())
            && (1..=3).contains(&signs)
            && names.iter().any(|ending| name.ends_with(ending))
    })
}

/// Whether letters end or begin at a place.
fn is_boundary(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|head| head.chars().next_back());
    let after = text.get(at..).and_then(|rest| rest.chars().next());
    before.is_some_and(is_word) != after.is_some_and(is_word)
}

/// Whether no letters stand beside the letters that a word begins and ends with.
fn is_whole(text: &str, at: usize, word: &str) -> bool {
    (!word.starts_with(is_word) || is_boundary(text, at)) && ends(text, at, word)
}

/// Whether no letter stands behind the letter that a word ends with.
fn ends(text: &str, at: usize, word: &str) -> bool {
    !word.ends_with(is_word) || is_boundary(text, at + word.len())
}

pub(super) fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// White space of ECMA-262, which has U+FEFF and not U+0085.
pub(super) fn is_space(character: char) -> bool {
    (character.is_whitespace() && character != '\u{85}') || character == '\u{feff}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_folded() {
        let folded = |text| Text::new(text).folded;
        assert_eq!(folded("Is 9,310 of 8192, got -7; a,b"), "is 0,0 of 0,0 got -0; a,b");
        assert_eq!(folded(""), "");
    }

    #[test]
    fn words_are_joined_near_or_in_one_line() {
        let groups: &[&[&str]] = &[&["exceed"], &["s ", " "], &["the ", ""], &["limit of 0"]];
        for text in ["exceeds the limit of 10", "exceed limit of 9", "exceed exceeds limit of 1,000"] {
            assert!(Phrase::Joined(groups).is_in(&Text::new(text)), "{text}");
        }
        for text in ["exceeds  the limit of 10", "exceeds the limit of ten", ""] {
            assert!(!Phrase::Joined(groups).is_in(&Text::new(text)), "{text}");
        }
        assert!(stands_at_word("a token per min", &[&["token"], &[" per min"]]));
        assert!(!stands_at_word("a_token per min", &[&["token"], &[" per min"]]));
        assert!(in_line("count \u{85} exceeds", &["count", "exceeds"]));
        for end in ["\n", "\r", "\u{2028}", "\u{2029}"] {
            assert!(!in_line(&format!("count{end}exceeds"), &["count", "exceeds"]));
        }
        let busy = |text, gap| near(text, &["server"], gap, &[" busy"]).len();
        assert_eq!(busy("the server is so busy", 6), 1);
        assert_eq!(busy("the server is so busy", 5), 0);
        assert_eq!(busy("the server. it is busy", 20), 0);
        let whole = |text| near(text, &["daily"], 30, &[" limit"]).iter().any(|pair| pair.is_whole);
        assert!(whole("dailyish daily limit: 3") && !whole("dailyish limit") && !whole("daily limits"));
        assert!(has_word("(tpm)", &["tpm"]) && !has_word("tpms", &["tpm"]));
        assert!(has_status("http: 429.", &["http"], &["429"]));
        assert!(
            !has_status("http429", &["http"], &["429"]) && !has_status("http: (((429", &["http"], &["429"])
        );
        assert!(is_space('\u{feff}') && is_space('\u{a0}') && !is_space('\u{85}'));
    }

    #[test]
    fn a_long_text_takes_no_longer_than_its_length() {
        let text = "input length 1,000 daily ".repeat(20_000);
        assert!(!in_line(&text, &["input length", "exceeds", "context length"]));
        assert!(near(&text, &["monthly"], 60, &["daily"]).is_empty());
        assert!(!joined(&Text::new(&text).folded, &[&["input length "], &["0 ", "0,0 "], &["tokens"]]));
        assert!(in_line(&format!("{text}exceeds the context length"), &["exceeds", "context length"]));
    }
}
