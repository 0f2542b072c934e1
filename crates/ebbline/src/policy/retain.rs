//! The retention window's knobs.

use super::Share;
use super::knob::knobs;
use crate::words;

words! {
    /// Which way a retention boundary moves when it may not stand where the budget puts it.
    pub enum Snap [non_exhaustive] {
        /// To an older message: keeps more than asked for. TunaCode.
        Older "older",
        /// To a newer message: keeps less; to none, the oldest place there is. pi until 0.85: when trailing tool
        /// results eat the budget, nothing is summarized.
        Newer "newer",
        /// To a newer message: keeps less; to none, the newest place there is. pi since 0.86.
        NewerOrLast "newer_or_last",
        /// To an older message; to a newer one where the window would otherwise hold more than twice `keep`. Where
        /// neither place makes the context fit, behind the newest message, unless that waits for an answer; nowhere
        /// where a summary would take as much as it frees. A forced compaction summarizes half of a history that would
        /// fit. `ebbline@1`.
        Nearest "nearest",
    }

    /// Where a retention boundary may stand. It never stands between a call and its result, whatever the rule.
    pub enum Cut [non_exhaustive] {
        /// Between any two messages.
        Anywhere "anywhere",
        /// Before any message but a tool result. pi.
        BeforeMessage "before_message",
        /// After a user's message or an answer that the model ended, and never before a tool result. TunaCode 0.2.
        AfterEndedMessage "after_ended_message",
        /// Only where a turn begins.
        BeforeTurn "before_turn",
        /// Only behind the newest message: nothing is kept. OpenCode until April 2026.
        AtEnd "at_end",
    }

    /// How much of the budget the window takes.
    pub enum Fill [non_exhaustive] {
        /// The fewest newest messages that hold at least `keep`. pi, TunaCode.
        AtLeast "at_least",
        /// The most newest messages that hold at most `keep`. OpenCode.
        AtMost "at_most",
    }
}

knobs! {
    /// Which newest messages stay word for word when the rest is summarized.
    pub struct RetainPolicy in retain {
        /// Whether older messages are summarized.
        enabled "enabled": bool,
        /// The number of newest tokens in the retention window; `fill` says whether it is a minimum or a
        /// maximum.
        keep "keep": u64 [Tokens, share],
        /// The largest size of the window as a share of the trigger's threshold; `null` for no limit.
        keep_share "keepShare": Option<Share> = default,
        /// What `keep_share` never goes below, in tokens.
        keep_floor "keepFloor": u64 [Tokens] = default,
        /// Whether `keep` is the smallest or the largest size of the window.
        fill "fill": Fill,
        /// The largest number of turns in the window; 0 for no limit.
        turns "turns": u64 [Turns],
        /// The direction in which the boundary moves away from a place where it must not be.
        snap "snap": Snap,
        /// Where the boundary may be; never between a call and its result.
        cut "cut": Cut,
        /// Whether everything is summarized when the whole history fits the window, instead of nothing. OpenCode.
        summarize_all_that_fits "summarizeAllThatFits": bool,
        /// Whether a forced compaction (by hand, or after an overflow) keeps nothing at all.
        forced_keeps_nothing "forcedKeepsNothing": bool,
        /// The size that a plan's totals assume for the summary, in tokens: the summary does not exist yet.
        summary_allowance "summaryAllowance": u64 [Tokens],
        /// The largest size of what a summary carries of the user's own words, word for word, in tokens: the first
        /// request, the request that the agent is working on, then the newest words. 0 for none.
        user_words "userWords": u64 [Tokens, share] = default,
        /// The most tokens of identifiers that a summary takes over: what only the messages name that it replaces, such as paths,
        /// ids and error codes. The request for a summary names them, and those that the answer leaves out stand behind
        /// it. First come those that the agent has used, the newest use first. 0: none.
        names "names": u64 [Tokens] = default,
    }
}

/// About the tokens that stand before the user's words in a summary.
const FRAME: u64 = 24;

impl RetainPolicy {
    /// Summarizing switched off.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(!ebbline::policy::RetainPolicy::none().enabled);
    /// ```
    #[must_use]
    pub fn none() -> Self {
        Self {
            enabled: false,
            keep: 20_000,
            keep_share: None,
            keep_floor: 0,
            fill: Fill::AtLeast,
            turns: 0,
            snap: Snap::Older,
            cut: Cut::Anywhere,
            summarize_all_that_fits: false,
            forced_keeps_nothing: false,
            summary_allowance: 2_000,
            user_words: 0,
            names: 0,
        }
    }

    /// The tokens that a summary carries of `said` tokens of the user's own words, with what stands before each.
    pub(crate) fn words_of(&self, said: u64) -> u64 {
        if said == 0 { 0 } else { said.saturating_add(FRAME).min(self.user_words) }
    }

    /// The largest summary that a plan expects of `said` tokens of the user's own words and of earlier summaries of
    /// `carried` tokens, whose words it takes over.
    pub(crate) fn largest_summary(&self, said: u64, carried: u64) -> u64 {
        let words = self.words_of(said).saturating_add(carried).min(self.user_words);
        self.summary_allowance.saturating_add(words).saturating_add(self.names)
    }

    /// The number of tokens that the window is to hold when compaction fires at `threshold`.
    ///
    /// # Example
    ///
    /// ```
    /// let policy = ebbline::profiles::get("pi@1.5")?;
    /// assert_eq!(policy.retain.budget(180_000), 20_000);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn budget(&self, threshold: u64) -> u64 {
        match self.keep_share {
            Some(share) => self.keep.min(share.of(threshold).max(self.keep_floor)),
            None => self.keep,
        }
    }
}
