//! Live messages, as the records that a JavaScript walker made of them (layout: [`ebbline::binding::records`]).

use ebbline::Transcript;
use ebbline::report::Report;
use ebbline_wasm_shared::{EbblineError, TextBuffer, plan_options};
use wasm_bindgen::prelude::*;

use crate::policy::Policy;

/// Plans the transcript that `words` hold, `tools` being the names they number; the plan as JSON.
#[wasm_bindgen(js_name = planRecords)]
pub fn plan_records(
    words: &[u32],
    tools: Vec<String>,
    policy: &Policy,
    force: bool,
    known_tokens: f64,
    overhead: f64,
    idle: f64,
    changed_at: f64,
) -> Result<String, EbblineError> {
    let options = plan_options(force, known_tokens, overhead, idle, changed_at);
    Ok(ebbline::plan(&transcript(words, &tools)?, &policy.inner, options).to_json())
}

/// The transcript that `words` hold as JSON: its counts and messages.
#[wasm_bindgen(js_name = describeRecords)]
pub fn describe_records(words: &[u32], tools: Vec<String>) -> Result<String, EbblineError> {
    Ok(Report::of_transcript(&transcript(words, &tools)?).to_json())
}

/// What stays of an output that is cut: `text`, of which `length` bytes are used, is the output's own.
#[wasm_bindgen(js_name = previewOf)]
pub fn preview_of(
    text: TextBuffer,
    length: usize,
    policy: &Policy,
    head: u32,
    tail: u32,
    most: u32,
    media: u32,
) -> Result<String, EbblineError> {
    Ok(ebbline::binding::preview(&text.into_text(length)?, [head, tail, most, media], &policy.inner))
}

pub(crate) fn transcript(words: &[u32], tools: &[String]) -> Result<Transcript, EbblineError> {
    Ok(ebbline::binding::records::read(words, tools.iter().map(String::as_str))?)
}
