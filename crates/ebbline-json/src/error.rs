//! The one error type of the engine: what went wrong, in words and as a code, and where.

use std::fmt;

use serde::Serialize;

use crate::words;

words! {
    /// The kinds of errors: the closed set behind [`Error::code`].
    pub enum ErrorCode [non_exhaustive] {
        /// There is nothing to read: no bytes, or only white space.
        Empty "empty",
        /// The bytes are not UTF-8, or the text holds an unpaired surrogate outside an escape.
        NotUtf8 "not_utf8",
        /// The text is not JSON.
        NotJson "not_json",
        /// The text, or a line of a JSON Lines file, ends in the middle of a value.
        TornLine "torn_line",
        /// Something is nested deeper than 1,000 levels, or contains itself.
        TooDeep "too_deep",
        /// The text is longer than 4 GiB, or a number in it is too large for its purpose.
        TooLarge "too_large",
        /// JSON, but no messages of any known format.
        NoMessages "no_messages",
        /// The session is of another format than the one asked for.
        WrongFormat "wrong_format",
        /// The format was recognized, but is not read yet, or not as live objects.
        UnsupportedFormat "unsupported_format",
        /// A format name that does not exist.
        UnknownFormat "unknown_format",
        /// A message breaks a rule of its format (with `strict`).
        InvalidMessage "invalid_message",
        /// A profile name that does not exist.
        UnknownProfile "unknown_profile",
        /// A policy has an unknown field, a wrong type or an impossible value.
        InvalidPolicy "invalid_policy",
        /// An option does not exist, is of the wrong type, or does not fit the others.
        InvalidOption "invalid_option",
        /// Another system's settings, or a question to it, have an unknown name, a wrong type or an impossible value.
        InvalidSettings "invalid_settings",
        /// Records, plan and session do not belong together, or records are malformed.
        Mismatch "mismatch",
        /// The format has no place for a summary in this session.
        NoPlaceForSummary "no_place_for_summary",
        /// A request for a summary does not fit into its budget, however much of the transcript is left out.
        BudgetTooSmall "budget_too_small",
        /// A summary has no content.
        EmptySummary "empty_summary",
        /// A summary was cut off by the model's output limit.
        TruncatedSummary "truncated_summary",
        /// A summary is larger than the messages that it would replace.
        LargerSummary "larger_summary",
    }
}

/// A place in a source document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Line, counted from 1.
    pub line: usize,
    /// Offset in bytes of the UTF-8 source, counted from 0.
    pub byte: usize,
}

/// Why a call failed, with a stable code and, for faulty input, the place.
///
/// # Example
///
/// ```
/// let error = ebbline::SessionText::read("{\"a\": tru}").unwrap_err();
/// assert_eq!(error.code(), "not_json");
/// assert_eq!(error.place().map(|place| (place.line, place.byte)), Some((1, 6)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    code: ErrorCode,
    message: String,
    place: Option<Place>,
}

impl Error {
    /// An error without a place.
    #[cold]
    #[doc(hidden)]
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { code, message: message.into(), place: None }))
    }

    /// An error at `place`.
    #[cold]
    #[doc(hidden)]
    #[must_use]
    pub fn at(code: ErrorCode, place: Place, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { code, message: message.into(), place: Some(place) }))
    }

    /// An error for another system's settings, a question to it, or data from which it makes no answer.
    #[cold]
    #[doc(hidden)]
    #[must_use]
    pub fn invalid_settings(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidSettings, message)
    }

    /// The same error with the place `byte` of `source`, unless it already has a place.
    #[doc(hidden)]
    #[must_use]
    pub fn located(mut self, source: &str, byte: usize) -> Self {
        if self.0.place.is_none() {
            self.0.place = Some(Place { line: line_of(source, byte), byte });
        }
        self
    }

    /// The stable code, for example `"not_json"`.
    ///
    /// # Example
    ///
    /// ```
    /// let error = ebbline::SessionText::read("{\"a\": tru}").unwrap_err();
    /// assert_eq!(error.code(), "not_json");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.0.code.as_str()
    }

    /// The code as a value to match on.
    ///
    /// # Example
    ///
    /// ```
    /// let error = ebbline::SessionText::read("{\"a\": tru}").unwrap_err();
    /// assert_eq!(error.kind(), ebbline::ErrorCode::NotJson);
    /// ```
    #[must_use]
    pub fn kind(&self) -> ErrorCode {
        self.0.code
    }

    /// What went wrong in words, without the place.
    ///
    /// # Example
    ///
    /// ```
    /// let error = ebbline::SessionText::read("{\"a\": tru}").unwrap_err();
    /// assert!(!error.message().contains("line 1"));
    /// assert!(error.to_string().contains("line 1"));
    /// ```
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The place in the source; `None` if the error has none.
    ///
    /// # Example
    ///
    /// ```
    /// let error = ebbline::SessionText::read("{\"a\": tru}").unwrap_err();
    /// assert_eq!(error.place().map(|place| (place.line, place.byte)), Some((1, 6)));
    /// ```
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        self.0.place
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.place {
            Some(place) => write!(f, "{} (line {}, byte {})", self.0.message, place.line, place.byte),
            None => f.write_str(&self.0.message),
        }
    }
}

impl std::error::Error for Error {}

/// The line, counted from 1, that contains `byte` of `source`.
pub(crate) fn line_of(source: &str, byte: usize) -> usize {
    let end = byte.min(source.len());
    1 + source.as_bytes().iter().take(end).filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_reads_as_a_sentence_with_its_place() {
        let error = Error::at(ErrorCode::NotJson, Place { line: 3, byte: 120 }, "expected a value");
        assert_eq!(error.to_string(), "expected a value (line 3, byte 120)");
        assert_eq!(error.code(), "not_json");
    }

    #[test]
    fn lines_are_counted_from_one_and_never_beyond_the_end() {
        assert_eq!(line_of("a\nb\nc", 0), 1);
        assert_eq!(line_of("a\nb\nc", 2), 2);
        assert_eq!(line_of("a\nb\nc", 99), 3);
    }
}
