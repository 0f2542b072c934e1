//! The figures in an error's words: the limit that it names, and the sizes.
//!
//! A number counts only where the words beside it say what it is. Dates, names of models, ports, ids and statuses have
//! no such words, or hang together with letters, and are nothing.

/// Smaller numbers are no sizes of contexts.
const LEAST: f64 = 256.0;
/// The largest number that can be one.
const MOST: f64 = 1e12;
/// Numbers of errors are smaller.
const MOST_CODE: f64 = 10_000.0;
/// How many words before a number are looked at.
const WORDS_BEFORE: usize = 10;

/// What an error says of a limit, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Figures {
    /// The limit.
    pub(super) limit: Option<f64>,
    /// The largest size that was sent or asked for, or is in use.
    pub(super) size: Option<f64>,
    /// The largest size of the request itself.
    pub(super) asked: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Limit,
    Size,
    /// What earlier requests used up.
    Used,
}

/// A word, a number or a sign of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece<'t> {
    Word(&'t str),
    Number(f64),
    Sign(char),
    /// A number that hangs together with letters, or with signs of dates, addresses and versions.
    Name,
}

/// Words for a limit.
const LIMITS: &[&str] = &[
    "limit", "limits", "limited", "maximum", "max", "window", "supports", "support", "supported",
    "supporting", "allowed", "allows", "allow", "permitted", "capacity", "cap", "ceiling", "most", "exceed",
    "exceeds", "exceeded", "exceeding", "than", "n_ctx", "num_ctx", "context", "context_length",
    "context_window", "context_size", "max_model_len", "max_seq_len", "model_max_length", "max_input_tokens",
    "max_prompt_tokens", "max_context_length", "max_context", "max_length", "max_position_embeddings",
    "threshold", "up_to", "within", "under", "below", "over",
];
/// Verbs after which a size stands.
const SENDS: &[&str] = &[
    "requested", "request", "has", "have", "had", "contains", "contain", "contained", "resulted", "received",
    "given", "got", "sent", "passed", "provided", "keep", "needs", "requires", "actual", "actually",
    "n_keep", "n_prompt_tokens",
];
/// Words after which stands what is in use already.
const USES: &[&str] = &["used", "uses", "using", "current"];
/// Nouns of what is sent, which say it only where no limit is spoken of.
const SENT: &[&str] = &[
    "input", "inputs", "prompt", "prompts", "messages", "message", "total", "input_ids", "long", "large",
    "count", "estimated", "conversation", "input_tokens", "prompt_tokens", "prompt_token_ids", "query",
    "history", "request_tokens",
];
/// Words of an answer's length.
const ANSWERS: &[&str] = &[
    "output", "completion", "max_tokens", "max_completion_tokens", "max_new_tokens", "max_output_tokens",
    "new", "generated", "generation",
];
/// Words that say nothing of a number but may stand beside it.
const BETWEEN: &[&str] = &[
    "is", "are", "was", "of", "to", "only", "just", "the", "a", "an", "for", "this", "that", "model",
    "model's", "models", "tokens", "token", "length", "size", "number", "at", "up", "least", "about",
    "approximately", "around", "be", "should", "must", "with", "your", "its", "their", "set", "currently",
    "first", "configured", "available", "in", "and", "ids", "s", "range", "value", "equal", "or", "minimum",
    "sequence", "too", "you", "it", "by_default", "these",
];
/// Units that are no tokens.
const UNITS: &[&str] = &[
    "bytes", "byte", "kb", "mb", "gb", "kib", "mib", "gib", "px", "pixels", "pixel", "characters",
    "character", "chars", "char", "images", "image", "pages", "page", "seconds", "second", "s", "ms",
    "minutes", "requests", "request", "credits", "messages", "tools", "functions", "items", "files",
    "documents", "days", "hours", "utf",
];

