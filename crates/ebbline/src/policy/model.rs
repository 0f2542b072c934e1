//! The model's limits, and how figures are compared with limits.

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
        /// The context window: what a request and its answer may fill together. 0 when it is not known: then
        /// summarising never fires.
        context "context": u64 [Tokens],
        /// The limit of an answer; 0 if it is not known.
        output "output": u64 [Tokens] = default,
        /// The limit of a request, if the provider limits requests separately from the window; otherwise 0.
        input "input": u64 [Tokens] = default,
    }
}

impl Default for Model {
    fn default() -> Self {
        Self { context: 200_000, output: 32_000, input: 0 }
    }
}
