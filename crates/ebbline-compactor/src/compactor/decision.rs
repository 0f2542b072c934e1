//! When something is compacted: before a request, after an overflow, when somebody asks; and how it is taken back.

use std::ops::ControlFlow;

use ebbline::Error;
use ebbline::controller::{self, Answer, Facts, Obstacle, filled};
use ebbline::plan::{Decision, Source, Verdict};

use super::pending::{Continuation, Task, Waiting};
use super::state::State;
use crate::compaction::Cause;
use crate::context_size::{excess, reclaimed_by, size_of};
use crate::error::{CompactorError, failure};
use crate::event::Event;
use crate::options::Author;
use crate::step::{RequestInfo, Step};

impl State {
    pub(crate) fn decide(&mut self, idle: Option<u64>) -> Decision {
        let options = self.plan_options(false, idle);
        self.live.decide(options)
    }

    /// Compacts before a request if the context is full, or if the caller's own trigger holds.
    pub(super) fn fit(&mut self, info: RequestInfo) -> Result<Step, CompactorError> {
        let RequestInfo { idle, now, .. } = info;
        let mut quick = self.decide(idle);
        let cautious = self.cautious(&quick);
        self.sends();
        self.is_reported = quick.trigger.source == Source::Reported;
        if self.is_reported {
            self.reports.covers_sent();
        }
        let may_decide = self.may_decide();
        if may_decide && excess(&quick, 0).is_some() {
            self.refuse_fixed_content(&quick)?;
            quick = self.decide(idle);
        }
        let mut options = self.plan_options(false, idle);
        let mut size = None;
        if may_decide && !quick.trigger.fires && cautious.is_some() {
            let unsure = options.known_tokens(cautious);
            let decision = self.live.decide(unsure);
            // What may be too large is no reason to give up.
            if decision.verdict != Verdict::Refuse {
                (options, quick, size) = (unsure, decision, cautious);
            }
        }
        if may_decide && is_pressing(&quick) {
            let then = Continuation::Full { info: info.clone(), cautious: size };
            if let ControlFlow::Break(step) = self.pass(options, Cause::Full, now, then)? {
                return Ok(step);
            }
        }
        self.fit_after_passes(info, size)
    }

    /// The same, once passes are made; `cautious` is the size to decide by if there were none.
    pub(super) fn fit_after_passes(
        &mut self,
        info: RequestInfo,
        cautious: Option<u64>,
    ) -> Result<Step, CompactorError> {
        let RequestInfo { idle, now, .. } = info;
        let may_decide = self.may_decide();
        let mut options = self.plan_options(false, idle);
        if cautious.is_some() && self.held.is_none() {
            options = options.known_tokens(cautious);
        }
        let quick = self.live.decide(options);
        if !may_decide || !is_pressing(&quick) {
            return match self.controller.before_request(&quick) {
                controller::Step::GiveUp => Err(self.obstacle()),
                _ if may_decide => self.triggered(&quick, info),
                _ => Ok(Step::Send),
            };
        }
        let (messages, plan) = self.live.planned(options)?;
        let task = Task { messages, plan, cause: Cause::Full, now, options };
        let step = self.controller.before_request(&task.plan.decision);
        // Nobody is asked for a summary now, although one is wanted.
        let lacks = matches!(step, controller::Step::Send | controller::Step::Prune)
            && task.plan.decision.retain.applied;
        if lacks
            && self.options.author != Author::Nobody
            && let ControlFlow::Break(step) = self.go_on_without(&task, false)?
        {
            return Ok(step);
        }
        if step == controller::Step::Send && !task.plan.changes_something() {
            return self.triggered(&task.plan.decision, info);
        }
        self.carry_out(step, task, info.focus)
    }

    /// Whether something may be decided before a request: not if a summary is waited for, or a compaction was taken back.
    fn may_decide(&self) -> bool {
        self.options.controller.auto && self.background.is_none() && !self.controller.state().held
    }

    /// The size to decide by where the context may not fit by the provider's count.
    pub(super) fn cautious(&mut self, decision: &Decision) -> Option<u64> {
        let (certain, window) = (self.live.estimates().1, self.window());
        let threshold = decision.trigger.threshold;
        self.reports.cautious(size_of(decision), reclaimed_by(decision), certain, window, threshold)
    }

    /// Takes down what is sent now.
    pub(super) fn sends(&mut self) {
        let (estimate, certain) = self.live.estimates();
        self.reports.sends(estimate, certain);
    }

    /// Compacts if the caller's own trigger holds.
    fn triggered(&mut self, decision: &Decision, info: RequestInfo) -> Result<Step, CompactorError> {
        let RequestInfo { idle, now, .. } = info;
        let Some(trigger) = &self.options.trigger else { return Ok(Step::Send) };
        let mut facts = Facts::default();
        facts.tokens = decision.tokens_before;
        facts.window = decision.trigger.context.map(|context| context.get());
        facts.messages = self.view.sent().len() as u64;
        facts.turns = self.live.turns() as u64;
        facts.idle = idle;
        facts.left = self.view.compactions().last().map(|change| change.compaction.tokens_after);
        if !trigger.holds(&facts) {
            return Ok(Step::Send);
        }
        let options = self.plan_options(true, idle);
        let then = Continuation::Triggered(info.clone());
        match self.pass(options, Cause::Triggered, now, then)? {
            ControlFlow::Break(step) => Ok(step),
            ControlFlow::Continue(()) => self.triggered_after_passes(info),
        }
    }