/// The window to go on with after a refusal, in tokens: the one that the refusal names, or else the size that was sent, which was
/// too large. `None` if nothing smaller than what is known was learnt. A figure below a twentieth of what was sent is none.
///
/// A window above what was sent is believed: the words beside it say what it is, and the size is the caller's estimate, without
/// the room for an answer and whatever else the request holds. It never widens what is known.
///
/// # Example
///
/// ```
/// use ebbline::overflow::window_learnt;
/// assert_eq!(window_learnt(Some(32_000), 36_000, Some(200_000)), Some(32_000));
/// assert_eq!(window_learnt(Some(1_234), 36_000, Some(200_000)), Some(36_000));
/// assert_eq!(window_learnt(None, 36_000, Some(200_000)), Some(36_000));
/// assert_eq!(window_learnt(Some(128_000), 36_000, Some(200_000)), Some(128_000));
/// assert_eq!(window_learnt(Some(128_000), 36_000, Some(128_000)), None);
/// ```
#[must_use]
pub fn window_learnt(named: Option<u64>, sent: u64, known: Option<u64>) -> Option<u64> {
    let window = named.filter(|named| *named >= sent.div_ceil(20)).unwrap_or(sent);
    (window > 0 && known.is_none_or(|known| window < known)).then_some(window)
}

/// The limit that a text names, and the largest size.
pub(super) fn figures(text: &str) -> Figures {
    let lower = text.to_ascii_lowercase();
    let pieces = pieces(&lower);
    let mut limits = Vec::new();
    let (mut size, mut asked): (Option<f64>, Option<f64>) = (None, None);
    let larger = |known: Option<f64>, value: f64| Some(known.map_or(value, |known| known.max(value)));
    for (at, piece) in pieces.iter().enumerate() {
        let Piece::Number(value) = *piece else { continue };
        if !(LEAST..=MOST).contains(&value) {
            continue;
        }
        match role(&pieces, at) {
            Some(Role::Limit) => limits.push((value, at)),
            Some(role) => {
                size = larger(size, value);
                asked = if role == Role::Size { larger(asked, value) } else { asked };
            }
            None => {}
        }
    }
    // A number that closes a sentence about a limit, in brackets, is the number of the error unless tokens are spoken of.
    if size.is_none() && !lower.contains("token") {
        limits.retain(|(value, at)| *value >= MOST_CODE || !is_bracketed_limit(&pieces, *at));
    }
    let limits: Vec<_> = limits.into_iter().map(|(value, _)| value).collect();
    // A window is smaller than what did not fit into it.
    let fitting = limits.iter().copied().find(|limit| size.is_none_or(|size| *limit <= size));
    Figures { limit: fitting.or_else(|| limits.first().copied()), size, asked }
}

