//! What can be done about a summary of live messages without a model: what it carries, what it lacks, and one by rule.

use ebbline::json::Document;
use ebbline::summary::{Answer, SummaryContext, Texts, again};
use ebbline_compactor::binding::{self, Refusal, acceptance_of, judged};
use ebbline_wasm_shared::{EbblineError, TextBuffer, known, plan_options};
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
#[wasm_bindgen(js_name = carriedOfRecords, unchecked_return_type = "CarriedSummary")]
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
#[wasm_bindgen(js_name = deterministicOfRecords)]
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

#[derive(Default, Serialize)]
struct Judgement {
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    code: &'static str,
    message: String,
    /// What the model is shown of its answer in a second request, and told about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    again: Option<(String, String)>,
}

/// The summary that an answer makes ([`ebbline_compactor::binding::judged`]): `{summary}`, or `{code, message, again: [answer,
/// reminder]}` with what fits into a second request of this `budget` beside what was `sent`. `wanted` is JSON: `{context, accept}`, what
/// came with the request and what the caller wants. The other arguments are those of [`deterministic_of_records`].
#[wasm_bindgen(js_name = judgementOfRecords, unchecked_return_type = "Judgement")]
pub fn judgement_of_records(
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
    answer: &str,
    truncated: bool,
    wanted: &str,
    sent: &str,
    budget: f64,
) -> Result<JsValue, EbblineError> {
    let transcript = transcript(words, &tools)?;
    let policy = policy_of(policy)?;
    let plan =
        ebbline::plan(&transcript, &policy, plan_options(force, known_tokens, overhead, idle, changed_at));
    let wanted = Document::parse(wanted)?;
    let context = wanted.root().get("context").map(|context| context.source()).unwrap_or_default();
    let context = SummaryContext::from_json(context)?;
    let acceptance = acceptance_of(wanted.root())?;
    let texts = texts.into_whole_text()?;
    let texts = Texts::of_pieces(&texts, pieces)?;
    let judged = judged(&context, plan.decision.trigger.context, Answer::new(answer, truncated), |summary| {
        ebbline::summary::shortcomings_of_texts(&transcript, &texts, &plan, summary, acceptance)
    });
    Ok(to_js(&match judged {
        Ok(summary) => Judgement { summary: Some(summary), ..Judgement::default() },
        Err(Refusal { error, reminder }) => Judgement {
            summary: None,
            code: error.code(),
            message: error.message().to_owned(),
            again: reminder.map(|reminder| again(&context, sent, answer, &reminder, budget as u64)),
        },
    }))
}

/// Why a summary must not be used that makes `after` of `before` tokens and must leave less than `most`, if that is known.
#[wasm_bindgen(js_name = largerSummary)]
pub fn larger_summary(before: f64, after: f64, most: f64) -> Option<String> {
    binding::larger_summary(before as u64, after as u64, known(most)).map(|error| error.message().to_owned())
}
