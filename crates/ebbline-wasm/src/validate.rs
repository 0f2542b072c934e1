//! Whether a message list is a valid request, as JSON.

#![expect(clippy::needless_pass_by_value, reason = "an array of strings crosses by value only")]

use ebbline::Format;
use ebbline::validate::{Facts, Pending, Rule, Rules, Violation};
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
    pending: Vec<Waiting>,
}

/// A call that waits for its result, with the number that stands for its id where the other side knows ids.
#[derive(Serialize)]
struct Waiting {
    #[serde(flatten)]
    call: Pending,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u32>,
}

/// The names of all rules as JSON.
#[wasm_bindgen(js_name = ruleNames)]
#[must_use]
pub fn rule_names() -> String {
    to_json(&Rule::ALL)
}

/// Validates live messages of a format, given as the records that a walker made of them and the names of the tools
/// that these number; `also` and `except` name rules. `empty_calls` and `cache_marks` are what no record holds, see
/// [`Facts`]. Of a pending call, `number` is the call's number in the records.
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
    empty_calls: &[u32],
    cache_marks: &[u32],
) -> Result<String, EbblineError> {
    let format = Format::from_name(format)?;
    let rules = rules(format, &also, &except)?;
    let transcript = transcript(words, &tools)?;
    let places = |places: &[u32]| places.iter().map(|place| *place as usize).collect();
    let facts =
        Facts { empty_calls: places(empty_calls), cache_marks: places(cache_marks), tool_cache_marks: 0 };
    let named =
        |call: Option<u32>| call.filter(|call| !transcript.is_paired_by_place(*call)).map(|call| call + 1);
    let pending = ebbline::validate::pending(&transcript).into_iter();
    let pending = pending.map(|call| Waiting { number: named(call.call), call }).collect();
    Ok(answer(format, ebbline::validate::validate_knowing(&transcript, &rules, &facts), pending))
}

/// Validates a session that was read from text.
pub(crate) fn validate_session(
    session: &ebbline::Session<'_>,
    also: &[String],
    except: &[String],
) -> Result<String, EbblineError> {
    let rules = rules(session.format(), also, except)?;
    let pending = session.pending().into_iter().map(|call| Waiting { call, number: None }).collect();
    Ok(answer(session.format(), session.validate_under(&rules), pending))
}

fn answer(format: Format, violations: Vec<Violation>, pending: Vec<Waiting>) -> String {
    to_json(&Validation { valid: violations.is_empty(), format: format.name(), violations, pending })
}

fn rules(format: Format, also: &[String], except: &[String]) -> Result<Rules, EbblineError> {
    let named = |names: &[String]| -> Result<Vec<Rule>, ebbline::Error> {
        names.iter().map(|name| Rule::from_name(name)).collect()
    };
    Ok(Rules::of(format).also(&named(also)?).except(&named(except)?))
}
