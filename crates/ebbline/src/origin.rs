//! Which reading of which text a transcript comes from, so that a plan of it is carried out in no other.

use std::hash::{Hash, Hasher};

/// Tells one reading from all others; nothing for messages that were not read from a text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Origin(Option<u64>);

impl Origin {
    /// The origin of what is read from `text` under `options`.
    pub(crate) fn of(text: &impl Hash, options: &impl Hash) -> Self {
        let mut fingerprint = Fingerprint(0);
        text.hash(&mut fingerprint);
        options.hash(&mut fingerprint);
        Self(Some(fingerprint.finish()))
    }

    /// Whether both come from the same reading.
    pub(crate) fn is(self, other: Self) -> bool {
        self.0.is_some() && self.0 == other.0
    }
}

/// What holds an origin is compared by what it says, wherever it comes from.
impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Origin {}

/// A hash of four words at a time, none of which waits for another: it is computed at every reading. It is not proof
/// against somebody who looks for two texts of one fingerprint, and need not be: it guards against mistakes.
struct Fingerprint(u64);

const LANES: usize = 4;

fn mixed(state: u64, word: u64) -> u64 {
    (state.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Hasher for Fingerprint {
    fn write(&mut self, bytes: &[u8]) {
        let mut lanes = [self.0, 1, 2, 3];
        let mut add = |block: &[u8; 8 * LANES]| {
            for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
                *lane = mixed(*lane, u64::from_le_bytes(*word));
            }
        };
        let (blocks, rest) = bytes.as_chunks();
        blocks.iter().for_each(&mut add);
        let mut last = [0; 8 * LANES];
        last.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
        add(&last);
        self.0 = lanes.into_iter().fold(bytes.len() as u64, mixed);
    }

    fn finish(&self) -> u64 {
        // The upper bits have seen every word; the lower ones only the low bits of each.
        self.0 ^ self.0 >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_equal_length_differ_whichever_byte_differs() {
        let text = "0123456789abcdefghijk".repeat(3);
        let origin = Origin::of(&text, &());
        assert!(origin.is(Origin::of(&text, &())) && !origin.is(Origin::of(&text, &1)));
        for at in 0..text.len() {
            for other in ["~", "\0"] {
                let mut other_text = text.clone();
                other_text.replace_range(at..=at, other);
                assert!(!origin.is(Origin::of(&other_text, &())), "byte {at}");
            }
        }
        assert!(!Origin::default().is(Origin::default()), "two that are not known are not the same");
    }
}
