//! Why a call failed.

use std::fmt;

use ebbline::error::Place;
use ebbline::{Error, ErrorCode};

/// Why a call failed: an error of the engine, or what only a compactor can run into.
///
/// # Example
///
/// ```
/// use ebbline_compactor::{Compactor, Options, RequestInfo};
///
/// let mut compactor = Compactor::new(Options::new())?;
/// let nothing: [&str; 0] = [];
/// let error = compactor.compact_now(&nothing, RequestInfo::new()).unwrap_err();
/// assert_eq!(error.code(), "no_messages");
/// # Ok::<(), ebbline_compactor::CompactorError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CompactorError {
    code: &'static str,
    message: String,
    place: Option<Place>,
}

impl CompactorError {
    /// A stable code: one of the engine's ([`ErrorCode`]), an obstacle
    /// ([`Obstacle`](ebbline::controller::Obstacle)), `no_messages`, `mismatch`, `summary_failed`, `refused_summary`,
    /// `incomplete_summary`, `larger_summary`, `head_fills_window` or `no_overflow`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// What went wrong, as a sentence.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where, if a text that was given is at fault.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        self.place
    }
}

impl fmt::Display for CompactorError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.message)
    }
}

impl std::error::Error for CompactorError {}

impl From<Error> for CompactorError {
    fn from(error: Error) -> Self {
        Self { code: error.code(), message: error.message().to_owned(), place: error.place() }
    }
}

/// An error that only a compactor has, and the engine therefore has no code for.
pub(crate) fn failure(code: &'static str, message: impl Into<String>) -> CompactorError {
    CompactorError { code, message: message.into(), place: None }
}

/// The error of an option.
pub(crate) fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidOption, message)
}
