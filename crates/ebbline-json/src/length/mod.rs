//! The length of a text in each unit that a system counts in.

mod amount;
#[doc(hidden)]
pub mod classes;
mod kinds;
mod pairs;

pub use amount::{Length, Unit};
use classes::Classes;

use crate::walk::Walk;

impl Length {
    /// Measures `text` in every unit.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::length::Length::of("é").bytes, 2);
    /// ```
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::measured(&Walk::new(text, false), Sampling::Text)
    }

    /// The length of a text in `unit`; in units that need another measurement, it is 0.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline_json::length::{Length, Unit};
    /// assert_eq!(Length::in_one_unit("é", Unit::Bytes).bytes, 2);
    /// ```
    #[must_use]
    pub fn in_one_unit(text: &str, unit: Unit) -> Self {
        match unit {
            Unit::Utf16 | Unit::CodePoints | Unit::Bytes => {
                let mut walk = Walk::new(text, false);
                walk.pass_to(usize::MAX);
                walk.length()
            }
            Unit::Classes | Unit::ClassesOfJson => Self::of(text),
        }
    }

    /// Measures the string before which `written` stands.
    pub(crate) fn measured(written: &Walk<'_>, sampling: Sampling) -> Self {
        let mut walk = written.clone();
        let as_text = Classes::new().total_of(&mut walk);
        let as_json = match sampling {
            Sampling::Text => as_text,
            Sampling::Arguments => Classes::of_arguments().total_of(&mut written.clone()),
            Sampling::Json => Classes::in_json().total_of(&mut written.clone()),
        };
        let [classed, classed_json] = [as_text, as_json].map(|cost| u32::try_from(cost).unwrap_or(u32::MAX));
        Self { classed, classed_json, ..walk.length() }
    }

    /// The length of `count` ASCII characters outside texts: JSON's punctuation, numbers and literals.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::length::Length::ascii(8).code_points, 8);
    /// ```
    #[must_use]
    pub fn ascii(count: usize) -> Self {
        let count = saturate(count);
        let classed = count.saturating_mul(classes::STRUCTURE);
        Self { utf16: count, code_points: count, bytes: count, classed, classed_json: classed }
    }

    /// The length in one unit.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::length::{Length, Unit};
    /// assert_eq!(Length::of("é").in_unit(Unit::Utf16), 1);
    /// ```
    #[must_use]
    pub fn in_unit(self, unit: Unit) -> u32 {
        match unit {
            Unit::Utf16 => self.utf16,
            Unit::CodePoints => self.code_points,
            Unit::Bytes => self.bytes,
            Unit::Classes => self.classed,
            Unit::ClassesOfJson => self.classed_json,
        }
    }

    /// The length of two concatenated texts.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::length::Length;
    /// assert_eq!(Length::of("a").plus(Length::of("é")).bytes, 3);
    /// ```
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            utf16: self.utf16.saturating_add(other.utf16),
            code_points: self.code_points.saturating_add(other.code_points),
            bytes: self.bytes.saturating_add(other.bytes),
            classed: self.classed.saturating_add(other.classed),
            classed_json: self.classed_json.saturating_add(other.classed_json),
        }
    }
}

/// Which units of a text are read for its classes, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sampling {
    Text,
    /// The text of a call's arguments, of which more is read for the classes of JSON.
    Arguments,
    /// A text that is sent as a string of JSON.
    Json,
}

impl std::iter::Sum for Length {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::default(), Self::plus)
    }
}

fn saturate(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_agree_with_the_standard_library() {
        for text in
            ["", "plain", "déjà vu", "日本語", "👩‍👩‍👧‍👦 family", "\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}"]
        {
            let length = Length::of(text);
            assert_eq!(length.utf16 as usize, text.encode_utf16().count(), "{text}");
            assert_eq!(length.code_points as usize, text.chars().count(), "{text}");
            assert_eq!(length.bytes as usize, text.len(), "{text}");
        }
    }

    #[test]
    fn sums_saturate_instead_of_wrapping() {
        let huge = Length {
            utf16: u32::MAX,
            code_points: u32::MAX - 1,
            bytes: 7,
            classed: u32::MAX - 99,
            classed_json: u32::MAX - 99,
        };
        let sum = huge.plus(Length::ascii(5));
        let all = u32::MAX;
        assert_eq!(sum, Length { utf16: all, code_points: all, bytes: 12, classed: all, classed_json: all });
    }
}
