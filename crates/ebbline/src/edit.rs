//! Edits: byte ranges of the source and their replacements. All other bytes are copied.

use std::cmp::Reverse;
use std::ops::Range;

use crate::error::{Error, ErrorCode};
use crate::json::Value;
use crate::order::sort_by;

/// One replacement. An empty range inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes of the source that are replaced.
    pub range: Range<usize>,
    /// The text that replaces them.
    pub replacement: String,
}

impl Edit {
    /// Replaces `range` by `replacement`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::edit::Edit;
    /// assert_eq!(Edit::new(1..3, "b"), Edit { range: 1..3, replacement: "b".to_owned() });
    /// ```
    #[must_use]
    pub fn new(range: Range<usize>, replacement: impl Into<String>) -> Self {
        Self { range, replacement: replacement.into() }
    }
}

/// Copies `source` with the ranges of `edits` replaced; they must be in order and must not overlap.
///
/// # Errors
///
/// `mismatch` if an edit is out of order, overlaps the one before it, or is not on character boundaries of `source`.
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

/// Sorts edits and makes them disjoint. In a damaged session two edits can have the same range, or one can be inside
/// the other: an edit inside another's range is dropped, and so is the second of two equal edits.
pub(crate) fn disjoint(mut edits: Vec<Edit>) -> Vec<Edit> {
    // An insertion comes before a replacement at the same place.
    let place = |edit: &Edit| (edit.range.start, !edit.range.is_empty(), Reverse(edit.range.end));
    sort_by(&mut edits, &|one, other| place(one).cmp(&place(other)));
    edits.dedup_by(|edit, kept| {
        let is_inside =
            !kept.range.is_empty() && edit.range.start < kept.range.end && edit.range.end <= kept.range.end;
        is_inside || edit == kept
    });
    edits
}

/// The edits that remove some of a list's elements: those at `gone`, in order.
pub(crate) fn without_elements(list: Value<'_>, gone: &[usize]) -> Vec<Edit> {
    let spans: Vec<_> = list.elements().map(Value::span).collect();
    without(&spans, gone)
}

/// Each neighbor goes with the comma before it; the first ones go with the comma after them.
pub(crate) fn without(spans: &[Range<usize>], gone: &[usize]) -> Vec<Edit> {
    let first_kept = (0..spans.len()).find(|at| !gone.contains(at)).unwrap_or(spans.len());
    let range = |at: &usize| {
        let own = spans.get(*at)?;
        let next = spans.get(at + 1).map(|next| next.start);
        let before = at.checked_sub(1).and_then(|at| spans.get(at)).map(|span| span.end);
        Some(if *at < first_kept {
            own.start..next.unwrap_or(own.end)
        } else {
            before.unwrap_or(own.start)..own.end
        })
    };
    gone.iter().filter_map(range).map(|range| Edit::new(range, "")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_edits_of_one_place_the_outer_one_stays() {
        let (value, key) = (Edit::new(4..9, "P"), Edit::new(9..9, ",k"));
        for (edits, expected) in [
            (vec![value.clone(), value.clone()], vec![&value]),
            (vec![key.clone(), value.clone(), key.clone()], vec![&value, &key]),
            (vec![Edit::new(5..7, "inner"), value.clone(), Edit::new(8..8, "new")], vec![&value]),
            (vec![Edit::new(4..6, "inner"), Edit::new(4..9, "P")], vec![&value]),
            (vec![value.clone(), Edit::new(4..9, "later")], vec![&value]),
            (vec![Edit::new(9..9, ",k"), Edit::new(4..9, "P")], vec![&value, &key]),
        ] {
            assert_eq!(disjoint(edits.clone()).iter().collect::<Vec<_>>(), expected, "{edits:?}");
        }
        let before = [Edit::new(4..4, "new"), Edit::new(4..9, "P"), Edit::new(8..12, "across")];
        assert_eq!(disjoint(before.to_vec()), before, "what overlaps by half is refused, not hidden");
    }

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
