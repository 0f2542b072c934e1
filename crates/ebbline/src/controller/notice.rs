//! What a caller is told, once: figures stand in braces.

use super::Obstacle;
use crate::words;

words! {
    /// What is most likely a mistake of the caller, or goes wrong without an error.
    pub enum Notice [non_exhaustive] {
        /// A summary failed.
        SummaryFailed "summary_failed",
        /// The history shares nothing with the one before.
        Replaced "replaced",
        /// Two sessions take turns in one compactor.
        TwoSessions "two_sessions",
        /// Nobody said how large the model's window is.
        NoModel "no_model",
        /// The window has no tokens.
        NoWindow "no_window",
        /// The answer may fill the window.
        LargeOutput "large_output",
    }
}

impl Notice {
    /// The sentences, with figures in braces.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::{Notice, filled};
    /// let said = filled(Notice::NoModel.sentence(), &[("window", "200000")]);
    /// assert!(said.starts_with("No model was given, so a context window of 200000 tokens is assumed."));
    /// ```
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::SummaryFailed => "A summary failed: {error}. The agent goes on without it, with what fits.",
            Self::Replaced => {
                "None of the {known} known messages is in the history, so what was decided about them is dropped. Pass the whole history at each call, and use one compactor for each session."
            }
            Self::TwoSessions => {
                "Two sessions take turns in one compactor, and each drops what was decided for the other. Create one compactor for each session."
            }
            Self::NoModel => {
                "No model was given, so a context window of {window} tokens is assumed. Pass the limits of your model: `model` with `context` and `output`."
            }
            Self::NoWindow => {
                "The context window is said to be 0, which is unknown, so no summary is asked for before a provider refuses. Pass the window of your model as `context` of `model`."
            }
            Self::LargeOutput => {
                "The answer may have {output} tokens, and the context window has {window}. Check `output` and `context` of `model`: no room is left for messages."
            }
        }
    }
}

impl Obstacle {
    /// The sentences, with figures in braces, and what to do.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::{Obstacle, filled};
    /// let figures = [("overhead", "40000"), ("window", "32000")];
    /// let said = filled(Obstacle::OverheadFillsWindow.sentence(), &figures);
    /// assert!(said.starts_with("What is sent beside the messages takes 40000 tokens, and the context window has 32000."));
    /// ```
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::OverheadFillsWindow => {
                "What is sent beside the messages takes {overhead} tokens, and the context window has {window}. Send fewer tools or a shorter system prompt. If the figures are wrong, pass `overhead`, and the window as `context` of `model`."
            }
            Self::StillTooLarge => {
                "The context was compacted after an overflow to about {tokens} tokens, and the provider refused it again. The context window is taken for {window}: pass the model's own as `context` of `model`."
            }
            Self::NothingToCompact => {
                "Nothing in the context of about {tokens} tokens may be pruned or summarized, and the context window has {window}. Keep less (`retain.keep`), pin less, or begin a new session."
            }
            Self::NoSummary => {
                "Only a summary would make the context of about {tokens} tokens fit into the window of {window}, and there is none. Pass `summarize`, or \"deterministic\" for summaries by rule."
            }
        }
    }
}

/// What is said of a view that is sent, though it is estimated at more than the window.
///
/// # Example
///
/// ```
/// use ebbline::controller::{OVER_WINDOW, filled};
/// assert!(filled(OVER_WINDOW, &[("tokens", "9"), ("window", "8")]).starts_with("what is sent has about 9 tokens"));
/// ```
pub const OVER_WINDOW: &str = "what is sent has about {tokens} tokens, and the context window has {window}: nothing more could be cleared or summarized";

/// A sentence with its figures.
///
/// # Example
///
/// ```
/// use ebbline::controller::filled;
/// assert_eq!(filled("{tokens} of {window}", &[("tokens", "7"), ("window", "9")]), "7 of 9");
/// ```
#[must_use]
pub fn filled(sentence: &str, figures: &[(&str, &str)]) -> String {
    let mut said = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((name, next)) = behind.split_once('}') else { break };
        said.push_str(before);
        said.push_str(
            figures.iter().find(|(known, _)| *known == name).map_or("unknown", |(_, figure)| figure),
        );
        rest = next;
    }
    said + rest
}
