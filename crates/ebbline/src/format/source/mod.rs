//! The parsed text of a session: one JSON document, or JSON Lines.

mod problems;

use std::ops::Range;

use crate::error::{Error, ErrorCode, Place};
use crate::json::{Document, Elements, Value, lines};
use problems::{Problems, no_object};

/// Messages are rarely shorter, so no room is reserved for more messages.
const SHORTEST: usize = 32;

/// Characters that may precede and follow a text.
const BLANK: [char; 5] = ['\u{feff}', ' ', '\t', '\r', '\n'];

/// A value of a source, by its index in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Focus(pub(crate) u32);

/// The parsed values of a text, and what could not be parsed.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    pub(crate) text: &'a str,
    document: Document<'a>,
    /// The outermost values, by their index in the document.
    roots: Vec<u32>,
    /// Whether the text is JSON Lines: one value a line.
    pub(crate) is_lines: bool,
    /// The value that is read as if it were the whole document.
    focus: Option<Focus>,
    pub(crate) problems: Vec<Error>,
}

impl<'a> Source<'a> {
    /// Parses `text`, first as one document: pretty-printed JSON is often stored under the name `.jsonl`.
    ///
    /// # Errors
    ///
    /// Those of [`Document::parse`], if neither the whole text nor any line is JSON.
    pub(crate) fn parse(text: &'a str) -> Result<Self, Error> {
        let fault = match Document::parse(text) {
            Ok(document) => {
                return Ok(Self {
                    text,
                    document,
                    roots: vec![0],
                    is_lines: false,
                    focus: None,
                    problems: Vec::new(),
                });
            }
            Err(fault) => fault,
        };
        if fault.kind() == ErrorCode::TooLarge {
            return Err(fault);
        }
        let (lines, outcome) = Self::of_lines(text);
        if lines.is_log(&fault, &outcome) {
            let Some(pieces) = lines.perhaps_pieces(&fault) else { return Ok(lines) };
            // Only one of them at a time, because both would need the memory twice.
            drop(lines);
            let document = Self::of_document_before(text, fault).ok();
            let holds = |document: &Self| {
                let whole = document.root().map_or(0..0, Value::span);
                whole.start < pieces.start && pieces.end <= whole.end
            };
            return Ok(document.filter(holds).unwrap_or_else(|| Self::of_lines(text).0));
        }
        drop(lines);
        Self::of_document_before(text, fault)
    }

    /// Parses each line. Several objects on one line are all read; other text is reported.
    fn of_lines(text: &'a str) -> (Self, Lines) {
        let mut document = Document::of_lines(text);
        let (mut roots, mut problems) = (Vec::new(), Problems::default());
        let mut outcome = Lines::default();
        for line in lines(text) {
            let mut at = line.range.start;
            let objects = roots.len();
            while let Some(start) = next_value(text, at..line.range.end) {
                match document.parse_next(start..line.range.end, line.number) {
                    Ok((root, end)) => {
                        let value = document.value(root);
                        if value.is_object() {
                            roots.push(root);
                        } else {
                            let place = Place { line: line.number, byte: value.span().start };
                            problems.report(no_object(value.kind(), place));
                            document.forget(root);
                        }
                        at = end;
                    }
                    Err(problem) => {
                        let rest = text.get(start..).unwrap_or_default();
                        outcome.is_continued |= rest.starts_with('{');
                        outcome.has_commas |= rest.starts_with(',') && roots.len() > objects;
                        problems.report(problem);
                        break;
                    }
                }
            }
            outcome.whole += usize::from(at == line.range.end && roots.len() > objects);
        }
        outcome.problems = problems.count;
        (Self { text, document, roots, is_lines: true, focus: None, problems: problems.into_list() }, outcome)
    }

    /// Whether the values read line by line are a log, and not pieces of a document that broke off at `fault`.
    ///
    /// A single line is a log if another one has begun; a document may be followed by garbage.
    fn is_log(&self, fault: &Error, outcome: &Lines) -> bool {
        let has_members = self.values().any(|value| value.members().next().is_some());
        let first_problem =
            self.problems.first().and_then(Error::place).map_or(usize::MAX, |place| place.byte);
        let begins_well = self.root().is_some_and(|first| first.span().end <= first_problem);
        let is_mostly_read = self.roots.len() > outcome.problems;
        // Words, or the end of a line whose beginning is missing, do not begin a document.
        let start = self.text.trim_start_matches(BLANK);
        let is_no_document = !start.starts_with(['{', '[']);
        // A log has complete lines; in a document, commas follow the objects.
        let has_whole_lines =
            !begins_well && start.starts_with('{') && outcome.whole > 0 && !outcome.has_commas;
        // A broken array is one document even if its lines are objects, unless its first line is something like
        // `[info] …`.
        let is_array = start.starts_with('[') && fault.place().is_none_or(|at| at.line > 1);
        has_members
            && !is_array
            && (is_no_document
                || has_whole_lines
                || is_mostly_read
                || begins_well && (outcome.is_continued || self.roots.len() > 1))
    }

