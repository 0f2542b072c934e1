use std::num::NonZeroU64;

use crate::format::Format;
use crate::plan::PlanOptions;
use crate::policy::Cut;
use crate::profiles;
use crate::session_text::{EditOptions, ReadOptions, SessionText};
use crate::transcript::{Output, PartKind, Role};

fn read(text: &str) -> SessionText<'static> {
    SessionText::read_with(
        text.to_owned(),
        &ReadOptions { format: Some(Format::CopilotCli), ..ReadOptions::default() },
    )
    .unwrap()
}

/// A log of events, given as type and data.
fn log(events: &[(&str, &str)]) -> String {
    let line = |(index, (kind, data)): (usize, &(&str, &str))| {
        format!(
            "{{\"type\":\"{kind}\",\"data\":{data},\"id\":\"e{index}\",\"timestamp\":\"2026-02-03T10:00:0{index}.000Z\",\"parentId\":null}}\n"
        )
    };
    events.iter().enumerate().map(line).collect()
}

/// Each message as a word: `-` if inactive, its role, and its parts with their lengths.
fn outline(session: &SessionText) -> String {
    let word = |index: usize| {
        let message = session.transcript().messages()[index];
        let role = match message.role {
            Role::System => "s",
            Role::User => "u",
            Role::Assistant => "a",
            Role::Tool => "t",
            Role::Other => "o",
        };
        let parts = session.transcript().parts_of(index).iter().map(|part| {
            let kind = match (part.kind, part.output) {
                (PartKind::Text, _) => 'w',
                (PartKind::Thinking, _) if part.signed => 'K',
                (PartKind::Thinking, _) => 'k',
                (PartKind::ToolCall, _) => 'c',
                (PartKind::ToolResult, Output::Error) => 'e',
                (PartKind::ToolResult, _) => 'r',
                (PartKind::Image, _) => 'i',
                (PartKind::Summary, _) => 'z',
                _ => '?',
            };
            format!("{kind}{}", part.length.utf16)
        });
        format!("{}{role}:{}", if message.active { "" } else { "-" }, parts.collect::<String>())
    };
    (0..session.transcript().messages().len()).map(word).collect::<Vec<_>>().join(" ")
}

