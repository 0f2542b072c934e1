//! A session read from text, a plan made of it, and the text with that plan carried out.

use ebbline::report::Report;
use ebbline::summary::SummaryOptions;
use ebbline::{EditOptions, Format, PlanOptions, Policy, ReadOptions};
use ebbline_wasm_shared::validation::{Waiting, answer, rules};
use ebbline_wasm_shared::{EbblineError, TextBuffer};
use wasm_bindgen::prelude::*;

/// A session together with its text.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session {
    text: ebbline::Text,
    inner: ebbline::Session,
}

#[wasm_bindgen]
impl Session {
    /// Reads the first `length` bytes of a buffer, which is used up.
    ///
    /// # Errors
    ///
    /// As [`ebbline::Session::read_text`]; `unknown_format`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        text: TextBuffer,
        length: usize,
        format: Option<String>,
        placeholder: Option<String>,
        strict: bool,
        conversation: Option<f64>,
    ) -> Result<Session, EbblineError> {
        let text = text.into_session_text(length)?;
        let format = format.map(|name| Format::from_name(&name)).transpose()?;
        let conversation = conversation.map(|number| number as usize);
        let options = ReadOptions { format, placeholder, strict, conversation };
        let inner = ebbline::Session::read_text(&text, &options)?;
        Ok(Self { text, inner })
    }

    /// What was read, as JSON.
    #[must_use]
    pub fn report(&self) -> String {
        Report::of_session(&self.inner).to_json()
    }

    /// Plans under a whole policy, given as JSON.
    ///
    /// # Errors
    ///
    /// As [`ebbline::Policy::overlay`].
    pub fn plan(&self, policy: &str, force: bool, known_tokens: f64) -> Result<Plan, EbblineError> {
        let policy = policy_of(policy)?;
        let options = PlanOptions { force, known_tokens: known_tokens as u64 };
        Ok(Plan { inner: self.inner.plan(&policy, options), policy })
    }

    /// The text with `plan` carried out.
    ///
    /// # Errors
    ///
    /// As [`ebbline::Session::compact_text`].
    pub fn compact(
        &self,
        plan: &Plan,
        summary: Option<String>,
        now: Option<f64>,
        free_bytes: bool,
    ) -> Result<TextBuffer, EbblineError> {
        let options = EditOptions { summary, now: now.map(|now| now as u64), free_bytes };
        let bytes = self.inner.compact_text(&self.text, &plan.inner, &plan.policy, &options)?;
        Ok(TextBuffer::of_bytes(bytes))
    }

    /// Whether it is a valid request, as JSON; `also` and `except` name rules.
    ///
    /// # Errors
    ///
    /// `invalid_settings` for the name of a rule.
    #[expect(clippy::needless_pass_by_value, reason = "an array of strings crosses by value only")]
    pub fn validate(&self, also: Vec<String>, except: Vec<String>) -> Result<String, EbblineError> {
        let (text, format) = (self.text.as_str(), self.inner.format());
        let rules = rules(format, &also, &except)?;
        let pending = self.inner.pending(text).into_iter().map(|call| Waiting { call, number: None });
        Ok(answer(format, self.inner.validate_under(text, &rules), pending.collect()))
    }

    /// The request for a summary of what `plan` summarises, as JSON: `{request, context}`; nothing when it summarises
    /// nothing.
    ///
    /// # Errors
    ///
    /// As [`ebbline::Session::summary_request`].
    #[wasm_bindgen(js_name = summaryRequest)]
    pub fn summary_request(
        &self,
        plan: &Plan,
        focus: Option<String>,
        budget_tokens: Option<f64>,
    ) -> Result<Option<String>, EbblineError> {
        let options = SummaryOptions { focus, budget_tokens: budget_tokens.map(|tokens| tokens as u64) };
        let task = self.inner.summary_request(self.text.as_str(), &plan.inner, &plan.policy, &options)?;
        Ok(task.map(|task| task.to_json()))
    }
}

/// A plan with its policy, kept to be carried out.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Plan {
    inner: ebbline::Plan,
    policy: Policy,
}

#[wasm_bindgen]
impl Plan {
    /// The plan as JSON.
    #[wasm_bindgen(js_name = toJson)]
    #[must_use]
    pub fn to_json(&self) -> String {
        self.inner.to_json()
    }
}

/// A whole policy in JSON.
fn policy_of(json: &str) -> Result<Policy, EbblineError> {
    let mut policy = ebbline::profiles::get(ebbline::profiles::DEFAULT)?;
    policy.overlay(json)?;
    Ok(policy)
}
