//! What a window is sought in.

use super::parted::{part_run, parted, substance};
use crate::transcript::{Message, Part, Role, Transcript, Turn};

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

    /// The tokens of those among them that a summary would replace: system messages stay.
    fn replaced_until(&self, position: usize) -> u64;

    /// How many of them a summary would replace.
    fn replaced_count_until(&self, position: usize) -> usize;

    /// Whether one of them is a summary.
    fn has_summary_before(&self, position: usize) -> bool;

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
    first_summary: Option<usize>,
}

impl<'t> Whole<'t> {
    /// `costs` holds the tokens of each message of the transcript.
    pub(crate) fn new(transcript: &'t Transcript, costs: &[u64]) -> Self {
        let messages = transcript.messages();
        let active: Vec<usize> = (0..messages.len())
            .filter(|at| messages.get(*at).is_some_and(|message| message.active))
            .collect();
        let mut parted = parted(transcript, &active);
        let run = part_run(transcript, &active, &mut parted);
        let mut history = Self {
            transcript,
            tokens: vec![0],
            replaced: vec![(0, 0)],
            parted,
            run,
            substance: substance(transcript, &active),
            turns: Vec::new(),
            first_summary: None,
            active: Vec::new(),
        };
        let (mut tokens, mut replaced) = (0, (0, 0));
        for (position, index) in active.iter().enumerate() {
            let cost = costs.get(*index).copied().unwrap_or(0);
            let Some(message) = messages.get(*index) else { continue };
            tokens += cost;
            if message.role != Role::System {
                replaced = (replaced.0 + 1, replaced.1 + cost);
            }
            if message.turn != Turn::No {
                history.turns.push(position);
            }
            if message.summary {
                history.first_summary.get_or_insert(position);
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
        self.first_summary.is_some_and(|summary| summary < position)
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
