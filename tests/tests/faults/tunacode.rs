//! TunaCode: the prune of early 2026, and the controller of 0.2.3.
//!
//! | fault | in | test |
//! |---|---|---|
//! | the newest turn's result is cleared | prune | `tunacode_clears_the_result_that_was_just_produced` |
//! | a cleared output is counted again | prune | `tunacode_counts_what_it_has_cleared_already` |
//! | less is reported than reclaimed | 2026-02 | `tunacode_2026_02_reports_less_than_it_reclaims` |
//! | arguments weigh nothing | 0.2.3 | `tunacode_counts_arguments_as_nothing` |
//! | the base64 of an image counts as text | 0.2.3 | `tunacode_counts_the_data_of_an_image_as_text` |
//! | the summary that it sends is not counted | 0.2.3 | `tunacode_does_not_count_the_summary_it_sends` |
//! | parallel calls are cut apart | 0.2.3 | `tunacode_cuts_between_parallel_calls_and_their_results` |
//! | the request is summarized, its answer kept | 0.2.3 | `tunacode_cuts_behind_the_request_and_forgets_what_was_asked` |
//! | an aborted answer ends the history | 0.2.3 | `tunacode_ends_the_history_with_an_aborted_answer` |
//! | in a long tool loop only the request is summarized | 0.2.3 |
//! `tunacode_summarizes_one_message_of_a_long_tool_loop` |
//! | a forced compaction keeps nothing | 0.2.3 | `tunacode_keeps_nothing_when_it_is_forced` |
//! | it knows only two overflow texts | 0.2.3 | `tunacode_knows_two_overflow_texts` |

use ebbline::overflow::FailureKind;
use ebbline::plan::VerdictReason;
use ebbline::{Fate, Format, Reason, Verdict};
use serde_json::{Value, json};

use super::ours::{Ours, ask, judged, theirs, words};

fn session(messages: &[Value], record: &Value) -> String {
    json!({"version": 1, "session_id": "s", "project_id": "p", "current_model": "m", "messages": messages, "compaction": record})
        .to_string()
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": [{"type": "text", "text": text}]})
}

fn answer(text: &str) -> Value {
    json!({"role": "assistant", "content": [{"type": "text", "text": text}], "stop_reason": "stop"})
}

fn calls(ids: &[&str], arguments: &str) -> Value {
    let call = |id: &&str| json!({"type": "tool_call", "id": id, "name": "bash", "arguments": {"command": arguments}});
    let calls: Vec<Value> = ids.iter().map(call).collect();
    json!({"role": "assistant", "content": calls, "stop_reason": "tool_calls"})
}

fn result(id: &str, text: &str) -> Value {
    json!({"role": "tool_result", "tool_call_id": id, "tool_name": "bash", "content": [{"type": "text", "text": text}], "is_error": false})
}

fn ours_of(messages: &[Value], context: u64) -> Ours {
    Ours::of(Format::Tunacode, &session(messages, &Value::Null), context)
}

/// Compacts with the controller; returns how many messages are kept.
fn kept_by(messages: &[Value], force: bool) -> u64 {
    let call = json!({"maxTokens": 200_000, "force": force});
    let compaction =
        ask("tunacode", "compact", &json!(messages), &json!({"calls": [call], "replies": ["S"]}));
    compaction["outcomes"][0]["keptMessages"].as_u64().unwrap()
}

/// A pydantic-ai session: a turn for each list of outputs.
fn turns(turns: &[&[usize]]) -> Vec<Value> {
    let mut messages = Vec::new();
    for (turn, outputs) in turns.iter().enumerate() {
        messages.push(json!({"kind": "request", "parts": [{"part_kind": "user-prompt", "content": format!("turn {turn}")}]}));
        for (at, output) in outputs.iter().enumerate() {
            let id = format!("{turn}-{at}");
            messages.push(json!({"kind": "response", "parts": [{"part_kind": "tool-call", "tool_name": "bash", "args": "{}", "tool_call_id": id}]}));
            messages.push(json!({"kind": "request", "parts": [{"part_kind": "tool-return", "tool_name": "bash", "content": words(*output), "tool_call_id": id}]}));
        }
    }
    messages
}

