//! Errors in JavaScript: instances of the npm package's own class, with a code and a place.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "./errors.js")]
extern "C" {
    /// `class EbblineError extends Error { code; line?; byte? }`
    #[wasm_bindgen(extends = js_sys::Error)]
    #[derive(Debug)]
    pub type EbblineError;

    #[wasm_bindgen(constructor)]
    fn new(code: &str, message: &str, line: Option<f64>, byte: Option<f64>) -> EbblineError;
}

impl EbblineError {
    /// The error that there is not enough memory for a text of `bytes` bytes.
    pub fn out_of_memory(bytes: usize) -> Self {
        Self::new("too_large", &format!("there is no memory for a text of {bytes} bytes"), None, None)
    }
}

impl From<ebbline::Error> for EbblineError {
    fn from(error: ebbline::Error) -> Self {
        let place = error.place();
        Self::new(
            error.code(),
            &error.to_string(),
            place.map(|place| place.line as f64),
            place.map(|place| place.byte as f64),
        )
    }
}
