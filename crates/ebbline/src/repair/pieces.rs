//! Edits that remove elements of lists, members of objects and whole messages, or add some, with their commas.

use std::collections::HashSet;
use std::ops::Range;

use crate::edit::{Edit, without};
use crate::json::{Document, Value};

/// What separates two neighbors that are added, if the source shows nothing better.
const COMMA: &str = ", ";

/// The edit that removes a member of an object.
pub(super) fn without_member(object: Value<'_>, key: &str) -> Vec<Edit> {
    let span = |(key, value): (crate::json::Text<'_>, Value<'_>)| key.span().start..value.span().end;
    let spans: Vec<_> = object.members().map(span).collect();
    let gone: Vec<_> =
        object.members().enumerate().filter(|(_, (name, _))| name.is(key)).map(|(at, _)| at).collect();
    without(&spans, &gone)
}

/// The edit that puts elements at the front of a list.
pub(super) fn in_front(list: Value<'_>, added: &[String]) -> Edit {
    let mut spans = list.elements().map(Value::span);
    let Some(first) = spans.next() else {
        let inside = list.span().start + 1;
        return Edit::new(inside..inside, added.join(COMMA));
    };
    let gap = spans.next().map(|second| first.end..second.start);
    let comma = gap.and_then(|gap| list.whole_source().get(gap)).unwrap_or(COMMA);
    Edit::new(first.start..first.start, added.join(comma) + comma)
}

/// The edit that puts elements at the end of a list.
pub(super) fn at_the_end(list: Value<'_>, added: &[String]) -> Edit {
    let Some(newest) = list.elements().last().map(Value::span) else { return in_front(list, added) };
    Edit::new(newest.end..newest.end, format!("{COMMA}{}", added.join(COMMA)))
}

/// Where a message is in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Seat {
    /// A line; with the range from its start to the start of the next.
    Line(Range<usize>),
    /// An element of an array.
    Element,
}

/// Where the message at `span` is; `None` if it can be neither removed nor followed by another. `inside` are the members
/// that a line may have its message in.
pub(super) fn seat(source: &str, span: &Range<usize>, is_lines: bool, inside: &[&str]) -> Option<Seat> {
    let before = source.get(..span.start)?.trim_end_matches([' ', '\t', '\r', '\n']);
    let after = source.get(span.end..)?.trim_start_matches([' ', '\t', '\r', '\n']);
    let is_element = before.ends_with(['[', ',']) && after.starts_with([',', ']']);
    if !is_lines {
        return is_element.then_some(Seat::Element);
    }
    let start = source.get(..span.start)?.rfind('\n').map_or(0, |at| at + 1);
    let end = source.get(span.end..)?.find('\n').map_or(source.len(), |at| span.end + at + 1);
    let root = Document::parse_range(source, start..end).ok()?;
    let is_message = |value: Value<'_>| value.span() == *span;
    if is_message(root.root()) || inside.iter().filter_map(|key| root.root().get(key)).any(is_message) {
        return Some(Seat::Line(start..end));
    }
    is_element.then_some(Seat::Element)
}

/// The edits that remove whole messages; `gone` are their spans, in the order of the source.
pub(super) fn without_messages(source: &str, gone: &[(Range<usize>, Seat)]) -> Vec<Edit> {
    // The ends of removed messages before which nothing of their array stays.
    let mut leading = HashSet::new();
    let mut edits = Vec::new();
    for (span, seat) in gone {
        if let Seat::Line(line) = seat {
            edits.push(Edit::new(without_line(source, line), ""));
            continue;
        }
        let previous = former_element(source, span.start);
        let range = match previous {
            Some(previous) if !leading.contains(&previous) => previous..span.end,
            _ => {
                leading.insert(span.end);
                span.start..next_element(source, span.end).unwrap_or(span.end)
            }
        };
        edits.push(Edit::new(range, ""));
    }
    edits
}

/// A line with its break; the last one goes with the break before it if it has none itself.
fn without_line(source: &str, line: &Range<usize>) -> Range<usize> {
    let has_break = source.get(line.clone()).is_some_and(|text| text.ends_with('\n'));
    let before = source.get(..line.start).unwrap_or_default();
    if has_break { line.clone() } else { before.trim_end_matches(['\r', '\n']).len()..line.end }
}

/// Where the next element of an array begins.
fn next_element(source: &str, end: usize) -> Option<usize> {
    let rest = source.get(end..)?;
    let behind = rest.trim_start().strip_prefix(',')?;
    Some(source.len() - behind.trim_start().len())
}

/// Where the former element of an array ends.
fn former_element(source: &str, start: usize) -> Option<usize> {
    let before = source.get(..start)?.trim_end().strip_suffix(',')?;
    Some(before.trim_end().len())
}

