//! Repairs a text.

use ebbline::repair::{Mended, repair_under};
use ebbline::validate::{Rules, Violation};
use ebbline::{Format, ReadOptions};
use ebbline_wasm_shared::{EbblineError, TextBuffer};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::js::to_js;
use crate::validation::named;

/// A repaired text, and what was done.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Repaired {
    text: TextBuffer,
    report: Report,
}

#[derive(Debug, Serialize)]
struct Report {
    done: Vec<Mended>,
    left: Vec<Violation>,
}

#[wasm_bindgen]
impl Repaired {
    /// Repairs the first `length` bytes of a buffer, which is used up, by the rules of its format with `also` and without `except`.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::needless_pass_by_value, reason = "an array of strings crosses by value only")]
    pub fn new(
        text: TextBuffer,
        length: usize,
        format: Option<String>,
        strict: bool,
        conversation: Option<f64>,
        also: Vec<String>,
        except: Vec<String>,
    ) -> Result<Repaired, EbblineError> {
        let text = text.into_session_text(length)?;
        let format = format.map(|name| Format::from_name(&name)).transpose()?;
        let conversation = conversation.map(|number| number as usize);
        let options = ReadOptions::new().format(format).strict(strict).conversation(conversation);
        let (also, except) = (named(&also)?, named(&except)?);
        let repaired = repair_under(text, &options, |format| Rules::of(format).also(&also).except(&except))?;
        let report = Report { done: repaired.done, left: repaired.left };
        Ok(Self { text: TextBuffer::of_bytes(repaired.bytes), report })
    }

    /// What was done and what is left: `{done, left}`.
    #[wasm_bindgen(unchecked_return_type = "RepairReport")]
    pub fn report(&self) -> JsValue {
        to_js(&self.report)
    }

    /// The text; it can be taken once.
    pub fn text(&mut self) -> TextBuffer {
        std::mem::take(&mut self.text)
    }
}
