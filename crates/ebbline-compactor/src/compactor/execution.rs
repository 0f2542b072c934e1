//! How a plan is carried out: whether the caller allows it, who writes the summary, and what becomes of the view.

use std::collections::HashSet;
use std::ops::ControlFlow;

use ebbline::controller::Notice;
use ebbline::plan::{Fate, MessagePlan};
use ebbline::summary::Carried;
use ebbline::{EditOptions, binding};

use super::pending::{HeldPasses, PendingCompaction, Planned, Summary, Task, Waiting};
use super::state::State;
use crate::compaction::{Cause, Compaction, SummaryAppendix};
use crate::context_size::larger_summary;
use crate::course::Order;
use crate::error::{CompactorError, failure};
use crate::event::Event;
use crate::options::Author;
use crate::step::{Permission, Step, Wishes};
use crate::texts::{JoinedMessages, Outcome};

impl State {
    /// Carries a plan out, once the caller allows it.
    pub(super) fn carry_out(&mut self, is_summary: bool, task: Task) -> Result<Step, CompactorError> {
        if self.options.asks_permission && !task.is_allowed {
            let question = permission(is_summary, &task);
            self.waiting = Some(Waiting::Permission { is_summary, task });
            return Ok(question);
        }
        self.allowed(is_summary, task, None)
    }

    /// What the caller says to a compaction: nothing if it must not be made, otherwise its wishes.
    pub(crate) fn allow(
        &mut self,
        wishes: Result<Option<Wishes>, CompactorError>,
    ) -> Result<Step, CompactorError> {
        let wishes = wishes.and_then(|wishes| {
            wishes.as_ref().map_or(Ok(()), Wishes::check)?;
            Ok(wishes)
        });
        let (is_summary, task) = match self.waiting.take() {
            Some(Waiting::Permission { is_summary, task }) => (is_summary, task),
            Some(Waiting::Passes { task, size }) => {
                return self.allow_passes(wishes?.is_some(), &task, size);
            }
            waiting => {
                self.waiting = waiting;
                return Err(failure("mismatch", "no permission is waited for"));
            }
        };
        if is_summary && !matches!(wishes, Ok(Some(_))) {
            self.course.cancelled()?;
        }
        match wishes? {
            None => Ok(Step::Send),
            Some(wishes) => {
                self.info.focus = wishes.focus.or(self.info.focus.take());
                self.allowed(is_summary, task, wishes.summary)
            }
        }
    }

    fn allowed(
        &mut self,
        is_summary: bool,
        task: Task,
        summary: Option<String>,
    ) -> Result<Step, CompactorError> {
        if !is_summary {
            return self.apply(&task);
        }
        match (summary, self.options.author) {
            (Some(summary), _) => self.finish(&task, Ok((summary, false))),
            (None, Author::Rule) => {
                self.tell_request(task.cause, &task.plan, 1, 1);
                let result = written_by_rule(&task);
                if self.goes_on(task.cause) {
                    return Ok(self.start(task, Err(result)));
                }
                self.finish(&task, result)
            }
            (None, _) => self.ask(task),
        }
    }

    fn ask(&mut self, task: Task) -> Result<Step, CompactorError> {
        let goes_on = self.goes_on(task.cause);
        let draft = self.draft(&task, self.info.focus.clone());
        if goes_on {
            return Ok(self.start(task, draft.map_err(Err)));
        }
        match draft {
            Ok(open) => {
                let request = open.request.clone();
                self.waiting = Some(Waiting::Summary(task, Box::new(open)));
                Ok(Step::Summarize(request))
            }
            Err(error) => self.finish(&task, Err(error)),
        }
    }

    /// Carries a plan out with the summary that came, and whether it was written by rule; goes on without one if it failed.
    pub(super) fn finish(
        &mut self,
        task: &Task,
        result: Result<Summary, CompactorError>,
    ) -> Result<Step, CompactorError> {
        let drawn =
            result.and_then(|(summary, is_by_rule)| self.draw(task, Some((summary, is_by_rule)), None));
        match drawn {
            Ok(pending) => {
                self.course.accepted()?;
                self.make(pending)
            }
            Err(error) => self.fail(task, &error),
        }
    }

    /// Tells that there is no summary.
    fn tell_failure(&mut self, cause: Cause, error: &CompactorError) {
        self.events.tell(Event::SummaryFailed { cause, error: error.clone() });
    }

    /// Goes on without the summary that was asked for.
    fn fail(&mut self, task: &Task, error: &CompactorError) -> Result<Step, CompactorError> {
        self.tell_failure(task.cause, error);
        self.events.notice(Notice::SummaryFailed, &[("error", error.message())]);
        self.planned =
            Some(Planned { messages: task.messages.clone(), plan: task.plan.clone(), alone: None });
        let order = Order { options: task.options, cause: task.cause, is_allowed: true };
        let (course, mut seen) = self.course();
        let action = course.failed(&mut seen, order)?;
        self.follow(action)
    }

