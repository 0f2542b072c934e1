//! OpenCode's 1.x line.
//!
//! | fault | in | test |
//! |---|---|---|
//! | `reserved` does nothing without an input limit | 2026-06 | `opencode_reserves_nothing_without_an_input_limit` |
//! | a window no larger than the output overflows with nothing in it | 2026-06 | `opencode_overflows_at_zero_tokens_in_a_small_window` |
//! | what was written to the cache is not counted | until 2026-01 | `opencode_until_2026_01_does_not_count_what_is_written_to_the_cache` |
//! | base64 counts in full | 2026-06 | `opencode_counts_the_data_of_an_image_as_text` |
//! | its own turns are protected, the user's are not | all | `opencode_protects_its_own_continue_instead_of_the_persons_turn` |
//! | outputs older than a cleared one are never cleared | all | `opencode_never_clears_what_lies_behind_a_cleared_output` |
//! | everything is summarized, nothing kept | until 2026-01 | `opencode_until_2026_01_keeps_nothing` |
//! | the summarizer's window decides how much is kept | 2026-06 | `opencode_takes_the_budget_of_the_summarizers_window` |
//! | a dangling tail brings the whole history back | 2026-06 | `opencode_brings_everything_back_when_a_tail_dangles` |
//! | an older marker and summary inside the tail | 2026-06 | `opencode_leaves_an_older_marker_and_summary_inside_the_tail` |
//! | a failed summary is a boundary | until 2026-01 | `opencode_until_2026_01_takes_a_failed_summary_for_a_boundary` |
//! | BRUTUS accepts any summary as complete | 2026-01 | `brutus_takes_a_summary_that_never_ended_for_a_boundary` |
//! | the newest message is found by its place, not by its id | until 2026-01 | `opencode_until_2026_01_finds_the_newest_by_where_it_stands` |
//! | no error is an overflow | until 2026-01 | `opencode_until_2026_01_sees_no_overflow_in_an_error` |
//! | the agent continues although the turn had ended | all | `opencode_goes_on_although_the_turn_had_ended` |
//! | a session too large to summarize stays too large | all | `opencode_gives_up_on_a_session_too_large_to_summarize` |

use ebbline::overflow::FailureKind;
use ebbline::plan::VerdictReason;
use ebbline::transcript::Role;
use ebbline::{Fate, Format, Reason, Verdict};
use serde_json::{Value, json};

use super::ours::{Ours, ask, judged, theirs, words};

/// Messages get the ids `m00`, `m01`, …; the parent of an answer is the newest user message.
fn session(list: &[Value]) -> Value {
    let mut parent = Value::Null;
    let number = |(index, message): (usize, &Value)| {
        let mut message = message.clone();
        let id = json!(format!("m{index:02}"));
        message["info"]["id"] = id.clone();
        if message["info"]["role"] == "user" {
            parent = id;
        } else {
            message["info"]["parentID"] = parent.clone();
        }
        for (at, part) in message["parts"].as_array_mut().unwrap().iter_mut().enumerate() {
            part["id"] = json!(format!("p{index:02}{at}"));
        }
        message
    };
    list.iter().enumerate().map(number).collect()
}

fn message(info: &Value, parts: &[Value]) -> Value {
    let mut info = info.clone();
    info["time"] = json!({"created": 1});
    json!({"info": info, "parts": parts})
}

fn user(text: &str) -> Value {
    message(&json!({"role": "user"}), &[json!({"type": "text", "text": text})])
}

/// The "Continue" that OpenCode itself writes.
fn go_on() -> Value {
    message(&json!({"role": "user"}), &[json!({"type": "text", "text": "Continue", "synthetic": true})])
}

fn answer(text: &str) -> Value {
    message(&json!({"role": "assistant", "finish": "stop"}), &[json!({"type": "text", "text": text})])
}

fn tool(output: &str) -> Value {
    let state = json!({"status": "completed", "input": {}, "output": output, "time": {"start": 1, "end": 2}});
    let part = json!({"type": "tool", "callID": "c", "tool": "bash", "state": state});
    message(&json!({"role": "assistant", "finish": "tool-calls"}), &[part])
}

fn marker(tail: &Value) -> Value {
    message(&json!({"role": "user"}), &[json!({"type": "compaction", "auto": true, "tail_start_id": tail})])
}

fn summary(error: bool) -> Value {
    let mut info = json!({"role": "assistant", "finish": "stop", "summary": true});
    if error {
        info["error"] = json!({"name": "APIError", "data": {"message": "no"}});
    }
    message(&info, &[json!({"type": "text", "text": "S"})])
}

fn ours_of(session: &Value, context: u64) -> Ours {
    Ours::of(Format::Opencode, &session.to_string(), context)
}