/// The edit that adds messages behind the one at `span`.
pub(super) fn behind(source: &str, span: &Range<usize>, seat: &Seat, added: &[String]) -> Edit {
    let (at, comma) = match seat {
        Seat::Line(line) => {
            let text = source.get(line.clone()).unwrap_or_default();
            let is_windows = text.ends_with("\r\n");
            (line.start + text.trim_end_matches(['\r', '\n']).len(), if is_windows { "\r\n" } else { "\n" })
        }
        Seat::Element => {
            let next = next_element(source, span.end).map(|next| span.end..next);
            let gap = next.or_else(|| former_element(source, span.start).map(|former| former..span.start));
            let gap = gap.and_then(|gap| source.get(gap));
            (span.end, gap.unwrap_or(COMMA))
        }
    };
    Edit::new(at..at, format!("{comma}{}", added.join(comma)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{apply, without_elements};

    #[test]
    fn elements_go_with_one_comma_each() {
        let source = "[1, 2 ,3 , 4]";
        let document = Document::parse(source).unwrap();
        for (gone, expected) in [
            (&[0_usize][..], "[2 ,3 , 4]"),
            (&[1], "[1 ,3 , 4]"),
            (&[3], "[1, 2 ,3]"),
            (&[0, 1], "[3 , 4]"),
            (&[0, 2], "[2 , 4]"),
            (&[0, 1, 2, 3], "[]"),
            (&[2, 3], "[1, 2]"),
        ] {
            let edits = without_elements(document.root(), gone);
            assert_eq!(apply(source, &edits).unwrap(), expected, "{gone:?}");
        }
    }

    #[test]
    fn a_member_goes_wherever_it_is() {
        for (source, expected) in [
            (r#"{"a": [], "b": 1}"#, r#"{"b": 1}"#),
            (r#"{"b": 1, "a": [] }"#, r#"{"b": 1 }"#),
            (r#"{"a":[]}"#, "{}"),
            (r#"{"c":0,"a":[],"b":1}"#, r#"{"c":0,"b":1}"#),
        ] {
            let document = Document::parse(source).unwrap();
            assert_eq!(apply(source, &without_member(document.root(), "a")).unwrap(), expected);
        }
    }

    #[test]
    fn messages_go_from_arrays_and_lines() {
        let array = "[{\"a\":1},\n {\"a\":2},\n {\"a\":3}]";
        let at = |source: &str, number: usize| {
            let start = source.find(&format!("{{\"a\":{number}}}")).unwrap();
            start..start + 7
        };
        let without = |source: &str, is_lines: bool, numbers: &[usize]| {
            let gone: Vec<_> = numbers
                .iter()
                .map(|number| at(source, *number))
                .map(|span| (span.clone(), seat(source, &span, is_lines, &[]).unwrap()))
                .collect();
            apply(source, &without_messages(source, &gone)).unwrap()
        };
        assert_eq!(without(array, false, &[1]), "[{\"a\":2},\n {\"a\":3}]");
        assert_eq!(without(array, false, &[2]), "[{\"a\":1},\n {\"a\":3}]");
        assert_eq!(without(array, false, &[1, 2]), "[{\"a\":3}]");
        assert_eq!(without(array, false, &[1, 2, 3]), "[]");
        assert_eq!(without(array, false, &[2, 3]), "[{\"a\":1}]");
        let lines = "{\"a\":1}\n{\"a\":2}\r\n{\"a\":3}";
        assert_eq!(without(lines, true, &[1]), "{\"a\":2}\r\n{\"a\":3}");
        assert_eq!(without(lines, true, &[3]), "{\"a\":1}\n{\"a\":2}");
        assert_eq!(seat("{\"m\":{\"a\":1}}", &at("{\"m\":{\"a\":1}}", 1), false, &[]), None);
        assert_eq!(
            seat("{\"m\":{\"a\":1}}", &at("{\"m\":{\"a\":1}}", 1), true, &["m"]),
            Some(Seat::Line(0..13))
        );
    }

    #[test]
    fn what_is_added_looks_like_its_neighbors() {
        let source = "[1,\n 2]";
        let document = Document::parse(source).unwrap();
        let added = ["7".to_owned(), "8".to_owned()];
        assert_eq!(apply(source, &[in_front(document.root(), &added)]).unwrap(), "[7,\n 8,\n 1,\n 2]");
        assert_eq!(
            apply(source, &[behind(source, &(1..2), &Seat::Element, &added)]).unwrap(),
            "[1,\n 7,\n 8,\n 2]"
        );
        assert_eq!(
            apply("1\r\n2", &[behind("1\r\n2", &(0..1), &Seat::Line(0..3), &added)]).unwrap(),
            "1\r\n7\r\n8\r\n2"
        );
        let empty = Document::parse("[ ]").unwrap();
        assert_eq!(apply("[ ]", &[in_front(empty.root(), &added)]).unwrap(), "[7, 8 ]");
    }
}