/// Whether a number stands in brackets right behind the word for a limit: `exceeds limit (2013)`.
fn is_bracketed_limit(pieces: &[Piece<'_>], at: usize) -> bool {
    let piece = |place: Option<usize>| place.and_then(|place| pieces.get(place));
    piece(at.checked_sub(2)) == Some(&Piece::Word("limit"))
        && piece(at.checked_sub(1)) == Some(&Piece::Sign('('))
        && piece(Some(at + 1)) == Some(&Piece::Sign(')'))
}

fn role(pieces: &[Piece<'_>], at: usize) -> Option<Role> {
    let after = after(pieces, at);
    match after {
        After::Other => return None,
        After::Size => return Some(Role::Size),
        After::Limit | After::Nothing => {}
    }
    let before = before(pieces, at);
    if before == Some(Role::Size) && after == After::Limit {
        return Some(Role::Limit);
    }
    before.or((after == After::Limit).then_some(Role::Limit))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    Nothing,
    Limit,
    Size,
    /// It counts something else.
    Other,
}

/// What the words behind a number say.
fn after(pieces: &[Piece<'_>], at: usize) -> After {
    let mut rest = pieces.iter().skip(at + 1).take(6).peekable();
    let mut is_first = true;
    while let Some(piece) = rest.next() {
        match *piece {
            Piece::Sign('>' | '+' | '≥') => return After::Size,
            // What there is, of what there may be: "5910 / 4095".
            Piece::Sign('/') if matches!(rest.peek(), Some(Piece::Number(_))) => return After::Size,
            Piece::Sign(')' | ']' | '`' | '"' | '\'' | '*') => {}
            Piece::Word("tokens" | "token" | "input" | "prompt" | "is" | "the" | "text") => is_first = false,
            Piece::Word(word) if is_first && UNITS.contains(&word) => return After::Other,
            Piece::Word("output" | "completion" | "new" | "generated") => return After::Other,
            Piece::Word("maximum" | "max" | "limit" | "context" | "window") => return After::Limit,
            Piece::Word("exceeds" | "exceed" | "longer" | "larger" | "greater" | "bigger") => {
                return After::Size;
            }
            Piece::Word("exceeded") => {
                let goes_on = matches!(
                    rest.peek(),
                    Some(Piece::Word(
                        "the" | "this" | "your" | "model" | "maximum" | "max" | "limit" | "context"
                    ))
                );
                return if goes_on { After::Size } else { After::Nothing };
            }
            _ => return After::Nothing,
        }
    }
    After::Nothing
}

/// What the words before a number say; the nearest that says something counts.
fn before(pieces: &[Piece<'_>], at: usize) -> Option<Role> {
    let mut noun = None;
    let mut words = 0;
    let mut place = at;
    while let Some(piece) = place.checked_sub(1).and_then(|before| pieces.get(before)) {
        place -= 1;
        match *piece {
            Piece::Sign('>' | '<' | '≤' | '≥') => return Some(Role::Limit),
            Piece::Sign('/') => {
                let is_pair =
                    matches!(place.checked_sub(1).and_then(|one| pieces.get(one)), Some(Piece::Number(_)));
                return is_pair.then_some(Role::Limit);
            }
            Piece::Name => {
                words += 1;
                match model_begins(pieces, place).filter(|_| words <= WORDS_BEFORE) {
                    Some(begin) => place = begin,
                    None => break,
                }
            }
            Piece::Sign('.' | ';' | '\n' | '{' | '}' | '!' | '?' | '。' | '+' | '-') | Piece::Number(_) => {
                break;
            }
            Piece::Sign(',') => {
                // A range from one: "[1, 30720]".
                let number = place.checked_sub(1).and_then(|before| pieces.get(before));
                let open = place.checked_sub(2).and_then(|before| pieces.get(before));
                match (number, open) {
                    (Some(Piece::Number(low)), Some(Piece::Sign('[' | '('))) if *low <= 1.0 => {
                        let is_of = |words: &[&str]| {
                            pieces
                                .iter()
                                .take(place)
                                .rev()
                                .take_while(|piece| **piece != Piece::Sign(':'))
                                .take(WORDS_BEFORE)
                                .any(|piece| matches!(piece, Piece::Word(word) if words.contains(word)))
                        };
                        return (is_of(&["input", "prompt", "context"]) && !is_of(ANSWERS))
                            .then_some(Role::Limit);
                    }
                    _ => break,
                }
            }
            Piece::Sign(_) => {}
            Piece::Word(word) => {
                words += 1;
                if words > WORDS_BEFORE {
                    break;
                }
                if word == "by" {
                    return None;
                }
                if LIMITS.contains(&word)
                    || is_any_of(
                        word,
                        &["最大", "上限", "限制", "支持", "最长", "超过", "超出", "以内", "最多"],
                    )
                {
                    return Some(Role::Limit);
                }
                if SENDS.contains(&word) || is_any_of(word, &["当前", "实际", "请求了", "收到"]) {
                    return Some(Role::Size);
                }
                if USES.contains(&word) {
                    return Some(Role::Used);
                }
                if ANSWERS.contains(&word) {
                    return None;
                }
                if SENT.contains(&word) {
                    noun = Some(Role::Size);
                } else if !BETWEEN.contains(&word) {
                    break;
                }
            }
        }
    }
    noun
}

/// Where the name of a model begins that ends at a place, behind the word that brings it in: "of DeepSeek-V3-0324".
fn model_begins(pieces: &[Piece<'_>], end: usize) -> Option<usize> {
    let before = pieces.get(end.saturating_sub(WORDS_BEFORE)..end)?;
    let is_part = |piece: &Piece<'_>| {
        matches!(piece, Piece::Name | Piece::Word(_) | Piece::Sign('-' | '/' | '.' | ':'))
    };
    let words = before.iter().rev().take_while(|piece| is_part(piece));
    let parts = words.take_while(|piece| !matches!(piece, Piece::Word("of" | "for"))).count();
    let begin = end.checked_sub(parts)?;
    let brings = begin.checked_sub(1).and_then(|place| pieces.get(place));
    matches!(brings, Some(Piece::Word("of" | "for"))).then_some(begin)
}

fn is_any_of(word: &str, parts: &[&str]) -> bool {
    !word.is_ascii() && parts.iter().any(|part| word.contains(part))
}

/// A text in lower case, taken apart.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut before = None;
    while let Some(character) = rest.chars().next() {
        let length = if is_of_word(character) {
            let mut end = word_end(rest);
            // Where signs of writing without spaces meet digits, both stand for themselves.
            if !character.is_ascii() {
                end = rest.find(|one: char| !is_of_word(one) || one.is_ascii_digit()).unwrap_or(rest.len());
            } else if character.is_ascii_digit()
                && let Some(wide) = rest.get(..end).and_then(|word| word.find(|one: char| !one.is_ascii()))
            {
                end = wide;
            }
            let word = rest.get(..end).unwrap_or_default();
            let next = rest.get(end..).and_then(|more| more.chars().next());
            let behind = rest.get(end..).map(|more| more.chars().skip(1));
            let is_tied = next.is_some_and(|next| {
                matches!(next, '-' | '/' | ':' | '@' | '\\' | '.' | '_')
                    && behind.is_some_and(|mut behind| behind.next().is_some_and(is_of_word))
            });
            let is_hung = matches!(before, Some('-' | '/' | '.' | '#' | '@' | '\\' | '$' | '€'));
            found.push(if word.starts_with(|first: char| first.is_ascii_digit()) {
                match number(word).filter(|_| !is_hung && !is_tied) {
                    Some(value) => Piece::Number(value),
                    None => Piece::Name,
                }
            } else if word.bytes().any(|byte| byte.is_ascii_digit()) || (is_hung && before != Some('.')) {
                Piece::Name
            } else {
                Piece::Word(word)
            });
            end
        } else {
            if !matches!(character, ' ' | '\t' | '\r') {
                found.push(Piece::Sign(character));
            }
            character.len_utf8()
        };
        before = rest.get(..length).and_then(|taken| taken.chars().next_back());
        rest = rest.get(length..).unwrap_or_default();
    }
    found
}

fn is_of_word(character: char) -> bool {
    // Signs of writing stand outside of ASCII from U+3000 to U+303F, and in its wide form.
    character.is_ascii_alphanumeric()
        || character == '_'
        || matches!(character, '\u{c0}'..='\u{2000}' | '\u{3040}'..='\u{feff}')
}

/// Where a word ends, or a number with the signs that group its digits.
fn word_end(text: &str) -> usize {
    let mut characters = text.char_indices().peekable();
    let is_number = text.starts_with(|first: char| first.is_ascii_digit());
    let mut last = ' ';
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let is_grouped = is_number
            && matches!(character, ',' | '\u{a0}' | '\u{202f}')
            && last.is_ascii_digit()
            && text.get(at + character.len_utf8()..).is_some_and(is_group);
        let is_apostrophe = !is_number && character == '\'' && next == Some('s');
        if !(is_of_word(character) || is_grouped || is_apostrophe) {
            return at;
        }
        last = character;
    }
    text.len()
}

/// Whether a text begins with three digits that are a group.
fn is_group(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits == 3
}

/// The number that a word is: `8192`, `8,192`, `8_192`, `128k`, `1m`.
fn number(word: &str) -> Option<f64> {
    let (digits, factor) = match word.as_bytes().last()? {
        b'k' => (word.get(..word.len() - 1)?, 1e3),
        b'm' => (word.get(..word.len() - 1)?, 1e6),
        _ => (word, 1.0),
    };
    let digits: String =
        digits.chars().filter(|one| !matches!(one, ',' | '_' | '\u{a0}' | '\u{202f}')).collect();
    let is_plain =
        !digits.is_empty() && digits.len() <= 12 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { digits.parse().ok().map(|value: u64| value as f64 * factor) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_counts_where_its_words_say_what_it_is() {
        let cases: [(&str, Option<f64>, Option<f64>); 36] = [
            (
                "This model's maximum context length is 8,192 tokens. You requested 9_000 tokens.",
                Some(8192.0),
                Some(9000.0),
            ),
            ("prompt is too long: 205000 tokens > 200000 maximum", Some(200_000.0), Some(205_000.0)),
            (
                "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000",
                Some(200_000.0),
                Some(188_240.0),
            ),
            (
                "[2026-09-22 08:19:12] upstream: This model's maximum context length is 131072 tokens.",
                Some(131_072.0),
                None,
            ),
            ("gpt-4o-2024-08-06: maximum context length of 128000 tokens exceeded", Some(128_000.0), None),
            (
                "http://127.0.0.1:1234/v1: the request exceeds the available context size (32768), try increasing it",
                Some(32768.0),
                None,
            ),
            ("http://localhost:1234/v1/chat/completions: input is too long", None, None),
            ("maximum context length is 65536 tokens (request id 8f3a-4821-aa)", Some(65536.0), None),
            ("Range of input length should be [1, 98304]", Some(98304.0), None),
            ("Range of max_tokens should be [1, 8192]", None, None),
            ("(n_keep: 13055>= n_ctx: 4096)", Some(4096.0), Some(13055.0)),
            ("prompt too long; exceeded max context length by 100918 tokens", None, None),
            (
                "Prompt contains 65673 tokens, too large for model with 32768 maximum context length",
                Some(32768.0),
                Some(65673.0),
            ),
            (
                "Input too long: 518063 input tokens, limit is 262144 for this model",
                Some(262_144.0),
                Some(518_063.0),
            ),
            (
                "estimated number of input and maximum output tokens (41022) exceeded this model context window limit (32768)",
                Some(32768.0),
                Some(41022.0),
            ),
            ("Request body too large for gpt-5-mini model. Max size: 4000 tokens.", Some(4000.0), None),
            ("Request size exceeds the limit of 33554432 bytes", None, None),
            ("Current length is 42328 while limit is 40000", Some(40000.0), Some(42328.0)),
            ("Prompt exceeds n_ctx: 9301 > 8192", Some(8192.0), Some(9301.0)),
            ("`inputs` must have less than 4096 tokens. Given: 4545", Some(4096.0), Some(4545.0)),
            ("exceeded model token limit: 262144 (requested: 425573)", Some(262_144.0), Some(425_573.0)),
            ("prompt exceeds the 200k token limit", Some(200_000.0), None),
            ("Total tokens exceed max message tokens. Request id: 021714", None, None),
            ("Error code: 400 - context_length_exceeded at 2026-11-26T16:20:01Z", None, None),
            ("128000 tokens is the maximum", Some(128_000.0), None),
            ("上下文长度超出限制，最大 8192 tokens，当前 9000", Some(8192.0), Some(9000.0)),
            ("limit=2048 prompt=5065 keep=5 new=2048", Some(2048.0), Some(5065.0)),
            ("claude-opus-4-1-20250805: prompt is too long", None, None),
            ("supports at most 16384 completion tokens, whereas you provided 100000", None, Some(100_000.0)),
            ("on tokens per minute (TPM): Limit 6000, Requested 14368", Some(6000.0), Some(14368.0)),
            ("invalid params, context window exceeds limit (2013)", None, None),
            ("the prompt has 9301 tokens and exceeds the limit (8192)", Some(8192.0), Some(9301.0)),
            ("Prompt token count exceeds max token count (5910 / 4095).", Some(4095.0), Some(5910.0)),
            ("The maximum context length of DeepSeek-V3-0324 is 32768.", Some(32768.0), None),
            ("Tool output: Range of input length should be [1, 6000]", Some(6000.0), None),
            ("organization TPD limit: 1500000, current: 1506556", Some(1_500_000.0), Some(1_506_556.0)),
        ];
        for (text, limit, size) in cases {
            let found = figures(text);
            assert_eq!((found.limit, found.size), (limit, size), "{text}");
        }
    }

    #[test]
    fn a_long_text_takes_no_longer_than_its_length() {
        let text = "limit is ".repeat(100_000) + "8192";
        assert_eq!(figures(&text).limit, Some(8192.0));
        let names = "limit of a-1 of ".repeat(50_000) + "9000 of a-1";
        assert_eq!(figures(&names.repeat(2)).size, None);
    }
}
