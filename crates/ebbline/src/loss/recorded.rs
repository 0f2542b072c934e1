//! The departures that agents recorded themselves: messages that a compaction replaced, and outputs that they pruned.
//!
//! How each agent records them is in `docs/formats.md`; the readers translate it. A message that is no longer sent left at
//! the first compaction behind it, unless that compaction says that it kept it.

use std::collections::{HashMap, HashSet};

use super::departure::{Departure, Left};
use super::timeline::{Compaction, Timeline, is_beside};
use crate::format::MarkerKind;
use crate::session_text::SessionText;
use crate::transcript::{PartKind, Turn};

/// So many compactions may have kept a message before one replaced it.
const MOST_KEPT: usize = 8;

/// The departures that the session records, in the order of its parts.
///
/// Messages of a sub-agent, of another branch or conversation, and messages that the user took back, did not leave
/// by a compaction. An output whose pruning left no time in the file is not listed: nobody knows when it left.
///
/// # Example
///
/// ```
/// use ebbline::loss::{self, Left};
/// let text = r#"{"type":"session","version":1,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/a"}
/// {"type":"message","message":{"role":"user","content":"Fix it.","timestamp":1}}
/// {"type":"compaction","summary":"The user wants it fixed.","firstKeptEntryIndex":3,"tokensBefore":9}
/// {"type":"message","message":{"role":"user","content":"Go on.","timestamp":2}}"#;
/// let session = ebbline::SessionText::read(text)?;
/// let departures = loss::recorded(&session);
/// assert_eq!((departures.len(), departures[0].how, departures[0].summary), (1, Left::Summarized, Some(0)));
/// assert_eq!(loss::recorded_summaries(&session), ["The user wants it fixed."]);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn recorded(session: &SessionText<'_>) -> Vec<Departure> {
    let timeline = Timeline::of(session);
    let transcript = session.transcript();
    let pruned: HashMap<usize, usize> =
        session.reading.pruned_from.iter().map(|(part, from)| (*part, timeline.first_from(*from))).collect();
    let numbers = numbers(&timeline.compactions);
    let mut departures = Vec::new();
    for (index, message) in transcript.messages().iter().enumerate() {
        if is_beside(session, index) || is_marker(session, index) {
            continue;
        }
        let start = session.reading.span(index).start;
        let replaced = if message.active { None } else { replacing(&timeline, start) };
        let replaced = replaced.map(|at| {
            let compaction = timeline.compactions.get(at);
            let next = compaction.map_or(usize::MAX, |compaction| timeline.first_from(compaction.record.end));
            (next, numbers.get(at).copied().flatten())
        });
        for part in transcript.part_range(index) {
            let pruned = pruned.get(&part).copied();
            let left = match (pruned, replaced) {
                (Some(at), Some((later, _))) if timeline.rank(at) <= timeline.rank(later) => {
                    Some((at, Left::Pruned, None))
                }
                (_, Some((at, summary))) => Some((at, Left::Summarized, summary)),
                (Some(at), None) => Some((at, Left::Pruned, None)),
                (None, None) => None,
            };
            departures.extend(left.map(|(at, how, summary)| Departure { at, part, how, summary }));
        }
    }
    departures
}

/// The texts of the summaries that the session records, oldest first: what [`Departure::summary`] counts.
///
/// # Example
///
/// ```
/// let session = ebbline::SessionText::read(r#"[{"role":"user","content":"hello"}]"#)?;
/// assert!(ebbline::loss::recorded_summaries(&session).is_empty());
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn recorded_summaries(session: &SessionText<'_>) -> Vec<String> {
    let timeline = Timeline::of(session);
    timeline
        .compactions
        .iter()
        .filter_map(|compaction| compaction.summary)
        .map(|index| text_of(session, index))
        .collect()
}

/// What became of each message by the compactions that the session records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lived {
    /// It was sent, whether it still is or a compaction replaced it since.
    Sent {
        /// Whether a compaction replaced it.
        replaced: bool,
    },
    /// It is the summary that a compaction wrote.
    Summary,
    /// It was never sent, or left in another way.
    Never,
}

/// What became of each message.
pub(crate) fn lived(session: &SessionText<'_>) -> Vec<Lived> {
    let timeline = Timeline::of(session);
    let summaries: HashSet<usize> =
        timeline.compactions.iter().filter_map(|compaction| compaction.summary).collect();
    let of = |(index, message): (usize, &crate::transcript::Message)| {
        if summaries.contains(&index) {
            Lived::Summary
        } else if is_marker(session, index) {
            Lived::Never
        } else if message.active {
            Lived::Sent { replaced: false }
        } else if !is_beside(session, index)
            && replacing(&timeline, session.reading.span(index).start).is_some()
        {
            Lived::Sent { replaced: true }
        } else {
            Lived::Never
        }
    };
    session.transcript().messages().iter().enumerate().map(of).collect()
}

/// The life of a session as its agent lived it.
pub(crate) struct Life {
    /// The messages in the order in which they were written.
    pub(crate) order: Vec<usize>,
    /// What became of each message.
    pub(crate) lived: Vec<Lived>,
    /// What left the context before which message.
    pub(crate) departures: Vec<Departure>,
}

/// The life of a session as its agent lived it.
pub(crate) fn life(session: &SessionText<'_>) -> Life {
    Life { order: Timeline::of(session).order, lived: lived(session), departures: recorded(session) }
}

/// Whether message `index` only requests a compaction, as `OpenCode`'s marker does: it says nothing else, and without the
/// compaction it would not be there.
fn is_marker(session: &SessionText<'_>, index: usize) -> bool {
    let transcript = session.transcript();
    let only_marks = transcript.messages().get(index).is_some_and(|message| message.turn == Turn::Synthetic)
        && transcript.parts_of(index).iter().all(|part| part.kind == PartKind::Other);
    only_marks && {
        let span = session.reading.span(index);
        let mut markers = session.markers().iter().filter(|marker| marker.kind == MarkerKind::Compaction);
        markers.any(|marker| span.contains(&marker.bytes.start))
    }
}

/// For each compaction the number of its summary.
fn numbers(compactions: &[Compaction]) -> Vec<Option<usize>> {
    let mut next = 0;
    let number = |compaction: &Compaction| {
        compaction.summary.map(|_| {
            next += 1;
            next - 1
        })
    };
    compactions.iter().map(number).collect()
}

/// The compaction that replaced an inactive message. One without a summary counts only behind all others: it
/// may have failed.
fn replacing(timeline: &Timeline, start: usize) -> Option<usize> {
    let first = timeline.compactions.partition_point(|compaction| compaction.record.start <= start);
    let later = || timeline.compactions.iter().enumerate().skip(first);
    let replaces = |compaction: &Compaction| compaction.kept_from.is_none_or(|kept| start < kept);
    let told = later().filter(|(_, compaction)| compaction.summary.is_some()).take(MOST_KEPT);
    let told = told.into_iter().find(|(_, compaction)| replaces(compaction));
    told.or_else(|| later().next()).map(|(at, _)| at)
}

fn text_of(session: &SessionText<'_>, index: usize) -> String {
    let transcript = session.transcript();
    let parts = transcript.part_range(index).zip(transcript.parts_of(index));
    let texts = parts
        .filter(|(_, part)| matches!(part.kind, PartKind::Summary | PartKind::Text))
        .map(|(part, _)| session.text_of(part));
    texts.collect::<Vec<_>>().join("\n")
}
