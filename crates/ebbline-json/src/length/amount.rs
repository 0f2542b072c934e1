//! A length, and its units.

use serde::Serialize;

use crate::words;

words! {
    /// The unit in which an estimator measures text.
    ///
    /// Systems differ, and for emoji or CJK text their answers differ up to threefold:
    /// `OpenCode` and pi count UTF-16 code units, TunaCode counts code points, Codex counts UTF-8 bytes.
    pub enum Unit [derive(Default), non_exhaustive] {
        /// UTF-16 code units: JavaScript's `string.length`.
        Utf16 "utf16" [default],
        /// Unicode code points: Python's `len(str)`. An unpaired surrogate is one.
        CodePoints "code_points",
        /// Bytes of UTF-8. An unpaired surrogate is three.
        Bytes "bytes",
        /// 64ths of a token, estimated by the kinds of characters: letters cost less than digits and
        /// punctuation, these less than Chinese. An estimator that measures in it has 64 of them a token.
        Classes "classes",
        /// As `classes`, and of values the JSON that is sent: the escapes in its strings, its numbers and its
        /// punctuation cost what they cost there.
        ClassesOfJson "classes_of_json",
    }
}

/// The length of one text in every unit. Sums saturate at `u32::MAX`.
///
/// # Example
///
/// ```
/// use ebbline::length::{Length, Unit};
/// let length = Length::of("日本 😀");
/// assert_eq!(length.in_unit(Unit::Utf16), 5);
/// assert_eq!(length.in_unit(Unit::CodePoints), 4);
/// assert_eq!(length.in_unit(Unit::Bytes), 11);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Length {
    /// UTF-16 code units.
    pub utf16: u32,
    /// Unicode code points.
    pub code_points: u32,
    /// Bytes of UTF-8.
    pub bytes: u32,
    /// 64ths of a token, estimated by the kinds of characters.
    pub classed: u32,
    /// The same; of a value, those of the JSON that is sent.
    pub classed_json: u32,
}
