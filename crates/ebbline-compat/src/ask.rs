//! The question to a system by its name, with texts of JSON.

use ebbline::Error;
use ebbline::json::Document;

use crate::question::Question;
use crate::{brutus, opencode, opencode_v2, pi, tunacode};

/// Asks `system` the question `name` about `data`; data, options and answer are JSON.
///
/// # Errors
///
/// `not_json`; `invalid_settings` for an unknown system, question, version or option, and for data from which the
/// system itself makes no answer.
///
/// # Example
///
/// ```
/// let error = ebbline_compat::ask("pi", "horoscope", "[]", "{}").unwrap_err();
/// assert_eq!(error.code(), "invalid_settings");
/// ```
pub fn ask(system: &str, name: &str, data: &str, options: &str) -> Result<String, Error> {
    let (data, options) = (Document::parse(data)?, Document::parse(options)?);
    let question = Question { name, data: data.root(), options: options.root() };
    match system {
        "pi" => pi::ask(question),
        "opencode" => opencode::ask(question),
        "opencodeV2" => opencode_v2::ask(question),
        "tunacode" => tunacode::ask(question),
        "brutus" => brutus::ask(question),
        _ => Err(Error::invalid_settings(format!("there is no system {system:?}"))),
    }
}