const PERSON: (&str, &str) = ("user.message", r#"{"content":"hi","transformedContent":"now: hi"}"#);
const CALL: (&str, &str) = (
    "assistant.message",
    r#"{"content":"","toolRequests":[{"toolCallId":"c","name":"view","arguments":{}}]}"#,
);
const RESULT: (&str, &str) = (
    "tool.execution_complete",
    r#"{"toolCallId":"c","success":true,"result":{"content":"four","detailedContent":"for people"}}"#,
);
const ANSWER: (&str, &str) = ("assistant.message", r#"{"content":"done","toolRequests":[]}"#);

#[test]
fn events_are_what_the_agent_sends_of_them() {
    for (event, expected) in [
        (PERSON, "u:w7"),
        (CALL, "a:c2"),
        (("assistant.message", r#"{"content":"ok","reasoningText":"why","reasoningOpaque":"x"}"#), "a:K3w2"),
        (("assistant.message", r#"{"content":"ok","encryptedContent":"x"}"#), "a:K0w2"),
        (("assistant.message", r#"{"content":"ok","parentToolCallId":"t"}"#), "-a:w2"),
        (RESULT, "t:r4"),
        (
            ("tool.execution_complete", r#"{"toolCallId":"c","success":false,"error":{"message":"no"}}"#),
            "t:e2",
        ),
        (("tool.execution_complete", r#"{"toolCallId":"c","success":false}"#), "t:r21"),
        (
            (
                "tool.execution_complete",
                r#"{"toolCallId":"c","success":true,"isUserRequested":true,"result":{"content":"x"}}"#,
            ),
            "-t:r1",
        ),
        (
            (
                "tool.execution_complete",
                r#"{"toolCallId":"c","success":true,"result":{"content":"x","binaryResultsForLlm":[{"mimeType":"image/png","data":"AAAA"}]}}"#,
            ),
            "t:r1i4",
        ),
        (
            (
                "user.message",
                r#"{"content":"a","attachments":[{"mimeType":"image/png","data":"AAAA"},{"taggedFilesEntry":"* /f"},{"displayName":"x"}]}"#,
            ),
            "u:w1i4w4",
        ),
        (("system.notification", r#"{"content":"ended"}"#), "u:w5"),
        (("hook.start", r#"{"input":{"prompt":"hi"}}"#), ""),
        (("tool.execution_start", r#"{"toolCallId":"c"}"#), ""),
        (("session.info", r#"{"message":"m"}"#), ""),
    ] {
        assert_eq!(outline(&read(&log(&[event, ("session.idle", "{}")]))), expected, "{event:?}");
    }
}

#[test]
fn only_the_newest_prompt_is_sent_and_it_is_sent_first() {
    let prompt = |text: &'static str| ("system.message", text);
    let events = [
        prompt(r#"{"role":"system","content":"old"}"#),
        prompt(r#"{"role":"developer","content":"dev"}"#),
        PERSON,
        prompt(r#"{"role":"system","content":"newer"}"#),
        ANSWER,
    ];
    let session = read(&log(&events));
    assert_eq!(outline(&session), "s: s:w3 s:w5 u:w7 a:w4");
    assert_eq!(session.counts().messages, 5);
}

#[test]
fn a_second_result_and_reasoning_of_another_model_are_not_sent() {
    assert_eq!(outline(&read(&log(&[PERSON, CALL, RESULT, RESULT]))), "u:w7 a:c2 t:r4 -t:r4");
    let thinks = ("assistant.message", r#"{"content":"ok","reasoningText":"why","reasoningOpaque":"x"}"#);
    for ends in ["session.resume", "session.model_change", "abort"] {
        assert_eq!(outline(&read(&log(&[thinks, (ends, "{}"), thinks]))), "a:w2 a:K3w2", "{ends}");
    }
}

#[test]
fn a_compaction_replaces_what_was_there_when_it_began() {
    let start = ("session.compaction_start", "{}");
    let complete = ("session.compaction_complete", r#"{"success":true,"summaryContent":"so far"}"#);
    let failed = ("session.compaction_complete", r#"{"success":false,"error":"e"}"#);
    let prompt = ("system.message", r#"{"role":"system","content":"you"}"#);
    for (events, expected) in [
        (vec![prompt, PERSON, start, ANSWER, complete, PERSON], "s:w3 -u:w7 u:z6 a:w4 u:w7"),
        (vec![prompt, PERSON, ANSWER, start, complete], "s:w3 -u:w7 -a:w4 u:z6"),
        (vec![PERSON, ANSWER, complete], "-u:w7 -a:w4 u:z6"),
        (vec![start, PERSON, complete], "u:z6 u:w7"),
        (vec![PERSON, start, failed, ANSWER], "u:w7 a:w4"),
        // The results of open calls are kept, and so are the calls.
        (vec![PERSON, CALL, start, RESULT, complete], "-u:w7 u:z6 a:c2 t:r4"),
        (vec![PERSON, ("session.context_cleared", "{}"), ANSWER], "-u:w7 a:w4"),
    ] {
        let session = read(&log(&events));
        assert_eq!(outline(&session), expected, "{events:?}");
    }
}

#[test]
fn usage_is_that_of_the_newest_request() {
    let usage = ("assistant.usage", r#"{"inputTokens":900,"cacheReadTokens":800,"outputTokens":10}"#);
    let of = |events: &[(&str, &str)]| {
        let session = read(&log(events));
        session.transcript().messages().iter().map(|message| message.usage).collect::<Vec<_>>()
    };
    assert_eq!(of(&[PERSON, ANSWER, usage]), [None, Some(910)]);
    let complete = ("session.compaction_complete", r#"{"success":true,"summaryContent":"s"}"#);
    assert_eq!(of(&[PERSON, ANSWER, usage, complete]), [None, None, None]);
}

#[test]
fn outputs_are_cleared_and_their_details_on_request() {
    let long = RESULT.1.replace("four", &"x".repeat(900));
    let text = log(&[PERSON, CALL, (RESULT.0, &long), ANSWER]);
    let session = read(&text);
    let mut policy = profiles::get("tunacode@0.2").unwrap();
    (policy.prune.protect, policy.prune.minimum, policy.prune.protected_turns) = (0, 1, 0);
    (policy.prune.enabled, policy.prune.minimum_turns) = (true, 0);
    let plan = session.plan(&policy);
    let written = |free_bytes: bool| {
        session.compact(&plan, &EditOptions { free_bytes, ..EditOptions::default() }).unwrap()
    };
    let placeholder = "[Old tool result content cleared]";
    let pruned = text.replace(&"x".repeat(900), placeholder);
    assert_eq!(written(false), pruned);
    assert_eq!(written(true), pruned.replace("for people", placeholder));
    assert_eq!(read(&pruned).counts().already_pruned, 1);
}

#[test]
fn a_summary_is_recorded_as_a_compaction_in_the_background() {
    let long = RESULT.1.replace("four", &"x".repeat(9_000));
    let whole = log(&[("session.start", "{}"), PERSON, CALL, (RESULT.0, &long), PERSON, ANSWER]);
    for text in [whole.as_str(), whole.trim_end()] {
        let session = read(text);
        let mut policy = profiles::get("tunacode@0.2").unwrap();
        (policy.retain.keep, policy.model.context, policy.trigger.reserve, policy.retain.enabled) =
            (2, NonZeroU64::new(1), 0, true);
        policy.retain.cut = Cut::Anywhere;
        let plan = session.plan(&policy);
        let options = EditOptions {
            summary: Some("so far".to_owned()),
            now: Some(1_770_000_000_000),
            free_bytes: false,
        };
        let written = session.compact(&plan, &options).unwrap();
        let added: Vec<_> = written.lines().filter(|line| !text.lines().any(|old| old == *line)).collect();
        assert_eq!(added.len(), 2, "{written}");
        assert!(added[0].starts_with(r#"{"type":"session.compaction_start","data":{"conversationTokens":"#));
        let data = r#""messagesRemoved":3,"summaryContent":"so far"},"id":""#;
        assert!(added[1].contains(data) && added[1].contains(r#""parentId":"e5"}"#), "{}", added[1]);
        assert!(added[1].contains(r#""timestamp":"2026-02-02T02:40:00.000Z""#), "{}", added[1]);
        let again = read(&written);
        assert_eq!(outline(&again), "-u:w7 -a:c2 -t:r9000 u:z6 u:w7 a:w4");
        let kept: Vec<_> = written.lines().filter(|line| text.lines().any(|old| old == *line)).collect();
        assert_eq!(kept, text.lines().collect::<Vec<_>>(), "every line is there, in its order");
    }
}

#[test]
fn a_compaction_that_ends_among_the_kept_messages_bars_another() {
    let long = RESULT.1.replace("four", &"x".repeat(9_000));
    let start = ("session.compaction_start", "{}");
    let complete = ("session.compaction_complete", r#"{"success":true,"summaryContent":"so far"}"#);
    let text = log(&[PERSON, start, CALL, (RESULT.0, &long), PERSON, complete, ANSWER]);
    let session = read(&text);
    let mut policy = profiles::get("tunacode@0.2").unwrap();
    (policy.retain.keep, policy.model.context, policy.trigger.reserve, policy.retain.enabled) =
        (2, NonZeroU64::new(1), 0, true);
    policy.retain.cut = Cut::Anywhere;
    let plan = session.plan(&policy);
    let options = EditOptions { summary: Some("more".to_owned()), ..EditOptions::default() };
    let error = session.compact(&plan, &options).unwrap_err();
    assert_eq!(error.code(), "no_place_for_summary");
}

#[test]
fn damage_loses_nothing() {
    for text in [
        "{}",
        "[]",
        "3",
        "{\"type\":\"user.message\"}\n{\"type\":\"user.message\",\"data\":7}\n{\"torn",
        "{\"type\":7,\"data\":{}}\n{\"type\":\"tool.execution_complete\",\"data\":{\"success\":true,\"result\":[]}}",
        "{\"type\":\"session.compaction_complete\",\"data\":{\"success\":true,\"summaryContent\":\"s\"}}\n{}",
        "{\"type\":\"assistant.message\",\"data\":{\"toolRequests\":[7,{}],\"content\":{}}}\n{}",
    ] {
        let session = read(text);
        let policy = profiles::get("ebbline@1").unwrap();
        let plan = session.plan_with(&policy, PlanOptions { force: true, ..PlanOptions::default() });
        assert_eq!(session.compact(&plan, &EditOptions::default()).unwrap(), text);
    }
}
