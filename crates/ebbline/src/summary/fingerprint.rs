//! A fingerprint of messages: whether a summary still stands for the messages that it was asked for.

use super::texts::Texts;
use crate::format::PieceForm;
use crate::transcript::Transcript;

/// The multiplier and the start of FNV-1a for 64 bits.
const PRIME: u64 = 0x0000_0100_0000_01b3;
const START: u64 = 0xcbf2_9ce4_8422_2325;

/// A fingerprint of messages and of the `texts` of their parts.
///
/// It tells an edit from a copy. It is no protection against somebody who looks for two texts with the same fingerprint.
/// The rule is FNV-1a, eight bytes at a time.
pub(crate) fn of_texts(transcript: &Transcript, texts: &Texts<'_>) -> u64 {
    let (source, places) = texts.source();
    let mut hash = bytes_mixed(START, source);
    for (index, message) in transcript.messages().iter().enumerate() {
        hash = mixed(hash, message.role as u64 | u64::from(message.active) << 8);
        for (at, part) in transcript.part_range(index).zip(transcript.parts_of(index)) {
            for piece in places.of(at) {
                let is_text = u64::from(piece.form == PieceForm::Text);
                hash = mixed(hash, is_text | (piece.kind as u64) << 1 | (piece.span().len() as u64) << 8);
            }
            hash = mixed(
                hash,
                part.kind as u64 | (part.output as u64) << 8 | u64::from(part.length.utf16) << 16,
            );
            hash =
                bytes_mixed(hash, part.tool.and_then(|tool| transcript.tool_name(tool)).unwrap_or_default());
        }
    }
    hash
}

fn bytes_mixed(hash: u64, text: &str) -> u64 {
    let (whole, rest) = text.as_bytes().as_chunks::<8>();
    let hash = whole.iter().fold(hash, |hash, bytes| mixed(hash, u64::from_le_bytes(*bytes)));
    rest.iter().fold(mixed(hash, text.len() as u64), |hash, byte| mixed(hash, (*byte).into()))
}

fn mixed(hash: u64, word: u64) -> u64 {
    // A multiplication alone never carries a bit downwards.
    let hash = (hash ^ word).wrapping_mul(PRIME);
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SessionText;

    fn transcript(text: &str) -> Transcript {
        SessionText::read(text).unwrap().transcript().clone()
    }

    #[test]
    fn every_byte_and_every_message_counts() {
        let messages = transcript(r#"[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]"#);
        let turned = transcript(r#"[{"role":"assistant","content":"a"},{"role":"user","content":"b"}]"#);
        let text = "port 8080, and a longer text, so that whole words are mixed";
        let words = [2, 1, 9, 1 << 3 | 1, 50];
        let of = |messages: &Transcript, text: &str, words: &[u32]| {
            of_texts(messages, &Texts::of_pieces(text, words).unwrap())
        };
        let known = of(&messages, text, &words);
        assert_eq!(known, of(&messages.clone(), text, &words));
        assert_ne!(known, of(&turned, text, &words));
        let others: [[u32; 5]; 4] = [
            [2, 1, 10, 1 << 3 | 1, 49],
            [2, 0, 9, 1 << 3 | 1, 50],
            [2, 1, 9, 1 << 3 | 3, 50],
            [2, 1 << 3 | 1, 9, 1 << 3 | 1, 50],
        ];
        for words in others {
            assert_ne!(known, of(&messages, text, &words), "{words:?}");
        }
        for at in 0..text.len() {
            let mut edited = text.as_bytes().to_vec();
            edited[at] ^= 1;
            let edited = String::from_utf8(edited).unwrap();
            assert_ne!(known, of(&messages, &edited, &words), "byte {at}");
        }
    }
}
