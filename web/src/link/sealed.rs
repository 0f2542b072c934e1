//! Text and bytes in a link with two bytes by which a link that was cut off or changed is recognized.

use super::base64url;

/// Encodes `bytes` behind their checksum.
pub fn seal(bytes: &[u8]) -> String {
    let mut sealed = checksum(bytes).to_be_bytes().to_vec();
    sealed.extend(bytes);
    base64url::encode(&sealed)
}

/// Decodes [`seal`]; `None` if anything is missing or changed.
pub fn open(text: &str) -> Option<Vec<u8>> {
    let sealed = base64url::decode(text)?;
    let (sum, bytes) = sealed.split_first_chunk::<2>()?;
    (u16::from_be_bytes(*sum) == checksum(bytes)).then(|| bytes.to_vec())
}

/// The 64 bits of FNV-1a: by it a file is recognized again. It is no secret's hash.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn checksum(bytes: &[u8]) -> u16 {
    let hash = fingerprint(bytes);
    [48, 32, 16, 0].into_iter().fold(0, |sum, shift| sum ^ (hash >> shift) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_off_or_changed_is_noticed() {
        let bytes = b"ebbline@2 protect=30000 at=41 message=58 sample=bug-hunt";
        let text = seal(bytes);
        assert_eq!(open(&text).unwrap(), bytes);
        for end in 0..text.len() {
            assert_eq!(open(&text[..end]), None, "{end}");
        }
        for at in 0..text.len() {
            let mut other = text.clone().into_bytes();
            other[at] = if other[at] == b'x' { b'y' } else { b'x' };
            assert_eq!(open(&String::from_utf8(other).unwrap()), None, "{at}");
        }
        assert_eq!((fingerprint(b""), fingerprint(b"a")), (0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c));
    }
}