    /// Carries the plan out with a summary by rule, and returns what the caller is asked for; goes on if it cannot be had, or leaves
    /// no less than pruning alone does.
    pub(super) fn by_rule(&mut self, order: Order, most: u64) -> Result<ControlFlow<Step>, CompactorError> {
        let planned = self.planned.clone();
        let task = self.task(order, |planned| planned.plan)?;
        self.planned = planned;
        match written_by_rule(&task).and_then(|summary| self.draw(&task, Some(summary), Some(most))) {
            Ok(pending) => self.make(pending).map(ControlFlow::Break),
            Err(error) => {
                self.tell_failure(task.cause, &error);
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Carries a plan out on the view. Returns what the caller is asked for.
    fn apply(&mut self, task: &Task) -> Result<Step, CompactorError> {
        let pending = self.draw(task, None, None)?;
        self.make(pending)
    }

    /// What a plan makes of the view, with a summary if there is one, which must make it smaller, and leave less than `most`, too.
    pub(super) fn draw(
        &mut self,
        task: &Task,
        summary: Option<Summary>,
        most: Option<u64>,
    ) -> Result<PendingCompaction, CompactorError> {
        let Task { messages: JoinedMessages { session, spans, .. }, plan, cause, now, .. } = task;
        let decision = &plan.decision;
        // Messages that came in while a model wrote the summary.
        let newer = spans.len()..self.view.sent().len();
        let mut options = EditOptions::new();
        options.now = *now;
        let mut compaction = Compaction {
            at: now.unwrap_or(0),
            cause: *cause,
            profile: plan.profile.clone(),
            pruned: if decision.prune.applied { decision.prune.outputs as u64 } else { 0 },
            tokens_before: self.decide(None).tokens_before,
            ..Compaction::default()
        };
        if let Some((summary, is_by_rule)) = summary {
            let carried = self.carried(task)?;
            let (orders, pins) = (carried.orders.len() as u64, carried.pins.len() as u64);
            compaction.appendix = Some(SummaryAppendix { orders, pins, is_by_rule });
            compaction.summarized = decision.retain.messages as u64;
            options.summary = Some(carried.behind(&summary));
        }
        let telling = self.options.introduction.telling(newer.len());
        let edits = binding::edits(session, plan, &options, telling)?;
        let mut outcomes = Outcome::of_edits(session.text().as_str(), spans, &edits)?;
        outcomes.extend(newer.map(Outcome::Kept));
        if compaction.appendix.is_some() {
            let (before, mut then) = (compaction.tokens_before, self.live.clone());
            then.replace(Outcome::texts(&outcomes, self.live.texts()))?;
            if let Some(error) = larger_summary(before, then.estimates().0, most) {
                return Err(error);
            }
        }
        Ok(PendingCompaction { outcomes, compaction, passes: None })
    }

    /// What a summary has to carry: the user's standing orders and what is pinned, of all messages of the history that are no longer
    /// sent as they are.
    fn carried(&self, Task { messages, plan, .. }: &Task) -> Result<Carried, CompactorError> {
        let is_summarized = |message: &MessagePlan| message.fate == Fate::Summarized;
        let summarized = plan.messages.iter().enumerate().filter(|(_, message)| is_summarized(message));
        let summarized: HashSet<usize> = summarized.map(|(at, _)| messages.place_of(at)).collect();
        let sent = self.view.sent().iter().enumerate().filter(|(at, _)| !summarized.contains(at));
        let is_sent: HashSet<usize> = sent.filter_map(|(_, sent)| sent.origin).collect();
        let history = self.live.joined_of(self.view.history())?;
        let count = history.session.transcript().messages().len();
        let is_gone: Vec<bool> = (0..count).map(|at| !is_sent.contains(&history.place_of(at))).collect();
        Ok(binding::carried(&history.session, &is_gone, &history.pinned))
    }

    /// Takes over what was done with the view.
    pub(super) fn commit(
        &mut self,
        PendingCompaction { outcomes, mut compaction, passes }: PendingCompaction,
    ) -> Result<(), CompactorError> {
        let before = passes.map(|_| self.live.clone());
        let undone = self.view.change(&outcomes, compaction.clone());
        if let Err(error) = self.live.replace(self.view.texts()) {
            self.view.drop_newest(undone);
            return Err(error.into());
        }
        let is_summary = compaction.appendix.is_some_and(|appendix| !appendix.is_by_rule);
        let Compaction { cause, tokens_before, .. } = compaction;
        let (course, mut seen) = self.course();
        compaction.tokens_after = course.committed(&mut seen, cause, tokens_before, is_summary);
        if let Some(newest) = self.view.newest() {
            newest.tokens_after = compaction.tokens_after;
        }
        if let Some(live) = before {
            self.held = Some(HeldPasses { compaction, live, undone });
        } else {
            self.tell_passes();
            self.events.tell(Event::Compacted(compaction));
        }
        Ok(())
    }
}

/// A summary by rule of what a plan summarizes.
fn written_by_rule(task: &Task) -> Result<Summary, CompactorError> {
    let nothing = || failure("empty_summary", "there is nothing to summarize but an earlier summary");
    let written = binding::summary_by_rule(&task.messages.session, &task.plan)?;
    written.map(|summary| (summary, true)).ok_or_else(nothing)
}

/// The question whether a compaction may be made.
pub(super) fn permission(is_summary: bool, task: &Task) -> Step {
    Step::Permit(Box::new(Permission { cause: task.cause, is_summary, plan: task.plan.clone() }))
}
