//! The protection boundary: which old tool outputs give way to a placeholder.
//!
//! The rule is a walk from the newest part to the oldest. The newest `protect` tokens of tool output are protected; the
//! output that crosses that limit and all older ones are candidates; they go only if together they hold at least
//! `minimum` tokens. OpenCode and TunaCode differ in numbers, strictness, guards and stops, all of which are in
//! [`PrunePolicy`]. Here the walk's results are found from sums.

use std::ops::Range;

use super::costs::Change;
use crate::plan::{Reason, VerdictReason};
use crate::policy::PrunePolicy;
use crate::search::newest;

/// A list of sums: entry `n` is that of the first `n` items.
#[derive(Clone, Debug)]
pub(super) struct Sums<T>(Vec<T>);

impl<T: Copy + Default + std::ops::Add<Output = T> + std::ops::Sub<Output = T>> Sums<T> {
    /// Forgets all items.
    pub(super) fn clear(&mut self) {
        self.0.truncate(1);
    }

    /// How many items there are.
    pub(super) fn len(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    pub(super) fn push(&mut self, item: T) {
        let sum = self.until(self.len()) + item;
        self.0.push(sum);
    }

    /// The sum of the first `count` items.
    pub(super) fn until(&self, count: usize) -> T {
        self.0.get(count).copied().unwrap_or_default()
    }

    /// The sum of the items from `first` up to, not including, `end`.
    pub(super) fn of(&self, first: usize, end: usize) -> T {
        if first < end { self.until(end) - self.until(first) } else { T::default() }
    }
}

impl<T: Default> Default for Sums<T> {
    fn default() -> Self {
        Self(vec![T::default()])
    }
}

/// What a tool output is to the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// It counts, and gives way beyond the boundary.
    Prunable,
    /// It counts, and was pruned before.
    Pruned,
    /// It counts, but stays: it is no longer than the placeholder.
    Short,
}

/// Where the walk stops if it gets there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    /// The position of the message, and the part in it before which nothing is looked at.
    position: u32,
    part: u32,
    /// How many outputs that count stand before that part.
    outputs: u32,
    /// Why everything older stays.
    pub(crate) reason: Reason,
}

impl Stop {
    /// Whether part `part` of the message at `position` stands before the stop.
    pub(crate) fn is_behind(&self, position: usize, part: usize) -> bool {
        (position, part) < (self.position as usize, self.part as usize)
    }
}

/// The tool outputs that the walk counts, oldest first, and what ends the walk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outputs {
    /// Position of the message, and index of the part in it.
    places: Vec<(u32, u32)>,
    /// Tokens of all; tokens of those that are candidates beyond the boundary; how many give way there.
    tokens: Sums<u64>,
    candidates: Sums<u64>,
    prunable: Sums<u32>,
    /// By position: how many outputs stand before that message.
    before: Vec<u32>,
    stops: Vec<Stop>,
    /// Where turns begin.
    turns: Vec<u32>,
}

/// What the walk finds; ranges are indices of outputs.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    /// The outputs beyond the boundary. They are pruned if `applied`.
    pub(crate) beyond: Range<usize>,
    /// The end of the outputs that the walk counts.
    pub(crate) end: usize,
    /// How many messages, the oldest, the walk looks at: the others stand in the newest turns.
    pub(crate) reach: usize,
    /// Where it stops before the oldest message.
    pub(crate) stop: Option<Stop>,
    pub(crate) counted: u64,
    pub(crate) candidates: u64,
    pub(crate) outputs: usize,
    pub(crate) reason: VerdictReason,
    pub(crate) applied: bool,
}

