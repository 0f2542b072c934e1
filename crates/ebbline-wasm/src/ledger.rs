//! The growing session: messages come as records, decisions leave as numbers.
//!
//! A decision is [`FIGURES`] doubles at [`Ledger::figures`], read through a view of the module's memory. Words
//! (verdict, reasons, source) are indices into the lists of [`decision_words`]; a place that does not exist is -1.

use ebbline::{Decision, PlanOptions, Source, Verdict, VerdictReason};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::error::EbblineError;
use crate::policy::Policy;
use crate::report::to_json;

/// How many figures a decision is.
const FIGURES: usize = 27;

const VERDICTS: [Verdict; 6] = [
    Verdict::Noop,
    Verdict::Defer,
    Verdict::Refuse,
    Verdict::Prune,
    Verdict::Summarise,
    Verdict::PruneThenSummarise,
];

const REASONS: [VerdictReason; 11] = [
    VerdictReason::Empty,
    VerdictReason::Disabled,
    VerdictReason::TooFewTurns,
    VerdictReason::NothingToPrune,
    VerdictReason::BelowMinimum,
    VerdictReason::OutputsBeyondProtection,
    VerdictReason::BelowThreshold,
    VerdictReason::OverThreshold,
    VerdictReason::Forced,
    VerdictReason::HistoryBelowKeep,
    VerdictReason::NoValidBoundary,
];

const SOURCES: [Source; 4] = [Source::Estimate, Source::Reported, Source::Known, Source::Nothing];

#[derive(Serialize)]
struct Words {
    schema: &'static str,
    verdicts: [Verdict; 6],
    reasons: [VerdictReason; 11],
    sources: [Source; 4],
}

/// The words that figures are indices of, as JSON: `{schema, verdicts, reasons, sources}`.
#[wasm_bindgen(js_name = decisionWords)]
#[must_use]
pub fn decision_words() -> String {
    to_json(&Words { schema: ebbline::SCHEMA, verdicts: VERDICTS, reasons: REASONS, sources: SOURCES })
}

/// A session that grows under one policy.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Ledger {
    inner: ebbline::Ledger,
    figures: Box<[f64; FIGURES]>,
}

#[wasm_bindgen]
impl Ledger {
    /// A ledger without messages.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(policy: &Policy) -> Self {
        Self { inner: ebbline::Ledger::new(&policy.inner), figures: Box::new([0.0; FIGURES]) }
    }

    /// Registers the next tool that records will number: the first is number 1.
    pub fn tool(&mut self, name: &str) {
        self.inner.tool(name);
    }

    /// Adds messages.
    ///
    /// # Errors
    ///
    /// `mismatch` when the words are no records.
    pub fn push(&mut self, words: &[u32]) -> Result<(), EbblineError> {
        Ok(self.inner.push(words)?)
    }

    /// Forgets all but the first `messages` messages.
    pub fn truncate(&mut self, messages: usize) {
        self.inner.truncate(messages);
    }

    /// Where the figures of the decision made last lie in the module's memory, as doubles. They never move.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn figures(&self) -> usize {
        self.figures.as_ptr() as usize
    }

    /// Decides; the figures then hold the decision.
    pub fn decide(&mut self, force: bool, known_tokens: f64) {
        let decision = self.inner.decide(options(force, known_tokens));
        *self.figures = figures(&decision);
    }

    /// The parts whose place the placeholder takes, as pairs of message and part, in their order.
    #[must_use]
    pub fn pruned(&self, force: bool, known_tokens: f64) -> Vec<u32> {
        let plan = self.inner.plan(options(force, known_tokens));
        let mut pairs = Vec::new();
        for (message, planned) in plan.messages.iter().enumerate() {
            for (part, _) in planned.parts.iter().enumerate().filter(|(_, part)| part.is_pruned()) {
                pairs.extend([message as u32, part as u32]);
            }
        }
        pairs
    }

    /// The whole plan, as JSON.
    #[must_use]
    pub fn plan(&self, force: bool, known_tokens: f64) -> String {
        self.inner.plan(options(force, known_tokens)).to_json()
    }
}

fn options(force: bool, known_tokens: f64) -> PlanOptions {
    PlanOptions { force, known_tokens: known_tokens as u64 }
}

fn figures(decision: &Decision) -> [f64; FIGURES] {
    let Decision { trigger, prune, retain, .. } = decision;
    let flag = |flag: bool| f64::from(u8::from(flag));
    let amount = |amount: u64| amount as f64;
    let place = |place: Option<usize>| place.map_or(-1.0, |place| place as f64);
    let word = |found: Option<usize>| place(found);
    let reason = |reason| word(REASONS.iter().position(|word| *word == reason));
    [
        word(VERDICTS.iter().position(|word| *word == decision.verdict)),
        reason(decision.reason),
        amount(decision.tokens_before),
        amount(decision.tokens_after),
        flag(decision.fits),
        amount(decision.summary_allowance),
        amount(trigger.context),
        amount(trigger.threshold),
        amount(trigger.tokens),
        word(SOURCES.iter().position(|word| *word == trigger.source)),
        flag(trigger.fires),
        flag(prune.applied),
        reason(prune.reason),
        place(prune.boundary.map(|boundary| boundary.message)),
        place(prune.boundary.map(|boundary| boundary.part)),
        amount(prune.counted),
        amount(prune.candidates),
        prune.outputs as f64,
        amount(prune.reclaimed),
        flag(retain.applied),
        reason(retain.reason),
        place(retain.proposed),
        place(retain.boundary),
        place(retain.split_turn),
        amount(retain.kept),
        amount(retain.summarised),
        retain.messages as f64,
    ]
}