    pub(super) fn triggered_after_passes(&mut self, info: RequestInfo) -> Result<Step, CompactorError> {
        let RequestInfo { focus, idle, now, .. } = info;
        let options = self.plan_options(true, idle);
        let (messages, plan) = self.live.planned(options)?;
        let step = self.controller.compact_now(&plan.decision);
        self.carry_out(step, Task { messages, plan, cause: Cause::Triggered, now, options }, focus)
    }

    /// After an overflow, or when somebody asks.
    pub(crate) fn forced(&mut self, cause: Cause, info: RequestInfo) -> Result<Step, CompactorError> {
        if self.view.known() == 0 {
            return Err(failure("no_messages", "there are no messages to compact"));
        }
        self.drop_summary();
        if cause == Cause::Overflow {
            self.reports.sees_all();
            if let Some(refusal) = self.refusal.take() {
                if refusal.is_of_media {
                    return self.without_images(info.focus, info.now);
                }
                self.learn(refusal.window)?;
            }
        }
        let options = self.plan_options(true, None);
        let then = Continuation::Forced { cause, info: info.clone() };
        match self.pass(options, cause, info.now, then)? {
            ControlFlow::Break(step) => Ok(step),
            ControlFlow::Continue(()) => self.forced_after_passes(cause, info),
        }
    }

    pub(super) fn forced_after_passes(
        &mut self,
        cause: Cause,
        RequestInfo { focus, now, .. }: RequestInfo,
    ) -> Result<Step, CompactorError> {
        let options = self.plan_options(true, None);
        let (messages, plan) = self.live.planned(options)?;
        let step = match cause {
            Cause::Overflow => self.controller.after_overflow(&plan.decision),
            _ => self.controller.compact_now(&plan.decision),
        };
        // What passes made smaller is worth another request, though nothing else gives way.
        let is_smaller = cause == Cause::Overflow
            && self.held.is_some()
            && step == controller::Step::GiveUp
            && self.controller.obstacle() == Some(Obstacle::NothingToCompact);
        if is_smaller {
            return Ok(Step::Send);
        }
        self.carry_out(step, Task { messages, plan, cause, now, options }, focus)
    }

    /// The caller cancelled what it was asked for and has to wait for, if it was asked.
    pub(crate) fn cancel(&mut self) {
        self.stop_waiting();
        self.take_passes_back();
        let (is_summary, cause) = match self.waiting.take() {
            Some(Waiting::Summary(task, _)) => (true, task.cause),
            Some(Waiting::Passes { task, .. }) => (false, task.cause),
            Some(Waiting::Permission { step, task, .. }) => (step == controller::Step::Summarize, task.cause),
            Some(Waiting::Storage(wait)) => (false, wait.pending.compaction.cause),
            None => return,
        };
        if is_summary {
            // It is waited for, so there is no other answer than a step that needs nothing.
            let _ = self.answer_controller(Answer::Cancelled);
        }
        self.recovered_from_nothing(cause);
    }

    /// What was cancelled, or failed in the caller's own code: if an overflow was its cause, the next one is the first one.
    pub(super) fn recovered_from_nothing(&mut self, cause: Cause) {
        if cause == Cause::Overflow {
            self.controller.answered();
        }
    }

    /// Takes the newest compaction back, or makes it again.
    pub(crate) fn turn(&mut self, is_redo: bool) -> Result<bool, Error> {
        self.cancel();
        self.drop_summary();
        if !(if is_redo { self.view.redo() } else { self.view.undo() }) {
            return Ok(false);
        }
        self.reports.sees_all();
        self.size_after_passes = None;
        self.live.replace(self.view.texts())?;
        // As long as a compaction is taken back, nothing is decided unasked: it could not be made again.
        if !is_redo {
            self.controller.undone();
        } else if !self.view.can_redo() {
            self.controller.redone();
        }
        self.controller.answered();
        let messages = self.view.sent().len();
        self.events.tell(if is_redo { Event::Redone { messages } } else { Event::Undone { messages } });
        Ok(true)
    }

    pub(super) fn answer_controller(&mut self, answer: Answer) -> Result<controller::Step, CompactorError> {
        let number = self.controller.state().asked;
        Ok(self.controller.answer(number, answer)?)
    }

    /// A sentence with the figures of what would be sent now.
    fn in_figures(&mut self, sentence: &str) -> String {
        let decision = self.decide(None);
        let window = decision.trigger.context.map_or_else(String::new, |window| window.to_string());
        let overhead = decision.trigger.overhead.unwrap_or(0).to_string();
        let tokens = size_of(&decision).to_string();
        filled(sentence, &[("window", &window), ("overhead", &overhead), ("tokens", &tokens)])
    }

    /// Why the controller gave up.
    pub(super) fn obstacle(&mut self) -> CompactorError {
        let obstacle = self.controller.obstacle().unwrap_or(Obstacle::NothingToCompact);
        // Nothing was compacted, so the next overflow is the first one.
        if obstacle == Obstacle::NoSummary {
            self.controller.answered();
        }
        let error = failure(obstacle.as_str(), self.in_figures(obstacle.sentence()));
        self.events.tell(Event::GaveUp { error: error.clone() });
        error
    }
}

/// Whether the context may need something, so that the whole of it is read.
fn is_pressing(decision: &Decision) -> bool {
    decision.changes_something() || decision.trigger.fires
}
