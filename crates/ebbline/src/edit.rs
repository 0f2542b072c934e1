//! Edits: byte ranges of the source and what replaces them. Everything else comes out as it went in.

use std::ops::Range;

use crate::error::{Error, ErrorCode};

/// One replacement. An empty range inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes of the source that give way.
    pub range: Range<usize>,
    /// What takes their place.
    pub replacement: String,
}

impl Edit {
    /// Replaces `range` by `replacement`.
    #[must_use]
    pub fn new(range: Range<usize>, replacement: impl Into<String>) -> Self {
        Self { range, replacement: replacement.into() }
    }
}

/// Copies `source` with the ranges of `edits` replaced; they must be in order and must not overlap.
///
/// # Errors
///
/// `mismatch` when an edit is out of order, overlaps the one before it, or does not lie on character
/// boundaries of `source`.
///
/// # Example
///
/// ```
/// use ebbline::edit::{Edit, apply};
/// let edits = [Edit::new(5..7, "\"-\""), Edit::new(12..12, ", \"new\": 1")];
/// assert_eq!(apply(r#"{"a":29, "b":7.0}"#, &edits[..1])?, r#"{"a":"-", "b":7.0}"#);
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn apply(source: &str, edits: &[Edit]) -> Result<String, Error> {
    let grown: usize = edits.iter().map(|edit| edit.replacement.len()).sum();
    let mut result = String::with_capacity(source.len() + grown);
    let mut copied = 0;
    for edit in edits {
        let kept = source.get(copied..edit.range.start).filter(|_| edit.range.start <= edit.range.end);
        let fits = source.is_char_boundary(edit.range.end);
        let (Some(kept), true) = (kept, fits) else {
            return Err(Error::new(
                ErrorCode::Mismatch,
                format!("an edit of bytes {}..{} does not fit the source", edit.range.start, edit.range.end),
            ));
        };
        result.push_str(kept);
        result.push_str(&edit.replacement);
        copied = edit.range.end;
    }
    result.push_str(source.get(copied..).unwrap_or_default());
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_edit_is_a_copy() {
        assert_eq!(apply("a\u{feff}\r\nb", &[]).unwrap(), "a\u{feff}\r\nb");
    }

    #[test]
    fn edits_that_do_not_fit_are_refused() {
        for edits in [
            vec![Edit::new(2..3, ""), Edit::new(1..2, "")],
            vec![Edit::new(0..2, ""), Edit::new(1..3, "")],
            vec![Edit::new(0..99, "")],
            vec![Edit::new(1..2, "")],
            vec![Edit::new(Range { start: 3, end: 0 }, "")],
        ] {
            assert_eq!(apply("ébc", &edits).unwrap_err().code(), "mismatch", "{edits:?}");
        }
    }
}
