//! Passes over live messages, and what remains of their outputs: what needs texts before anything is cleared.

use ebbline::summary::Texts;
use ebbline_wasm_shared::{EbblineError, TextBuffer, plan_options};
use wasm_bindgen::prelude::*;

use crate::replay::transcript;
use crate::session::policy_of;

/// The plan of live messages with the passes that the policy switches on, as JSON; nothing if they change nothing
/// ([`ebbline::binding::passes`]).
#[wasm_bindgen(js_name = passesOfRecords)]
pub fn passes_of_records(
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
    bodies: TextBuffer,
    bodies_length: usize,
) -> Result<Option<String>, EbblineError> {
    let transcript = transcript(words, &tools)?;
    let policy = policy_of(policy)?;
    let (texts, bodies) = (texts.into_whole_text()?, bodies.into_text(bodies_length)?);
    let texts = Texts::of_pieces(&texts, pieces)?;
    let options = plan_options(force, known_tokens, overhead, idle, changed_at);
    Ok(ebbline::binding::passes(&transcript, (&texts, &bodies), &policy, options)?)
}

/// What remains of outputs that are pruned, without the references to their calls ([`ebbline::binding::remains`]).
#[wasm_bindgen(js_name = remainsOfRecords)]
pub fn remains_of_records(
    words: &[u32],
    tools: Vec<String>,
    policy: &str,
    texts: TextBuffer,
    pieces: &[u32],
    outputs: &[u32],
) -> Result<Vec<String>, EbblineError> {
    let transcript = transcript(words, &tools)?;
    let texts = texts.into_whole_text()?;
    let texts = Texts::of_pieces(&texts, pieces)?;
    Ok(ebbline::binding::remains(&transcript, &texts, &policy_of(policy)?, outputs)?)
}