    /// The range of the values read line by line, if they may be pieces of a multi-line document that broke off at
    /// `fault`: values of it that fill a line each.
    fn perhaps_pieces(&self, fault: &Error) -> Option<Range<usize>> {
        let (first, last) = (self.values().next()?, self.values().next_back()?);
        let ends_before = fault.place().is_some_and(|at| at.line > 1 && last.span().end <= at.byte);
        ends_before.then(|| first.span().start..last.span().end)
    }

    /// The document at the beginning of `text`, if it is complete: the file was written over a longer one whose end
    /// remains, or a crash has filled its end with zeros.
    fn of_document_before(text: &'a str, fault: Error) -> Result<Self, Error> {
        match Document::parse_leading(text) {
            Ok((document, _)) if !is_empty(document.root()) => Ok(Self {
                text,
                document,
                roots: vec![0],
                is_lines: false,
                focus: None,
                problems: vec![fault],
            }),
            _ => Err(fault),
        }
    }

    /// The outermost values: one for a document, one per line for JSON Lines.
    pub(crate) fn values(&self) -> impl DoubleEndedIterator<Item = Value<'_>> {
        let focused = self.focus.map(|at| self.value(at));
        let all = if self.focus.is_none() { self.roots.as_slice() } else { &[] };
        focused.into_iter().chain(all.iter().map(|root| self.document.value(*root)))
    }

    /// The value at a place.
    pub(crate) fn value(&self, at: Focus) -> Value<'_> {
        self.document.value(at.0)
    }

    /// Reads only one value, as if it were the whole document: one conversation of a container.
    pub(crate) fn focus(&mut self, at: Focus) {
        self.focus = Some(at);
        self.is_lines = false;
    }

    /// Whether the text is one object on one line, which may be the only line of JSON Lines.
    pub(crate) fn is_line_alone(&self) -> bool {
        let object = self.root().filter(|root| !self.is_lines && self.focus.is_none() && root.is_object());
        object.and_then(|object| self.text.get(object.span())).is_some_and(|text| !text.contains('\n'))
    }

    /// The outermost value of a document, or the first of JSON Lines.
    pub(crate) fn root(&self) -> Option<Value<'_>> {
        self.values().next()
    }

    /// The messages of a list: the elements of the outermost array or of its member `messages`, or the lines.
    pub(crate) fn list(&self) -> Vec<Value<'_>> {
        let Some(root) = self.root() else { return Vec::new() };
        if self.is_lines {
            return self.values().collect();
        }
        let mut list = Vec::with_capacity(elements(root).count());
        list.extend(elements(root));
        list
    }

    /// How many messages to reserve room for if each is a line or an element of the list.
    pub(crate) fn expected_messages(&self) -> usize {
        let messages = match self.root() {
            Some(root) if !self.is_lines => elements(root).count(),
            _ => self.roots.len(),
        };
        messages.min(self.text.len() / SHORTEST)
    }

    /// Where the first value begins.
    pub(crate) fn first_byte(&self) -> usize {
        self.root().map_or(0, |root| root.span().start)
    }
}

/// Statistics of reading line by line.
#[derive(Default)]
struct Lines {
    /// How much could not be read.
    problems: usize,
    /// How many lines contain only objects.
    whole: usize,
    /// Whether an object was begun but not ended.
    is_continued: bool,
    /// Whether an object is followed by a comma.
    has_commas: bool,
}

/// The position in `range` of a line of the first character that is not white space.
fn next_value(text: &str, range: Range<usize>) -> Option<usize> {
    let blank =
        text.get(range.clone())?.bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    Some(range.start + blank).filter(|start| *start < range.end)
}

/// Whether a value contains no values.
fn is_empty(value: Value<'_>) -> bool {
    value.members().next().is_none() && value.elements().next().is_none()
}

