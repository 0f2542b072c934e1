//! Which stored messages OpenCode sends, and in which order: `MessageV2.filterCompacted` as of June 2026.

use std::collections::HashSet;

use crate::json::Value;
use crate::notation::javascript::Utf16;

/// The facts about a stored message that decide whether and where OpenCode sends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The message's id; for database rows, the caller sets it from the column.
    pub id: Option<Utf16>,
    is_user: bool,
    /// Whether it is marked as a summary, finished or not.
    pub(super) is_summary: bool,
    /// Whether it ended without an error.
    is_complete: bool,
    parent: Option<Utf16>,
    /// The tail of a compaction marker.
    marker: Option<Tail>,
    /// The tail of the first part with a member for it, even `null`.
    speaks_of_tail: Option<Tail>,
}

/// What a compaction marker keeps: nothing, or what follows the message with this id.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tail(Option<Utf16>);

impl Outline {
    /// The outline of a message with this `info` and these `parts`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::format::opencode::Outline;
    /// let message = ebbline::json::Document::parse(r#"{"id": "m1", "role": "user"}"#)?;
    /// assert_eq!(Outline::of(message.root(), []).id.map(|id| id.to_text()).as_deref(), Some("m1"));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn of<'d>(info: Value<'d>, parts: impl IntoIterator<Item = Value<'d>>) -> Self {
        let is_assistant = is(info, "role", "assistant");
        let mut outline = Self {
            id: info.text_of("id").map(Utf16::from),
            is_user: is(info, "role", "user"),
            is_summary: is_assistant && flag(info, "summary"),
            is_complete: is_assistant && flag(info, "finish") && !flag(info, "error"),
            parent: info.text_of("parentID").map(Utf16::from),
            marker: None,
            speaks_of_tail: None,
        };
        for part in parts.into_iter().filter(|part| is(*part, "type", "compaction")) {
            let tail = || Tail(part.text_of("tail_start_id").filter(|id| !id.is_empty()).map(Utf16::from));
            outline.marker.get_or_insert_with(tail);
            if part.get("tail_start_id").is_some() {
                outline.speaks_of_tail.get_or_insert_with(tail);
            }
        }
        outline
    }
}

/// The messages that go to the model, in the order in which they are sent, as positions in `messages`, which contains
/// all messages of a session, oldest first.
///
/// They begin with the newest compaction marker that has a summary, or with the tail that this marker names. A tail
/// moves behind its summary. Two results look like mistakes but are what the system does: a tail that names no
/// message brings the whole history back, and a marker with a tail moves even if its summary failed.
///
/// # Example
///
/// ```
/// use ebbline::format::opencode::{Outline, sent_in_order};
/// let json = r#"[{"info": {"id": "m1", "role": "user"}, "parts": []},
///   {"info": {"id": "m2", "role": "user"}, "parts": [{"type": "compaction"}]},
///   {"info": {"id": "m3", "role": "assistant", "summary": true, "finish": "stop", "parentID": "m2"}, "parts": []}]"#;
/// let document = ebbline::json::Document::parse(json)?;
/// let outline = |message: ebbline::json::Value| Outline::of(message.get("info").unwrap(), message.elements_of("parts"));
/// let outlines: Vec<Outline> = document.root().elements().map(outline).collect();
/// assert_eq!(sent_in_order(&outlines), [1, 2]);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn sent_in_order(messages: &[Outline]) -> Vec<usize> {
    behind_summary(messages, (back_to_tail(messages)..messages.len()).collect())
}

/// The newest marker that has a summary.
pub(super) fn answered_marker(messages: &[Outline]) -> Option<usize> {
    let mut answered = HashSet::new();
    for (index, message) in messages.iter().enumerate().rev() {
        if message.is_user && message.marker.is_some() && answered.contains(&message.id) {
            return Some(index);
        }
        if message.is_summary && message.is_complete {
            answered.insert(message.parent.clone());
        }
    }
    None
}

/// The summaries whose markers name a tail, and where these tails begin.
pub(super) fn tails(messages: &[Outline]) -> Vec<(usize, usize)> {
    let of = |(index, message): (usize, &Outline)| {
        let before = messages.get(..index).filter(|_| message.is_summary)?;
        let marker = before.iter().rfind(|marker| marker.is_user && marker.id == message.parent)?;
        let tail = marker.marker.as_ref()?.0.as_ref();
        let first = before.iter().rposition(|kept| tail.is_some() && kept.id.as_ref() == tail)?;
        Some((index, first))
    };
    messages.iter().enumerate().filter_map(of).collect()
}

fn back_to_tail(messages: &[Outline]) -> usize {
    let Some(marker) = answered_marker(messages) else { return 0 };
    let tail =
        messages.get(marker).and_then(|message| message.marker.as_ref()).and_then(|tail| tail.0.as_ref());
    let Some(tail) = tail else { return marker };
    (0..=marker)
        .rev()
        .find(|index| messages.get(*index).is_some_and(|at| at.id.as_ref() == Some(tail)))
        .unwrap_or(0)
}

/// Moves the newest marker with a tail, and its summary, in front of the tail.
fn behind_summary(messages: &[Outline], context: Vec<usize>) -> Vec<usize> {
    let at = |place: usize| context.get(place).and_then(|index| messages.get(*index));
    let newest = (0..context.len()).rev().find_map(|place| {
        let message = at(place).filter(|message| message.is_user)?;
        Some((place, message, message.speaks_of_tail.as_ref()?.0.as_ref()))
    });
    let Some((marker, message, tail)) = newest else { return context };
    let summary = (marker + 1..context.len())
        .find(|place| at(*place).is_some_and(|other| other.is_summary && other.parent == message.id));
    let tail = (0..context.len())
        .find(|place| tail.is_some() && at(*place).is_some_and(|other| other.id.as_ref() == tail));
    let (Some(summary), Some(tail)) = (summary, tail.filter(|tail| *tail < marker)) else { return context };
    let order = (marker..=summary).chain(tail..marker).chain(summary + 1..context.len());
    order.filter_map(|place| context.get(place).copied()).collect()
}

/// Whether an answer with this `info` and these `parts` failed before it contained anything that can be sent. An
/// answer that was aborted after some text or a call is sent.
///
/// # Example
///
/// ```
/// use ebbline::format::opencode::failed_without_words;
/// let message = ebbline::json::Document::parse(r#"{"role": "assistant", "error": {"name": "APIError"}}"#)?;
/// assert!(failed_without_words(message.root(), []));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn failed_without_words<'d>(info: Value<'d>, parts: impl IntoIterator<Item = Value<'d>>) -> bool {
    let Some(error) = info.get("error").filter(|error| error.is_truthy()) else { return false };
    let says_something =
        parts.into_iter().any(|part| !is(part, "type", "step-start") && !is(part, "type", "reasoning"));
    !(is(error, "name", "MessageAbortedError") && says_something)
}

fn is(value: Value<'_>, key: &str, word: &str) -> bool {
    value.text_of(key).is_some_and(|text| text.is(word))
}

/// Whether the member `key` is truthy in JavaScript.
fn flag(value: Value<'_>, key: &str) -> bool {
    value.get(key).is_some_and(Value::is_truthy)
}
