//! What the provider reports of requests.

use ebbline_wasm_shared::{known, or_negative};
use wasm_bindgen::prelude::*;

use crate::ledger::Ledger;

/// What was learnt from reports. What is not known is negative.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Reports {
    inner: ebbline::controller::Reports,
}

#[wasm_bindgen]
impl Reports {
    /// Before any report: what the caller says is sent beside the messages, and what is remembered of it.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(given: f64, remembered: f64) -> Self {
        Self { inner: ebbline::controller::Reports::new(known(given), known(remembered)) }
    }

    /// Says that the ledger's messages are sent. `is_reported`: they report usage themselves.
    pub fn sends(&mut self, ledger: &mut Ledger, is_reported: bool) {
        let (estimate, certain) = ledger.estimates();
        self.inner.sends(estimate, certain);
        if is_reported {
            self.inner.covers_sent();
        }
    }

    /// Learns from the tokens that are reported, and from those that the provider cleared.
    pub fn learn(&mut self, reported: f64, cleared: f64, ledger: &Ledger) {
        self.inner.learn(reported as u64, known(cleared), ledger.window());
    }

    /// Says that a compaction made messages of one estimate those of another.
    pub fn changes(&mut self, before: f64, after: f64) {
        self.inner.changes(before as u64, after as u64);
    }

    /// Says that the model sees all that is sent.
    #[wasm_bindgen(js_name = seesAll)]
    pub fn sees_all(&mut self) {
        self.inner.sees_all();
    }

    /// Takes back what was learnt of the overhead; whether there was anything.
    pub fn doubts(&mut self) -> bool {
        self.inner.doubts()
    }

    /// The tokens that are sent beside the messages.
    #[must_use]
    pub fn overhead(&self, ledger: &Ledger) -> f64 {
        or_negative(self.inner.overhead(ledger.window()))
    }

    /// How many tokens fewer than estimated the model sees.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn unseen(&self) -> f64 {
        self.inner.unseen() as f64
    }

    /// The size to decide by where the context of the ledger's messages may not fit; negative if it fits all the same.
    #[must_use]
    pub fn cautious(&self, size: f64, reclaimed: f64, threshold: f64, ledger: &mut Ledger) -> f64 {
        let (_, certain) = ledger.estimates();
        let [size, reclaimed, threshold] = [size, reclaimed, threshold].map(|tokens| tokens as u64);
        or_negative(self.inner.cautious(size, reclaimed, certain, ledger.window(), threshold))
    }
}
