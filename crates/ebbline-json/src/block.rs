//! Sixty-four bytes at once: which of them have a property, as the bits of a word.
//!
//! Most of a session is text of which only the end and the length are needed. Reading bytes one by one, or words of
//! eight up to the next escape, took most of the time of reading a session: tool output has an escape every 20 to 80
//! bytes. In a block, escapes cost a few operations on a word, however many there are.

/// How many bytes a block has.
pub(crate) const SIZE: usize = 64;

/// The block at the start of `bytes`, if there are enough.
///
/// A WebAssembly module that reads no texts but the short ones of live messages is built without `blocks`, because they
/// are a hundredth of its size. It has no block anywhere, so that everything is read as the ends of texts are.
pub(crate) fn first(bytes: &[u8]) -> Option<&[u8; SIZE]> {
    let is_built = cfg!(any(not(target_arch = "wasm32"), feature = "blocks"));
    if is_built { bytes.first_chunk() } else { None }
}

/// A block of bytes, as its machine compares them.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    parts: [lanes::Lanes; SIZE / lanes::WIDTH],
}

impl Block {
    pub(crate) fn new(bytes: &[u8; SIZE]) -> Self {
        let (parts, _) = bytes.as_chunks();
        let mut parts = parts.iter().copied();
        Self { parts: std::array::from_fn(|_| lanes::of(parts.next().unwrap_or_default())) }
    }

    /// The bytes that equal `byte`.
    #[inline]
    pub(crate) fn equal(&self, byte: u8) -> u64 {
        gather(&self.parts.map(|part| lanes::equal(part, byte)))
    }

    /// The bytes that are at least `byte`; few blocks have any.
    #[inline]
    pub(crate) fn at_least(&self, byte: u8) -> u64 {
        gather_rare(&self.parts.map(|part| lanes::at_least(part, byte)))
    }

    /// The bytes that are less than `byte`; few blocks have any.
    #[inline]
    pub(crate) fn less_than(&self, byte: u8) -> u64 {
        gather_rare(&self.parts.map(|part| lanes::less_than(part, byte)))
    }

    /// The bytes from one to another.
    #[inline]
    pub(crate) fn between(&self, first: u8, last: u8) -> u64 {
        gather(&self.parts.map(|part| lanes::at_least(part, first) & lanes::less_than(part, last + 1)))
    }

    /// The block with small letters for capital ones, and other bytes for others.
    #[inline]
    pub(crate) fn lowered(&self) -> Self {
        Self { parts: self.parts.map(lanes::lowered) }
    }

    /// The bytes of a text that continue a character; many blocks have none.
    #[inline]
    pub(crate) fn continuing(&self) -> u64 {
        gather_rare(&self.parts.map(lanes::continuing))
    }
}

type Parts = [lanes::Lanes; SIZE / lanes::WIDTH];

/// A bit for each byte, of which the highest bit says whether it has the property.
#[inline]
fn gather(parts: &Parts) -> u64 {
    let bits = parts.iter().enumerate();
    bits.fold(0, |mask, (index, part)| mask | lanes::bits(*part) << (index * lanes::WIDTH))
}

/// The same, where the answer is mostly 0.
#[inline]
fn gather_rare(parts: &Parts) -> u64 {
    let any = parts.iter().copied().reduce(|any, part| any | part).map_or(0, lanes::bits);
    if any == 0 { 0 } else { gather(parts) }
}

/// Which backslashes begin an escape, given all backslashes of a block that begins outside an escape.
pub(crate) fn escapes(backslashes: u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    // In a run of backslashes, every second one begins an escape, from the first on. Adding the first of a run to the run
    // clears its bits.
    let even_first = backslashes & !(backslashes << 1) & EVEN;
    let in_odd_runs = backslashes & backslashes.wrapping_add(even_first);
    (backslashes & !in_odd_runs & EVEN) | (in_odd_runs & !EVEN)
}

/// A word whose lowest `count` bits are set.
pub(crate) fn lowest(count: u32) -> u64 {
    1_u64.checked_shl(count).map_or(u64::MAX, |bit| bit - 1)
}

/// The position of the set bit that `count` set bits precede; 64 if there are fewer.
pub(crate) fn position_after(bits: u64, count: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    if count >= 64 {
        return 64;
    }
    let pairs = bits - ((bits >> 1) & (0x55 * ONES));
    let fours = (pairs & (0x33 * ONES)) + ((pairs >> 2) & (0x33 * ONES));
    // Byte by byte, how many bits are set up to the end of the byte.
    let up_to = ((fours + (fours >> 4)) & (0x0F * ONES)).wrapping_mul(ONES);
    let enough = ((up_to | HIGH) - ONES * u64::from(count + 1)) & HIGH;
    if enough == 0 {
        return 64;
    }
    let byte = enough.trailing_zeros() & !7;
    let before = (up_to << 8 >> byte) as u32 & 0xFF;
    let mut rest = bits >> byte;
    for _ in before..count {
        rest &= rest - 1;
    }
    byte + rest.trailing_zeros()
}

/// Sixteen bytes in a register. x86-64 and ARM64 always have these, WebAssembly if it is built with `simd128`.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"))]
mod lanes {
    pub(super) const WIDTH: usize = 16;
    pub(super) type Lanes = wide::u8x16;

    pub(super) fn of(bytes: [u8; WIDTH]) -> Lanes {
        Lanes::new(bytes)
    }

    #[inline]
    pub(super) fn equal(lanes: Lanes, byte: u8) -> Lanes {
        lanes.simd_eq(Lanes::splat(byte))
    }

