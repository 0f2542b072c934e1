//! Before a request: whether the context is full, or the caller's own trigger holds.

use ebbline::controller::{Answer, Facts, Step};
use ebbline::plan::{Decision, Source, Verdict};
use ebbline::{Error, PlanOptions};

use super::{Action, Context, Course, Moment, Next, Order, Passed, WithoutSummary};
use crate::compaction::Cause;
use crate::context_size::excess;
use crate::error::{CompactorError, failure};
use crate::options::Author;

impl Course {
    /// Before a request; `left` is what the newest compaction left.
    ///
    /// # Errors
    ///
    /// As [`Context::plan`].
    pub fn before_request(
        &mut self,
        seen: &mut impl Context,
        idle: Option<u64>,
        left: Option<u64>,
    ) -> Result<Action, Error> {
        self.recent.left = left;
        let quick = self.decide(seen, idle);
        self.recent.fits = excess(&quick, 0).is_none();
        let cautious = self.cautious(seen, &quick);
        self.sends(seen);
        self.recent.is_reported = quick.trigger.source == Source::Reported;
        if self.recent.is_reported {
            self.reports.covers_sent();
        }
        let overhead = quick.trigger.overhead.unwrap_or(0);
        // What is sent beside the messages is an obstacle of its own, if it alone fills the window.
        let is_over = self.call.target.is_none()
            && !self.recent.fits
            && seen.window().is_some_and(|window| overhead < window);
        if self.may_decide() && is_over {
            self.next = Some(Next::Fit { idle, cautious });
            return Ok(Action::MeasureFixed);
        }
        self.fit(seen, idle, cautious, quick)
    }

    /// So many tokens have system messages and what is pinned, which no compaction makes smaller.
    ///
    /// # Errors
    ///
    /// As [`Self::before_request`].
    pub fn fixed(&mut self, seen: &mut impl Context, alone: u64, has_pins: bool) -> Result<Action, Error> {
        let Some(Next::Fit { idle, cautious }) = self.next.take() else { return Ok(Action::Send) };
        let quick = self.decide(seen, idle);
        if let Some(error) = self.fills_window(&quick, alone, has_pins) {
            return Ok(Action::GiveUp(error));
        }
        let quick = self.decide(seen, idle);
        self.fit(seen, idle, cautious, quick)
    }

    fn fills_window(&mut self, decision: &Decision, alone: u64, has_pins: bool) -> Option<CompactorError> {
        let overhead = decision.trigger.overhead.unwrap_or(0);
        let window = decision.trigger.context?.get();
        let head = alone + overhead;
        // What was only learnt must not end a session: the provider says whether it is true.
        if head < window || alone < window && self.reports.doubts() {
            return None;
        }
        let what = if has_pins { "System messages and what is pinned" } else { "System messages" };
        let beside = if overhead > 0 { ", with what is sent beside the messages," } else { "" };
        let sentence = format!("{what}{beside} take {head} tokens, and the context window has {window}.");
        Some(failure("head_fills_window", sentence))
    }

    fn fit(
        &mut self,
        seen: &mut impl Context,
        idle: Option<u64>,
        cautious: Option<u64>,
        mut quick: Decision,
    ) -> Result<Action, Error> {
        let cautious = cautious.filter(|_| self.call.target.is_none());
        let mut options = self.aimed(seen, false, idle);
        if self.call.target.is_some() {
            quick = seen.decide(options);
        }
        let (may_decide, mut size) = (self.may_decide(), None);
        if may_decide && !quick.trigger.fires && cautious.is_some() {
            let unsure = options.known_tokens(cautious);
            let decision = seen.decide(unsure);
            // What may be too large is no reason to give up.
            if decision.verdict != Verdict::Refuse {
                (options, quick, size) = (unsure, decision, cautious);
            }
        }
        if may_decide && is_pressing(&quick) {
            let order = Order { options, cause: Cause::Full, is_allowed: false };
            return Ok(self.passes(order, Next::Full { idle, cautious: size }));
        }
        self.fitted(seen, idle, size, Some((options, quick)))
    }

    /// Asks for passes, and remembers what comes then.
    pub(super) fn passes(&mut self, order: Order, next: Next) -> Action {
        self.next = Some(next);
        Action::Pass(order)
    }

