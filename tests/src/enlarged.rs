//! Long sessions made of short ones: the same messages repeated with unique ids.
//!
//! The cost of reading depends on how an agent writes: the depth, the number of keys, the share of text. Benchmarks
//! and memory tests therefore read sessions that look like the fixtures of each format but are longer.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use ebbline::SessionText;
use ebbline::json::{Document, Text, Value, lines};

use crate::sessions;

/// The project's fixtures, found in the folders of their formats: path and text of each, sorted by name.
///
/// # Panics
///
/// If a fixture cannot be read.
#[expect(clippy::expect_used, reason = "without fixtures there is nothing to test")]
pub fn fixtures() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("formats");
    let is_session = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "json" || kind == "jsonl");
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a fixture is text");
        (path, text)
    };
    let mut found: Vec<_> = sessions::files(&folder).into_iter().filter(is_session).collect();
    found.sort_by(|one, other| one.file_name().cmp(&other.file_name()));
    found.into_iter().map(read).collect()
}

/// The text of the fixture with this name.
///
/// # Panics
///
/// If there is none.
#[expect(clippy::expect_used, reason = "without the fixture there is nothing to test")]
pub fn fixture(name: &str) -> String {
    let found = fixtures().into_iter().find(|(path, _)| path.ends_with(name));
    found.expect("there is a fixture of this name").1
}

/// Repeats the messages of the session `text` until it has at least `bytes` bytes. Equal arguments give equal texts;
/// a text without messages is returned unchanged.
pub fn enlarge(text: &str, bytes: usize) -> String {
    let Some(block) = Block::find(text) else { return text.to_owned() };
    let inside = text.get(block.range.clone()).unwrap_or_default();
    let mut enlarged = String::with_capacity(bytes + text.len());
    enlarged.push_str(text.get(..block.range.end).unwrap_or_default());
    let rest = text.get(block.range.end..).unwrap_or_default();
    let mut copy = 0_usize;
    while enlarged.len() + rest.len() < bytes {
        copy += 1;
        enlarged.push_str(block.separator);
        let mut at = 0;
        for (range, replacement) in &block.changes {
            enlarged.push_str(inside.get(at..range.start).unwrap_or_default());
            match replacement {
                Change::Unique => {
                    let _ = write!(enlarged, "_{copy}");
                }
                Change::Parent(id) if copy == 1 => {
                    let _ = write!(enlarged, "\"{id}\"");
                }
                Change::Parent(id) => {
                    let _ = write!(enlarged, "\"{id}_{}\"", copy - 1);
                }
            }
            at = range.end;
        }
        enlarged.push_str(inside.get(at..).unwrap_or_default());
    }
    enlarged + rest
}

/// How a position differs in a copy.
enum Change {
    /// The number of the copy is appended to an id.
    Unique,
    /// A message without a parent gets the end of the previous copy as its parent.
    Parent(String),
}

/// The messages that are repeated.
struct Block {
    range: Range<usize>,
    separator: &'static str,
    /// The differences of a copy in order, relative to the block.
    changes: Vec<(Range<usize>, Change)>,
}

impl Block {
    fn find(text: &str) -> Option<Self> {
        let session = SessionText::read(text).ok()?;
        let count = session.transcript().messages().len();
        let spans: HashSet<(usize, usize)> =
            (0..count).map(|index| session.span(index)).map(|span| (span.start, span.end)).collect();
        if let Ok(document) = Document::parse(text) {
            let list = arrays(document.root()).into_iter().max_by_key(|list| {
                let is_message = |value: &Value<'_>| spans.contains(&(value.span().start, value.span().end));
                list.elements().filter(is_message).count()
            })?;
            let elements: Vec<Value<'_>> = list.elements().collect();
            return Self::of(&elements, ",\n");
        }
        let first = spans.iter().map(|span| span.0).min()?;
        let documents: Vec<Document<'_>> = lines(text)
            .filter(|line| line.range.end > first)
            .filter_map(|line| Document::parse(text.get(line.range)?).ok())
            .collect();
        let values: Vec<Value<'_>> = documents.iter().map(Document::root).collect();
        let starts: Vec<usize> =
            lines(text).filter(|line| line.range.end > first).map(|line| line.range.start).collect();
        let end = lines(text).last()?.range.end;
        let block = Self::of_lines(&values, &starts, *starts.first()?..end);
        (values.len() == starts.len()).then_some(block)
    }

