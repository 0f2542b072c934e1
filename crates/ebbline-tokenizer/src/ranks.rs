//! The packed form of a vocabulary: small, and usable without unpacking.
//!
//! First a line, `ebbline ranks 1 ` and the number of tokens; then one byte for each token, its length; then the
//! bytes of all tokens. Tokens are in the order of their ranks. Lengths and bytes are separate because they
//! compress better that way: brotli compresses `o200k_base` to 0.79 MB.

use std::fmt;

const HEAD: &str = "ebbline ranks 1 ";

/// Why ranks cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRanks {
    message: String,
}

impl BadRanks {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for BadRanks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BadRanks {}

/// The lengths and the bytes of packed ranks.
///
/// # Errors
///
/// The ranks are not in the packed form.
pub(crate) fn unpack(packed: &[u8]) -> Result<(&[u8], &[u8]), BadRanks> {
    let end = packed.iter().position(|byte| *byte == b'\n');
    let (head, rest) = end.and_then(|end| packed.split_at_checked(end)).unwrap_or((packed, &[]));
    let count =
        std::str::from_utf8(head).ok().and_then(|head| head.strip_prefix(HEAD)?.parse::<usize>().ok());
    let count = count.ok_or_else(|| BadRanks::new("these are no packed ranks"))?;
    let (lengths, bytes) = rest
        .get(1..)
        .and_then(|rest| rest.split_at_checked(count))
        .ok_or_else(|| BadRanks::new("the ranks stop in the middle"))?;
    let total: usize = lengths.iter().map(|length| usize::from(*length)).sum();
    if total == bytes.len() {
        Ok((lengths, bytes))
    } else {
        Err(BadRanks::new(format!("the tokens take {total} bytes, but there are {}", bytes.len())))
    }
}

/// Packs a vocabulary as `tiktoken` publishes it: a line for each token, base64 and rank, in order of ranks.
///
/// # Errors
///
/// [`BadRanks`] names the wrong line: invalid base64, no rank, a rank out of order, an empty token, or a token of more
/// than 255 bytes.
pub fn pack(tiktoken: &str) -> Result<Vec<u8>, BadRanks> {
    let (mut lengths, mut bytes) = (Vec::new(), Vec::new());
    for (at, line) in tiktoken.lines().filter(|line| !line.is_empty()).enumerate() {
        let wrong = |what: &str| BadRanks::new(format!("line {}: {what}", at + 1));
        let (token, rank) = line.split_once(' ').ok_or_else(|| wrong("no rank"))?;
        if rank.parse() != Ok(at) {
            return Err(wrong("the ranks are not in order"));
        }
        let before = bytes.len();
        decode_base64(token, &mut bytes).ok_or_else(|| wrong("no base64"))?;
        let length = u8::try_from(bytes.len() - before).ok().filter(|length| *length > 0);
        lengths.push(length.ok_or_else(|| wrong("a token of no or of more than 255 bytes"))?);
    }
    let mut packed = format!("{HEAD}{}\n", lengths.len()).into_bytes();
    packed.extend(lengths);
    packed.extend(bytes);
    Ok(packed)
}

fn decode_base64(text: &str, into: &mut Vec<u8>) -> Option<()> {
    let (mut bits, mut held) = (0_u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            into.push((bits >> held) as u8);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        let packed = pack("IQ== 0\nIGFi 1\n\n4pyT 2\n").unwrap();
        assert_eq!(unpack(&packed).unwrap(), ([1, 3, 3].as_slice(), "! ab✓".as_bytes()));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, message) in [
            ("IQ==", "line 1: no rank"),
            ("IQ== 0\nIg== 2", "line 2: the ranks are not in order"),
            ("I?== 0", "line 1: no base64"),
            ("= 0", "line 1: a token of no or of more than 255 bytes"),
        ] {
            assert_eq!(pack(text).unwrap_err().to_string(), message);
        }
        for (packed, message) in [
            ("", "these are no packed ranks"),
            ("ebbline ranks 2 1\n", "these are no packed ranks"),
            ("ebbline ranks 1 2\n\u{1}", "the ranks stop in the middle"),
            ("ebbline ranks 1 1\n\u{2}a", "the tokens take 2 bytes, but there are 1"),
        ] {
            assert_eq!(unpack(packed.as_bytes()).unwrap_err().to_string(), message);
        }
    }
}
