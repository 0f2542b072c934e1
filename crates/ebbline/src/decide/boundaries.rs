//! Where a boundary may be: not between a call and its result, not inside an answer that is stored in several
//! entries, not inside a run that must begin with its thinking, and not where no message before it is worth
//! summarizing.

use std::collections::{HashMap, VecDeque};

use crate::run::{begins_with_signed_thinking, is_result};
use crate::transcript::{Message, Part, PartKind, Role};

/// No place.
const NONE: u32 = u32::MAX;
/// Calls with numbers up to this, plus as many for each message, have an entry in a list.
const MOST_CALLS: usize = 1_024;
const MOST_CALLS_OF_MESSAGE: usize = 64;

/// What is known about every position among the active messages.
#[derive(Clone, Debug, Default)]
pub(super) struct Boundaries {
    /// For a position that would separate a call from its result: the oldest position of the uninterrupted run of
    /// such positions before it, as far as it is known. [`NONE`] elsewhere.
    parted_since: Vec<u32>,
    /// From here on every position separates a call from its result: the result is in a system message, which is
    /// never summarized.
    parted_for_good: Option<usize>,
    /// Where each call was last made: by its number; the calls with a number far beyond the session's length; and the
    /// newest call without an id.
    calls: Vec<Made>,
    far_calls: HashMap<u32, Made>,
    unnamed_call: Option<usize>,
    turns: Vec<u32>,
    /// Where the newest answer of the model begins.
    answer: Option<usize>,
    /// Whether the newest message is one of the model that holds the results of its own calls, as in OpenCode.
    holds_results: bool,
    /// How many messages precede the first one that is worth summarizing.
    substance: usize,
    /// The positions of summaries.
    summaries: Vec<u32>,
    /// The newest summary for which it is known which messages existed when it was written.
    known_summary: Option<usize>,
    open: Open,
    run: Run,
}

/// The last use of a call's number.
#[derive(Clone, Copy, Debug)]
struct Made {
    /// The position of the call's message; [`NONE`] if the call was not made.
    position: u32,
    /// The number of the answer that made the call while it has no result; 0 once it has one.
    open_in: u32,
}

impl Made {
    const NEVER: Self = Self { position: NONE, open_in: 0 };
}

/// The calls without a result, until the model continues without it.
#[derive(Clone, Debug, Default)]
struct Open {
    /// How many answers the model has begun. Only calls of the newest one are still waited for.
    answers: u32,
    /// The calls of that answer with their positions, oldest first. The first one is open; others may be closed.
    calls: VecDeque<(Option<u32>, u32)>,
    /// The position of the newest call without an id, if it is open.
    unnamed: Option<u32>,
}

impl Open {
    fn begin(&mut self, message: &Message) {
        if message.role == Role::Assistant && !message.continues {
            self.answers += 1;
            self.calls.clear();
            self.unnamed = None;
        }
    }

    /// The number of the newest answer. What precedes the first answer has number 1, so that 0 can mean none.
    fn answer(&self) -> u32 {
        self.answers.saturating_add(1)
    }

    fn oldest(&self) -> Option<u32> {
        self.calls.front().map(|(_, position)| *position)
    }
}

/// The run at the end: messages of the model and results, without a message of the user.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// The model's first message of the run.
    first: Option<usize>,
    /// Whether that message begins with signed thinking (`thinks`), and whether a later answer does not (`bars`).
    thinks: bool,
    bars: bool,
    /// Whether the run continues: its newest message is a call or a result.
    is_open: bool,
}

impl Boundaries {
    /// Forgets everything but keeps the allocated memory.
    pub(super) fn clear(&mut self) {
        self.parted_since.clear();
        self.calls.clear();
        self.far_calls.clear();
        self.turns.clear();
        (self.parted_for_good, self.unnamed_call, self.answer) = (None, None, None);
        (self.substance, self.run, self.holds_results) = (0, Run::default(), false);
        self.summaries.clear();
        self.known_summary = None;
        self.open = Open::default();
    }

    /// How many messages have been added.
    pub(super) fn len(&self) -> usize {
        self.parted_since.len()
    }

    /// Adds the next message.
    pub(super) fn push(&mut self, message: &Message, parts: &[Part]) {
        let position = self.parted_since.len();
        self.parted_since.push(NONE);
        if message.begins_turn() {
            self.turns.push(position as u32);
        }
        if self.substance == position && (message.stays() || message.summary) {
            self.substance += 1;
        }
        if message.summary {
            self.summaries.push(position as u32);
            if message.kept.is_some() {
                self.known_summary = Some(position);
            }
        }
        let is_models = message.role == Role::Assistant;
        // Behind its results the model has gone on, even if the message counts as part of the answer before.
        if is_models && !message.summary && (!message.continues || self.holds_results) {
            self.answer = Some(position);
        }
        self.holds_results = is_models && parts.iter().any(is_result);
        self.open.begin(message);
        for part in parts {
            match part.kind {
                PartKind::ToolCall => self.call(part.call, position as u32),
                PartKind::ToolResult => self.result(part.call, position, message.stays()),
                _ => {}
            }
        }
        self.run.push(position, message, parts);
    }

    fn call(&mut self, call: Option<u32>, position: u32) {
        self.open.calls.push_back((call, position));
        if let Some(call) = call {
            self.set(call, Made { position, open_in: self.open.answer() });
        } else {
            (self.unnamed_call, self.open.unnamed) = (Some(position as usize), Some(position));
        }
        self.forget_closed();
    }

