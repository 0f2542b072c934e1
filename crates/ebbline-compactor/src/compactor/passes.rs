//! Passes: what gives way before the boundary is drawn, as a change of its own. So what is decided afterwards is decided on messages
//! that exist, by the same code as ever.

use std::ops::ControlFlow;

use ebbline::controller;
use ebbline::{PlanOptions, binding};

use super::execution::permission;
use super::pending::{Continuation, HeldPasses, PassResult, Task, Waiting};
use super::state::State;
use crate::compaction::Cause;
use crate::error::CompactorError;
use crate::event::Event;
use crate::step::Step;

impl State {
    /// Makes the passes that are due. The call goes on, unless the caller is asked for something first.
    pub(super) fn pass(
        &mut self,
        options: PlanOptions,
        cause: Cause,
        now: Option<u64>,
        then: Continuation,
    ) -> Result<ControlFlow<Step>, CompactorError> {
        self.size_after_passes = None;
        if !binding::has_passes(self.live.policy()) {
            return Ok(ControlFlow::Continue(()));
        }
        let messages = self.live.joined()?;
        let known = self.live.with_known_overhead(options);
        let Some((plan, size)) = binding::plan_of_passes(&messages.session, self.live.policy(), known) else {
            return Ok(ControlFlow::Continue(()));
        };
        let (task, result) = (Task { messages, plan, cause, now, options }, PassResult { size });
        if self.options.asks_permission {
            let question = permission(controller::Step::Prune, &task);
            self.waiting = Some(Waiting::Passes { task, result, then });
            return Ok(ControlFlow::Break(question));
        }
        self.make_passes(&task, result, then)
    }

    /// Makes passes that are allowed, and what comes then; nothing if they are not.
    pub(super) fn allow_passes(
        &mut self,
        is_allowed: bool,
        task: &Task,
        result: PassResult,
        then: Continuation,
    ) -> Result<Step, CompactorError> {
        if !is_allowed {
            return Ok(Step::Send);
        }
        match self.make_passes(task, result, then.clone())? {
            ControlFlow::Break(step) => Ok(step),
            ControlFlow::Continue(()) => self.go_on(then),
        }
    }

    fn make_passes(
        &mut self,
        task: &Task,
        result: PassResult,
        then: Continuation,
    ) -> Result<ControlFlow<Step>, CompactorError> {
        let mut pending = self.draw(task, None, false)?;
        pending.passes = Some(result);
        let step = self.make(pending)?;
        if step.is_send() {
            return Ok(ControlFlow::Continue(()));
        }
        if let Some(Waiting::Storage(wait)) = &mut self.waiting {
            wait.then = Some(then);
        }
        Ok(ControlFlow::Break(step))
    }

    /// What comes once something is stored or allowed.
    pub(super) fn go_on(&mut self, then: Continuation) -> Result<Step, CompactorError> {
        match then {
            Continuation::TakenOver(info) => self.after_taking_over(true, info),
            Continuation::Full { info, cautious } => self.fit_after_passes(info, cautious),
            Continuation::Triggered(info) => self.triggered_after_passes(info),
            Continuation::Forced { cause, info } => self.forced_after_passes(cause, info),
        }
    }

    /// Takes passes down that were made: nobody hears of them until it is certain that they stay.
    pub(super) fn hold_passes(&mut self, passes: HeldPasses, result: PassResult) {
        self.size_after_passes = result.size;
        self.held = Some(passes);
    }

    /// Tells of the passes of the call that is running: it has ended, or something else was compacted after them.
    pub(crate) fn tell_passes(&mut self) {
        if let Some(HeldPasses { compaction, .. }) = self.held.take() {
            self.events.tell(Event::Compacted(compaction));
        }
    }

    /// Takes back what passes did in a call that is cancelled.
    pub(super) fn take_passes_back(&mut self) {
        if let Some(HeldPasses { live, undone, .. }) = self.held.take() {
            self.view.drop_newest(undone);
            self.live = live;
            self.size_after_passes = None;
        }
    }
}
