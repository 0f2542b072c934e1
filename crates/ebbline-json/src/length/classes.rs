//! The class-aware estimate: the cost of a text by the kinds of its characters.
//!
//! A quarter of a token per character is right only for English: JSON, `ls -l`, base64 and Chinese cost two to three
//! times as much. A tokenizer begins a token where the kind of character changes, so the cost of a character depends
//! on its own kind and on what precedes it. This table contains these costs in 64ths of a token. They are the
//! frequencies with which a token of `o200k_base` begins at such a character, measured over 3.4 million characters of
//! prose, source code, tool output and 25 languages, and then fitted so that the total for each sort of text is
//! right.
//!
//! Two patterns are treated separately. A repeated mark (`-----`, `====`) costs almost nothing. A run of letters and
//! digits that switches between the two more than once is not a word but an identifier: base64, hexadecimal.
//!
//! The error of the estimate compared with that of UTF-16 units divided by four (positive: too high):
//!
//! | text | by four | classes | | text | by four | classes |
//! |---|---|---|---|---|---|---|
//! | English | +2 % | +3 % | | Chinese | −62 % | −4 % |
//! | Rust | 0 % | +3 % | | Japanese | −60 % | −1 % |
//! | JavaScript, TypeScript | −10, +15 % | 0, +4 % | | Korean | −52 % | −1 % |
//! | Python | +18 % | +8 % | | Russian | −17 % | −11 % |
//! | C and shell | −13 % | −3 % | | Arabic, Hebrew | −26, −39 % | +10, −8 % |
//! | HTML, CSS | −21, −8 % | +3, +7 % | | Greek | −34 % | −4 % |
//! | minified code | −32 % | −3 % | | Hindi, Thai | −32, −40 % | −3, 0 % |
//! | JSON | −34 % | −3 % | | German, French | +8, +3 % | −5, +9 % |
//! | logs, CSV | −42, −51 % | +2, +8 % | | Polish, Turkish | −22, −18 % | −11, −4 % |
//! | `ls -l`, `hexdump` | −43, −56 % | −12, +6 % | | Finnish, Hungarian, Swedish | −23 % | −14 % |
//! | base64, hexadecimal | −58, −56 % | +6, +2 % | | Vietnamese | −17 % | +13 % |
//! | emoji | −73 % | −1 % | | drawn boxes | −42 % | −4 % |
//!
//! Over 1,875 texts of real sessions, none of which was used for fitting, the sum is 2 % too high (UTF-16 units
//! divided by four: 9 % too low), the median error of a text is 5.7 % (12 %), and nine in ten texts are within 15 %
//! (29 %).
//!
//! Arguments of calls are billed as JSON. What they contain as values is measured by the same table, with three kinds
//! more for the units that are escaped there; numbers and punctuation have costs of their own, because they follow the
//! tokenizer's own rules. The costs after and of escapes were fitted over 3,300 files of code, prose and JSON that is
//! no part of any session.
//!
//! All figures are defined in UTF-16 units and integers that a double represents exactly, so that JavaScript computes
//! the same figure for the same text (`npm/src/character-costs.ts`).

use super::kinds::{
    ASCII, ASCII_IN_JSON, BEGINNING, CELLS, HAS_PAIRS, Kind, MACHINE, QUOTED, STATES, WIDTH,
    kind_beyond_ascii, kind_of,
};
use crate::walk::Walk;

/// How many units of [`crate::Unit::Classes`] make one token.
pub const TOKEN: u32 = 64;

/// The cost of one structural character of JSON (a quote, a bracket, a comma, a letter of a literal).
pub const STRUCTURE: u32 = 20;

/// The cost of the punctuation before each key, string, number and literal of JSON. However many marks it has, it is
/// mostly one token: `","`, `":`, `},{"`.
pub const PUNCTUATION: u32 = 61;

/// What an array or object costs more.
pub const CONTAINER: u32 = 24;

/// The cost of a number in JSON, without the punctuation around it: three digits are a token, and so is a point.
///
/// # Example
///
/// ```
/// use ebbline_json::length::classes::{TOKEN, number};
/// assert_eq!(["7", "-1234", "0.125", "1e-7"].map(|digits| number(digits) / TOKEN), [1, 2, 3, 4]);
/// ```
#[must_use]
pub fn number(written: &str) -> u32 {
    let (mut tokens, mut digits) = (0_u32, 0_u32);
    for byte in written.bytes() {
        if byte.is_ascii_digit() {
            tokens = tokens.saturating_add(u32::from(digits.is_multiple_of(3)));
            digits += 1;
        } else {
            // The sign at the start belongs to the punctuation before it.
            tokens = tokens.saturating_add(u32::from(byte != b'-' || tokens > 0));
            digits = 0;
        }
    }
    tokens.saturating_mul(TOKEN)
}

