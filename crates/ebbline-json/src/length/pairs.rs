//! The costs of a text's units in blocks of its bytes.
//!
//! Without the turns of its run, a state is the kind of the unit before. So most units of ASCII cost what a table says of two
//! bytes that follow each other, and none waits for the one before. Few have two turns before them; they are found in words
//! of bits, and counted again.

use super::classes::Classes;
use super::kinds::{
    ALPHANUMERIC, ASCII, ASCII_IN_JSON, CELLS, DIGIT, HAS_PAIRS, KINDS, Kind, MACHINE, RATES, REPEATED, SAME,
    WIDTH, group, kind_beyond_ascii, state,
};
use crate::block::{self, Block, lowest};
use crate::walk::Walk;
use crate::written::short_escape;

/// Costs of a byte of ASCII after another: at 256 times the byte, and the one before.
type Pairs = [u8; 128 * 256];

static PAIRS: Pairs = pairs(&ASCII);
static PAIRS_IN_JSON: Pairs = pairs(&ASCII_IN_JSON);

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which refuses what is out of range")]
#[expect(clippy::large_stack_arrays, reason = "evaluated by the compiler, and on no stack")]
const fn pairs(kinds: &[Kind; 128]) -> Pairs {
    let mut costs = [0; 128 * 256];
    let mut byte = 0;
    while byte < 128 {
        let mut before = 0;
        while before < 128 {
            let kind = kinds[byte] as usize;
            let rate = if before == byte { REPEATED } else { rate(kinds[before] as usize, kind) };
            costs[byte * 256 + before] = RATES[kind][rate];
            before += 1;
        }
        byte += 1;
    }
    costs
}

/// Which cost applies after a kind, without turns and repetitions.
const fn rate(before: usize, kind: usize) -> usize {
    if before == kind { SAME } else { group(before) }
}

/// What a unit costs after a kind, without turns and repetitions: at [`WIDTH`] times the kind before, and its own.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which refuses what is out of range")]
static AFTER: [u8; CELLS] = {
    let mut costs = [0; CELLS];
    let mut cell = 0;
    while cell < KINDS * WIDTH {
        let (before, kind) = (cell / WIDTH, cell % WIDTH);
        if kind < KINDS {
            costs[cell] = RATES[kind][rate(before, kind)];
        }
        cell += 1;
    }
    costs
};

fn after(before: usize, kind: usize) -> u32 {
    AFTER.get((before * WIDTH + kind) % CELLS).copied().map_or(0, u32::from)
}

/// The kind and the turns of a state: the reverse of [`state`].
fn parts_of(state: u8) -> (usize, u32) {
    let state = usize::from(state);
    if state < 3 * ALPHANUMERIC {
        (state % ALPHANUMERIC, (state / ALPHANUMERIC) as u32)
    } else {
        (state - 2 * ALPHANUMERIC, 0)
    }
}

impl Classes {
    /// Reads up to `most` units from a block at the place of a walk; `false` if there is no block, or what comes first is
    /// neither ASCII, nor a short escape, nor a character of two bytes.
    pub(super) fn read_block(&mut self, text: &mut Walk<'_>, most: usize) -> bool {
        let Some(bytes) = (if HAS_PAIRS { text.block() } else { None }) else { return false };
        let (first, turns) = parts_of(self.state);
        let block = Block::new(bytes);
        let backslashes = if text.is_escaped() { block.equal(b'\\') } else { 0 };
        let special = block.at_least(0x80) | backslashes;
        let pairs = if std::ptr::eq(self.ascii, &raw const ASCII) { &PAIRS } else { &PAIRS_IN_JSON };
        let mut before = Before { kind: first, unit: self.last };
        let (mut at, mut units, mut escapes, mut cost) = (0, 0, 0_u64, 0_u32);
        while units < most && at < block::SIZE {
            let plain = (special >> at).trailing_zeros() as usize;
            let run = plain.min(block::SIZE - at).min(most - units);
            if let Some(([begin, ..], end)) =
                bytes.get(at..at + run).and_then(|run| Some((run, *run.last()?)))
            {
                let run = bytes.get(at..at + run).unwrap_or_default();
                cost += before.step(u16::from(*begin), self.kind(u16::from(*begin)));
                cost += run.array_windows().map(|pair| of_pair(pairs, *pair)).sum::<u32>();
                before = Before { kind: self.kind(u16::from(end)), unit: u32::from(end) };
                (at, units) = (at + run.len(), units + run.len());
                continue;
            }
            let Some(unit) = special_unit(bytes.get(at..).unwrap_or_default()) else { break };
            cost += before.step(unit, self.kind(unit));
            escapes |= (backslashes >> at & 1) << at;
            (at, units) = (at + 2, units + 1);
        }
        if at == 0 {
            return false;
        }
        let runs = Runs::of(&block, escapes, at as u32, (first, turns));
        let (mut mixed, turns) = runs.mixed();
        while mixed != 0 {
            let place = mixed.trailing_zeros() as usize;
            mixed &= mixed - 1;
            let kind_at = |at: usize| bytes.get(at).map(|byte| self.kind(u16::from(*byte)));
            let kind = kind_at(place).unwrap_or_default();
            let kind_before = place.checked_sub(1).and_then(kind_at).unwrap_or(first);
            let in_mixed = MACHINE.costs.get(kind * WIDTH + state(kind, 2)).copied().map_or(0, u32::from);
            cost = cost + in_mixed - after(kind_before, kind);
        }
        text.advance(at, units, at - escapes.count_ones() as usize);
        self.state = state(before.kind, turns as usize) as u8;
        self.last = before.unit;
        self.block += u64::from(cost);
        self.at += units as u64;
        true
    }

