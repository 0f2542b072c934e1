//! Whether a message list is a valid request, as JSON.

use ebbline::Format;
use ebbline::validate::{Pending, Rule, Rules, Violation};
use serde::Serialize;

use crate::EbblineError;
use crate::json::to_json;

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
pub struct Waiting {
    /// The call.
    #[serde(flatten)]
    pub call: Pending,
    /// Its number in the records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
}

/// The answer of `validate`.
#[must_use]
pub fn answer(format: Format, violations: Vec<Violation>, pending: Vec<Waiting>) -> String {
    to_json(&Validation { valid: violations.is_empty(), format: format.name(), violations, pending })
}

/// The rules of a format, with and without those that `also` and `except` name.
///
/// # Errors
///
/// `invalid_settings` for the name of a rule.
pub fn rules(format: Format, also: &[String], except: &[String]) -> Result<Rules, EbblineError> {
    Ok(Rules::of(format).also(&named(also)?).except(&named(except)?))
}

/// The rules of these names.
///
/// # Errors
///
/// `invalid_settings` for what is no name of a rule.
pub fn named(names: &[String]) -> Result<Vec<Rule>, EbblineError> {
    names.iter().map(|name| Rule::from_name(name).map_err(EbblineError::from)).collect()
}
