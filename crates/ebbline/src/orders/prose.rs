//! Sentences of prose in a message: what a person says, without the code, logs and quotations that the message
//! contains.

use std::collections::HashMap;
use std::ops::Range;

/// A longer sentence is pasted material; an order is shorter.
pub(super) const LONGEST: usize = 600;
/// So much indentation makes a line code, as in Markdown.
const CODE_INDENT: usize = 4;

/// Beginnings of lines that programs print.
const PRINTED: &[&str] = &[
    "$ ", "> ", "% ", "➜", "❯", "@@ ", "+++ ", "--- ", "diff --git", "File \"", "Traceback", "Caused by:",
    "error:", "error[", "warning:", "warning[", "Error:", "npm ERR!", "ERROR", "WARN", "INFO", "DEBUG",
    "TRACE", "FATAL", "thread '", "node:", "{", "}", "[", "]", "|", "//", "/*",
];

/// Beginnings of lines of code, if the line also looks like code: "let me know" is prose.
const CODE: &[&str] =
    &["import ", "const ", "let ", "fn ", "def ", "class ", "at ", "from ", "\"", "return ", "if ("];

/// The lines around files that an application adds to what the user typed, as Gemini CLI does.
const FILES: (&str, &str) = ("--- Content from ", "--- End of content");

/// Words in front of a full stop that does not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "e.g", "i.e", "etc", "vs", "approx", "incl", "resp", "a.m", "p.m", "z.B", "d.h", "bzw", "usw", "ca",
    "Nr", "No",
];

/// The longest word in front of such a full stop, in characters.
const LONGEST_STOPPED: usize = 6;

/// A sentence of prose, as a range of bytes of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sentence<'t> {
    /// Where it begins in the text, in bytes.
    pub(crate) start: usize,
    /// The sentence, with the line breaks that it has in the text.
    pub(crate) text: &'t str,
    /// The number of the list of which it is an item, or a part of one.
    pub(crate) list: Option<usize>,
}

/// The sentences of a text that are prose. What a fence, a tag or a quotation encloses is data, and so are
/// lines that a program printed.
pub(crate) fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    let mut paragraph: Option<(usize, usize)> = None;
    let mut lines = Lines::of(text);
    let mut start = 0;
    let (mut lists, mut list) = (0, None);
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let is_prose = lines.is_prose(start, line);
        let begins = is_item(line.trim_start());
        if (!is_prose || begins)
            && let Some(range) = paragraph.take()
        {
            split(text, range, list, &mut found);
        }
        if begins {
            lists += usize::from(list.is_none());
            list = Some(lists);
        } else if paragraph.is_none() && !line.trim().is_empty() {
            list = None;
        }
        if is_prose {
            paragraph = Some((paragraph.map_or(start, |(begun, _)| begun), end));
        }
        start = end;
    }
    if let Some(range) = paragraph {
        split(text, range, list, &mut found);
    }
    found
}

/// The sentence without what it quotes: code between backticks and words between quotation marks become blanks.
pub(crate) fn without_quotations(sentence: &str) -> String {
    let mut said = String::with_capacity(sentence.len());
    let mut open: Option<char> = None;
    let mut rest = sentence;
    while let Some(character) = rest.chars().next() {
        let behind = rest.get(character.len_utf8()..).unwrap_or_default();
        if let Some(closing) = open {
            if character == closing {
                open = None;
            }
            said.push(' ');
        } else {
            open = closing_of(character).filter(|closing| behind.contains(*closing));
            said.push(if open.is_some() { ' ' } else { character });
        }
        rest = behind;
    }
    said
}

fn closing_of(opening: char) -> Option<char> {
    match opening {
        '`' | '"' => Some(opening),
        '“' | '„' => Some('”'),
        '«' => Some('»'),
        '「' => Some('」'),
        _ => None,
    }
}

