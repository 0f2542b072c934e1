//! The history in which a window is sought.

use super::parted::{part_run, parted, pending, substance};
use ebbline::Transcript;
use ebbline::transcript::{Message, Part, Turn};

/// The active messages, oldest first, by their position among each other, with their costs after pruning. The last
/// position is after the newest message: a window there keeps nothing.
pub(super) struct History<'t> {
    transcript: &'t Transcript,
    active: Vec<usize>,
    tokens: Vec<u64>,
    replaced: Vec<(usize, u64)>,
    parted: Vec<bool>,
    run: Option<usize>,
    substance: usize,
    turns: Vec<usize>,
    /// The position of each summary, and its tokens.
    summaries: Vec<(usize, u64)>,
    pending: Option<usize>,
}

impl<'t> History<'t> {
    /// `costs` holds the tokens of each message of the transcript.
    pub(super) fn new(transcript: &'t Transcript, costs: &[u64]) -> Self {
        let messages = transcript.messages();
        let active: Vec<usize> = (0..messages.len())
            .filter(|at| messages.get(*at).is_some_and(|message| message.active))
            .collect();
        let pending = pending(transcript, &active);
        let mut parted = parted(transcript, &active);
        if let Some(pending) = pending {
            parted.iter_mut().skip(pending + 1).for_each(|parted| *parted = true);
        }
        let run = part_run(transcript, &active, &mut parted);
        let mut history = Self {
            transcript,
            tokens: vec![0],
            replaced: vec![(0, 0)],
            parted,
            run,
            substance: substance(transcript, &active),
            turns: Vec::new(),
            summaries: Vec::new(),
            pending,
            active: Vec::new(),
        };
        let (mut tokens, mut replaced) = (0, (0, 0));
        for (position, index) in active.iter().enumerate() {
            let cost = costs.get(*index).copied().unwrap_or(0);
            let Some(message) = messages.get(*index) else { continue };
            tokens += cost;
            if !message.stays() {
                replaced = (replaced.0 + 1, replaced.1 + cost);
            }
            if message.turn != Turn::No {
                history.turns.push(position);
            }
            if message.summary {
                history.summaries.push((position, cost));
            }
            history.tokens.push(tokens);
            history.replaced.push(replaced);
        }
        Self { active, ..history }
    }
}

impl History<'_> {
    /// How many active messages there are.
    pub(super) fn len(&self) -> usize {
        self.active.len()
    }

    /// The message at `position`; `None` beyond the newest.
    pub(super) fn message(&self, position: usize) -> Option<&Message> {
        self.active.get(position).and_then(|index| self.transcript.messages().get(*index))
    }

    /// Its parts.
    pub(super) fn parts(&self, position: usize) -> &[Part] {
        self.active.get(position).map_or(&[], |index| self.transcript.parts_of(*index))
    }

    /// Its index in the transcript; after the newest message, the number of all messages.
    pub(super) fn index(&self, position: usize) -> usize {
        self.active.get(position).copied().unwrap_or(self.transcript.messages().len())
    }

    /// The tokens of the messages before `position`.
    pub(super) fn tokens_until(&self, position: usize) -> u64 {
        self.tokens.get(position).copied().unwrap_or(0)
    }

    /// The tokens of those among them that a summary would replace: system messages and pinned ones stay.
    pub(super) fn replaced_until(&self, position: usize) -> u64 {
        self.replaced.get(position).map_or(0, |(_, tokens)| *tokens)
    }

    /// How many of them a summary would replace.
    pub(super) fn replaced_count_until(&self, position: usize) -> usize {
        self.replaced.get(position).map_or(0, |(count, _)| *count)
    }

    /// Whether one of them is a summary.
    pub(super) fn has_summary_before(&self, position: usize) -> bool {
        self.summaries.first().is_some_and(|(summary, _)| *summary < position)
    }

    /// The tokens of the summaries among them.
    pub(super) fn summaries_until(&self, position: usize) -> u64 {
        self.summaries.iter().take_while(|(summary, _)| *summary < position).map(|(_, tokens)| tokens).sum()
    }

    /// The oldest message with a call that is still running.
    pub(super) fn pending(&self) -> Option<usize> {
        self.pending
    }

    /// The newest summary for which it is known which messages existed when it was written.
    pub(super) fn newest_summary(&self) -> Option<usize> {
        let is_known =
            |position: &usize| self.message(*position).is_some_and(|message| message.kept.is_some());
        self.summaries.iter().rev().map(|(summary, _)| *summary).find(is_known)
    }

    /// Whether nothing was added since the newest summary was written.
    pub(super) fn has_nothing_new(&self) -> bool {
        // A session that ends with a summary, whatever was kept behind others.
        let last = self.len().checked_sub(1).and_then(|last| self.message(last));
        if last.is_some_and(|last| last.summary) {
            return true;
        }
        let Some(summary) = self.newest_summary() else { return false };
        let kept = self.message(summary).and_then(|message| message.kept);
        let newest = self.len().checked_sub(1).map(|newest| self.index(newest));
        let last = kept.map(|kept| self.index(summary).saturating_add(kept as usize));
        last.is_some_and(|last| newest.is_some_and(|newest| newest <= last))
    }

    /// Whether a boundary at `position` would separate what belongs together.
    pub(super) fn is_parted(&self, position: usize) -> bool {
        self.parted.get(position).copied().unwrap_or(false)
    }

    /// The beginning of an unfinished run that no boundary may divide.
    pub(super) fn run(&self) -> Option<usize> {
        self.run
    }

    /// The first message worth summarising. System messages are never summarised, and a summary alone is not worth
    /// another one.
    pub(super) fn substance(&self) -> usize {
        self.substance
    }

    /// The newest message before `position` that begins a turn.
    pub(super) fn turn_before(&self, position: usize) -> Option<usize> {
        let older = self.turns.partition_point(|turn| *turn < position);
        older.checked_sub(1).and_then(|at| self.turns.get(at)).copied()
    }

    /// The start of the newest turn after skipping `skipped` newer ones.
    pub(super) fn newest_turn_but(&self, skipped: usize) -> Option<usize> {
        self.turns.len().checked_sub(skipped + 1).and_then(|at| self.turns.get(at)).copied()
    }
}