#[test]
fn tunacode_clears_the_result_that_was_just_produced() {
    let messages = turns(&[&[10], &[60_000]]);
    let pruned = ask("tunacode", "prune", &json!(messages), &json!({}));
    assert_eq!(pruned["cleared"], json!([[2, 0], [5, 0]]), "before the model has seen it");
    let text = session(&messages, &Value::Null);
    assert_eq!(theirs("tunacode@2026-01", Format::Tunacode, &text, 200_000, false).decision.prune.outputs, 2);
    let ours = Ours::of(Format::Tunacode, &text, 200_000);
    assert_eq!(ours.plan.decision.verdict, Verdict::Noop);
    assert_eq!(ours.plan.messages[5].reason, Reason::NewestTurns);
}

#[test]
fn tunacode_counts_what_it_has_cleared_already() {
    let placeholder = "[Old tool result content cleared]";
    let mut messages = turns(&[&[1], &[10], &[10]]);
    messages[2]["parts"][0]["content"] = json!(placeholder);
    let text = session(&messages, &Value::Null);
    let counted =
        |profile: &str| theirs(profile, Format::Tunacode, &text, 200_000, false).decision.prune.counted;
    assert_eq!(counted("tunacode@2026-01"), 8 + 2 * 12);
    let ours = Ours::of(Format::Tunacode, &text, 200_000);
    // Only its text shows that it was pruned, and it costs as much as any text of its length.
    assert_eq!(
        (ours.plan.messages[2].fate, ours.plan.messages[2].reason),
        (Fate::Kept, Reason::ProtectedByBudget)
    );
    assert!(!ours.plan.changes_something());
}

#[test]
fn tunacode_2026_02_reports_less_than_it_reclaims() {
    let messages = turns(&[&[30_000], &[30_000], &[40_000], &[10]]);
    let reported = |version: &str| ask("tunacode", "prune", &json!(messages), &json!({"version": version}));
    let (january, february) = (reported("2026-01"), reported("2026-02"));
    assert_eq!(january["cleared"], february["cleared"]);
    assert!(february["reclaimed"].as_u64() < january["reclaimed"].as_u64());
    assert!(february["unreported"].as_u64() > Some(0));
    let plan = ours_of(&messages, 200_000).plan;
    assert_eq!(
        plan.decision.prune.reclaimed,
        plan.decision.tokens_before - plan.decision.tokens_after,
        "what is reported is what goes"
    );
    assert!(plan.decision.prune.applied);
}

#[test]
fn tunacode_counts_arguments_as_nothing() {
    let messages = [user("one"), calls(&["c"], &words(50_000)), result("c", "ok")];
    let theirs = theirs("tunacode@0.2", Format::Tunacode, &session(&messages, &Value::Null), 200_000, false);
    assert_eq!(theirs.messages[1].tokens_before, 0);
    assert!(ours_of(&messages, 200_000).tokens(1) > 40_000);
}

#[test]
fn tunacode_counts_the_data_of_an_image_as_text() {
    let url = format!("data:image/png;base64,{}", "iVBORw0KGgoAAAANSUhE".repeat(20_000));
    let image = json!({"role": "user", "content": [{"type": "image", "url": url}]});
    let text = session(std::slice::from_ref(&image), &Value::Null);
    let theirs = theirs("tunacode@0.2", Format::Tunacode, &text, 200_000, false);
    assert!(theirs.messages[0].tokens_before > 100_000);
    assert_eq!(ours_of(&[image], 200_000).tokens(0), 1_200);
}

#[test]
fn tunacode_does_not_count_the_summary_it_sends() {
    let record = json!({"summary": words(5_000), "compacted_message_count": 4, "tokens_before": 9, "tokens_after": 1,
        "compaction_count": 1, "previous_summary": null, "last_compacted_at": "2026-02-10T21:30:00+00:00"});
    let messages = json!([user("one")]);
    let injected = ask("tunacode", "inject", &messages, &json!({"compaction": record}));
    assert_eq!(injected["injected"], json!(1));
    let options = json!({"compaction": record, "calls": [{"maxTokens": 37_000}]});
    let outcome = &ask("tunacode", "compact", &messages, &options)["outcomes"][0];
    assert_eq!(outcome["reason"], json!("below_threshold"), "6,250 tokens are sent, 616 would fire");
    let ours = Ours::of(Format::Tunacode, &session(&[user("one")], &record), 37_000);
    assert!(ours.plan.decision.tokens_before > 4_500);
}

