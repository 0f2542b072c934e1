//! What came of a summary, and how a session does without one.

use ebbline::Error;
use ebbline::controller::{Answer, Step};

use super::{Action, Context, Course, Moment, Next, Order, WithoutSummary};
use crate::compaction::Cause;
use crate::context_size::{excess, reclaimed_by};
use crate::options::Fallback;

impl Course {
    /// There is a summary, and its plan is carried out.
    ///
    /// # Errors
    ///
    /// `mismatch` if none was asked for.
    pub fn accepted(&mut self) -> Result<(), Error> {
        self.answer(Answer::Accepted).map(|_| ())
    }

    /// The summary is no longer wanted, or the caller forbids it.
    ///
    /// # Errors
    ///
    /// `mismatch` if none was asked for.
    pub fn cancelled(&mut self) -> Result<(), Error> {
        self.answer(Answer::Cancelled).map(|_| ())
    }

    /// There is no summary, and nobody goes on without it.
    ///
    /// # Errors
    ///
    /// `mismatch` if none was asked for.
    pub fn failed_for_good(&mut self) -> Result<(), Error> {
        self.answer(Answer::Failed).map(|_| ())
    }

    /// There is no summary of what was ordered.
    ///
    /// # Errors
    ///
    /// `mismatch` if none was asked for; as [`Context::plan`].
    pub fn failed(&mut self, seen: &mut impl Context, order: Order) -> Result<Action, Error> {
        let step = self.answer(Answer::Failed)?;
        self.without_summary(seen, Order { is_allowed: true, ..order }, step, Moment::Other)
    }

    /// Does without the summary that is wanted: as if nobody wrote summaries, or with one by rule where that does not fit. If neither
    /// changes anything, `step` is done.
    pub(super) fn without_summary(
        &mut self,
        seen: &mut impl Context,
        order: Order,
        step: Step,
        moment: Moment,
    ) -> Result<Action, Error> {
        let Order { mut options, cause, .. } = order;
        let mut alone = seen.plan_without_summary(options)?;
        if cause == Cause::Full
            && options.known_tokens.is_none()
            && !alone.trigger.fires
            && let Some(cautious) = self.cautious(seen, &alone)
        {
            options = options.known_tokens(cautious.max(1));
            alone = seen.plan_without_summary(options)?;
        }
        let is_beyond = self.call.target.is_some() && alone.trigger.fires;
        let is_full = is_beyond || cause == Cause::Overflow || excess(&alone, reclaimed_by(&alone)).is_some();
        let is_wanted = match self.fallback {
            Fallback::Always => true,
            Fallback::WhenFull => is_full,
            Fallback::Never => false,
        };
        let prune = alone.changes_something().then_some(Order { options, ..order });
        let rest = WithoutSummary { prune, order, step, moment };
        if is_wanted {
            self.next = Some(Next::Rule(rest));
            return Ok(Action::SummarizeByRule(order, alone.tokens_after));
        }
        self.rest(seen, rest)
    }

    /// No summary by rule can be had, or it leaves no less than pruning alone does.
    ///
    /// # Errors
    ///
    /// As [`Self::failed`].
    pub fn without_rule(&mut self, seen: &mut impl Context) -> Result<Action, Error> {
        match self.next.take() {
            Some(Next::Rule(rest)) => self.rest(seen, rest),
            _ => Ok(Action::Send),
        }
    }

    /// A compaction made messages of `before` tokens those that are `seen` now; `is_summary`: with a summary that a model wrote. Returns
    /// their tokens.
    pub fn committed(&mut self, seen: &mut impl Context, cause: Cause, before: u64, is_summary: bool) -> u64 {
        self.recent.size = None;
        let (after, _) = seen.estimates();
        self.reports.changes(before, after);
        self.recent.left = Some(after);
        if cause == Cause::Asked {
            self.controller.answered();
        } else {
            self.sends(seen);
        }
        if is_summary {
            self.controller.committed(before, after);
        }
        after
    }
}
