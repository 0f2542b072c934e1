//! A summary that a model writes while the agent goes on.
//!
//! It stands for the messages that it was asked for, as one that is already there does. An edit behind them changes the tail
//! alone, so the summary is put in front of the new tail. An edit among them would leave a summary that tells of what was taken
//! back, and no beginning of it is a summary of the beginning: it is dropped.

use std::sync::Arc;

use ebbline::plan::Fate;
use ebbline::{Error, Plan, PlanOptions, binding};

use super::pending::{BackgroundSummary, Next, OpenRequest, Summary, Task, Waiting};
use super::state::State;
use crate::compaction::Cause;
use crate::course::Order;
use crate::error::{CompactorError, failure};
use crate::options::Background;
use crate::step::{RequestInfo, Step};
use crate::texts::MessageText;
use crate::view::Sent;

impl BackgroundSummary {
    /// Whether an edit left the messages that the summary was asked for, and something behind them.
    fn stands(&self, sent: &[Sent]) -> bool {
        let end = end_of(&self.task.plan);
        let is_same = |(one, other): (&MessageText, &Sent)| Arc::ptr_eq(&one.json, &other.text.json);
        sent.len() > end && self.sent.iter().zip(sent).take(end).all(is_same)
    }
}

impl State {
    /// Whether the agent may go on while the summary of a full context is written.
    pub(super) fn goes_on(&mut self, cause: Cause) -> bool {
        cause == Cause::Full && self.options.background != Background::Off && !self.is_over_window(None)
    }

    /// Goes on while a model answers; `draft` is what it is asked, or what came of it already.
    pub(super) fn start(
        &mut self,
        task: Task,
        draft: Result<OpenRequest, Result<Summary, CompactorError>>,
    ) -> Step {
        let (request, result) = match draft {
            Ok(open) => (Some(open), Err(failure("summary_failed", ""))),
            Err(result) => (None, result),
        };
        let step =
            request.as_ref().map_or(Step::Send, |open| Step::Summarize(open.request.in_background(false)));
        let sent = self.view.texts();
        self.course.waits(true);
        self.background =
            Some(BackgroundSummary { task, request, result, sent, is_edited: false, awaited: None });
        step
    }

    /// An answer to a request that the agent did not wait for.
    pub(super) fn answered_in_background(
        &mut self,
        next: impl FnOnce(&mut Self, &Task, &mut OpenRequest) -> Result<Next, CompactorError>,
    ) -> Result<Step, CompactorError> {
        let background = self.background.take();
        let Some((mut background, mut open)) =
            background.and_then(|mut background| background.request.take().map(|open| (background, open)))
        else {
            return Err(failure("mismatch", "no summary is waited for"));
        };
        let awaited = background.awaited.clone();
        background.result = match next(self, &background.task, &mut open) {
            Ok(Next::Request(request)) => {
                background.request = Some(open);
                self.background = Some(background);
                return Ok(Step::Summarize(request.in_background(awaited.is_some())));
            }
            Ok(Next::Summary(summary)) => Ok((summary, false)),
            Err(error) => Err(error),
        };
        self.background = Some(background);
        match awaited {
            Some(info) => self.take_over(info),
            None => Ok(Step::Send),
        }
    }

    /// Before a request: a summary that was written meanwhile is taken over. It is waited for only if the context would
    /// exceed the window.
    pub(crate) fn prepare(&mut self, info: RequestInfo) -> Result<Step, CompactorError> {
        let Some(background) = &self.background else { return self.fit(info) };
        let Some(open) = &background.request else { return self.take_over(info) };
        let request = open.request.in_background(true);
        if !self.is_over_window(info.idle) {
            return self.fit(info);
        }
        if let Some(background) = &mut self.background {
            background.awaited = Some(info);
        }
        Ok(Step::Summarize(request))
    }

