//! Whether a message list is a valid request, as JSON.

#![expect(clippy::needless_pass_by_value, reason = "an array of strings crosses by value only")]

use ebbline::Format;
use ebbline::validate::{Rule, Rules, Violation};
use ebbline_wasm_shared::EbblineError;
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::records::transcript;
use crate::report::to_json;

/// What was found.
#[derive(Serialize)]
struct Validation {
    valid: bool,
    format: &'static str,
    violations: Vec<Violation>,
}

/// The names of all rules as JSON.
#[wasm_bindgen(js_name = ruleNames)]
#[must_use]
pub fn rule_names() -> String {
    to_json(&Rule::ALL)
}

/// Validates live messages of a format, given as the records that a walker made of them and the names of the tools
/// that these number; `also` and `except` name rules.
///
/// # Errors
///
/// `mismatch` when the words are no records; `unknown_format`; `invalid_settings` for the name of a rule.
#[wasm_bindgen(js_name = validateRecords)]
pub fn validate_records(
    words: &[u32],
    tools: Vec<String>,
    format: &str,
    also: Vec<String>,
    except: Vec<String>,
) -> Result<String, EbblineError> {
    let format = Format::from_name(format)?;
    let rules = rules(format, &also, &except)?;
    Ok(answer(format, ebbline::validate::validate(&transcript(words, &tools)?, &rules)))
}

/// Validates a session that was read from `text`.
pub(crate) fn validate_session(
    session: &ebbline::Session,
    text: &str,
    also: &[String],
    except: &[String],
) -> Result<String, EbblineError> {
    let rules = rules(session.format(), also, except)?;
    Ok(answer(session.format(), session.validate_under(text, &rules)))
}

fn answer(format: Format, violations: Vec<Violation>) -> String {
    to_json(&Validation { valid: violations.is_empty(), format: format.name(), violations })
}

fn rules(format: Format, also: &[String], except: &[String]) -> Result<Rules, EbblineError> {
    let named = |names: &[String]| -> Result<Vec<Rule>, ebbline::Error> {
        names.iter().map(|name| Rule::from_name(name)).collect()
    };
    Ok(Rules::of(format).also(&named(also)?).except(&named(except)?))
}