fn room(tokens: u64, limit: &Value, config: &Value, version: &str) -> Value {
    let tokens = json!({"input": tokens, "output": 0, "cache": {"read": 0, "write": 0}});
    let options = json!({"version": version, "model": {"limit": limit}, "config": {"compaction": config}});
    ask("opencode", "isOverflow", &tokens, &options)
}

/// The ids of the messages that are sent.
fn sent(session: &Value, version: &str) -> Vec<String> {
    let ids = ask("opencode", "filterCompacted", session, &json!({"version": version}))["ids"].clone();
    serde_json::from_value(ids).unwrap()
}

/// The ids of the messages that are sent according to ebbline's reader, in order.
fn active(ours: &Ours) -> Vec<String> {
    let list: Vec<Value> = serde_json::from_str(&ours.text).unwrap();
    let id = |index: usize| {
        let message: Value = serde_json::from_str(&ours.text[ours.session.span(index)]).unwrap();
        message["info"]["id"].as_str().unwrap().to_owned()
    };
    assert_eq!(list.len(), ours.session.transcript().messages().len());
    let messages = ours.session.transcript().messages().iter().enumerate();
    messages.filter(|(_, message)| message.active).map(|(index, _)| id(index)).collect()
}

#[test]
fn opencode_reserves_nothing_without_an_input_limit() {
    let limit = json!({"context": 200_000, "output": 32_000});
    let usable = |reserved: u64| room(0, &limit, &json!({"reserved": reserved}), "2026-06")["usable"].clone();
    assert_eq!((usable(0), usable(100_000)), (json!(168_000), json!(168_000)));
    let mut policy = ebbline::profiles::get("ebbline@1").unwrap();
    let threshold = |policy: &ebbline::Policy| policy.trigger.threshold(policy.model, policy.retain.keep);
    assert_eq!(threshold(&policy), 168_000);
    policy.set("trigger.reserve", "90000").unwrap();
    assert_eq!(threshold(&policy), 110_000);
}

#[test]
fn opencode_overflows_at_zero_tokens_in_a_small_window() {
    let limit = json!({"context": 32_000, "output": 32_000});
    assert_eq!(room(0, &limit, &json!({}), "2026-06")["isOverflow"], json!(true));
    assert_eq!(room(0, &limit, &json!({}), "2026-01")["isOverflow"], json!(false), "not at 0, but at 1");
    assert_eq!(room(1, &limit, &json!({}), "2026-01")["isOverflow"], json!(true));
    for context in [1_000, 4_000, 8_000, 32_000] {
        for list in [vec![], vec![user("")], vec![user("hi"), answer("")]] {
            let plan = ours_of(&session(&list), context).plan;
            assert!(!plan.decision.trigger.fires && !plan.changes_something(), "{context}");
        }
    }
    assert_eq!(ours_of(&session(&[user("hi")]), 32_000).plan.decision.trigger.threshold, 16_000);
}

#[test]
fn opencode_until_2026_01_does_not_count_what_is_written_to_the_cache() {
    let tokens = json!({"input": 10, "output": 10, "reasoning": 0, "cache": {"read": 0, "write": 190_000}});
    let overflow = |version: &str| {
        let options = json!({"version": version, "model": {"limit": {"context": 200_000, "output": 32_000}}});
        ask("opencode", "isOverflow", &tokens, &options)["isOverflow"].clone()
    };
    assert_eq!(["2025-12", "2026-01", "2026-06"].map(overflow), [json!(false), json!(false), json!(true)]);
    let mut full = answer("done");
    full["info"]["tokens"] = tokens;
    let ours = ours_of(&session(&[user("one"), full]), 200_000);
    assert!(ours.plan.decision.trigger.fires && ours.plan.decision.trigger.tokens >= 190_020);
}

#[test]
fn opencode_counts_the_data_of_an_image_as_text() {
    let url = format!("data:image/png;base64,{}", "iVBORw0KGgoAAAANSUhE".repeat(20_000));
    let image = json!({"type": "file", "mime": "image/png", "filename": "a.png", "url": url});
    let session = session(&[message(&json!({"role": "user"}), &[image])]);
    let estimate = ask("opencode", "modelMessages", &session, &json!({}))["estimate"].as_u64().unwrap();
    assert!(estimate > 100_000, "{estimate}");
    assert_eq!(ours_of(&session, 200_000).tokens(0), 1_200);
}

#[test]
fn opencode_protects_its_own_continue_instead_of_the_persons_turn() {
    let session = session(&[
        user("old"),
        tool(&words(50_000)),
        user("what I want"),
        tool(&words(50_000)),
        go_on(),
        answer("a"),
        go_on(),
        answer("b"),
    ]);
    let pruned = ask("opencode", "prune", &session, &json!({"version": "2026-01"}));
    assert_eq!(pruned["prunedParts"], json!(["p030", "p010"]), "the person's newest turn goes");
    let ours = ours_of(&session, 200_000);
    assert_eq!(ours.plan.messages[3].reason, Reason::NewestTurns);
}

