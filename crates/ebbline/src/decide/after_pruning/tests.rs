//! What is pruned, and what waits.

use super::*;
use crate::decide::Session;
use crate::plan::{BoundaryLimit, Fate, PlanOptions, Reason};
use crate::policy::{Measure, Model};
use crate::profiles;
use crate::session_text::tests::outputs;
use crate::transcript::{Message, Part, PartKind, Role};

/// What becomes of two outputs of 30,000 tokens, of which OpenCode prunes the older, in a context whose `measure`
/// has `usage`: the reason of the walk and that of the older output.
fn pruned(
    minimum_context: u64,
    measure: Measure,
    usage: Option<u32>,
    options: PlanOptions,
) -> (VerdictReason, Reason) {
    let mut policy = profiles::get("opencode@2026-01").unwrap();
    (policy.prune.minimum_context, policy.trigger.measure) = (minimum_context, measure);
    policy.retain.enabled = false;
    let mut session = Session::of(outputs(&[30_000, 30_000], 2), &policy);
    if usage.is_some() {
        session.begin(Message { usage, ..Message::new(Role::Assistant) });
        session.push(Part::new(PartKind::Text, crate::length::Length::ascii(4)));
    }
    let decision = session.decide(options);
    let plan = session.plan(options);
    assert_eq!(plan.decision, decision);
    assert_eq!((session.pruned().len() == 1, decision.prune.outputs), (decision.prune.applied, 1));
    let older = plan.messages.iter().flat_map(|message| &message.parts).nth(1).unwrap();
    assert_eq!(older.fate == Fate::Pruned, decision.prune.applied);
    (decision.prune.reason, older.reason)
}

#[test]
fn a_context_below_the_minimum_is_left_alone() {
    let whole = (VerdictReason::OutputsBeyondProtection, Reason::CrossedBoundary);
    let small = (VerdictReason::ContextSmall, Reason::ContextSmall);
    let (usual, forced) = (PlanOptions::default(), PlanOptions::new().force(true));
    let known = |tokens: u64| PlanOptions::new().known_tokens(tokens);
    let estimate = 60_008;
    for (minimum, measure, usage, options, expected) in [
        (0, Measure::Estimate, None, usual, whole),
        (estimate, Measure::Estimate, None, usual, whole),
        (estimate + 1, Measure::Estimate, None, usual, small),
        // Compaction that is asked for is held to it like to the other limits of pruning.
        (estimate + 1, Measure::Estimate, None, forced, small),
        // The size is the one that summarizing goes by: what was reported, or what the caller knows.
        (90_000, Measure::Reported, Some(90_000), usual, whole),
        (90_000, Measure::Reported, Some(89_999), usual, small),
        (90_000, Measure::Anchored, Some(90_000), usual, whole),
        (90_000, Measure::Anchored, Some(89_000), usual, small),
        (90_000, Measure::Anchored, Some(10), known(90_000), whole),
        (90_000, Measure::Anchored, Some(100_000), known(89_999), small),
        // Nothing reported says nothing of the size: the estimate does.
        (estimate, Measure::Reported, None, usual, whole),
        (estimate + 1, Measure::Reported, None, usual, small),
    ] {
        assert_eq!(
            pruned(minimum, measure, usage, options),
            expected,
            "{minimum} {measure:?} {usage:?} {options:?}"
        );
    }
}

#[test]
fn a_minimum_of_the_context_may_be_a_share_of_the_window() {
    let mut policy = profiles::get("ebbline@1").unwrap();
    policy.set("prune.minimumContext", "50%").unwrap();
    policy.set("model.context", "100000").unwrap();
    let reason = |tokens: u64| {
        let options = PlanOptions::new().known_tokens(tokens);
        Session::of(outputs(&[30_000, 30_000], 2), &policy).decide(options).prune.reason
    };
    assert_eq!(reason(50_000), VerdictReason::OutputsBeyondProtection);
    assert_eq!(reason(49_999), VerdictReason::ContextSmall);
}

