//! Passes: what gives way before the boundary is drawn, as a change of its own. So what is decided afterwards is decided on messages
//! that exist, by the same code as ever.

use std::ops::ControlFlow;

use ebbline::binding;

use super::execution::permission;
use super::pending::{HeldPasses, Task, Waiting};
use super::state::State;
use crate::course::{Order, Passed};
use crate::error::CompactorError;
use crate::event::Event;
use crate::step::Step;

impl State {
    /// Makes the passes that are due. The call goes on, unless the caller is asked for something first.
    pub(super) fn pass(
        &mut self,
        Order { options, cause, is_allowed }: Order,
    ) -> Result<ControlFlow<Step, Passed>, CompactorError> {
        if !binding::has_passes(self.live.policy()) {
            return Ok(ControlFlow::Continue(Passed::Nothing));
        }
        let messages = self.live.joined()?;
        let known = self.live.with_known_overhead(options);
        let Some((plan, size)) = binding::plan_of_passes(&messages.session, self.live.policy(), known) else {
            return Ok(ControlFlow::Continue(Passed::Nothing));
        };
        let task = Task { messages, plan, cause, now: self.info.now, options, is_allowed };
        if self.options.asks_permission {
            let question = permission(false, &task);
            self.waiting = Some(Waiting::Passes { task, size });
            return Ok(ControlFlow::Break(question));
        }
        self.make_passes(&task, size)
    }

    /// Makes passes that are allowed, and what comes then; nothing if they are not.
    pub(super) fn allow_passes(
        &mut self,
        is_allowed: bool,
        task: &Task,
        size: Option<u64>,
    ) -> Result<Step, CompactorError> {
        if !is_allowed {
            return self.passed(Passed::Forbidden);
        }
        match self.make_passes(task, size)? {
            ControlFlow::Break(step) => Ok(step),
            ControlFlow::Continue(passed) => self.passed(passed),
        }
    }

    fn make_passes(
        &mut self,
        task: &Task,
        size: Option<u64>,
    ) -> Result<ControlFlow<Step, Passed>, CompactorError> {
        let mut pending = self.draw(task, None, None)?;
        pending.passes = Some(size);
        let step = self.make(pending)?;
        Ok(if step.is_send() { ControlFlow::Continue(Passed::Made(size)) } else { ControlFlow::Break(step) })
    }

    /// What comes once it is known what came of passes.
    pub(super) fn passed(&mut self, passed: Passed) -> Result<Step, CompactorError> {
        let (course, mut seen) = self.course();
        let action = course.passed(&mut seen, passed)?;
        self.follow(action)
    }

    /// Tells of the passes of the call that is running: it has ended, or something else was compacted after them.
    pub(crate) fn tell_passes(&mut self) {
        if let Some(HeldPasses { compaction, .. }) = self.held.take() {
            self.course.ends(false);
            self.events.tell(Event::Compacted(compaction));
        }
    }

    /// Takes back what passes did in a call that is cancelled.
    pub(super) fn take_passes_back(&mut self) {
        if let Some(HeldPasses { live, undone, .. }) = self.held.take() {
            self.view.drop_newest(undone);
            self.live = live;
            self.course.ends(true);
        }
    }
}
