//! How each format records a summary, byte for byte.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use ebbline::{EditOptions, PlanOptions, Policy, SessionText, profiles};

fn policy(keep: &str) -> Policy {
    let mut policy = profiles::get("ebbline@1").unwrap();
    policy.set("prune.enabled", "false").unwrap();
    policy.set("retain.keep", keep).unwrap();
    policy
}

/// Summarizes all but the newest messages that hold `keep` tokens.
fn summarize(source: &str, keep: &str) -> String {
    let session = SessionText::read(source).unwrap();
    let plan = session.plan_with(&policy(keep), PlanOptions::new().force(true));
    let options = EditOptions::new().summary("Did \"A\".").now(1_795_301_999_500);
    session.compact(&plan, &options).unwrap()
}

#[test]
fn lists_get_a_message_in_the_place_of_those_it_stands_for() {
    assert_eq!(
        summarize(
            concat!(
                "[\n  {\"role\":\"system\",\"content\":\"be brief\"},\n  {\"role\":\"user\",\"content\":\"one\"},\n",
                "  {\"role\":\"assistant\",\"content\":\"two\"},\n  {\"role\":\"user\",\"content\":\"three\"}\n]\n"
            ),
            "1"
        ),
        concat!(
            "[\n  {\"role\":\"system\",\"content\":\"be brief\"},\n",
            "  {\"role\":\"user\",\"content\":\"[Compaction summary: it stands for 2 earlier messages; the next 1 are kept word for word] [ref cgngpgjb]\\n\\nDid \\\"A\\\".\"},\n",
            "  {\"role\":\"user\",\"content\":\"three\"}\n]\n"
        )
    );
}

#[test]
fn messages_a_line_each_stay_a_line_each() {
    assert_eq!(
        summarize(
            "{\"role\":\"user\",\"content\":\"one\"}\n{\"role\":\"assistant\",\"content\":\"two\"}\n{\"role\":\"user\",\"content\":\"three\"}\n",
            "1"
        ),
        "{\"role\":\"user\",\"content\":\"[Compaction summary: it stands for 2 earlier messages; the next 1 are kept word for word] [ref cgngpgjb]\\n\\nDid \\\"A\\\".\"}\n{\"role\":\"user\",\"content\":\"three\"}\n"
    );
}

#[test]
fn a_request_keeps_its_envelope() {
    let result = summarize(
        concat!(
            r#"{"model":"m","max_tokens":9,"system":"s","messages":[{"role":"user","content":"one"},"#,
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"ls","input":{}}]},"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"a b c d"}]}],"x":1.0}"#
        ),
        "1",
    );
    assert_eq!(
        result,
        concat!(
            r#"{"model":"m","max_tokens":9,"system":"s","messages":[{"role":"user","content":"[Compaction summary: it stands for 1 earlier messages; the next 2 are kept word for word] [ref mhmkjjaj]\n\nDid \"A\"."},"#,
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"ls","input":{}}]},"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"a b c d"}]}],"x":1.0}"#
        )
    );
}

