//! What a failed request means.

use ebbline::json::Document;
use ebbline::overflow::{Failure, Limits, Rules, classify};
use ebbline_wasm_shared::{EbblineError, TextBuffer, to_json};
use wasm_bindgen::prelude::*;

/// What the error means that is written as JSON in the first `length` bytes of a buffer, which is used up; the
/// answer is JSON. `policy` is the name that a policy has, `profile` one that must be known. Without either, the rules of all
/// systems are taken together.
#[wasm_bindgen(js_name = classifyFailure)]
pub fn classify_failure(
    error: TextBuffer,
    length: usize,
    profile: Option<String>,
    policy: Option<String>,
    provider: Option<String>,
    context_window: Option<f64>,
    desired_output: Option<f64>,
) -> Result<String, EbblineError> {
    let rules = policy.map_or_else(
        || profile.map_or(Ok(Rules::default()), |name| Rules::named(&name)),
        |name| Ok(Rules::of_policy(&name)),
    )?;
    let text = error.into_text(length)?;
    let document = Document::parse(&text)?;
    let mut failure = Failure::read(document.root());
    failure.provider = provider.or(failure.provider);
    Ok(to_json(&classify(&failure, rules, Limits::new(context_window, desired_output))))
}
