//! A session as it was before a compaction, with what was added since.

use std::borrow::Cow;
use std::collections::HashMap;

use ebbline::Format;
use ebbline::json::Document;

use crate::failure::Failure;
use crate::name::Name;
use crate::record::{Change, Record};

/// The members by which an entry of any format says which one it follows.
fn parent_members() -> impl Iterator<Item = &'static str> {
    Format::ALL.iter().flat_map(|format| format.store().parents).copied()
}

/// What came of going back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Restoration {
    /// The session.
    pub(crate) bytes: Vec<u8>,
    /// How many bytes were added since.
    pub(crate) added: usize,
    /// How many of their links were changed.
    pub(crate) links: usize,
}

/// Goes back behind the compaction of a record; `name` is the file's.
pub(crate) fn undo(bytes: &[u8], record: &Record, name: &Name) -> Result<Restoration, Failure> {
    let said = name.said();
    let refuse = |sentence: String| Err(Failure::File(sentence));
    let is_same = record.after.is_of(bytes);
    if !is_same && record.before.is_of(bytes) {
        return refuse(format!("{said} is as it was before this compaction: there is nothing to undo"));
    }
    let length = if is_same { bytes.len() } else { record.kept.bytes.min(bytes.len()) };
    let (kept, rest) = bytes.split_at(length);
    if !is_same && !record.kept.is_of(kept) {
        return refuse(format!(
            "the record does not fit {said}: the first {} bytes are not those that the compaction wrote",
            record.kept.bytes
        ));
    }
    let Some((mut original, removed)) = without_changes(kept, &record.edits) else {
        return refuse(format!("the record is damaged: it names bytes that {said} does not have"));
    };
    if is_same {
        if !record.before.is_of(&original) {
            return refuse(format!("the record is damaged: it does not give back what {said} was"));
        }
        return Ok(Restoration { bytes: original, added: 0, links: 0 });
    }
    let (added, links) = relinked(rest, &removed, &original);
    let needs_break = !removed.is_empty()
        && rest.first() == Some(&b'{')
        && original.last().is_some_and(|last| *last != b'\n');
    if needs_break {
        original.push(b'\n');
    }
    original.extend_from_slice(&added);
    Ok(Restoration { bytes: original, added: rest.len(), links })
}

/// The bytes before some changes, and what these had written; `None` if they name bytes that are not there.
fn without_changes(bytes: &[u8], changes: &[Change]) -> Option<(Vec<u8>, String)> {
    let (mut original, mut removed) = (Vec::with_capacity(bytes.len()), Vec::new());
    let mut copied = 0;
    for change in changes {
        let end = change.at.checked_add(change.length)?;
        original.extend_from_slice(bytes.get(copied..change.at)?);
        original.extend(change.before());
        removed.push(String::from_utf8_lossy(bytes.get(change.at..end)?).into_owned());
        copied = end;
    }
    original.extend_from_slice(bytes.get(copied..)?);
    Some((original, removed.join("\n")))
}

/// In a session that is a tree, what was added follows the entries that the compaction wrote. Those go, so it has to follow
/// what they followed. How many links that changes is returned as well.
fn relinked<'b>(rest: &'b [u8], removed: &str, original: &[u8]) -> (Cow<'b, [u8]>, usize) {
    let parents = parents(removed);
    if parents.is_empty() {
        return (Cow::Borrowed(rest), 0);
    }
    let before = String::from_utf8_lossy(original);
    let (mut text, mut copied, mut links) = (Vec::new(), 0, 0);
    for range in links_in(rest) {
        let id = String::from_utf8_lossy(rest.get(range.clone()).unwrap_or_default());
        let mut to = &*id;
        for _ in 0..parents.len() {
            let Some(parent) = parents.get(to) else { break };
            to = parent;
        }
        if to == id || before.contains(&format!("\"{id}\"")) {
            continue;
        }
        text.extend_from_slice(rest.get(copied..range.start).unwrap_or_default());
        text.extend_from_slice(to.as_bytes());
        copied = range.end;
        links += 1;
    }
    text.extend_from_slice(rest.get(copied..).unwrap_or_default());
    (Cow::Owned(text), links)
}

