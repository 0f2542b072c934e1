//! The course of a compactor's calls ([`ebbline_compactor::binding::Course`]): actions leave as numbers, and what the newest one is about
//! is read from here.

use ebbline::PlanOptions;
use ebbline::controller::Settings;
use ebbline_compactor::binding::{self, CallFacts, LearntWindow, Order, Passed};
use ebbline_compactor::{Author, Cause, CompactorError, Fallback};
use ebbline_wasm_shared::{EbblineError, known, or_negative};
use wasm_bindgen::prelude::*;

use crate::ledger::Ledger;

/// What a compactor does next ([`ebbline_compactor::binding::Action`]).
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub enum Action {
    /// Nothing: what is sent is decided.
    Send,
    /// Say how many tokens have the parts that no compaction makes smaller.
    MeasureFixed,
    /// Make the passes that come before the boundary.
    Pass,
    /// Carry the plan out without a summary.
    Prune,
    /// Carry out the plan that there is if nobody writes summaries.
    PruneAlone,
    /// Get a summary.
    Summarize,
    /// Write a summary by rule.
    SummarizeByRule,
    /// Tell the caller what is in the way.
    GiveUp,
}

/// What a compactor does, one action after the other. What is not known is negative.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Course {
    inner: binding::Course,
    order: Order,
    most: f64,
    error: Option<CompactorError>,
}

#[wasm_bindgen]
impl Course {
    /// The course of a compactor that continues from the figures of a state; without any, of one that has not sent anything.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::too_many_arguments, reason = "an object would be read member by member")]
    pub fn new(
        auto: bool,
        failures: u32,
        cooldown: u32,
        state: &[f64],
        author: &str,
        fallback: &str,
        when: Option<String>,
        overhead: f64,
        remembered: f64,
    ) -> Result<Course, EbblineError> {
        let mut settings = Settings::default();
        (settings.auto, settings.failures, settings.cooldown) = (auto, failures, cooldown);
        let controller = ebbline::binding::controller_of(settings, state)?;
        let writers = (
            Author::from_word(author).unwrap_or_default(),
            Fallback::from_word(fallback).unwrap_or_default(),
        );
        let trigger = when.map(|when| binding::trigger_of(&when)).transpose()?;
        let reports = ebbline::controller::Reports::new(known(overhead), known(remembered));
        Ok(Self {
            inner: binding::Course::new((settings, controller), writers, trigger, reports),
            order: Order { options: PlanOptions::new(), cause: Cause::Full, is_allowed: false },
            most: -1.0,
            error: None,
        })
    }

    /// What the controller remembers, as figures.
    pub fn state(&self) -> Vec<f64> {
        self.inner.state().to_vec()
    }

    /// A window that was learnt, and what the caller had said of it.
    pub fn learnt(&self) -> Option<Vec<f64>> {
        let LearntWindow { window, told } = self.inner.learnt()?;
        Some(vec![window as f64, or_negative(told)])
    }

    /// Goes on with a window that was learnt, if the caller says the same as then; whether it does.
    pub fn remember(&mut self, window: f64, told: f64, said: f64) -> bool {
        let learnt = LearntWindow { window: window as u64, told: known(told) };
        self.inner.remember(learnt, known(said))
    }

    /// What a plan is asked for with: its size, and the tokens that are sent beside the messages.
    pub fn options(&self, ledger: &mut Ledger, changed_at: f64, force: bool, idle: f64) -> Vec<f64> {
        let options = self.inner.options(&mut ledger.seen(changed_at), force, known(idle));
        vec![or_negative(options.known_tokens), or_negative(options.overhead)]
    }

    /// The milliseconds since the last request was prepared: what the caller says, or else what has passed until `now`.
    #[must_use]
    pub fn idle(&self, said: f64, now: f64) -> f64 {
        or_negative(self.inner.idle(known(said), known(now)))
    }

    /// A record was taken over, and so many messages stand behind those that it knows.
    pub fn restores(&mut self, newer: usize) {
        self.inner.restores(newer);
    }

    /// A call begins, whose history was taken; `now` is known of a request that is prepared, in milliseconds since 1970.
    pub fn begins(&mut self, now: f64, size: f64, target: f64, has_model: bool) {
        self.inner.begins(CallFacts { known: known(size), target: known(target), has_model });
        self.inner.prepares(known(now));
    }

    /// The tokens that are sent beside the messages.
    pub fn overhead(&self, ledger: &Ledger) -> f64 {
        or_negative(self.inner.overhead(ledger.window()))
    }

