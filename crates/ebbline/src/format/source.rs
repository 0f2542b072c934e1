//! A session's text, parsed: one JSON document, or JSON Lines.

use crate::error::{Error, ErrorCode};
use crate::json::{Document, Value, lines};

/// The place of a value: the document, and the value's place in that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Focus {
    pub(crate) document: usize,
    pub(crate) value: u32,
}

/// The parsed values of a text and what could not be parsed.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    pub(crate) text: &'a str,
    documents: Vec<Document<'a>>,
    /// Whether the text is JSON Lines: one value a line.
    pub(crate) is_lines: bool,
    /// The one value that is looked at, as if it were the whole document.
    focus: Option<Focus>,
    pub(crate) problems: Vec<Error>,
}

impl<'a> Source<'a> {
    /// Parses `text`, first as one document: pretty-printed JSON is often stored under the name `.jsonl`
    /// (formats.md, section 0.3).
    ///
    /// # Errors
    ///
    /// Those of [`Document::parse`], when neither the whole nor any line is JSON.
    pub(crate) fn parse(text: &'a str) -> Result<Self, Error> {
        let fault = match Document::parse(text) {
            Ok(document) => {
                return Ok(Self {
                    text,
                    documents: vec![document],
                    is_lines: false,
                    focus: None,
                    problems: Vec::new(),
                });
            }
            Err(fault) => fault,
        };
        // A log begins with an object. A broken array is one document, though its lines may be values.
        if text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('[') {
            return Err(fault);
        }
        let (documents, problems) = parse_lines(text);
        let is_log = documents.iter().any(|document| document.root().members().next().is_some());
        let first_fault = problems.first().and_then(Error::place).map_or(usize::MAX, |place| place.byte);
        let begins_well = documents.first().is_some_and(|first| first.root().span().end <= first_fault);
        let mostly_read = documents.len() > problems.len();
        if is_log && (begins_well || mostly_read) && fault.kind() != ErrorCode::TooLarge {
            Ok(Self { text, documents, is_lines: true, focus: None, problems })
        } else {
            Err(fault)
        }
    }

    /// The outermost values: one of a document, one a line of JSON Lines.
    pub(crate) fn values(&self) -> impl DoubleEndedIterator<Item = Value<'_>> {
        let focused = self.focus.and_then(|at| self.value(at));
        let all = if self.focus.is_none() { self.documents.as_slice() } else { &[] };
        focused.into_iter().chain(all.iter().map(Document::root))
    }

    /// The outermost value of a document, the first of JSON Lines.
    pub(crate) fn root(&self) -> Option<Value<'_>> {
        self.values().next()
    }

    /// The outermost values, each with the number of its document.
    pub(crate) fn documents(&self) -> impl Iterator<Item = (Value<'_>, usize)> {
        self.documents.iter().enumerate().map(|(at, document)| (document.root(), at))
    }

    /// The value at a place.
    pub(crate) fn value(&self, at: Focus) -> Option<Value<'_>> {
        Some(self.documents.get(at.document)?.value(at.value))
    }

    /// Looks at one value only, as if it were the whole document: one conversation of many.
    pub(crate) fn focus(&mut self, at: Focus) {
        self.focus = Some(at);
        self.is_lines = false;
    }

    /// The messages of a list: the elements of the outermost array or of its member `messages`, or the lines.
    pub(crate) fn list(&self) -> Vec<Value<'_>> {
        match self.root() {
            _ if self.is_lines => self.values().collect(),
            Some(root) if root.is_array() => root.elements().collect(),
            Some(root) => root.elements_of("messages").collect(),
            None => Vec::new(),
        }
    }

    /// Where the first value begins.
    pub(crate) fn first_byte(&self) -> usize {
        self.root().map_or(0, |root| root.span().start)
    }
}

/// Parses each line; several values on one line are all taken, bad lines are reported.
fn parse_lines(text: &str) -> (Vec<Document<'_>>, Vec<Error>) {
    let mut documents = Vec::new();
    let mut problems = Vec::new();
    for line in lines(text) {
        let mut at = line.range.start;
        while text
            .get(at..line.range.end)
            .is_some_and(|rest| !rest.trim_matches([' ', '\t', '\r']).is_empty())
        {
            match Document::parse_first(text, at..line.range.end, line.number) {
                Ok((document, end)) => {
                    documents.push(document);
                    at = end;
                }
                Err(problem) => {
                    problems.push(problem);
                    break;
                }
            }
        }
    }
    (documents, problems)
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
        for text in ["{\n\"a\": 1,\n\"b\": {},\n", "[\n{},\n{}\n", "hello\nworld", "{\"torn\":", array] {
            assert!(Source::parse(text).is_err(), "{text:?}");
        }
    }
}
