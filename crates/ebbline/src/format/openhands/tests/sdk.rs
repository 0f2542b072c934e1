//! Events of the SDK, version 1.

use super::*;

/// An action of the SDK, and its observation.
fn sdk_call(id: &str, response: &str) -> String {
    format!(
        concat!(
            r#"{{"id":"{}","source":"agent","kind":"ActionEvent","thought":[],"thinking_blocks":[{{"type":"thinking","#,
            r#""thinking":"t","signature":"s"}}],"reasoning_content":"t","tool_name":"bash","tool_call_id":"c{}","#,
            r#""tool_call":{{"id":"c{}","name":"bash","arguments":"{{}}"}},"llm_response_id":"{}"}}"#
        ),
        id, id, id, response
    )
}

fn sdk_result(id: &str, call: &str) -> String {
    format!(
        r#"{{"id":"{id}","source":"environment","kind":"ObservationEvent","tool_call_id":"c{call}","observation":{{"content":[{{"type":"text","text":"{}"}}]}}}}"#,
        "x".repeat(900)
    )
}

const SDK_PERSON: &str = r#"{"id":"p","source":"user","kind":"MessageEvent","llm_message":{"role":"user","content":[{"type":"text","text":"fix it"}]}}"#;

fn lines(events: &[&str]) -> String {
    format!("{}\n", events.join("\n"))
}

#[test]
fn events_of_the_sdk_are_what_they_send() {
    let stats = |turn: u32| {
        format!(
            r#"{{"id":"u{turn}","source":"environment","kind":"ConversationStateUpdateEvent","key":"stats","value":{{"usage_to_metrics":{{"condenser":{{"accumulated_token_usage":{{"per_turn_token":5}}}},"default":{{"accumulated_token_usage":{{"per_turn_token":{turn},"prompt_tokens":99999}}}}}}}}}}"#
        )
    };
    let rejected = r#"{"id":"n","source":"environment","kind":"UserRejectObservation","tool_call_id":"cb","rejection_reason":"no"}"#;
    let failed =
        r#"{"id":"f","source":"agent","kind":"AgentErrorEvent","tool_call_id":"cd","error":"no such tool"}"#;
    let hook = r#"{"id":"h","source":"hook","kind":"MessageEvent","llm_message":{"role":"user","content":[{"type":"text","text":"tests"}]},"extended_content":[{"type":"text","text":"more"}]}"#;
    let answer = r#"{"id":"z","source":"agent","kind":"MessageEvent","llm_message":{"role":"assistant","content":[{"type":"text","text":"done"}],"responses_reasoning_item":{"id":"rs","summary":["a"],"encrypted_content":"e"}}}"#;
    let (a, b, d) = (sdk_call("a", "r"), sdk_call("b", "r"), sdk_call("d", "s"));
    let (ra, first, again, second) = (sdk_result("ra", "a"), stats(500), stats(500), stats(700));
    let system = r#"{"id":"s","source":"agent","kind":"SystemPromptEvent","system_prompt":{"text":"You"},"dynamic_context":{"text":"dir"}}"#;
    let events =
        [system, SDK_PERSON, &first, &a, &b, &ra, rejected, &again, &d, failed, hook, &second, answer];
    let session = read(&lines(&events));
    assert_eq!(outline(&session), "s:ww !u:w +o: a:Kc +a:Kc t:r t:e +o: a:Kc t:e u:ww +o: a:Kw");
    let usage: Vec<_> = session.transcript().messages().iter().filter_map(|message| message.usage).collect();
    assert_eq!(usage, [500, 700], "what repeats an earlier figure is no new one");
    assert_eq!(session.transcript().messages()[4].usage, Some(500));
    assert_eq!((session.counts().messages, session.counts().calls_without_result), (13, 0));
}

