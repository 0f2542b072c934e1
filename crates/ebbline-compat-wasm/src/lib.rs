//! How other systems decide, as JSON questions and answers: a separate module, because planning does not need it.

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "JavaScript alone calls it, which reads no Rust documentation"
)]

use ebbline_wasm_shared::{EbblineError, TextBuffer};
use wasm_bindgen::prelude::*;

/// Asks `system` the question `name` about the JSON in the first `length` bytes of a buffer, which is used up.
#[wasm_bindgen(js_name = askCompat)]
pub fn ask(
    system: &str,
    name: &str,
    data: TextBuffer,
    length: usize,
    options: &str,
) -> Result<TextBuffer, EbblineError> {
    let answer = ebbline_compat::ask(system, name, &data.into_text(length)?, options)?;
    Ok(TextBuffer::of_text(answer))
}
