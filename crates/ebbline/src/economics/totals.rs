//! What a policy does over many sessions: sums.

use super::Outcome;
use crate::loss::LossReport;

/// Defines the sums, how two of them become one, and how they cross to where no names are known.
macro_rules! totals {
    ($($(#[doc = $about:literal])+ $name:ident: $kind:ty [$fold:ident],)*) => {
        crate::form::reported! {
            /// Sums over sessions. Each request counts as much as every other and each token as much as every other, so that
            /// a long session weighs more than a short one.
            ///
            /// # Example
            ///
            /// ```
            /// use ebbline::economics::Totals;
            /// let mut totals = Totals::default();
            /// totals.add(&Totals::default());
            /// assert_eq!(totals.requests, 0);
            /// ```
            [Copy, Default]
            pub struct Totals {
                $($(#[doc = $about])+ pub $name: $kind),*
            }
        }

        impl Totals {
            /// How many figures there are.
            pub const FIGURES: usize = [$(stringify!($name)),*].len();

            /// Adds the sums over other sessions.
            ///
            /// # Example
            ///
            /// ```
            /// use ebbline::economics::Totals;
            /// let one = Totals::of_figures(&[1.0; Totals::FIGURES]).unwrap();
            /// let mut totals = one;
            /// totals.add(&one);
            /// // Of the largest requests, the largest counts.
            /// assert_eq!((totals.requests, totals.peak), (2, 1));
            /// ```
            pub fn add(&mut self, other: &Self) {
                $(totals!(@$fold self.$name, other.$name);)*
            }

            /// All figures as numbers, in the order in which they are declared.
            ///
            /// # Example
            ///
            /// ```
            /// use ebbline::economics::Totals;
            /// assert_eq!(Totals::default().figures(), [0.0; Totals::FIGURES]);
            /// ```
            #[must_use]
            pub fn figures(&self) -> [f64; Self::FIGURES] {
                [$(self.$name as f64),*]
            }

            /// The sums whose figures these are; `None` if there are more or fewer.
            ///
            /// # Example
            ///
            /// ```
            /// use ebbline::economics::Totals;
            /// assert_eq!(Totals::of_figures(&Totals::default().figures()), Some(Totals::default()));
            /// assert_eq!(Totals::of_figures(&[1.0]), None);
            /// ```
            #[must_use]
            pub fn of_figures(figures: &[f64]) -> Option<Self> {
                let [$($name),*] = *<&[f64; Self::FIGURES]>::try_from(figures).ok()?;
                Some(Self { $($name: $name as $kind),* })
            }
        }
    };
    (@sum $one:expr, $other:expr) => { $one += $other };
    (@most $one:expr, $other:expr) => { $one = $one.max($other) };
}

totals! {
    /// Answered requests.
    requests: u64 [sum],
    /// Compactions that pruned outputs.
    prunes: u64 [sum],
    /// Compactions that made a summary.
    summaries: u64 [sum],
    /// Pruned outputs.
    outputs: u64 [sum],
    /// Requests that send more than the policy's threshold allows, because nothing more could be removed.
    unfit: u64 [sum],
    /// Requests that are larger than the window; 0 if it is not known.
    over_window: u64 [sum],
    /// The largest request, in tokens.
    peak: u64 [most],
    /// The input of all requests, in tokens.
    input: u64 [sum],
    /// The cost, in fresh input tokens.
    cost: f64 [sum],
    /// What the same sessions cost without any compaction.
    without: f64 [sum],
    /// Outputs that left the context.
    departed_outputs: u64 [sum],
    /// Outputs that left and that the assistant needs again.
    needed_again: u64 [sum],
    /// How many of them were pruned; a summary stood for the others.
    needed_again_pruned: u64 [sum],
    /// Calls that are made again after their output left.
    read_again: u64 [sum],
    /// Decisions of the assistant that left, and of which nothing returns.
    decisions_gone: u64 [sum],
    /// Compactions after which the user's first message is not in the context word for word.
    goal_gone: u64 [sum],
}

impl Totals {
    /// The sums of one session.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Rates, Terms, Totals, compare};
    /// use ebbline::loss::LossReport;
    /// let text = r#"[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]"#;
    /// let session = ebbline::SessionText::read(text)?;
    /// let terms = Terms::new(Rates::new(0.1, 1.25, 5.0));
    /// let outcomes = compare(&session, &[ebbline::profiles::get("pi@1.5")?], &terms);
    /// let totals = Totals::of(&outcomes[0], &LossReport::default());
    /// assert_eq!((totals.requests, totals.cost), (1, outcomes[0].cost));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn of(outcome: &Outcome, loss: &LossReport) -> Self {
        Self {
            requests: outcome.requests.into(),
            prunes: outcome.prunes.into(),
            summaries: outcome.summaries.into(),
            outputs: outcome.outputs.into(),
            unfit: outcome.unfit.into(),
            over_window: outcome.over_window.unwrap_or(0).into(),
            peak: outcome.peak,
            input: outcome.charge.input(),
            cost: outcome.cost,
            without: outcome.without,
            departed_outputs: loss.departed_outputs as u64,
            needed_again: loss.references.re_referenced as u64,
            needed_again_pruned: loss.references.pruned as u64,
            read_again: loss.re_reads.exact as u64,
            decisions_gone: loss.decisions.never_return as u64,
            goal_gone: loss.words.compactions.saturating_sub(loss.words.goal_kept) as u64,
        }
    }

    /// The cost as a share of what the same sessions cost without any compaction; `None` if that is nothing.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::economics::Totals::default().of_nothing(), None);
    /// ```
    #[must_use]
    pub fn of_nothing(&self) -> Option<f64> {
        (self.without > 0.0).then(|| self.cost / self.without)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_their_places() {
        let numbers: Vec<f64> = (1..=Totals::FIGURES).map(|number| number as f64).collect();
        let totals = Totals::of_figures(&numbers).unwrap();
        assert_eq!((totals.requests, totals.prunes, totals.peak, totals.cost), (1, 2, 7, 9.0));
        assert_eq!(totals.figures().as_slice(), numbers);
        let mut twice = totals;
        twice.add(&Totals { peak: 90, ..totals });
        assert_eq!((twice.requests, twice.peak, twice.cost, twice.goal_gone), (2, 90, 18.0, 32));
    }
}