/// The elements of an array, or of the member `messages` of an object.
fn elements(root: Value<'_>) -> Elements<'_> {
    if root.is_array() { root.elements() } else { root.elements_of("messages") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_document_is_tried_before_lines() {
        assert!(!Source::parse("{\n\"a\": 1\n}").unwrap().is_lines);
        let log = Source::parse("{\"a\":1}\r\n\n{\"b\":2}{\"c\":3}\n{\"torn\":").unwrap();
        assert!(log.is_lines);
        assert_eq!(log.values().count(), 3);
        let problem = &log.problems[0];
        assert_eq!((problem.code(), problem.place().unwrap().line), ("torn_line", 4));
    }

    #[test]
    fn a_broken_document_is_not_taken_for_lines() {
        let array = "[\n{\"role\":\"user\"},\n{\"role\":\"user\"},\n{\"ro";
        let object = "{\"messages\":[\n{\"role\":\"user\"},\n{\"role\":\"user\"}\n";
        let fields = "{\n\"usage\": {\"a\":1}\n\"list\": [{\"a\":1}]\n{";
        for text in [
            "{\n\"a\": 1,\n\"b\": {},\n", "[\n{},\n{}\n", "hello\nworld", "{\"torn\":", array, object,
            fields, "3 {}", "hello\n[{\"a\":1}]",
        ] {
            assert!(Source::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn what_a_document_is_followed_by_is_reported() {
        for (text, line, byte) in [
            ("{\"a\":[1]}\0\0\0", 1, 9),
            ("{\"a\":[1]}\n\0\0\0\0", 2, 10),
            ("[\n{}\n]\n}\n]\n", 4, 7),
            ("{\"a\":[1]}\nrest of a longer file\"}]}", 2, 10),
            ("{\"a\":\n{\"b\":1}\n},", 3, 15),
        ] {
            let source = Source::parse(text).unwrap();
            assert!(!source.is_lines, "{text:?}");
            assert_eq!(source.problems.len(), 1);
            let place = source.problems[0].place().unwrap();
            assert_eq!((source.problems[0].code(), place.line, place.byte), ("not_json", line, byte));
        }
    }

    #[test]
    fn a_log_survives_what_is_no_object() {
        let text = concat!(
            "{\"a\":1} {\"b\":2}\n", "[info] a word\n", "3\n", "\u{feff}{\"c\":3}\r\n", " [4] {\"d\":5}\n",
            "null \"x\"\n", "{\"e\":6} torn\n", "\0\0\0"
        );
        let log = Source::parse(text).unwrap();
        assert!(log.is_lines);
        let read: Vec<_> = log.values().map(Value::source).collect();
        assert_eq!(read, ["{\"a\":1}", "{\"b\":2}", "{\"c\":3}", "{\"d\":5}", "{\"e\":6}"]);
        let reported: Vec<_> = log
            .problems
            .iter()
            .map(|problem| (problem.code(), problem.place().unwrap().line, problem.message()))
            .collect();
        assert_eq!(
            reported,
            [
                ("not_json", 2, "expected a value"),
                ("invalid_message", 3, "a number where an object was expected"),
                ("invalid_message", 5, "an array where an object was expected"),
                ("invalid_message", 6, "null where an object was expected"),
                ("invalid_message", 6, "a text where an object was expected"),
                ("not_json", 7, "expected true"),
                ("not_json", 8, "expected a value"),
            ]
        );
        for (problem, at) in log.problems.iter().zip(["info", "3", "[4]", "null", "\"x\"", "torn", "\0"]) {
            assert!(text[problem.place().unwrap().byte..].starts_with(at), "{problem}");
        }
    }

    #[test]
    fn a_log_may_begin_with_words() {
        let log = Source::parse("[info] starting\n{\"a\":1}\n{\"b\":2}\n").unwrap();
        assert_eq!((log.is_lines, log.values().count(), log.problems.len()), (true, 2, 1));
        assert!(Source::parse("[info] starting\n[{\"a\":1},\n{\"b\":2}]").is_err());
    }

    #[test]
    fn of_many_problems_the_first_are_listed() {
        let text = format!("{{\"a\":1}}\n{{\"b\":2}}\n{}", "x\n".repeat(5_000));
        let log = Source::parse(&text).unwrap();
        assert_eq!((log.values().count(), log.problems.len()), (2, 1_001));
        let last = log.problems.last().unwrap();
        assert_eq!(last.message(), "4000 more could not be read; the first: expected a value");
        assert_eq!(last.place().map(|place| (place.line, place.byte)), Some((1_003, 16 + 2_000)));
    }

    #[test]
    fn a_log_may_have_lost_its_beginning() {
        for text in ["{\"torn\":\n{\"a\":1}\n", "\"torn\"}\n{\"a\":1}\n", "{\n\"\n{\"a\":1}{\"b\":2}"] {
            let log = Source::parse(text).unwrap();
            assert!(log.is_lines && log.values().count() > 0, "{text:?}");
        }
    }

    #[test]
    fn one_line_and_a_torn_one_are_a_log() {
        for text in ["{\"a\":1}\n{\"b", "{\"a\":1}{\"b", "{\"a\":1}\n\n{"] {
            let log = Source::parse(text).unwrap();
            assert!(log.is_lines, "{text:?}");
            assert_eq!(log.problems[0].code(), "torn_line");
        }
    }
}
