//! The scanner: converts bytes to nodes without recursion.

use std::ops::Range;

use super::Kind;
use super::nodes::{Nodes, OUTSIDE};
use crate::block::{self, Block, lowest};
use crate::error::{Error, ErrorCode, Place, line_of};

/// How deeply arrays and objects may be nested; a document with more levels is refused as `too_deep`.
///
/// Sessions nest a dozen levels, tool arguments a few dozen at most. The limit keeps every recursive function over a
/// value within a small stack.
pub const MAX_DEPTH: usize = 1_000;

pub(super) fn parse(source: &str, range: Range<usize>) -> Result<Nodes, Error> {
    let mut nodes = Nodes::default();
    let mut scanner = Scanner::over(&mut nodes, source, range)?;
    scanner.one_value()?;
    scanner.skip_space();
    if scanner.at < scanner.end {
        return Err(scanner.fail(ErrorCode::NotJson, "expected the end of the document"));
    }
    Ok(nodes)
}

/// Parses the value at the start of `source` and returns where it ends.
pub(super) fn parse_leading(source: &str) -> Result<(Nodes, usize), Error> {
    let mut nodes = Nodes::default();
    let mut scanner = Scanner::over(&mut nodes, source, 0..source.len())?;
    scanner.one_value()?;
    let end = scanner.at;
    Ok((nodes, end))
}

/// Parses the first value in `range` of line `line` into `nodes` and returns where it ends.
pub(super) fn parse_next(
    nodes: &mut Nodes,
    source: &str,
    range: Range<usize>,
    line: usize,
) -> Result<usize, Error> {
    let mut scanner = Scanner::over(nodes, source, range)?;
    scanner.line = Some(line);
    scanner.one_value()?;
    Ok(scanner.at)
}

struct Scanner<'a> {
    source: &'a str,
    bytes: &'a [u8],
    at: usize,
    end: usize,
    nodes: &'a mut Nodes,
    /// The container that is being read.
    inside: u32,
    in_object: bool,
    depth: usize,
    /// The line number, if the scanned text is one line; otherwise it is counted when an error needs it.
    line: Option<usize>,
}

impl<'a> Scanner<'a> {
    fn over(nodes: &'a mut Nodes, source: &'a str, range: Range<usize>) -> Result<Self, Error> {
        if u32::try_from(range.end).is_err() {
            return Err(Error::new(ErrorCode::TooLarge, "the text is longer than 4 GiB"));
        }
        let mut scanner = Self {
            source,
            bytes: source.as_bytes(),
            at: range.start,
            end: range.end,
            nodes,
            inside: OUTSIDE,
            in_object: false,
            depth: 0,
            line: None,
        };
        scanner.skip_byte_order_mark();
        Ok(scanner)
    }

    fn one_value(&mut self) -> Result<(), Error> {
        self.skip_space();
        if self.at >= self.end {
            return Err(self.fail(ErrorCode::Empty, "there is nothing to read"));
        }
        loop {
            self.skip_space();
            let has_ended = match self.peek() {
                Some(b'"') => self.string().map(|()| true)?,
                Some(b'{') => self.open(Kind::Object)?,
                Some(b'[') => self.open(Kind::Array)?,
                Some(b't') => self.literal("true", Kind::True).map(|()| true)?,
                Some(b'f') => self.literal("false", Kind::False).map(|()| true)?,
                Some(b'n') => self.literal("null", Kind::Null).map(|()| true)?,
                Some(b'-' | b'0'..=b'9') => self.number().map(|()| true)?,
                _ => return Err(self.unexpected("a value")),
            };
            if has_ended && self.reach_next()? {
                break;
            }
        }
        if self.nodes.has_overflowed() {
            return Err(self.fail(ErrorCode::TooLarge, "a string beyond 512 MiB, or too many values"));
        }
        Ok(())
    }