/// How many UTF-16 units at the start of a text are read. After them, only the first [`BLOCK`] units of every quarter
/// of an octave (256 to 511, 512 to 1,023 …) are read: 606 of 3,000, 856 of 16,000, 1,131 of 100,000.
///
/// The rest of a quarter is estimated from the blocks so far, with a running mean in which each block has the weight
/// of a quarter and the units at the start are the first value. This changes the estimate of a text of more than
/// 1,024 units by 3.8 %, and that of a session by 1.7 % (medians over 39 real sessions).
pub const WHOLE: u64 = 256;

/// How many units are read together after the first [`WHOLE`]. The unit before a block is read only for its state and
/// costs nothing: otherwise each block would be treated like the start of a text.
pub const BLOCK: u64 = 24;

/// [`WHOLE`] and [`BLOCK`] for the arguments of calls and for strings of JSON. In [`super::Unit::ClassesOfJson`] more of
/// them is read, because what they contain changes more often: 1,792 units of 3,000, 3,072 of 16,000, 4,416 of 100,000.
const WHOLE_OF_ARGUMENTS: u64 = 512;
const BLOCK_OF_ARGUMENTS: u64 = 128;
const _: () =
    assert!(BLOCK * PARTS <= WHOLE && BLOCK_OF_ARGUMENTS * PARTS <= WHOLE_OF_ARGUMENTS, "blocks fit");

/// The number of parts of an octave.
const PARTS: u64 = 4;

/// The weight of the newest block in the running mean: one in this many.
const NEWEST: u64 = 4;

/// The running mean is stored in fractions of this size.
const FRACTION: u64 = 256;

/// The tables that JavaScript needs to measure texts itself, one after the other: the kind of every UTF-16 unit
/// (65,536); by state and kind, in rows of 32, the cost of a unit and then the state after it (28 rows each); for
/// each kind, the discount of a repeated unit (32).
#[must_use]
pub fn tables() -> Vec<u8> {
    let kinds = (0..=u16::MAX).map(|unit| kind_of(unit) as u8);
    let by_state = |table: &'static [u8; CELLS]| {
        (0..STATES * WIDTH)
            .map(|cell| table.get(cell % WIDTH * WIDTH + cell / WIDTH).copied().unwrap_or_default())
    };
    let (costs, next) = (by_state(&MACHINE.costs), by_state(&MACHINE.next));
    kinds.chain(costs).chain(next).chain(MACHINE.discounts).collect()
}

/// How many units are read one by one where no block can be read, before a block is tried again.
const FEW: usize = 16;

/// Sums the costs of one text's units as they arrive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Classes {
    /// How many units have arrived.
    pub(super) at: u64,
    /// Up to where the current part is read, and where it ends.
    read_to: u64,
    end: u64,
    /// The cost of the units read in this part, and of the parts before it.
    pub(super) block: u64,
    settled: u64,
    /// The running mean of the blocks before this part, in fractions.
    pool: u64,
    pub(super) state: u8,
    /// The last unit that was read; at the start, a value that no unit has.
    pub(super) last: u32,
    pub(super) ascii: &'static [Kind; 128],
    /// How many units are read at the start, and of each part.
    whole: u64,
    size: u64,
}

impl Classes {
    pub(super) const fn new() -> Self {
        Self {
            at: 0,
            read_to: WHOLE,
            end: WHOLE,
            block: 0,
            settled: 0,
            pool: 0,
            state: BEGINNING,
            last: u32::MAX,
            ascii: &ASCII,
            whole: WHOLE,
            size: BLOCK,
        }
    }

    /// Of the text of a call's arguments, of which more is read.
    pub(super) const fn of_arguments() -> Self {
        let (whole, size) = (WHOLE_OF_ARGUMENTS, BLOCK_OF_ARGUMENTS);
        Self { read_to: whole, end: whole, whole, size, ..Self::new() }
    }

    /// Of a text that is sent as a string of JSON. Its units are counted before they are escaped: otherwise where it is
    /// sampled would be known only after reading everything.
    pub(super) const fn in_json() -> Self {
        Self { state: QUOTED, ascii: &ASCII_IN_JSON, ..Self::of_arguments() }
    }

