//! What a replay assumes.

use crate::words;

words! {
    /// Where a replay takes the usage from that providers report with answers. Policies that measure the context by
    /// reported usage depend on it.
    pub enum UsageFrom [derive(Default)] {
        /// Each answer reports what its replayed request sends by the policy's own estimate, and the answer itself. A
        /// recorded usage describes the context of the agent that recorded it, which is another one as soon as the
        /// replayed policy compacts.
        Estimate "estimate" [default],
        /// The usage that the session recorded. Right only where the replayed policy does what the recording agent did.
        Recorded "recorded",
        /// No answer reports any usage.
        Nothing "nothing",
    }
}

/// What a replay assumes about the life of a session.
///
/// # Example
///
/// ```
/// use ebbline::replay::{ReplayOptions, UsageFrom};
/// let options = ReplayOptions::new().overhead(8_000).usage(UsageFrom::Nothing);
/// assert_eq!((options.overhead, options.usage), (8_000, UsageFrom::Nothing));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplayOptions {
    /// The tokens that are sent beside the messages with every request: system prompt, tools.
    pub overhead: u64,
    /// Where reported usage comes from.
    pub usage: UsageFrom,
}

impl ReplayOptions {
    /// Nothing is sent beside the messages, and the usage is estimated.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::replay::ReplayOptions::new().overhead, 0);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with so many tokens beside the messages.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::replay::ReplayOptions::new().overhead(2_000).overhead, 2_000);
    /// ```
    #[must_use]
    pub fn overhead(self, overhead: u64) -> Self {
        Self { overhead, ..self }
    }

    /// The same with usage from another source.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{ReplayOptions, UsageFrom};
    /// assert_eq!(ReplayOptions::new().usage(UsageFrom::Recorded).usage, UsageFrom::Recorded);
    /// ```
    #[must_use]
    pub fn usage(self, usage: UsageFrom) -> Self {
        Self { usage, ..self }
    }
}