    fn kind(&self, unit: u16) -> usize {
        match self.ascii.get(usize::from(unit)) {
            Some(kind) => *kind as usize,
            None => kind_beyond_ascii(unit) as usize,
        }
    }
}

fn of_pair(pairs: &Pairs, pair: [u8; 2]) -> u32 {
    pairs.get(usize::from(u16::from_le_bytes(pair)) % pairs.len()).copied().map_or(0, u32::from)
}

/// A short escape, or a character of two bytes, if it begins here and ends before the bytes do.
fn special_unit(bytes: &[u8]) -> Option<u16> {
    let [byte, next, ..] = bytes else { return None };
    match byte {
        0xC0..0xE0 => Some(u16::from(byte & 0x1F) << 6 | u16::from(next & 0x3F)),
        0..0x80 => short_escape(*next).map(u16::from),
        _ => None,
    }
}

/// The unit before another.
struct Before {
    kind: usize,
    unit: u32,
}

impl Before {
    /// What a unit costs here; it is the one before from now on.
    fn step(&mut self, unit: u16, kind: usize) -> u32 {
        let is_repeated = self.unit == u32::from(unit);
        let discount =
            if is_repeated { MACHINE.discounts.get(kind).copied().map_or(0, u32::from) } else { 0 };
        let cost = after(self.kind, kind) - discount;
        *self = Self { kind, unit: u32::from(unit) };
        cost
    }
}

/// Runs of letters and digits in a block: a bit for each byte.
struct Runs {
    /// The bytes that belong to a run.
    words: u64,
    /// Those at which a run switches between letters and digits.
    turning: u64,
    count: u32,
    /// How often the run to which the first byte belongs has switched before.
    turns: u32,
}

impl Runs {
    /// The runs in the first `count` bytes. `before` are the kind and the turns of the unit before.
    fn of(block: &Block, escapes: u64, count: u32, (kind, turns): (usize, u32)) -> Self {
        let digits = block.between(b'0', b'9') & lowest(count);
        let is_digit = u64::from(kind == DIGIT);
        if digits | is_digit == 0 && turns == 0 {
            return Self { words: 0, turning: 0, count, turns: 0 };
        }
        // What is written as a letter behind a backslash is none.
        let letters = block.lowered().between(b'a', b'z') & lowest(count) & !(escapes << 1);
        let words = letters | digits;
        let is_word = u64::from(kind < ALPHANUMERIC);
        let turning = words & (words << 1 | is_word) & (digits ^ (digits << 1 | is_digit));
        Self { words, turning, count, turns: if words & 1 == 0 { 0 } else { turns } }
    }

    /// The bytes up to which their run has switched twice, and how often that of the last byte has.
    fn mixed(&self) -> (u64, u32) {
        let leading = self.words.trailing_ones();
        let mut last = if leading == self.count { self.turns } else { 0 };
        let mut mixed = if self.turns > 1 { lowest(leading) } else { 0 };
        let mut turning = self.turning;
        while turning != 0 {
            let at = turning.trailing_zeros();
            let end = at + (self.words >> at).trailing_ones();
            let own = turning & lowest(end);
            let earlier = if at < leading { self.turns } else { 0 };
            let second = if earlier > 0 { own } else { own & (own - 1) };
            mixed |= lowest(end) & !lowest(second.trailing_zeros());
            if end == self.count {
                last = (earlier + own.count_ones()).min(2);
            }
            turning &= !lowest(end);
        }
        (mixed, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits of units behind two turns, and the turns at the end, one by one.
    fn one_by_one(bytes: &[u8], before: u8, turns: u32) -> (u64, u32) {
        let (mut before, mut turns) = (before, turns);
        let mut mixed = 0;
        for (at, byte) in bytes.iter().enumerate() {
            let is_turn = before.is_ascii_alphanumeric()
                && byte.is_ascii_alphanumeric()
                && before.is_ascii_digit() != byte.is_ascii_digit();
            turns = if byte.is_ascii_alphanumeric() { (turns + u32::from(is_turn)).min(2) } else { 0 };
            mixed |= u64::from(turns > 1) << at;
            before = *byte;
        }
        (mixed, turns)
    }

    #[test]
    fn runs_turn_where_letters_and_digits_meet() {
        let mut state = 1_u32;
        for round in 0..3_000 {
            let few = 2 + round % 5;
            let bytes: [u8; block::SIZE] = std::array::from_fn(|_| {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                *b"a1 Z9.".get(state as usize >> 8 & 7).filter(|_| state >> 11 & 7 < few).unwrap_or(&b'x')
            });
            let count = (state >> 3 & 63) + 1;
            for (before, kind, turns) in
                [(b' ', Kind::Space, 0), (b'a', Kind::Lower, 1), (b'7', Kind::Digit, 2)]
            {
                let runs = Runs::of(&Block::new(&bytes), 0, count, (kind as usize, turns));
                let expected = one_by_one(&bytes[..count as usize], before, turns);
                assert_eq!(runs.mixed(), expected, "{count} of {bytes:?} after {before}");
            }
        }
    }

    #[test]
    fn a_state_is_its_kind_and_its_turns() {
        for kind in 0..KINDS {
            for turns in 0..if kind < ALPHANUMERIC { 3 } else { 1 } {
                assert_eq!(parts_of(state(kind, turns) as u8), (kind, turns as u32));
            }
        }
    }
}
