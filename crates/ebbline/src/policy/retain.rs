//! The retention window's knobs.

use serde::{Deserialize, Serialize};

use super::Share;

/// Which way a retention boundary moves when it may not stand where the budget puts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Snap {
    /// To an older message: keeps more than asked for. TunaCode.
    Older,
    /// To a newer message: keeps less; to none, the oldest place there is. pi until 0.85: when trailing tool
    /// results eat the budget, nothing is summarised.
    Newer,
    /// To a newer message: keeps less; to none, the newest place there is. pi since 0.86.
    NewerOrLast,
    /// To an older message, unless the window would then hold more than twice what it is to keep and a newer
    /// place is at hand. With something in the way that is larger than all the room there is, behind the newest
    /// message, unless that waits for an answer; nowhere, if no more would be freed than the summary takes. Asked
    /// for, half of a history goes that would fit. `ebbline@1`.
    Nearest,
}

/// Where a retention boundary may stand. It never stands between a call and its result, whatever the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    /// Between any two messages.
    Anywhere,
    /// Before any message but a tool result. pi.
    BeforeMessage,
    /// After a user's message or an answer that the model ended, and never before a tool result. TunaCode 0.2.
    AfterEndedMessage,
    /// Only where a turn begins.
    BeforeTurn,
    /// Only behind the newest message: nothing is kept. OpenCode until April 2026.
    AtEnd,
}

/// How much of the budget the window takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fill {
    /// The fewest newest messages that hold at least `keep`. pi, TunaCode.
    AtLeast,
    /// The most newest messages that hold at most `keep`. OpenCode.
    AtMost,
}

/// Which newest messages stay word for word when the rest is summarised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RetainPolicy {
    /// Whether older messages are summarised at all.
    pub enabled: bool,
    /// The newest tokens that the retention window holds; `fill` says whether at least or at most.
    pub keep: u64,
    /// The most that the window is to hold, as a share of the trigger's threshold; `null` for no such limit.
    #[serde(default)]
    pub keep_share: Option<Share>,
    /// What `keep_share` never goes below, in tokens.
    #[serde(default)]
    pub keep_floor: u64,
    /// Whether `keep` is the least or the most that the window holds.
    pub fill: Fill,
    /// The most turns that the window reaches back; 0 for any number.
    pub turns: u64,
    /// Which way the boundary moves off a place where it may not stand.
    pub snap: Snap,
    /// Where the boundary may stand.
    pub cut: Cut,
    /// Whether everything is summarised when the whole history fits the window, instead of nothing. OpenCode.
    pub summarise_all_that_fits: bool,
    /// Whether a compaction asked for by hand, or forced by an overflow, keeps nothing at all.
    pub forced_keeps_nothing: bool,
    /// The size allowed for the summary when totals are forecast, in tokens. No figure of the system: the
    /// summary does not exist yet.
    pub summary_allowance: u64,
}

impl RetainPolicy {
    /// Summarising switched off.
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
            summarise_all_that_fits: false,
            forced_keeps_nothing: false,
            summary_allowance: 2_000,
        }
    }

    /// What the window is to hold, in tokens, when compaction fires at `threshold`.
    #[must_use]
    pub fn budget(&self, threshold: u64) -> u64 {
        match self.keep_share {
            Some(share) => self.keep.min(share.of(threshold).max(self.keep_floor)),
            None => self.keep,
        }
    }
}
