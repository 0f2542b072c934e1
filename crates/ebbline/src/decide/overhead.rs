//! The tokens that every request sends beside the messages: a system prompt that is not among them, and tools.
//!
//! A reported usage covers them; an estimate of the messages does not. Where the policy corrects its estimate by
//! reported usage, the overhead is learnt: it is what a usage reports above the corrected estimate of the messages
//! that it covers. That holds only for a usage of the context as it is now. A usage reported before an output was
//! pruned, or before a summary, also covers what is gone, and a transcript alone does not tell when that happened.
//! A session is told, and remembers what it had learnt until then.

use super::calibration::Calibration;
use super::usages::{Usage, Usages};

/// What a session remembers of the context before its newest change.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Memory {
    /// The overhead that was learnt until then.
    pub(crate) overhead: Option<u64>,
    /// Usages of messages from this index of the transcript on were reported for the context as it is now; `None` as long
    /// as nothing has changed.
    pub(crate) current_from: Option<usize>,
}

/// What is known of the overhead.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Overhead {
    /// Given by the caller.
    pub(super) given: Option<u64>,
    /// Learnt by a session that knows when the context changed.
    pub(super) remembered: Option<u64>,
    /// Learnt from the newest usage that covers no pruned output.
    pub(super) learnt: Option<u64>,
}

impl Overhead {
    /// `is_current` says whether a usage was reported after the newest change that `memory` knows.
    pub(super) fn learn(
        usages: &Usages,
        calibration: Calibration,
        memory: Memory,
        is_current: impl Fn(Usage) -> bool,
    ) -> Self {
        let beyond = |usage: Usage| usage.tokens.saturating_sub(calibration.correct(usage.until));
        let newest = usages.newest(1).first().copied();
        let current = newest.filter(|usage| is_current(*usage)).map(beyond);
        let first_pruned = usages.first_pruned_before().unwrap_or(usize::MAX);
        let remembered = current.or(memory.overhead);
        Self { given: None, remembered, learnt: usages.newest_until(first_pruned).map(beyond) }
    }

    /// What is known beyond what these messages alone say.
    pub(super) fn known(self) -> Option<u64> {
        self.given.or(self.remembered)
    }

    /// The best that is known.
    pub(super) fn figure(self) -> Option<u64> {
        self.known().or(self.learnt)
    }
}