    /// Continues after a value: to the next one, or to the end of the outermost one, in which case it returns true.
    fn reach_next(&mut self) -> Result<bool, Error> {
        while self.inside != OUTSIDE {
            self.skip_space();
            let is_object = self.in_object;
            match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    if is_object {
                        self.skip_space();
                        self.key()?;
                    }
                    return Ok(false);
                }
                Some(b'}') if is_object => self.close(),
                Some(b']') if !is_object => self.close(),
                _ if is_object => return Err(self.unexpected("',' or '}'")),
                _ => return Err(self.unexpected("',' or ']'")),
            }
        }
        Ok(true)
    }

    fn key(&mut self) -> Result<(), Error> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a key in quotes"));
        }
        self.string()?;
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("':'"));
        }
        self.at += 1;
        Ok(())
    }

    /// Opens a container; returns true if it is empty and therefore complete.
    fn open(&mut self, kind: Kind) -> Result<bool, Error> {
        if self.depth >= MAX_DEPTH {
            return Err(self.fail(ErrorCode::TooDeep, format!("nested deeper than {MAX_DEPTH} levels")));
        }
        let start = self.at;
        self.at += 1;
        self.skip_space();
        let is_object = kind == Kind::Object;
        if self.peek() == Some(if is_object { b'}' } else { b']' }) {
            self.at += 1;
            self.nodes.push(start, 0, kind);
            return Ok(true);
        }
        self.inside = self.nodes.open(start, kind, self.inside);
        self.in_object = is_object;
        self.depth += 1;
        if is_object {
            self.key()?;
        }
        Ok(false)
    }

    fn close(&mut self) {
        self.at += 1;
        self.depth -= 1;
        self.inside = self.nodes.close(self.inside, self.at);
        self.in_object = self.nodes.get(self.inside).kind() == Kind::Object;
    }

    fn literal(&mut self, word: &str, kind: Kind) -> Result<(), Error> {
        let rest = self.bytes.get(self.at..self.end).unwrap_or_default();
        if rest.starts_with(word.as_bytes()) {
            self.push(self.at, self.at + word.len(), kind);
            self.at += word.len();
            Ok(())
        } else if word.as_bytes().starts_with(rest) {
            self.at = self.end;
            Err(self.unexpected(word))
        } else {
            Err(self.fail(ErrorCode::NotJson, format!("expected {word}")))
        }
    }

    fn number(&mut self) -> Result<(), Error> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        self.push(start, self.at, Kind::Number);
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Error> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected("a digit")) } else { Ok(()) }
    }

    /// Reads a string; the span of its node is the text between the quotes.
    fn string(&mut self) -> Result<(), Error> {
        let start = self.at + 1;
        let mut kind = Kind::Plain;
        // Most strings are keys and names.
        self.at = plain_run(self.bytes, start, self.end.min(start + SHORT));
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    kind = Kind::Escaped;
                    self.escape()?;
                }
                Some(0..0x20) => {
                    return Err(
                        self.fail(ErrorCode::NotJson, "a control character in a string must be escaped")
                    );
                }
                Some(_) => {
                    if self.pass_blocks() {
                        kind = Kind::Escaped;
                    }
                    self.at = plain_run(self.bytes, self.at, self.end.min(self.at + block::SIZE));
                }
                None => return Err(self.unexpected("the end of a string")),
            }
        }
        self.push(start, self.at, kind);
        self.at += 1;
        Ok(())
    }

    /// Passes whole blocks inside a string, up to a quote, a control character or an escape that is not one letter or
    /// mark. Returns whether there were escapes.
    fn pass_blocks(&mut self) -> bool {
        let mut has_escapes = false;
        while let Some(bytes) = self.bytes.get(self.at..self.end).and_then(block::first) {
            let block = Block::new(bytes);
            let backslashes = block.equal(b'\\');
            let escapes = if backslashes == 0 { 0 } else { block::escapes(backslashes) };
            let quotes = block.equal(b'"');
            let stops = quotes & !(escapes << 1) | block.less_than(0x20);
            // An escape at the end of the block belongs to the next one.
            let mut end = (stops | escapes & 1 << 63).trailing_zeros();
            let mut unchecked = escapes & lowest(end);
            if unchecked != 0 {
                has_escapes = true;
                unchecked &= !((quotes | backslashes) >> 1);
            }
            while unchecked != 0 {
                let at = unchecked.trailing_zeros();
                if !bytes.get(at as usize + 1).is_some_and(|name| is_short_escape(*name)) {
                    end = at;
                    break;
                }
                unchecked &= unchecked - 1;
            }
            self.at += end as usize;
            if end < 63 {
                break;
            }
        }
        has_escapes
    }

    fn escape(&mut self) -> Result<(), Error> {
        self.at += 1;
        match self.peek() {
            Some(name) if is_short_escape(name) => {
                self.at += 1;
                Ok(())
            }
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                        return Err(self.unexpected("four hexadecimal digits"));
                    }
                    self.at += 1;
                }
                Ok(())
            }
            _ => Err(self.unexpected("an escape")),
        }
    }

    fn push(&mut self, start: usize, end: usize, kind: Kind) {
        self.nodes.push(start, end - start, kind);
    }

    fn peek(&self) -> Option<u8> {
        if self.at < self.end { self.bytes.get(self.at).copied() } else { None }
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// A file may begin with a byte order mark and, in concatenated files, so may a line.
    fn skip_byte_order_mark(&mut self) {
        let rest = self.bytes.get(self.at..self.end).unwrap_or_default();
        if rest.starts_with("\u{feff}".as_bytes()) {
            self.at += '\u{feff}'.len_utf8();
        }
    }

    /// An error at the current byte: `torn_line` at the end of the text, otherwise `not_json`.
    #[cold]
    fn unexpected(&self, wanted: &str) -> Error {
        if self.at >= self.end {
            self.fail(ErrorCode::TornLine, format!("the text ends where {wanted} was expected"))
        } else {
            self.fail(ErrorCode::NotJson, format!("expected {wanted}"))
        }
    }

    #[cold]
    fn fail(&self, code: ErrorCode, message: impl Into<String>) -> Error {
        let line = self.line.unwrap_or_else(|| line_of(self.source, self.at));
        let place = Place { line, byte: self.at };
        Error::at(code, place, message)
    }
}

