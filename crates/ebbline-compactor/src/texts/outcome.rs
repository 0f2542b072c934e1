//! What edits of a JSON array make of its elements: which stay, which are changed, which are gone, which were made.

use std::collections::HashMap;
use std::ops::Range;

use ebbline::Error;
use ebbline::edit::{self, Edit};
use ebbline::json::{Document, Writer};

use super::joined::MessageText;

/// What became of an element of an array, in the order in which they stand after edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The element with this index, byte for byte.
    Kept(usize),
    /// The element with this index, with something changed in it, and how it is written now.
    Changed(usize, String),
    /// An element that was not there.
    Made(String),
}

impl Outcome {
    /// The elements of the array `text` after `edits`, which are in order and disjoint; `spans` are those of its elements.
    ///
    /// # Errors
    ///
    /// As [`edit::apply`]; `not_json` if the edits leave no JSON.
    pub fn of_edits(text: &str, spans: &[Range<usize>], edits: &[Edit]) -> Result<Vec<Self>, Error> {
        if edits.is_empty() {
            return Ok((0..spans.len()).map(Self::Kept).collect());
        }
        let edited = edit::apply(text, edits)?;
        let document = Document::parse(&edited)?;
        let left = left(spans, edits);
        let outcome = |element: ebbline::json::Value<'_>| match left.get(&element.span().start) {
            Some((index, true)) => Self::Kept(*index),
            Some((index, false)) => Self::Changed(*index, element.source().to_owned()),
            None => Self::Made(element.source().to_owned()),
        };
        Ok(document.root().elements().map(outcome).collect())
    }

    /// Outcomes as JSON, with the elements' own indices: `[0, {"from": 1, "message": ..}, {"message": ..}]`.
    #[must_use]
    pub fn view(outcomes: &[Self]) -> String {
        view_json(outcomes.iter().map(|outcome| match outcome {
            Self::Kept(index) => (Some(*index), None),
            Self::Changed(index, message) => (Some(*index), Some(message.as_str())),
            Self::Made(message) => (None, Some(message.as_str())),
        }))
    }

    /// The messages that outcomes leave.
    pub(crate) fn texts(outcomes: &[Self], texts: &[MessageText]) -> Vec<MessageText> {
        let text = |outcome: &Self| match outcome {
            Self::Kept(index) => texts.get(*index).cloned().unwrap_or_else(|| MessageText::of("null")),
            Self::Changed(_, text) | Self::Made(text) => MessageText::of(text),
        };
        outcomes.iter().map(text).collect()
    }
}

/// Where each element that is left begins after the edits, with its index and whether nothing in it is edited.
fn left(spans: &[Range<usize>], edits: &[Edit]) -> HashMap<usize, (usize, bool)> {
    let mut found = HashMap::with_capacity(spans.len());
    let (mut rest, mut moved) = (edits, 0_isize);
    for (index, span) in spans.iter().enumerate() {
        while let Some((edit, behind)) = rest.split_first()
            && edit.range.end <= span.start
        {
            moved += edit.replacement.len() as isize - edit.range.len() as isize;
            rest = behind;
        }
        let next = rest.first().map(|edit| &edit.range);
        let is_gone = next.is_some_and(|range| range.start <= span.start && range.end >= span.end);
        if is_gone {
            continue;
        }
        let is_edited = next.is_some_and(|range| range.start < span.end);
        found.insert(span.start.saturating_add_signed(moved), (index, !is_edited));
    }
    found
}

/// Writes a view: numbers for messages that stay, `{"from", "message"}` and `{"message"}`.
pub(crate) fn view_json<'o>(outcomes: impl Iterator<Item = (Option<usize>, Option<&'o str>)>) -> String {
    let mut out = Writer::default();
    for (at, (from, message)) in outcomes.enumerate() {
        out.raw(if at == 0 { "[" } else { "," });
        match (from, message) {
            (Some(from), None) => {
                out.number(from as u64);
            }
            (from, message) => {
                out.raw("{");
                if let Some(from) = from {
                    out.raw("\"from\":").number(from as u64).raw(",");
                }
                out.raw("\"message\":").raw(message.unwrap_or("null")).raw("}");
            }
        }
    }
    let written = out.finish();
    if written.is_empty() { "[]".to_owned() } else { written + "]" }
}

#[cfg(test)]
mod tests {
    use super::super::joined::joined;
    use super::*;

    fn found(elements: &[&str], edits: &[Edit]) -> Vec<Outcome> {
        let (text, spans) = joined(elements.iter().copied());
        Outcome::of_edits(&text, &spans, edits).unwrap()
    }

    #[test]
    fn elements_are_kept_changed_removed_and_made() {
        // [{"a":1},{"b":2},{"c":3}]
        let elements = [r#"{"a":1}"#, r#"{"b":2}"#, r#"{"c":3}"#];
        let made = |text: &str| Outcome::Made(text.to_owned());
        let changed = |index, text: &str| Outcome::Changed(index, text.to_owned());
        let (kept, all) = (Outcome::Kept, [Outcome::Kept(0), Outcome::Kept(1), Outcome::Kept(2)]);
        for (edits, expected) in [
            (vec![], all.to_vec()),
            (vec![Edit::new(14..15, "29")], vec![kept(0), changed(1, r#"{"b":29}"#), kept(2)]),
            (vec![Edit::new(1..9, "7,")], vec![made("7"), kept(1), kept(2)]),
            (vec![Edit::new(1..16, "7")], vec![made("7"), kept(2)]),
            (vec![Edit::new(1..1, "7,")], vec![made("7"), kept(0), kept(1), kept(2)]),
            (vec![Edit::new(24..24, ",7")], vec![kept(0), kept(1), kept(2), made("7")]),
            (vec![Edit::new(1..9, "")], vec![kept(1), kept(2)]),
            (vec![Edit::new(8..16, ""), Edit::new(22..23, "4")], vec![kept(0), changed(2, r#"{"c":4}"#)]),
        ] {
            assert_eq!(found(&elements, &edits), expected, "{edits:?}");
        }
    }

    #[test]
    fn a_view_is_written_as_the_package_says() {
        let outcomes =
            [Outcome::Kept(0), Outcome::Changed(1, "{}".to_owned()), Outcome::Made("[]".to_owned())];
        assert_eq!(Outcome::view(&outcomes), r#"[0,{"from":1,"message":{}},{"message":[]}]"#);
        assert_eq!(Outcome::view(&[]), "[]");
    }
}
