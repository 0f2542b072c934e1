//! Live messages, as the records that a JavaScript walker made of them (layout: [`ebbline::binding::records`]).

#![expect(clippy::needless_pass_by_value, reason = "an array of strings crosses by value only")]

use ebbline::Transcript;
use ebbline_wasm_shared::EbblineError;
use wasm_bindgen::prelude::*;

use crate::policy::Policy;
use crate::report::{Report, to_json};
use crate::session::{Plan, plan_options};

/// Plans the transcript that `words` hold, `tools` being the names they number; the plan as JSON.
///
/// # Errors
///
/// `mismatch` when the words are no records.
#[wasm_bindgen(js_name = planRecords)]
pub fn plan_records(
    words: &[u32],
    tools: Vec<String>,
    policy: &Policy,
    force: bool,
    known_tokens: f64,
) -> Result<String, EbblineError> {
    Ok(plan_of_records(words, tools, policy, force, known_tokens)?.inner.to_json())
}

/// The plan of [`plan_records`], kept to be asked about.
///
/// # Errors
///
/// `mismatch` when the words are no records.
#[wasm_bindgen(js_name = planOfRecords)]
pub fn plan_of_records(
    words: &[u32],
    tools: Vec<String>,
    policy: &Policy,
    force: bool,
    known_tokens: f64,
) -> Result<Plan, EbblineError> {
    Ok(Plan {
        inner: ebbline::plan(&transcript(words, &tools)?, &policy.inner, plan_options(force, known_tokens)),
    })
}

/// The transcript that `words` hold as JSON: its counts and messages.
///
/// # Errors
///
/// `mismatch` when the words are no records.
#[wasm_bindgen(js_name = describeRecords)]
pub fn describe_records(words: &[u32], tools: Vec<String>) -> Result<String, EbblineError> {
    Ok(to_json(&Report::of_transcript(&transcript(words, &tools)?)))
}

pub(crate) fn transcript(words: &[u32], tools: &[String]) -> Result<Transcript, EbblineError> {
    Ok(ebbline::binding::records::read(words, tools.iter().map(String::as_str))?)
}