#[test]
fn opencode_never_clears_what_lies_behind_a_cleared_output() {
    let mut cleared = tool(&words(10));
    cleared["parts"][0]["state"]["time"]["compacted"] = json!(3);
    let turns =
        [user("1"), tool(&words(70_000)), cleared, tool(&words(45_000)), user("2"), answer("a"), user("3")];
    let session = session(&turns);
    assert_eq!(
        ask("opencode", "prune", &session, &json!({"version": "2026-01"}))["counted"]["prunable"],
        json!(56_250)
    );
    let stopped = ask("opencode", "prune", &session, &json!({"version": "2026-01"}));
    assert!(!stopped["prunedParts"].to_string().contains("p010"), "{stopped}");
    let ours = ours_of(&session, 200_000);
    assert_eq!(ours.plan.messages[1].fate, Fate::Pruned);
    ours.carried_out();
}

#[test]
fn opencode_until_2026_01_keeps_nothing() {
    let session = session(&[user("one"), answer(&words(140_000)), user("two"), answer(&words(30_000))]);
    let text = session.to_string();
    for profile in ["opencode@2025-12", "opencode@2026-01"] {
        let plan = theirs(profile, Format::Opencode, &text, 200_000, true);
        assert_eq!((plan.decision.retain.boundary, plan.decision.retain.kept), (Some(4), 0), "{profile}");
    }
    let ours = ours_of(&session, 200_000);
    assert_eq!(ours.plan.decision.verdict, Verdict::Summarize);
    assert!(ours.plan.decision.retain.kept >= 20_000);
    assert!(ours.request().contains("two"));
}

#[test]
fn opencode_takes_the_budget_of_the_summarizers_window() {
    let list = [user("one"), answer(&words(9_000)), user("two"), answer(&words(4_000)), marker(&Value::Null)];
    let session = session(&list);
    let tail = |summarizer: u64| {
        let limit = |context: u64| json!({"limit": {"context": context, "output": 4_000}});
        let options = json!({"parentID": "m04", "auto": true, "model": limit(200_000), "compactionModel": limit(summarizer)});
        ask("opencode", "process", &session, &options)["tailStartID"].clone()
    };
    assert_eq!(
        (tail(200_000), tail(8_000)),
        (json!("m02"), Value::Null),
        "a small summarizer, and nothing stays"
    );
    let ours = Ours::after_overflow(Format::Opencode, &session.to_string(), 200_000);
    let options = |tokens| ebbline::summary::SummaryOptions::new().budget_tokens(tokens);
    for budget in [8_000, 100_000] {
        let task = ours.session.summary_request(&ours.plan, &options(budget)).unwrap();
        assert!(task.is_some(), "the summarizer's budget shapes its request, not what is kept");
    }
}

