//! The numbers of the binary format: LEB128, unsigned and signed.

use super::Fault;

/// Reads a part of a module from its beginning.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// How many bytes are left.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    pub(super) fn byte(&mut self) -> Result<u8, Fault> {
        let (first, rest) = self.rest.split_first().ok_or_else(cut)?;
        self.rest = rest;
        Ok(*first)
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(cut)?;
        self.rest = rest;
        Ok(taken)
    }

    /// An unsigned number of 32 bits.
    pub(super) fn number(&mut self) -> Result<u32, Fault> {
        let mut value = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(value).map_err(|_| "a number of more than 32 bits".to_owned());
            }
        }
        Err("a number of more than 32 bits".to_owned())
    }

    /// A signed number of up to 64 bits.
    pub(super) fn signed(&mut self) -> Result<i64, Fault> {
        let mut value = 0_i64;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            value |= i64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                let is_negative = byte & 0x40 != 0 && shift + 7 < 64;
                return Ok(if is_negative { value | (-1 << (shift + 7)) } else { value });
            }
        }
        Err("a number of more than 64 bits".to_owned())
    }

    /// A length and as many bytes.
    pub(super) fn sized(&mut self) -> Result<&'a [u8], Fault> {
        let length = self.number()?;
        self.take(length as usize)
    }
}

fn cut() -> Fault {
    "an end where more is expected".to_owned()
}

/// Writes an unsigned number.
pub(super) fn write_number(to: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

/// Writes a length and the bytes.
pub(super) fn write_sized(to: &mut Vec<u8>, bytes: &[u8]) {
    write_number(to, bytes.len() as u32);
    to.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for value in [0, 1, 127, 128, 16_383, 16_384, u32::MAX] {
            let mut bytes = Vec::new();
            write_number(&mut bytes, value);
            assert_eq!(Reader::new(&bytes).number(), Ok(value));
        }
    }

    #[test]
    fn signed_numbers_have_their_sign() {
        let cases: [(&[u8], i64); 6] = [
            (&[0x3f], 63),
            (&[0x40], -64),
            (&[0x80, 0x01], 128),
            (&[0x80, 0x7f], -128),
            (&[0x7f], -1),
            (&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f], i64::MIN),
        ];
        for (bytes, value) in cases {
            assert_eq!(Reader::new(bytes).signed(), Ok(value), "{bytes:x?}");
        }
    }

    #[test]
    fn what_is_cut_off_or_too_large_is_refused() {
        assert!(Reader::new(&[0x80]).number().is_err());
        assert!(Reader::new(&[0xff, 0xff, 0xff, 0xff, 0x7f]).number().is_err());
        assert!(Reader::new(&[3, 1, 2]).sized().is_err());
    }
}
