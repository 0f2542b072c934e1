//! What a provider charges, and how its cache works.

/// What tokens cost, as multiples of the price of one fresh input token.
///
/// # Example
///
/// ```
/// use ebbline::economics::Rates;
/// // The shape of models.dev: US dollars for a million tokens.
/// let rates = Rates::of_prices(2.5, 10.0, Some(0.25), None);
/// assert_eq!(rates, Some(Rates::new(0.1, 1.0, 4.0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rates {
    /// An input token that is read from the cache.
    pub cached: f64,
    /// An input token that is written to the cache.
    pub written: f64,
    /// An output token.
    pub output: f64,
}

/// What tokens cost when nobody says otherwise: a tenth for cached input, a quarter more for written input, five times for output.
///
/// # Example
///
/// ```
/// use ebbline::economics::Rates;
/// assert_eq!(Rates::default(), Rates::new(0.1, 1.25, 5.0));
/// ```
impl Default for Rates {
    fn default() -> Self {
        Self::new(0.1, 1.25, 5.0)
    }
}

impl Rates {
    /// The rates of tokens that are read from the cache, written to it, and put out by the model.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::economics::Rates::new(0.1, 1.25, 5.0).written, 1.25);
    /// ```
    #[must_use]
    pub const fn new(cached: f64, written: f64, output: f64) -> Self {
        Self { cached, written, output }
    }

    /// The rates of prices, in any currency for any number of tokens. A provider without a price for reading from or
    /// writing to its cache charges such a token as a fresh one. `None` if fresh input is free: nothing is a multiple of
    /// its price then.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::Rates;
    /// assert_eq!(Rates::of_prices(2.0, 8.0, None, None), Some(Rates::new(1.0, 1.0, 4.0)));
    /// assert_eq!(Rates::of_prices(0.0, 8.0, None, None), None);
    /// ```
    #[must_use]
    pub fn of_prices(
        input: f64,
        output: f64,
        cache_read: Option<f64>,
        cache_write: Option<f64>,
    ) -> Option<Self> {
        (input > 0.0).then(|| Self {
            cached: cache_read.unwrap_or(input) / input,
            written: cache_write.unwrap_or(input) / input,
            output: output / input,
        })
    }
}

/// How a provider's cache of prompts works.
///
/// The default is a cache of exact prefixes that keeps everything: what a comparison of policies assumes that wants to
/// show the policies and not a provider.
///
/// # Example
///
/// ```
/// use ebbline::economics::Cache;
/// let five_minutes = Cache::new(1_024, 1, Some(300_000));
/// assert_eq!(five_minutes.reusable(900, 0), 0);
/// assert_eq!(five_minutes.reusable(5_000, 400_000), 0);
/// assert_eq!(five_minutes.reusable(5_000, 200_000), 5_000);
/// let blocks = Cache::new(1_024, 128, None);
/// assert_eq!(blocks.reusable(1_300, 0), 1_280);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cache {
    /// The smallest prefix that is cached, in tokens.
    pub minimum: u64,
    /// A cached prefix is a multiple of this many tokens.
    pub block: u64,
    /// How long a prefix stays in the cache after its last use, in milliseconds; `None` if it never expires.
    pub lives: Option<u64>,
}

impl Default for Cache {
    fn default() -> Self {
        Self { minimum: 0, block: 1, lives: None }
    }
}

impl Cache {
    /// A cache of prefixes of at least `minimum` tokens, in blocks of so many, which lives so many milliseconds after its
    /// last use.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::economics::Cache::new(1_024, 128, None).reusable(1_300, 0), 1_280);
    /// ```
    #[must_use]
    pub const fn new(minimum: u64, block: u64, lives: Option<u64>) -> Self {
        Self { minimum, block, lives }
    }

    /// How many of the first `prefix` tokens of a request come from the cache if an earlier request sent them
    /// `idle` milliseconds ago.
    ///
    /// # Example
    ///
    /// ```
    /// let cache = ebbline::economics::Cache::default();
    /// assert_eq!(cache.reusable(1_000, u64::MAX), 1_000);
    /// ```
    #[must_use]
    pub fn reusable(&self, prefix: u64, idle: u64) -> u64 {
        let whole = prefix - prefix % self.block.max(1);
        let expired = self.lives.is_some_and(|lives| idle > lives);
        if whole < self.minimum || expired { 0 } else { whole }
    }
}