    /// The size of the context.
    pub fn size(&self, ledger: &mut Ledger, changed_at: f64) -> f64 {
        self.inner.size(&mut ledger.seen(changed_at)) as f64
    }

    /// Whether the context exceeds the window.
    #[wasm_bindgen(js_name = isOverWindow)]
    pub fn is_over_window(&self, ledger: &mut Ledger, changed_at: f64, idle: f64) -> bool {
        self.inner.is_over_window(&mut ledger.seen(changed_at), known(idle))
    }

    /// The event of a context that exceeds the window, as JSON; nothing if it fits.
    #[wasm_bindgen(js_name = overWindow)]
    pub fn over_window(&self, ledger: &mut Ledger, changed_at: f64) -> Option<String> {
        let (tokens, window) = self.inner.over_window(&mut ledger.seen(changed_at))?;
        Some(ebbline_compactor::Event::OverWindow { tokens, window }.to_json())
    }

    /// The history of a call was taken.
    pub fn took(&mut self, is_edited: bool, is_longer: bool) {
        self.inner.took(is_edited, is_longer);
    }

    /// The provider reported the tokens of the last request, and those that it cleared of it.
    pub fn usage(&mut self, tokens: f64, cleared: f64, ledger: &Ledger) {
        self.inner.usage(known(tokens), known(cleared), ledger.window());
    }

    /// The provider answered.
    pub fn answered(&mut self) {
        self.inner.answered();
    }

    /// Another model gets the next requests.
    pub fn switches(&mut self) {
        self.inner.switches();
    }

    /// The newest compaction was taken back, or one was made again.
    pub fn turned(&mut self, is_redo: bool, can_redo: bool) {
        self.inner.turned(is_redo, can_redo);
    }

    /// A summary is written while the agent goes on, or no longer.
    pub fn waits(&mut self, is_waiting: bool) {
        self.inner.waits(is_waiting);
    }

    /// The call has ended; its passes stay, or were taken back.
    pub fn ends(&mut self, is_taken_back: bool) {
        self.inner.ends(is_taken_back);
    }

    /// Before a request.
    #[wasm_bindgen(js_name = beforeRequest)]
    pub fn before_request(
        &mut self,
        ledger: &mut Ledger,
        changed_at: f64,
        idle: f64,
        left: f64,
    ) -> Result<Action, EbblineError> {
        let seen = &mut ledger.seen(changed_at);
        let action = self.inner.before_request(seen, known(idle), known(left))?;
        Ok(self.take(action))
    }

    /// What no compaction makes smaller has so many tokens.
    pub fn fixed(
        &mut self,
        ledger: &mut Ledger,
        changed_at: f64,
        tokens: f64,
        has_pins: bool,
    ) -> Result<Action, EbblineError> {
        let action = self.inner.fixed(&mut ledger.seen(changed_at), tokens as u64, has_pins)?;
        Ok(self.take(action))
    }

    /// Passes were made, and left a context of this size, if it is known; or there were none.
    pub fn passed(
        &mut self,
        ledger: &mut Ledger,
        changed_at: f64,
        is_made: bool,
        size: f64,
    ) -> Result<Action, EbblineError> {
        let passed = if is_made { Passed::Made(known(size)) } else { Passed::Nothing };
        let action = self.inner.passed(&mut ledger.seen(changed_at), passed)?;
        Ok(self.take(action))
    }

    /// After an overflow, or when somebody asks.
    pub fn forced(&mut self, ledger: &mut Ledger, changed_at: f64, is_overflow: bool, idle: f64) -> Action {
        let cause = if is_overflow { Cause::Overflow } else { Cause::Asked };
        let action = self.inner.forced(&mut ledger.seen(changed_at), cause, known(idle));
        self.take(action)
    }

    /// The provider refused what was sent.
    pub fn overflows(&mut self) {
        self.inner.overflows();
    }

    /// Learns from a refusal, which may name the window; the window to go on with, if it is another one.
    pub fn learn(&mut self, ledger: &mut Ledger, changed_at: f64, named: f64) -> f64 {
        or_negative(self.inner.learn(&mut ledger.seen(changed_at), known(named)))
    }

    /// An overflow was not recovered from.
    #[wasm_bindgen(js_name = recoveredFromNothing)]
    pub fn recovered_from_nothing(&mut self) {
        self.inner.recovered_from_nothing(Cause::Overflow);
    }

