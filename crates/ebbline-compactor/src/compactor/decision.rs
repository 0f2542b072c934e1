//! How the course of a call is followed: what it says is carried out on texts, until something is sent or the caller is asked.

use std::ops::ControlFlow;

use ebbline::plan::{Decision, Plan};
use ebbline::{Error, PlanOptions};

use super::pending::{Planned, Task, Waiting};
use super::state::State;
use crate::compaction::Cause;
use crate::course::{Action, CallFacts, Context, Course, Order};
use crate::error::{CompactorError, failure};
use crate::event::Event;
use crate::step::{RequestInfo, Step};
use crate::texts::LiveMessages;

/// What a course sees of texts.
#[derive(Debug)]
pub(super) struct Seen<'s> {
    live: &'s mut LiveMessages,
    planned: &'s mut Option<Planned>,
}

impl Context for Seen<'_> {
    fn decide(&mut self, options: PlanOptions) -> Decision {
        self.live.decide(options)
    }

    fn plan(&mut self, options: PlanOptions) -> Result<Decision, Error> {
        let (messages, plan) = self.live.planned(options)?;
        let decision = plan.decision;
        *self.planned = Some(Planned { messages, plan, alone: None });
        Ok(decision)
    }

    fn plan_without_summary(&mut self, options: PlanOptions) -> Result<Decision, Error> {
        let Some(planned) = self.planned else { return Ok(self.live.decide(options)) };
        let alone = self.live.plan_without_summary(&planned.messages, options)?;
        let decision = alone.decision;
        planned.alone = Some(alone);
        Ok(decision)
    }

    fn estimates(&mut self) -> (u64, u64) {
        self.live.estimates()
    }

    fn window(&self) -> Option<u64> {
        self.live.policy().model.context.map(|context| context.get())
    }

    fn changed_at(&self) -> Option<usize> {
        self.live.changed_at()
    }

    fn counts(&self) -> (usize, usize) {
        (self.live.count(), self.live.turns())
    }
}

impl State {
    /// The course, and what it sees.
    pub(super) fn course(&mut self) -> (&mut Course, Seen<'_>) {
        (&mut self.course, Seen { live: &mut self.live, planned: &mut self.planned })
    }

    pub(crate) fn decide(&mut self, idle: Option<u64>) -> Decision {
        let (course, mut seen) = self.course();
        course.decide(&mut seen, idle)
    }

    /// The milliseconds since the last request.
    pub(super) fn idle(&self, info: &RequestInfo) -> Option<u64> {
        self.course.idle(info.idle, info.now)
    }

    /// A call begins, whose history was taken.
    pub(super) fn begins(&mut self, info: &RequestInfo) {
        let RequestInfo { known_tokens: known, target, has_model, .. } = *info;
        self.course.begins(CallFacts { known, target, has_model });
    }

    /// A request is prepared at a moment.
    pub(super) fn prepares(&mut self, now: Option<u64>) {
        self.course.prepares(now);
    }

    /// Whether the context exceeds the window.
    pub(super) fn is_over_window(&mut self, idle: Option<u64>) -> bool {
        let (course, mut seen) = self.course();
        course.is_over_window(&mut seen, idle)
    }

    /// Compacts before a request if the context is full, or if the caller's own trigger holds.
    pub(super) fn fit(&mut self, info: RequestInfo) -> Result<Step, CompactorError> {
        let idle = info.idle;
        self.info = info;
        let left = self.view.compactions().last().map(|change| change.compaction.tokens_after);
        let (course, mut seen) = self.course();
        let action = course.before_request(&mut seen, idle, left)?;
        self.follow(action)
    }

