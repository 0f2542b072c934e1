//! What a replay assumes.

use crate::words;

words! {
    /// Where a replay takes the usage from that providers report with answers. Policies that measure the context by
    /// reported usage depend on it.
    pub enum UsageFrom [derive(Default), non_exhaustive] {
        /// Each answer reports what its replayed request sends by the policy's own estimate, and the answer itself. A
        /// recorded usage describes the context of the agent that recorded it, which is another one as soon as the
        /// replayed policy compacts.
        Estimate "estimate" [default],
        /// The usage that the session recorded. Right only where the replayed policy does what the recording agent did.
        Recorded "recorded",
        /// No answer reports any usage.
        Nothing "nothing",
    }

    /// When a replayed policy decides.
    pub enum Moments [derive(Default), non_exhaustive] {
        /// Before every request, as an agent does that asks ebbline: the same for every policy, so that they can be compared.
        EveryRequest "every_request" [default],
        /// When the system of the policy's profile decides, and with its own boundary of what is kept: `OpenCode` prunes after
        /// a run, pi until 0.84 compacts between runs only.
        System "system",
    }
}

crate::form::worded!(UsageFrom);

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
    /// When the policy decides.
    pub moments: Moments,
    /// How many milliseconds the provider's cache keeps a prefix after its last use; `None` if nobody says so. A policy that
    /// waits for a cold cache goes by it, unless it has a time of its own (`model.cacheLives`).
    pub cache_lives: Option<u64>,
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

    /// The same with a cache that keeps a prefix for so many milliseconds.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::ReplayOptions;
    /// assert_eq!(ReplayOptions::new().cache_lives(300_000).cache_lives, Some(300_000));
    /// ```
    #[must_use]
    pub fn cache_lives(self, milliseconds: impl Into<Option<u64>>) -> Self {
        Self { cache_lives: milliseconds.into(), ..self }
    }

    /// The same with decisions at other moments.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Moments, ReplayOptions};
    /// assert_eq!(ReplayOptions::new().moments(Moments::System).moments, Moments::System);
    /// ```
    #[must_use]
    pub fn moments(self, moments: Moments) -> Self {
        Self { moments, ..self }
    }
}
