//! Columns of rows, and what stands in them.

use ebbline::json::quote;
use serde::{Deserialize, Serialize};

/// What a column holds. Every cell may also be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Whole numbers of 64 bits.
    Integer,
    /// Floating point numbers of 64 bits.
    Number,
    /// Texts.
    Text,
    /// Yes or no.
    Flag,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Cell {
    /// Nothing: not known, or there is none.
    Nothing,
    /// A whole number.
    Integer(i64),
    /// A number, which crosses as the bits that it has.
    #[serde(with = "bits")]
    Number(f64),
    /// A text.
    Text(String),
    /// Yes or no.
    Flag(bool),
}

impl Cell {
    /// The cell in JSON.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline_commands::Cell::Number(29.0).json(), "29");
    /// ```
    #[must_use]
    pub fn json(&self) -> String {
        match self {
            Self::Integer(number) => number.to_string(),
            Self::Number(number) if number.is_finite() => ebbline::json::format_js(*number),
            Self::Nothing | Self::Number(_) => "null".to_owned(),
            Self::Text(text) => quote(text),
            Self::Flag(flag) => flag.to_string(),
        }
    }
}

/// A decimal number that is read again can be another one.
mod bits {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    #[cfg_attr(
        target_pointer_width = "64",
        expect(clippy::trivially_copy_pass_by_ref, reason = "serde says so")
    )]
    pub(super) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        number.to_bits().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(f64::from_bits(u64::deserialize(deserializer)?))
    }
}

/// What cannot be represented is the greatest number that can.
fn integer(number: impl TryInto<i64>) -> Cell {
    Cell::Integer(number.try_into().unwrap_or(i64::MAX))
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        integer(number)
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        integer(number)
    }
}

impl From<usize> for Cell {
    fn from(number: usize) -> Self {
        integer(number)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Cell {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

/// A column with what stands in it of a value.
pub(crate) struct Field<T> {
    /// The column.
    pub(crate) column: Column,
    /// The cell of a value.
    pub(crate) of: fn(&T) -> Cell,
}

/// A column of whole numbers.
pub(crate) const fn integers<T>(name: &'static str, of: fn(&T) -> Cell) -> Field<T> {
    Field { column: Column { name, kind: Kind::Integer }, of }
}

/// A column of numbers.
pub(crate) const fn numbers<T>(name: &'static str, of: fn(&T) -> Cell) -> Field<T> {
    Field { column: Column { name, kind: Kind::Number }, of }
}

/// A column of texts.
pub(crate) const fn texts<T>(name: &'static str, of: fn(&T) -> Cell) -> Field<T> {
    Field { column: Column { name, kind: Kind::Text }, of }
}

/// A column of flags.
pub(crate) const fn flags<T>(name: &'static str, of: fn(&T) -> Cell) -> Field<T> {
    Field { column: Column { name, kind: Kind::Flag }, of }
}

/// The columns of fields.
pub(crate) fn columns<T>(fields: &[Field<T>]) -> std::vec::IntoIter<Column> {
    fields.iter().map(|field| field.column).collect::<Vec<_>>().into_iter()
}

/// The cells of a value.
pub(crate) fn cells<T>(fields: &[Field<T>], value: &T) -> Vec<Cell> {
    fields.iter().map(|field| (field.of)(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_json() {
        let cells = [
            (Cell::from(3_u64), "3"),
            (u64::MAX.into(), "9223372036854775807"),
            (29.0.into(), "29"),
            (f64::NAN.into(), "null"),
            (None::<u32>.into(), "null"),
            ("a\"b".into(), r#""a\"b""#),
            (Some(true).into(), "true"),
        ];
        for (cell, json) in cells {
            assert_eq!(cell.json(), json);
        }
    }
}
