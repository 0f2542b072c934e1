//! What a validation answers, and the rules that it names.

use ebbline::Format;
use ebbline::validate::{Pending, Rule, Rules, Violation};
use ebbline_wasm_shared::EbblineError;
use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::js::to_js;

/// What was found.
#[derive(Debug, Serialize)]
struct Validation {
    valid: bool,
    format: &'static str,
    violations: Vec<Violation>,
    pending: Vec<Waiting>,
}

/// A call that waits for its result, with the number that stands for its id where the other side knows ids.
#[derive(Debug, Serialize)]
pub(crate) struct Waiting {
    /// The call.
    #[serde(flatten)]
    pub(crate) call: Pending,
    /// Its number in the records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<u32>,
}

/// The answer of `validate`.
pub(crate) fn answer(format: Format, violations: Vec<Violation>, pending: Vec<Waiting>) -> JsValue {
    to_js(&Validation { valid: violations.is_empty(), format: format.name(), violations, pending })
}

/// The rules of a format, with and without those that `also` and `except` name.
pub(crate) fn rules(format: Format, also: &[String], except: &[String]) -> Result<Rules, EbblineError> {
    Ok(Rules::of(format).also(&named(also)?).except(&named(except)?))
}

/// The rules of these names.
pub(crate) fn named(names: &[String]) -> Result<Vec<Rule>, EbblineError> {
    names.iter().map(|name| Rule::from_name(name).map_err(EbblineError::from)).collect()
}
