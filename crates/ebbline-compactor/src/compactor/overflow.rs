//! How a provider's refusal of a request as too large is heeded.

use ebbline::transcript::PartKind;

use super::pending::Task;
use super::state::State;
use crate::compaction::Cause;
use crate::error::{CompactorError, failure};
use crate::event::Event;
use crate::overflow::Refusal;
use crate::step::Step;

/// The most images that stay after a provider refused them.
const MOST_IMAGES: usize = 4;

impl State {
    /// Takes the provider's refusal: its words, or the error as JSON, with its words as `message`.
    pub(crate) fn overflowed(&mut self, words: &str) {
        let refusal = Refusal::read(words);
        self.events.tell(Event::Overflow { message: refusal.message.clone() });
        self.refusal = Some(refusal);
    }

    /// Learns from an overflow how large the window is.
    pub(super) fn learn(&mut self, named: Option<u64>) -> Result<(), CompactorError> {
        let (course, mut seen) = self.course();
        if let Some(window) = course.learn(&mut seen, named) {
            self.live.narrow(window)?;
        }
        Ok(())
    }

    /// Goes on with the window that an earlier compactor learnt, if the caller says the same of the model as then.
    pub(super) fn remember(&mut self) -> Result<(), CompactorError> {
        let Some(learnt) = self.record.as_ref().and_then(|record| record.learnt) else { return Ok(()) };
        let told = self.live.policy().model.context.map(|context| context.get());
        if self.course.remember(learnt, told) {
            self.live.narrow(learnt.window)?;
        }
        Ok(())
    }

    /// Sends fewer images: the newest half of them, and at most [`MOST_IMAGES`]. One of these may be the one that is too large,
    /// so the next refusal halves them again.
    pub(super) fn without_images(&mut self) -> Result<Step, CompactorError> {
        let messages = self.live.joined()?;
        let transcript = messages.session.transcript();
        let active = transcript.messages().iter().enumerate().filter(|(_, message)| message.active);
        let parts = active.flat_map(|(index, _)| transcript.parts_of(index));
        let images = parts.filter(|part| part.kind == PartKind::Image).count();
        if images == 0 {
            return Err(failure(
                "no_overflow",
                "the error is about bytes or media, and there are no images to leave out",
            ));
        }
        let mut policy = self.live.policy().clone();
        let kept = MOST_IMAGES.min(images / 2).to_string();
        for (knob, value) in [
            ("prune.enabled", "true"),
            ("prune.images", kept.as_str()),
            ("prune.repeated", "false"),
            ("prune.superseded", "false"),
            ("prune.thinking", "null"),
            ("prune.arguments", "0"),
            ("prune.protect", "1000000000000"),
            ("retain.enabled", "false"),
        ] {
            policy.set(knob, value)?;
        }
        let (course, mut seen) = self.course();
        let options = course.options(&mut seen, true, None);
        let plan = messages.session.plan_with(&policy, options);
        let (cause, now) = (Cause::Overflow, self.info.now);
        self.carry_out(false, Task { messages, plan, cause, now, options, is_allowed: false })
    }
}