    fn take_over(&mut self, info: RequestInfo) -> Result<Step, CompactorError> {
        let Some(background) = self.background.take() else { return self.fit(info) };
        self.course.waits(false);
        self.info = info.clone();
        let compactions = self.view.compactions().len();
        let task = if background.is_edited {
            let rebased = self.rebased(&background);
            if !matches!(rebased, Ok(Some(_))) {
                self.course.cancelled()?;
            }
            match rebased? {
                Some(task) => task,
                None => return self.fit(info),
            }
        } else {
            background.task
        };
        let task = if background.result.is_err() {
            let (course, mut seen) = self.course();
            let options = course.options(&mut seen, false, info.idle);
            self.planned = None;
            self.task(Order { options, cause: task.cause, is_allowed: false }, |planned| planned.plan)?
        } else {
            Task { now: info.now, ..task }
        };
        let step = self.finish(&task, background.result)?;
        if !step.is_send() {
            if let Some(Waiting::Storage(wait)) = &mut self.waiting {
                wait.is_taken_over = true;
            }
            return Ok(step);
        }
        let is_compacted = self.view.compactions().len() > compactions;
        self.after_taking_over(is_compacted, info)
    }

    /// What came in since a summary was asked for may fill the window by itself.
    pub(super) fn after_taking_over(
        &mut self,
        is_compacted: bool,
        info: RequestInfo,
    ) -> Result<Step, CompactorError> {
        if is_compacted && !self.is_over_window(info.idle) {
            return Ok(Step::Send);
        }
        self.fit(info)
    }

    /// The task of putting the summary in front of the tail that is there now: a plan that summarizes the messages that the
    /// summary was asked for, and nothing else; `None` if there is none, because a call would be parted from its result.
    fn rebased(
        &self,
        BackgroundSummary { task, sent, .. }: &BackgroundSummary,
    ) -> Result<Option<Task>, Error> {
        let known = &task.plan;
        // A format that removes nothing keeps what was summarized, so that a beginning of the list is no beginning of what is sent.
        if !binding::removes(&task.messages.session) || known.messages.len() != sent.len() {
            return Ok(None);
        }
        let end = end_of(known);
        let messages = self.live.joined()?;
        let tail = messages.session.plan(self.live.policy());
        let tokens: u64 = tail.messages.iter().skip(end).map(|message| message.tokens_before).sum();
        let mut policy = self.live.summarizing_all()?;
        policy.retain.keep = tokens.max(1);
        policy.retain.user_words = self.live.policy().retain.user_words;
        let plan = messages.session.plan_with(&policy, PlanOptions::new().force(true));
        let is_summarized = |plan: &Plan, at: usize| {
            plan.messages.get(at).is_some_and(|message| message.fate == Fate::Summarized)
        };
        let is_same = plan.decision.retain.applied
            && end_of(&plan) == end
            && (0..end).all(|at| is_summarized(&plan, at) == is_summarized(known, at));
        Ok(is_same.then(|| Task { messages, plan, now: None, ..task.clone() }))
    }

    /// After an edit.
    pub(super) fn rebase(&mut self) {
        let Some(background) = &mut self.background else { return };
        if self.options.background == Background::Rebase && background.stands(self.view.sent()) {
            background.is_edited = true;
        } else {
            self.drop_summary();
        }
    }

    /// Nobody waits for the summary any more that is written while the agent goes on.
    pub(super) fn drop_summary(&mut self) {
        if self.background.take().is_some() {
            self.course.waits(false);
            // It is waited for, so there is no other answer than a step that needs nothing.
            let _ = self.course.cancelled();
        }
    }

    /// The call that waited is cancelled. The model goes on.
    pub(super) fn stop_waiting(&mut self) {
        if let Some(background) = &mut self.background {
            background.awaited = None;
        }
    }

    /// Whether the answer to a request in the background is still wanted.
    pub(crate) fn is_wanted(&self) -> bool {
        self.background.as_ref().is_some_and(|background| background.request.is_some())
    }
}

/// The place behind the last message that a plan summarizes.
fn end_of(plan: &Plan) -> usize {
    plan.messages.iter().rposition(|message| message.fate == Fate::Summarized).map_or(0, |last| last + 1)
}
