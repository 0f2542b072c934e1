//! A session read from text, a plan made of it, and the text with that plan carried out.

use ebbline::summary::{Answer, Finished, SummaryContext, SummaryOptions, Warning};
use ebbline::{EditOptions, Format, PlanOptions, ReadOptions};
use ebbline_wasm_shared::{EbblineError, TextBuffer};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::policy::Policy;
use crate::report::{Report, to_json};

/// A session together with its text.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session {
    inner: ebbline::Session<'static>,
}

#[wasm_bindgen]
impl Session {
    /// Reads the first `length` bytes of a buffer, which is used up.
    ///
    /// # Errors
    ///
    /// As [`ebbline::Session::read_with`]; `unknown_format`.
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
        let mut options = ReadOptions::new().format(format).strict(strict).conversation(conversation);
        options.placeholder = placeholder;
        Ok(Self { inner: ebbline::Session::read_with(text, &options)? })
    }

    /// What was read, as JSON.
    #[must_use]
    pub fn report(&self) -> String {
        to_json(&Report::of_session(&self.inner))
    }

    /// Plans under `policy`.
    #[must_use]
    pub fn plan(&self, policy: &Policy, force: bool, known_tokens: f64) -> Plan {
        Plan { inner: self.inner.plan_with(&policy.inner, plan_options(force, known_tokens)) }
    }

    /// The text with `plan` carried out.
    ///
    /// # Errors
    ///
    /// As [`ebbline::Session::compact_bytes`].
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

    /// Whether it is a valid request, as JSON; `also` and `except` name rules.
    ///
    /// # Errors
    ///
    /// `invalid_settings` for the name of a rule.
    #[expect(clippy::needless_pass_by_value, reason = "an array of strings crosses by value only")]
    pub fn validate(&self, also: Vec<String>, except: Vec<String>) -> Result<String, EbblineError> {
        crate::validate::validate_session(&self.inner, &also, &except)
    }

    /// The request for a summary of what `plan` summarises, as JSON: `{request, context}`; nothing when it summarises
    /// nothing. `plan` may be one of the live messages that the session's text was written from.
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
        let mut options = SummaryOptions::new().budget_tokens(budget_tokens.map(|tokens| tokens as u64));
        options.focus = focus;
        let adopted = plan.inner.is_live().then(|| self.inner.adopt(plan.inner.clone())).transpose()?;
        let task = self.inner.summary_request(adopted.as_ref().unwrap_or(&plan.inner), &options)?;
        Ok(task.map(|task| to_json(&task)))
    }

    /// The session as records, for tests that compare readers with walkers.
    #[must_use]
    pub fn records(&self) -> Vec<u32> {
        ebbline::binding::records::write(self.inner.transcript()).0
    }

    /// The names of the tools that the records number.
    #[must_use]
    pub fn tools(&self) -> Vec<String> {
        ebbline::binding::records::write(self.inner.transcript()).1
    }
}

/// `known_tokens` is 0 when it is not known.
pub(crate) fn plan_options(force: bool, known_tokens: f64) -> PlanOptions {
    PlanOptions::new().force(force).known_tokens(Some(known_tokens as u64).filter(|tokens| *tokens > 0))
}

#[derive(Serialize)]
struct Reviewed {
    summary: String,
    warnings: Vec<Unusual>,
}

#[derive(Serialize)]
struct Unusual {
    code: Warning,
    text: &'static str,
}

/// The summary that an answer makes and what is unusual about it, as JSON: `{summary, warnings: [{code, text}]}`;
/// `context` is what came with the request, as JSON.
///
/// # Errors
///
/// As [`ebbline::summary::review`] and [`SummaryContext::from_json`].
#[wasm_bindgen(js_name = finishSummary)]
pub fn finish_summary(context: &str, text: &str, truncated: bool) -> Result<String, EbblineError> {
    let context = SummaryContext::from_json(context)?;
    let Finished { summary, warnings, .. } = ebbline::summary::review(&context, Answer { text, truncated })?;
    let warnings = warnings.into_iter().map(|code| Unusual { code, text: code.text() }).collect();
    Ok(to_json(&Reviewed { summary, warnings }))
}

/// Refuses the first `length` bytes of a buffer, which is used up, unless they are text.
///
/// # Errors
///
/// `not_utf8`, with the place of the first byte that is none.
#[wasm_bindgen(js_name = checkUtf8)]
pub fn check_utf8(text: TextBuffer, length: usize) -> Result<(), EbblineError> {
    text.into_text(length).map(drop)
}

/// Whether a summary shows nothing, as [`ebbline::summary::is_blank`] has it.
#[wasm_bindgen(js_name = isBlank)]
#[must_use]
pub fn is_blank(summary: &str) -> bool {
    ebbline::summary::is_blank(summary)
}

/// A plan, kept to be carried out.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Plan {
    pub(crate) inner: ebbline::Plan,
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
