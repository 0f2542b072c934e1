//! The protection boundary: decides which old tool outputs are replaced by a placeholder.
//!
//! The rule is a walk from the newest part to the oldest. The newest `protect` tokens of tool output are
//! protected. The output that crosses this limit and all older ones are candidates; they are pruned only if
//! together they hold at least `minimum` tokens. OpenCode and TunaCode differ in numbers, in strictness, in
//! guards and in where they stop; [`PrunePolicy`] holds all of these. This module computes the result of the walk
//! from sums.
//!
//! Where that does not make enough room, the walk goes on (`down_to`): the boundary moves to newer outputs.

use std::ops::Range;

use super::costs::Change;
use super::sums::Sums;
use crate::plan::{BoundaryLimit, Reason, VerdictReason};
use crate::policy::PrunePolicy;
use crate::search::newest;

/// How the walk treats a tool output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// It is counted, and pruned if it is beyond the boundary.
    Prunable,
    /// It is counted, and was pruned before.
    Pruned,
    /// It is counted, but never pruned: it is no longer than the placeholder.
    Short,
}

/// A place at which the walk stops if it reaches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    /// The position of the message and the index of the part. The walk looks at nothing older than this part.
    position: u32,
    part: u32,
    /// The number of counted outputs before that part.
    outputs: u32,
    /// The reason why everything older stays.
    pub(crate) reason: Reason,
}

impl Stop {
    /// Whether part `part` of the message at `position` is older than the stop.
    pub(crate) fn is_behind(&self, position: usize, part: usize) -> bool {
        (position, part) < (self.position as usize, self.part as usize)
    }
}

/// The tool outputs that the walk counts, oldest first, and the places at which it stops.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outputs {
    /// Of each output, the position of its message and the index of its part.
    places: Vec<(u32, u32)>,
    /// Three sums over the outputs: all tokens, the tokens of the outputs that may be candidates, and the number
    /// of prunable outputs.
    tokens: Sums<u64>,
    candidates: Sums<u64>,
    prunable: Sums<u32>,
    /// For each position, the number of outputs before that message.
    before: Vec<u32>,
    stops: Vec<Stop>,
    /// The positions at which turns begin.
    turns: Vec<u32>,
}

/// The result of the walk. Ranges are indices of outputs.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    /// The outputs beyond the boundary, and the protected ones that give way. They are pruned when `applied` is set.
    pub(crate) beyond: Range<usize>,
    /// The index of the oldest output that the boundary protects.
    pub(crate) protected: usize,
    /// The index behind the last output that is counted to find the boundary.
    pub(crate) end: usize,
    /// The number of oldest messages that the walk looks at. The others belong to the protected newest turns.
    pub(crate) reach: usize,
    /// Where the walk stops before it reaches the oldest message.
    pub(crate) stop: Option<Stop>,
    pub(crate) counted: u64,
    pub(crate) candidates: u64,
    pub(crate) outputs: usize,
    pub(crate) reason: VerdictReason,
    pub(crate) applied: bool,
}

