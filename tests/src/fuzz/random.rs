//! Pseudo-random numbers that are the same for the same seed on every machine.

/// `SplitMix64` (Steele, Lea, Flood 2014), for which any seed is good.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of case `case` of a run, which depend on nothing else, so that every case can be reproduced alone.
    #[must_use]
    pub fn of_case(seed: u64, target: &str, case: u64) -> Self {
        let mut mixed = Self(seed);
        for byte in target.bytes() {
            mixed.0 = mixed.next() ^ u64::from(byte);
        }
        mixed.0 = mixed.next() ^ case;
        mixed.next();
        mixed
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 { 0 } else { (self.next() % limit as u64) as usize }
    }

    /// True in one of `times` cases.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the items.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        items.get(self.below(items.len()))
    }

    /// One of the texts.
    pub fn choose(&mut self, texts: &[&'static str]) -> &'static str {
        self.pick(texts).copied().unwrap_or_default()
    }

    /// A position in `text` on a character boundary, including both ends.
    pub fn place(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_has_its_own_numbers_and_always_the_same() {
        let draw = |target, case| {
            let mut random = Random::of_case(7, target, case);
            [random.below(1_000_000), random.below(1_000_000)]
        };
        assert_eq!(draw("pi", 3), draw("pi", 3));
        assert_ne!(draw("pi", 3), draw("pi", 4));
        assert_ne!(draw("pi", 3), draw("codex", 3));
    }
}