/// What is known while the lines of a text are read.
struct Lines<'t> {
    /// The character of the open fence.
    fence: Option<char>,
    /// Where the open tag is closed.
    tag_ends: Option<usize>,
    /// Whether the lines are those of a file that the application added.
    in_files: bool,
    /// Whether a program printed the lines before, up to the next blank line.
    printed: bool,
    /// Where each tag is closed last.
    closings: HashMap<&'t str, usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let mut closings = HashMap::new();
        for (at, _) in text.match_indices("</") {
            let name = name_at(text.get(at + 2..).unwrap_or_default());
            if !name.is_empty() {
                closings.insert(name, at);
            }
        }
        Self { fence: None, tag_ends: None, in_files: false, printed: false, closings }
    }

    fn is_prose(&mut self, start: usize, line: &'t str) -> bool {
        let said = line.trim();
        self.in_files = (self.in_files || said.starts_with(FILES.0)) && !said.starts_with(FILES.1);
        if self.in_files || said.starts_with(FILES.1) {
            return false;
        }
        if let Some(end) = self.tag_ends {
            if start + line.len() > end {
                self.tag_ends = None;
            }
            return false;
        }
        let fence =
            ['`', '~'].into_iter().find(|mark| said.chars().take(3).filter(|c| c == mark).count() == 3);
        if let Some(open) = self.fence {
            if fence == Some(open) {
                self.fence = None;
            }
            return false;
        }
        if fence.is_some() {
            self.fence = fence;
            return false;
        }
        if let Some(tag) = said.strip_prefix('<') {
            let name = name_at(tag);
            if let Some(end) = self.closings.get(name).filter(|end| **end >= start && !name.is_empty()) {
                self.tag_ends = Some(*end).filter(|end| *end >= start + line.len());
                return false;
            }
        }
        // A pasted output is wrapped, and its later lines look like prose.
        self.printed = !said.is_empty() && (self.printed && !is_item(said) || is_printed(said));
        !said.is_empty() && !self.printed && !said.starts_with('>') && !is_code(line)
    }
}

fn name_at(text: &str) -> &str {
    let end =
        text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

fn is_code(line: &str) -> bool {
    let said = line.trim_start();
    let indent = line.len() - said.len();
    line.starts_with('\t') && !is_item(said) || indent >= CODE_INDENT && !is_item(said)
}

/// Whether a line begins a list's item.
fn is_item(said: &str) -> bool {
    let numbered = said.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered =
        numbered.len() < said.len() && (numbered.starts_with(". ") || numbered.starts_with(") "));
    is_numbered || ["- ", "* ", "+ ", "• ", "・"].iter().any(|mark| said.starts_with(mark))
}

/// Whether a program printed the line: a log, a trace, a table, a diff, JSON.
fn is_printed(said: &str) -> bool {
    if PRINTED.iter().any(|begin| said.starts_with(begin)) {
        return true;
    }
    let looks_like_code = || {
        matches!(said.chars().last(), Some('{' | '}' | ';' | ',' | '(' | ')' | ':' | ']'))
            || said.contains(" = ")
            || said.contains("\":")
    };
    if CODE.iter().any(|begin| said.starts_with(begin)) && looks_like_code() {
        return true;
    }
    let begin = said.trim_start_matches(['[', '(']);
    let digits = begin.chars().take_while(char::is_ascii_digit).count();
    let next = begin.get(digits..).and_then(|rest| rest.chars().next());
    // `2026-01-02`, `12:30:01`, and line numbers in front of code.
    matches!((digits, next), (4, Some('-' | '/')) | (1..=2, Some(':')))
        || digits > 0
            && begin.get(digits..).is_some_and(|rest| rest.starts_with("  ") || rest.starts_with('\t'))
        || matches!(said.chars().last(), Some('{' | '}' | ';'))
}

/// Adds the sentences of a paragraph.
fn split<'t>(
    text: &'t str,
    (start, end): (usize, usize),
    list: Option<usize>,
    found: &mut Vec<Sentence<'t>>,
) {
    let Some(paragraph) = text.get(start..end) else { return };
    let mut begun = 0;
    let mut characters = paragraph.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let behind = at + character.len_utf8();
        let is_end = match character {
            '.' => ends_sentence(paragraph, begun, at),
            '!' | '?' | '。' | '！' | '？' => true,
            _ => false,
        };
        let is_followed = !character.is_ascii()
            || characters.peek().is_none_or(|(_, next)| {
                next.is_whitespace() || matches!(next, '"' | '”' | ')' | '*' | '_' | '!' | '?')
            });
        if is_end && is_followed {
            add(paragraph, begun..behind, (start, list), found);
            begun = behind;
        }
    }
    add(paragraph, begun..paragraph.len(), (start, list), found);
}

