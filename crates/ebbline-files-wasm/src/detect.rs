//! Which format a text has; whether bytes are text.

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

/// Refuses the first `length` bytes of a buffer, which is used up, unless they are text.
///
/// # Errors
///
/// `not_utf8`, with the place of the first byte that is none.
#[wasm_bindgen(js_name = checkUtf8)]
pub fn check_utf8(text: TextBuffer, length: usize) -> Result<(), EbblineError> {
    text.into_text(length).map(drop)
}
