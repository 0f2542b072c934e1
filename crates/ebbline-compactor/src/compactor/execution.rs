//! How a plan is carried out: whether the caller allows it, who writes the summary, and what becomes of the view.

use std::collections::HashSet;
use std::ops::ControlFlow;

use ebbline::controller::{self, Notice};
use ebbline::plan::{Fate, MessagePlan};
use ebbline::summary::Carried;
use ebbline::{EditOptions, PlanOptions, binding};

use super::pending::{HeldPasses, PendingCompaction, Summary, Task, Waiting};
use super::state::State;
use crate::compaction::{Cause, Compaction, SummaryAppendix};
use crate::context_size::{excess, reclaimed_by};
use crate::error::{CompactorError, failure};
use crate::event::Event;
use crate::options::{Author, Fallback};
use crate::step::{Permission, Step, Wishes};
use crate::texts::{JoinedMessages, Outcome};

impl State {
    /// Carries out what the controller says.
    pub(super) fn carry_out(
        &mut self,
        step: controller::Step,
        task: Task,
        focus: Option<String>,
    ) -> Result<Step, CompactorError> {
        match step {
            controller::Step::GiveUp => Err(self.obstacle()),
            controller::Step::Send | controller::Step::Commit => Ok(Step::Send),
            step if self.options.asks_permission => {
                let question = permission(step, &task);
                self.waiting = Some(Waiting::Permission { step, task, focus });
                Ok(question)
            }
            step => self.allowed(step, task, focus, None),
        }
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
        let (step, task, focus) = match self.waiting.take() {
            Some(Waiting::Permission { step, task, focus }) => (step, task, focus),
            Some(Waiting::Passes { task, result, then }) => {
                return self.allow_passes(wishes?.is_some(), &task, result, then);
            }
            waiting => {
                self.waiting = waiting;
                return Err(failure("mismatch", "no permission is waited for"));
            }
        };
        if step == controller::Step::Summarize && !matches!(wishes, Ok(Some(_))) {
            self.answer_controller(controller::Answer::Cancelled)?;
        }
        match wishes? {
            None => Ok(Step::Send),
            Some(wishes) => self.allowed(step, task, wishes.focus.or(focus), wishes.summary),
        }
    }

    fn allowed(
        &mut self,
        step: controller::Step,
        task: Task,
        focus: Option<String>,
        summary: Option<String>,
    ) -> Result<Step, CompactorError> {
        match step {
            controller::Step::Summarize => match (summary, self.options.author) {
                (Some(summary), _) => self.finish(&task, Ok((summary, false))),
                (None, Author::Rule) => {
                    self.tell_request(task.cause, &task.plan, 1, 1);
                    let result = written_by_rule(&task);
                    if self.goes_on(task.cause == Cause::Full) {
                        return Ok(self.start(task, Err(result)));
                    }
                    self.finish(&task, result)
                }
                (None, _) => self.ask(task, focus),
            },
            _ => self.apply(&task),
        }
    }