    fn of(elements: &[Value<'_>], separator: &'static str) -> Option<Self> {
        let range = elements.first()?.span().start..elements.last()?.span().end;
        let starts = vec![0; elements.len()];
        Some(Self { separator, ..Self::of_lines(elements, &starts, range) })
    }

    /// `starts` contains the start of the text that each element's spans are relative to.
    fn of_lines(elements: &[Value<'_>], starts: &[usize], range: Range<usize>) -> Self {
        let mut ids: HashMap<String, usize> = HashMap::new();
        for element in elements {
            let mut here = HashSet::new();
            each_id(*element, false, &mut |id| {
                here.insert(id.raw().to_owned());
            });
            for id in here {
                *ids.entry(id).or_default() += 1;
            }
        }
        let last = elements.iter().rev().find_map(|line| line.text_of("uuid").or(line.text_of("id")));
        let mut changes = Vec::new();
        for (element, start) in elements.iter().zip(starts) {
            let shift = |range: Range<usize>, by: &Range<usize>| {
                range.start + start - by.start..range.end + start - by.start
            };
            each_id(*element, false, &mut |id| {
                // An id in most messages is that of the session, not of a message.
                if ids.get(id.raw()).is_some_and(|count| count * 2 <= elements.len()) {
                    let quote = id.span().end - 1;
                    changes.push((shift(quote..quote, &range), Change::Unique));
                }
            });
            for key in ["parentUuid", "parentId"] {
                let parent = element.get(key).filter(|parent| parent.is_null());
                if let (Some(parent), Some(last)) = (parent, last) {
                    changes.push((shift(parent.span(), &range), Change::Parent(last.decode().into_owned())));
                }
            }
        }
        changes.sort_by_key(|(range, _)| (range.start, range.end));
        Self { range, separator: "\n", changes }
    }
}

/// Every array inside `value`, including `value`.
fn arrays(value: Value<'_>) -> Vec<Value<'_>> {
    let mut found: Vec<_> = value.is_array().then_some(value).into_iter().collect();
    found.extend(value.elements().flat_map(arrays));
    found.extend(value.members().flat_map(|(_, member)| arrays(member)));
    found
}

/// Calls `take` with every text whose key says that it is an id, or that is in a list of ids.
fn each_id(value: Value<'_>, is_id: bool, take: &mut impl FnMut(Text<'_>)) {
    if let Some(text) = value.text().filter(|text| is_id && !text.is_empty()) {
        take(text);
    }
    for element in value.elements() {
        each_id(element, is_id, take);
    }
    for (key, member) in value.members() {
        // VS Code keeps results by the ids of their calls.
        if key.is("toolCallResults") {
            member.members().for_each(|(id, _)| take(id));
        }
        let key = key.decode().to_lowercase();
        // LangChain's dumps contain the path of a class in `id`; only a list called `ids` is a list of ids.
        let is_id = key.ends_with("ids") && member.is_array()
            || ["id", "uuid"].iter().any(|end| key.ends_with(end)) && member.is_string();
        each_id(member, is_id, take);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_session_reads_like_the_short_one() {
        for (path, text) in fixtures() {
            let Ok(short) = SessionText::read(&text) else { continue };
            let long = enlarge(&text, 200_000);
            assert!(long.len() >= 200_000, "{} stays short", path.display());
            let read = SessionText::read(&long).unwrap();
            assert_eq!(read.format(), short.format());
            assert!(read.problems().len() == short.problems().len(), "{}", path.display());
            // A line of VS Code's that sets a place by its number sets the same place again.
            if path.ends_with("vscode-chat.jsonl") {
                continue;
            }
            let (before, after) = (short.counts(), read.counts());
            assert!(after.messages > before.messages, "{}", path.display());
            let ratio = long.len() as f64 / text.len() as f64;
            let expected = before.results as f64 * ratio;
            assert!(before.results == 0 || after.results as f64 > expected / 2.0, "{}", path.display());
            assert!(
                after.results_without_call <= before.results_without_call * after.results,
                "{}",
                path.display()
            );
        }
    }
}
