//! What there is to choose from: formats and profiles.

use ebbline::Format;
use ebbline::format::ReportedInput;
use ebbline::json::Writer;
use ebbline_wasm_shared::{EbblineError, to_json};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// What is known of a format.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Known {
    format: &'static str,
    title: &'static str,
    supported: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reported_input: Option<ReportedInput>,
}

impl Known {
    fn new(format: Format) -> Self {
        Self {
            format: format.name(),
            title: format.title(),
            supported: true,
            reported_input: format.reported_input(),
        }
    }
}

/// Every format as JSON: `[{format, title, supported, reportedInput}]`.
#[wasm_bindgen]
#[must_use]
pub fn formats() -> String {
    let formats: Vec<_> = Format::ALL.iter().map(|format| Known::new(*format)).collect();
    to_json(&formats)
}

/// Every profile as JSON, the default first: `[{name, about, policy}]`.
#[wasm_bindgen]
#[must_use]
pub fn profiles() -> String {
    let mut out = Writer::default();
    for (index, profile) in ebbline::profiles::ALL.iter().enumerate() {
        out.raw(if index == 0 { "[" } else { "," }).raw("{\"name\":").string(profile.name);
        out.raw(",\"about\":").string(profile.about);
        out.raw(",\"policy\":").raw(&profile.policy().to_json()).raw("}");
    }
    out.raw("]");
    out.finish()
}

/// The name of the profile used when none is named.
#[wasm_bindgen(js_name = defaultProfile)]
#[must_use]
pub fn default_profile() -> String {
    ebbline::profiles::DEFAULT.to_owned()
}

/// The known name that is nearest to `word`, as [`ebbline::binding::nearest`] finds it.
#[wasm_bindgen]
#[must_use]
#[expect(clippy::needless_pass_by_value, reason = "an array of strings crosses by value only")]
pub fn nearest(word: &str, known: Vec<String>) -> Option<String> {
    ebbline::binding::nearest(word, known.iter().map(String::as_str)).map(str::to_owned)
}

/// The format called `name` as JSON: `{format, title, supported, reportedInput}`.
///
/// # Errors
///
/// `unknown_format`.
#[wasm_bindgen(js_name = formatNamed)]
pub fn format_named(name: &str) -> Result<String, EbblineError> {
    Ok(to_json(&Known::new(Format::from_name(name)?)))
}
