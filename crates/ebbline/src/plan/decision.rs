//! The decision: what a plan says as a whole, without a word on single messages.

use serde::Serialize;

use super::{PruneReport, RetainReport, TriggerReport, Verdict, VerdictReason};

/// What is to be done: what an agent asks before every request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// What is to be done.
    pub verdict: Verdict,
    /// Why.
    pub reason: VerdictReason,
    /// Estimated tokens of the active messages before.
    pub tokens_before: u64,
    /// Estimated tokens after, the summary's allowance included.
    pub tokens_after: u64,
    /// Whether what is left stays below the threshold: `false` when the plan cannot make the context fit.
    pub fits: bool,
    /// What `tokens_after` allows for a summary that does not exist yet; 0 when none is to be made.
    pub summary_allowance: u64,
    /// When summarising fires.
    pub trigger: TriggerReport,
    /// The protection boundary.
    pub prune: PruneReport,
    /// The retention window.
    pub retain: RetainReport,
}

impl Decision {
    /// Whether anything is to be done.
    #[must_use]
    pub fn changes_something(&self) -> bool {
        self.prune.applied || self.retain.applied
    }
}
