//! A walk over a string in UTF-16 units, which decodes only what is read.

use crate::block::{self, Block, lowest};
use crate::length::Length;
use crate::written::{Pieces, short_escape};

/// A place in a string, and how much lies before it.
///
/// Most of a session is text of which only the length is needed. The walk therefore passes whole blocks.
#[derive(Clone, Debug)]
pub(crate) struct Walk<'d> {
    text: &'d str,
    escaped: bool,
    at: usize,
    points: usize,
    /// Characters of two units.
    astral: usize,
    /// Bytes of what the string stands for.
    bytes: usize,
}

impl<'d> Walk<'d> {
    /// `text` as a source writes it; whether it has escapes.
    pub(crate) fn new(text: &'d str, escaped: bool) -> Self {
        Self { text, escaped, at: 0, points: 0, astral: 0, bytes: 0 }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// The block at this place, behind the character that is here; `None` if less is left.
    pub(crate) fn block(&mut self) -> Option<&'d [u8; block::SIZE]> {
        self.complete();
        block::first(self.rest())
    }

    /// Whether the text has escapes.
    pub(crate) fn is_escaped(&self) -> bool {
        self.escaped
    }

    /// Passes characters of one unit each that somebody else has read: how many bytes are written, how many characters that
    /// is, and how many bytes they stand for.
    pub(crate) fn advance(&mut self, written: usize, count: usize, bytes: usize) {
        self.at += written;
        self.points += count;
        self.bytes += bytes;
    }

    /// How many UTF-16 units lie before this place.
    pub(crate) fn units(&self) -> usize {
        self.points + self.astral
    }

    /// The length of what lies before this place, without classes.
    pub(crate) fn length(&self) -> Length {
        let saturate = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Length {
            utf16: saturate(self.units()),
            code_points: saturate(self.points),
            bytes: saturate(self.bytes),
            ..Length::default()
        }
    }

    /// Passes whole characters, as long as at most `end` units lie before the place.
    pub(crate) fn pass_to(&mut self, end: usize) {
        while self.units() < end && !self.is_at_end() {
            let Some(block) = block::first(self.rest()) else {
                return self.read_to(end, &mut |_| ());
            };
            let before = self.at;
            self.pass_block(block, end - self.units());
            if self.at == before && !self.read_one(end, &mut |_| ()) {
                break;
            }
        }
        self.complete();
    }

    /// Reads whole characters, as long as at most `end` units lie before the place.
    pub(crate) fn read_to(&mut self, end: usize, take: &mut dyn FnMut(&[u16])) {
        let mut units = [0; 64];
        while self.units() < end {
            let most = units.len().min(end - self.units());
            let count = self.decode(units.get_mut(..most).unwrap_or_default());
            take(units.get(..count).unwrap_or_default());
            if count < most && !self.read_one(end, take) {
                break;
            }
        }
    }

    /// Reads one character, if there is one and at most `end` units lie before its end.
    pub(crate) fn read_one(&mut self, end: usize, take: &mut dyn FnMut(&[u16])) -> bool {
        self.complete();
        let left = end.saturating_sub(self.units());
        let Some(rest) = self.text.get(self.at..) else { return false };
        let mut pieces = Pieces { rest };
        let character = if self.escaped && rest.starts_with('\\') {
            pieces.escape()
        } else {
            let mut characters = rest.chars();
            let Some(character) = characters.next() else { return false };
            pieces.rest = characters.as_str();
            Ok(character)
        };
        let mut units = [0; 2];
        let units: &[u16] = match character {
            Ok(character) => character.encode_utf16(&mut units),
            Err(unit) => &[unit],
        };
        if units.len() > left {
            return false;
        }
        take(units);
        self.at = self.text.len() - pieces.rest.len();
        self.points += 1;
        self.astral += units.len() - 1;
        // Half of a surrogate pair becomes the replacement character.
        self.bytes += character.unwrap_or(char::REPLACEMENT_CHARACTER).len_utf8();
        true
    }

    /// Decodes the characters that are most frequent: ASCII, short escapes, and characters of two bytes.
    fn decode(&mut self, units: &mut [u16]) -> usize {
        let rest = self.rest();
        let backslash = if self.escaped { b'\\' } else { u8::MAX };
        let (mut at, mut count, mut escapes) = (0, 0, 0);
        for place in units {
            let Some(byte) = rest.get(at) else { break };
            if byte.is_ascii() && *byte != backslash {
                *place = u16::from(*byte);
                (at, count) = (at + 1, count + 1);
                continue;
            }
            let next = rest.get(at + 1).copied().unwrap_or_default();
            *place = match byte {
                0xC0..0xE0 => u16::from(byte & 0x1F) << 6 | u16::from(next & 0x3F),
                0..0x80 => match short_escape(next) {
                    Some(character) => {
                        escapes += 1;
                        u16::from(character)
                    }
                    None => break,
                },
                _ => break,
            };
            (at, count) = (at + 2, count + 1);
        }
        self.points += count;
        self.at += at;
        // What an escape stands for has one byte.
        self.bytes += at - escapes;
        count
    }