    /// What came of passes.
    ///
    /// # Errors
    ///
    /// As [`Self::before_request`].
    pub fn passed(&mut self, seen: &mut impl Context, passed: Passed) -> Result<Action, Error> {
        let next = self.next.take();
        match passed {
            Passed::Nothing => {}
            Passed::Forbidden => return Ok(Action::Send),
            Passed::Made(size) => {
                // A size that stands for a target is none of the context.
                let size = size.filter(|_| self.call.target.is_none());
                (self.recent.size, self.recent.has_passed) = (size, true);
            }
        }
        match next {
            Some(Next::Full { idle, cautious }) => self.fitted(seen, idle, cautious, None),
            Some(Next::Triggered { idle }) => self.triggered_now(seen, idle),
            Some(Next::Forced { cause, idle }) => self.forced_now(seen, cause, idle),
            _ => Ok(Action::Send),
        }
    }

    /// Once passes are made; `cautious` is the size to decide by if there were none. `quick` is what was decided, if nothing is known
    /// that it was not decided by.
    fn fitted(
        &mut self,
        seen: &mut impl Context,
        idle: Option<u64>,
        cautious: Option<u64>,
        quick: Option<(PlanOptions, Decision)>,
    ) -> Result<Action, Error> {
        let may_decide = self.may_decide();
        let (options, mut decision) = quick.unwrap_or_else(|| {
            let mut options = self.aimed(seen, false, idle);
            if cautious.is_some() && !self.recent.has_passed {
                options = options.known_tokens(cautious);
            }
            (options, seen.decide(options))
        });
        let is_pressed = may_decide && is_pressing(&decision);
        if is_pressed {
            decision = seen.plan(options)?;
        }
        let step = self.controller.before_request(&decision);
        let order = Order { options, cause: Cause::Full, is_allowed: false };
        // Nobody is asked for a summary now, although one is wanted.
        let lacks = is_pressed && matches!(step, Step::Send | Step::Prune) && decision.retain.applied;
        if lacks && self.author != Author::Nobody {
            return self.without_summary(seen, order, step, Moment::Request { idle });
        }
        self.follow(seen, step, order, Moment::Request { idle })
    }

    /// Does what the controller says; if that is nothing before a request, the caller's own trigger is tested.
    pub(super) fn follow(
        &mut self,
        seen: &mut impl Context,
        step: Step,
        order: Order,
        moment: Moment,
    ) -> Result<Action, Error> {
        if step == Step::Summarize && self.author == Author::Later && !self.call.has_model {
            let step = self.answer(Answer::Nobody)?;
            return self.without_summary(seen, order, step, moment);
        }
        Ok(match (step, moment) {
            // Whoever names a target gets what there is.
            (Step::GiveUp, _) if self.call.target.is_some() && order.cause != Cause::Overflow => Action::Send,
            (Step::GiveUp, _) => self.gives_up(seen),
            (Step::Summarize, _) => Action::Summarize(order),
            (Step::Prune, _) => Action::Prune(order),
            (Step::Send | Step::Commit, Moment::Request { idle }) if self.may_decide() => {
                self.triggered(seen, idle)
            }
            (Step::Send | Step::Commit, _) => Action::Send,
        })
    }

    /// Does the rest of what is done without a summary.
    pub(super) fn rest(
        &mut self,
        seen: &mut impl Context,
        WithoutSummary { prune, order, step, moment }: WithoutSummary,
    ) -> Result<Action, Error> {
        match prune {
            Some(order) => Ok(Action::PruneAlone(order)),
            None => self.follow(seen, step, order, moment),
        }
    }

    /// Compacts if the caller's own trigger holds.
    fn triggered(&mut self, seen: &mut impl Context, idle: Option<u64>) -> Action {
        let Some(trigger) = &self.trigger else { return Action::Send };
        let decision = self.decide(seen, idle);
        let (messages, turns) = seen.counts();
        let mut facts = Facts::default();
        facts.tokens = decision.tokens_before;
        facts.window = decision.trigger.context.map(|context| context.get());
        (facts.messages, facts.turns) = (messages as u64, turns as u64);
        (facts.idle, facts.left) = (idle, self.recent.left);
        if !trigger.holds(&facts) {
            return Action::Send;
        }
        let options = self.aimed(seen, true, idle);
        let order = Order { options, cause: Cause::Triggered, is_allowed: false };
        self.passes(order, Next::Triggered { idle })
    }

    fn triggered_now(&mut self, seen: &mut impl Context, idle: Option<u64>) -> Result<Action, Error> {
        let options = self.aimed(seen, true, idle);
        let step = self.controller.compact_now(&seen.plan(options)?);
        let order = Order { options, cause: Cause::Triggered, is_allowed: false };
        self.follow(seen, step, order, Moment::Other)
    }
}

/// Whether the context may need something, so that the whole of it is read.
fn is_pressing(decision: &Decision) -> bool {
    decision.changes_something() || decision.trigger.fires
}
