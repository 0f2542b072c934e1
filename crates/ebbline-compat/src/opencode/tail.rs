//! Which of the newest turns are kept word for word: as many whole turns as fit, then the end of the next one.

use std::ops::Range;

/// The start of the tail: the position of the first kept unit, or `None` if nothing is kept.
///
/// `turns` are the turns, oldest first. At most `limit` of them are examined, newest first, and kept whole while they
/// fit into `budget`. The first turn that does not fit is split: the longest end of it that fits into the rest is
/// kept, beginning after the turn's first unit. `size` measures a range of units in the unit of `budget`.
///
/// Numbers behave as in JavaScript: a fractional limit is truncated, and a limit below 1 that is not 0 takes every
/// turn; a NaN budget is exceeded by every turn but by no end of one.
///
/// Source: `SessionCompaction.process` since 2026-04-10.
pub(crate) fn tail_start(
    turns: &[Range<usize>],
    limit: f64,
    budget: f64,
    size: impl Fn(Range<usize>) -> f64,
) -> Option<usize> {
    if limit <= 0.0 {
        return None;
    }
    // Like JavaScript's conversion: NaN becomes 0, and too large a value the largest.
    let count = match limit.trunc() as usize {
        0 => turns.len(),
        count => count.min(turns.len()),
    };
    let mut total = 0.0;
    let mut start = None;
    for turn in turns.iter().rev().take(count) {
        let turn_size = size(turn.clone());
        if total + turn_size <= budget {
            total += turn_size;
            start = Some(turn.start);
            continue;
        }
        start = split(turn, budget - total, &size).or(start);
        break;
    }
    start
}

fn split(turn: &Range<usize>, budget: f64, size: impl Fn(Range<usize>) -> f64) -> Option<usize> {
    if budget <= 0.0 {
        return None;
    }
    let is_exceeded = |start: usize| size(start..turn.end) > budget;
    (turn.start + 1..turn.end).find(|start| !is_exceeded(*start))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns of ten units, each as large as its position says.
    fn start(limit: f64, budget: f64) -> Option<usize> {
        tail_start(&[0..2, 2..5, 5..6], limit, budget, |range| range.map(|_| 10.0).sum())
    }

    #[test]
    fn whole_turns_stay_while_they_fit_and_the_next_is_split() {
        let cases = [
            (2.0, 100.0, Some(2)),
            (3.0, 100.0, Some(0)),
            (1.0, 100.0, Some(5)),
            (2.0, 40.0, Some(2)),
            (2.0, 39.0, Some(3)),
            (2.0, 20.0, Some(4)),
            (2.0, 19.0, Some(5)),
            (2.0, 9.0, None),
            (0.0, 100.0, None),
            (-1.0, 100.0, None),
            (0.5, 1000.0, Some(0)),
            (1.9, 100.0, Some(5)),
            (f64::INFINITY, 60.0, Some(0)),
            (2.0, f64::NAN, None),
        ];
        for (limit, budget, expected) in cases {
            assert_eq!(start(limit, budget), expected, "{limit} turns, {budget} tokens");
        }
        assert_eq!(
            tail_start(&[0..1, 1..4], 1.0, f64::NAN, |_| 1.0),
            Some(2),
            "not a number is exceeded by no end"
        );
        assert_eq!(tail_start(&[], 2.0, 100.0, |_| 1.0), None);
    }
}
