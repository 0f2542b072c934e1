//! A JSON parser that keeps byte spans, so that everything that is not changed can be copied byte for byte.
//!
//! The parser makes one pass and writes a flat table of nodes, eight bytes for a scalar or key and sixteen for a
//! container. It copies no text, and converts numbers and unescapes strings only on request. A number of any size and
//! an unpaired surrogate escape are therefore read like any other value and written back unchanged (`serde_json`
//! loses or refuses them).

mod decimal;
mod kind;
mod lines;
mod measure;
mod nodes;
mod number;
mod origins;
mod parse;
mod text;
mod value;
mod write;

pub use decimal::decimal;
pub use kind::Kind;
pub use lines::{Line, lines};
pub use parse::MAX_DEPTH;
pub use text::Text;
pub use value::{Elements, Members, Value};

pub use measure::{compact_length, distinct_members};
pub use number::{format_js, format_python};
pub use origins::Origins;
pub use text::quote;
pub use write::Writer;

use crate::error::Error;
use nodes::Nodes;

/// A parsed JSON text together with its source.
///
/// # Example
///
/// ```
/// let document = ebbline::json::Document::parse(r#"{"cost": 29.0}"#)?;
/// let cost = document.root().get("cost").unwrap();
/// assert_eq!(cost.source(), "29.0");
/// assert_eq!(cost.span(), 9..13);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Document<'a> {
    source: &'a str,
    nodes: Nodes,
}

impl<'a> Document<'a> {
    /// Parses the whole of `source` as one JSON value; a byte order mark at its start is skipped.
    ///
    /// # Errors
    ///
    /// `empty` if there is only white space; `not_json` with line and byte where the text stops being JSON (RFC
    /// 8259); `torn_line` if it ends inside a value; `too_deep` beyond [`MAX_DEPTH`]; `too_large` beyond 4 GiB, 512
    /// MiB in one string or 500 million values.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// assert!(Document::parse("[1, 2]")?.root().is_array());
    /// assert_eq!(Document::parse("[1, 2").unwrap_err().code(), "torn_line");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn parse(source: &'a str) -> Result<Self, Error> {
        Self::parse_range(source, 0..source.len())
    }

    /// Parses `range` of `source` as one JSON value; all spans are offsets in `source`.
    ///
    /// # Errors
    ///
    /// As [`Document::parse`].
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse_range("x [1] y", 2..5)?;
    /// assert_eq!(document.root().span(), 2..5);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn parse_range(source: &'a str, range: std::ops::Range<usize>) -> Result<Self, Error> {
        parse::parse(source, range).map(|nodes| Self { source, nodes })
    }

    /// Parses the value at the start of `source` and returns the byte at which it ends.
    ///
    /// # Errors
    ///
    /// As [`Document::parse`].
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let (document, end) = Document::parse_leading("[1] and more")?;
    /// assert_eq!((document.root().source(), end), ("[1]", 3));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn parse_leading(source: &'a str) -> Result<(Self, usize), Error> {
        parse::parse_leading(source).map(|(nodes, end)| (Self { source, nodes }, end))
    }

    /// An empty document, for [`Document::parse_next`].
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let mut document = Document::of_lines("[1]\n[2]");
    /// let (index, end) = document.parse_next(4..7, 2)?;
    /// assert_eq!((document.value(index).source(), end), ("[2]", 7));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn of_lines(source: &'a str) -> Self {
        Self { source, nodes: Nodes::default() }
    }

    /// Parses the first value in `range` of line `line`, appends it, and returns its index and the byte at which it
    /// ends. A line contains two values if something was appended to a file without a final newline.
    ///
    /// # Errors
    ///
    /// As [`Document::parse`].
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let mut document = Document::of_lines("[1][2]");
    /// let (_, end) = document.parse_next(0..6, 1)?;
    /// let (second, _) = document.parse_next(end..6, 1)?;
    /// assert_eq!(document.value(second).source(), "[2]");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn parse_next(&mut self, range: std::ops::Range<usize>, line: usize) -> Result<(u32, usize), Error> {
        let root = self.nodes.len();
        let end = parse::parse_next(&mut self.nodes, self.source, range, line);
        if end.is_err() {
            self.nodes.truncate(root);
        }
        end.map(|end| (root as u32, end))
    }

    /// Removes the value with this index, which must be the newest.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let mut document = Document::of_lines("[1][2]");
    /// let (index, end) = document.parse_next(0..6, 1)?;
    /// document.forget(index);
    /// assert_eq!(document.parse_next(end..6, 1)?.0, index);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn forget(&mut self, index: u32) {
        self.nodes.truncate(index as usize);
    }

    /// The text that was parsed; spans are byte offsets into it.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::json::Document;
    /// let document = Document::parse(r#"[1]"#)?;
    /// assert_eq!(document.source(), "[1]");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn source(&self) -> &'a str {
        self.source
    }
}
