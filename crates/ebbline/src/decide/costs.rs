//! The cost of messages when a range of outputs is replaced by the placeholder.

use std::ops::Range;

use super::sums::Sums;
use crate::search::newest;

/// Tokens of messages, as prefix sums over their positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Costs {
    tokens: Sums<u64>,
    /// By how many tokens each message shrinks when all its prunable outputs are pruned (negative where the
    /// placeholder is longer), and how much of this is reported as reclaimed.
    saved: Sums<i64>,
    reclaimed: Sums<u64>,
    /// What the user said in each message, and what is text in it.
    said: Sums<u64>,
    certain: Sums<u64>,
    /// System messages, which are never summarized: their positions, and the same sums for them alone.
    system: Vec<u32>,
    system_tokens: Sums<u64>,
    system_saved: Sums<i64>,
}

/// How pruning changes one message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) saved: i64,
    pub(super) reclaimed: u64,
    /// The part of `saved` that concerns tokens covered by the usage reported with the message. It is needed
    /// because rounding moves tokens between parts.
    pub(super) covered_saved: i64,
}

/// The tokens of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub(super) tokens: u64,
    /// The user's own words among them.
    pub(super) said: u64,
    /// What is text among them, so that its estimate is never far off.
    pub(super) certain: u64,
}

impl Costs {
    /// Removes everything, but keeps the allocated memory.
    pub(super) fn clear(&mut self) {
        self.tokens.clear();
        self.saved.clear();
        self.reclaimed.clear();
        self.said.clear();
        self.certain.clear();
        self.system.clear();
        self.system_tokens.clear();
        self.system_saved.clear();
    }

    /// Removes the messages from `position` on.
    pub(super) fn truncate(&mut self, position: usize) {
        let system = self.system_before(position);
        self.tokens.truncate(position);
        self.saved.truncate(position);
        self.reclaimed.truncate(position);
        self.said.truncate(position);
        self.certain.truncate(position);
        self.system.truncate(system);
        self.system_tokens.truncate(system);
        self.system_saved.truncate(system);
    }

    /// Adds the next message.
    pub(super) fn push(&mut self, Told { tokens, said, certain }: Told, pruned: Change, is_system: bool) {
        if is_system {
            self.system.push(self.len() as u32);
            self.system_tokens.push(tokens);
            self.system_saved.push(pruned.saved);
        }
        self.tokens.push(tokens);
        self.saved.push(pruned.saved);
        self.reclaimed.push(pruned.reclaimed);
        self.said.push(said);
        self.certain.push(certain);
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The tokens of the messages before `position`, with nothing pruned.
    pub(super) fn until(&self, position: usize) -> u64 {
        self.tokens.until(position)
    }

    /// The tokens of the user's own words before `position`.
    pub(super) fn said_until(&self, position: usize) -> u64 {
        self.said.until(position)
    }

    /// The tokens of text before `position`.
    pub(super) fn certain_until(&self, position: usize) -> u64 {
        self.certain.until(position)
    }

    /// The tokens reported as reclaimed for the messages from `first` up to, but not including, `end`, when all
    /// their prunable outputs are pruned.
    pub(super) fn reclaimed(&self, first: usize, end: usize) -> u64 {
        self.reclaimed.of(first, end)
    }

    /// How the message at `position` changes when all its prunable outputs are pruned, but for what is covered by usage.
    pub(super) fn change(&self, position: usize) -> Change {
        let end = position + 1;
        Change {
            saved: self.saved.of(position, end),
            reclaimed: self.reclaimed(position, end),
            covered_saved: 0,
        }
    }

    /// How many system messages stand before `position`.
    fn system_before(&self, position: usize) -> usize {
        let is_before = |at: usize| self.system.get(at).is_some_and(|system| (*system as usize) < position);
        newest(0..self.system.len(), is_before).map_or(0, |at| at + 1)
    }

    fn is_system(&self, position: usize) -> bool {
        let at = self.system_before(position + 1).checked_sub(1);
        at.and_then(|at| self.system.get(at)).is_some_and(|system| *system as usize == position)
    }
}

/// Costs with a range of outputs pruned. In the first and the last message of the range only some outputs may be
/// pruned; in the messages between them all are.
#[derive(Clone, Debug, Default)]
pub(super) struct Cleared {
    /// The messages whose prunable outputs are all pruned.
    whole: Range<usize>,
    /// The first and the last message: its position, and how pruning changes it.
    ends: [Option<(usize, Change)>; 2],
}

impl Cleared {
    /// The pruned outputs are in the messages from `first` to `last`. `change` returns how this changes the
    /// message at a position.
    pub(super) fn new(first: usize, last: usize, change: impl Fn(usize) -> Change) -> Self {
        let newer = (last > first).then(|| (last, change(last)));
        Self { whole: first + 1..last.max(first + 1), ends: [Some((first, change(first))), newer] }
    }

    /// The tokens of the messages before `position`.
    pub(super) fn until(&self, costs: &Costs, position: usize) -> u64 {
        if matches!(self.ends, [None, None]) {
            return costs.until(position);
        }
        let whole = costs.saved.of(self.whole.start, self.whole.end.min(position));
        costs.until(position).saturating_add_signed(-(whole + self.saved_at_ends(position, |_| true)))
    }

    /// The number and the tokens of the messages before `position` that are not system messages.
    pub(super) fn replaced_until(&self, costs: &Costs, position: usize) -> (usize, u64) {
        let system = costs.system_before(position);
        if system == 0 {
            return (position, self.until(costs, position));
        }
        let (first, end) = (costs.system_before(self.whole.start), costs.system_before(self.whole.end));
        let whole = costs.system_saved.of(first, end.min(system));
        let ends = self.saved_at_ends(position, |at| costs.is_system(at));
        let tokens = costs.system_tokens.until(system).saturating_add_signed(-(whole + ends));
        (position - system, self.until(costs, position).saturating_sub(tokens))
    }

    fn saved_at_ends(&self, position: usize, counts: impl Fn(usize) -> bool) -> i64 {
        let ends = self.ends.iter().flatten().filter(|(at, _)| *at < position && counts(*at));
        ends.map(|(_, change)| change.saved).sum()
    }
}
