use crate::format::carried_out::{pruned, read, summarized};
use crate::transcript::{PartKind, Role};

const RESULTS: &str = concat!(
    r#"{"c":{"$mid":20,"content":[{"$mid":21,"value":"OUTPUT"}]},"#,
    r#""d":{"$mid":20,"content":[{"$mid":23,"value":{"node":{"type":1,"children":[{"type":2,"text":"ab"},{"type":1,"children":[{"type":2,"text":"cd"}]}]}}}]}}"#
);

fn request(summary: &str) -> String {
    format!(
        concat!(
            r#"{{"requestId":"r1","message":{{"text":"Fix it.","parts":[]}},"response":[{{"value":"shown"}}],"result":{{"metadata":{{"#,
            r#""toolCallRounds":[{{"id":"k1","response":"Looking.","thinking":{{"id":"t","text":"Hm.","encrypted":"e"}},"toolCalls":[{{"id":"c","name":"read_file","arguments":"{{}}"}},{{"id":"d","name":"grep","arguments":"{{}}"}}]}},"#,
            r#"{{"id":"k2","response":"Done.","toolCalls":[]}}],"toolCallResults":{}{}}}}}}}"#
        ),
        RESULTS, summary
    )
}

fn session(requests: &[String]) -> String {
    format!(
        r#"{{"version":3,"responderUsername":"GitHub Copilot","sessionId":"s","requests":[{}]}}"#,
        requests.join(",")
    )
}

fn plain() -> String {
    r#"{"requestId":"r2","message":{"text":"And now?"},"response":[{"value":"Nothing."},{"kind":"toolInvocationSerialized","toolId":"t"}]}"#.to_owned()
}

#[test]
fn rounds_and_results_are_what_the_model_gets() {
    let text = session(&[request(""), plain()]);
    let found = read(&text);
    assert_eq!(found.format().name(), "vscode_chat");
    let roles: Vec<_> = found.transcript().messages().iter().map(|message| message.role).collect();
    assert_eq!(
        roles,
        [Role::User, Role::Assistant, Role::Tool, Role::Tool, Role::Assistant, Role::User, Role::Assistant]
    );
    let kinds: Vec<_> = found.transcript().parts_of(1).iter().map(|part| part.kind).collect();
    assert_eq!(kinds, [PartKind::Thinking, PartKind::Text, PartKind::ToolCall, PartKind::ToolCall]);
    assert_eq!(found.transcript().parts_of(3)[0].length.utf16, 4);
    assert_eq!(found.counts().calls_without_result, 0);
    let long = text.replace("OUTPUT", &"x".repeat(300));
    let cleared = r#""c":{"$mid":20,"content":[{"$mid":21,"value":"[Old tool result content cleared]"}]}"#;
    assert!(pruned(&long, true).contains(cleared), "{}", pruned(&long, true));
}

#[test]
fn lines_change_a_session() {
    let result = request("");
    let at = result.find(r#""result":"#).unwrap() + 9;
    let lines = [
        r#"{"kind":0,"v":{"version":3,"responderUsername":"GitHub Copilot","requests":[]}}"#.to_owned(),
        r#"{"kind":1,"k":["inputState","inputText"],"v":"Fix"}"#.to_owned(),
        r#"{"kind":2,"k":["requests"],"v":[{"requestId":"r1","message":{"text":"Fix it."},"response":[]}]}"#.to_owned(),
        r#"{"kind":2,"k":["requests",0,"response"],"v":[{"value":"shown"}]}"#.to_owned(),
        format!(r#"{{"kind":1,"k":["requests",0,"result"],"v":{}}}"#, &result[at..result.len() - 1]),
        format!(r#"{{"kind":2,"k":["requests"],"i":1,"v":[{}]}}"#, plain()),
    ];
    let found = read(&lines.join("\n"));
    assert_eq!(found.counts().messages, read(&session(&[request(""), plain()])).counts().messages);
    let undone = format!("{}\n{}", lines.join("\n"), r#"{"kind":2,"k":["requests"],"i":1,"v":[]}"#);
    assert_eq!(read(&undone).counts().messages, 5);
}

#[test]
fn a_summary_stands_for_everything_up_to_its_round() {
    let later = plain().replace(
        r#""response""#,
        r#""result":{"metadata":{"summary":{"toolCallRoundId":"k1","text":"So far."}}},"response""#,
    );
    let several = r#","summary":{"toolCallRoundId":"k2","text":"Old."},"summaries":[{"toolCallRoundId":"k2","text":"Older."},{"toolCallRoundId":"k1","text":"So far."}]"#;
    for text in [
        session(&[request(r#","summary":{"toolCallRoundId":"k1","text":"So far."}"#), plain()]),
        session(&[request(several), plain()]),
        session(&[request(""), later]),
    ] {
        let found = read(&text);
        let messages = found.transcript().messages();
        let active: Vec<_> = messages.iter().map(|message| message.active).collect();
        assert_eq!(active, [false, false, false, false, true, true, true, true], "{text}");
        assert!(messages[4].summary);
    }
}

#[test]
fn a_summary_is_written_to_the_last_round_that_it_replaces() {
    let long = "x".repeat(600);
    let one = request("").replace("OUTPUT", &long);
    let asked = r#"{"requestId":"r2","message":{"text":"And now?"},"response":[]}"#.to_owned();
    for (requests, round) in [(vec![one.clone(), asked], "k2"), (vec![one.clone()], "k1")] {
        let written = summarized(&session(&requests), 1, "So far.");
        let at = written.find(r#","summary":"So far."}"#).unwrap();
        assert!(written[..at].rfind(r#"{"id":"k"#) == written.find(&format!(r#"{{"id":"{round}""#)), "{written}");
        let found = read(&written);
        let messages = found.transcript().messages();
        let summary = messages.iter().position(|message| message.summary).unwrap();
        assert!(messages[..summary].iter().all(|message| !message.active), "{written}");
        assert!(messages[summary..].iter().all(|message| message.active), "{written}");
    }
}

#[test]
fn a_cut_behind_no_round_has_no_place_for_a_summary() {
    let long = plain().replace("Nothing.", &"word ".repeat(200));
    let session = read(&session(&[long.clone(), long.clone(), long]));
    let mut policy = crate::profiles::get("ebbline@1").unwrap();
    policy.retain.keep = 1;
    let plan = session.plan_with(&policy, crate::PlanOptions::new().force(true));
    let error = session.compact(&plan, &crate::EditOptions::new().summary("So far.")).unwrap_err();
    assert_eq!((error.code(), error.message()), ("no_place_for_summary", super::write::BEHIND_NONE));
}

#[test]
fn whatever_stands_there_is_read() {
    let odd = session(
        &[
            "7",
            "null",
            "{}",
            r#"{"message":7,"response":7,"result":{"metadata":{"toolCallRounds":[7,{},{"toolCalls":[7,{"id":"c"}]}],"toolCallResults":{"c":{"content":[7,{"value":{}}]}}}}}"#,
        ]
        .map(str::to_owned),
    );
    assert_eq!(read(&odd).counts().messages, 8);
    pruned(&odd, true);
}
