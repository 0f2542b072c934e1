//! Records: how SQLite writes the values of a row (<https://www.sqlite.org/fileformat2.html#record_format>).

/// A number of one to nine bytes, and what follows it.
pub(super) fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0_u64;
    for (at, byte) in bytes.iter().enumerate().take(9) {
        let is_last = at == 8 || byte & 0x80 == 0;
        number = if at == 8 { number << 8 | u64::from(*byte) } else { number << 7 | u64::from(byte & 0x7F) };
        if is_last {
            return Some((number, bytes.get(at + 1..)?));
        }
    }
    None
}

/// A value of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'p> {
    Null,
    Integer(i64),
    Real(f64),
    /// In UTF-8, unless the database is damaged.
    Text(&'p [u8]),
    Blob(&'p [u8]),
}

impl<'p> Value<'p> {
    /// A text.
    pub(crate) fn text(self) -> Option<&'p str> {
        match self {
            Self::Text(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    /// A whole number.
    pub(crate) fn integer(self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(number),
            _ => None,
        }
    }
}

/// The value of a column, counted from 0. A row that is older than the column has nothing there. `None` if the bytes end
/// before the value does.
pub(crate) fn column(record: &[u8], column: usize) -> Option<Value<'_>> {
    let (length, behind) = varint(record)?;
    let length = usize::try_from(length).ok()?;
    let mut header = behind.get(..length.checked_sub(record.len() - behind.len())?)?;
    let mut at = length;
    let mut left = column;
    while !header.is_empty() {
        let (kind, rest) = varint(header)?;
        header = rest;
        let end = at.checked_add(size_of(kind)?)?;
        if left == 0 {
            return value(kind, record.get(at..end)?);
        }
        (left, at) = (left - 1, end);
    }
    Some(Value::Null)
}

fn size_of(kind: u64) -> Option<usize> {
    Some(match kind {
        0 | 8 | 9 => 0,
        1..=4 => kind as usize,
        5 => 6,
        6 | 7 => 8,
        10 | 11 => return None,
        _ => usize::try_from((kind - 12) / 2).ok()?,
    })
}

fn value(kind: u64, bytes: &[u8]) -> Option<Value<'_>> {
    Some(match kind {
        0 => Value::Null,
        1..=6 => Value::Integer(signed(bytes)),
        7 => Value::Real(f64::from_be_bytes(bytes.try_into().ok()?)),
        8 => Value::Integer(0),
        9 => Value::Integer(1),
        _ if kind.is_multiple_of(2) => Value::Blob(bytes),
        _ => Value::Text(bytes),
    })
}

fn signed(bytes: &[u8]) -> i64 {
    let first = if bytes.first().is_some_and(|byte| byte & 0x80 != 0) { -1 } else { 0 };
    bytes.iter().fold(first, |number, byte| number << 8 | i64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_up_to_nine_bytes() {
        for (bytes, number, rest) in [
            (&[0x05, 7][..], 5, &[7][..]),
            (&[0x81, 0x00], 128, &[]),
            (&[0xFF; 9], u64::MAX, &[]),
            (&[0x80, 0x80, 0x01, 9], 1, &[9]),
        ] {
            assert_eq!(varint(bytes), Some((number, rest)));
        }
        assert_eq!(varint(&[0x81]), None);
    }

    #[test]
    fn a_column_is_found_by_the_kinds_in_front() {
        // null, 1 byte, 3 bytes, 1, text of 2, blob of 1, a real number
        let record = [8, 0, 1, 3, 9, 17, 14, 7, 0xFF, 1, 0, 0, b'h', b'i', 9, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0];
        let expected = [
            Value::Null,
            Value::Integer(-1),
            Value::Integer(65_536),
            Value::Integer(1),
            Value::Text(b"hi"),
            Value::Blob(&[9]),
            Value::Real(1.5),
            Value::Null,
        ];
        for (at, value) in expected.into_iter().enumerate() {
            assert_eq!(column(&record, at), Some(value), "{at}");
        }
        for cut in [0, 1, 7] {
            assert_eq!(column(&record[..cut], 4), None);
        }
        assert_eq!(column(&record[..13], 4), None, "the text is cut");
        assert_eq!(column(&[3, 10, 10], 1), None, "kinds that no record has");
    }
}
