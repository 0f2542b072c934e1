//! Bytes as text that every program leaves alone in an address: base64 with `-` and `_`, without padding.

/// The 64 digits.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Encodes `bytes`.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, at| bits << 8 | chunk.get(at).copied().map_or(0, u32::from));
        for place in 0..=chunk.len() {
            let digit = bits >> (18 - 6 * place) & 63;
            text.push(char::from(DIGITS.get(digit as usize).copied().unwrap_or(b'A')));
        }
    }
    text
}

/// Decodes [`encode`]; `None` if it has not written `text`.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for chunk in text.as_bytes().chunks(4) {
        let mut bits = 0_u32;
        for place in 0..4 {
            let digit = match chunk.get(place) {
                Some(wanted) => DIGITS.iter().position(|digit| digit == wanted)? as u32,
                None => 0,
            };
            bits = bits << 6 | digit;
        }
        let [_, first, second, third] = bits.to_be_bytes();
        let (whole, rest) = match chunk.len() {
            4 => (3, 0),
            3 => (2, u32::from(third)),
            2 => (1, u32::from(second) << 8 | u32::from(third)),
            _ => return None,
        };
        if rest != 0 {
            return None;
        }
        bytes.extend([first, second, third].into_iter().take(whole));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        for length in 0..70_u8 {
            let bytes: Vec<u8> = (0..length).map(|at| at.wrapping_mul(37) ^ length).collect();
            let text = encode(&bytes);
            assert_eq!(decode(&text), Some(bytes), "{text}");
            assert!(text.bytes().all(|byte| DIGITS.contains(&byte)));
        }
        assert_eq!(encode(b"any carnal pleas"), "YW55IGNhcm5hbCBwbGVhcw");
        assert_eq!(encode(&[0xfb, 0xff]), "-_8");
    }

    #[test]
    fn what_was_not_encoded_is_nothing() {
        for text in ["a", "abcde", "ab=", "ab+c", "a b", "-_9", "%2D"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
