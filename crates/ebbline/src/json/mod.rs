//! A JSON parse that keeps byte spans: what stands where, so that everything else can be copied untouched.
//!
//! The parse is one pass into a flat list of nodes, 16 bytes each. It copies no text, converts no number and
//! unescapes no string until asked, so a number of any size and an unpaired surrogate escape are read like
//! everything else and written back as they stood (formats.md, section 0.1: `serde_json` loses or refuses them).

mod lines;
mod measure;
mod number;
mod origins;
mod parse;
mod text;
mod value;

pub use lines::{Line, lines};
pub use text::Text;
pub use value::{Elements, Members, Value};

pub(crate) use measure::{compact_length, distinct_members};
pub(crate) use number::{format_js, format_python};
pub(crate) use origins::Origins;
pub(crate) use text::quote;

use crate::error::Error;

/// How deeply arrays and objects may be nested before a document is refused as `too_deep`.
///
/// Sessions nest a dozen levels; tool arguments a few dozen at most. The bound keeps every later walk over a
/// value inside a small stack.
pub const MAX_DEPTH: usize = 1_000;

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
    nodes: Vec<Node>,
}

impl<'a> Document<'a> {
    /// Parses the whole of `source` as one JSON value; a byte order mark in front is passed over.
    ///
    /// # Errors
    ///
    /// `empty` when there is nothing but white space; `not_json` with line and byte where the text stops being
    /// JSON (RFC 8259); `torn_line` when it ends inside a value; `too_deep` beyond [`MAX_DEPTH`]; `too_large`
    /// beyond 4 GiB.
    pub fn parse(source: &'a str) -> Result<Self, Error> {
        Self::parse_range(source, 0..source.len())
    }

    /// Parses `range` of `source` as one JSON value; all spans stay offsets into `source`.
    pub(crate) fn parse_range(source: &'a str, range: std::ops::Range<usize>) -> Result<Self, Error> {
        parse::parse(source, range).map(|nodes| Self { source, nodes })
    }

    /// Parses the first value in `range` of line `line` and tells at which byte it ends: two values on one line happen
    /// when something was appended to a file without a final newline.
    pub(crate) fn parse_first(
        source: &'a str,
        range: std::ops::Range<usize>,
        line: usize,
    ) -> Result<(Self, usize), Error> {
        parse::parse_first(source, range, line).map(|(nodes, end)| (Self { source, nodes }, end))
    }

    /// The outermost value.
    #[must_use]
    pub fn root(&self) -> Value<'_> {
        Value::new(self, 0)
    }

    /// The value that [`Value::place`] told the place of.
    pub(crate) fn value(&self, place: u32) -> Value<'_> {
        Value::new(self, place)
    }

    /// The text that was parsed; spans are byte offsets into it.
    #[must_use]
    pub fn source(&self) -> &'a str {
        self.source
    }
}

/// What a JSON value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true`
    True,
    /// `false`
    False,
    /// A number of any size and spelling.
    Number,
    /// A string without escapes.
    Plain,
    /// A string with at least one escape.
    Escaped,
    /// `[...]`
    Array,
    /// `{...}`: keys and values follow each other as nodes.
    Object,
}

/// One value (or key): its bytes in the source, and the node that follows it and all it contains.
#[derive(Clone, Copy, Debug)]
struct Node {
    start: u32,
    end: u32,
    next: u32,
    kind: Kind,
}