/// How much of a string is read before whole blocks are.
const SHORT: usize = 16;

/// Whether `name` makes an escape with the backslash before it.
fn is_short_escape(name: u8) -> bool {
    matches!(name, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')
}

/// The end of the run of ordinary string bytes that begins at `at`: a quote, a backslash, a control character or
/// `end`. It reads eight bytes at a time, because most of a session is tool output.
fn plain_run(bytes: &[u8], mut at: usize, end: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let has_zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    while let Some(chunk) = bytes.get(at..end).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        let quote = has_zero(word ^ (ONES * u64::from(b'"')));
        let backslash = has_zero(word ^ (ONES * u64::from(b'\\')));
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
        let stops = quote | backslash | control;
        if stops != 0 {
            return at + (stops.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while at < end && !matches!(bytes.get(at), None | Some(b'"' | b'\\' | 0..0x20)) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use crate::json::Document;

    fn failure(source: &str) -> (String, usize, usize) {
        let error = Document::parse(source).expect_err(source);
        let place = error.place().expect("a parse error has a place");
        (format!("{}: {}", error.code(), error.message()), place.line, place.byte)
    }

    #[test]
    fn faults_are_named_with_their_place() {
        let cases = [
            ("", "empty: there is nothing to read", 1, 0),
            (" \n ", "empty: there is nothing to read", 2, 3),
            ("{\"a\":1,}", "not_json: expected a key in quotes", 1, 7),
            ("[1 2]", "not_json: expected ',' or ']'", 1, 3),
            ("{\n\"a\" 1}", "not_json: expected ':'", 2, 6),
            ("[tru]", "not_json: expected true", 1, 1),
            ("[01]", "not_json: expected ',' or ']'", 1, 2),
            ("[1.]", "not_json: expected a digit", 1, 3),
            ("\"a\tb\"", "not_json: a control character in a string must be escaped", 1, 2),
            ("\"\\x\"", "not_json: expected an escape", 1, 2),
            ("{} {}", "not_json: expected the end of the document", 1, 3),
            ("{\"a\":", "torn_line: the text ends where a value was expected", 1, 5),
            ("{\"a\":\"xy", "torn_line: the text ends where the end of a string was expected", 1, 8),
            ("[tr", "torn_line: the text ends where true was expected", 1, 3),
        ];
        for (source, message, line, byte) in cases {
            assert_eq!(failure(source), (message.to_owned(), line, byte), "{source:?}");
        }
    }

    #[test]
    fn a_hundred_thousand_levels_are_refused_without_recursion() {
        let deep = "[".repeat(100_000);
        assert_eq!(failure(&deep), ("too_deep: nested deeper than 1000 levels".into(), 1, 1_000));
    }

    #[test]
    fn faults_are_found_at_every_offset_of_a_block() {
        for offset in 0..140 {
            for (before, width) in [("x", 1), ("\\n", 2), ("\\\\", 2), ("é", 2)] {
                let head = before.repeat(offset / width);
                let at = 1 + head.len();
                for (fault, message, further) in [
                    ("\\x", "expected an escape", 1),
                    ("\\u12g4", "expected four hexadecimal digits", 4),
                    ("\u{1}", "a control character in a string must be escaped", 0),
                    ("\\\u{1}", "expected an escape", 1),
                ] {
                    let text = format!("\"{head}{fault}{}\"", "y\\t".repeat(40));
                    assert_eq!(failure(&text), (format!("not_json: {message}"), 1, at + further), "{text}");
                }
                for tail in ["", "\\u0041", "\\\"", "\\\\", "y", "\\\\\\\""] {
                    let text = format!("[\"{head}{tail}\",\"{tail}{head}\"]");
                    let found = Document::parse(&text).unwrap();
                    let spans: Vec<_> = found.root().elements().map(|value| value.span()).collect();
                    let length = head.len() + tail.len() + 2;
                    assert_eq!(spans, [1..1 + length, 2 + length..2 + 2 * length], "{text}");
                }
            }
        }
    }

    #[test]
    fn control_characters_and_quotes_are_found_at_every_offset() {
        for offset in 0..20 {
            let text = format!("\"{}\u{1}{}\"", "x".repeat(offset), "y".repeat(20));
            assert_eq!(failure(&text).2, offset + 1);
            let text = format!("\"{}é漢\u{7f}\"", "x".repeat(offset));
            assert!(Document::parse(&text).is_ok(), "{text}");
        }
    }
}
