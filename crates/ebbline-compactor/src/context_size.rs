//! How large the context is, and what is too large.

use ebbline::plan::{Decision, Source};

use crate::error::{CompactorError, failure};

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

/// Why a summary must not be used that, with what it carries, makes `after` of `before` tokens; without a model, it must leave less than
/// `most`, too.
#[must_use]
pub fn larger_summary(before: u64, after: u64, most: Option<u64>) -> Option<CompactorError> {
    let why = match most {
        _ if after >= before => "it would make the context no smaller".to_owned(),
        Some(most) if after >= most => format!("pruning alone leaves {most}"),
        _ => return None,
    };
    let sentence = format!("with what it carries, the summary leaves {after} tokens of {before}: {why}");
    Some(failure("larger_summary", sentence))
}
