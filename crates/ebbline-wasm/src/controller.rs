//! The controller: when a live session is compacted.

use ebbline::controller::{Answer, Facts, Settings, Trigger};
use ebbline_wasm_shared::{EbblineError, known};
use wasm_bindgen::prelude::*;

use crate::ledger::Ledger;

/// Says when an agent compacts. Steps and obstacles leave as their words.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Controller {
    inner: ebbline::controller::Controller,
}

#[wasm_bindgen]
impl Controller {
    /// A controller that continues from the figures of a state; without any, one of an agent that has not sent anything.
    ///
    /// # Errors
    ///
    /// `mismatch` when the state is none.
    #[wasm_bindgen(constructor)]
    pub fn new(auto: bool, failures: u32, cooldown: u32, state: &[f64]) -> Result<Controller, EbblineError> {
        let mut settings = Settings::default();
        (settings.auto, settings.failures, settings.cooldown) = (auto, failures, cooldown);
        Ok(Self { inner: ebbline::binding::controller_of(settings, state)? })
    }

    /// What the controller remembers, as figures.
    #[must_use]
    pub fn state(&self) -> Vec<f64> {
        ebbline::binding::controller_figures(&self.inner).to_vec()
    }

    /// Whether a compaction was taken back, so that none is made unasked.
    #[wasm_bindgen(getter, js_name = isHeld)]
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.inner.state().held
    }

    /// The number of the newest summary that was asked for.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn asked(&self) -> f64 {
        self.inner.state().asked as f64
    }

    /// Why the last step was `give_up`.
    #[must_use]
    pub fn obstacle(&self) -> Option<String> {
        self.inner.obstacle().map(|obstacle| obstacle.to_string())
    }

    /// The step before a request, by the decision that the ledger made last.
    #[wasm_bindgen(js_name = beforeRequest)]
    pub fn before_request(&mut self, ledger: &Ledger) -> String {
        self.inner.before_request(ledger.decision()).to_string()
    }

    /// The step when somebody asks for a compaction, by a forced decision.
    #[wasm_bindgen(js_name = compactNow)]
    pub fn compact_now(&mut self, ledger: &Ledger) -> String {
        self.inner.compact_now(ledger.decision()).to_string()
    }

    /// The step after an overflow, by a forced decision.
    #[wasm_bindgen(js_name = afterOverflow)]
    pub fn after_overflow(&mut self, ledger: &Ledger) -> String {
        self.inner.after_overflow(ledger.decision()).to_string()
    }

    /// The step after what came of the request for a summary.
    ///
    /// # Errors
    ///
    /// `mismatch` if the controller does not wait for this summary.
    pub fn answer(&mut self, summary: f64, answer: &str) -> Result<String, EbblineError> {
        let answer = Answer::from_word(answer).unwrap_or(Answer::Failed);
        Ok(self.inner.answer(summary as u64, answer)?.to_string())
    }

    /// Reports that a plan was carried out with a summary.
    pub fn committed(&mut self, tokens_before: f64, tokens_after: f64) {
        self.inner.committed(tokens_before as u64, tokens_after as u64);
    }

    /// Reports that the provider answered.
    pub fn answered(&mut self) {
        self.inner.answered();
    }

    /// Reports that a compaction was taken back.
    pub fn undone(&mut self) {
        self.inner.undone();
    }

    /// Reports that a compaction was made again.
    pub fn redone(&mut self) {
        self.inner.redone();
    }
}

/// Whether a caller's own trigger holds ([`Trigger`]). What is not known is negative.
#[wasm_bindgen(js_name = isTriggered)]
#[must_use]
pub fn is_triggered(
    figures: &[f64],
    tokens: f64,
    window: f64,
    messages: f64,
    turns: f64,
    idle: f64,
    left: f64,
) -> bool {
    let mut facts = Facts::default();
    [facts.tokens, facts.messages, facts.turns] = [tokens, messages, turns].map(|amount| amount as u64);
    [facts.window, facts.idle, facts.left] = [window, idle, left].map(known);
    Trigger::of_figures(figures).is_some_and(|trigger| trigger.holds(&facts))
}
