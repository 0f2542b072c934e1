//! When a compaction does not depend on the size of the context: after an overflow, or when somebody asks.

use ebbline::Error;
use ebbline::controller::{Obstacle, Step};
use ebbline::overflow::window_learnt;

use super::{Action, Context, Course, Moment, Next, Order};
use crate::compaction::Cause;
use crate::context_size::size_of;
use crate::overflow::LearntWindow;

impl Course {
    /// After an overflow, or when somebody asks.
    pub fn forced(&mut self, seen: &mut impl Context, cause: Cause, idle: Option<u64>) -> Action {
        self.recent.fits = false;
        let options = self.aimed(seen, true, idle);
        self.passes(Order { options, cause, is_allowed: false }, Next::Forced { cause, idle })
    }

    pub(super) fn forced_now(
        &mut self,
        seen: &mut impl Context,
        cause: Cause,
        idle: Option<u64>,
    ) -> Result<Action, Error> {
        let options = self.aimed(seen, true, idle);
        let decision = seen.plan(options)?;
        let is_overflow = cause == Cause::Overflow;
        let step = if is_overflow {
            self.controller.after_overflow(&decision)
        } else {
            self.controller.compact_now(&decision)
        };
        // What passes made smaller is worth another request, though nothing else gives way.
        let is_smaller = is_overflow
            && self.recent.has_passed
            && step == Step::GiveUp
            && self.controller.obstacle() == Some(Obstacle::NothingToCompact);
        if is_smaller {
            return Ok(Action::Send);
        }
        let order = Order { options, cause, is_allowed: false };
        self.follow(seen, step, order, Moment::Other)
    }

    /// The provider refused what was sent, and the model sees all of it from now on.
    pub fn overflows(&mut self) {
        self.recent.fits = false;
        self.reports.sees_all();
    }

    /// Learns from an overflow how large the window is: as the provider `named` it, or smaller than what it refused. Only usage says
    /// what is sent beside the messages. Returns the window to go on with, if it is another one.
    pub fn learn(&mut self, seen: &mut impl Context, named: Option<u64>) -> Option<u64> {
        let decision = self.decide(seen, None);
        let known = decision.trigger.context.map(|context| context.get());
        let window = window_learnt(named, size_of(&decision), known)?;
        let told = self.learnt.map_or(known, |learnt| learnt.told);
        self.learnt = Some(LearntWindow { window, told });
        self.other_policy();
        Some(window)
    }

    /// Goes on with a window that an earlier compactor learnt, if the caller says the same of the model as then. Returns whether it
    /// does.
    pub fn remember(&mut self, learnt: LearntWindow, told: Option<u64>) -> bool {
        let is_same = learnt.told == told;
        if is_same {
            self.learnt = Some(learnt);
        }
        is_same
    }

    /// What was cancelled, or failed in the caller's own code: if an overflow was its cause, the next one is the first one.
    pub fn recovered_from_nothing(&mut self, cause: Cause) {
        if cause == Cause::Overflow {
            self.controller.answered();
        }
    }
}
