//! How large the context is.

use ebbline::plan::{Decision, Source};

use super::work::Work;

impl Work {
    /// Says so if more is sent than the window takes.
    pub(crate) fn warn(&mut self) {
        self.look_at_limits();
        let decision = self.decide(None);
        if let Some((size, window)) = excess(&decision, 0) {
            self.told.over_window(size, window);
        }
    }
}

/// How large the context is that would be sent now.
pub(super) fn size_of(decision: &Decision) -> u64 {
    let trigger = &decision.trigger;
    if trigger.source == Source::Estimate {
        return decision.tokens_before + trigger.overhead.unwrap_or(0);
    }
    // What summarising goes by may be measured after a prune.
    trigger.tokens + reclaimed_by(decision)
}

/// The tokens that pruning takes out.
pub(super) fn reclaimed_by(decision: &Decision) -> u64 {
    if decision.prune.applied { decision.prune.reclaimed } else { 0 }
}

/// How large the context is, and the window that it exceeds; `None` if it fits. `pruned` tokens of it give way.
pub(super) fn excess(decision: &Decision, pruned: u64) -> Option<(u64, u64)> {
    let size = size_of(decision);
    let window = decision.trigger.context?.get();
    let size = size.saturating_sub(pruned);
    (size > window).then_some((size, window))
}
