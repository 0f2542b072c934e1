//! What a provider's refusal teaches, and how it is heeded.

use ebbline::json::Document;
use ebbline::overflow::{Failure as Failed, FailureKind, Limits, Rules, classify, window_learnt};
use ebbline::transcript::PartKind;

use super::carrying::Task;
use super::cause::Cause;
use super::size::size_of;
use super::work::Work;
use crate::bindings::api::Failure;
use crate::failure::failure;

/// The most images that stay after a provider refused them.
const MOST_IMAGES: usize = 4;

/// What a refusal says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refusal {
    /// The window that it names.
    pub(crate) named: Option<u64>,
    /// Whether it is about images or bytes.
    pub(crate) is_of_media: bool,
}

/// A window that was learnt, and the one that the caller had said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Learnt {
    pub(crate) window: u64,
    pub(crate) told: Option<u64>,
}

impl Work {
    /// Takes the provider's refusal: its words, or the error as JSON, with its words as `message`.
    pub(crate) fn overflowed(&mut self, words: &str) {
        let document = Document::parse(words).ok().filter(|document| document.root().is_object());
        let root = document.as_ref().map(Document::root);
        let failed = root.map_or_else(|| Failed::of_text(words), Failed::read);
        let found = classify(&failed, Rules::Union, Limits::default());
        let message =
            root.and_then(|root| root.text_of("message")).map(|message| message.decode().into_owned());
        self.told.overflow(message.as_deref().unwrap_or(words));
        self.refusal = Some(Refusal {
            named: found.evidence.and_then(|evidence| evidence.window),
            is_of_media: matches!(found.kind, FailureKind::MediaLimit | FailureKind::PayloadTooLarge),
        });
    }

    /// Learns from an overflow how large the window is: as the provider said, or smaller than what it refused.
    pub(super) fn learn(&mut self, named: Option<u64>) -> Result<(), Failure> {
        let decision = self.decide(None);
        let known = decision.trigger.context.map(|context| context.get());
        let Some(window) = window_learnt(named, size_of(&decision), known) else { return Ok(()) };
        let told = self.learnt.map_or(known, |learnt| learnt.told);
        self.learnt = Some(Learnt { window, told });
        self.live.narrow(window)?;
        self.reports.sees_all();
        Ok(())
    }

    /// Goes on with the window that an earlier compactor learnt, if the caller says the same of the model as then.
    pub(super) fn remember(&mut self) -> Result<(), Failure> {
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
    ) -> Result<Option<String>, Failure> {
        let whole = self.live.whole()?;
        let transcript = whole.session.transcript();
        let messages = transcript.messages().iter().enumerate().filter(|(_, message)| message.active);
        let parts = messages.flat_map(|(index, _)| transcript.parts_of(index));
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
        let options = self.asked(true, None);
        let plan = whole.session.plan_with(&policy, options);
        let task = Task { whole, plan, cause: Cause::Overflow, now, options };
        self.carry_out(ebbline::controller::Step::Prune, task, focus)
    }
}
