//! A session read from text, a plan made of it, and the text with that plan carried out.

use ebbline::report::Report;
use ebbline::summary::SummaryOptions;
use ebbline::{EditOptions, Format, Policy, ReadOptions};
use ebbline_wasm_shared::{EbblineError, TextBuffer, plan_options};
use wasm_bindgen::prelude::*;

use crate::validation::{Waiting, answer, rules};

/// A session together with its text.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SessionText {
    inner: ebbline::SessionText<'static>,
}

#[wasm_bindgen]
impl SessionText {
    /// Reads the first `length` bytes of a buffer, which is used up.
    #[wasm_bindgen(constructor)]
    pub fn new(
        text: TextBuffer,
        length: usize,
        format: Option<String>,
        placeholder: Option<String>,
        strict: bool,
        conversation: Option<f64>,
    ) -> Result<SessionText, EbblineError> {
        let text = text.into_session_text(length)?;
        let format = format.map(|name| Format::from_name(&name)).transpose()?;
        let conversation = conversation.map(|number| number as usize);
        let mut options = ReadOptions::new().format(format).strict(strict).conversation(conversation);
        options.placeholder = placeholder;
        Ok(Self { inner: ebbline::SessionText::read_with(text, &options)? })
    }

    /// What was read, as JSON.
    pub fn report(&self) -> String {
        Report::of_session(&self.inner).to_json()
    }

    /// Plans under a whole policy, given as JSON.
    pub fn plan(
        &self,
        policy: &str,
        force: bool,
        known_tokens: f64,
        overhead: f64,
        idle: f64,
        changed_at: f64,
    ) -> Result<Plan, EbblineError> {
        let policy = policy_of(policy)?;
        Ok(Plan {
            inner: self
                .inner
                .plan_with(&policy, plan_options(force, known_tokens, overhead, idle, changed_at)),
        })
    }

    /// The text with `plan` carried out.
    pub fn compact(
        &self,
        plan: &Plan,
        summary: Option<String>,
        now: Option<f64>,
        free_bytes: bool,
    ) -> Result<TextBuffer, EbblineError> {
        let mut options = EditOptions::new().free_bytes(free_bytes);
        (options.summary, options.now) = (summary, now.map(|now| now as u64));
        Ok(TextBuffer::of_bytes(self.inner.compact_bytes(&plan.inner, &options)?))
    }

    /// Whether it is a valid request; `also` and `except` name rules.
    #[expect(clippy::needless_pass_by_value, reason = "an array of strings crosses by value only")]
    #[wasm_bindgen(unchecked_return_type = "Validation")]
    pub fn validate(&self, also: Vec<String>, except: Vec<String>) -> Result<JsValue, EbblineError> {
        let format = self.inner.format();
        let rules = rules(format, &also, &except)?;
        let pending = self.inner.pending().into_iter().map(|call| Waiting { call, number: None });
        Ok(answer(format, self.inner.validate_under(&rules), pending.collect()))
    }

    /// The request for a summary of what `plan` summarizes, as JSON: `{request, context}`; nothing when it summarizes
    /// nothing. `plan` may be one of the live messages that the session's text was written from.
    #[wasm_bindgen(js_name = summaryRequest)]
    pub fn summary_request(
        &self,
        plan: &Plan,
        focus: Option<String>,
        notes: Option<String>,
        budget_tokens: Option<f64>,
    ) -> Result<Option<String>, EbblineError> {
        let mut options = SummaryOptions::new().budget_tokens(budget_tokens.map(|tokens| tokens as u64));
        (options.focus, options.notes) = (focus, notes);
        let task = self.inner.summary_request(&plan.inner, &options)?;
        Ok(task.map(|task| task.to_json()))
    }
}

impl SessionText {
    pub(crate) fn inner(&self) -> &ebbline::SessionText<'static> {
        &self.inner
    }
}

/// A plan, kept to be carried out.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Plan {
    inner: ebbline::Plan,
}

#[wasm_bindgen]
impl Plan {
    /// The plan as JSON.
    #[wasm_bindgen(js_name = toJson)]
    pub fn to_json(&self) -> String {
        self.inner.to_json()
    }
}

/// A whole policy in JSON.
pub(crate) fn policy_of(json: &str) -> Result<Policy, EbblineError> {
    let mut policy = ebbline::profiles::get(ebbline::profiles::DEFAULT)?;
    policy.overlay(json)?;
    Ok(policy)
}
