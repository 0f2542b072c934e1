use super::*;
use crate::decide::Session;
use crate::plan::PlanOptions;
use crate::policy::Model;
use crate::profiles;
use crate::transcript::{Message, Part, PartKind, Role};
use ebbline_json::length::Length;

fn decision(verdict: Verdict, reason: VerdictReason) -> Decision {
    let mut decision = Session::new(&profiles::get("ebbline@2").unwrap()).decide(PlanOptions::new());
    (decision.verdict, decision.reason) = (verdict, reason);
    decision.prune.applied = matches!(verdict, Verdict::Prune | Verdict::PruneThenSummarize);
    decision.retain.applied = matches!(verdict, Verdict::Summarize | Verdict::PruneThenSummarize);
    decision
}

fn summarize() -> Decision {
    decision(Verdict::Summarize, VerdictReason::OverThreshold)
}

fn both() -> Decision {
    decision(Verdict::PruneThenSummarize, VerdictReason::OverThreshold)
}

fn prune() -> Decision {
    decision(Verdict::Prune, VerdictReason::OutputsBeyondProtection)
}

fn nothing() -> Decision {
    decision(Verdict::Noop, VerdictReason::BelowThreshold)
}

fn stuck() -> Decision {
    decision(Verdict::Refuse, VerdictReason::NothingGained)
}

fn controller() -> Controller {
    Controller::new(Settings::default())
}

#[test]
fn a_verdict_is_a_step() {
    for (decision, step) in [
        (nothing(), Step::Send),
        (stuck(), Step::Send),
        (prune(), Step::Prune),
        (summarize(), Step::Summarize),
        (both(), Step::Summarize),
        (decision(Verdict::Refuse, VerdictReason::OverheadFillsWindow), Step::GiveUp),
    ] {
        assert_eq!(controller().before_request(&decision), step, "{:?}", decision.verdict);
    }
}

#[test]
fn switched_off_means_off_until_somebody_asks_or_the_context_overflows() {
    let off = Settings { auto: false, ..Settings::default() };
    let mut controller = Controller::new(off);
    for decision in [prune(), summarize(), both()] {
        assert_eq!(controller.before_request(&decision), Step::Send);
    }
    assert_eq!(controller.compact_now(&prune()), Step::Prune);
    assert_eq!(controller.after_overflow(&summarize()), Step::Summarize);
}

#[test]
fn one_summary_is_asked_for_at_a_time_and_only_its_answer_counts() {
    let mut controller = controller();
    assert_eq!(controller.before_request(&both()), Step::Summarize);
    assert_eq!(controller.before_request(&both()), Step::Send);
    assert_eq!(controller.answer(2, Answer::Accepted).unwrap_err().code(), "mismatch");
    assert_eq!(controller.answer(1, Answer::Accepted).unwrap(), Step::Commit);
    assert_eq!(controller.answer(1, Answer::Accepted).unwrap_err().code(), "mismatch");
}

#[test]
fn a_summary_that_failed_leaves_the_pruning_and_one_that_was_cancelled_leaves_nothing() {
    for (decision, answer, step, failures) in [
        (both(), Answer::Failed, Step::Prune, 1),
        (summarize(), Answer::Failed, Step::Send, 1),
        (both(), Answer::Cancelled, Step::Send, 0),
    ] {
        let mut controller = controller();
        controller.before_request(&decision);
        assert_eq!(controller.answer(1, answer).unwrap(), step);
        assert_eq!(controller.state().failures, failures);
    }
}

#[test]
fn three_failures_in_a_row_close_the_way_to_the_model_for_ten_requests() {
    let mut controller = controller();
    for summary in 1..=3 {
        assert_eq!(controller.before_request(&summarize()), Step::Summarize);
        controller.answer(summary, Answer::Failed).unwrap();
    }
    for _ in 0..10 {
        assert_eq!(controller.before_request(&summarize()), Step::Send);
    }
    assert_eq!(controller.before_request(&summarize()), Step::Summarize);
    // One more failure closes it again.
    controller.answer(4, Answer::Failed).unwrap();
    assert_eq!(controller.before_request(&both()), Step::Prune);
    assert_eq!(controller.compact_now(&summarize()), Step::Summarize);
    assert_eq!(controller.answer(5, Answer::Accepted).unwrap(), Step::Commit);
    controller.committed(10_000, 4_000);
    assert_eq!((controller.state().failures, controller.before_request(&summarize())), (0, Step::Send));
}

