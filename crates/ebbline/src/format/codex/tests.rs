use std::num::NonZeroU64;

use crate::edit::apply;
use crate::format::Format;
use crate::plan::PlanOptions;
use crate::policy::Policy;
use crate::profiles;
use crate::session_text::{EditOptions, ReadOptions, SessionText};
use crate::transcript::PartKind;
use crate::transcript::{Message, Turn};

const LONG: &str = "many words that came out of a command; many words that came out of a command; many words";
const META: &str = r#"{"type":"session_meta","payload":{"id":"s"}}"#;

fn item(payload: &str) -> String {
    format!(r#"{{"timestamp":"2026-01-01T00:00:00.000Z","type":"response_item","payload":{payload}}}"#)
}

fn event(payload: &str) -> String {
    format!(r#"{{"type":"event_msg","payload":{payload}}}"#)
}

fn compacted(payload: &str) -> String {
    format!(r#"{{"type":"compacted","payload":{payload}}}"#)
}

fn said(role: &str, text: &str) -> String {
    format!(r#"{{"type":"message","role":"{role}","content":[{{"type":"input_text","text":"{text}"}}]}}"#)
}

fn call(id: &str) -> String {
    format!(r#"{{"type":"function_call","name":"sh","arguments":"{{}}","call_id":"{id}"}}"#)
}

fn output(id: &str, text: &str) -> String {
    format!(r#"{{"type":"function_call_output","call_id":"{id}","output":"{text}"}}"#)
}

fn report(total: u32, input: u32, output: u32) -> String {
    let last = format!(r#"{{"input_tokens":{input},"output_tokens":{output},"total_tokens":{total}}}"#);
    event(&format!(
        r#"{{"type":"token_count","info":{{"total_token_usage":{{"total_tokens":{total}}},"last_token_usage":{last}}}}}"#
    ))
}

/// A rollout from a sketch: `d`eveloper, `e`nvironment, `u`ser, `a`nswer, `c`all, its `r`esult; `<1` rolls a turn
/// back.
fn rollout(sketch: &str) -> String {
    let mut lines = vec![META.to_owned()];
    for word in sketch.split_whitespace() {
        lines.push(match word {
            "d" => item(&said("developer", "<permissions instructions>")),
            "e" => item(&said("user", " <Environment_Context> </environment_context>")),
            "u" => item(&said("user", "words")),
            "a" => item(&said("assistant", "words")),
            "c" => item(&call("c1")),
            "r" => item(&output("c1", "what came out")),
            turns => event(&format!(
                r#"{{"type":"thread_rolled_back","num_turns":{}}}"#,
                turns.trim_start_matches('<')
            )),
        });
    }
    lines.join("\n")
}

fn read(text: &str) -> SessionText<'static> {
    let options = ReadOptions { format: Some(Format::Codex), ..ReadOptions::default() };
    SessionText::read_with(text.to_owned(), &options).unwrap()
}

fn active(session: &SessionText) -> Vec<usize> {
    let messages = session.transcript().messages().iter().enumerate();
    messages.filter(|(_, message)| message.active).map(|(index, _)| index).collect()
}

/// A policy that prunes and summarizes as much as possible.
fn eager(keep: u64) -> Policy {
    let mut policy = profiles::get("ebbline@1").unwrap();
    (policy.prune.protect, policy.prune.minimum, policy.prune.protected_turns) = (0, 0, 0);
    policy.prune.reference = false;
    (policy.retain.keep, policy.model.context, policy.trigger.reserve) = (keep, NonZeroU64::new(1), 0);
    policy
}

fn compact(text: &str, policy: &Policy, options: &EditOptions) -> String {
    let session = read(text);
    let plan = session.plan_with(policy, PlanOptions { force: true, ..PlanOptions::default() });
    session.compact(&plan, options).unwrap()
}

#[test]
fn turns_are_taken_back_with_what_stands_in_front_of_them() {
    for (sketch, sent) in [
        ("u a u a", &[0, 1, 2, 3][..]),
        ("u a u a <1", &[0, 1]),
        ("u a u a <0", &[0, 1, 2, 3]),
        ("d e u a d e u c r a <1", &[0, 1, 2, 3]),
        ("d e u a u a <2", &[0, 1]),
        ("d e u a u a <9", &[0, 1]),
        ("d e <1", &[0, 1]),
        ("u a u a <1 u a <1 u", &[0, 1, 6]),
    ] {
        assert_eq!(active(&read(&rollout(sketch))), sent, "{sketch}");
    }
}

#[test]
fn an_answer_is_a_run_of_the_models_items() {
    let session = read(&rollout("u a c r a u"));
    let what = |message: &Message| (message.turn == Turn::Person, message.continues, message.ended);
    let messages: Vec<_> = session.transcript().messages().iter().map(what).collect();
    let (person, plain) = ((true, false, false), (false, false, false));
    assert_eq!(messages, [person, plain, (false, true, false), plain, (false, false, true), person]);
}

#[test]
fn usage_is_that_of_the_last_request_wherever_it_is_reported() {
    let usages = |lines: &[String]| -> Vec<Option<u32>> {
        let session = read(&[&[META.to_owned()], lines].concat().join("\n"));
        session.transcript().messages().iter().map(|message| message.usage).collect()
    };
    let (user, answer, calls, result) =
        (item(&said("user", "x")), item(&said("assistant", "x")), item(&call("c")), item(&output("c", "x")));
    let [user, answer, calls, result] = [&user, &answer, &calls, &result].map(Clone::clone);
    let none = event(r#"{"type":"token_count","info":null}"#);
    // The current order: after the items, and repeated when a limit changes.
    let behind = [
        &user,
        &none,
        &answer,
        &calls,
        &report(9, 7, 2),
        &result,
        &report(9, 7, 2),
        &answer,
        &report(12, 11, 1),
    ];
    assert_eq!(usages(&behind.map(Clone::clone)), [None, None, Some(9), None, Some(12)]);
    // The order of 2025: before the items.
    let before = [&user, &report(9, 7, 2), &answer, &calls, &result, &report(12, 11, 1), &answer];
    assert_eq!(usages(&before.map(Clone::clone)), [None, None, Some(9), None, Some(12)]);
    // Reports separate two consecutive answers; an estimate after a compaction does not.
    let twice = [&user, &answer, &report(9, 7, 2), &answer, &report(10, 8, 2), &report(5, 0, 0)];
    assert_eq!(usages(&twice.map(Clone::clone)), [None, Some(9), Some(10)]);
}

#[test]
fn after_a_compaction_only_its_history_counts() {
    let history = format!(
        r#"{{"message":"","replacement_history":[{}]}}"#,
        [
            said("user", "x"),
            call("k"),
            output("k", LONG),
            r#"{"type":"compaction","encrypted_content":"g"}"#.to_owned()
        ]
        .join(",")
    );
    let text = [
        &rollout("u c r a"),
        &report(9, 7, 2),
        &compacted(&history),
        &report(3, 0, 0),
        &item(&said("user", "y")),
    ]
    .map(String::as_str)
    .join("\n");
    let session = read(&text);
    assert_eq!(active(&session), [4, 5, 6, 7, 8]);
    let counts = session.counts();
    assert_eq!((counts.messages, counts.inactive, counts.results), (5, 4, 2), "its items are not the file's");
    assert!(session.transcript().messages().iter().all(|message| message.usage.is_none()));
    let encrypted = session.transcript().parts_of(7)[0];
    assert_eq!((encrypted.kind, encrypted.signed, encrypted.length.utf16), (PartKind::Summary, true, 0));
    assert_eq!(session.markers().iter().map(|marker| marker.name).collect::<Vec<_>>(), ["compacted"]);
    // Its outputs can be pruned in place.
    let mut policy = eager(0);
    policy.retain.enabled = false;
    let pruned = compact(&text, &policy, &EditOptions::default());
    assert_eq!(pruned, text.replace(LONG, "[Old tool result content cleared]"));
}

#[test]
fn without_a_history_a_compaction_leaves_the_newest_words_of_the_user() {
    let long = "w".repeat(79_000);
    let lines = [
        item(&said("user", "lost")),
        item(&said("user", &long)),
        item(&said("assistant", "x")),
        item(&said("user", "Another language model started to solve this problem and so on")),
        item(&said("user", &"v".repeat(2_000))),
        compacted(r#"{"message":"what was"}"#),
        item(&said("assistant", "on")),
    ];
    let session = read(&lines.join("\n"));
    assert_eq!(active(&session), [1, 4, 5, 6], "newest first, until there are 20,000 tokens");
    let summary = session.transcript().messages()[5];
    assert!(summary.summary && !session.transcript().messages()[3].summary);
    assert_eq!(session.transcript().parts_of(5)[0].length.utf16, 8);
    let empty = read(&[item(&said("user", "x")), compacted("{}")].join("\n"));
    assert_eq!(empty.transcript().parts_of(1)[0].length.utf16, 22);
}

#[test]
fn a_summary_is_a_line_that_holds_the_whole_new_context() {
    let long = "long ".repeat(40);
    let lines = [
        r#"{"timestamp":"2026-01-01T00:00:00.000Z","ordinal":6,"type":"session_meta","payload":{"base_instructions":{"text":"Be brief."}}}"#.to_owned(),
        item(&said("developer", "rules")),
        item(&said("user", &long)),
        item(r#"{"type":"compaction","encrypted_content":"g"}"#),
        item(&said("user", &long)),
        item(&said("assistant", &long)),
        r#"{"type":"inter_agent_communication","payload":{"author":"/root","recipient":"/a","content":"go \"on\"","trigger_turn":true}}"#.to_owned(),
        item(r#"{ "type" : "function_call","name":"sh","arguments":"{}","call_id":"c","rate":29.0 }"#),
        item(&output("c", &long)),
        item(&said("assistant", "done")),
    ];
    let text = lines.join("\n") + "\n";
    let options = EditOptions { summary: Some("all \"that\"".to_owned()), ..EditOptions::default() };
    let written = compact(&text, &eager(15), &options);
    let line = written.strip_prefix(&text).unwrap();
    assert!(line.starts_with(r#"{"timestamp":"2026-01-01T00:00:00.000Z","ordinal":7,"type":"compacted","payload":{"message":"Another"#));
    let (_, history) = line.split_once(r#""replacement_history":["#).unwrap();
    let expected = [
        said("developer", "rules"),
        r#"{"type":"compaction","encrypted_content":"g"}"#.to_owned(),
        said("user", &format!(r#"{}\nall \"that\""#, super::super::openai_responses::speech::BRIDGE)),
        r#"{"type":"agent_message","author":"/root","recipient":"/a","content":[{"type":"input_text","text":"go \"on\""}]}"#.to_owned(),
        r#"{ "type" : "function_call","name":"sh","arguments":"{}","call_id":"c","rate":29.0 }"#.to_owned(),
        output("c", "[Old tool result content cleared]"),
        said("assistant", "done"),
    ];
    assert_eq!(history, expected.join(",") + "]}}\n");
    let again = read(&written);
    assert_eq!(active(&again).len(), 8, "the system prompt and the seven items");
    assert!(again.validate().is_empty());
}

#[test]
fn a_pending_call_repeated_by_a_rewritten_history_is_counted_once() {
    let text = [rollout("u a u a c"), item(&call("c2"))].join("\n") + "\n";
    let orphans = |text: &str| read(text).counts().calls_without_result;
    assert_eq!(orphans(&text), 2);
    let options = EditOptions { summary: Some("so far".to_owned()), now: Some(0), ..EditOptions::default() };
    let once = compact(&text, &eager(1), &options);
    assert!(
        once.matches(r#""call_id":"c2""#).count() == 2,
        "the call is in the rewritten history, too: {once}"
    );
    assert_eq!(orphans(&once), 2);
    let longer = once + &item(&said("user", &LONG.repeat(40))) + "\n";
    let repeated = [
        longer.as_str(),
        &compacted(&format!(r#"{{"message":"x","replacement_history":[{},{}]}}"#, call("c1"), call("c2"))),
        "",
    ]
    .join("\n");
    assert_eq!(orphans(&repeated), 2, "a second time");
    let answered = repeated + &item(&output("c1", "late")) + "\n";
    let counts = read(&answered).counts();
    assert_eq!((counts.calls_without_result, counts.results_without_call), (1, 0), "one came back");
}

#[test]
fn a_torn_last_line_stays_on_a_line_of_its_own() {
    let text = rollout("u a u a") + "\n{\"type\":\"respon";
    let options = EditOptions { summary: Some("s".to_owned()), now: Some(0), ..EditOptions::default() };
    let written = compact(&text, &eager(1), &options);
    assert!(written.starts_with(&format!("{text}\n{{\"timestamp\":")), "{written}");
    assert_eq!(read(&written).problems().len(), 1);
}

#[test]
fn copies_of_an_output_are_cleared_only_when_bytes_are_to_be_freed() {
    let lines = [
        item(&said("user", "x")),
        item(&call("c1")),
        item(&call("c2")),
        event(
            r#"{"type":"exec_command_end","call_id":"c1","stdout":"LONG","stderr":"","aggregated_output":"LONG"}"#,
        ),
        item(&output("c1", "LONG")),
        event(
            r#"{"type":"mcp_tool_call_end","call_id":"c2","result":{"Ok":{"content":[{"type":"text","text":"LONG"}]}}}"#,
        ),
        item(&output("c2", "LONG")),
    ];
    let text = lines.join("\n").replace("LONG", LONG);
    let mut policy = eager(0);
    policy.retain.enabled = false;
    let placeholder = "[Old tool result content cleared]";
    let of_output = |text: &str| format!(r#""output":"{text}""#);
    let pruned = text.replace(&of_output(LONG), &of_output(placeholder));
    assert_eq!(compact(&text, &policy, &EditOptions::default()), pruned);
    let options = EditOptions { free_bytes: true, ..EditOptions::default() };
    assert_eq!(compact(&text, &policy, &options), text.replace(LONG, placeholder));
}

#[test]
fn rollouts_of_mid_2025_are_bare_items() {
    let lines = [
        r#"{"id":"5973b6c0","timestamp":"2025-07-09T16:01:00.123Z","instructions":null,"git":null}"#
            .to_owned(),
        said("user", "x"),
        r#"{"record_type":"state"}"#.to_owned(),
        r#"{"type":"local_shell_call","id":"l1","call_id":null,"action":{"command":["ls"]}}"#.to_owned(),
        output("l1", "README.md"),
    ];
    let text = lines.join("\n");
    let session = SessionText::read(&text).unwrap();
    assert_eq!((session.format(), session.counts().messages), (Format::Codex, 3));
    let counts = session.counts();
    assert_eq!((counts.calls, counts.results, counts.calls_without_result), (1, 1, 0));
}

#[test]
fn anything_can_be_read_as_a_rollout() {
    for text in [
        "{}",
        "[]",
        "3",
        "null",
        r#"[{"type":"message"},null,{"payload":{}}]"#,
        r#"{"type":"compacted","payload":{"replacement_history":[null,3,{"type":7},[]]}}"#,
        r#"{"type":"compacted","payload":null}"#,
        r#"{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":-1e300}}"#,
        r#"{"type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":3}}}"#,
        r#"{"type":"response_item","payload":{"type":"function_call_output","output":{"content":7}}}"#,
        r#"{"type":"response_item","payload":{"type":"shell_call_output","output":[null,{"stdout":4}]}}"#,
    ] {
        let session = read(text);
        let plan = session.plan_with(&eager(0), PlanOptions { force: true, ..PlanOptions::default() });
        let options = EditOptions { summary: Some("s".to_owned()), ..EditOptions::default() };
        let edits = session.edits(&plan, &options);
        assert!(edits.is_err() || apply(text, &edits.unwrap()).is_ok(), "{text}");
    }
}

#[test]
fn what_follows_the_largest_number_of_a_line_is_a_number() {
    for (ordinal, expected) in [("6.5", "7"), ("-3", "1"), ("1e99", "18446744073709551615"), ("\"x\"", "")] {
        let long = "long ".repeat(40);
        let first = item(&said("user", &long)).replacen('{', &format!(r#"{{"ordinal":{ordinal},"#), 1);
        let text = [first, item(&said("assistant", &long)), item(&said("user", &long))].join("\n") + "\n";
        let options = EditOptions { summary: Some("so far".to_owned()), ..EditOptions::default() };
        let written = compact(&text, &eager(15), &options);
        let line = written.strip_prefix(&text).unwrap();
        let (_, rest) = line.split_once(r#""ordinal":"#).unwrap_or(("", ","));
        assert_eq!(rest.split(',').next(), Some(expected), "{ordinal}");
    }
}
