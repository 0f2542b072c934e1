//! Outputs that took the last mention of something with them, and what shows that they are needed again.

use super::report::shown;
use crate::identifiers::{Class, Identifier};

/// So many identifiers of a finding are written out.
const SHOWN: usize = 6;
/// So much evidence shows that an output is needed again.
const ENOUGH: usize = 4;

/// An output that left with identifiers that nothing else contained.
#[derive(Clone, Debug, Default)]
pub(super) struct Owner {
    pub(super) at: usize,
    /// Whether it was pruned; else a summary stands for it.
    pub(super) is_pruned: bool,
    /// How much shows that the output is needed: of a strong identifier 4, of a weak one 2, of a short number 1.
    pub(super) evidence: usize,
    pub(super) used: usize,
    pub(super) words: Vec<String>,
    pub(super) used_in: Option<usize>,
}

impl Owner {
    pub(super) fn use_in(&mut self, message: usize, found: Identifier<'_>) {
        self.used_in.get_or_insert(message);
        self.used += 1;
        self.evidence += match found.class {
            _ if found.is_strong => ENOUGH,
            Class::Number => 1,
            _ => 2,
        };
        if self.words.len() < SHOWN {
            self.words.push(shown(found.text));
        }
    }

    /// One identifier that nobody guesses, two names, or four short numbers.
    pub(super) fn is_needed(&self) -> bool {
        self.evidence >= ENOUGH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identifiers::each;

    #[test]
    fn one_strong_identifier_two_names_or_four_numbers_show_that_an_output_is_needed() {
        for (used, expected) in [
            ("src/deep/cart.rs", true),
            ("computeTotals", false),
            ("computeTotals sumItems", true),
            ("1220 1110 3457", false),
            ("1220 1110 3457 7213", true),
            ("computeTotals 1220", false),
        ] {
            let mut owner = Owner::default();
            each(used, &mut |found| owner.use_in(7, found));
            assert_eq!((owner.is_needed(), owner.used_in), (expected, Some(7)), "{used}");
        }
    }
}
