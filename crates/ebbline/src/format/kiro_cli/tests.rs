use crate::format::carried_out::{pruned, read, summarized};
use crate::transcript::{Output, PartKind, Role};

fn prompt(id: &str, text: &str) -> String {
    format!(
        r#"{{"version":"v1","kind":"Prompt","data":{{"message_id":"{id}","content":[{{"kind":"text","data":"{text}"}}],"meta":{{"timestamp":1790000000}}}}}}"#
    )
}

fn call(id: &str) -> String {
    format!(
        r#"{{"version":"v1","kind":"AssistantMessage","data":{{"message_id":"{id}","content":[{{"kind":"thinking","data":{{"text":"Hm.","signature":"s"}}}},{{"kind":"toolUse","data":{{"toolUseId":"t{id}","name":"read","input":{{"path":"a"}}}}}}]}}}}"#
    )
}

fn result(id: &str, content: &str) -> String {
    format!(
        r#"{{"version":"v1","kind":"ToolResults","data":{{"message_id":"r{id}","content":[{{"kind":"toolResult","data":{{"toolUseId":"t{id}","content":{content},"status":"success"}}}}],"results":{{"t{id}":{{"tool":null,"result":{{"Success":{{"items":[{{"Text":"shown"}}]}}}}}}}}}}}}"#
    )
}

fn answer(id: &str, text: &str) -> String {
    format!(
        r#"{{"version":"v1","kind":"AssistantMessage","data":{{"message_id":"{id}","content":[{{"kind":"text","data":"{text}"}}]}}}}"#
    )
}

const CLEAR: &str = r#"{"version":"v1","kind":"Clear","data":null}"#;

fn sent(text: &str) -> Vec<bool> {
    read(text).transcript().messages().iter().map(|message| message.active).collect()
}