impl Outputs {
    /// Forgets everything, but for the room that it took.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.tokens.clear();
        self.candidates.clear();
        self.prunable.clear();
        self.before.clear();
        self.stops.clear();
        self.turns.clear();
    }

    /// Notes that a message begins; `is_turn` says whether it begins a turn.
    pub(super) fn begin(&mut self, is_turn: bool) {
        if is_turn {
            self.turns.push(self.before.len() as u32);
        }
        self.before.push(self.places.len() as u32);
    }

    /// Adds an output of the message begun last, part `part` of it.
    pub(super) fn push(&mut self, part: usize, tokens: u64, sort: Sort) {
        let position = self.before.len().saturating_sub(1) as u32;
        self.places.push((position, part as u32));
        self.tokens.push(tokens);
        self.candidates.push(if sort == Sort::Short { 0 } else { tokens });
        self.prunable.push(u32::from(sort == Sort::Prunable));
    }

    /// Notes that the walk looks at nothing that is older than part `part` of the message begun last.
    pub(super) fn stop(&mut self, part: usize, reason: Reason) {
        let position = self.before.len().saturating_sub(1) as u32;
        self.stops.push(Stop { position, part: part as u32, outputs: self.places.len() as u32, reason });
    }

    /// The outputs of the message at `position`.
    pub(crate) fn of_message(&self, position: usize) -> Range<usize> {
        self.before_message(position)..self.before_message(position + 1)
    }

    /// How many outputs stand before the message at `position`.
    pub(super) fn before_message(&self, position: usize) -> usize {
        self.before.get(position).map_or(self.places.len(), |count| *count as usize)
    }

    /// How many outputs of a range give way beyond the boundary.
    pub(super) fn prunable(&self, range: &Range<usize>) -> u32 {
        self.prunable.of(range.start, range.end)
    }

    /// Whether an output gives way beyond the boundary.
    pub(crate) fn is_prunable(&self, index: usize) -> bool {
        self.prunable.of(index, index + 1) > 0
    }

    /// The tokens of the outputs from `first` up to, not including, `end`.
    pub(crate) fn tokens(&self, first: usize, end: usize) -> u64 {
        self.tokens.of(first, end)
    }

    /// Where output `index` stands: position of the message, index of the part.
    pub(crate) fn place(&self, index: usize) -> Option<(usize, usize)> {
        self.places.get(index).map(|(position, part)| (*position as usize, *part as usize))
    }

    /// What changes when the prunable outputs among `pruned` give way, where each part is rounded by itself and nothing
    /// follows a result.
    pub(super) fn change(&self, pruned: &Range<usize>, placeholder: u64) -> Change {
        let mut change = Change::default();
        for output in pruned.clone().filter(|output| self.is_prunable(*output)) {
            let tokens = self.tokens.of(output, output + 1);
            change.saved += tokens as i64 - placeholder as i64;
            change.reclaimed += tokens.saturating_sub(placeholder);
        }
        change
    }

    /// The oldest output that gives way among a range.
    pub(super) fn first_prunable(&self, range: &Range<usize>) -> Option<usize> {
        let none = self.prunable.until(range.start);
        newest(range.start..range.end + 1, |end| self.prunable.until(end) == none)
            .filter(|first| *first < range.end)
    }

    /// Walks from the newest output to the oldest.
    pub(super) fn walk(&self, policy: &PrunePolicy) -> Walk {
        if !policy.enabled {
            return Walk {
                beyond: 0..0,
                end: 0,
                reach: 0,
                stop: None,
                counted: 0,
                candidates: 0,
                outputs: 0,
                reason: VerdictReason::Disabled,
                applied: false,
            };
        }
        let reach = self.reach(policy.protected_turns);
        let stop = self.newest_stop(reach);
        let (start, end) = (stop.map_or(0, |stop| stop.outputs as usize), self.before_message(reach));
        let counted = self.tokens.of(start, end);
        let crosses = |index: usize| self.tokens.of(index, end) > policy.protect;
        let crossing = newest(start..end, crosses);
        let beyond = start..crossing.map_or(start, |crossing| crossing + 1);
        let candidates = self.candidates.of(beyond.start, beyond.end);
        let outputs = self.prunable(&beyond) as usize;
        let reason = if (self.turns.len() as u64) < policy.minimum_turns {
            VerdictReason::TooFewTurns
        } else if outputs == 0 {
            VerdictReason::NothingToPrune
        } else if !policy.minimum_is.holds(candidates, policy.minimum) {
            VerdictReason::BelowMinimum
        } else {
            VerdictReason::OutputsBeyondProtection
        };
        let applied = reason == VerdictReason::OutputsBeyondProtection;
        Walk { beyond, end, reach, stop, counted, candidates, outputs, reason, applied }
    }

    /// How many messages, the oldest, are not spared for standing in the newest turns.
    fn reach(&self, protected_turns: u64) -> usize {
        let Ok(turns) = usize::try_from(protected_turns) else { return 0 };
        let Some(newer) = turns.checked_sub(1) else { return self.before.len() };
        let turn = self.turns.len().checked_sub(newer + 1).and_then(|at| self.turns.get(at));
        turn.map_or(0, |position| *position as usize + 1)
    }

    /// Where the walk stops if it looks at the first `reach` messages.
    fn newest_stop(&self, reach: usize) -> Option<Stop> {
        let is_met = |at: usize| self.stops.get(at).is_some_and(|stop| (stop.position as usize) < reach);
        newest(0..self.stops.len(), is_met).and_then(|at| self.stops.get(at)).copied()
    }
}
