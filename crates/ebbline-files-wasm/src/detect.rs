//! Which format a text has.

use ebbline_wasm_shared::{EbblineError, TextBuffer, to_json};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// A format, and what shows that a text has it.
#[derive(Serialize)]
struct Detected<'a> {
    format: &'static str,
    title: &'static str,
    supported: bool,
    evidence: &'a str,
}

/// The format of the text in the first `length` bytes of a buffer, which is used up, as JSON:
/// `{format, title, supported, evidence}`.
///
/// # Errors
///
/// As [`ebbline::format::detect_text`].
#[wasm_bindgen]
pub fn detect(text: TextBuffer, length: usize) -> Result<String, EbblineError> {
    let found = ebbline::format::detect_text(&text.into_session_text(length)?)?;
    let format = found.format;
    Ok(to_json(&Detected {
        format: format.name(),
        title: format.title(),
        supported: true,
        evidence: &found.evidence,
    }))
}