/// A turn that is one run of calls, each answered by an output of so many tokens.
fn run(tokens: &[usize]) -> Transcript {
    let length = |tokens: usize| crate::length::Length::ascii(4 * tokens);
    let mut run = Transcript::default();
    run.begin(Message::person());
    run.push(Part::new(PartKind::Text, length(10)));
    for (call, tokens) in (0..).zip(tokens) {
        run.begin(Message::new(Role::Assistant));
        run.push(Part { call: Some(call), ..Part::new(PartKind::ToolCall, length(0)) });
        run.begin(Message::new(Role::Tool));
        run.push(Part { call: Some(call), ..Part::new(PartKind::ToolResult, length(*tokens)) });
    }
    run
}

/// OpenCode's rules in a window of so many tokens, without a summary.
fn policy(context: u64) -> Policy {
    let mut policy = profiles::get("opencode@2026-01").unwrap();
    policy.model = Model::new(context);
    (policy.trigger.measure, policy.trigger.output_cap) = (Measure::Estimate, 0);
    policy.prune.stop_at_pruned = false;
    policy.retain.enabled = false;
    policy
}

/// The reason of the walk, and those of the outputs.
fn reasons(transcript: &Transcript, policy: &Policy, options: PlanOptions) -> (VerdictReason, Vec<Reason>) {
    let plan = Session::of(transcript.clone(), policy).plan(options);
    let parts = plan.messages.iter().flat_map(|message| &message.parts);
    let outputs = parts.filter(|part| part.kind == PartKind::ToolResult);
    (plan.decision.prune.reason, outputs.map(|part| part.reason).collect())
}

#[test]
fn pruning_may_wait_until_the_context_is_full() {
    let (usual, forced) = (PlanOptions::default(), PlanOptions::new().force(true));
    let known = |tokens: u64| PlanOptions::new().known_tokens(tokens);
    let whole = (VerdictReason::OutputsBeyondProtection, Reason::CrossedBoundary);
    let waits = (VerdictReason::NotFull, Reason::NotFull);
    let estimate = 60_008;
    for (context, fires, measure, options, expected) in [
        (estimate - 1, true, Measure::Estimate, usual, whole),
        // OpenCode fires above the threshold, not at it.
        (estimate, true, Measure::Estimate, usual, waits),
        (estimate, true, Measure::Estimate, forced, whole),
        (90_000, true, Measure::Estimate, known(90_001), whole),
        (90_000, true, Measure::Estimate, known(90_000), waits),
        // What never fires is never full: without a trigger, without a known window, without usage.
        (10_000, false, Measure::Estimate, usual, waits),
        (10_000, false, Measure::Estimate, forced, whole),
        (0, true, Measure::Estimate, usual, waits),
        (0, true, Measure::Estimate, forced, whole),
        (10_000, true, Measure::Reported, usual, waits),
    ] {
        let mut policy = policy(context);
        (policy.prune.only_when_full, policy.trigger.enabled) = (true, fires);
        policy.trigger.measure = measure;
        let (reason, of_outputs) = reasons(&outputs(&[30_000, 30_000], 2), &policy, options);
        assert_eq!((reason, of_outputs[0]), expected, "{context} {fires} {measure:?} {options:?}");
        assert_eq!(of_outputs[1], Reason::ProtectedByBudget);
    }
}

#[test]
fn protected_outputs_give_way_oldest_first_until_there_is_room() {
    let (usual, forced) = (PlanOptions::default(), PlanOptions::new().force(true));
    let outputs = [10_000; 6];
    let goes = VerdictReason::RoomNeeded;
    let idle = VerdictReason::NothingToPrune;
    for (down_to, minimum, context, options, expected, count) in [
        (0, 0, 200_000, usual, idle, 0),
        (61_000, 0, 200_000, usual, idle, 0),
        (60_000, 0, 200_000, usual, goes, 1),
        (35_000, 0, 200_000, usual, goes, 3),
        // Not an output that no answer has followed.
        (1, 0, 200_000, usual, goes, 5),
        // Pruning goes on until the minimum is reached, or does nothing.
        (60_000, 25_000, 200_000, usual, goes, 3),
        (60_000, 50_001, 200_000, usual, VerdictReason::BelowMinimum, 0),
        // A context that is still full has no room, however small it is.
        (60_000, 0, 45_000, usual, goes, 2),
        // A forced compaction goes down to a half.
        (60_000, 0, 200_000, forced, goes, 4),
        (100_000, 0, 200_000, usual, idle, 0),
        (100_000, 0, 200_000, forced, goes, 4),
    ] {
        let mut policy = policy(context);
        (policy.prune.down_to, policy.prune.minimum) = (down_to, minimum);
        let case = (down_to, minimum, context, options);
        let (reason, of_outputs) = reasons(&run(&outputs), &policy, options);
        let pruned = of_outputs.iter().filter(|reason| **reason == Reason::RoomNeeded).count();
        assert_eq!((reason, pruned), (expected, count), "{case:?}");
        assert!(of_outputs[..count].iter().all(|reason| *reason == Reason::RoomNeeded), "{case:?}");
        let rest = if expected == VerdictReason::BelowMinimum { 5 } else { count };
        assert!(of_outputs[rest..].iter().all(|reason| *reason == Reason::NewestTurns), "{case:?}");
    }
}

