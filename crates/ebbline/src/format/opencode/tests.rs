use std::num::NonZeroU64;

use super::{Outline, sent_in_order};
use crate::format::outline::outline;
use crate::format::{Format, MarkerKind};
use crate::json::{Document, Value};
use crate::session_text::{EditOptions, ReadOptions, SessionText};
use crate::transcript::{Output, PartKind, Role, Turn};
use crate::{PlanOptions, Policy, profiles};

const FIRST: u64 = 1_767_225_600_000;

/// Messages in short form, with ids `msg_1`, `msg_2`, …: `u` a user message, `a` an answer with a tool's output of
/// 4,000 characters, `m` a marker, `m3` a marker whose tail begins at `msg_3`, `s` the summary that answers it, `e` a
/// failed answer, `x` an answer that was aborted after a word.
fn export(short: &str) -> String {
    let mut parent = 0;
    let messages: Vec<String> = short
        .split(' ')
        .zip(1..)
        .map(|(word, id)| {
            let (kind, tail) = word.split_at(1);
            let (info, part) = match kind {
                "u" | "m" => {
                    parent = id;
                    let tail = if tail.is_empty() { String::new() } else { format!(r#","tail_start_id":"msg_{tail}""#) };
                    let part = if kind == "u" {
                        r#"{"type":"text","text":"go on"}"#.to_owned()
                    } else {
                        format!(r#"{{"type":"compaction","auto":true{tail}}}"#)
                    };
                    (r#""role":"user""#.to_owned(), part)
                }
                "s" => (
                    format!(r#""role":"assistant","summary":true,"finish":"stop","parentID":"msg_{parent}","tokens":{{"input":9000}}"#),
                    r#"{"type":"text","text":"what was done"}"#.to_owned(),
                ),
                "e" => (
                    r#""role":"assistant","error":{"name":"APIError"}"#.to_owned(),
                    r#"{"type":"text","text":"half"}"#.to_owned(),
                ),
                "x" => (
                    r#""role":"assistant","error":{"name":"MessageAbortedError"}"#.to_owned(),
                    r#"{"type":"text","text":"half"}"#.to_owned(),
                ),
                _ => (
                    format!(r#""role":"assistant","finish":"tool-calls","tokens":{{"input":{id}000}}"#),
                    format!(
                        r#"{{"type":"tool","callID":"c{id}","tool":"bash","state":{{"status":"completed","input":{{}},"output":"{}","time":{{"start":{FIRST}}}}}}}"#,
                        "x".repeat(4_000)
                    ),
                ),
            };
            format!(r#"{{"info":{{"id":"msg_{id}","sessionID":"ses_1",{info}}},"parts":[{part}]}}"#)
        })
        .collect();
    format!(r#"{{"info":{{"id":"ses_1"}},"messages":[{}]}}"#, messages.join(","))
}

fn read(source: &str) -> SessionText<'static> {
    SessionText::read(source.to_owned()).unwrap()
}

/// The ids of what is sent, in order.
fn sent(source: &str) -> Vec<String> {
    let session = read(source);
    let messages = session.transcript().messages().iter().enumerate();
    let id = |index| {
        let span = session.span(index);
        let document = Document::parse(&source[span]).unwrap();
        let info = document.root().get("info").unwrap_or(document.root());
        info.text_of("id").unwrap().decode().into_owned()
    };
    messages.filter(|(_, message)| message.active).map(|(index, _)| id(index)).collect()
}

/// What OpenCode itself would send of an export.
fn sent_by_opencode(source: &str) -> Vec<String> {
    let document = Document::parse(source).unwrap();
    let messages = document.root().elements_of("messages");
    let outline =
        |message: Value<'_>| Outline::of(message.get("info").unwrap(), message.elements_of("parts"));
    let outlines: Vec<Outline> = messages.map(outline).collect();
    let order = sent_in_order(&outlines);
    order.into_iter().map(|index| outlines[index].id.as_ref().unwrap().to_text()).collect()
}

/// A policy that keeps about `keep` tokens and summarizes the rest, or only prunes.
fn policy(keep: Option<u64>) -> Policy {
    let mut policy = profiles::get("opencode@2026-06").unwrap();
    (policy.prune.enabled, policy.retain.enabled) = (keep.is_none(), keep.is_some());
    (policy.prune.protect, policy.prune.minimum, policy.prune.protected_turns) = (0, 1, 0);
    (policy.retain.keep, policy.model.context, policy.trigger.reserve) =
        (keep.unwrap_or(0), NonZeroU64::new(1), 0);
    policy
}

fn compacted(source: &str, keep: u64, now: u64) -> String {
    let (session, policy) = (read(source), policy(Some(keep)));
    let plan = session.plan_with(&policy, PlanOptions { force: true, ..PlanOptions::default() });
    assert!(plan.decision.retain.applied, "{:?}", plan.decision.retain);
    let options =
        EditOptions { summary: Some("what was done".to_owned()), now: Some(now), free_bytes: false };
    session.compact(&plan, &options).unwrap()
}

fn pruned(source: &str, free_bytes: bool) -> String {
    let (session, policy) = (read(source), policy(None));
    let plan = session.plan(&policy);
    let options = EditOptions { now: Some(FIRST), free_bytes, ..EditOptions::default() };
    session.compact(&plan, &options).unwrap()
}

#[test]
fn what_is_sent_is_what_opencode_would_send() {
    for short in [
        "u a u a",
        "u a m s u a",
        "u a u a m3 s u",
        "u a u a m3 s u a m6 s u",
        "u a u a m3 s u a m4 s u",
        "u a m9 s u",
        "u a m u",
        "u m2 s u",
    ] {
        let source = export(short);
        assert_eq!(sent(&source), sent_by_opencode(&source), "{short}");
    }
    assert_eq!(
        sent(&export("u e u x")),
        ["msg_1", "msg_3", "msg_4"],
        "a failed answer is left out, an aborted one is not"
    );
}

#[test]
fn usage_of_a_replaced_context_and_of_the_summary_counts_no_more() {
    let session = read(&export("u a u a m3 s u a"));
    let usage: Vec<Option<u32>> =
        session.transcript().messages().iter().map(|message| message.usage).collect();
    assert_eq!(usage, [None, None, None, None, None, None, None, Some(8_000)]);
}

#[test]
fn markers_are_named_as_the_export_spells_them() {
    let pruned = pruned(&export("u a a u"), false);
    let marks = |source: &str| {
        read(source).markers().iter().map(|marker| (marker.kind, marker.name)).collect::<Vec<_>>()
    };
    assert_eq!(marks(&pruned), [(MarkerKind::Prune, "time.compacted")], "both outputs went at one moment");
    assert_eq!(
        marks(&export("u a m s u")),
        [(MarkerKind::Compaction, "compaction-part"), (MarkerKind::Summary, "summary:true")]
    );
}

#[test]
fn a_recorded_summary_is_what_opencode_reads_back() {
    for short in ["u a u a u a", "u a u a m3 s u a u a", "u a m s u a u a u a"] {
        let source = export(short);
        for keep in [0, 900, 1_100, 2_100] {
            let written = compacted(&source, keep, FIRST);
            let last = source.len() - 2;
            assert_eq!(
                (&written[..last], written.ends_with("]}")),
                (&source[..last], true),
                "the file only grows"
            );
            let order = sent(&written);
            assert_eq!(order, sent_by_opencode(&written), "{short}, {keep}");
            let again = read(&written);
            let active: Vec<_> =
                again.transcript().messages().iter().filter(|message| message.active).collect();
            assert_eq!(
                (active[0].role, active[0].turn, active[1].summary),
                (Role::User, Turn::Synthetic, true)
            );
            let plan = |session: &SessionText| session.plan(&policy(Some(keep))).decision.tokens_before;
            assert!(plan(&again) < plan(&read(&source)), "{short}, {keep}");
        }
    }
    let written = compacted(&export("u a u a"), 0, FIRST);
    assert_eq!(sent(&written).len(), 2, "nothing is kept, and no tail is named");
    assert!(!written.contains("tail_start_id"));
}

#[test]
fn ids_sort_behind_all_others_in_opencodes_own_spelling() {
    let clock = |now: u64| format!("{:012x}", (now * 4_096) & 0xFFFF_FFFF_FFFF);
    let cases = [
        (format!("msg_{}Ren11Exkxeq6Yw", clock(FIRST)), FIRST + 5, format!("msg_{}", clock(FIRST + 5))),
        ("msg_d891921f9001u10DFjzFl8iFmV".to_owned(), FIRST, "msg_d891921f9002".to_owned()),
        ("msg_ffffffffffffu10DFjzFl8iFmV".to_owned(), FIRST, "msg_ffffffffffffu10DFjzFl8iFmV0".to_owned()),
        ("msg_12".to_owned(), FIRST, "msg_120".to_owned()),
    ];
    for (newest, now, expected) in cases {
        let source = export("u a").replace("msg_2", &newest);
        let written = compacted(&source, 0, now);
        let ids = sent(&written);
        assert!(ids[0].starts_with(&expected) && ids[0] > newest && ids[1] > ids[0], "{newest}: {ids:?}");
        assert_eq!(written, compacted(&source, 0, now), "the same every time");
        if expected.len() == 16 {
            assert!(ids.iter().all(|id| id.len() == 30), "{ids:?}");
        }
    }
}

#[test]
fn no_boundary_stands_where_the_tail_would_bring_an_earlier_compaction_back() {
    let source = include_str!("../../../../../tests/formats/opencode/opencode-compacted.json");
    let session = read(source);
    let sent: Vec<_> = session.transcript().messages().iter().filter(|message| message.active).collect();
    // The earlier marker, its summary and its tail, which precedes them in the file; then what followed.
    let goes_on: Vec<bool> = sent.iter().map(|message| message.continues).collect();
    let tail = goes_on.iter().filter(|goes_on| **goes_on).count();
    assert!(tail > 0 && goes_on[2..2 + tail].iter().all(|goes_on| *goes_on), "{goes_on:?}");
    for keep in (0..2_000).step_by(50) {
        let written = compacted(source, keep, 1);
        let again = read(&written);
        let summaries =
            again.transcript().messages().iter().filter(|message| message.active && message.summary);
        assert_eq!(summaries.count(), 1, "keep {keep}");
    }
}

#[test]
fn a_tail_that_cannot_be_named_is_refused() {
    for source in [export("u a u a").replace("msg_3", ""), export("u a u a").replace("msg_4", "msg_3")] {
        let (session, policy) = (read(&source), policy(Some(900)));
        let plan = session.plan_with(&policy, PlanOptions { force: true, ..PlanOptions::default() });
        let options = EditOptions { summary: Some("s".to_owned()), ..EditOptions::default() };
        let refused = session.compact(&plan, &options);
        let named = plan.messages[2].fate != crate::Fate::Summarized;
        assert_eq!(refused.map_err(|error| error.code()).err(), named.then_some("no_place_for_summary"));
    }
}

#[test]
fn bytes_are_freed_only_on_request() {
    let source = r#"[{"info":{"id":"msg_1","role":"assistant"},"parts":[{"type":"tool","callID":"c","tool":"t",
 "state":{"status":"completed","input":{},"output":"a long output that says a great deal more than its placeholder does",
 "time":{"start":1,"end":2},"attachments":[{"mime":"image/png","url":"data:,x"}]}}]}]"#;
    let marked = source.replace(r#""end":2"#, &format!(r#""end":2,"compacted":{FIRST}"#));
    let freed = marked
        .replace(
            "a long output that says a great deal more than its placeholder does",
            "[Old tool result content cleared]",
        )
        .replace(r#"[{"mime":"image/png","url":"data:,x"}]"#, "[]");
    assert_eq!(pruned(source, false), marked);
    assert_eq!(pruned(source, true), freed);
    assert_eq!(pruned(&marked, true), freed, "also what OpenCode pruned itself");
    assert_eq!(pruned(&freed, true), freed);
    let parts = read(&freed).transcript().parts().to_vec();
    assert_eq!((parts.len(), parts[1].output, parts[1].length.utf16), (2, Output::Pruned, 33));
    let whole = |source: &str| read(source).output_of_call("c").map(|output| output.is_whole);
    let own = freed.replace("cleared]", "cleared] [ref oljnnlka]");
    assert_eq!([whole(&marked), whole(&freed), whole(&own)], [Some(true), Some(false), Some(false)]);
    assert_eq!(pruned(&own, true), own);
    let quoted = source.replace("placeholder does", "placeholder does [ref oljnnlka]");
    assert_eq!(whole(&quoted), Some(true));
    assert_eq!(pruned(&quoted, true), freed, "what only quotes the mark is freed");
}

/// The same session in every form of rows.
fn rows(snake: bool, inside: bool, lines: bool) -> String {
    let part =
        |id: &str, message: &str, body: &str| (id.to_owned(), Some(message.to_owned()), body.to_owned());
    let message = |id: &str, body: &str| (id.to_owned(), None, body.to_owned());
    let tool = format!(
        r#""type":"tool","callID":"c","tool":"bash","state":{{"status":"completed","input":{{"command":"cat \"a\""}},"output":"é\n{}","time":{{"start":1,"end":2}}}}"#,
        "x".repeat(400)
    );
    let all = [
        part("prt_4", "msg_3", r#""type":"text","text":"third""#),
        message("msg_2", r#""role":"assistant","finish":"stop""#),
        message("msg_3", r#""role":"user""#),
        message("msg_1", r#""role":"user""#),
        part("prt_3", "msg_2", &tool),
        part("prt_2", "msg_2", r#""type":"text","text":"second \"quoted\" → \\ \ud83d""#),
        part("prt_1", "msg_1", r#""type":"text","text":"first""#),
        part("prt_9", "msg_9", r#""type":"text","text":"of no message""#),
    ];
    let rows = all.map(|(id, message, body)| {
        if !snake {
            let message = message.map_or_else(String::new, |message| format!(r#","messageID":"{message}""#));
            return format!(r#"{{"id":"{id}","sessionID":"ses_1"{message},{body}}}"#);
        }
        let message = message.map_or_else(String::new, |message| format!(r#","message_id":"{message}""#));
        let data = format!("{{{body}}}");
        let data = if inside { crate::json::quote(&data) } else { data };
        format!(
            r#"{{"id":"{id}"{message},"session_id":"ses_1","time_created":1,"time_updated":1,"data":{data}}}"#
        )
    });
    if lines { rows.join("\n") + "\n" } else { format!("[{}]", rows.join(",\n ")) }
}

#[test]
fn rows_are_joined_by_their_ids() {
    for (snake, inside, lines) in [
        (false, false, false),
        (false, false, true),
        (true, true, false),
        (true, true, true),
        (true, false, true),
    ] {
        let source = rows(snake, inside, lines);
        let session = read(&source);
        let roles: Vec<Role> = session.transcript().messages().iter().map(|message| message.role).collect();
        assert_eq!(roles, [Role::User, Role::Assistant, Role::User]);
        let kinds: Vec<_> =
            session.transcript().parts_of(1).iter().map(|part| (part.kind, part.length.utf16)).collect();
        assert_eq!(kinds, [(PartKind::Text, 21), (PartKind::ToolCall, 21), (PartKind::ToolResult, 402)]);

        let pruned = pruned(&source, true);
        let again = read(&pruned);
        assert_eq!(again.transcript().parts_of(1)[2].output, Output::Pruned, "{pruned}");
        assert_eq!(pruned.lines().count(), source.lines().count());
        let differing = source.lines().zip(pruned.lines()).filter(|(before, after)| before != after).count();
        assert_eq!(differing, 1, "one row");

        let written = compacted(&source, 0, FIRST);
        let again = read(&written);
        let active = again.transcript().messages().iter().filter(|message| message.active).count();
        assert_eq!((again.transcript().messages().len(), active), (5, 2), "{written}");
        assert!(again.transcript().messages()[4].summary);
    }
}

#[test]
fn a_summary_can_be_made_of_json_inside_strings() {
    let source = rows(true, true, true);
    let (session, policy) = (read(&source), policy(Some(0)));
    let plan = session.plan_with(&policy, PlanOptions { force: true, ..PlanOptions::default() });
    let task = session
        .summary_request(&plan, &crate::summary::SummaryOptions::new().budget_tokens(30_000));
    let request = task.unwrap().unwrap().request;
    let text: String = request.messages.iter().map(|message| message.text.to_text()).collect();
    for quoted in ["first", "second \"quoted\" → \\ \u{fffd}", "cat \\\"a\\\"", "é\nxxx"] {
        assert!(text.contains(quoted), "{quoted}: {text}");
    }
}

#[test]
fn tables_get_new_rows_where_their_rows_are() {
    let list = rows(true, true, false);
    let document = Document::parse(&list).unwrap();
    let (parts, messages): (Vec<_>, Vec<_>) =
        document.root().elements().partition(|row| row.get("message_id").is_some());
    let table =
        |rows: Vec<crate::json::Value<'_>>| rows.iter().map(|row| row.source()).collect::<Vec<_>>().join(",");
    let source = format!(r#"{{"message":[{}],"part":[{}],"other":1}}"#, table(messages), table(parts));
    let written = compacted(&source, 0, FIRST);
    let tables = Document::parse(&written).unwrap();
    let count = |table: &str| tables.root().elements_of(table).count();
    assert_eq!((count("message"), count("part")), (5, 7));
    assert!(read(&written).transcript().messages()[4].summary);
}

#[test]
fn a_message_that_is_there_twice_has_its_parts_once() {
    let part = concat!(
        r#"{"id":"prt_1","sessionID":"s","messageID":"msg_1","type":"tool","callID":"c","tool":"ls","#,
        r#""state":{"status":"completed","input":{},"output":"README.md and more","time":{"start":1}}}"#
    );
    let row = r#"{"id":"msg_1","session_id":"s","time_created":1,"data":"{\"role\":\"assistant\"}"}"#;
    let plain = r#"{"id":"msg_1","sessionID":"s","role":"assistant"}"#;
    for (rows, expected) in [
        ([plain, part].as_slice(), "a c0:2 =0:18"),
        (&[plain, plain, part], "a | a c0:2 =0:18"),
        (&[row, part, plain], "a | a c0:2 =0:18"),
        (&[plain, part, part], "a c0:2 =0:18 c0:2 =0:18"),
    ] {
        assert_eq!(outline(&rows.join("\n"), Format::Opencode), expected, "{rows:?}");
    }
}

#[test]
fn of_several_sessions_the_newest_is_the_session() {
    let other =
        rows(false, false, false).replace("ses_1", "ses_0").replace("msg_", "msg_0").replace("prt_", "prt_0");
    let source =
        format!("{},{}", other.trim_end_matches(']'), rows(false, false, false).trim_start_matches('['));
    let active: Vec<bool> =
        read(&source).transcript().messages().iter().map(|message| message.active).collect();
    assert_eq!(active, [false, false, false, true, true, true]);
}

#[test]
fn messages_of_the_second_core_are_named_and_refused() {
    let source = r#"[{"id":"msg_1","type":"user","time":{"created":1},"text":"hi"},{"id":"msg_2","type":"assistant","time":{},"content":[]}]"#;
    let error = SessionText::read(source).unwrap_err();
    assert_eq!(error.code(), "unsupported_format");
    assert!(error.message().contains("second core"), "{}", error.message());
}

#[test]
fn any_json_is_read_when_the_format_is_given() {
    for source in [
        "[]",
        "{}",
        "7",
        "[null,7,\"x\",[],{}]",
        r#"{"messages":{"info":1}}"#,
        r#"[{"info":null,"parts":{}}]"#,
        r#"[{"info":{"role":"assistant","tokens":[],"time":7},"parts":[null,{"type":7},{"type":"tool"},{"type":"tool","state":7},
            {"type":"tool","state":{"status":"completed","time":7,"attachments":[null]}},{"type":"compaction","tail_start_id":7}]}]"#,
        r#"{"part":[{"id":"p","session_id":7,"time_created":1,"data":"{torn"},{"data":"[1]","message_id":"m"}],"message":[null]}"#,
    ] {
        let options = ReadOptions { format: Some(crate::Format::Opencode), ..ReadOptions::default() };
        let session = SessionText::read_with(source, &options).unwrap();
        let plan = session.plan(&policy(None));
        session.compact(&plan, &EditOptions::default()).unwrap();
    }
}