#[test]
fn a_result_is_what_its_blocks_say() {
    let image = r#"{"kind":"image","data":{"format":"png","source":{"kind":"bytes","data":[137,80,78]}}}"#;
    let long = "x".repeat(300);
    let blocks = format!(r#"[{{"kind":"text","data":"{long}"}},{{"kind":"json","data":{{"stdout":"hi"}}}},{image}]"#);
    let text = [prompt("p", "Fix it."), call("a"), result("a", &blocks), answer("b", "Done.")].join("\n");
    let found = read(&text);
    assert_eq!(found.format().name(), "kiro_cli");
    let roles: Vec<_> = found.transcript().messages().iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::Tool, Role::Assistant]);
    let parts: Vec<_> = found.transcript().parts_of(2).iter().map(|part| (part.kind, part.length.utf16)).collect();
    assert_eq!(parts, [(PartKind::ToolResult, 315), (PartKind::Image, 4)]);
    assert_eq!(found.transcript().parts_of(2)[0].output, Output::Ordinary);
    assert_eq!(found.counts().calls_without_result, 0);
    let written = pruned(&text, true);
    let cleared = r#""content":[{"kind":"text","data":"[Old tool result content cleared]"}],"status":"success""#;
    assert!(written.contains(cleared), "{written}");
    assert!(written.contains(r#"{"items":[{"Text":"[Old tool result content cleared]"}]}"#), "{written}");
}

#[test]
fn a_replay_of_the_lines_says_what_is_sent() {
    let compaction = format!(
        r#"{{"version":"v1","kind":"Compaction","data":{{"summary":"So far.","strategy":{{}},"messages_snapshot":[{}]}}}}"#,
        r#"{"id":"c","role":"user","content":[{"kind":"text","data":"Again."}]}"#
    );
    let cancelled = r#"{"version":"v1","kind":"CancelledPrompt"}"#;
    let reset = r#"{"version":"v1","kind":"ResetTo","data":{"target_index":2}}"#;
    let (one, two) = (prompt("p", "One."), answer("a", "Two."));
    let lines = |lines: &[&str]| lines.join("\n");
    let compacted = lines(&[&one, &two, &compaction, &two]);
    assert_eq!(sent(&compacted), [false, false, true, true, true]);
    let messages = read(&compacted);
    let told = messages.transcript().messages()[2];
    assert_eq!((told.summary, told.kept), (true, Some(1)));
    assert_eq!(sent(&lines(&[&one, &two, CLEAR, &one])), [false, false, false, true]);
    assert_eq!(sent(&lines(&[&one, &two, &one, cancelled, cancelled])), [true, true, false, false, false]);
    assert_eq!(sent(&lines(&[&one, &two, &one, reset, &one])), [true, true, false, false, true]);
}

#[test]
fn a_summary_is_a_line_of_kiros() {
    let long = "word ".repeat(80);
    let turn = |turn: usize| [prompt(&format!("p{turn}"), &long), answer(&format!("a{turn}"), &long)];
    let output = format!(r#"[{{"kind":"text","data":"{long}"}}]"#);
    let step = |step: usize| [call(&format!("c{step}")), result(&format!("c{step}"), &output)];
    let turns = (0..4).flat_map(turn).collect::<Vec<_>>().join("\n") + "\n";
    let steps = [prompt("p", "Fix it.")].into_iter().chain((0..4).flat_map(step)).collect::<Vec<_>>().join("\n") + "\n";
    let go_on = r#"{"id":null,"role":"user","content":[{"kind":"text","data":"Go on."}]},"#;
    for (text, before) in [(turns, ""), (steps, go_on)] {
        let written = summarized(&text, 150, "So far.");
        assert!(written.starts_with(&text), "{written}");
        let line = written.trim_end().rsplit('\n').next().unwrap();
        let begins = r#"{"version":"v1","kind":"Compaction","data":{"summary":"So far.","strategy":{"message_pairs_to_exclude":"#;
        assert!(line.starts_with(begins), "{line}");
        assert!(line.contains(&format!(r#""messages_snapshot":[{before}{{"id":""#)), "{line}");
        let found = read(&written);
        let messages = found.transcript().messages();
        let summary = messages.iter().position(|message| message.summary).unwrap();
        assert_eq!(summary, text.lines().count());
        assert!(messages[..summary].iter().all(|message| !message.active), "{written}");
        assert!(messages[summary + 1..].iter().all(|message| message.active), "{written}");
        // What was repeated is summarized once more.
        assert_eq!(summarized(&written, 1, "More.").matches(r#""kind":"Compaction""#).count(), 2);
    }
}

#[test]
fn go_on_is_no_part_of_what_the_summary_says() {
    let long = "x".repeat(400);
    let flat = |id: &str| {
        let content = format!(r#"[{{"kind":"text","data":"{long}"}}]"#);
        format!(r#"{{"kind":"AssistantMessage","message_id":"{id}","content":{content}}}"#)
    };
    let text = [prompt("p", &long), flat("a"), flat("b")].join("\n") + "\n";
    let written = summarized(&text, 90, "So far.");
    assert!(written.contains(r#"Go on."}]},{"id":"a","role":"assistant","content":[{"kind":"text","data":"xxx"#), "{written}");
    let found = read(&written);
    let messages = found.transcript().messages().iter().enumerate().filter(|(_, message)| message.summary);
    let kinds: Vec<_> = messages.map(|(at, _)| found.transcript().parts_of(at)[0].kind).collect();
    // The user's own words end the first: they are told from the text, and stand behind the next summary, too.
    assert_eq!(kinds, [PartKind::Summary, PartKind::Text]);
    let of_another = written.replace("Go on.", "Mine.");
    assert_eq!(read(&of_another).transcript().messages().iter().filter(|message| message.summary).count(), 1);
}

#[test]
fn whatever_stands_there_is_read() {
    let odd = "{\"kind\":\"Prompt\",\"data\":{\"content\":7}}\n{\"kind\":\"ResetTo\",\"data\":{\"target_index\":-1e99}}\n{\"kind\":\"ToolResults\",\"data\":{\"content\":[7,{},{\"kind\":\"toolResult\"},{\"kind\":\"image\"}],\"results\":7}}\n{\"kind\":\"Compaction\",\"data\":{\"messages_snapshot\":[7,{}]}}\n{\"kind\":7}";
    assert_eq!(read(odd).counts().messages, 4);
    pruned(odd, true);
}
