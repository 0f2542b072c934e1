//! Errors for JavaScript: instances of the npm package's class, with a code.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "../errors.js")]
extern "C" {
    /// `class EbblineError extends Error { code; line?; byte? }`
    #[wasm_bindgen(extends = js_sys::Error)]
    #[derive(Debug)]
    pub type EbblineError;

    #[wasm_bindgen(constructor)]
    fn new(code: &str, message: &str) -> EbblineError;
}

impl EbblineError {
    /// The ranks are not those of the encoding.
    pub(crate) fn bad_ranks(message: &str) -> Self {
        Self::new("bad_ranks", message)
    }

    /// The memory is too small for the text or its tokens.
    pub(crate) fn out_of_memory(bytes: usize) -> Self {
        Self::new("too_large", &format!("there is no memory for a text of {bytes} bytes"))
    }
}
