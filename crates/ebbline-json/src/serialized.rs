//! Values as JSON, written by `serde_json` except for fractions.

use std::io;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::json::format_serde;

/// How `serde_json` writes by itself; its own way of writing a fraction brings a table of 9 kB into every module.
struct Compact;

impl Formatter for Compact {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(format_serde(value).as_bytes())
    }
}

/// A value as JSON: what `serde_json::to_string` writes.
///
/// # Errors
///
/// If the value refuses: a map whose keys are no texts, or an implementation of its own.
///
/// # Example
///
/// ```
/// assert_eq!(ebbline_json::serialized::written(&[1.0, 0.25])?, "[1.0,0.25]");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn written(value: &(impl Serialize + ?Sized)) -> serde_json::Result<String> {
    let mut bytes = Vec::with_capacity(128);
    value.serialize(&mut Serializer::with_formatter(&mut bytes, Compact))?;
    // `serde_json` writes only UTF-8, and it stands behind its own `to_string` with the same promise.
    Ok(String::from_utf8(bytes).unwrap_or_default())
}

/// A plain value as JSON, which cannot fail: a structure of texts, numbers and lists of them.
///
/// # Example
///
/// ```
/// assert_eq!(ebbline_json::serialized::to_json(&["a", "b"]), r#"["a","b"]"#);
/// ```
pub fn to_json(value: &(impl Serialize + ?Sized)) -> String {
    written(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_written_as_serde_json_writes_them() {
        let mut numbers = vec![
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            29.0,
            1e15,
            1e16,
            1e17,
            123_456_789_012_345_680.0,
            1e21,
            0.001,
            1e-4,
            1e-5,
            1e-6,
            1.25e-5,
            1e-7,
            5e-324,
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::NAN,
            f64::INFINITY,
            2.5e-5,
            12.5e-6,
        ];
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..4_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            numbers.extend([
                f64::from_bits(state),
                (state % 1_000_000_007) as f64 / 1e4,
                state as f64 / 1e20,
            ]);
        }
        for number in numbers {
            assert_eq!(to_json(&number), serde_json::to_string(&number).unwrap(), "{number:e}");
        }
    }
}