    #[inline]
    pub(super) fn at_least(lanes: Lanes, byte: u8) -> Lanes {
        lanes.max(Lanes::splat(byte)).simd_eq(lanes)
    }

    #[inline]
    pub(super) fn less_than(lanes: Lanes, byte: u8) -> Lanes {
        lanes.min(Lanes::splat(byte - 1)).simd_eq(lanes)
    }

    #[inline]
    pub(super) fn continuing(lanes: Lanes) -> Lanes {
        at_least(lanes, 0x80) & less_than(lanes, 0xC0)
    }

    #[inline]
    pub(super) fn lowered(lanes: Lanes) -> Lanes {
        lanes | Lanes::splat(0x20)
    }

    #[inline]
    pub(super) fn bits(lanes: Lanes) -> u64 {
        u64::from(lanes.to_bitmask() & 0xFFFF)
    }
}

/// Eight bytes in a word.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128")))]
mod lanes {
    pub(super) const WIDTH: usize = 8;
    pub(super) type Lanes = u64;

    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;

    pub(super) fn of(bytes: [u8; WIDTH]) -> Lanes {
        Lanes::from_le_bytes(bytes)
    }

    #[inline]
    pub(super) fn equal(lanes: Lanes, byte: u8) -> Lanes {
        let differing = lanes ^ (ONES * u64::from(byte));
        // The sum stays within each byte, so that no byte changes the answer of the next one.
        !(((differing & !HIGH) + !HIGH) | differing)
    }

    #[inline]
    pub(super) fn at_least(lanes: Lanes, byte: u8) -> Lanes {
        let low = (lanes & !HIGH) + ONES * u64::from(0x80 - (byte & 0x7F));
        if byte < 0x80 { low | lanes } else { low & lanes }
    }

    #[inline]
    pub(super) fn less_than(lanes: Lanes, byte: u8) -> Lanes {
        !at_least(lanes, byte)
    }

    #[inline]
    pub(super) fn continuing(lanes: Lanes) -> Lanes {
        lanes & !(lanes << 1)
    }

    #[inline]
    pub(super) fn lowered(lanes: Lanes) -> Lanes {
        lanes | (ONES * 0x20)
    }

    /// The highest bits of the bytes, side by side.
    #[inline]
    pub(super) fn bits(lanes: Lanes) -> u64 {
        ((lanes & HIGH) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks() -> impl Iterator<Item = [u8; SIZE]> {
        let every_byte = (0..4).map(|quarter| std::array::from_fn(|at| (quarter * SIZE + at) as u8));
        let mixed = (0..500_u32).map(|seed| {
            let mut state = seed.wrapping_mul(0x9E37_79B9) | 1;
            std::array::from_fn(|_| {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                *b"\\\\\\\"nu a\n\x7f\x80\xbf\xc0\xf0\xff\x1f".get(state as usize >> 8 & 15).unwrap()
            })
        });
        every_byte.chain(mixed)
    }

    #[test]
    fn masks_have_a_bit_for_every_byte() {
        for bytes in blocks() {
            let block = Block::new(&bytes);
            let mask = |is: &dyn Fn(u8) -> bool| {
                bytes.iter().enumerate().fold(0_u64, |mask, (at, byte)| mask | u64::from(is(*byte)) << at)
            };
            for byte in [0, 0x0A, 0x20, 0x22, 0x5C, 0x7F, 0x80, 0xC0, 0xF0, 0xFF] {
                assert_eq!(block.equal(byte), mask(&|other| other == byte), "{byte} in {bytes:?}");
                assert_eq!(
                    block.less_than(byte.max(1)),
                    mask(&|other| other < byte.max(1)),
                    "{byte} in {bytes:?}"
                );
                assert_eq!(block.at_least(byte), mask(&|other| other >= byte), "{byte} in {bytes:?}");
            }
            for (first, last) in [(b'0', b'9'), (b'a', b'z'), (0, 0x7E)] {
                let expected = mask(&|byte| (first..=last).contains(&byte));
                assert_eq!(block.between(first, last), expected, "{bytes:?}");
                let expected = mask(&|byte| (first..=last).contains(&(byte | 0x20)));
                assert_eq!(block.lowered().between(first, last), expected, "{bytes:?}");
            }
            assert_eq!(block.continuing(), mask(&|byte| byte & 0xC0 == 0x80), "{bytes:?}");
        }
    }

    #[test]
    fn escapes_are_every_second_backslash_of_a_run() {
        for bytes in blocks() {
            let backslashes = Block::new(&bytes).equal(b'\\');
            let mut expected = 0;
            let mut at = 0;
            while at < 64 {
                let begins = backslashes >> at & 1;
                expected |= begins << at;
                at += 1 + begins;
            }
            assert_eq!(escapes(backslashes), expected, "{backslashes:b}");
        }
        assert_eq!(escapes(u64::MAX), 0x5555_5555_5555_5555);
    }

    #[test]
    fn a_bit_is_found_by_those_before_it() {
        for bits in [0, 1, 0b1011, u64::MAX, 1 << 63, 0x8000_0000_0000_0001, 0x00F0_0F00_F00F_0000] {
            let set: Vec<u32> = (0..64).filter(|at| bits >> at & 1 == 1).collect();
            for count in 0..70 {
                let expected = set.get(count as usize).copied().unwrap_or(64);
                assert_eq!(position_after(bits, count), expected, "{count} of {bits:b}");
            }
        }
    }
}
