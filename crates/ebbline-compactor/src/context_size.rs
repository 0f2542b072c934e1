//! How large the context is.

use ebbline::plan::{Decision, Source};

/// How large the context is that would be sent now.
pub(crate) fn size_of(decision: &Decision) -> u64 {
    let trigger = &decision.trigger;
    if trigger.source == Source::Estimate {
        return decision.tokens_before + trigger.overhead.unwrap_or(0);
    }
    // What summarizing goes by may be measured after a prune.
    trigger.tokens + reclaimed_by(decision)
}

/// The tokens that pruning takes out.
pub(crate) fn reclaimed_by(decision: &Decision) -> u64 {
    if decision.prune.applied { decision.prune.reclaimed } else { 0 }
}

/// How large the context is, and the window that it exceeds; `None` if it fits. `pruned` tokens of it give way.
pub(crate) fn excess(decision: &Decision, pruned: u64) -> Option<(u64, u64)> {
    let size = size_of(decision);
    let window = decision.trigger.context?.get();
    let size = size.saturating_sub(pruned);
    (size > window).then_some((size, window))
}