#[test]
fn tunacode_cuts_between_parallel_calls_and_their_results() {
    let messages = [
        user("one"),
        answer(&words(150_000)),
        calls(&["a"], "ls"),
        calls(&["b"], "ls"),
        result("a", "ok"),
        result("b", &words(25_000)),
    ];
    assert_eq!(kept_by(&messages, false), 3, "the result of a without its call");
    let ours = ours_of(&messages, 200_000);
    assert_eq!(ours.plan.decision.retain.boundary, Some(2));
    ours.carried_out();
}

#[test]
fn tunacode_cuts_behind_the_request_and_forgets_what_was_asked() {
    let messages = [user("one"), answer(&words(140_000)), user("paint it teal"), answer(&words(30_000))];
    assert_eq!(kept_by(&messages, false), 1, "the answer stays and the request goes");
    let ours = ours_of(&messages, 200_000);
    let request = ours.request();
    assert!(
        request.contains("<turn-request>\npaint it teal\n"),
        "whoever summarizes is told whose turn is cut"
    );
    ours.carried_out();
}

#[test]
fn tunacode_ends_the_history_with_an_aborted_answer() {
    let mut aborted = calls(&["c"], "rm -r build");
    aborted["stop_reason"] = json!("aborted");
    let messages = [user("one"), answer(&words(140_000)), aborted, user("go on"), answer(&words(30_000))];
    let shorter = [user("one"), answer(&words(140_000)), messages[2].clone(), user(&words(30_000))];
    assert_eq!(kept_by(&shorter, false), 1, "the boundary stands right behind the aborted call");
    let ours = ours_of(&messages, 200_000);
    assert!(ours.request().contains("rm -r build"), "that it was called is told");
    ours.carried_out();
}

#[test]
fn tunacode_summarizes_one_message_of_a_long_tool_loop() {
    let mut messages = vec![user("the goal")];
    for round in 0..20 {
        let (a, b) = (format!("{round}a"), format!("{round}b"));
        messages.push(calls(&[&a, &b], "ls"));
        messages.extend([result(&a, &words(4_500)), result(&b, &words(4_500))]);
    }
    // Without a stop reason, a message with calls ends nothing.
    for message in messages.iter_mut().filter(|message| message["role"] == "assistant") {
        message["stop_reason"] = Value::Null;
    }
    assert_eq!(kept_by(&messages, false), 60, "all but the request stays");
    let ours = ours_of(&messages, 200_000);
    assert!(
        ours.plan.decision.fits && ours.plan.decision.retain.boundary > Some(50),
        "{:?}",
        ours.plan.decision.retain
    );
    assert!(ours.request().contains("<turn-request>\nthe goal\n"));
    ours.carried_out();
}

#[test]
fn tunacode_keeps_nothing_when_it_is_forced() {
    let messages = [user("one"), answer(&words(60_000)), user("two"), answer(&words(30_000))];
    assert_eq!(kept_by(&messages, true), 0);
    let text = session(&messages, &Value::Null);
    let ours = Ours::after_overflow(Format::Tunacode, &text, 200_000);
    assert_eq!(
        (ours.plan.decision.verdict, ours.plan.decision.reason),
        (Verdict::Summarize, VerdictReason::Forced)
    );
    assert!(ours.plan.decision.retain.kept >= 20_000);
    ours.carried_out();
}

#[test]
fn tunacode_knows_two_overflow_texts() {
    let text = "prompt is too long: 213462 tokens > 200000 maximum";
    let theirs = ask("tunacode", "isContextOverflow", &json!(text), &json!({}));
    assert!(!theirs.to_string().contains("true"), "{theirs}");
    assert_eq!(judged(&json!(text)), FailureKind::ContextOverflow);
}