    /// After an overflow, or when somebody asks.
    pub(crate) fn forced(&mut self, cause: Cause, info: RequestInfo) -> Result<Step, CompactorError> {
        if self.view.known() == 0 {
            return Err(failure("no_messages", "there are no messages to compact"));
        }
        self.drop_summary();
        let idle = info.idle;
        self.info = info;
        if cause == Cause::Overflow {
            self.course.overflows();
            if let Some(refusal) = self.refusal.take() {
                if refusal.is_of_media {
                    return self.without_images();
                }
                self.learn(refusal.window)?;
            }
        }
        let (course, mut seen) = self.course();
        let action = course.forced(&mut seen, cause, idle);
        self.follow(action)
    }

    /// Carries out what the course says until something is sent, or the caller is asked for something.
    pub(super) fn follow(&mut self, mut action: Action) -> Result<Step, CompactorError> {
        loop {
            action = match action {
                Action::Send => return Ok(Step::Send),
                Action::GiveUp(error) => {
                    self.events.tell(Event::GaveUp { error: error.clone() });
                    return Err(error);
                }
                Action::MeasureFixed => {
                    let (alone, has_pins) = (self.fixed_tokens()?, !self.live.pins().is_empty());
                    let (course, mut seen) = self.course();
                    course.fixed(&mut seen, alone, has_pins)?
                }
                Action::Pass(order) => match self.pass(order)? {
                    ControlFlow::Break(step) => return Ok(step),
                    ControlFlow::Continue(passed) => {
                        let (course, mut seen) = self.course();
                        course.passed(&mut seen, passed)?
                    }
                },
                Action::Prune(order) => {
                    let task = self.task(order, |planned| planned.plan)?;
                    return self.carry_out(false, task);
                }
                Action::PruneAlone(order) => {
                    let task = self.task(order, |planned| planned.alone.unwrap_or(planned.plan))?;
                    return self.carry_out(false, task);
                }
                Action::Summarize(order) => {
                    let task = self.task(order, |planned| planned.plan)?;
                    return self.carry_out(true, task);
                }
                Action::SummarizeByRule(order, most) => match self.by_rule(order, most)? {
                    ControlFlow::Break(step) => return Ok(step),
                    ControlFlow::Continue(()) => {
                        let (course, mut seen) = self.course();
                        course.without_rule(&mut seen)?
                    }
                },
            };
        }
    }

    /// What an order is about: the plan that the course has seen last.
    pub(super) fn task(
        &mut self,
        Order { options, cause, is_allowed }: Order,
        plan: impl FnOnce(Planned) -> Plan,
    ) -> Result<Task, Error> {
        let planned = if let Some(planned) = self.planned.take() {
            planned
        } else {
            let (messages, plan) = self.live.planned(options)?;
            Planned { messages, plan, alone: None }
        };
        let (messages, now) = (planned.messages.clone(), self.info.now);
        Ok(Task { messages, plan: plan(planned), cause, now, options, is_allowed })
    }

    /// The caller cancelled what it was asked for and has to wait for, if it was asked.
    pub(crate) fn cancel(&mut self) {
        self.stop_waiting();
        self.take_passes_back();
        let (is_summary, cause) = match self.waiting.take() {
            Some(Waiting::Summary(task, _)) => (true, task.cause),
            Some(Waiting::Passes { task, .. }) => (false, task.cause),
            Some(Waiting::Permission { is_summary, task }) => (is_summary, task.cause),
            Some(Waiting::Storage(wait)) => (false, wait.pending.compaction.cause),
            None => return,
        };
        if is_summary {
            // It is waited for, so there is no other answer than a step that needs nothing.
            let _ = self.course.cancelled();
        }
        self.course.recovered_from_nothing(cause);
    }

    /// Takes the newest compaction back, or makes it again.
    pub(crate) fn turn(&mut self, is_redo: bool) -> Result<bool, Error> {
        self.cancel();
        self.drop_summary();
        if !(if is_redo { self.view.redo() } else { self.view.undo() }) {
            return Ok(false);
        }
        self.live.replace(self.view.texts())?;
        self.course.turned(is_redo, self.view.can_redo());
        let messages = self.view.sent().len();
        self.events.tell(if is_redo { Event::Redone { messages } } else { Event::Undone { messages } });
        Ok(true)
    }
}
