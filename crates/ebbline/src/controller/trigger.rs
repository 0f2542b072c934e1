//! A caller's own reasons to compact, besides the policy's: tests of the context, joined by "and" and "or".

/// What a trigger looks at.
///
/// # Example
///
/// ```
/// use ebbline::controller::Facts;
/// let mut facts = Facts::default();
/// facts.tokens = 90_000;
/// assert_eq!(facts.messages, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Facts {
    /// The tokens of the context.
    pub tokens: u64,
    /// The context window in tokens; `None` if it is not known.
    pub window: Option<u64>,
    /// How many messages are sent.
    pub messages: u64,
    /// How many of them begin a turn.
    pub turns: u64,
    /// The milliseconds since the last request; `None` if they are not known.
    pub idle: Option<u64>,
    /// The tokens that the newest compaction left; `None` if there was none.
    pub left: Option<u64>,
}

/// A test, or how the tests before it are joined.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Term {
    Tokens(u64),
    Share(f64),
    Reserve(u64),
    Messages(u64),
    Turns(u64),
    Idle(u64),
    /// Whether so many of the results before hold, of which there are as many as the second number says.
    Of(u64, usize),
}

/// When the context is compacted although the policy does not ask for it.
///
/// It is a list of numbers, two for each test: what it looks at (0 tokens, 1 share of the window, 2 tokens left in the window,
/// 3 messages, 4 turns, 5 milliseconds without a request) and from which amount it holds. 6 and 7 join the tests before them
/// that are not joined yet, as many as their number says: 6 holds if all do, 7 if one does.
///
/// # Example
///
/// ```
/// use ebbline::controller::{Facts, Trigger};
/// // More than 100 messages, or half of the window and an hour without a request.
/// let trigger = Trigger::of_figures(&[3.0, 100.0, 1.0, 0.5, 5.0, 3.6e6, 6.0, 2.0, 7.0, 2.0]).unwrap();
/// let mut facts = Facts::default();
/// (facts.tokens, facts.window, facts.messages) = (120_000, Some(200_000), 40);
/// assert!(!trigger.holds(&facts));
/// facts.idle = Some(4_000_000);
/// assert!(trigger.holds(&facts));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Trigger(Vec<Term>);

impl Trigger {
    /// The trigger of these figures; `None` if they are none.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::controller::Trigger::of_figures(&[7.0, 2.0]).is_none());
    /// ```
    #[must_use]
    pub fn of_figures(figures: &[f64]) -> Option<Self> {
        let mut results = 0_usize;
        let mut terms = Vec::with_capacity(figures.len() / 2);
        for pair in figures.chunks(2) {
            let [kind, amount] = pair else { return None };
            let whole = *amount as u64;
            let term = match *kind as u64 {
                0 => Term::Tokens(whole),
                1 => Term::Share(*amount),
                2 => Term::Reserve(whole),
                3 => Term::Messages(whole),
                4 => Term::Turns(whole),
                5 => Term::Idle(whole),
                joined => {
                    let count = whole as usize;
                    results = results.checked_sub(count)?;
                    Term::Of(if joined == 6 { whole } else { 1 }, count)
                }
            };
            results += 1;
            terms.push(term);
        }
        (results == 1).then_some(Self(terms))
    }

    /// Whether the context is to be compacted. After a compaction it has to grow by an eighth before a trigger holds again.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::{Facts, Trigger};
    /// let trigger = Trigger::of_figures(&[0.0, 50_000.0]).unwrap();
    /// let mut facts = Facts::default();
    /// facts.tokens = 60_000;
    /// assert!(trigger.holds(&facts));
    /// facts.left = Some(59_000);
    /// assert!(!trigger.holds(&facts));
    /// ```
    #[must_use]
    pub fn holds(&self, facts: &Facts) -> bool {
        if facts.left.is_some_and(|left| facts.tokens <= left + left / 8) {
            return false;
        }
        let window = facts.window;
        let mut results: Vec<bool> = Vec::new();
        for term in &self.0 {
            let result = match *term {
                Term::Tokens(most) => facts.tokens >= most,
                Term::Share(share) => {
                    window.is_some_and(|window| facts.tokens as f64 >= window as f64 * share)
                }
                Term::Reserve(least) => window.is_some_and(|window| facts.tokens + least >= window),
                Term::Messages(most) => facts.messages >= most,
                Term::Turns(most) => facts.turns >= most,
                Term::Idle(most) => facts.idle.is_some_and(|idle| idle >= most),
                Term::Of(wanted, count) => {
                    let first = results.len().saturating_sub(count);
                    results.drain(first..).filter(|result| *result).count() as u64 >= wanted
                }
            };
            results.push(result);
        }
        results.last().copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: Facts = Facts {
        tokens: 100_000,
        window: Some(200_000),
        messages: 50,
        turns: 4,
        idle: Some(10_000),
        left: None,
    };

    #[test]
    fn every_test_holds_from_its_amount_on() {
        for (kind, amount, more) in [
            (0.0, 100_000.0, 100_001.0),
            (1.0, 0.5, 0.51),
            (2.0, 100_000.0, 99_999.0),
            (3.0, 50.0, 51.0),
            (4.0, 4.0, 5.0),
            (5.0, 10_000.0, 10_001.0),
        ] {
            assert!(Trigger::of_figures(&[kind, amount]).unwrap().holds(&FACTS), "{kind}");
            assert!(!Trigger::of_figures(&[kind, more]).unwrap().holds(&FACTS), "{kind}");
        }
        let unknown = Facts { window: None, idle: None, ..FACTS };
        for (kind, amount) in [(1.0, 0.1), (2.0, 1e9), (5.0, 0.0)] {
            assert!(!Trigger::of_figures(&[kind, amount]).unwrap().holds(&unknown), "{kind}");
        }
    }

    #[test]
    fn all_and_any_join_what_stands_before_them() {
        let [yes, no] = [[3.0, 1.0], [3.0, 99.0]];
        let of = |terms: &[[f64; 2]]| Trigger::of_figures(&terms.concat());
        for (terms, expected) in [
            (vec![yes, no, [6.0, 2.0]], false),
            (vec![yes, no, [7.0, 2.0]], true),
            (vec![yes, yes, [6.0, 2.0]], true),
            (vec![no, no, [7.0, 2.0]], false),
            (vec![no, yes, yes, [6.0, 2.0], [7.0, 2.0]], true),
        ] {
            assert_eq!(of(&terms).unwrap().holds(&FACTS), expected, "{terms:?}");
        }
        for faulty in [vec![], vec![yes, yes], vec![yes, [6.0, 2.0]], vec![[7.0, f64::NAN]]] {
            let holds = of(&faulty).is_some_and(|trigger| trigger.holds(&FACTS));
            assert!(!holds, "{faulty:?}");
        }
        assert_eq!(Trigger::of_figures(&[1.0]), None);
    }
}