#[test]
fn tunacode_gets_a_record_and_loses_the_old_messages() {
    let session = |messages: &str, record: &str| {
        format!(
            concat!(
                r#"{{"version": 1, "session_id": "s", "project_id": "p", "current_model": "m", "#,
                r#""messages": [{}], "compaction": {}}}"#
            ),
            messages, record
        )
    };
    let user =
        |text: &str| format!(r#"{{"role": "user", "content": [{{"type": "text", "text": "{text}"}}]}}"#);
    let record = concat!(
        r#"{"summary":"Did \"A\".","compacted_message_count":2,"tokens_before":6,"tokens_after":2,"#,
        r#""compaction_count":1,"previous_summary":null,"last_compacted_at":"2026-11-21T22:59:59.500Z","kept_message_count":1}"#
    );
    let once = summarize(&session(&[user("one"), user("two"), user("six")].join(", "), "null"), "1");
    assert_eq!(once, session(&user("six"), record));
    // The next compaction counts on and keeps the previous summary.
    let longer = once.replace(&user("six"), &[user("six"), user("ten")].join(", "));
    let twice = summarize(&longer, "1");
    assert!(twice.contains(&format!(r#""messages": [{}]"#, user("ten"))), "{twice}");
    assert!(
        twice.contains(r#""compacted_message_count":1,"#) && twice.contains(r#""compaction_count":2,"#),
        "{twice}"
    );
    assert!(twice.contains(r#""previous_summary":"Did \"A\".""#), "{twice}");
}

#[test]
fn what_is_kept_in_front_keeps_no_comma() {
    let part = |kind: &str| format!(r#"{{"part_kind": "{kind}", "content": "some words"}}"#);
    let source = format!(
        concat!(
            r#"{{"session_id": "s", "project_id": "p", "current_model": "m", "messages": ["#,
            r#"{{"kind": "request", "parts": [{}]}}, {{"kind": "request", "parts": [{}]}}, "#,
            r#"{{"kind": "response", "parts": [{}]}}]}}"#
        ),
        part("system-prompt"),
        part("user-prompt"),
        part("text")
    );
    let session = SessionText::read(&source).unwrap();
    let policy = profiles::get("tunacode@0.2").unwrap();
    let plan = session.plan_with(&policy, PlanOptions::new().force(true));
    let options = EditOptions::new().summary("S").now(0);
    let written = session.compact(&plan, &options).unwrap();
    assert!(written.contains(r#""content": "some words"}]}], "compaction": {"summary":"S""#), "{written}");
}

#[test]
fn everything_may_be_summarized() {
    let source = r#"{"session_id":"s","project_id":"p","current_model":"m","messages":[ {"role":"user","content":"some words"} , {"role":"assistant","content":[],"stop_reason":"stop"} ]}"#;
    let session = SessionText::read(source).unwrap();
    let policy = profiles::get("tunacode@0.2").unwrap();
    let plan = session.plan_with(&policy, PlanOptions::new().force(true));
    let options = EditOptions::new().summary("S").now(0);
    let written = session.compact(&plan, &options).unwrap();
    assert!(written.contains(r#""messages":[  ],"compaction":{"summary":"S""#), "{written}");
    assert_eq!(SessionText::read(&written).unwrap().counts().messages, 0);
}

#[test]
fn pi_gets_an_entry_behind_the_last_and_keeps_the_old_ones() {
    let line = |id: &str, parent: &str, text: &str| {
        format!(
            r#"{{"type":"message","id":"{id}","parentId":{parent},"message":{{"role":"user","content":"{text}"}}}}"#
        )
    };
    let source = [
        r#"{"type":"session","version":3,"id":"s","cwd":"/w"}"#.to_owned(),
        line("aa000001", "null", "one"),
        line("aa000002", "\"aa000001\"", "two"),
        line("aa000003", "\"aa000002\"", "six"),
    ]
    .join("\n");
    let written = summarize(&source, "1");
    assert!(written.starts_with(&source));
    assert_eq!(
        &written[source.len()..],
        concat!(
            "\n{\"type\":\"compaction\",\"id\":\"78dde6c4\",\"parentId\":\"aa000003\",",
            "\"timestamp\":\"2026-11-21T22:59:59.500Z\",\"summary\":\"Did \\\"A\\\".\",",
            "\"firstKeptEntryId\":\"aa000003\",\"tokensBefore\":6}\n"
        ),
        "pi writes its next entry behind the end of a line"
    );
    let again = SessionText::read(&written).unwrap();
    let active: Vec<_> = again.transcript().messages().iter().filter(|message| message.active).collect();
    assert_eq!((active.len(), active[0].summary), (2, true));
    assert_eq!(again.counts().inactive, 2);
}

#[test]
fn pi_version_1_names_what_it_keeps_by_index() {
    let line = |text: &str| format!(r#"{{"type":"message","message":{{"role":"user","content":"{text}"}}}}"#);
    let source =
        [r#"{"type":"session","id":"s","cwd":"/w"}"#.to_owned(), line("one"), line("six")].join("\n") + "\n";
    let written = summarize(&source, "1");
    assert_eq!(
        &written[source.len()..],
        "{\"type\":\"compaction\",\"timestamp\":\"2026-11-21T22:59:59.500Z\",\"summary\":\"Did \\\"A\\\".\",\"firstKeptEntryIndex\":2,\"tokensBefore\":4}\n"
    );
    assert_eq!(SessionText::read(&written).unwrap().counts().inactive, 1);
}

#[test]
fn a_format_without_a_place_for_it_says_so_and_a_blank_summary_changes_nothing() {
    let source = r#"{"schema_version":"ATIF-v1.6","session_id":"s","agent":{"name":"a","version":"1"},"steps":[{"step_id":1,"source":"user","message":"one"},{"step_id":2,"source":"user","message":"two"}]}"#;
    let session = SessionText::read(source).unwrap();
    let plan = session.plan_with(&policy("1"), PlanOptions::new().force(true));
    let with = |summary: &str| {
        let options = EditOptions::new().summary(summary);
        session.compact(&plan, &options)
    };
    assert_eq!(with("S").unwrap_err().code(), "no_place_for_summary");
    assert_eq!(with(" \n").unwrap(), source);
}