#[test]
fn opencode_brings_everything_back_when_a_tail_dangles() {
    let list = [
        user("one"),
        answer(&words(150_000)),
        user("three"),
        marker(&json!("gone")),
        summary(false),
        user(&words(24_000)),
    ];
    let session = session(&list);
    assert_eq!(sent(&session, "2026-06").len(), 6);
    // A session is read as its agent sends it: what has come back is visible and is removed again, including the
    // summary.
    let ours = ours_of(&session, 200_000);
    assert_eq!(active(&ours).len(), 6);
    assert_eq!(
        (ours.plan.decision.verdict, ours.plan.decision.retain.boundary),
        (Verdict::Summarize, Some(5))
    );
    assert!(ours.plan.decision.fits && ours.request().contains("<previous-summary>\nS\n"));
    // ebbline's own boundary names an existing entry.
    let entries = super::ours::pi_entries(&[
        super::pi::user("one"),
        super::pi::answer(&words(150_000)),
        super::pi::user(&words(24_000)),
    ]);
    let written = Ours::of(Format::Pi, &super::ours::pi_file(&entries), 200_000).carried_out();
    assert!(written.contains(r#""firstKeptEntryId":"e2""#));
}

#[test]
fn opencode_leaves_an_older_marker_and_summary_inside_the_tail() {
    let list = [
        user("one"),
        answer("two"),
        user("three"),
        marker(&json!("m02")),
        summary(false),
        user("four"),
        marker(&json!("m02")),
        summary(false),
        user("five"),
    ];
    let session = session(&list);
    assert_eq!(sent(&session, "2026-06"), ["m06", "m07", "m02", "m03", "m04", "m05", "m08"]);
    // Of two summaries, the newest one is continued, and the older one is not repeated as the user's text.
    let mut full: Vec<Value> = session.as_array().unwrap().clone();
    full[7]["parts"][0]["text"] = json!("NEW");
    full[5] = user(&words(150_000));
    full[5]["info"]["id"] = json!("m05");
    full.push(user(&words(24_000)));
    let ours = ours_of(&json!(full), 200_000);
    let request = ours.request();
    assert!(request.contains("<previous-summary>\nNEW\n"), "{request:.500}");
    assert!(!request.contains("What did we do so far?") && request.matches("three").count() == 1);
}

#[test]
fn opencode_until_2026_01_takes_a_failed_summary_for_a_boundary() {
    let session = session(&[user("one"), answer("two"), marker(&Value::Null), summary(true), user("three")]);
    assert_eq!(sent(&session, "2026-01"), ["m02", "m03", "m04"]);
    assert_eq!(sent(&session, "2026-06").len(), 5);
    let ours = ours_of(&session, 200_000);
    assert!(active(&ours).contains(&"m00".to_owned()), "what no summary stands for is still sent");
}

#[test]
fn brutus_takes_a_summary_that_never_ended_for_a_boundary() {
    let mut begun = summary(false);
    begun["info"]["finish"] = Value::Null;
    let session = session(&[user("one"), answer("two"), marker(&Value::Null), begun, user("three")]);
    let sent = ask("brutus", "filterCompacted", &session, &json!({}));
    assert!(!sent.to_string().contains("m00"), "{sent}");
    assert!(active(&ours_of(&session, 200_000)).contains(&"m00".to_owned()));
}

#[test]
fn opencode_until_2026_01_finds_the_newest_by_where_it_stands() {
    let list = [user("one"), answer("two"), user("three"), answer("four")];
    let mut session = session(&list);
    session.as_array_mut().unwrap().rotate_left(2);
    let newest =
        |version: &str| ask("opencode", "latest", &session, &json!({"version": version}))["finished"].clone();
    assert_eq!((newest("2026-01"), newest("2026-06")), (json!("m01"), json!("m03")), "and it compacts twice");
    // ebbline never needs the newest message: the valid usage is the last one that is sent.
    let ours = ours_of(&session, 200_000);
    assert_eq!(active(&ours), ["m02", "m03", "m00", "m01"]);
}

#[test]
fn opencode_until_2026_01_sees_no_overflow_in_an_error() {
    use ebbline::overflow::{Rules, is_overflow_text};
    let text = "Your input exceeds the context window of this model";
    for (profile, expected) in
        [("opencode@2025-12", false), ("opencode@2026-01", false), ("opencode@2026-06", true)]
    {
        assert_eq!(is_overflow_text(text, None, Rules::named(profile).unwrap()), expected, "{profile}");
    }
    assert_eq!(
        judged(&json!({"error": {"message": text, "code": "context_too_large"}})),
        FailureKind::ContextOverflow
    );
}

#[test]
fn opencode_goes_on_although_the_turn_had_ended() {
    let list =
        [user("one"), answer(&words(140_000)), user("two"), answer(&words(30_000)), marker(&Value::Null)];
    let session = session(&list);
    let options = json!({"parentID": "m04", "auto": true, "outcome": "continue", "model": {"limit": {"context": 200_000, "output": 32_000}}});
    let created = ask("opencode", "process", &session, &options)["created"].to_string();
    assert!(created.contains("Continue if you have next steps"), "nobody asked for more");
    let chat = json!([{"role": "user", "content": "one"}, {"role": "assistant", "content": words(150_000)},
        {"role": "user", "content": "two"}, {"role": "assistant", "content": words(24_000)}]);
    let ours = Ours::of(Format::OpenaiChat, &chat.to_string(), 200_000);
    let written: Vec<Value> = serde_json::from_str(&ours.carried_out()).unwrap();
    assert_eq!(written.last(), chat.as_array().unwrap().last(), "the turn had ended, and ends as it did");
    assert_eq!(ours.plan.messages.last().unwrap().role, Role::Assistant);
}

#[test]
fn opencode_gives_up_on_a_session_too_large_to_summarize() {
    let session =
        session(&[user(&words(150_000)), answer(&words(150_000)), user("two"), marker(&Value::Null)]);
    let options = json!({"parentID": "m03", "auto": true, "outcome": "compact", "model": {"limit": {"context": 200_000, "output": 32_000}}});
    let process = ask("opencode", "process", &session, &options);
    assert_eq!(process["result"], json!("stop"));
    assert!(process["created"].to_string().contains("Session too large to compact"));
    let ours = Ours::after_overflow(Format::Opencode, &session.to_string(), 200_000);
    assert_eq!(ours.plan.decision.reason, VerdictReason::Forced);
    ours.request();
    assert_eq!(
        judged(&json!("prompt is too long: 300000 tokens > 200000 maximum")),
        FailureKind::ContextOverflow
    );
}