    fn set(&mut self, call: u32, made: Made) {
        let at = call as usize;
        let near = MOST_CALLS + MOST_CALLS_OF_MESSAGE * self.parted_since.len().saturating_sub(1);
        if at >= self.calls.len() && at < near {
            self.calls.resize(at + 1, Made::NEVER);
        }
        match self.calls.get_mut(at) {
            Some(slot) => *slot = made,
            None => drop(self.far_calls.insert(call, made)),
        }
    }

    /// The last use of a call. A call whose number was too large for the list may fit into it by now.
    fn made(&self, call: u32) -> Option<Made> {
        let near = self.calls.get(call as usize).copied().filter(|made| made.position != NONE);
        near.or_else(|| self.far_calls.get(&call).copied())
    }

    fn result(&mut self, call: Option<u32>, position: usize, stays: bool) {
        // A result without an id answers the newest call without one, and only once.
        let made = if let Some(call) = call {
            self.answered(call)
        } else {
            self.open.unnamed = None;
            self.unnamed_call.take()
        };
        self.forget_closed();
        let Some(made) = made.filter(|made| *made < position) else { return };
        if stays {
            let earlier = self.parted_for_good.unwrap_or(usize::MAX);
            self.parted_for_good = Some(earlier.min(made + 1));
        }
        self.part(made + 1, position);
    }

    /// The position of a call that now has its result.
    fn answered(&mut self, call: u32) -> Option<usize> {
        let made = self.made(call)?;
        if made.open_in > 0 {
            self.set(call, Made { open_in: 0, ..made });
        }
        Some(made.position as usize)
    }

    /// Removes closed calls from the front of the list.
    fn forget_closed(&mut self) {
        while let Some((call, position)) = self.open.calls.front().copied() {
            let is_open = match call {
                Some(call) => self
                    .made(call)
                    .is_some_and(|made| made.position == position && made.open_in == self.open.answer()),
                None => self.open.unnamed == Some(position),
            };
            if is_open {
                break;
            }
            self.open.calls.pop_front();
        }
    }

    /// Marks the positions from `first` to `last`, skipping those that are already marked.
    fn part(&mut self, first: usize, last: usize) {
        let mut oldest = last;
        let mut at = last;
        while at >= first {
            let Some(since) = self.parted_since.get_mut(at) else { break };
            if *since == NONE {
                *since = first as u32;
                oldest = at;
            } else {
                oldest = *since as usize;
            }
            let Some(next) = oldest.checked_sub(1) else { break };
            at = next;
        }
        if let Some(since) = self.parted_since.get_mut(last) {
            *since = oldest.min(first) as u32;
        }
    }

    /// Whether a boundary at `position` separates a call from its result.
    pub(super) fn is_parted(&self, position: usize) -> bool {
        self.parted_since.get(position).is_some_and(|since| *since != NONE)
            || self.parted_for_good.is_some_and(|first| position >= first)
            || self.pending().is_some_and(|pending| position > pending)
    }

    /// The oldest message with a call that is still running.
    pub(super) fn pending(&self) -> Option<usize> {
        self.open.oldest().map(|oldest| oldest as usize)
    }

    /// The beginning of an unfinished run that no boundary may divide.
    pub(super) fn run(&self) -> Option<usize> {
        let Run { first, thinks, bars, is_open } = self.run;
        first.filter(|_| thinks && bars && is_open)
    }

    /// Where the newest answer of the model begins. Outputs before it have been answered.
    pub(super) fn newest_answer(&self) -> Option<usize> {
        self.answer
    }

    pub(super) fn substance(&self) -> usize {
        self.substance
    }

    pub(super) fn has_summary_before(&self, position: usize) -> bool {
        self.summaries.first().is_some_and(|summary| (*summary as usize) < position)
    }

    pub(super) fn newest_summary(&self) -> Option<usize> {
        self.known_summary
    }

    /// The positions of the summaries before `position`.
    pub(super) fn summaries_before(&self, position: usize) -> impl Iterator<Item = usize> {
        self.summaries.iter().map(|summary| *summary as usize).take_while(move |summary| *summary < position)
    }

    pub(super) fn turn_before(&self, position: usize) -> Option<usize> {
        crate::search::newest(0..self.turns.len(), |at| {
            self.turns.get(at).is_some_and(|turn| (*turn as usize) < position)
        })
        .and_then(|at| self.turns.get(at))
        .map(|turn| *turn as usize)
    }

    pub(super) fn newest_turn_but(&self, skipped: usize) -> Option<usize> {
        let at = self.turns.len().checked_sub(skipped.checked_add(1)?)?;
        self.turns.get(at).map(|turn| *turn as usize)
    }
}

impl Run {
    fn push(&mut self, position: usize, message: &Message, parts: &[Part]) {
        let answers = parts.iter().any(is_result);
        let is_models = message.role == Role::Assistant;
        let belongs = match message.role {
            // OpenCode's summaries are messages of the model, but a run kept behind one does not begin with it.
            Role::Assistant => !message.summary,
            Role::Tool => answers,
            _ => false,
        };
        if !belongs {
            *self = Self::default();
        } else if is_models && self.first.is_none() {
            (self.first, self.thinks) = (Some(position), begins_with_signed_thinking(parts));
        } else if is_models && !message.continues {
            self.bars |= !begins_with_signed_thinking(parts);
        }
        self.is_open = answers || is_models && parts.iter().any(|part| part.kind == PartKind::ToolCall);
    }
}
