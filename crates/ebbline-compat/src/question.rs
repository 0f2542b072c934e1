//! Questions to a system, and its answers, as JSON.

use ebbline::json::Value;
use ebbline::notation::javascript::Number;
use ebbline::{Error, ErrorCode};
use serde::Serialize;

/// A question and its data.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Question<'q> {
    /// The name of the question, as in JavaScript: `cutPoint`.
    pub name: &'q str,
    /// The system's own data: messages, entries, an error.
    pub data: Value<'q>,
    /// The options: `version`, settings, limits.
    pub options: Value<'q>,
}

impl Question<'_> {
    /// An answer, as JSON.
    pub(crate) fn answer<T: Serialize + ?Sized>(answer: &T) -> Result<String, Error> {
        serde_json::to_string(answer).map_err(|error| {
            Error::new(ErrorCode::TooLarge, format!("the answer cannot be written: {error}"))
        })
    }

    /// The error for an unknown question.
    pub(crate) fn unknown(self, system: &str) -> Error {
        let name = self.name;
        Error::invalid_settings(format!("{system} answers no question {name:?}"))
    }

    /// A number. NaN and infinity, which JSON cannot represent, are names.
    pub(crate) fn number(value: Value<'_>) -> Option<f64> {
        Number::read(value).map(|number| number.0)
    }

    /// The option `version`, as text.
    pub(crate) fn version(self) -> Option<String> {
        self.options.text_of("version").map(|version| version.decode().into_owned())
    }
}
