//! What a compaction would summarize and keep (pi's `prepareCompaction`).

use std::borrow::Cow;

use ebbline::Error;
use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;

use super::context::{Context, Leaf};
use super::cut::{CutPoint, find_cut_point, find_projected_cut_point};
use super::entry::{Entry, Id};
use super::estimate::{Tokens, estimate_context};
use super::files::FileOperations;
use super::message::{Message, Role};
use super::serialize::serialize;
use super::version::Version;

/// A prepared compaction.
#[derive(Clone, Debug)]
pub struct Preparation<'d> {
    /// The version that prepared it.
    pub version: Version,
    /// The id of the first kept entry.
    pub first_kept_entry_id: Cow<'d, str>,
    /// The messages of the history to summarize; [`Message::at`] names their entries.
    pub messages_to_summarize: Vec<Message<'d>>,
    /// The messages of the first part of a split turn, which are summarized separately.
    pub turn_prefix_messages: Vec<Message<'d>>,
    /// Whether the cut lies inside a turn.
    pub is_split_turn: bool,
    /// The estimated tokens of the context before.
    pub tokens_before: Tokens,
    /// The summary of the previous compaction.
    pub previous_summary: Option<Value<'d>>,
    /// The files named by the messages and the previous compaction.
    pub files: FileOperations,
}

impl Preparation<'_> {
    /// The history as text for the summarizer; empty if there is none.
    ///
    /// # Errors
    ///
    /// As [`serialize`].
    pub fn history_text(&self) -> Result<Utf16, Error> {
        serialize(&self.messages_to_summarize, self.version)
    }

    /// The first part of a split turn as text for the summarizer; empty if there is none.
    ///
    /// # Errors
    ///
    /// As [`serialize`].
    pub fn turn_prefix_text(&self) -> Result<Utf16, Error> {
        serialize(&self.turn_prefix_messages, self.version)
    }
}

/// Prepares a compaction of the branch `path` that keeps about `keep` tokens; `None` if there is nothing to do (pi's
/// `prepareCompaction`).
///
/// # Errors
///
/// `invalid_settings` if pi raises an exception: content that it cannot iterate.
///
/// # Example
///
/// ```
/// use ebbline_compat::pi::{Entry, Version, prepare};
/// use ebbline::json::Document;
///
/// let text = r#"[
///   {"type": "message", "id": "a", "message": {"role": "user", "content": "a question"}},
///   {"type": "message", "id": "b", "parentId": "a", "message": {"role": "user", "content": "another"}}
/// ]"#;
/// let document = Document::parse(text)?;
/// let prepared = prepare(&Entry::list(document.root())?, 1.0, Version::V1_5)?.unwrap();
/// assert_eq!(prepared.first_kept_entry_id, "b");
/// assert_eq!(prepared.history_text()?.to_text(), "[User]: a question");
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn prepare<'d>(
    path: &[Entry<'d>],
    keep: f64,
    version: Version,
) -> Result<Option<Preparation<'d>>, Error> {
    if path.last().is_some_and(Entry::is_compaction) {
        return Ok(None);
    }
    match version {
        Version::V0_58 | Version::V0_84 => prepare_entries(path, keep, version),
        Version::V1_5 => prepare_context(path, keep, version),
    }
}

/// Up to 0.84, the cut is made in the file's entries.
fn prepare_entries<'d>(
    path: &[Entry<'d>],
    keep: f64,
    version: Version,
) -> Result<Option<Preparation<'d>>, Error> {
    let previous_at = path.iter().rposition(Entry::is_compaction);
    let previous = previous_at.and_then(|at| path.get(at));
    let start = previous_at.map_or(0, |at| at + 1);
    let start = match previous.filter(|_| version.summarizes_kept_entries()) {
        Some(previous) => {
            let first_kept = Id::of(previous.value.get("firstKeptEntryId"));
            path.iter().position(|entry| entry.id == first_kept).unwrap_or(start)
        }
        None => start,
    };
    let tokens_before = if version.measures_what_is_sent() {
        let branch: Vec<&Entry<'d>> = path.iter().collect();
        Context::build(path, Leaf::Last, version)?.estimate(&branch, version)?.tokens
    } else {
        let measured = messages_of(path.get(previous_at.unwrap_or(0)..), version)?;
        estimate_context(&measured, version)?.tokens
    };
    let cut = find_cut_point(path, start..path.len(), keep, version)?;
    let Some(first_kept) = path.get(cut.first_kept).filter(|entry| entry.id.is_given()) else {
        return Ok(None);
    };
    let messages = |from: usize, to: usize| messages_of(path.get(from..to), version);
    finish(cut, first_kept, previous, tokens_before, version, start, messages)
}

/// The messages of entries in a summary.
fn messages_of<'d>(entries: Option<&[Entry<'d>]>, version: Version) -> Result<Vec<Message<'d>>, Error> {
    let entries = entries.unwrap_or_default().iter();
    entries.filter_map(|entry| entry.message_to_summarize(version).transpose()).collect()
}