    /// Passes as much of the block at this place as has at most `left` units, up to the first escape with four digits. It
    /// may end inside a character, which is counted.
    fn pass_block(&mut self, bytes: &[u8; block::SIZE], left: usize) {
        let block = Block::new(bytes);
        let backslashes = if self.escaped { block.equal(b'\\') } else { 0 };
        let escapes = if backslashes == 0 { 0 } else { block::escapes(backslashes) };
        // An escape at the end of the block belongs to the next one.
        let not_here = if escapes == 0 { 0 } else { escapes & (block.equal(b'u') >> 1 | 1 << 63) };
        let mut end = not_here.trailing_zeros();
        // Every character has exactly one byte that is not a continuation byte, and this byte is `0xF0` or more for
        // characters of two units.
        let astral = block.at_least(0xF0);
        let starts = !block.continuing() & !escapes;
        if left < block::SIZE {
            let left = left as u32;
            let further = block::position_after(starts, left);
            // Where characters of two units are, the last ones are passed one by one.
            let further =
                if astral & lowest(further) == 0 { further } else { block::position_after(starts, left / 2) };
            // What an escape stands for begins at the escape.
            let is_escape = further > 0 && further < 64 && escapes >> (further - 1) & 1 == 1;
            end = end.min(further - u32::from(is_escape));
        }
        let within = lowest(end);
        self.at += end as usize;
        self.points += (starts & within).count_ones() as usize;
        self.bytes += end as usize;
        if astral != 0 {
            self.astral += (astral & within).count_ones() as usize;
        }
        if escapes != 0 {
            self.bytes -= (escapes & within).count_ones() as usize;
        }
    }

    /// Passes the rest of a character that began in the block before.
    fn complete(&mut self) {
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
            self.bytes += 1;
        }
    }

    fn rest(&self) -> &'d [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A string with everything that is counted in its own way, in an order that depends on `seed`.
    fn written(seed: u32, pieces: usize) -> String {
        let all = [
            "a", "plain words ", "\\n", "\\\"", "\\\\", "\\\\\\\\", "é", "漢字", "😀", "\\u0041", "\\u6f22",
            "\\ud83d\\ude00", "\\ud83d", "u",
        ];
        let mut state = seed.wrapping_mul(0x9E37_79B9) | 1;
        (0..pieces)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                // Few kinds of pieces in some strings, so that blocks of one kind occur.
                let kinds = 1 + (seed as usize * 5) % all.len();
                all[state as usize % kinds.max(2)]
            })
            .collect()
    }

    #[test]
    fn what_is_passed_in_blocks_is_counted_as_one_by_one() {
        for seed in 0..400 {
            let text = written(seed, 10 + seed as usize % 90);
            for escaped in [true, false] {
                for units in [1, 2, 7, 39, 63, 64, 65, 103, 231, 1_000, 1_000_000] {
                    let (mut walk, mut expected) = (Walk::new(&text, escaped), Walk::new(&text, escaped));
                    while !walk.is_at_end() {
                        let end = walk.units() + units;
                        walk.pass_to(end);
                        while expected.units() < end && expected.read_one(end, &mut |_| ()) {}
                        assert_eq!(walk.length(), expected.length(), "{units} units of {text}");
                        assert_eq!(walk.at, expected.at, "{units} units of {text}");
                        // Of a character across the border.
                        if walk.units() < end {
                            assert_eq!(
                                walk.read_one(end + 1, &mut |_| ()),
                                expected.read_one(end + 1, &mut |_| ())
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn characters_across_the_end_of_a_block_are_counted_once() {
        for before in 0..130 {
            for character in ["é", "漢", "😀", "\\n", "\\ud83d\\ude00"] {
                let text = "x".repeat(before) + character + &"y".repeat(140);
                let (mut walk, mut expected) = (Walk::new(&text, true), Walk::new(&text, true));
                walk.pass_to(usize::MAX);
                while expected.read_one(usize::MAX, &mut |_| ()) {}
                assert_eq!(walk.length(), expected.length(), "{text}");
            }
        }
    }

    #[test]
    fn what_is_read_has_the_units_of_the_string() {
        for seed in 0..100 {
            let text = written(seed, 60);
            let (mut units, mut expected) = (Vec::new(), Vec::new());
            let (mut walk, mut one_by_one) = (Walk::new(&text, true), Walk::new(&text, true));
            while !walk.is_at_end() {
                walk.read_to(walk.units() + 17, &mut |read| units.extend_from_slice(read));
                walk.read_one(usize::MAX, &mut |read| units.extend_from_slice(read));
            }
            while one_by_one.read_one(usize::MAX, &mut |read| expected.extend_from_slice(read)) {}
            assert_eq!(units, expected, "{text}");
            assert_eq!(walk.length(), one_by_one.length(), "{text}");
        }
    }
}
