//! The order in which a session's messages were written, and the compactions that it records.
//!
//! A transcript has the order in which messages are sent, which a compaction changes. Their places in the text are the
//! order in which they were written, in every format that appends.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::format::MarkerKind;
use crate::order::sort_by;
use crate::session_text::SessionText;
use crate::transcript::{PartKind, Role};

/// A compaction that the session records.
#[derive(Clone, Debug)]
pub(super) struct Compaction {
    /// The record: the whole line in a file of lines, else the summary.
    pub(super) record: Range<usize>,
    /// The message with the summary; `None` if the record has none.
    pub(super) summary: Option<usize>,
    /// Where the messages begin that it kept, if it says so.
    pub(super) kept_from: Option<usize>,
}

/// The messages of a session in the order in which they were written.
#[derive(Clone, Debug, Default)]
pub(super) struct Timeline {
    /// The indices of the messages.
    pub(super) order: Vec<usize>,
    /// For each message its place in `order`.
    ranks: Vec<usize>,
    /// The compactions, oldest first.
    pub(super) compactions: Vec<Compaction>,
    /// Where the messages begin that follow a record, with their indices: neither summaries nor of another branch.
    following: Vec<(usize, usize)>,
}

impl Timeline {
    pub(super) fn of(session: &SessionText<'_>) -> Self {
        let messages = session.transcript().messages();
        let start = |index: usize| session.reading.span(index).start;
        let is_first = |index: usize| {
            let is_listed = session.reading.listed.get(index).copied().unwrap_or(false);
            !is_listed && messages.get(index).is_some_and(|message| message.role == Role::System)
        };
        let mut order: Vec<usize> = (0..messages.len()).collect();
        let place = |index: usize| (!is_first(index), start(index), index);
        sort_by(&mut order, &|one, other| place(*one).cmp(&place(*other)));
        let mut ranks = vec![0; order.len()];
        for (rank, index) in order.iter().enumerate() {
            if let Some(slot) = ranks.get_mut(*index) {
                *slot = rank;
            }
        }
        let is_following = |index: &&usize| {
            !is_first(**index)
                && !is_beside(session, **index)
                && messages.get(**index).is_some_and(|message| !message.summary)
        };
        let following = order.iter().filter(is_following).map(|index| (start(*index), *index)).collect();
        let compactions = compactions(session, &order);
        Self { order, ranks, compactions, following }
    }

    /// The place of message `index`; behind all if there is none.
    pub(super) fn rank(&self, index: usize) -> usize {
        self.ranks.get(index).copied().unwrap_or(self.order.len())
    }

    /// The first message that was written at `byte` or behind it; the number of messages if there is none.
    pub(super) fn first_from(&self, byte: usize) -> usize {
        let at = self.following.partition_point(|(start, _)| *start < byte);
        self.following.get(at).map_or(self.order.len(), |(_, index)| *index)
    }

    /// Whether a compaction wrote message `index`, which begins at `start`: as its summary, or as a copy of a message
    /// that it kept.
    pub(super) fn is_of_compaction(&self, index: usize, start: usize) -> bool {
        let behind = self.compactions.partition_point(|compaction| compaction.record.start <= start);
        let compaction = behind.checked_sub(1).and_then(|at| self.compactions.get(at));
        compaction
            .is_some_and(|compaction| compaction.record.contains(&start) || compaction.summary == Some(index))
    }
}

/// Whether message `index` was never part of the conversation that was compacted.
pub(super) fn is_beside(session: &SessionText<'_>, index: usize) -> bool {
    session.reading.beside.contains(&session.reading.span(index).start)
        && session.transcript().messages().get(index).is_some_and(|message| !message.active)
}

fn compactions(session: &SessionText<'_>, order: &[usize]) -> Vec<Compaction> {
    let transcript = session.transcript();
    let branches: HashSet<usize> = session
        .markers()
        .iter()
        .filter(|marker| marker.kind == MarkerKind::Branch)
        .map(|marker| marker.bytes.start)
        .collect();
    let kept = kept_by_entry(session);
    let mut found: Vec<Compaction> = Vec::new();
    for index in order {
        let Some(message) = transcript.messages().get(*index).filter(|message| message.summary) else {
            continue;
        };
        let parts = transcript.parts_of(*index);
        let says_so = message.role == Role::User || parts.iter().any(|part| part.kind == PartKind::Summary);
        let span = session.reading.span(*index);
        if says_so && !is_beside(session, *index) && !branches.contains(&span.start) {
            let tail = || session.reading.kept_from.iter().find(|(summary, _)| *summary == span.start);
            let kept_from = kept.get(index).copied().or_else(|| tail().map(|(_, kept)| *kept));
            found.push(Compaction { record: record_at(session, span), summary: Some(*index), kept_from });
        }
    }
    let mut silent = Vec::new();
    for marker in session.markers().iter().filter(|marker| marker.kind == MarkerKind::Compaction) {
        let record = record_at(session, marker.bytes.clone());
        // A summary follows its marker at once, if there is one.
        let next = found.partition_point(|compaction| compaction.record.end <= record.start);
        let is_told = found.get(next).is_some_and(|compaction| {
            compaction.record.start <= record.end
                || !has_answer(session, order, record.end..compaction.record.start)
        });
        if !is_told {
            silent.push(Compaction { record, summary: None, kept_from: None });
        }
    }
    found.extend(silent);
    let place = |compaction: &Compaction| (compaction.record.start, compaction.summary.is_none());
    sort_by(&mut found, &|one, other| place(one).cmp(&place(other)));
    found
}

/// Whether the assistant answered between two places of the text.
fn has_answer(session: &SessionText<'_>, order: &[usize], between: Range<usize>) -> bool {
    let start = |index: &usize| session.reading.span(*index).start;
    let first = order.partition_point(|index| start(index) < between.start);
    let inside = order.iter().skip(first).take_while(|index| start(index) < between.end);
    let messages = session.transcript().messages();
    inside.into_iter().any(|index| {
        messages.get(*index).is_some_and(|message| message.role == Role::Assistant && !message.summary)
    })
}

/// The whole line around a range, in a file of lines.
fn record_at(session: &SessionText<'_>, span: Range<usize>) -> Range<usize> {
    if !session.reading.is_lines {
        return span;
    }
    let source = session.source();
    let before = source.get(..span.start).unwrap_or_default();
    let behind = source.get(span.end..).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    start..behind.find('\n').map_or(source.len(), |at| span.end + at)
}

/// For the summaries of a session tree, where the messages begin that they kept.
fn kept_by_entry(session: &SessionText<'_>) -> HashMap<usize, usize> {
    let entries = session.entries();
    let mut starts: HashMap<&str, usize> = HashMap::new();
    let mut next = None;
    for entry in entries.iter().rev() {
        next = entry.message.filter(|_| entry.kind != "compaction").or(next);
        if let (Some(id), Some(message)) = (entry.id.as_deref(), next) {
            starts.insert(id, session.reading.span(message).start);
        }
    }
    let compactions = entries.iter().filter(|entry| entry.kind == "compaction");
    compactions
        .filter_map(|entry| Some((entry.message?, *starts.get(entry.first_kept_entry_id.as_deref()?)?)))
        .collect()
}
