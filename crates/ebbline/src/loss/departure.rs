//! Departures: parts that left the context, and what is measured about them.

use std::num::NonZeroU64;

use serde::Serialize;

use crate::policy::Policy;
use crate::words;

words! {
    /// How a part left the context.
    pub enum Left [non_exhaustive] {
        /// Its output was pruned: a placeholder stands in its place.
        Pruned "pruned",
        /// A summary stands for it.
        Summarized "summarized",
    }
}

/// A part that left the context before a request.
///
/// # Example
///
/// ```
/// use ebbline::loss::{Departure, Left};
/// let departure = Departure::new(12, 3, Left::Pruned);
/// assert_eq!(departure.how.as_str(), "pruned");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Departure {
    /// The index of the message whose request is the first without the part; the number of messages if no request
    /// followed.
    pub at: usize,
    /// The index of the part in [`Transcript::parts`](crate::Transcript::parts).
    pub part: usize,
    /// How it left.
    pub how: Left,
    /// Which of [`LossInput::summaries`] stands for it; `None` if it was pruned, or if the text is unknown.
    pub summary: Option<usize>,
}

impl Departure {
    /// A part that is missing from the request of the message `at` on, without a known summary.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::loss::{Departure, Left};
    /// assert_eq!(Departure::new(12, 3, Left::Pruned).summary, None);
    /// ```
    #[must_use]
    pub const fn new(at: usize, part: usize, how: Left) -> Self {
        Self { at, part, how, summary: None }
    }
}

/// What a measurement needs beside the session.
///
/// # Example
///
/// ```
/// use ebbline::loss::LossInput;
/// let mut input = LossInput::default();
/// input.window = std::num::NonZeroU64::new(200_000);
/// input.sizes = &[90_000, 150_000];
/// assert_eq!(input.closer_than, 10);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LossInput<'i> {
    /// The texts of the summaries that departures name. An empty text is an unknown one.
    pub summaries: &'i [String],
    /// Whether the agent's own compactions did not happen: its summaries, and the messages that it repeated beside
    /// them, are then left out. A simulation sets this.
    pub undo: bool,
    /// The size of the context at each request, in tokens.
    pub sizes: &'i [u64],
    /// The size of the context window, in tokens; `None` if it is not known.
    pub window: Option<NonZeroU64>,
    /// Two compactions with fewer requests between them are close.
    pub closer_than: usize,
    /// How many findings are listed at most.
    pub findings: usize,
    /// The policy whose placeholders stand for what was pruned; `None` if they name nothing.
    pub placeholders: Option<&'i Policy>,
    /// How many tokens of identifiers a summary of unknown text names, the newest first; 0 if it carries nothing.
    pub named: u64,
}

impl Default for LossInput<'_> {
    fn default() -> Self {
        Self {
            summaries: &[],
            undo: false,
            sizes: &[],
            window: None,
            closer_than: 10,
            findings: 20,
            placeholders: None,
            named: 0,
        }
    }
}
