//! Plans carried out on small sessions, for the tests of the readers.

use std::num::NonZeroU64;

use crate::plan::{Plan, PlanOptions};
use crate::policy::Policy;
use crate::profiles;
use crate::session_text::{EditOptions, SessionText};
use crate::summary::SummaryOptions;

pub(super) fn read(text: &str) -> SessionText<'static> {
    SessionText::read(text.to_owned()).unwrap()
}

/// The text after pruning every prunable output, including errors. Also checks that the plan's totals are those of
/// the result, and that a second plan changes nothing.
pub(super) fn pruned(text: &str, free_bytes: bool) -> String {
    let mut policy = profiles::get("tunacode@2026-01").unwrap();
    (policy.prune.protect, policy.prune.minimum, policy.prune.protected_turns) = (0, 0, 0);
    (policy.prune.minimum_turns, policy.prune.errors) = (0, true);
    let (written, plan) = carry_out(text, &policy, &EditOptions { free_bytes, ..EditOptions::default() });
    let next = read(&written).plan(&policy);
    assert_eq!(next.decision.tokens_before, plan.decision.tokens_after, "the plan forecast another total");
    assert!(!next.decision.prune.applied, "a second plan prunes again");
    written
}

/// The text after summarizing everything but the newest `keep` tokens of messages.
pub(super) fn summarized(text: &str, keep: u64, summary: &str) -> String {
    let options = EditOptions { summary: Some(summary.to_owned()), now: Some(7), ..EditOptions::default() };
    let (written, plan) = carry_out(text, &summarizing(keep), &options);
    assert!(plan.decision.retain.applied, "nothing is summarized: {:?}", plan.decision.reason);
    written
}

/// The request for that summary.
pub(super) fn asked(text: &str, keep: u64) -> String {
    let (session, policy) = (read(text), summarizing(keep));
    let plan = session.plan_with(&policy, PlanOptions { force: true, ..PlanOptions::default() });
    let options = SummaryOptions { budget_tokens: Some(30_000), ..SummaryOptions::default() };
    let task = session.summary_request(&plan, &options).unwrap().unwrap();
    task.request.messages.iter().map(|message| message.text.to_text()).collect()
}

fn summarizing(keep: u64) -> Policy {
    let mut policy = profiles::get("ebbline@1").unwrap();
    (policy.prune.enabled, policy.retain.enabled) = (false, true);
    (policy.retain.keep, policy.model.context, policy.trigger.reserve) = (keep, NonZeroU64::new(1), 0);
    policy
}

fn carry_out(text: &str, policy: &Policy, options: &EditOptions) -> (String, Plan) {
    let session = read(text);
    let plan =
        session.plan_with(policy, PlanOptions { force: options.summary.is_some(), ..PlanOptions::default() });
    (session.compact(&plan, options).unwrap(), plan)
}
