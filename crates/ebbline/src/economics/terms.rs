//! What replays are billed by.

use super::{Bill, Cache, Rates, SummaryContent};
use crate::replay::{Replay, ReplayOptions};

/// What a comparison assumes, the same for every policy.
///
/// # Example
///
/// ```
/// use ebbline::economics::{Rates, Terms};
/// let terms = Terms::new(Rates::new(0.1, 1.25, 5.0));
/// assert!(terms.moments.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Terms<'m> {
    /// What every replay assumes.
    pub options: ReplayOptions,
    /// The provider's cache.
    pub cache: Cache,
    /// What tokens cost.
    pub rates: Rates,
    /// When each message of the log was written, in milliseconds since 1970; empty if that is not known.
    pub moments: &'m [Option<u64>],
    /// What the summaries carry.
    pub summaries: SummaryContent,
}

impl<'m> Terms<'m> {
    /// A cache of exact prefixes that never expires, at these rates.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Cache, Rates, Terms};
    /// let terms = Terms::new(Rates::new(0.1, 1.25, 5.0));
    /// assert_eq!((terms.cache, terms.options.overhead), (Cache::default(), 0));
    /// ```
    #[must_use]
    pub fn new(rates: Rates) -> Self {
        Self {
            options: ReplayOptions::new(),
            cache: Cache::default(),
            rates,
            moments: &[],
            summaries: SummaryContent::Nothing,
        }
    }

    /// The same with other assumptions about the life of the session.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Rates, Terms};
    /// use ebbline::replay::ReplayOptions;
    /// let terms = Terms::new(Rates::new(0.1, 1.0, 4.0));
    /// assert_eq!(terms.options(ReplayOptions::new().overhead(8_000)).options.overhead, 8_000);
    /// ```
    #[must_use]
    pub fn options(self, options: ReplayOptions) -> Self {
        Self { options, ..self }
    }

    /// The same with another cache, which may expire: `moments` says when each message of the log was written.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Cache, Rates, Terms};
    /// let cache = Cache::new(1_024, 1, Some(300_000));
    /// let terms = Terms::new(Rates::new(0.1, 1.25, 5.0)).cache(cache, &[]);
    /// assert_eq!(terms.cache.minimum, 1_024);
    /// ```
    #[must_use]
    pub fn cache(self, cache: Cache, moments: &'m [Option<u64>]) -> Self {
        Self { cache, moments, options: self.options.cache_lives(cache.lives), ..self }
    }

    /// The same where summaries carry something.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Rates, SummaryContent, Terms};
    /// let terms = Terms::new(Rates::new(0.1, 1.25, 5.0)).summaries(SummaryContent::Names(1_800));
    /// assert_eq!(terms.summaries, SummaryContent::Names(1_800));
    /// ```
    #[must_use]
    pub fn summaries(self, content: SummaryContent) -> Self {
        Self { summaries: content, ..self }
    }

    /// The bill of a replay on these terms.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Rates, Terms};
    /// use ebbline::replay::Replay;
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let terms = Terms::new(Rates::new(0.1, 1.25, 5.0));
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &terms.options);
    /// assert_eq!(terms.bill(&replay).cost(), 0.0);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn bill(&self, replay: &Replay<'_>) -> Bill {
        Bill::of(replay, self.cache, self.rates, self.moments)
    }
}
