//! The request for a summary of live messages, and the summary that a model's answer becomes.

use ebbline::summary::{Answer, Finished, SummaryContext, SummaryOptions, Texts, Warning};
use ebbline_wasm_shared::{EbblineError, TextBuffer, plan_options, to_json};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::policy::Policy;
use crate::records::transcript;

/// The request for a summary of what the plan of live messages summarizes: what
/// [`ebbline::binding::summary_request`] writes; nothing if the plan summarizes nothing. `words` are the records of the
/// messages and `tools` the names that they number; `texts` holds the texts of their parts, which `pieces` describes
/// ([`Texts::of_pieces`]).
#[wasm_bindgen(js_name = summaryRequestOfRecords)]
pub fn summary_request_of_records(
    words: &[u32],
    tools: Vec<String>,
    policy: &Policy,
    force: bool,
    known_tokens: f64,
    overhead: f64,
    idle: f64,
    changed_at: f64,
    texts: TextBuffer,
    pieces: &[u32],
    focus: Option<String>,
    notes: Option<String>,
    budget_tokens: Option<f64>,
) -> Result<Option<String>, EbblineError> {
    let transcript = transcript(words, &tools)?;
    let plan = ebbline::plan(
        &transcript,
        &policy.inner,
        plan_options(force, known_tokens, overhead, idle, changed_at),
    );
    let mut options = SummaryOptions::new().budget_tokens(budget_tokens.map(|tokens| tokens as u64));
    (options.focus, options.notes) = (focus, notes);
    let texts = texts.into_whole_text()?;
    let texts = Texts::of_pieces(&texts, pieces)?;
    Ok(ebbline::binding::summary_request(&transcript, &texts, &plan, &options)?)
}

/// The fingerprint of messages that comes with the request for their summary.
#[wasm_bindgen(js_name = fingerprintOfRecords)]
pub fn fingerprint_of_records(
    words: &[u32],
    tools: Vec<String>,
    texts: TextBuffer,
    pieces: &[u32],
) -> Result<String, EbblineError> {
    let texts = texts.into_whole_text()?;
    Ok(ebbline::binding::fingerprint(&transcript(words, &tools)?, &Texts::of_pieces(&texts, pieces)?))
}

/// The summary with the user's own words behind it ([`ebbline::summary::words_of_texts`]); the arguments are those of
/// [`summary_request_of_records`].
#[wasm_bindgen(js_name = wordsOfRecords)]
pub fn words_of_records(
    words: &[u32],
    tools: Vec<String>,
    policy: &Policy,
    force: bool,
    known_tokens: f64,
    overhead: f64,
    idle: f64,
    changed_at: f64,
    texts: TextBuffer,
    pieces: &[u32],
    summary: &str,
) -> Result<String, EbblineError> {
    let transcript = transcript(words, &tools)?;
    let plan = ebbline::plan(
        &transcript,
        &policy.inner,
        plan_options(force, known_tokens, overhead, idle, changed_at),
    );
    let texts = texts.into_whole_text()?;
    let texts = Texts::of_pieces(&texts, pieces)?;
    Ok(ebbline::summary::words_of_texts(&transcript, &texts, &plan, summary)?)
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
#[wasm_bindgen(js_name = finishSummary)]
pub fn finish_summary(context: &str, text: &str, truncated: bool) -> Result<String, EbblineError> {
    let context = SummaryContext::from_json(context)?;
    let Finished { summary, warnings, .. } =
        ebbline::summary::review(&context, Answer::new(text, truncated))?;
    let warnings = warnings.into_iter().map(|code| Unusual { code, text: code.text() }).collect();
    Ok(to_json(&Reviewed { summary, warnings }))
}

/// Whether a summary shows nothing, as [`ebbline::summary::is_blank`] has it.
#[wasm_bindgen(js_name = isBlank)]
pub fn is_blank(summary: &str) -> bool {
    ebbline::summary::is_blank(summary)
}
