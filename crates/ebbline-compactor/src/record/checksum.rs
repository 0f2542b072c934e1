//! The checksum of a message: a record fits only the history that it was made of.

use ebbline::binding;
use ebbline::json::{Document, Value};

/// What a model sees of a message; a text that is no message is seen as it is.
pub(crate) fn seen_of(words: &str) -> String {
    Document::parse(words).map_or_else(|_| words.to_owned(), |document| binding::seen::seen(document.root()))
}

/// The checksum of a message.
pub(super) fn sum_of(words: &str) -> u32 {
    checksum(&seen_of(words))
}

/// A checksum of all that a record says, but for the messages in it, which have their own.
pub(super) fn sum_of_record(record: Value<'_>) -> u32 {
    checksum(&binding::seen::data(record, &["checksum", "originals"]))
}

/// CRC-32C of the UTF-16 units of a text, each as four bytes, lowest first: as the npm package computes it.
fn checksum(text: &str) -> u32 {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut sum = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                sum = (sum >> 1) ^ (POLYNOMIAL * (sum & 1));
                bit += 1;
            }
            #[expect(
                clippy::indexing_slicing,
                reason = "evaluated by the compiler, which refuses what is out of range"
            )]
            {
                table[byte] = sum;
            }
            byte += 1;
        }
        table
    };
    let bytes = text.encode_utf16().flat_map(|unit| u32::from(unit).to_le_bytes());
    !bytes.fold(!0_u32, |sum, byte| {
        let entry = TABLE.get(((sum ^ u32::from(byte)) & 0xff) as usize).copied().unwrap_or_default();
        (sum >> 8) ^ entry
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_npm_package() {
        assert_eq!(checksum(""), 0);
        assert_eq!(checksum(r#"{"role":"user","content":"héllo 𝄞"}"#), CHECKSUM);
    }

    /// What `npm/src/checksum.ts` says.
    const CHECKSUM: u32 = 290_204_964;
}
