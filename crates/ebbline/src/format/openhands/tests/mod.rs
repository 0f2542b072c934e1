//! Events of version 0, and rules of both versions.

mod sdk;

use std::num::NonZeroU64;

use crate::format::Format;
use crate::plan::{Plan, PlanOptions};
use crate::policy::Cut;
use crate::profiles;
use crate::session_text::{EditOptions, ReadOptions, SessionText};
use crate::transcript::{Output, PartKind, Role, Turn};

fn read(text: &str) -> SessionText<'static> {
    SessionText::read_with(
        text.to_owned(),
        &ReadOptions { format: Some(Format::Openhands), ..ReadOptions::default() },
    )
    .unwrap()
}

/// Each message as a word: `-` if inactive, `+` if it continues an answer, `!` if the user wrote it; its role, and
/// its parts.
fn outline(session: &SessionText) -> String {
    let word = |index: usize| {
        let message = session.transcript().messages()[index];
        let mark = |is: bool, mark: &'static str| if is { mark } else { "" };
        let role = match message.role {
            Role::System => "s",
            Role::User => "u",
            Role::Assistant => "a",
            Role::Tool => "t",
            Role::Other => "o",
        };
        let parts = session.transcript().parts_of(index).iter().map(|part| match (part.kind, part.output) {
            (PartKind::Text, _) => 'w',
            (PartKind::Thinking, _) if part.signed => 'K',
            (PartKind::Thinking, _) => 'k',
            (PartKind::ToolCall, _) => 'c',
            (PartKind::ToolResult, Output::Pruned) => 'p',
            (PartKind::ToolResult, Output::Error) => 'e',
            (PartKind::ToolResult, _) => 'r',
            (PartKind::Image, _) => 'i',
            (PartKind::Summary, _) => 'z',
            _ => '?',
        });
        let marks = [
            mark(!message.active, "-"),
            mark(message.continues, "+"),
            mark(message.turn == Turn::Person, "!"),
        ];
        format!("{}{role}:{}", marks.concat(), parts.collect::<String>())
    };
    (0..session.transcript().messages().len()).map(word).collect::<Vec<_>>().join(" ")
}

fn array(events: &[&str]) -> String {
    format!("[{}]", events.join(","))
}

const PERSON: &str = r#"{"id":0,"source":"user","action":"message","args":{"content":"fix it"}}"#;

/// An action of version 0 that is a call, and its observation.
fn call(id: u32, response: &str) -> String {
    format!(
        concat!(
            r#"{{"id":{},"source":"agent","action":"run","args":{{"command":"ls","thought":"t"}},"tool_call_metadata":"#,
            r#"{{"function_name":"bash","tool_call_id":"c{}","model_response":{{"id":"{}","usage":{{"prompt_tokens":70,"#,
            r#""completion_tokens":7}},"choices":[{{"message":{{"content":"I look.","tool_calls":[{{"id":"c{}","#,
            r#""function":{{"name":"bash","arguments":"{{}}"}}}}]}}}}]}}}}}}"#
        ),
        id, id, response, id
    )
}

fn result(id: u32, cause: u32) -> String {
    format!(
        r#"{{"id":{id},"source":"agent","cause":{cause},"observation":"run","content":"{}","extras":{{}}}}"#,
        "x".repeat(900)
    )
}

