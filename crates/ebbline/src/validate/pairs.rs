//! Checks calls and results: each call has its result, each result its call, and the results of a batch come at
//! once.
//!
//! The check is one walk over the messages. The calls of a message are a batch. The batch is open until anything
//! other than its results follows. A result either answers a call of the open batch or is out of place. Ids may
//! repeat between batches, so the search for a pair never goes further than the pair may stand.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{Checks, is_inside_result};
use crate::rules::Rule;
use crate::rules::{Results, Unanswered};
use crate::run::is_result;
use crate::transcript::{Message, Output, Part, PartKind, Role};

pub(super) fn check(checks: &mut Checks<'_>) {
    let messages: Vec<_> = checks.active.iter().collect();
    let mut called_last = HashMap::new();
    for (index, _, parts) in &messages {
        let calls = parts.iter().enumerate().filter(|(_, part)| part.kind == PartKind::ToolCall);
        called_last.extend(calls.filter_map(|(at, part)| Some((part.call?, (*index, at)))));
    }
    let mut walk = Walk {
        checks,
        called_last,
        calls: Vec::new(),
        batch: 0,
        open: HashMap::new(),
        newest: HashMap::new(),
        answered: HashMap::new(),
        early: HashSet::new(),
        summaries: HashSet::new(),
    };
    for (index, message, parts) in messages {
        walk.message(index, message, parts);
    }
    walk.finish();
}

struct Call<'t> {
    message: usize,
    at: usize,
    part: &'t Part,
    answered: bool,
    /// The message that ended the batch before the result came.
    ended_by: Option<usize>,
}

struct Walk<'c, 't> {
    checks: &'c mut Checks<'t>,
    /// For each id, the message and part of its last call in the whole list.
    called_last: HashMap<u32, (usize, usize)>,
    /// The calls so far.
    calls: Vec<Call<'t>>,
    /// The first call of the open batch.
    batch: usize,
    /// For each id, its calls without a result, oldest first.
    open: HashMap<Option<u32>, VecDeque<usize>>,
    /// For each id, its newest call.
    newest: HashMap<u32, usize>,
    /// For each id, the call that was answered last.
    answered: HashMap<u32, usize>,
    /// Ids whose result stood before the call.
    early: HashSet<u32>,
    /// Summaries that are known to stand between a call and its result.
    summaries: HashSet<usize>,
}

impl<'t> Walk<'_, 't> {
    fn message(&mut self, index: usize, message: &Message, parts: &'t [Part]) {
        let answers = message.role != Role::Assistant && parts.iter().any(is_result);
        if !answers && !message.continues {
            self.end_batch(index);
        }
        let mut other = false;
        for (at, part) in parts.iter().enumerate() {
            match part.kind {
                PartKind::ToolCall => self.call(index, at, part),
                PartKind::ToolResult => {
                    if other && answers && is_result(part) {
                        let tool = self.checks.active.of_tool(part);
                        let text = format!("the result{tool} has to stand before everything else");
                        self.checks.report(Rule::ResultNotFirst, index, Some(at), text);
                    }
                    self.result(index, at, part);
                }
                _ => other |= !is_inside_result(part),
            }
        }
        let ends = match self.checks.rules.results {
            Results::SameMessage => true,
            Results::SameOrNextMessage | Results::NextMessage => answers,
            Results::NextMessages => answers && other,
            Results::Later => false,
        };
        if ends {
            self.end_batch(index);
        }
    }

    fn call(&mut self, message: usize, at: usize, part: &'t Part) {
        let number = self.calls.len();
        let mut answered = false;
        if let Some(id) = part.call {
            let known = self.newest.insert(id, number);
            if known.is_some_and(|known| known >= self.batch || self.checks.rules.unique_calls) {
                let text = format!("the call{} has the id of another", self.checks.active.of_tool(part));
                self.checks.report(Rule::DuplicateCall, message, Some(at), text);
            }
            answered = self.early.remove(&id);
        }
        if !answered {
            self.open.entry(part.call).or_default().push_back(number);
        }
        self.calls.push(Call { message, at, part, answered, ended_by: None });
    }

    fn result(&mut self, index: usize, at: usize, part: &'t Part) {
        let id = part.call;
        let tool = self.checks.active.of_tool(part);
        let open = self.open.get(&id);
        // Open calls of this id before `first` belong to batches that have ended.
        let first = open.map_or(0, |open| open.partition_point(|number| *number < self.batch));
        if open.is_some_and(|open| first < open.len()) {
            self.answer(id, first);
            return;
        }
        let Some(known) = id else {
            let text = format!("the result{tool} does not say which call it answers");
            return self.checks.report(Rule::ResultWithoutCall, index, Some(at), text);
        };
        let answered = self.answered.get(&known).copied();
        let is_second = answered.is_some_and(|number| number >= self.batch);
        if first > 0 && !is_second {
            let ended_by = self.answer(id, first - 1).and_then(|call| call.ended_by);
            // Results that the provider made itself may come at any time.
            let may_be_late = part.output == Output::Sealed || self.checks.rules.results == Results::Later;
            if let Some(ended_by) = ended_by.filter(|_| !may_be_late) {
                self.late(index, at, &tool, ended_by);
            }
        } else if answered.is_some() {
            let text = format!("a second result{tool} for the same call");
            self.checks.report(Rule::DuplicateResult, index, Some(at), text);
        } else if self.called_last.get(&known).is_some_and(|last| *last > (index, at)) {
            let text = format!("the result{tool} stands before its call");
            self.checks.report(Rule::ResultBeforeCall, index, Some(at), text);
            self.early.insert(known);
        } else {
            let text = format!("the result{tool} answers no call");
            self.checks.report(Rule::ResultWithoutCall, index, Some(at), text);
        }
    }

    /// Marks the `nth` open call of `id` as answered.
    fn answer(&mut self, id: Option<u32>, nth: usize) -> Option<&Call<'t>> {
        let number = self.open.get_mut(&id)?.remove(nth)?;
        if let Some(id) = id {
            self.answered.insert(id, number);
        }
        let call = self.calls.get_mut(number)?;
        call.answered = true;
        Some(call)
    }

    /// Reports a result that came after its batch had ended.
    fn late(&mut self, index: usize, at: usize, tool: &str, ended_by: usize) {
        let messages = self.checks.active.transcript.messages();
        if !messages.get(ended_by).is_some_and(|message| message.summary) {
            let text = format!("the result{tool} is parted from its call by message {ended_by}");
            self.checks.report(Rule::SplitBatch, index, Some(at), text);
        } else if self.summaries.insert(ended_by) {
            let text = format!("a summary between a call and its result{tool} in message {index}");
            self.checks.report(Rule::SummaryInBatch, ended_by, None, text);
        }
    }

    /// Ends the open batch: `index` is the first message that does not belong to it.
    fn end_batch(&mut self, index: usize) {
        for call in self.calls.iter_mut().skip(self.batch).filter(|call| !call.answered) {
            call.ended_by = Some(index);
        }
        self.batch = self.calls.len();
    }

    fn finish(self) {
        let rules = self.checks.rules;
        for call in self.calls.iter().filter(|call| !call.answered) {
            let may_stay = match call.ended_by {
                Some(_) => rules.unanswered == Unanswered::Anywhere,
                None => rules.may_end_open(),
            };
            if !may_stay {
                let text = format!("the call{} has no result", self.checks.active.of_tool(call.part));
                self.checks.report(Rule::CallWithoutResult, call.message, Some(call.at), text);
            }
        }
    }
}