#[test]
fn a_summary_without_progress_is_a_failure() {
    let mut controller = Controller::new(Settings { failures: 1, ..Settings::default() });
    controller.before_request(&summarize());
    controller.answer(1, Answer::Accepted).unwrap();
    controller.committed(10_000, 10_000);
    assert_eq!(controller.before_request(&summarize()), Step::Send);
}

#[test]
fn an_overflow_is_recovered_from_once() {
    let mut controller = controller();
    assert_eq!(controller.after_overflow(&prune()), Step::Prune);
    assert_eq!(controller.after_overflow(&prune()), Step::GiveUp);
    assert_eq!(controller.obstacle(), Some(Obstacle::StillTooLarge));
    controller.answered();
    assert_eq!(controller.after_overflow(&summarize()), Step::Summarize);
    assert_eq!(controller.answer(1, Answer::Failed).unwrap(), Step::GiveUp);
    assert_eq!(controller.obstacle(), Some(Obstacle::NoSummary));
    controller.answered();
    assert_eq!(controller.after_overflow(&stuck()), Step::GiveUp);
    assert_eq!(controller.obstacle(), Some(Obstacle::NothingToCompact));
    // What was cancelled may be tried again.
    controller.after_overflow(&both());
    controller.answer(2, Answer::Cancelled).unwrap();
    assert_eq!(controller.after_overflow(&both()), Step::Summarize);
}

#[test]
fn what_was_taken_back_is_not_done_again_unasked() {
    let mut controller = controller();
    controller.undone();
    assert_eq!(controller.before_request(&summarize()), Step::Send);
    controller.redone();
    assert_eq!(controller.before_request(&prune()), Step::Prune);
    controller.undone();
    assert_eq!(controller.compact_now(&prune()), Step::Prune);
    assert_eq!(controller.before_request(&prune()), Step::Prune);
}

#[test]
fn a_state_is_stored_between_any_two_calls_and_a_lost_request_counts_as_cancelled() {
    let mut controller = controller();
    controller.before_request(&both());
    controller.after_overflow(&both());
    let json = serde_json::to_string(controller.state()).unwrap();
    insta::assert_snapshot!(json, @r#"{"requests":1,"asked":2,"waiting":{"summary":2,"prunes":true,"cause":"overflow"},"failures":0,"closedUntil":0,"recovering":true,"held":false,"preparedAt":0}"#);
    let state = State::from_json(&json).unwrap();
    assert_eq!(&state, controller.state());
    assert_eq!(State::of_figures(state.figures()), Some(state));
    assert_eq!(State::of_figures([2; state::FIGURES]), None);
    let mut restored = Controller::restore(Settings::default(), state);
    assert_eq!(restored.state().waiting, None);
    // The compaction after the overflow was never made.
    assert!(!restored.state().recovering);
    assert_eq!(restored.before_request(&both()), Step::Summarize);
    assert!(State::from_json(r#"{"requests":1}"#).is_err());
}

#[test]
fn a_real_session_is_pruned_first_and_summarized_when_that_is_not_enough() {
    let mut policy = profiles::get("ebbline@2").unwrap();
    policy.model = Model::new(8_000);
    let mut session = Session::new(&policy);
    let mut controller = controller();
    session.begin(Message::person());
    session.push(Part::new(PartKind::Text, Length::ascii(100)));
    for _ in 0..10 {
        session.begin(Message { ended: true, ..Message::new(Role::Assistant) });
        session.push(Part::new(PartKind::Text, Length::ascii(2_000)));
        session.begin(Message::person());
        session.push(Part::new(PartKind::Text, Length::ascii(2_000)));
    }
    assert_eq!(controller.before_request(&session.decide(PlanOptions::new())), Step::Summarize);
    assert_eq!(controller.state().asked, 1);
}
