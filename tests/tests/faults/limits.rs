//! `ebbline@1` when almost nothing can be removed: every case ends with a verdict and a reason.
//!
//! When the context is full, these steps are tried in order: prune old outputs; summarize what precedes the newest
//! tenth of the window; if an output is larger than all available room, summarize it too and keep nothing; refuse,
//! but only if something still waits for an answer (the user's message, a running call) or if a summary would free
//! less than it takes.

use ebbline::plan::VerdictReason;
use ebbline::{Format, Verdict, profiles};
use serde_json::{Value, json};

use super::ours::{Ours, pi_entries, pi_file, words};
use super::pi;

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn answer(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

fn call(id: &str) -> Value {
    let call = json!({"id": id, "type": "function", "function": {"name": "ls", "arguments": "{}"}});
    json!({"role": "assistant", "content": null, "tool_calls": [call]})
}

fn result(id: &str, text: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": text})
}

fn of(messages: &[Value], context: u64) -> Ours {
    Ours::of(Format::OpenaiChat, &json!(messages).to_string(), context)
}

fn after_overflow(messages: &[Value], context: u64) -> Ours {
    Ours::after_overflow(Format::OpenaiChat, &json!(messages).to_string(), context)
}

fn verdict(ours: &Ours) -> (Verdict, VerdictReason) {
    (ours.plan.decision.verdict, ours.plan.decision.reason)
}

/// One turn: a request and `rounds` calls, each with an output of `tokens` tokens.
fn loop_of(rounds: usize, tokens: usize) -> Vec<Value> {
    let mut messages = vec![user("the goal")];
    for round in 0..rounds {
        let id = format!("c{round}");
        messages.extend([call(&id), result(&id, &words(tokens))]);
    }
    messages
}

#[test]
fn small_windows_compact_and_fit() {
    for context in [4_000, 8_000, 16_000, 32_000] {
        let full = context as usize / 20;
        let ours = of(&loop_of(14, full), context);
        assert_eq!(verdict(&ours), (Verdict::Summarize, VerdictReason::OverThreshold), "{context}");
        assert!(ours.plan.decision.trigger.threshold >= context / 2);
        if context >= 8_000 {
            assert!(ours.plan.decision.fits, "{context}");
        }
    }
    of(&loop_of(14, 1_600), 32_000).carried_out();
}

#[test]
fn all_history_in_one_turn_is_divided_and_its_request_quoted() {
    let ours = of(&loop_of(40, 5_000), 200_000);
    assert_eq!((ours.plan.decision.retain.split_turn, ours.plan.decision.fits), (Some(0), true));
    assert!(ours.request().contains("<turn-request>\nthe goal\n"));
    ours.carried_out();
}

#[test]
fn an_output_larger_than_the_window_is_summarized_with_the_rest() {
    for messages in [
        vec![user("the goal"), call("a"), result("a", &words(400_000))],
        vec![user("one"), answer("two"), user("the goal"), call("a"), result("a", &words(190_000))],
        vec![
            user("the goal"),
            call("a"),
            call("b"),
            result("b", &words(90_000)),
            result("a", &words(90_000)),
        ],
    ] {
        let ours = of(&messages, 200_000);
        assert_eq!(verdict(&ours), (Verdict::Summarize, VerdictReason::OverThreshold));
        assert_eq!((ours.plan.decision.retain.kept, ours.plan.decision.fits), (0, true));
        assert!(ours.request().contains("the goal"));
        ours.carried_out();
    }
}

#[test]
fn what_waits_for_an_answer_is_never_summarized() {
    let paste = words(190_000);
    assert_eq!(verdict(&of(&[user(&paste)], 200_000)), (Verdict::Refuse, VerdictReason::NoValidBoundary));
    let ours = of(&[user("one"), answer(&words(9_000)), user(&paste)], 200_000);
    assert_eq!(
        (verdict(&ours).0, ours.plan.decision.retain.boundary, ours.plan.decision.fits),
        (Verdict::Summarize, Some(2), false)
    );
    // Two parallel calls, one of which is still running.
    let mut both = call("a");
    both["tool_calls"].as_array_mut().unwrap().push(call("b")["tool_calls"][0].clone());
    let ours = of(&[user("one"), answer(&words(9_000)), user("two"), both, result("a", &paste)], 200_000);
    assert_eq!((verdict(&ours).0, ours.plan.decision.retain.boundary), (Verdict::Summarize, Some(3)));
}

#[test]
fn a_summary_that_would_free_less_than_it_takes_is_refused() {
    let messages = json!([user("one"), answer("two"), user("three"), answer(&words(30_000))]);
    let session = super::ours::read(Format::OpenaiChat, &messages.to_string());
    let policy = profiles::get("ebbline@1").unwrap();
    // The rest is what the application sends with every request: tools, instructions.
    for (known_tokens, expected) in [
        (170_000, (Verdict::Summarize, VerdictReason::OverThreshold)),
        (210_000, (Verdict::Refuse, VerdictReason::NoValidBoundary)),
    ] {
        let plan = session.plan_with(&policy, ebbline::PlanOptions::new().known_tokens(known_tokens));
        assert_eq!((plan.decision.verdict, plan.decision.reason), expected, "{known_tokens}");
        assert_eq!(
            plan.decision.fits,
            plan.decision.verdict == Verdict::Summarize,
            "everything goes where that helps, nothing where not"
        );
    }
}

#[test]
fn after_an_overflow_half_goes_even_if_all_seemed_to_fit() {
    let messages = [user("one"), answer(&words(4_000)), user("two"), answer(&words(4_000))];
    for context in [0, 200_000] {
        let ours = after_overflow(&messages, context);
        assert_eq!(verdict(&ours), (Verdict::Summarize, VerdictReason::Forced), "{context}");
        assert!(ours.plan.decision.retain.kept > 3_000 && ours.plan.decision.retain.kept < 5_000);
        ours.carried_out();
    }
    let small = after_overflow(&[user("one"), answer("two"), user("three")], 200_000);
    assert_eq!(verdict(&small), (Verdict::Refuse, VerdictReason::HistoryBelowKeep));
}

#[test]
fn of_an_unknown_window_nothing_is_said_until_a_request_overflows() {
    let messages = loop_of(40, 5_000);
    assert_eq!(verdict(&of(&messages, 0)).0, Verdict::Noop);
    let ours = after_overflow(&messages, 0);
    assert_eq!(verdict(&ours), (Verdict::Summarize, VerdictReason::Forced));
    ours.request();
    ours.carried_out();
}

#[test]
fn sessions_without_tokens_do_nothing() {
    for messages in [vec![], vec![user("")], vec![user(""), answer(""), user("")]] {
        let text = json!(messages).to_string();
        let Ok(session) =
            ebbline::SessionText::read_with(&text, &ebbline::ReadOptions::new().format(Format::OpenaiChat))
        else {
            continue;
        };
        let policy = profiles::get("ebbline@1").unwrap();
        assert_eq!(session.plan(&policy).decision.verdict, Verdict::Noop);
    }
}

#[test]
fn a_previous_summary_is_carried_and_not_told_again() {
    let summary = concat!(
        "[Compaction summary: it stands for 9 earlier messages; the next 1 are kept word for word] ",
        "[ref jbojifdk]\n\nThe colour is teal."
    );
    let read = of(&[user(summary), user("one")], 200_000);
    assert!(read.session.transcript().messages()[0].summary, "nobody said that");
    // With only one message behind it there is nothing to summarize.
    let short = of(&[user(summary), user("one"), user(&words(190_000))], 200_000);
    assert_eq!(verdict(&short).0, Verdict::Refuse);
    let ours = of(
        &[user(summary), user("one"), answer(&words(150_000)), user("two"), answer(&words(24_000))],
        200_000,
    );
    let request = ours.request();
    assert!(request.contains("<previous-summary>\nThe colour is teal.\n"));
    assert_eq!(request.matches("The colour is teal.").count(), 1);
    assert_eq!(ours.carried_out().matches("[Compaction summary: ").count(), 1, "the new one takes its place");
}

#[test]
fn a_summary_that_fills_the_window_goes_with_what_came_after_it() {
    let compaction =
        json!({"type": "compaction", "summary": words(180_000), "firstKeptEntryId": "e1", "tokensBefore": 9});
    let list = [pi::user("zero"), pi::user("one"), compaction, pi::answer("two"), pi::user("three")];
    let ours = Ours::of(Format::Pi, &pi_file(&pi_entries(&list)), 200_000);
    let retain = ours.plan.decision.retain;
    assert_eq!(
        (retain.messages, ours.plan.decision.fits),
        (2, true),
        "{retain:?} {:?}",
        ours.plan.decision.trigger
    );
    ours.carried_out();
}

#[test]
fn compactions_in_the_middle_stay_where_they_are() {
    let compaction =
        json!({"type": "compaction", "summary": "S", "firstKeptEntryId": "e2", "tokensBefore": 9});
    let list = [
        pi::user("one"),
        pi::answer("two"),
        pi::user("three"),
        pi::call("c"),
        compaction,
        pi::result("c", &words(150_000)),
        pi::answer("four"),
        pi::user("five"),
        pi::answer(&words(24_000)),
    ];
    let ours = Ours::of(Format::Pi, &pi_file(&pi_entries(&list)), 200_000);
    assert_eq!(verdict(&ours), (Verdict::Summarize, VerdictReason::OverThreshold));
    let request = ours.request();
    assert!(
        request.contains("<previous-summary>\nS\n")
            && request.contains("three")
            && !request.contains("[User]: one")
    );
    ours.carried_out();
}