/// Since pi 0.87, the cut is made in what is sent: edits count, and the previous compaction with what it kept comes
/// first.
fn prepare_context<'d>(
    path: &[Entry<'d>],
    keep: f64,
    version: Version,
) -> Result<Option<Preparation<'d>>, Error> {
    let context = Context::build(path, Leaf::Last, version)?;
    let entries = &context.entries;
    let previous_at =
        entries.iter().position(|entry| entry.entry.is_compaction() && !entry.messages.is_empty());
    let previous = previous_at.and_then(|at| entries.get(at)).map(|entry| entry.entry);
    let start = previous_at.map_or(0, |at| at + 1);
    let branch: Vec<&Entry<'d>> = path.iter().collect();
    let tokens_before = context.estimate(&branch, version)?.tokens;
    let cut = find_projected_cut_point(entries, start, keep, version)?;
    let first_kept = entries.get(cut.first_kept).map(|entry| entry.entry);
    let Some(first_kept) = first_kept.filter(|entry| entry.id.is_given()) else { return Ok(None) };
    let messages = |from: usize, to: usize| {
        let summarized = entries.get(from..to).unwrap_or_default().iter();
        Ok(summarized
            .filter(|entry| !entry.entry.is_compaction())
            .flat_map(|entry| entry.messages.iter().copied())
            .filter(|message| message.role != Role::System)
            .collect())
    };
    finish(cut, first_kept, previous, tokens_before, version, start, messages)
}

/// Completes a preparation after the cut is known.
fn finish<'d>(
    cut: CutPoint,
    first_kept: &Entry<'d>,
    previous: Option<&Entry<'d>>,
    tokens_before: Tokens,
    version: Version,
    start: usize,
    messages: impl Fn(usize, usize) -> Result<Vec<Message<'d>>, Error>,
) -> Result<Option<Preparation<'d>>, Error> {
    let history = messages(start, cut.history_end())?;
    let prefix = messages(cut.history_end(), cut.first_kept)?;
    if history.is_empty() && prefix.is_empty() && version.refuses_empty_preparations() {
        return Ok(None);
    }
    let mut files = FileOperations::default();
    if let Some(previous) = previous {
        files.add_recorded(previous.value);
    }
    for message in history.iter().chain(&prefix) {
        files.add_message(message, version)?;
    }
    Ok(Some(Preparation {
        version,
        first_kept_entry_id: first_kept.id.to_text().unwrap_or_default(),
        messages_to_summarize: history,
        turn_prefix_messages: prefix,
        is_split_turn: cut.is_split_turn(),
        tokens_before,
        previous_summary: previous.and_then(|previous| previous.value.get("summary")),
        files,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    const VERSIONS: [Version; 3] = [Version::V0_58, Version::V0_84, Version::V1_5];

    /// Entries from letters, ten tokens each: `u`ser, `a`nswer with a call that reads `f`, `r`esult,
    /// `c`ompaction that keeps from the entry before it.
    fn entries(shape: &str) -> String {
        let text = "x".repeat(40);
        let body = |(at, letter): (usize, char)| {
            let parent = at.checked_sub(1).map_or("null".to_owned(), |parent| format!("\"{parent}\""));
            let message = |role: &str, content: &str| {
                format!(r#""type":"message","message":{{"role":"{role}","content":[{content}]}}"#)
            };
            let text = format!(r#"{{"type":"text","text":"{text}"}}"#);
            let body = match letter {
                'u' => message("user", &text),
                'a' => message(
                    "assistant",
                    r#"{"type":"toolCall","name":"read","arguments":{"path":"f-and-more-letters"}}"#,
                ),
                'r' => message("toolResult", &text),
                _ => format!(
                    r#""type":"compaction","summary":"S","firstKeptEntryId":"{}","details":{{"modifiedFiles":["m"]}}"#,
                    at - 1
                ),
            };
            format!(r#"{{"id":"{at}","parentId":{parent},{body}}}"#)
        };
        format!("[{}]", shape.chars().enumerate().map(body).collect::<Vec<_>>().join(","))
    }

    /// First kept, history, prefix.
    fn prepared(shape: &str, keep: f64, version: Version) -> Option<(String, Vec<usize>, Vec<usize>)> {
        let text = entries(shape);
        let document = Document::parse(&text).unwrap();
        let entries = Entry::list(document.root()).unwrap();
        let positions = |messages: &[Message<'_>]| messages.iter().map(|message| message.at).collect();
        prepare(&entries, keep, version).unwrap().map(|preparation| {
            (
                preparation.first_kept_entry_id.into_owned(),
                positions(&preparation.messages_to_summarize),
                positions(&preparation.turn_prefix_messages),
            )
        })
    }

    #[test]
    fn history_and_the_first_part_of_a_split_turn_are_told_apart() {
        for version in VERSIONS {
            let prepared = |shape, keep| prepared(shape, keep, version);
            assert_eq!(
                prepared("uaruar", 30.0),
                Some(("3".to_owned(), vec![0, 1, 2], vec![])),
                "{version:?}"
            );
            assert_eq!(prepared("uarar", 20.0), Some(("3".to_owned(), vec![], vec![0, 1, 2])), "{version:?}");
            assert_eq!(prepared("uac", 1.0), None, "{version:?}");
        }
    }

    #[test]
    fn the_oldest_version_loses_what_the_last_compaction_kept_and_prepares_nothing() {
        let again = VERSIONS.map(|version| prepared("uarucuar", 25.0, version).unwrap().1);
        assert_eq!(again, [vec![], vec![3], vec![3]]);
        let nothing = VERSIONS.map(|version| prepared("ua", 1e9, version).is_some());
        assert_eq!(nothing, [true, false, false]);
    }

    #[test]
    fn files_of_the_last_compaction_are_carried_on() {
        let text = entries("uacuar");
        let document = Document::parse(&text).unwrap();
        let entries = Entry::list(document.root()).unwrap();
        let preparation = prepare(&entries, 5.0, Version::V1_5).unwrap().unwrap();
        let lists = preparation.files.lists();
        assert_eq!(lists.read_files, [Utf16::from("f-and-more-letters")]);
        assert_eq!(lists.modified_files, [Utf16::from("m")]);
        assert_eq!(preparation.previous_summary.unwrap().source(), "\"S\"");
    }
}