#[test]
fn condensations_of_the_sdk_are_applied_one_after_the_other() {
    let condensation = |id: &str, gone: &str, offset: &str| {
        format!(
            r#"{{"id":"{id}","source":"environment","kind":"Condensation","forgotten_event_ids":[{gone}],"summary":"so far","summary_offset":{offset}}}"#
        )
    };
    let (a, ra, b, rb) =
        (sdk_call("a", "r"), sdk_result("ra", "a"), sdk_call("b", "s"), sdk_result("rb", "b"));
    let first = condensation("k", r#""a","ra""#, "1");
    let with_first = condensation("l", r#""b","rb","k-summary""#, "1");
    let beside_first = condensation("l", r#""b","rb""#, "2");
    let without_place = condensation("l", r#""b""#, "null");
    for (second, expected) in [
        (None, "!u:w -a:Kc -t:r u:z a:Kc t:r"),
        (Some(&with_first), "!u:w -a:Kc -t:r +o: -a:Kc -t:r u:z"),
        (Some(&beside_first), "!u:w -a:Kc -t:r u:z -a:Kc -t:r u:z"),
        (Some(&without_place), "!u:w -a:Kc -t:r u:z -a:Kc t:r +o:"),
    ] {
        let mut events = vec![SDK_PERSON, &a, &ra, &first, &b, &rb];
        events.extend(second.map(String::as_str));
        assert_eq!(outline(&read(&lines(&events))), expected, "{second:?}");
    }
}

#[test]
fn branches_that_were_left_behind_are_not_active() {
    let parent = |event: &str, parent: &str| event.replacen('{', &format!(r#"{{"parent_id":"{parent}","#), 1);
    let other = SDK_PERSON.replace(r#""id":"p""#, r#""id":"q""#);
    let state = r#"{"id":"u","parent_id":"a","source":"environment","kind":"ConversationStateUpdateEvent"}"#;
    let (a, ra) = (parent(&sdk_call("a", "r"), "p"), parent(&sdk_result("ra", "a"), "a"));
    let last = sdk_call("b", "s");
    for (second, expected) in [
        (parent(&other, "p"), "!u:w -a:Kc -t:r !u:w a:Kc +o:"),
        (parent(&other, "ra"), "!u:w a:Kc t:r !u:w a:Kc +o:"),
        (parent(&other, "__root__"), "-!u:w -a:Kc -t:r !u:w a:Kc +o:"),
        // If the parent is missing, the event before it takes its place.
        (parent(&other, "gone"), "!u:w a:Kc t:r !u:w a:Kc +o:"),
    ] {
        let text = lines(&[SDK_PERSON, &a, &ra, &second, &parent(&last, "q"), state]);
        assert_eq!(outline(&read(&text)), expected, "{second}");
    }
}

#[test]
fn a_summary_is_recorded_as_a_condensation_of_the_sdk() {
    let (a, ra, b, rb) =
        (sdk_call("a", "r"), sdk_result("ra", "a"), sdk_call("b", "s"), sdk_result("rb", "b"));
    let earlier = r#"{"id":"k","source":"environment","kind":"Condensation","forgotten_event_ids":["p"],"summary":"before","summary_offset":0}"#;
    let whole = lines(&[SDK_PERSON, earlier, &a, &ra, &b, &rb]);
    for text in [whole.as_str(), whole.trim_end()] {
        let written = summarized(&read(text), text, "so far").unwrap();
        let added = written.strip_prefix(text).unwrap().trim();
        for member in [
            r#""timestamp":"2026-02-02T02:40:00.000","source":"environment","forgotten_event_ids":["k-summary","a","ra"],"#,
            r#""summary":"so far","summary_offset":0,"llm_response_id":""#,
            r#""kind":"Condensation"}"#,
        ] {
            assert!(added.contains(member), "{added}");
        }
        assert_eq!(outline(&read(&written)), "-!u:w +o: -a:Kc -t:r u:z a:Kc t:r");
    }
    let tree = lines(&[
        SDK_PERSON,
        &a.replacen('{', r#"{"parent_id":"p","#, 1),
        &ra.replacen('{', r#"{"parent_id":"a","#, 1),
        &b.replacen('{', r#"{"parent_id":"ra","#, 1),
        &rb.replacen('{', r#"{"parent_id":"b","#, 1),
    ]);
    let written = summarized(&read(&tree), &tree, "so far").unwrap();
    assert!(written.contains(r#""source":"environment","parent_id":"rb""#), "{written}");
    assert_eq!(outline(&read(&written)), "-!u:w -a:Kc -t:r u:z a:Kc t:r");
}
