//! The history in which a window is sought.

use super::parted::{part_run, parted, pending, substance};
use ebbline::Transcript;
use ebbline::transcript::{Message, Turn};

/// The active messages, oldest first. A position counts among them; the last one is after the newest message, and a
/// window there keeps nothing. No sum is stored: whoever needs one adds up the messages.
pub(super) struct History<'t> {
    entries: Vec<Entry<'t>>,
    /// The number of messages of the transcript, active or not.
    all: usize,
    parted: Vec<bool>,
    run: Option<usize>,
    substance: usize,
    pending: Option<usize>,
}

/// An active message.
#[derive(Clone, Copy)]
pub(super) struct Entry<'t> {
    /// Its index in the transcript.
    pub(super) index: usize,
    pub(super) message: &'t Message,
    /// Its tokens after pruning.
    pub(super) tokens: u64,
    /// Its tokens that are the user's own words.
    pub(super) said: u64,
}

impl Entry<'_> {
    /// Whether a turn begins with it.
    pub(super) fn begins_turn(&self) -> bool {
        matches!(self.message.turn, Turn::Person | Turn::Synthetic)
    }
}

impl<'t> History<'t> {
    /// `costs` holds the tokens of each message of the transcript, and how many of them are the user's own words.
    pub(super) fn new(transcript: &'t Transcript, costs: &[(u64, u64)]) -> Self {
        let messages = transcript.messages();
        let entries: Vec<Entry<'t>> = messages
            .iter()
            .zip(costs)
            .enumerate()
            .filter(|(_, (message, _))| message.active)
            .map(|(index, (message, (tokens, said)))| Entry { index, message, tokens: *tokens, said: *said })
            .collect();
        let active: Vec<usize> = entries.iter().map(|entry| entry.index).collect();
        let pending = pending(transcript, &active);
        let mut parted = parted(transcript, &active);
        if let Some(pending) = pending {
            parted.iter_mut().skip(pending + 1).for_each(|parted| *parted = true);
        }
        let run = part_run(transcript, &active, &mut parted);
        let substance = substance(transcript, &active);
        Self { entries, all: messages.len(), parted, run, substance, pending }
    }

    /// How many active messages there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The message at `position`; `None` after the newest.
    pub(super) fn at(&self, position: usize) -> Option<&Entry<'t>> {
        self.entries.get(position)
    }

    /// The messages before `position`.
    pub(super) fn before(&self, position: usize) -> &[Entry<'t>] {
        self.entries.get(..position).unwrap_or(&self.entries)
    }

    /// The messages from `position` on.
    pub(super) fn since(&self, position: usize) -> &[Entry<'t>] {
        self.entries.get(position..).unwrap_or_default()
    }

    /// The messages before `position` that a summary would replace: system messages and pinned ones stay.
    pub(super) fn replaced(&self, position: usize) -> impl Iterator<Item = &Entry<'t>> {
        self.before(position).iter().filter(|entry| !entry.message.stays())
    }

    /// The index of a position in the transcript; after the newest message, the number of all messages.
    pub(super) fn index(&self, position: usize) -> usize {
        self.at(position).map_or(self.all, |entry| entry.index)
    }

    /// The beginning of the turn that a boundary at `position` divides; `None` if it divides none.
    pub(super) fn divided_turn(&self, position: usize) -> Option<usize> {
        self.at(position).filter(|next| !next.begins_turn())?;
        self.before(position).iter().rfind(|entry| entry.begins_turn()).map(|entry| entry.index)
    }

    /// Whether every message existed already when the newest summary was written. Only some summaries say which
    /// messages did; after a summary that is the last message there is none, whatever it says.
    pub(super) fn has_nothing_new(&self) -> bool {
        let ends_with_summary = self.entries.last().is_some_and(|last| last.message.summary);
        let knows = |entry: &&Entry<'_>| entry.message.summary && entry.message.kept.is_some();
        let is_old = |summary: &Entry<'_>| {
            let kept = summary.message.kept.map_or(0, |kept| kept as usize);
            self.entries.iter().all(|entry| entry.index <= summary.index + kept)
        };
        ends_with_summary || self.entries.iter().rfind(knows).is_some_and(is_old)
    }

    /// Whether a boundary at `position` would separate what belongs together.
    pub(super) fn is_parted(&self, position: usize) -> bool {
        self.parted.get(position).copied().unwrap_or(false)
    }

    /// Keeps everything from the message `index` of the transcript on: no boundary stands behind it.
    pub(super) fn keep_from(&mut self, index: usize) {
        let position = self.entries.iter().take_while(|entry| entry.index < index).count();
        for place in self.parted.iter_mut().skip(position + 1) {
            *place = true;
        }
    }

    /// The beginning of an unfinished run that no boundary may divide.
    pub(super) fn run(&self) -> Option<usize> {
        self.run
    }

    /// The first message worth summarizing. System messages are never summarized, and a summary alone is not worth
    /// another one.
    pub(super) fn substance(&self) -> usize {
        self.substance
    }

    /// The oldest message with a call that is still running.
    pub(super) fn pending(&self) -> Option<usize> {
        self.pending
    }

    /// Whether the session waits: the user for an answer, or the model for the result of a call.
    pub(super) fn is_waiting(&self) -> bool {
        self.pending.is_some() || self.entries.last().is_some_and(Entry::begins_turn)
    }
}

/// The tokens of messages.
pub(super) fn tokens<'e, 't: 'e>(entries: impl IntoIterator<Item = &'e Entry<'t>>) -> u64 {
    entries.into_iter().map(|entry| entry.tokens).sum()
}
