//! The class-aware estimate, for the walker that measures live texts.

use wasm_bindgen::prelude::*;

/// The tables of [`ebbline::binding::classes::tables`].
#[wasm_bindgen(js_name = classTables)]
pub fn class_tables() -> Vec<u8> {
    ebbline::binding::classes::tables()
}
