//! What there is to choose from: formats and profiles; and which format a text is of.

use ebbline::Format;
use ebbline::format::ReportedInput;
use ebbline_wasm_shared::{EbblineError, TextBuffer};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::report::to_json;

/// A format, and what shows that a text is of it.
#[derive(Serialize)]
struct Recognised<'a> {
    format: &'static str,
    title: &'static str,
    supported: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'a str>,
}

impl<'a> Recognised<'a> {
    fn new(format: Format, evidence: Option<&'a str>) -> Self {
        Self { format: format.name(), title: format.title(), supported: format.is_supported(), evidence }
    }
}

/// What is known of a format.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Known {
    #[serde(flatten)]
    format: Recognised<'static>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reported_input: Option<ReportedInput>,
}

impl Known {
    fn new(format: Format) -> Self {
        Self { format: Recognised::new(format, None), reported_input: format.reported_input() }
    }
}

/// A profile with its policy.
#[derive(Serialize)]
struct Profile {
    name: &'static str,
    about: &'static str,
    policy: ebbline::Policy,
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
    let profiles: Vec<_> = ebbline::profiles::ALL
        .iter()
        .map(|profile| Profile { name: profile.name, about: profile.about, policy: profile.policy() })
        .collect();
    to_json(&profiles)
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

/// The format of a text as JSON: `{format, title, supported, evidence}`.
///
/// # Errors
///
/// As [`ebbline::format::detect_text`].
#[wasm_bindgen]
pub fn detect(text: TextBuffer, length: usize) -> Result<String, EbblineError> {
    let found = ebbline::format::detect_text(&text.into_session_text(length)?)?;
    Ok(to_json(&Recognised::new(found.format, Some(&found.evidence))))
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