/// What each entry among some lines follows, by their ids.
fn parents(removed: &str) -> HashMap<String, String> {
    let mut parents = HashMap::new();
    let mut last: Option<String> = None;
    for line in removed.split('\n') {
        let Ok(document) = Document::parse(line) else { continue };
        let entry = document.root();
        let first = |names: &[&str]| names.iter().find_map(|name| entry.present(name));
        let text = |value: ebbline::json::Value<'_>| value.text().map(|text| text.decode().into_owned());
        let Some(id) = first(&["uuid", "id"]).and_then(text) else { continue };
        let parent = match parent_members().find_map(|name| entry.present(name)) {
            Some(parent) => text(parent),
            None => last,
        };
        if let Some(parent) = parent {
            parents.insert(id.clone(), parent);
        }
        last = Some(id);
    }
    parents
}

/// Where the ids stand that entries follow: `"parentId": "…"`.
fn links_in(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = next_quote(bytes, at) {
        match link_at(bytes, start) {
            Some(range) => {
                at = range.end + 1;
                found.push(range);
            }
            None => at = start + 1,
        }
    }
    found
}

fn next_quote(bytes: &[u8], from: usize) -> Option<usize> {
    let at = bytes.get(from..)?.iter().position(|byte| *byte == b'"')?;
    Some(from + at)
}

fn link_at(bytes: &[u8], start: usize) -> Option<std::ops::Range<usize>> {
    let rest = bytes.get(start..)?;
    let mut keys = Format::ALL.iter().filter_map(|format| format.store().parents.first());
    let is_key = |key: &&&str| {
        rest.get(1..=key.len()) == Some(key.as_bytes()) && rest.get(key.len() + 1) == Some(&b'"')
    };
    let length = keys.find(is_key)?.len() + 2;
    let spaces = |from: usize| {
        let is_space = |byte: &&u8| byte.is_ascii_whitespace() || **byte == 0xb;
        from + bytes.get(from..).unwrap_or_default().iter().take_while(is_space).count()
    };
    let colon = spaces(start + length);
    let quote = spaces(Some(colon + 1).filter(|_| bytes.get(colon) == Some(&b':'))?);
    let first = Some(quote + 1).filter(|_| bytes.get(quote) == Some(&b'"'))?;
    let length = bytes.get(first..)?.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
    (length > 0 && bytes.get(first + length) == Some(&b'"')).then_some(first..first + length)
}

#[cfg(test)]
mod tests {
    use ebbline::edit::Edit;

    use super::*;
    use crate::record::About;

    const BEFORE: &[u8] = b"{\"id\":\"a\"}\n{\"id\":\"b\",\"parentId\":\"a\"}\n";
    const WRITTEN: &str = "{\"id\":\"s\",\"parentId\":\"b\"}\n";

    fn compacted() -> (Vec<u8>, Record) {
        let after = [BEFORE, WRITTEN.as_bytes()].concat();
        let edits = [Edit::new(BEFORE.len()..BEFORE.len(), WRITTEN)];
        let record = Record::of(BEFORE, &after, &edits, About::default());
        (after, record)
    }

    fn of(bytes: &[u8], record: &Record) -> Result<Restoration, String> {
        undo(bytes, record, &Name::from("a")).map_err(|failure| failure.message())
    }

    #[test]
    fn a_compaction_is_undone() {
        let (after, record) = compacted();
        assert_eq!(of(&after, &record), Ok(Restoration { bytes: BEFORE.to_vec(), added: 0, links: 0 }));
        assert_eq!(
            of(BEFORE, &record).unwrap_err(),
            "a is as it was before this compaction: there is nothing to undo"
        );
        assert!(of(b"[]", &record).unwrap_err().starts_with("the record does not fit a: "));
    }

    #[test]
    fn what_was_added_follows_what_the_compaction_followed_byte_for_byte() {
        let (after, record) = compacted();
        let added =
            |parent: &str| [b"{\"x\":\"\xff\",\"parentId\": \"", parent.as_bytes(), b"\"}\n"].concat();
        let Restoration { bytes, added: count, links } = of(&[after, added("s")].concat(), &record).unwrap();
        assert_eq!(bytes, [BEFORE, &added("b")].concat());
        assert_eq!((count, links), (added("s").len(), 1));
    }

    #[test]
    fn links_are_found_in_any_notation() {
        let text = br#"{"parentUuid" :	"x","parentId":"","parentId":null,"parentId":"a\"b","a":"parentId","parentId":"y"}"#;
        let ids: Vec<&[u8]> = links_in(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(ids, [b"x", b"y"]);
    }
}
