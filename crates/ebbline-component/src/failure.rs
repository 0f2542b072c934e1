//! Errors as they leave the component.

use ebbline::error::Place;
use ebbline::{Error, ErrorCode};
use ebbline_compactor::CompactorError;

use crate::bindings::api::{self, Failure};

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        CompactorError::from(error).into()
    }
}

impl From<CompactorError> for Failure {
    fn from(error: CompactorError) -> Self {
        let place = |place: Place| api::Place { line: place.line as u64, byte: place.byte as u64 };
        Self {
            code: error.code().to_owned(),
            message: error.message().to_owned(),
            place: error.place().map(place),
        }
    }
}

/// The error of an option.
pub(crate) fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidOption, message)
}
