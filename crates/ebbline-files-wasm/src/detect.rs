//! Which format a text has.

use ebbline_wasm_shared::{EbblineError, TextBuffer};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::js::to_js;

/// A format, and what shows that a text has it.
#[derive(Serialize)]
struct Detected<'a> {
    format: &'static str,
    title: &'static str,
    supported: bool,
    evidence: &'a str,
}

/// The format of the text in the first `length` bytes of a buffer, which is used up, as
/// `{format, title, supported, evidence}`.
#[wasm_bindgen(unchecked_return_type = "Detection")]
pub fn detect(text: TextBuffer, length: usize) -> Result<JsValue, EbblineError> {
    let found = ebbline::format::detect_text(&text.into_session_text(length)?)?;
    let format = found.format;
    Ok(to_js(&Detected {
        format: format.name(),
        title: format.title(),
        supported: true,
        evidence: &found.evidence,
    }))
}
