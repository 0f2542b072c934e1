//! The model's limits, and how figures are compared with limits.

use std::num::NonZeroU64;

use super::knob::knobs;
use crate::words;

words! {
    /// How a figure is compared with a limit. Systems differ, and at the limit their answers differ.
    pub enum Comparison {
        /// Strictly more than the limit: `>`.
        Above "above",
        /// The limit itself suffices: `>=`.
        AtLeast "at_least",
    }
}

impl Comparison {
    /// Whether `figure` passes `limit` under this comparison.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::policy::Comparison;
    /// assert!(Comparison::AtLeast.holds(20_000, 20_000));
    /// assert!(!Comparison::Above.holds(20_000, 20_000));
    /// ```
    #[must_use]
    pub fn holds(self, figure: u64, limit: u64) -> bool {
        match self {
            Self::Above => figure > limit,
            Self::AtLeast => figure >= limit,
        }
    }
}

knobs! {
    /// The model's limits, in tokens.
    pub struct Model in model [Copy] {
        /// The context window: what a request and its answer may fill together. 0 in JSON when it is not
        /// known: then summarizing never fires.
        #[serde(with = "crate::policy::unknown")]
        context "context": Option<NonZeroU64> [Tokens],
        /// The limit of an answer; 0 in JSON if it is not known.
        #[serde(with = "crate::policy::unknown")]
        output "output": Option<NonZeroU64> [Tokens] = default,
        /// The limit of a request, if the provider limits requests separately from the window; otherwise 0 in JSON.
        #[serde(with = "crate::policy::unknown")]
        input "input": Option<NonZeroU64> [Tokens] = default,
        /// How many milliseconds the provider's cache keeps what a request sent (`prune.coldAfter`); 0 in JSON if it is not known.
        /// A model's name that begins with its provider says it: `anthropic/` 5 minutes, `openai/` 10 minutes, `google/` and
        /// `gemini/` an hour.
        #[serde(with = "crate::policy::unknown")]
        cache_lives "cacheLives": Option<NonZeroU64> [Milliseconds] = default,
    }
}

impl Default for Model {
    /// A window of 200,000 tokens and answers of 32,000.
    fn default() -> Self {
        Self::new(200_000).output(32_000)
    }
}

impl Model {
    /// A model with a context window of so many tokens, of which nothing else is known. As in JSON, 0 is a window that
    /// is not known.
    ///
    /// # Example
    ///
    /// ```
    /// use std::num::NonZeroU64;
    /// let mut policy = ebbline::profiles::get("pi@1.5")?;
    /// policy.model = ebbline::policy::Model::new(128_000);
    /// assert_eq!((policy.model.context, policy.model.output), (NonZeroU64::new(128_000), None));
    /// policy.model.context = NonZeroU64::new(64_000);
    /// assert_eq!(policy.model, ebbline::policy::Model::new(64_000));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub const fn new(context: u64) -> Self {
        Self { context: NonZeroU64::new(context), output: None, input: None, cache_lives: None }
    }

    /// The same with another limit of an answer, in tokens; 0 if it is not known.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::policy::Model;
    /// assert_eq!(Model::new(200_000).output(32_000), Model::default());
    /// assert_eq!(Model::default().output(0).output, None);
    /// ```
    #[must_use]
    pub const fn output(self, tokens: u64) -> Self {
        Self { output: NonZeroU64::new(tokens), ..self }
    }

    /// The same with another limit of a request, in tokens; 0 if there is none beside the window.
    ///
    /// # Example
    ///
    /// ```
    /// let model = ebbline::policy::Model::new(400_000).output(128_000).input(272_000);
    /// assert_eq!(model.input.map(|limit| limit.get()), Some(272_000));
    /// ```
    #[must_use]
    pub const fn input(self, tokens: u64) -> Self {
        Self { input: NonZeroU64::new(tokens), ..self }
    }

    /// The same with a cache that keeps what a request sent for so many milliseconds; 0 if it is not known.
    ///
    /// # Example
    ///
    /// ```
    /// let model = ebbline::policy::Model::new(200_000).cache_lives(3_600_000);
    /// assert_eq!(model.cache_lives.map(|lives| lives.get()), Some(3_600_000));
    /// ```
    #[must_use]
    pub const fn cache_lives(self, milliseconds: u64) -> Self {
        Self { cache_lives: NonZeroU64::new(milliseconds), ..self }
    }

    /// The same with what is known of the cache of the provider with which a model's name begins.
    ///
    /// The times are those of the providers' documentation in November 2026. `OpenAI` says 5 to 10 minutes without a request.
    /// Gemini says an hour of caches that a caller makes, and nothing of its own.
    pub(super) fn with_cache_of(self, name: &str) -> Self {
        let lives = match name.split_once('/') {
            _ if self.cache_lives.is_some() => return self,
            Some(("anthropic", _)) => 300_000,
            Some(("openai", _)) => 600_000,
            Some(("google" | "gemini", _)) => 3_600_000,
            _ => return self,
        };
        self.cache_lives(lives)
    }
}