#[test]
fn events_of_version_0_are_what_its_memory_makes_of_them() {
    let cases = [
        (r#"{"id":1,"source":"agent","action":"system","args":{"content":"You are"}}"#, "s:w"),
        (r#"{"id":1,"source":"agent","action":"message","args":{"content":"done"}}"#, "a:w"),
        (
            r#"{"id":1,"source":"user","action":"message","args":{"content":"see","image_urls":["data:a",""]}}"#,
            "!u:wi",
        ),
        (r#"{"id":1,"source":"user","action":"run","args":{"command":"make"}}"#, "u:w"),
        (
            r#"{"id":1,"source":"agent","action":"run","args":{"command":"ls","thought":"let me see"}}"#,
            "a:wc",
        ),
        (r#"{"id":1,"source":"agent","action":"finish","args":{"thought":"bye"}}"#, "a:w"),
        (
            r#"{"id":1,"source":"agent","action":"finish","args":{"thought":"bye"},"tool_call_metadata":{"model_response":{"choices":[{"message":{"content":"all done"}}]}}}"#,
            "a:ww",
        ),
        (r#"{"id":1,"source":"agent","observation":"agent_state_changed","content":"","extras":{}}"#, "+o:"),
        (r#"{"id":1,"source":"agent","cause":0,"observation":"null","content":""}"#, "+o:"),
        (r#"{"id":1,"source":"user","action":"recall","args":{"query":"fix"}}"#, "+o:"),
        (r#"{"id":1,"source":"environment","observation":"error","content":"no budget"}"#, "u:w"),
        (r#"{"id":1,"source":"user","cause":0,"observation":"run","content":"2 passed"}"#, "u:w"),
        (r#"{"id":1,"source":"agent","observation":"condense","content":"earlier"}"#, "u:z"),
        (
            r#"{"id":1,"source":"agent","cause":9,"observation":"run","content":"x","tool_call_metadata":{"tool_call_id":"c"}}"#,
            "t:r",
        ),
        (
            r#"{"id":1,"source":"environment","cause":0,"observation":"recall","extras":{"repo_name":"a/b","microagent_knowledge":[{"name":"git","content":"g"},{"name":"git","content":"g"}]}}"#,
            "u:ww",
        ),
        (r#"{"id":1,"source":"agent","action":7,"args":[]}"#, "+o:"),
        (r#"{"id":1,"source":"agent","action":"run","args":{"command":"pwd","hidden":true}}"#, "+o:"),
    ];
    for (event, expected) in cases {
        assert_eq!(outline(&read(&array(&[PERSON, event]))), format!("!u:w {expected}"), "{event}");
    }
}

#[test]
fn results_are_paired_by_the_event_that_caused_them() {
    let failed = result(4, 2).replace(r#""run","content""#, r#""error","content""#);
    let masked = result(6, 5).replace(&"x".repeat(900), "<MASKED>");
    let omitted = result(8, 7).replace(&"x".repeat(900), "Visited URL http://a\\nContent omitted");
    let events = [
        PERSON,
        &call(1, "r"),
        &call(2, "r"),
        &result(3, 1),
        &failed,
        &call(5, "s"),
        &masked,
        &call(7, "u"),
        &omitted,
    ];
    let session = read(&array(&events));
    assert_eq!(outline(&session), "!u:w a:wc +a:c t:r t:e a:wc t:r a:wc t:r");
    let counts = session.counts();
    assert_eq!(
        (counts.calls, counts.results, counts.calls_without_result, counts.results_without_call),
        (4, 4, 0, 0)
    );
    let usage = session.transcript().messages().iter().map(|message| message.usage).collect::<Vec<_>>();
    assert_eq!(
        usage,
        [None, None, Some(77), None, None, Some(77), None, Some(77), None],
        "on the last event of an answer"
    );
    let tool = session.transcript().parts_of(3)[0].tool.unwrap();
    assert_eq!(session.transcript().tool_name(tool), Some("bash"));
}

#[test]
fn parallel_calls_that_are_carried_out_in_turn_are_one_answer() {
    let (first, second) = (call(1, "r"), call(3, "r"));
    let events = [PERSON, &first, &result(2, 1), &second, &result(4, 3), &call(5, "s"), &result(6, 5)];
    assert_eq!(outline(&read(&array(&events))), "!u:w a:wc +t:r +a:c t:r a:wc t:r");
    let other = r#"{"id":9,"source":"user","action":"message","args":{"content":"wait"}}"#;
    assert_eq!(
        outline(&read(&array(&[&first, other, &second]))),
        "a:wc !u:w a:wc",
        "somebody spoke in between"
    );
}

#[test]
fn pairs_of_2024_are_read_and_take_no_summary() {
    let text = concat!(
        r#"{"instance_id":"i","history":[[{"source":"user","action":"message","args":{"content":"hi, look at what is in there"}},{"observation":"null","content":"nothing came of it, as far as anybody can say"}],"#,
        r#"[{"source":"agent","action":"run","args":{"command":"pwd","thought":"t"}},{"observation":"run","content":"XX"}],"#,
        r#"[{"source":"agent","action":"run","args":{"command":"ls","thought":"t"}},{"observation":"run","content":"XX"}]]}"#
    );
    let text = &text.replace("XX", &"x".repeat(900));
    let session = read(text);
    assert_eq!(outline(&session), "!u:w +o: a:wc t:r a:wc t:r");
    assert_eq!((session.counts().calls_without_result, session.counts().results_without_call), (0, 0));
    let error = summarized(&session, text, "s").unwrap_err();
    assert_eq!(error.code(), "no_place_for_summary");
}

#[test]
fn condensations_take_events_out_of_the_view() {
    let system = r#"{"id":0,"source":"agent","action":"system","args":{"content":"You are"}}"#;
    let person = &PERSON.replace(r#""id":0"#, r#""id":1"#);
    let (a, b, c, d) = (call(2, "r"), result(3, 2), call(4, "s"), result(5, 4));
    let condensation = |id: u32, args: &str| {
        format!(r#"{{"id":{id},"source":"agent","action":"condensation","args":{{{args}}}}}"#)
    };
    let ids = condensation(6, r#""forgotten_event_ids":[2,3],"summary":"so far","summary_offset":2"#);
    let range = condensation(
        6,
        r#""forgotten_event_ids":null,"forgotten_events_start_id":2,"forgotten_events_end_id":3,"summary":"so far","summary_offset":2"#,
    );
    let silent = condensation(6, r#""forgotten_event_ids":[2,3]"#);
    let everything =
        condensation(6, r#""forgotten_event_ids":[1,2,3],"summary":"so far","summary_offset":1"#);
    let second = condensation(7, r#""forgotten_event_ids":[4,5],"summary":"all","summary_offset":2"#);
    let kept = "s:w !u:w -a:wc -t:r u:z a:wc t:r";
    for (more, expected) in [
        (vec![&ids], kept),
        (vec![&range], kept),
        (vec![&silent], "s:w !u:w -a:wc -t:r a:wc t:r +o:"),
        // The agent puts the user's first message back.
        (vec![&everything], kept),
        (vec![&ids, &second], "s:w !u:w -a:wc -t:r -a:wc -t:r +o: u:z"),
    ] {
        let mut events = vec![system, person, &a, &b, &c, &d];
        events.extend(more.iter().map(|event| event.as_str()));
        let session = read(&array(&events));
        assert_eq!(outline(&session), expected, "{more:?}");
        let usage = session.transcript().messages().iter().filter(|message| message.usage.is_some()).count();
        assert_eq!(usage, 0, "what was reported describes another context");
        assert_eq!(session.markers().len(), more.len());
        assert_eq!(session.markers()[0].name, "condensation");
    }
}

/// A policy that keeps almost nothing, and its plan.
fn plan(session: &SessionText, prunes: bool) -> Plan {
    let mut policy = profiles::get("tunacode@0.2").unwrap();
    (policy.prune.enabled, policy.retain.enabled) = (prunes, !prunes);
    (policy.prune.protect, policy.prune.minimum, policy.prune.protected_turns) = (0, 1, 0);
    (policy.prune.minimum_turns, policy.retain.cut) = (0, Cut::Anywhere);
    (policy.retain.keep, policy.model.context, policy.trigger.reserve) = (100, NonZeroU64::new(1), 0);
    session.plan(&policy)
}

fn summarized(session: &SessionText, text: &str, summary: &str) -> Result<String, crate::Error> {
    let plan = plan(session, false);
    assert!(plan.decision.retain.applied, "{text}");
    let options =
        EditOptions { summary: Some(summary.to_owned()), now: Some(1_770_000_000_000), free_bytes: false };
    session.compact(&plan, &options)
}

#[test]
fn a_summary_is_recorded_as_a_condensation_of_version_0() {
    let events = [PERSON, &call(1, "r"), &result(2, 1), &call(3, "s"), &result(4, 3)];
    let text = format!("[\n {}\n]\n", events.join(",\n "));
    let written = summarized(&read(&text), &text, "so \"far\"").unwrap();
    let added = concat!(
        r#"{"id":5,"timestamp":"2026-02-02T02:40:00.000","source":"agent","message":"Summary: so \"far\"","#,
        r#""action":"condensation","args":{"forgotten_event_ids":[1,2],"forgotten_events_start_id":null,"#,
        r#""forgotten_events_end_id":null,"summary":"so \"far\"","summary_offset":1}}"#
    );
    assert_eq!(written, text.replace("\n]\n", &format!(",\n {added}\n]\n")));
    let session = read(&written);
    assert_eq!(outline(&session), "!u:w -a:wc -t:r u:z a:wc t:r");
    let alone = &events[1];
    assert_eq!(summarized_alone(alone), "no_place_for_summary");
}

#[test]
fn the_first_words_of_version_0_are_never_planned_to_be_summarized() {
    let events = [PERSON, &call(1, "r"), &result(2, 1), &call(3, "s"), &result(4, 3)];
    let text = array(&events);
    let session = read(&text);
    let policy = profiles::get("opencode@2025-12").unwrap();
    let options = PlanOptions { force: true, ..PlanOptions::default() };
    let planned = session.plan_with(&policy, options);
    let first = &planned.messages[0];
    assert_eq!((first.fate, first.reason), (crate::plan::Fate::Kept, crate::plan::Reason::AlwaysSent));
    let edits = EditOptions { summary: Some("so far".to_owned()), ..EditOptions::default() };
    let written = session.compact(&planned, &edits).unwrap();
    let again = read(&written);
    let next = again.plan_with(&policy, options);
    assert_eq!(
        next.decision.tokens_before - 2,
        planned.decision.tokens_after - planned.decision.summary_allowance,
        "the summary has 2"
    );
    // Only the summary and the first message are left: nothing to summarize, and no error.
    assert!(!next.decision.retain.applied, "{:?}", next.decision.retain);
    assert_eq!(again.compact(&next, &edits).unwrap(), written);
}

#[test]
fn the_number_of_a_condensation_is_one_whatever_the_newest_is() {
    for (newest, expected) in [("4.0", "5"), ("1e99", "18446744073709551615"), ("-7", "4")] {
        let last = result(4, 3).replacen(r#""id":4"#, &format!(r#""id":{newest}"#), 1);
        let text = array(&[PERSON, &call(1, "r"), &result(2, 1), &call(3, "s"), &last]);
        let written = summarized(&read(&text), &text, "so far").unwrap();
        assert!(written.contains(&format!(r#",{{"id":{expected},"timestamp""#)), "{newest}: {written}");
    }
}

#[test]
fn what_a_delegate_did_is_not_sent() {
    let begun = r#"{"id":1,"source":"agent","action":"delegate","args":{"agent":"BrowsingAgent","inputs":{"task":"look"}}}"#;
    let done = r#"{"id":9,"source":"agent","cause":1,"observation":"delegate","content":"","extras":{"outputs":{"content":"found"}}}"#;
    let session = read(&array(&[PERSON, begun, &call(2, "r"), &result(3, 2), done]));
    assert_eq!(outline(&session), "!u:w a:c -a:wc -t:r t:r");
    assert_eq!(session.transcript().parts_of(4)[0].length.utf16, 5, "its own words");
}

#[test]
fn of_several_results_only_the_one_that_is_chosen_is_summarized() {
    let history = array(&[PERSON, &call(1, "r"), &result(2, 1), &call(3, "s"), &result(4, 3)]);
    let line = |id: &str| format!(r#"{{"instance_id":"{id}","history":{history},"error":null}}"#);
    let text = format!("{}\n{}\n{{\"instance_id\":\"c\",\"history\":null}}\n", line("a"), line("b"));
    let options = ReadOptions { conversation: Some(1), ..ReadOptions::default() };
    let session = SessionText::read_with(&text, &options).unwrap();
    assert_eq!(session.counts().messages, 10, "a run that failed has no history");
    let written = summarized(&session, &text, "so far").unwrap();
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!((lines[0], lines[2]), (line("a").as_str(), text.lines().nth(2).unwrap()));
    assert!(
        lines[1].contains(r#""forgotten_event_ids":[1,2]"#)
            && lines[1].ends_with(r#""summary_offset":1}}],"error":null}"#)
    );
    assert_eq!(
        outline(&SessionText::read_with(&written, &options).unwrap()),
        "-!u:w -a:wc -t:r -a:wc -t:r !u:w -a:wc -t:r u:z a:wc t:r"
    );
}

/// The error code if a document with only one event is summarized.
fn summarized_alone(event: &str) -> &'static str {
    let session = read(event);
    let mut plan = plan(&session, false);
    plan.messages[0].fate = crate::plan::Fate::Summarized;
    plan.decision.retain.applied = true;
    let options = EditOptions { summary: Some("s".to_owned()), ..EditOptions::default() };
    session.compact(&plan, &options).unwrap_err().code()
}

#[test]
fn a_pruned_output_takes_its_images_with_it() {
    let shown = concat!(
        r#"{"id":2,"source":"agent","cause":1,"observation":"browse","content":"[1] heading","#,
        r#""extras":{"url":"u","screenshot":"data:image/png;base64,AAAA","set_of_marks":"data:b","image_urls":["data:c"]}}"#
    );
    let text = array(&[PERSON, &call(1, "r"), &shown.replace("[1] heading", &"y".repeat(900))]);
    let session = read(&text);
    assert_eq!(session.counts().images, 2, "one of the two screenshots is sent, and the image of the list");
    let plan = plan(&session, true);
    let written = session.compact(&plan, &EditOptions::default()).unwrap();
    let expected = shown
        .replace("[1] heading", "[Old tool result content cleared]")
        .replace(r#""data:image/png;base64,AAAA""#, r#""""#)
        .replace(r#""data:b""#, r#""""#)
        .replace(r#"["data:c"]"#, "null");
    assert_eq!(written, array(&[PERSON, &call(1, "r"), &expected]));
    let again = read(&written);
    assert_eq!((again.counts().images, again.counts().already_pruned), (0, 1));
    assert_eq!(again.plan(plan.policy()).decision.tokens_before, plan.decision.tokens_after);
}

#[test]
fn damage_loses_nothing() {
    for text in [
        "{}",
        "[]",
        "3",
        "[null,7,[],[[]],{}]",
        r#"{"history":{}}"#,
        r#"[{"kind":7},{"kind":"ActionEvent"},{"kind":"ObservationEvent","observation":[]},{"kind":"MessageEvent","llm_message":3}]"#,
        r#"[{"action":"run"},{"observation":"run","cause":{}},{"observation":"recall","extras":7},{"action":"finish","args":[]}]"#,
        r#"[{"kind":"Condensation","forgotten_event_ids":{},"summary":1,"summary_offset":-1},{"kind":"Condensation","summary":"s","summary_offset":1e9}]"#,
        r#"[{"id":1,"action":"condensation","args":{"summary":"s","summary_offset":-4,"forgotten_events_start_id":"x"}}]"#,
        r#"[{"id":"a","parent_id":"b","kind":"MessageEvent"},{"id":"b","parent_id":"a","kind":"MessageEvent"}]"#,
        "{\"kind\":\"ActionEvent\"}\n{\"torn",
    ] {
        let session = read(text);
        let plan = plan(&session, true);
        let written = session.compact(&plan, &EditOptions::default()).unwrap();
        assert_eq!(written, text);
    }
}