/// Whether a full stop ends a sentence. Only what an abbreviation or the number of an item can hold is looked at: a
/// text without blanks would else be read again at each of its points.
fn ends_sentence(paragraph: &str, begun: usize, at: usize) -> bool {
    let said = paragraph.get(begun..at).unwrap_or_default();
    let near = said.char_indices().rev().take(LONGEST_STOPPED + 1);
    let Some((from, _)) = near.last() else { return true };
    let word = said.get(from..).unwrap_or_default();
    let is_whole = from == 0 || word.contains([' ', '\n', '(']);
    let word = word.rsplit([' ', '\n', '(']).next().unwrap_or_default();
    if !is_whole || word.is_empty() {
        return true;
    }
    let is_number = word.len() <= 2 && word.chars().all(|c| c.is_ascii_digit());
    let before = said.get(..said.len() - word.len()).unwrap_or_default();
    let is_first = is_number && before.len() <= LONGEST && before.trim().is_empty();
    !(ABBREVIATIONS.contains(&word) || is_first)
}

fn add<'t>(
    paragraph: &'t str,
    range: Range<usize>,
    (start, list): (usize, Option<usize>),
    found: &mut Vec<Sentence<'t>>,
) {
    let from = range.start;
    let Some(piece) = paragraph.get(range) else { return };
    let is_lead =
        |c: char| c.is_whitespace() || matches!(c, '"' | '”' | ')' | '*' | '_' | '-' | '•' | '+' | '・');
    let text = without_number(piece.trim_start_matches(is_lead));
    let begun = from + (piece.len() - text.len());
    let text = text.trim_end();
    if !text.is_empty() && text.len() <= LONGEST {
        found.push(Sentence { start: start + begun, text, list });
    }
}

/// An item of a list without its number.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest =
        rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")).filter(|_| rest.len() < text.len());
    rest.map_or(text, str::trim_start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let found = sentences(text);
        for sentence in &found {
            assert!(text[sentence.start..].starts_with(sentence.text));
        }
        found.into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn prose_is_split_at_its_full_stops() {
        for (text, expected) in [
            ("Use pnpm. Never npm!", vec!["Use pnpm.", "Never npm!"]),
            (
                "Edit src/main.rs, e.g. the loop. Then stop",
                vec!["Edit src/main.rs, e.g. the loop.", "Then stop"],
            ),
            ("1. Never push.\n2. Always test.", vec!["Never push.", "Always test."]),
            ("- no emojis\n- keep it short\n", vec!["no emojis", "keep it short"]),
            ("Wrapped lines are\none sentence.", vec!["Wrapped lines are\none sentence."]),
            ("let me know, and\nat most once", vec!["let me know, and\nat most once"]),
            ("", vec![]),
        ] {
            assert_eq!(texts(text), expected, "{text}");
        }
    }

    #[test]
    fn data_is_not_prose() {
        for text in [
            "```\nNever push.\n```",
            "~~~text\nAlways test.\n~~~",
            "```\nnever closed",
            "> Never push.",
            "    Never push.",
            "<log>\nNever push.\n</log>",
            "<rule>Never push.</rule>",
            "2026-01-02 10:00:00 Never push.",
            "[12:30:01] You must not push",
            "ERROR You must never push",
            "    at always (src/a.js:3)",
            "{\"rule\": \"never push\"}",
            "| never | push |",
            "132       never = always(x)",
            "Error: 400\nEach block must have a result.",
            "let always = never(x);",
            "--- Content from referenced files ---\nContent from @a.md:\n\nNever push.\n--- End of content ---",
        ] {
            assert_eq!(texts(text), Vec::<&str>::new(), "{text}");
        }
        assert_eq!(
            texts("<b> Never push."),
            ["<b> Never push."],
            "a tag that is never closed encloses nothing"
        );
    }

    #[test]
    fn quotations_are_blank() {
        assert_eq!(
            without_quotations("say \"never\" `always` now").split_whitespace().collect::<Vec<_>>(),
            ["say", "now"]
        );
        assert_eq!(without_quotations("a lone \" stays"), "a lone \" stays");
        assert_eq!(without_quotations("don't"), "don't");
    }
}
