//! What can be done about a summary of live messages without a model: what it carries, what it lacks, and one by rule.

use ebbline::summary::{Acceptance, SummaryContext, Texts};
use ebbline_wasm_shared::{EbblineError, TextBuffer, plan_options};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::js::to_js;
use crate::replay::transcript;
use crate::session::policy_of;

#[derive(Serialize)]
struct Carrying {
    summary: String,
    orders: usize,
    pins: usize,
}

/// The summary with the standing orders and pinned texts that it carries behind it
/// ([`ebbline::summary::carried_of_texts`]), as `{summary, orders, pins}`. The messages are the whole history; `gone` has
/// one byte for each, 1 if it is no longer sent as it is.
///
/// # Errors
///
/// `mismatch` when the words are no records, or the arguments do not belong together.
#[wasm_bindgen(js_name = carriedOfRecords, unchecked_return_type = "CarriedSummary")]
#[expect(clippy::needless_pass_by_value, reason = "an array of strings crosses by value only")]
pub fn carried_of_records(
    words: &[u32],
    tools: Vec<String>,
    texts: TextBuffer,
    pieces: &[u32],
    gone: &[u8],
    pinned: &[u32],
    summary: &str,
) -> Result<JsValue, EbblineError> {
    let transcript = transcript(words, &tools)?;
    let gone: Vec<bool> = gone.iter().map(|flag| *flag == 1).collect();
    let pinned: Vec<usize> = pinned.iter().map(|part| *part as usize).collect();
    let texts = texts.into_whole_text()?;
    let texts = Texts::of_pieces(&texts, pieces)?;
    let carried = ebbline::summary::carried_of_texts(&transcript, &texts, &gone, &pinned)?;
    let (orders, pins) = (carried.orders.len(), carried.pins.len());
    Ok(to_js(&Carrying { summary: carried.behind(summary), orders, pins }))
}

/// The summary that needs no model ([`ebbline::summary::deterministic_of_texts`]); nothing if the plan summarizes nothing but an
/// earlier summary. `policy` is a whole policy as JSON.
///
/// # Errors
///
/// As [`ebbline::Policy::overlay`]; `mismatch` when the words are no records, or the texts are not those of their parts.
#[wasm_bindgen(js_name = deterministicOfRecords)]
#[expect(clippy::needless_pass_by_value, reason = "an array of strings crosses by value only")]
#[expect(
    clippy::too_many_arguments,
    reason = "each argument crosses by itself; an object would cost a read each"
)]
pub fn deterministic_of_records(
    words: &[u32],
    tools: Vec<String>,
    policy: &str,
    force: bool,
    known_tokens: f64,
    overhead: f64,
    idle: f64,
    changed_at: f64,
    texts: TextBuffer,
    pieces: &[u32],
) -> Result<Option<String>, EbblineError> {
    let transcript = transcript(words, &tools)?;
    let policy = policy_of(policy)?;
    let plan =
        ebbline::plan(&transcript, &policy, plan_options(force, known_tokens, overhead, idle, changed_at));
    let texts = texts.into_whole_text()?;
    Ok(ebbline::summary::deterministic_of_texts(&transcript, &Texts::of_pieces(&texts, pieces)?, &plan)?)
}

/// What a model is shown of a refused answer ([`ebbline::summary::again`]): the answer and the reminder.
///
/// # Errors
///
/// As [`SummaryContext::from_json`].
#[wasm_bindgen(js_name = summaryAgain)]
pub fn summary_again(
    context: &str,
    sent: &str,
    answer: &str,
    reminder: &str,
    budget: f64,
) -> Result<Vec<String>, EbblineError> {
    let context = SummaryContext::from_json(context)?;
    let (shown, why) = ebbline::summary::again(&context, sent, answer, reminder, budget as u64);
    Ok(vec![shown, why])
}

#[derive(Serialize)]
struct Lacking {
    /// Why the summary is refused; nothing if it is not.
    why: Option<String>,
    /// Whether the answer is no summary at all.
    none: bool,
    reminder: Option<String>,
}

/// What a summary lacks ([`ebbline::summary::shortcomings_of_texts`]), as `{why, none, reminder}`; the other
/// arguments are those of [`deterministic_of_records`].
///
/// # Errors
///
/// As [`deterministic_of_records`].
#[wasm_bindgen(js_name = shortcomingsOfRecords, unchecked_return_type = "Shortcomings")]
#[expect(clippy::needless_pass_by_value, reason = "an array of strings crosses by value only")]
#[expect(
    clippy::too_many_arguments,
    reason = "each argument crosses by itself; an object would cost a read each"
)]
pub fn shortcomings_of_records(
    words: &[u32],
    tools: Vec<String>,
    policy: &str,
    force: bool,
    known_tokens: f64,
    overhead: f64,
    idle: f64,
    changed_at: f64,
    texts: TextBuffer,
    pieces: &[u32],
    summary: &str,
    headings: bool,
    language: bool,
    facts: f64,
) -> Result<JsValue, EbblineError> {
    let transcript = transcript(words, &tools)?;
    let policy = policy_of(policy)?;
    let plan =
        ebbline::plan(&transcript, &policy, plan_options(force, known_tokens, overhead, idle, changed_at));
    let mut wanted = Acceptance::default();
    (wanted.headings, wanted.language, wanted.facts) = (headings, language, facts);
    let texts = texts.into_whole_text()?;
    let texts = Texts::of_pieces(&texts, pieces)?;
    let lacks = ebbline::summary::shortcomings_of_texts(&transcript, &texts, &plan, summary, wanted)?;
    let none = lacks.found.iter().any(|lack| lack.is_no_summary());
    let why = (!lacks.found.is_empty()).then(|| lacks.reasons());
    Ok(to_js(&Lacking { why, none, reminder: lacks.reminder() }))
}