impl Outputs {
    /// Removes everything, but keeps the allocated memory.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.tokens.clear();
        self.candidates.clear();
        self.prunable.clear();
        self.before.clear();
        self.stops.clear();
        self.turns.clear();
    }

    /// Removes the messages from `position` on.
    pub(super) fn truncate(&mut self, position: usize) {
        let outputs = self.before_message(position);
        self.places.truncate(outputs);
        self.tokens.truncate(outputs);
        self.candidates.truncate(outputs);
        self.prunable.truncate(outputs);
        self.before.truncate(position);
        let is_before = |at: &u32| (*at as usize) < position;
        self.stops.truncate(self.stops.partition_point(|stop| is_before(&stop.position)));
        self.turns.truncate(self.turns.partition_point(is_before));
    }

    /// Begins a message. `is_turn` says whether it begins a turn.
    pub(super) fn begin(&mut self, is_turn: bool) {
        if is_turn {
            self.turns.push(self.before.len() as u32);
        }
        self.before.push(self.places.len() as u32);
    }

    /// Adds an output of the newest message; `part` is its index there.
    pub(super) fn push(&mut self, part: usize, tokens: u64, sort: Sort) {
        let position = self.before.len().saturating_sub(1) as u32;
        self.places.push((position, part as u32));
        self.tokens.push(tokens);
        self.candidates.push(if sort == Sort::Short { 0 } else { tokens });
        self.prunable.push(u32::from(sort == Sort::Prunable));
    }

    /// Adds a stop: the walk looks at nothing older than part `part` of the newest message.
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

    /// The number of prunable outputs in a range.
    pub(super) fn prunable(&self, range: &Range<usize>) -> u32 {
        self.prunable.of(range.start, range.end)
    }

    /// Whether an output is pruned when it is beyond the boundary.
    pub(crate) fn is_prunable(&self, index: usize) -> bool {
        self.prunable.of(index, index + 1) > 0
    }

    /// The tokens of the outputs from `first` up to, but not including, `end`.
    pub(crate) fn tokens(&self, first: usize, end: usize) -> u64 {
        self.tokens.of(first, end)
    }

    /// The position of the message and the index of the part that hold output `index`.
    pub(crate) fn place(&self, index: usize) -> Option<(usize, usize)> {
        self.places.get(index).map(|(position, part)| (*position as usize, *part as usize))
    }

    /// The change when the prunable outputs of `pruned` are replaced by placeholders. Only valid where each part
    /// is rounded by itself and no image or file is inside a result.
    pub(super) fn change(&self, pruned: &Range<usize>, placeholder: impl Fn(u64) -> u64) -> Change {
        let mut change = Change::default();
        for output in pruned.clone().filter(|output| self.is_prunable(*output)) {
            let tokens = self.tokens.of(output, output + 1);
            let placeholder = placeholder(tokens);
            change.saved += tokens as i64 - placeholder as i64;
            change.reclaimed += tokens.saturating_sub(placeholder);
        }
        change
    }

    /// The oldest prunable output of a range.
    pub(super) fn first_prunable(&self, range: &Range<usize>) -> Option<usize> {
        let none = self.prunable.until(range.start);
        newest(range.start..range.end + 1, |end| self.prunable.until(end) == none)
            .filter(|first| *first < range.end)
    }

    /// The result of the walk from the newest output to the oldest. `answer` is where the newest answer begins: if outputs
    /// may be cut, the walk leaves out those that no answer has followed.
    pub(super) fn walk(&self, policy: &PrunePolicy, answer: Option<usize>) -> Walk {
        if !policy.enabled {
            return Walk {
                beyond: 0..0,
                protected: 0,
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
        let answered = answer.map_or(0, |answer| self.before_message(answer));
        let end = self.before_message(reach);
        let end = if policy.preview > 0 { end.min(answered) } else { end };
        let start = stop.map_or(0, |stop| stop.outputs as usize).min(end);
        let counted = self.tokens.of(start, end);
        let crosses = |index: usize| self.tokens.of(index, end) > policy.protect;
        let kept = usize::try_from(policy.keep_outputs).unwrap_or(usize::MAX);
        let crossing = newest(start..end.saturating_sub(kept).max(start), crosses);
        let beyond = start..crossing.map_or(start, |crossing| crossing + 1);
        let mut walk = Walk {
            protected: beyond.end,
            beyond,
            end,
            reach,
            stop,
            counted,
            candidates: 0,
            outputs: 0,
            reason: VerdictReason::TooFewTurns,
            applied: false,
        };
        self.judge(&mut walk, policy, VerdictReason::OutputsBeyondProtection);
        if (self.turns.len() as u64) < policy.minimum_turns {
            (walk.reason, walk.applied) = (VerdictReason::TooFewTurns, false);
        }
        walk
    }

    /// Goes on behind the boundary: all outputs before `end` give way. The protected outputs before `answered` count,
    /// whatever turn they are in.
    pub(super) fn go_on(&self, walk: &mut Walk, policy: &PrunePolicy, end: usize, answered: usize) {
        walk.beyond.end = end;
        walk.counted = self.tokens.of(walk.beyond.start, walk.end.max(answered));
        let newest = end.checked_sub(1).and_then(|newest| self.place(newest));
        walk.reach = newest.map_or(walk.reach, |(position, _)| walk.reach.max(position + 1));
        self.judge(walk, policy, VerdictReason::RoomNeeded);
    }

    /// Which limit keeps the outputs behind the boundary.
    pub(super) fn limit(&self, walk: &Walk, policy: &PrunePolicy) -> BoundaryLimit {
        let boundary = walk.beyond.end;
        let is_of_turns = |(position, _)| position >= walk.reach;
        if boundary > walk.protected {
            BoundaryLimit::DownTo
        } else if boundary < walk.end {
            let is_counted = self.tokens.of(boundary, walk.end) > policy.protect;
            if is_counted { BoundaryLimit::KeepOutputs } else { BoundaryLimit::Protect }
        } else {
            match self.place(walk.end) {
                None => BoundaryLimit::Protect,
                Some(place) if is_of_turns(place) => BoundaryLimit::ProtectedTurns,
                Some(_) => BoundaryLimit::Unanswered,
            }
        }
    }

    /// Whether the outputs beyond the boundary are enough to be pruned, for `reason`.
    fn judge(&self, walk: &mut Walk, policy: &PrunePolicy, reason: VerdictReason) {
        walk.candidates = self.candidates.of(walk.beyond.start, walk.beyond.end);
        walk.outputs = self.prunable(&walk.beyond) as usize;
        walk.applied = walk.outputs > 0 && policy.minimum_is.holds(walk.candidates, policy.minimum);
        walk.reason = match walk.outputs {
            _ if walk.applied => reason,
            0 => VerdictReason::NothingToPrune,
            _ => VerdictReason::BelowMinimum,
        };
    }

    /// The number of oldest messages that are not protected as part of the newest turns.
    fn reach(&self, protected_turns: u64) -> usize {
        let Ok(turns) = usize::try_from(protected_turns) else { return 0 };
        let Some(newer) = turns.checked_sub(1) else { return self.before.len() };
        let turn = self.turns.len().checked_sub(newer + 1).and_then(|at| self.turns.get(at));
        turn.map_or(0, |position| *position as usize + 1)
    }

    /// The stop at which a walk over the first `reach` messages ends.
    fn newest_stop(&self, reach: usize) -> Option<Stop> {
        let is_met = |at: usize| self.stops.get(at).is_some_and(|stop| (stop.position as usize) < reach);
        newest(0..self.stops.len(), is_met).and_then(|at| self.stops.get(at)).copied()
    }
}
