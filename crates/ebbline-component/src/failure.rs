//! Errors as they leave the component.

use ebbline::{Error, ErrorCode};

use crate::bindings::api::{Failure, Place};

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self {
            code: error.code().to_owned(),
            message: error.message().to_owned(),
            place: error.place().map(|place| Place { line: place.line as u64, byte: place.byte as u64 }),
        }
    }
}

/// A failure that only a compactor has, and the engine therefore has no code for.
pub(crate) fn failure(code: &str, message: impl Into<String>) -> Failure {
    Failure { code: code.to_owned(), message: message.into(), place: None }
}

/// The error of an option.
pub(crate) fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidOption, message)
}
