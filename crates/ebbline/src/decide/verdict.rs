//! The verdict: the combined result of pruning and the retention window.

use super::AfterPruning;
use super::usages::Usages;
use super::window::{self, Aim};
use crate::plan::{Decision, PlanOptions, PruneReport, RetainReport, TriggerReport, Verdict, VerdictReason};
use crate::policy::{Measure, Policy, RetainPolicy};

/// When the retention window is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    Always,
    /// Only if something changes: nobody asks where another decision would cut.
    IfChanged,
}

/// Decides on the context as it will be after outputs are pruned.
pub(super) fn decide(
    history: &AfterPruning<'_>,
    usages: &mut Usages,
    options: PlanOptions,
    search: Search,
) -> Decision {
    let policy = history.policy();
    let PlanOptions { force, known_tokens, .. } = options;
    let (tokens, source) = history.measure(usages, known_tokens);
    let prune = history.prune_report();
    let count = history.len();
    let pruned_to = history.tokens_until(count);
    let threshold = history.threshold();
    let fires = history.is_full((tokens, source));
    let is_asked = search == Search::Always || fires || force || prune.applied;
    let window = is_asked.then(|| {
        // Tokens sent beside the messages (system prompt, tools). If they alone fill the context, no window fits.
        let besides = tokens.saturating_sub(pruned_to).saturating_add(history.largest_summary(count));
        let fullest = history.fullest().filter(|_| policy.model.context.is_some());
        let room = fullest.and_then(|fullest| fullest.checked_sub(besides));
        let RetainPolicy { summary_allowance, .. } = policy.retain;
        let aim = Aim {
            keep: policy.retain.budget(threshold),
            most: room.unwrap_or(u64::MAX),
            largest: policy.model.context.map_or(u64::MAX, |context| context.get().saturating_sub(besides)),
            summary: summary_allowance,
            least: if policy.model.context.is_some() {
                summary_allowance.min(threshold / 5)
            } else {
                summary_allowance
            },
            forced: force,
        };
        window::window(history, &policy.retain, aim)
    });
    let (retain, forecast) = retain_report(history, policy, window, fires, force);
    let (verdict, reason) = verdict(policy, &prune, &retain, count == 0, force);
    let summary_allowance = if retain.applied { forecast } else { 0 };
    let summarized = if retain.applied { retain.summarized } else { 0 };
    let tokens_after = pruned_to.saturating_sub(summarized).saturating_add(summary_allowance);
    let left = tokens.saturating_add(tokens_after).saturating_sub(pruned_to);
    // A usage reported before the summary says nothing about the context after it, so the estimate must fit as
    // well.
    let estimated =
        if retain.applied && policy.trigger.measure == Measure::Anchored { tokens_after } else { 0 };
    Decision {
        verdict,
        reason,
        tokens_before: history.tokens_before(),
        tokens_after,
        fits: policy.model.context.is_none() || !policy.trigger.fires.holds(left.max(estimated), threshold),
        summary_allowance,
        trigger: TriggerReport {
            context: policy.model.context,
            threshold,
            tokens,
            source,
            overhead: history.overhead(),
            fires,
        },
        prune,
        retain,
    }
}

fn retain_report(
    history: &AfterPruning<'_>,
    policy: &Policy,
    window: Option<window::Window>,
    fires: bool,
    force: bool,
) -> (RetainReport, u64) {
    let place = window.and_then(|window| window.position).unwrap_or(0);
    let (messages, summarized) = history.replaced_until(place);
    let forecast = window.map_or(0, |_| history.expected_summary(place));
    let window = window.unwrap_or_default();
    let reason = if !policy.retain.enabled {
        VerdictReason::Disabled
    } else if !fires && (!force || history.made_room()) {
        VerdictReason::BelowThreshold
    } else if history.is_hopeless() {
        VerdictReason::OverheadFillsWindow
    } else if !force && history.has_nothing_new() {
        VerdictReason::NothingNew
    } else if window.all_fits {
        VerdictReason::HistoryBelowKeep
    } else if messages == 0 {
        VerdictReason::NoValidBoundary
    } else if forecast >= summarized {
        VerdictReason::NothingGained
    } else if force {
        VerdictReason::Forced
    } else {
        VerdictReason::OverThreshold
    };
    let report = RetainReport {
        applied: matches!(reason, VerdictReason::Forced | VerdictReason::OverThreshold),
        reason,
        proposed: window.proposed,
        boundary: window.boundary,
        split_turn: window.split_turn,
        kept: history.tokens_until(history.len()).saturating_sub(summarized),
        summarized,
        messages,
    };
    (report, forecast)
}

fn verdict(
    policy: &Policy,
    prune: &PruneReport,
    retain: &RetainReport,
    is_empty: bool,
    force: bool,
) -> (Verdict, VerdictReason) {
    let stuck = matches!(
        retain.reason,
        VerdictReason::HistoryBelowKeep
            | VerdictReason::NoValidBoundary
            | VerdictReason::NothingGained
            | VerdictReason::NothingNew
            | VerdictReason::OverheadFillsWindow
    );
    match (prune.applied, retain.applied) {
        (true, true) => (Verdict::PruneThenSummarize, retain.reason),
        (true, false) => (Verdict::Prune, prune.reason),
        (false, true) => (Verdict::Summarize, retain.reason),
        (false, false) if is_empty => (Verdict::Noop, VerdictReason::Empty),
        (false, false) if stuck => (Verdict::Refuse, retain.reason),
        (false, false) if policy.retain.enabled && !force => (Verdict::Noop, retain.reason),
        (false, false) => (Verdict::Noop, prune.reason),
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use crate::length::{Length, Unit};
    use crate::policy::{Comparison, Estimator, Limit, Policy};
    use crate::transcript::{Message, Part, PartKind, Role, Transcript};
    use crate::{PlanOptions, profiles};

    #[test]
    fn where_exactly_the_threshold_is_full_the_window_leaves_a_token_of_room() {
        let mut transcript = Transcript::default();
        for (message, tokens) in [
            (Message::person(), 600),
            (Message::new(Role::Assistant), 450),
            (Message::new(Role::Assistant), 350),
        ] {
            transcript.begin(message);
            transcript.push(Part::new(PartKind::Text, Length::ascii(tokens)));
        }
        let mut policy = profiles::get("ebbline@1").unwrap();
        policy.shares.clear();
        policy.estimator = Estimator { unit: Unit::Utf16, per_token: 1, ..Estimator::default() };
        policy.model.context = NonZeroU64::new(1_000);
        (policy.retain.keep, policy.retain.summary_allowance) = (400, 200);
        (policy.trigger.limit, policy.trigger.reserve, policy.trigger.floor) = (Limit::LessReserve, 0, 0);
        let decide = |policy: &Policy| crate::plan(&transcript, policy, PlanOptions::new()).decision;
        let above = decide(&policy);
        assert_eq!((above.retain.boundary, above.fits), (Some(1), true));
        policy.trigger.fires = Comparison::AtLeast;
        let at_least = decide(&policy);
        assert_eq!((at_least.retain.boundary, at_least.fits), (Some(2), true));
    }
}
