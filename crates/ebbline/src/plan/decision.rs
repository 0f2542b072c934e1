//! What a plan says as a whole, without a word on single messages.

use serde::Serialize;

use super::{Plan, PruneReport, RetainReport, TriggerReport, Verdict, VerdictReason};

/// A plan without its messages: what an agent asks before every request.
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
    /// Whether what is left stays below the threshold.
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

impl Plan {
    /// The plan without its messages.
    #[must_use]
    pub fn decision(&self) -> Decision {
        Decision {
            verdict: self.verdict,
            reason: self.reason,
            tokens_before: self.tokens_before,
            tokens_after: self.tokens_after,
            fits: self.fits,
            summary_allowance: self.summary_allowance,
            trigger: self.trigger,
            prune: self.prune,
            retain: self.retain,
        }
    }
}
