//! The figures of a plan.

use ebbline::Verdict;
use ebbline::effect::Situation;
use ebbline::plan::{PruneReport, RetainReport, Source, TriggerReport, VerdictReason};
use serde::{Deserialize, Serialize};

/// How large the context is before anything is pruned or summarized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// As the policy measures it; 0 if the session lacks what the policy measures.
    pub measured: u64,
    /// The source of this figure.
    pub source: Source,
    /// The size under the default profile.
    pub by_default: u64,
}

/// The figures of a plan, from which the verdict and all labels are worded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// What the policy does.
    pub verdict: Verdict,
    /// The reason of the verdict.
    pub reason: VerdictReason,
    /// Tokens before.
    pub before: u64,
    /// Tokens after pruning, before summarizing.
    pub pruned: u64,
    /// Tokens after pruning and summarizing.
    pub after: u64,
    /// The part of `after` that is reserved for a summary that does not exist yet.
    pub allowance: u64,
    /// Turns of the user.
    pub turns: u64,
    /// When summarizing fires.
    pub trigger: TriggerReport,
    /// The protection boundary.
    pub prune: PruneReport,
    /// The retention window.
    pub retain: RetainReport,
    /// The size of the context before.
    pub size: Size,
    /// What the effects of the knobs depend on.
    pub situation: Situation,
    /// The tokens in front of where pruning ends and of where the newest messages begin; 0 if there is no boundary, because
    /// then everything is behind it.
    pub places: (u64, u64),
}

impl Figures {
    /// What is sent with the messages but is not in the file, as far as reported usage shows.
    pub fn not_in_file(&self) -> u64 {
        self.size.measured.saturating_sub(self.before)
    }

    /// The size of the context before: the file's messages and what is sent with them.
    pub fn total_before(&self) -> u64 {
        self.before.saturating_add(self.not_in_file())
    }

    /// The size of the context after.
    pub fn total_after(&self) -> u64 {
        self.after.saturating_add(self.not_in_file())
    }

    /// Whether what is left fits into the window, as far as that is known.
    pub fn fits(&self) -> bool {
        self.trigger.context.is_none_or(|window| self.total_after() <= window.get())
    }

    /// The size of the context before, as pruning compares it with the policy's minimum.
    pub fn context(&self) -> u64 {
        if self.size.source == Source::Nothing { self.before } else { self.size.measured }
    }
}
