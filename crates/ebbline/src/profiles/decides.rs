//! When a system decides, which no number of a policy says.

use crate::transcript::Turn;

/// The steps that a system takes at one kind of moment.
///
/// # Example
///
/// ```
/// use ebbline::profiles::Steps;
/// assert!(Steps::BOTH.prune && !Steps::SUMMARIZE.prune);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Steps {
    /// Whether it prunes.
    pub prune: bool,
    /// Whether it summarizes.
    pub summarize: bool,
}

impl Steps {
    /// It does nothing.
    pub const NOTHING: Self = Self { prune: false, summarize: false };
    /// It summarizes.
    pub const SUMMARIZE: Self = Self { prune: false, summarize: true };
    /// It prunes and summarizes.
    pub const BOTH: Self = Self { prune: true, summarize: true };

    /// Whether it does anything.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::profiles::Steps;
    /// assert!(Steps::SUMMARIZE.any() && !Steps::NOTHING.any());
    /// ```
    #[must_use]
    pub fn any(self) -> bool {
        self.prune || self.summarize
    }
}

/// When a system decides.
///
/// # Example
///
/// ```
/// use ebbline::profiles::{self, Decides};
/// assert_eq!(profiles::find("ebbline@1").unwrap().decides, Decides::BEFORE_REQUESTS);
/// assert!(profiles::find("opencode@2026-01").unwrap().decides.after_runs.prune);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decides {
    /// What it does when the model has ended its work, before the next message of the user is there. A system that
    /// does anything then decides nothing more before the first request that follows.
    pub after_runs: Steps,
    /// What it does before its other requests.
    pub before_requests: Steps,
}

impl Decides {
    /// Before every request, with the user's new message: what an agent does that asks ebbline.
    pub const BEFORE_REQUESTS: Self = Self { after_runs: Steps::NOTHING, before_requests: Steps::BOTH };
    /// After an answer that ends a run, and between the requests of a run (pi since 0.84.4).
    pub const AFTER_ANSWERS: Self = Self { after_runs: Steps::BOTH, before_requests: Steps::BOTH };
    /// Between runs only (pi until 0.84.3: `_checkCompaction` is called after a run and before a prompt).
    pub const BETWEEN_RUNS: Self = Self { after_runs: Steps::BOTH, before_requests: Steps::NOTHING };
    /// It prunes when the loop has ended, and summarizes after any answer (`OpenCode`: `SessionCompaction.prune` behind the
    /// loop of `session/prompt.ts`, `isOverflow` after each finished step).
    pub const PRUNE_AFTER_RUNS: Self = Self { after_runs: Steps::BOTH, before_requests: Steps::SUMMARIZE };

    /// What it does before a message in the user's place that follows an answer. One that the agent wrote itself, such as
    /// "Continue", follows what it has just done inside a run.
    pub(crate) fn before(self, turn: Turn) -> Steps {
        match turn {
            Turn::Person => self.after_runs,
            Turn::Synthetic if self.after_runs.any() => self.before_requests,
            _ => Steps::NOTHING,
        }
    }

    /// What it does before a request; `is_inside` says whether the model has answered in the same run.
    pub(crate) fn of_request(self, is_inside: bool) -> Steps {
        if is_inside || !self.after_runs.any() { self.before_requests } else { Steps::NOTHING }
    }
}