    /// There is a summary.
    pub fn accepted(&mut self) -> Result<(), EbblineError> {
        Ok(self.inner.accepted()?)
    }

    /// The summary is not wanted.
    pub fn cancelled(&mut self) -> Result<(), EbblineError> {
        Ok(self.inner.cancelled()?)
    }

    /// The summary of the newest order failed, and nobody wants to go on.
    #[wasm_bindgen(js_name = failedForGood)]
    pub fn failed_for_good(&mut self) -> Result<(), EbblineError> {
        Ok(self.inner.failed_for_good()?)
    }

    /// The summary of the newest order failed.
    pub fn failed(&mut self, ledger: &mut Ledger, changed_at: f64) -> Result<Action, EbblineError> {
        let order = Order { is_allowed: true, ..self.order };
        let action = self.inner.failed(&mut ledger.seen(changed_at), order)?;
        Ok(self.take(action))
    }

    /// Goes on with what was ordered before a request while a summary was written.
    pub fn resumes(&mut self, ledger: &mut Ledger, changed_at: f64, idle: f64) {
        let options = self.inner.options(&mut ledger.seen(changed_at), false, known(idle));
        self.order = Order { options, cause: Cause::Full, is_allowed: true };
    }

    /// No summary by rule can be had.
    #[wasm_bindgen(js_name = withoutRule)]
    pub fn without_rule(&mut self, ledger: &mut Ledger, changed_at: f64) -> Result<Action, EbblineError> {
        let action = self.inner.without_rule(&mut ledger.seen(changed_at))?;
        Ok(self.take(action))
    }

    /// The ledger has what a compaction left; its tokens.
    pub fn committed(
        &mut self,
        ledger: &mut Ledger,
        changed_at: f64,
        cause: &str,
        before: f64,
        is_summary: bool,
    ) -> f64 {
        let cause = Cause::from_word(cause).unwrap_or_default();
        self.inner.committed(&mut ledger.seen(changed_at), cause, before as u64, is_summary) as f64
    }

    /// Why the newest action is done.
    #[wasm_bindgen(getter)]
    pub fn cause(&self) -> String {
        self.order.cause.as_str().to_owned()
    }

    /// What its plan is asked for with: whether it is forced, its size, what is sent beside the messages, how long nothing was sent.
    #[wasm_bindgen(getter)]
    pub fn order(&self) -> Vec<f64> {
        let PlanOptions { force, known_tokens, overhead, idle, .. } = self.order.options;
        let figures = [known_tokens, overhead, idle].map(or_negative);
        std::iter::once(f64::from(force)).chain(figures).collect()
    }

    /// Whether the caller need not be asked for it.
    #[wasm_bindgen(getter, js_name = isAllowed)]
    pub fn is_allowed(&self) -> bool {
        self.order.is_allowed
    }

    /// The tokens of which a summary by rule must leave less.
    #[wasm_bindgen(getter)]
    pub fn most(&self) -> f64 {
        self.most
    }

    /// The code of what is in the way.
    #[wasm_bindgen(getter)]
    pub fn code(&self) -> Option<String> {
        self.error.as_ref().map(|error| error.code().to_owned())
    }

    /// What is in the way, as a sentence.
    #[wasm_bindgen(getter)]
    pub fn message(&self) -> Option<String> {
        self.error.as_ref().map(|error| error.message().to_owned())
    }
}

impl Course {
    /// An action as it leaves; its order is remembered.
    fn take(&mut self, action: binding::Action) -> Action {
        let (action, order) = match action {
            binding::Action::Send => (Action::Send, None),
            binding::Action::MeasureFixed => (Action::MeasureFixed, None),
            binding::Action::Pass(order) => (Action::Pass, Some(order)),
            binding::Action::Prune(order) => (Action::Prune, Some(order)),
            binding::Action::PruneAlone(order) => (Action::PruneAlone, Some(order)),
            binding::Action::Summarize(order) => (Action::Summarize, Some(order)),
            binding::Action::SummarizeByRule(order, most) => {
                self.most = most as f64;
                (Action::SummarizeByRule, Some(order))
            }
            binding::Action::GiveUp(error) => {
                self.error = Some(error);
                (Action::GiveUp, None)
            }
        };
        self.order = order.unwrap_or(self.order);
        action
    }
}

/// What became of known messages, for a person.
#[wasm_bindgen(js_name = reasonOfEdit)]
pub fn reason_of_edit(kept: usize, known: usize) -> String {
    binding::reason_of_edit(kept, known)
}
