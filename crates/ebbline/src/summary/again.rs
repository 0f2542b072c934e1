//! The second request for a summary: what the model is shown of a refused answer.

use super::budget::{Meter, cut};
use super::task::SummaryContext;

/// A request leaves so many tokens of its budget for a second one, or this share of it.
const RESERVE: u64 = 300;
const RESERVE_SHARE: u64 = 16;
/// What two more messages cost beside their texts.
const FRAME: u64 = 16;
/// Fewer tokens than this of an answer show nothing.
const LEAST: u64 = 64;

/// The tokens that a request leaves for what is wrong with its answer.
pub(super) fn reserve(budget: u64) -> u64 {
    RESERVE.min(budget / RESERVE_SHARE)
}

/// The refused answer and what is wrong with it, as far as both fit into the budget of the request beside what was `sent` (its
/// system prompt and messages, joined). The answer is empty if there is no room for it.
///
/// # Example
///
/// ```
/// use ebbline::summary::{FileLists, SummaryContext, again};
/// let estimator = ebbline::policy::Estimator::default();
/// let context = SummaryContext::new(FileLists::default(), 9_000, estimator);
/// let (answer, why) = again(&context, "Summarize this.", &"word ".repeat(9_000), "Half as long.", 1_000);
/// assert!(answer.len() < 5_000 && why == "Half as long.");
/// ```
#[must_use]
pub fn again(
    context: &SummaryContext,
    sent: &str,
    answer: &str,
    reminder: &str,
    budget: u64,
) -> (String, String) {
    let meter = Meter(&context.estimator);
    let room = budget.saturating_sub(meter.whole(sent)).max(reserve(budget)).saturating_sub(FRAME);
    let reminder = cut(reminder, meter.whole(reminder), room, meter).into_owned();
    let rest = room.saturating_sub(meter.whole(&reminder));
    let shown = if rest < LEAST { "".into() } else { cut(answer, meter.whole(answer), rest, meter) };
    (shown.into_owned(), reminder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Estimator;
    use crate::summary::FileLists;

    #[test]
    fn both_fit_into_what_is_left_of_the_budget() {
        let estimator = Estimator::default();
        let context = SummaryContext::new(FileLists::default(), 9_000, estimator);
        let meter = Meter(&context.estimator);
        let (sent, answer) = ("said ".repeat(2_000), "word ".repeat(4_000));
        let used = meter.whole(&sent);
        for spare in [reserve(used), 300, 1_000, 3_000, 90_000] {
            for reminder in ["Write it again.", &"E4711, ".repeat(300)] {
                let (shown, why) = again(&context, &sent, &answer, reminder, used + spare);
                assert!(
                    meter.whole(&shown) + meter.whole(&why) <= spare.max(reserve(used + spare)),
                    "{spare}"
                );
                assert!(!why.is_empty());
                assert_eq!(shown == answer, spare == 90_000, "{spare}");
            }
        }
    }
}
