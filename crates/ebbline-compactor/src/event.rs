//! What happened, for whoever listens.

use ebbline::controller::{Notice, OVER_WINDOW, filled};
use ebbline::json::Writer;

use crate::compaction::{Cause, Compaction};
use crate::error::CompactorError;

/// What happened.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A compaction was made.
    Compacted(Compaction),
    /// A model is asked for a summary, or one is written by rule.
    SummaryRequested {
        /// Why the context is compacted.
        cause: Cause,
        /// How many messages it replaces.
        messages: usize,
        /// Their tokens.
        tokens: u64,
        /// Which part of them it is about, from 1.
        part: usize,
        /// How many parts there are.
        parts: usize,
    },
    /// There is no summary.
    SummaryFailed {
        /// Why the context is compacted.
        cause: Cause,
        /// Why there is none.
        error: CompactorError,
    },
    /// The provider refused a request as too large.
    Overflow {
        /// Its words.
        message: String,
    },
    /// Nothing makes the context fit.
    GaveUp {
        /// What is in the way.
        error: CompactorError,
    },
    /// The view is sent, though it is estimated at more than the window.
    OverWindow {
        /// Its tokens.
        tokens: u64,
        /// The context window in tokens.
        window: u64,
    },
    /// Known messages were changed or are gone.
    Edited {
        /// How many messages are sent now.
        messages: usize,
        /// How many of the known messages are as they were.
        kept: usize,
        /// How many were known.
        known: usize,
    },
    /// The newest compaction was taken back.
    Undone {
        /// How many messages are sent now.
        messages: usize,
    },
    /// A compaction was made again.
    Redone {
        /// How many messages are sent now.
        messages: usize,
    },
    /// Something is most likely a mistake of the caller.
    Notice {
        /// What it is.
        kind: Notice,
        /// The same as a sentence.
        message: String,
    },
}

impl Event {
    /// The word of the event: `compacted`, `summary_requested`, ..
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Compacted(_) => "compacted",
            Self::SummaryRequested { .. } => "summary_requested",
            Self::SummaryFailed { .. } => "summary_failed",
            Self::Overflow { .. } => "overflow",
            Self::GaveUp { .. } => "gave_up",
            Self::OverWindow { .. } => "over_window",
            Self::Edited { .. } => "edited",
            Self::Undone { .. } => "undone",
            Self::Redone { .. } => "redone",
            Self::Notice { .. } => "notice",
        }
    }

    /// The event as JSON, as the npm package and the Python package tell it.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = Writer::default();
        out.raw("{\"type\":").string(self.kind());
        self.write(&mut out);
        out.raw("}");
        out.finish()
    }

    fn write(&self, out: &mut Writer) {
        match self {
            Self::Compacted(compaction) => {
                out.raw(",\"cause\":").string(compaction.cause.as_str());
                compaction.write(out);
                if compaction.appendix.is_none() {
                    out.raw(",\"byRule\":false");
                }
            }
            Self::SummaryRequested { cause, messages, tokens, part, parts } => {
                out.raw(",\"cause\":").string(cause.as_str());
                out.raw(",\"messages\":").number(*messages as u64).raw(",\"tokens\":").number(*tokens);
                out.raw(",\"part\":").number(*part as u64).raw(",\"parts\":").number(*parts as u64);
            }
            Self::SummaryFailed { cause, error } => {
                out.raw(",\"cause\":").string(cause.as_str());
                write_error(error, out);
            }
            Self::Overflow { message } => {
                out.raw(",\"message\":").string(message);
            }
            Self::GaveUp { error } => write_error(error, out),
            Self::OverWindow { tokens, window } => {
                let figures = [("tokens", &*tokens.to_string()), ("window", &*window.to_string())];
                let sentence = filled(OVER_WINDOW, &figures);
                out.raw(",\"tokens\":").number(*tokens).raw(",\"window\":").number(*window);
                out.raw(",\"message\":").string(&sentence);
            }
            Self::Edited { messages, kept, known } => {
                out.raw(",\"messages\":").number(*messages as u64).raw(",\"kept\":").number(*kept as u64);
                out.raw(",\"known\":").number(*known as u64);
                out.raw(",\"reason\":").string(&reason_of_edit(*kept, *known));
            }
            Self::Undone { messages } | Self::Redone { messages } => {
                out.raw(",\"messages\":").number(*messages as u64);
            }
            Self::Notice { kind, message } => {
                out.raw(",\"kind\":").string(kind.as_str()).raw(",\"message\":").string(message);
            }
        }
    }
}

/// What became of known messages, for a person: one that shares nothing with them is most likely passed by mistake.
#[must_use]
pub fn reason_of_edit(kept: usize, known: usize) -> String {
    if kept == 0 {
        format!(
            "none of the {known} known messages is in the history: pass the whole history at each call, and use one compactor for each session"
        )
    } else {
        format!(
            "the first {kept} of {known} known messages are as they were; what was decided about the others is dropped"
        )
    }
}

/// An error as members of an event.
fn write_error(error: &CompactorError, out: &mut Writer) {
    out.raw(",\"code\":").string(error.code()).raw(",\"message\":").string(error.message());
}

/// Events that nobody was told yet, and the notices that were.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    untold: Vec<Event>,
    has_notices: bool,
    notices: Vec<Notice>,
}

impl Events {
    /// No event yet; notices are among them only if somebody wants to hear them.
    pub(crate) fn new(has_notices: bool) -> Self {
        Self { has_notices, ..Self::default() }
    }

    /// All of them, once.
    pub(crate) fn take(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.untold)
    }

    pub(crate) fn tell(&mut self, event: Event) {
        // Said at each request until somebody listens: the newest figures do.
        if matches!(event, Event::OverWindow { .. }) {
            self.untold.retain(|untold| !matches!(untold, Event::OverWindow { .. }));
        }
        self.untold.push(event);
    }

    /// Whether notices are wanted.
    pub(crate) fn has_notices(&self) -> bool {
        self.has_notices
    }

    /// Tells a notice, unless it was told before or nobody wants to hear it.
    pub(crate) fn notice(&mut self, kind: Notice, figures: &[(&str, &str)]) {
        if self.has_notices && !self.notices.contains(&kind) {
            self.notices.push(kind);
            self.tell(Event::Notice { kind, message: filled(kind.sentence(), figures) });
        }
    }
}
