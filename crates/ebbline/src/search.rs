//! Search among positions whose older ones have a property that the newer ones lack.

use std::ops::Range;

/// The newest of `positions` with the property `is_old`, which all older ones have too.
///
/// In a session of any length the result is near the end, so the search starts there and doubles its steps.
pub(crate) fn newest(positions: Range<usize>, mut is_old: impl FnMut(usize) -> bool) -> Option<usize> {
    let Range { start, mut end } = positions;
    let mut step = 1;
    // All positions from `end` on are known to be new.
    while end > start {
        let position = end.saturating_sub(step).max(start);
        if is_old(position) {
            return Some(bisected(position, end, is_old));
        }
        end = position;
        step *= 2;
    }
    None
}

/// The newest position with the property, between `old`, which has it, and `new`, which has not.
fn bisected(mut old: usize, mut new: usize, mut is_old: impl FnMut(usize) -> bool) -> usize {
    while new - old > 1 {
        let middle = old.midpoint(new);
        if is_old(middle) { old = middle } else { new = middle }
    }
    old
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_is_found_wherever_it_is() {
        for length in 0..40 {
            for old in 0..=length {
                let found = newest(0..length, |position| position < old);
                assert_eq!(found, old.checked_sub(1), "{old} of {length}");
                let found = newest(5..length, |position| position < old);
                assert_eq!(
                    found,
                    old.checked_sub(1).filter(|position| *position >= 5),
                    "{old} of 5..{length}"
                );
            }
        }
    }
}
