//! A session's text, parsed: one JSON document, or JSON Lines.

use crate::error::{Error, ErrorCode};
use crate::json::{Document, Value, lines};

/// The parsed values of a text and what could not be parsed.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    pub(crate) text: &'a str,
    document: Document<'a>,
    /// The outermost values, by their index in the document.
    roots: Vec<u32>,
    /// Whether the text is JSON Lines: one value a line.
    pub(crate) is_lines: bool,
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
                return Ok(Self { text, document, roots: vec![0], is_lines: false, problems: Vec::new() });
            }
            Err(fault) => fault,
        };
        if fault.kind() == ErrorCode::TooLarge {
            return Err(fault);
        }
        let lines = Self::of_lines(text);
        if lines.is_log(&fault) { Ok(lines) } else { Self::of_document_before(text, fault) }
    }

    /// Parses each line; several objects on one line are all taken, what is none is reported.
    fn of_lines(text: &'a str) -> Self {
        let mut document = Document::of_lines(text);
        let (mut roots, mut problems) = (Vec::new(), Vec::new());
        for line in lines(text) {
            let mut at = line.range.start;
            while text
                .get(at..line.range.end)
                .is_some_and(|rest| !rest.trim_matches([' ', '\t', '\r']).is_empty())
            {
                match document.parse_next(at..line.range.end, line.number) {
                    Ok((root, end)) => {
                        let value = document.value(root);
                        if value.is_object() {
                            roots.push(root);
                        } else {
                            let byte = value.span().start;
                            problems.push(no_object(value.kind(), Place { line: line.number, byte }));
                            document.forget(root);
                        }
                        at = end;
                    }
                    Err(problem) => {
                        problems.push(problem);
                        break;
                    }
                }
            }
        }
        Self { text, document, roots, is_lines: true, problems }
    }

    /// Whether what was parsed line by line is a log, or rather the pieces of a document that broke off at `fault`.
    fn is_log(&self, fault: &Error) -> bool {
        let has_members = self.values().any(|value| value.members().next().is_some());
        let first_problem = self.problems.first().and_then(Error::place).map_or(usize::MAX, |place| place.byte);
        let begins_well = self.root().is_some_and(|first| first.span().end <= first_problem);
        let is_mostly_read = self.roots.len() > self.problems.len();
        // A broken array is one document, though its lines may be objects; a first line like `[info] …` is none.
        let is_array = self.text.trim_start_matches(BLANK).starts_with('[')
            && fault.place().is_none_or(|place| place.line > 1);
        let has_pairs = self.values().nth(1).is_some() || self.text.trim_end_matches(BLANK).contains('\n');
        has_members && !is_array && (is_mostly_read || (begins_well && has_pairs))
    }

    /// The document that `text` begins with, if it is whole and what follows is nothing: a file that was written over a
    /// longer one, or that a crash has filled up with zeros.
    fn of_document_before(text: &'a str, fault: Error) -> Result<Self, Error> {
        match Document::parse_leading(text) {
            Ok((document, _)) if document.root().has_contents() => {
                Ok(Self { text, document, roots: vec![0], is_lines: false, problems: vec![fault] })
            }
            _ => Err(fault),
        }
    }

    /// The outermost values: one of a document, one a line of JSON Lines.
    pub(crate) fn values(&self) -> impl DoubleEndedIterator<Item = Value<'_>> {
        self.roots.iter().map(|root| self.document.value(*root))
    }

    /// The outermost value of a document, the first of JSON Lines.
    pub(crate) fn root(&self) -> Option<Value<'_>> {
        self.values().next()
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
