//! How a provider's refusal of a request as too large is heeded.

use ebbline::overflow::window_learnt;
use ebbline::transcript::PartKind;

use super::pending::Task;
use super::state::State;
use crate::compaction::Cause;
use crate::context_size::size_of;
use crate::error::{CompactorError, failure};
use crate::event::Event;
use crate::overflow::{LearntWindow, Refusal};
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

    /// Learns from an overflow how large the window is: as the provider said, or smaller than what it refused.
    pub(super) fn learn(&mut self, named: Option<u64>) -> Result<(), CompactorError> {
        let decision = self.decide(None);
        let known = decision.trigger.context.map(|context| context.get());
        let Some(window) = window_learnt(named, size_of(&decision), known) else { return Ok(()) };
        let told = self.learnt.map_or(known, |learnt| learnt.told);
        self.learnt = Some(LearntWindow { window, told });
        self.live.narrow(window)?;
        self.size_after_passes = None;
        self.reports.sees_all();
        Ok(())
    }

    /// Goes on with the window that an earlier compactor learnt, if the caller says the same of the model as then.
    pub(super) fn remember(&mut self) -> Result<(), CompactorError> {
        let Some(learnt) = self.record.as_ref().and_then(|record| record.learnt) else { return Ok(()) };
        if learnt.told == self.live.policy().model.context.map(|context| context.get()) {
            self.learnt = Some(learnt);
            self.live.narrow(learnt.window)?;
        }
        Ok(())
    }

    /// Sends fewer images: the newest half of them, and at most [`MOST_IMAGES`]. One of these may be the one that is too large,
    /// so the next refusal halves them again.
    pub(super) fn without_images(
        &mut self,
        focus: Option<String>,
        now: Option<u64>,
    ) -> Result<Step, CompactorError> {
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
        let options = self.plan_options(true, None);
        let plan = messages.session.plan_with(&policy, options);
        let task = Task { messages, plan, cause: Cause::Overflow, now, options };
        self.carry_out(ebbline::controller::Step::Prune, task, focus)
    }
}