    fn ask(&mut self, task: Task, focus: Option<String>) -> Result<Step, CompactorError> {
        let goes_on = self.goes_on(task.cause == Cause::Full);
        let draft = self.draft(&task, focus);
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
        let drawn = result.and_then(|(summary, is_by_rule)| self.draw(task, Some(summary), is_by_rule));
        match drawn {
            Ok(pending) => {
                self.answer_controller(controller::Answer::Accepted)?;
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
        let step = self.answer_controller(controller::Answer::Failed)?;
        if let ControlFlow::Break(step) = self.go_on_without(task, true)? {
            return Ok(step);
        }
        match step {
            controller::Step::GiveUp => Err(self.obstacle()),
            controller::Step::Prune => self.apply(task),
            _ => Ok(Step::Send),
        }
    }

    /// Does without the summary that is wanted: as if nobody wrote summaries, or with one by rule where that does not fit.
    /// Returns what the caller is asked for; goes on if nothing was decided.
    pub(super) fn go_on_without(
        &mut self,
        task: &Task,
        is_allowed: bool,
    ) -> Result<ControlFlow<Step>, CompactorError> {
        let mut plan = self.live.plan_without_summary(&task.messages, task.options)?;
        if task.cause == Cause::Full
            && task.options.known_tokens.is_none()
            && !plan.decision.trigger.fires
            && let Some(cautious) = self.cautious(&plan.decision)
        {
            plan = self.live.plan_without_summary(&task.messages, task.options.known_tokens(cautious))?;
        }
        let is_full =
            task.cause == Cause::Overflow || excess(&plan.decision, reclaimed_by(&plan.decision)).is_some();
        let is_wanted = match self.options.fallback {
            Fallback::Always => true,
            Fallback::WhenFull => is_full,
            Fallback::Never => false,
        };
        if is_wanted && let ControlFlow::Break(step) = self.by_rule(task, plan.decision.tokens_after)? {
            return Ok(ControlFlow::Break(step));
        }
        if !plan.changes_something() {
            return Ok(ControlFlow::Continue(()));
        }
        let task = Task { plan, ..task.clone() };
        if is_allowed || !self.options.asks_permission {
            return self.apply(&task).map(ControlFlow::Break);
        }
        let step = controller::Step::Prune;
        let question = permission(step, &task);
        self.waiting = Some(Waiting::Permission { step, task, focus: None });
        Ok(ControlFlow::Break(question))
    }

    /// Carries the plan out with a summary by rule, and returns what the caller is asked for; goes on if it cannot be had, or leaves
    /// no less than pruning alone does.
    fn by_rule(&mut self, task: &Task, most: u64) -> Result<ControlFlow<Step>, CompactorError> {
        let written = written_by_rule(task);
        match written.and_then(|(summary, _)| self.draw_within(task, Some(summary), true, Some(most))) {
            Ok(pending) => self.make(pending).map(ControlFlow::Break),
            Err(error) => {
                self.tell_failure(task.cause, &error);
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Carries a plan out on the view. Returns what the caller is asked for.
    fn apply(&mut self, task: &Task) -> Result<Step, CompactorError> {
        let pending = self.draw(task, None, false)?;
        self.make(pending)
    }

    /// What a plan makes of the view, with a summary if there is one, which must make it smaller.
    pub(super) fn draw(
        &mut self,
        task: &Task,
        summary: Option<String>,
        is_by_rule: bool,
    ) -> Result<PendingCompaction, CompactorError> {
        self.draw_within(task, summary, is_by_rule, None)
    }

    /// The same; a summary must leave less than `most`, too.
    fn draw_within(
        &mut self,
        task: &Task,
        summary: Option<String>,
        is_by_rule: bool,
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
        if let Some(summary) = summary {
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
            let after = then.decide(PlanOptions::new()).tokens_before;
            let why = match most {
                _ if after >= before => Some("it would make the context no smaller".to_owned()),
                Some(most) if after >= most => Some(format!("pruning alone leaves {most}")),
                _ => None,
            };
            if let Some(why) = why {
                let what = format!("with what it carries, the summary leaves {after} tokens of {before}");
                return Err(failure("larger_summary", format!("{what}: {why}")));
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
        let before = passes.map(|result| (self.live.clone(), result));
        self.size_after_passes = None;
        let undone = self.view.change(&outcomes, compaction.clone());
        if let Err(error) = self.live.replace(self.view.texts()) {
            self.view.drop_newest(undone);
            return Err(error.into());
        }
        compaction.tokens_after = self.live.estimates().0;
        self.reports.changes(compaction.tokens_before, compaction.tokens_after);
        if let Some(newest) = self.view.newest() {
            newest.tokens_after = compaction.tokens_after;
        }
        if compaction.cause == Cause::Asked {
            self.controller.answered();
        } else {
            self.sends();
        }
        if compaction.appendix.is_some_and(|appendix| !appendix.is_by_rule) {
            self.controller.committed(compaction.tokens_before, compaction.tokens_after);
        }
        if let Some((live, result)) = before {
            self.hold_passes(HeldPasses { compaction, live, undone }, result);
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
pub(super) fn permission(step: controller::Step, task: &Task) -> Step {
    let is_summary = step == controller::Step::Summarize;
    Step::Permit(Box::new(Permission { cause: task.cause, is_summary, plan: task.plan.clone() }))
}
