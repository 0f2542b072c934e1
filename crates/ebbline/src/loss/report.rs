//! What a measurement found: the totals, and the worst findings.

use crate::words;

words! {
    /// What was lost.
    pub enum LossKind [non_exhaustive] {
        /// A standing order in force is neither in the context nor in a summary.
        LostOrder "lost_order",
        /// The user's first message is not in the context word for word.
        LostGoal "lost_goal",
        /// The assistant uses what only an output said that has left.
        ReReference "re_reference",
        /// The assistant makes the call again whose output has left.
        ReRead "re_read",
        /// A decision left, and nothing that it names appears again.
        Decision "decision",
    }
}

crate::form::worded!(LossKind);

crate::form::reported! {
    /// What the compactions of a session lost.
    ///
    /// Every figure is defined in `docs/metrics.md`, with its source and with what it cannot show.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::loss::{self, LossInput};
    /// let session = ebbline::SessionText::read(r#"[{"role":"user","content":"hello"}]"#)?;
    /// let report = loss::measure(&session, &[], &LossInput::default());
    /// assert_eq!(report.compactions, 0);
    /// assert!(report.to_json().starts_with(r#"{"requests":0,"compactions":0,"#));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    [Default]
    pub struct LossReport = "Loss" {
        /// Requests that the session made: answers of the model.
        pub requests: usize,
        /// Moments at which something left.
        pub compactions: usize,
        /// Parts that left.
        pub departed_parts: usize,
        /// Outputs that left.
        pub departed_outputs: usize,
        /// Parts that left and whose text the file does not contain: nothing is measured of them.
        pub without_text: usize,
        /// Outputs that are needed again.
        pub references: References,
        /// Calls that are made again.
        pub re_reads: ReReads,
        /// What summaries and the rest of the context still contain of what was summarized; `None` if nothing was
        /// summarized, or if the text of a summary is unknown.
        pub coverage: Option<Coverage>,
        /// What the user ordered.
        pub orders: OrderLoss,
        /// Decisions of the assistant that left.
        pub decisions: DecisionLoss,
        /// The user's own words at the moments of compaction.
        pub words: WordsKept,
        /// Compactions that undo each other.
        pub thrash: Thrash,
        /// How full the context was; `None` without sizes or without a window.
        pub utilization: Option<Utilization>,
        /// The worst findings, worst first.
        pub worst: Vec<Finding>,
    }
}

crate::form::reported! {
    /// Outputs that left and whose identifiers the assistant uses later.
    [Copy, Default]
    pub struct References {
        /// Outputs that left with identifiers that nothing else in the context contains.
        pub with_unique: usize,
        /// How many of them are re-referenced.
        pub re_referenced: usize,
        /// How many of the re-referenced outputs were pruned; a summary stood for the others.
        pub pruned: usize,
        /// Re-referenced outputs for each 100 requests; `None` without requests.
        pub per_100_requests: Option<f64>,
        /// Share of the outputs that left which are re-referenced, 0 to 1; `None` if none left.
        pub rate: Option<f64>,
    }
}

crate::form::reported! {
    /// Calls that repeat the call of an output that left.
    [Copy, Default]
    pub struct ReReads {
        /// Outputs that left and whose call is known.
        pub outputs: usize,
        /// How many of these calls are made again, with the same tool and the same arguments.
        pub exact: usize,
    }
}

crate::form::reported! {
    /// How much of a class is still there.
    [Copy, Default, Eq]
    pub struct Share = "CoverageShare" {
        /// Different identifiers that were summarized.
        pub departed: usize,
        /// How many of them a summary or the rest of the context contains.
        pub kept: usize,
    }
}

crate::form::reported! {
    /// Coverage by class. Files, numbers and names are counted apart in outputs, where most are noise.
    [Copy, Default, Eq]
    pub struct Coverage {
        /// Files that the user, the assistant or a call's arguments name.
        pub files: Share,
        /// Commands that the assistant ran.
        pub commands: Share,
        /// Error codes and error messages, wherever they are.
        pub errors: Share,
        /// Numbers that the user, the assistant or a call's arguments name.
        pub numbers: Share,
        /// Names in code and hashes that the user, the assistant or a call's arguments name.
        pub names: Share,
        /// Files, numbers and names that only outputs name.
        pub in_outputs: Share,
    }
}

crate::form::reported! {
    /// What became of standing orders.
    [Copy, Default, Eq]
    pub struct OrderLoss {
        /// Orders that the user gave.
        pub given: usize,
        /// How many of them a later order superseded.
        pub superseded: usize,
        /// Orders that left while they were in force, and that a summary repeats word for word.
        pub repeated: usize,
        /// The same, of which a line of a summary has nearly all words.
        pub paraphrased: usize,
        /// The same, of which nothing is left; `None` if the text of a summary is unknown.
        pub lost: Option<usize>,
    }
}

crate::form::reported! {
    /// What became of decisions.
    [Copy, Default, Eq]
    pub struct DecisionLoss {
        /// Sentences that left, state a decision, and name an identifier.
        pub departed: usize,
        /// How many of them name only what never appears again, in no summary either.
        pub never_return: usize,
    }
}

crate::form::reported! {
    /// At how many compactions the user's words were in the context afterwards, word for word.
    [Copy, Default, Eq]
    pub struct WordsKept {
        /// Compactions with a message of the user before them.
        pub compactions: usize,
        /// How many of them kept the first message.
        pub goal_kept: usize,
        /// How many of them kept the newest message.
        pub last_kept: usize,
    }
}

crate::form::reported! {
    /// Compactions that come too soon, and work that is undone.
    [Copy, Default]
    pub struct Thrash {
        /// Compactions that come soon after the one before.
        ///
        /// There are fewer than [`LossInput::closer_than`](super::LossInput::closer_than) requests between the two.
        pub close: usize,
        /// Outputs that left again after they had been read again.
        pub departed_again: usize,
        /// Close compactions as a share of all but the first, 0 to 1; `None` with fewer than two.
        pub index: Option<f64>,
    }
}

crate::form::reported! {
    /// How full the context window was.
    [Copy, Default]
    pub struct Utilization {
        /// The largest size as a share of the window.
        pub peak: f64,
        /// The mean size as a share of the window.
        pub mean: f64,
    }
}

crate::form::reported! {
    /// One loss.
    [Eq]
    pub struct Finding = "LossFinding" {
        /// What was lost.
        pub kind: LossKind,
        /// The message that it was in.
        pub message: usize,
        /// The part that it was in, as an index of the transcript's parts.
        pub part: usize,
        /// The message whose request was the first without it.
        pub at: usize,
        /// The identifiers, the order, or the sentence.
        pub words: Vec<String>,
        /// The message in which the assistant uses it later.
        pub used_in: Option<usize>,
        /// How many identifiers are concerned.
        pub weight: usize,
    }
}

impl LossReport {
    /// The report as JSON.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::loss::LossReport::default().to_json().ends_with(r#""worst":[]}"#));
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A part of a whole; `None` of nothing.
pub(super) fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// A quoted identifier of a finding is cut behind so many characters.
const SHOWN_CHARACTERS: usize = 160;

/// A text for a finding: on one line, and not too long.
pub(super) fn shown(text: &str) -> String {
    let text = crate::orders::joined(
        text.get(..text.char_indices().nth(4 * SHOWN_CHARACTERS).map_or(text.len(), |(at, _)| at))
            .unwrap_or(text),
    );
    if text.chars().count() <= SHOWN_CHARACTERS {
        return text;
    }
    text.chars().take(SHOWN_CHARACTERS).chain(['…']).collect()
}
