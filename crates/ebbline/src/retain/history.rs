//! What a window is sought in.

use super::parted::{part_run, parted, pending, substance};
use crate::transcript::{Message, Part, Transcript, Turn};

/// The active messages, oldest first, by their position among each other; and what they cost once the plan's outputs
/// are pruned. Positions reach one beyond the newest message: where a window is that keeps nothing.
///
/// A transcript that is looked at once answers from lists made for the occasion ([`Whole`]); one that grows, from what
/// it has kept ([`crate::Ledger`]).
pub(crate) trait History {
    /// How many active messages there are.
    fn len(&self) -> usize;

    /// The message at `position`; `None` beyond the newest.
    fn message(&self, position: usize) -> Option<&Message>;

    /// Its parts.
    fn parts(&self, position: usize) -> &[Part];

    /// Its index in the transcript; beyond the newest, the number of all messages.
    fn index(&self, position: usize) -> usize;

    /// The tokens of the messages before `position`.
    fn tokens_until(&self, position: usize) -> u64;

    /// The tokens of those among them that a summary would replace: system messages and pinned ones stay.
    fn replaced_until(&self, position: usize) -> u64;

    /// How many of them a summary would replace.
    fn replaced_count_until(&self, position: usize) -> usize;

    /// Whether one of them is a summary.
    fn has_summary_before(&self, position: usize) -> bool;

    /// The tokens of the summaries among them.
    fn summaries_until(&self, position: usize) -> u64;

    /// The oldest message with a call that still runs.
    fn pending(&self) -> Option<usize>;

    /// The newest summary of which it is known what was there already when it was written.
    fn newest_summary(&self) -> Option<usize>;

    /// Whether nothing was added since the newest summary was written.
    fn has_nothing_new(&self) -> bool {
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

    /// Whether a boundary at `position` would part what belongs together.
    fn is_parted(&self, position: usize) -> bool;

    /// Where an unfinished run begins that bars boundaries.
    fn run(&self) -> Option<usize>;

    /// The first message that is worth a summary. System messages are never summarised, and a summary alone is not
    /// worth another.
    fn substance(&self) -> usize;

    /// The newest message before `position` that begins a turn.
    fn turn_before(&self, position: usize) -> Option<usize>;

    /// Where the newest turn begins but `skipped` newer ones.
    fn newest_turn_but(&self, skipped: usize) -> Option<usize>;
}

/// A transcript that is looked at once.
pub(crate) struct Whole<'t> {
    transcript: &'t Transcript,
    active: Vec<usize>,
    tokens: Vec<u64>,
    replaced: Vec<(usize, u64)>,
    parted: Vec<bool>,
    run: Option<usize>,
    substance: usize,
    turns: Vec<usize>,
    /// Where each summary stands, and its tokens.
    summaries: Vec<(usize, u64)>,
    pending: Option<usize>,
}

impl<'t> Whole<'t> {
    /// `costs` holds the tokens of each message of the transcript.
    pub(crate) fn new(transcript: &'t Transcript, costs: &[u64]) -> Self {
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

impl History for Whole<'_> {
    fn len(&self) -> usize {
        self.active.len()
    }

    fn message(&self, position: usize) -> Option<&Message> {
        self.active.get(position).and_then(|index| self.transcript.messages().get(*index))
    }

    fn parts(&self, position: usize) -> &[Part] {
        self.active.get(position).map_or(&[], |index| self.transcript.parts_of(*index))
    }

    fn index(&self, position: usize) -> usize {
        self.active.get(position).copied().unwrap_or(self.transcript.messages().len())
    }

    fn tokens_until(&self, position: usize) -> u64 {
        self.tokens.get(position).copied().unwrap_or(0)
    }

    fn replaced_until(&self, position: usize) -> u64 {
        self.replaced.get(position).map_or(0, |(_, tokens)| *tokens)
    }

    fn replaced_count_until(&self, position: usize) -> usize {
        self.replaced.get(position).map_or(0, |(count, _)| *count)
    }

    fn has_summary_before(&self, position: usize) -> bool {
        self.summaries.first().is_some_and(|(summary, _)| *summary < position)
    }

    fn summaries_until(&self, position: usize) -> u64 {
        self.summaries.iter().take_while(|(summary, _)| *summary < position).map(|(_, tokens)| tokens).sum()
    }

    fn pending(&self) -> Option<usize> {
        self.pending
    }

    fn newest_summary(&self) -> Option<usize> {
        let is_known =
            |position: &usize| self.message(*position).is_some_and(|message| message.kept.is_some());
        self.summaries.iter().rev().map(|(summary, _)| *summary).find(is_known)
    }

    fn is_parted(&self, position: usize) -> bool {
        self.parted.get(position).copied().unwrap_or(false)
    }

    fn run(&self) -> Option<usize> {
        self.run
    }

    fn substance(&self) -> usize {
        self.substance
    }

    fn turn_before(&self, position: usize) -> Option<usize> {
        let older = self.turns.partition_point(|turn| *turn < position);
        older.checked_sub(1).and_then(|at| self.turns.get(at)).copied()
    }

    fn newest_turn_but(&self, skipped: usize) -> Option<usize> {
        self.turns.len().checked_sub(skipped + 1).and_then(|at| self.turns.get(at)).copied()
    }
}