#[test]
fn what_lies_beyond_the_boundary_goes_first_and_says_so() {
    let mut policy = policy(200_000);
    (policy.prune.protected_turns, policy.prune.protect) = (0, 25_000);
    policy.prune.down_to = 25_000;
    let mut run = run(&[10_000; 6]);
    let (reason, of_outputs) = reasons(&run, &policy, PlanOptions::default());
    let (beyond, room) = (Reason::BeyondBoundary, Reason::RoomNeeded);
    let expected = [
        beyond,
        beyond,
        beyond,
        Reason::CrossedBoundary,
        Reason::ProtectedByBudget,
        Reason::ProtectedByBudget,
    ];
    assert_eq!((reason, of_outputs.as_slice()), (VerdictReason::OutputsBeyondProtection, &expected[..]));
    let goes_on =
        (VerdictReason::RoomNeeded, &[Reason::CrossedBoundary, room, Reason::ProtectedByBudget][..]);
    // The three make the room, but they are fewer than the minimum.
    policy.prune.minimum = 45_000;
    let (reason, of_outputs) = reasons(&run, &policy, PlanOptions::default());
    assert_eq!((reason, &of_outputs[3..]), goes_on);
    // Where there is room already, nothing more is taken.
    policy.prune.down_to = 61_000;
    assert_eq!(reasons(&run, &policy, PlanOptions::default()).0, VerdictReason::BelowMinimum);
    (policy.prune.minimum, policy.prune.down_to) = (0, 15_000);
    let (reason, of_outputs) = reasons(&run, &policy, PlanOptions::default());
    assert_eq!((reason, &of_outputs[3..]), goes_on);
    let report = Session::of(run.clone(), &policy).decide(PlanOptions::default()).prune;
    assert_eq!(report.boundary, Some(Boundary { message: 10, part: 0, by: BoundaryLimit::DownTo }));
    assert_eq!((report.counted, report.candidates, report.outputs), (60_000, 50_000, 5));

    // The answered outputs of the newest turns count, too. A summary is no answer.
    policy.prune.protected_turns = 2;
    run.begin(Message { summary: true, ..Message::new(Role::Assistant) });
    let counted =
        |run: &Transcript| Session::of(run.clone(), &policy).decide(PlanOptions::default()).prune.counted;
    assert_eq!(counted(&run), 50_000);
    run.begin(Message::new(Role::Assistant));
    assert_eq!(counted(&run), 60_000);
}

#[test]
fn a_forced_compaction_summarizes_only_if_pruning_does_not_make_room() {
    let mut policy = policy(200_000);
    policy.retain.enabled = true;
    let forced = PlanOptions::new().force(true);
    for (down_to, protected, summarizes) in [(0, false, true), (50_000, false, false), (50_000, true, true)] {
        let mut run = run(&[10_000; 6]);
        if protected {
            policy.prune.protected_tools = vec!["read".to_owned()];
            let tool = Some(run.tool("read"));
            for index in 0..run.parts().len() {
                run.replace(index, Part { tool, ..run.parts()[index] });
            }
        }
        policy.prune.down_to = down_to;
        let decision = Session::of(run, &policy).decide(forced);
        assert_eq!(decision.retain.applied, summarizes, "{down_to} {protected}");
        assert_eq!(decision.prune.applied, !summarizes);
        if !summarizes {
            assert_eq!(decision.retain.reason, VerdictReason::BelowThreshold);
            assert!(decision.tokens_after * 2 <= decision.tokens_before);
        }
    }
}