    /// The total cost of a whole text.
    pub(super) fn total_of(mut self, text: &mut Walk<'_>) -> u64 {
        while !text.is_at_end() {
            self.begin_stretch();
            let before = text.units();
            if self.at < self.read_to {
                let count = (self.read_to - self.at) as usize;
                if !self.read_block(text, count) {
                    let few = if HAS_PAIRS { count.min(FEW) } else { count };
                    text.read_to(before + few, &mut |units| self.read(units));
                }
            } else {
                text.pass_to(before.saturating_add(self.passed() as usize));
                self.at = text.units() as u64;
            }
            // A character across the border between what is read and what is passed, or the unit before a block.
            if text.units() == before {
                text.read_one(usize::MAX, &mut |units| units.iter().for_each(|unit| self.unit(*unit)));
            }
        }
        self.total()
    }

    /// Adds the next unit of the text.
    fn unit(&mut self, unit: u16) {
        self.begin_stretch();
        if self.passed() > 0 {
            self.at += 1;
            return;
        }
        let block = self.block;
        let is_of_block = self.at < self.read_to;
        self.read(&[unit]);
        if !is_of_block {
            self.block = block;
        }
    }

    /// The total cost, in 64ths of a token.
    fn total(&self) -> u64 {
        self.settled + self.stretched(self.at)
    }

    /// How many of the next units are skipped, that is, neither read nor directly before a block.
    fn passed(&self) -> u64 {
        if self.at < self.read_to { 0 } else { (self.end - 1).saturating_sub(self.at) }
    }

    /// Completes the current part if the text has reached the next one.
    fn begin_stretch(&mut self) {
        if self.at < self.end {
            return;
        }
        self.settled += self.stretched(self.end);
        self.pool =
            if self.end == self.whole { self.block * self.size * FRACTION / self.whole } else { self.mean() };
        self.block = 0;
        self.read_to = self.end + self.size;
        self.end += (1 << self.end.ilog2()) / PARTS;
    }

    /// The estimated cost of the current part up to `end`.
    fn stretched(&self, end: u64) -> u64 {
        self.block + self.mean() * end.saturating_sub(self.read_to) / (self.size * FRACTION)
    }

    /// The running mean after the current block.
    fn mean(&self) -> u64 {
        self.pool - self.pool / NEWEST + self.block * (FRACTION / NEWEST)
    }

    /// Adds the costs of units that follow each other.
    fn read(&mut self, units: &[u16]) {
        // Variables of its own, because every unit waits for the state after the one before.
        let Self { mut state, mut last, mut block, ascii, .. } = *self;
        for unit in units {
            let kind = match ascii.get(usize::from(*unit)) {
                Some(kind) => *kind as usize,
                None => kind_beyond_ascii(*unit) as usize,
            };
            let cell = (kind * WIDTH + usize::from(state)) % CELLS;
            block += u64::from(MACHINE.costs.get(cell).copied().unwrap_or_default());
            if last == u32::from(*unit) {
                block -= u64::from(MACHINE.discounts.get(kind).copied().unwrap_or_default());
            }
            (state, last) = (MACHINE.next.get(cell).copied().unwrap_or_default(), u32::from(*unit));
        }
        (self.state, self.last, self.block) = (state, last, block);
        self.at += units.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text of words of many kinds, in an order that depends on `seed`.
    fn text(seed: u32, words: usize) -> String {
        let all = [
            "plain ", "Camel", "4711 ", "{}]", "äé ", "漢字", "😀🙎", "п ", "deadbeef01 ", "\n", "\\",
            "==== ", "a1", "7f", "ee", "\u{1}",
        ];
        let mut state = seed.wrapping_mul(0x9E37_79B9) | 1;
        // In some texts only few words occur.
        let few = if seed.is_multiple_of(3) { all.len() } else { 2 + seed as usize % (all.len() - 2) };
        (0..words)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                all[(state as usize % few + seed as usize) % all.len()]
            })
            .collect()
    }

    #[test]
    fn a_text_costs_what_its_units_cost_one_by_one() {
        for seed in 0..1_500 {
            let text = text(seed, seed as usize % 300 * 7);
            for classes in [Classes::new(), Classes::of_arguments(), Classes::in_json()] {
                let mut expected = classes;
                text.encode_utf16().for_each(|unit| expected.unit(unit));
                let quoted = crate::json::quote(&text);
                let written = quoted.get(1..quoted.len() - 1).unwrap();
                for mut walk in [Walk::new(&text, false), Walk::new(written, true)] {
                    assert_eq!(classes.total_of(&mut walk), expected.total(), "{text}");
                }
            }
        }
    }
}
