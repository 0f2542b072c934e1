use std::num::NonZeroU64;

use crate::profiles;
use crate::session_text::Counts;
use crate::transcript::{Output, PartKind, Role, Turn};
use crate::{EditOptions, Format, PlanOptions, Policy, ReadOptions, SessionText};

const HEAD: &str = r#"{"sessionId":"s","projectHash":"h","startTime":"t"}"#;

fn read(text: &str) -> SessionText<'static> {
    let format = Some(Format::GeminiCli);
    SessionText::read_with(text.to_owned(), &ReadOptions { format, ..ReadOptions::default() }).unwrap()
}

fn user(id: &str, text: &str) -> String {
    format!(
        r#"{{"id":"{id}","timestamp":"2026-01-01T00:00:0{}Z","type":"user","content":[{{"text":"{text}"}}]}}"#,
        id.len()
    )
}

fn gemini(id: &str, more: &str) -> String {
    format!(r#"{{"id":"{id}","timestamp":"2026-01-01T00:00:01Z","type":"gemini","content":""{more}}}"#)
}

fn calls(id: &str, result: &str) -> String {
    format!(
        r#","toolCalls":[{{"id":"{id}","name":"read_file","args":{{}},"result":{result},"status":"success"}}]"#
    )
}

fn answered(id: &str, text: &str) -> String {
    let response = format!(r#"{{"id":"{id}","name":"read_file","response":{{"output":"{text}"}}}}"#);
    calls(id, &format!(r#"[{{"functionResponse":{response}}}]"#))
}

fn log(lines: &[String]) -> String {
    let lines = std::iter::once(HEAD).chain(lines.iter().map(String::as_str));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The ids of the messages, in brackets if inactive.
fn outline(source: &str) -> String {
    let session = read(source);
    let message = |index: usize| {
        let span = session.span(index);
        let id =
            source.get(span).and_then(|message| message.split('"').nth(3)).unwrap_or_default().to_owned();
        if session.transcript().messages()[index].active { id } else { format!("[{id}]") }
    };
    (0..session.transcript().messages().len()).map(message).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_log_is_followed_as_the_cli_follows_it() {
    let [a, b, c] = ["a", "b", "c"].map(|id| user(id, id));
    let rewind = |id: &str| format!(r#"{{"$rewindTo":"{id}"}}"#);
    let set = |messages: &[&String]| {
        let messages: Vec<_> = messages.iter().map(|message| message.as_str()).collect();
        format!(r#"{{"$set":{{"messages":[{}]}}}}"#, messages.join(","))
    };
    let touched = r#"{"$set":{"lastUpdated":"t"}}"#.to_owned();
    let whole = HEAD.replace('}', &format!(r#","messages":[{a},{b}]}}"#));
    let torn = r#"{"id":"x","type":"us"#.to_owned();
    for (lines, expected) in [
        (vec![a.clone(), b.clone(), a.clone()], "a b"),
        (vec![a.clone(), touched, b.clone(), torn], "a b"),
        (vec![a.clone(), b.clone(), c.clone(), rewind("b")], "a [b] [c]"),
        (vec![a.clone(), b.clone(), rewind("nobody"), c.clone()], "[a] [b] c"),
        (vec![a.clone(), b.clone(), rewind("b"), c.clone(), b.clone()], "a c b"),
        (vec![a.clone(), b.clone(), rewind("b"), rewind("b")], "[a] [b]"),
        (vec![a.clone(), b.clone(), set(&[&c, &b]), a.clone()], "c b a"),
        (vec![a.clone(), b.clone(), set(&[]), c.clone()], "[a] [b] c"),
        (vec![whole, c.clone(), rewind("b")], "a [b] [c]"),
    ] {
        assert_eq!(outline(&log(&lines)), expected, "{lines:?}");
    }
}

#[test]
fn a_message_is_read_as_it_was_written_last() {
    let tokens = r#","tokens":{"input":90,"output":5,"cached":80,"thoughts":4,"tool":1,"total":0}"#;
    let done = tokens.to_owned() + &answered("c", "the text");
    let session = read(&log(&[user("a", "go"), gemini("b", tokens), user("d", "and"), gemini("b", &done)]));
    let counts = Counts { messages: 3, calls: 1, results: 1, result_chars: 8, ..Counts::default() };
    assert_eq!(session.counts(), counts);
    assert_eq!(session.transcript().messages()[1].usage, Some(100));
}

#[test]
fn what_is_never_sent_has_no_parts() {
    let message = |kind: &str, content: &str| format!(r#"{{"id":"a","type":"{kind}","content":{content}}}"#);
    for (kind, content, sent) in [
        ("info", r#""1 update""#, false),
        ("warning", r#"[{"text":"slow"}]"#, false),
        ("user", r#""/stats""#, false),
        ("user", r#"[{"text":" "},"?"]"#, false),
        ("user", r#"{"text":"<hook_context>x"}"#, false),
        ("user", r#""""#, false),
        ("user", "null", false),
        ("user", r#"[{"inlineData":{}},{"text":"/x"}]"#, true),
        ("user", r#""<session_context>""#, true),
        ("user", r#""see /etc""#, true),
        ("gemini", r#"[{"text":"hm","thought":true}]"#, false),
        ("gemini", r#"{"text":"hm"}"#, true),
    ] {
        let session = read(&log(&[message(kind, content), user("b", "x")]));
        assert_eq!(session.transcript().parts_of(0).is_empty(), !sent, "{kind} {content}");
        assert_eq!(session.counts().inactive, 0, "{kind} {content}");
    }
}

#[test]
fn the_cli_speaks_in_the_users_name() {
    for (text, turn, summary) in [
        ("System: Please continue.", Turn::Synthetic, false),
        ("<session_context>\\nToday is Monday", Turn::Context, false),
        ("<state_snapshot>x</state_snapshot>", Turn::Person, false),
        ("what is <state_snapshot>?", Turn::Person, false),
        ("continue", Turn::Person, false),
    ] {
        let session = read(&log(&[user("a", text), user("b", "x")]));
        let message = session.transcript().messages()[0];
        assert_eq!((message.turn, message.summary), (turn, summary), "{text}");
    }
    let reply = gemini("b", "")
        .replace(r#""content":"""#, r#""content":"Got it. Thanks for the additional context!""#);
    let session = read(&log(&[user("a", "I think.\\n<state_snapshot>x"), reply]));
    assert!(session.transcript().messages()[0].summary);
}

#[test]
fn results_are_read_in_every_spelling() {
    let response =
        |text: &str| format!(r#"{{"functionResponse":{{"id":"c","name":"n","response":{text}}}}}"#);
    let image = r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"}}"#;
    let other = response(r#"{"output":"of another"}"#).replace(r#""id":"c""#, r#""id":"d""#);
    for (result, expected) in [
        (r#""four""#.to_owned(), Some((Output::Ordinary, 4))),
        ("null".to_owned(), None),
        ("[]".to_owned(), None),
        (format!("[{}]", response(r#"{"output":"four"}"#)), Some((Output::Ordinary, 4))),
        (response(r#"{"output":"four"}"#), Some((Output::Ordinary, 4))),
        (format!("[{}]", response(r#"{"error":"four"}"#)), Some((Output::Error, 4))),
        (format!("[{}]", response(r#"{"a":[1]}"#)), Some((Output::Ordinary, 9))),
        (format!("[{},{image}]", response(r#"{"output":"four"}"#)), Some((Output::Ordinary, 4))),
        (format!("[{},{other}]", response(r#"{"output":"four"}"#)), Some((Output::Ordinary, 4))),
        (format!(r#"[{},"four"]"#, response(r#"{"output":"four"}"#)), Some((Output::Ordinary, 8))),
        (format!("[{}]", response(r#"{"output":"<tool_output_masked>\n…"}"#)), Some((Output::Ordinary, 22))),
        // The file's name contains the id of the call, which a tool is not told.
        (
            format!("[{}]", response(r#"{"output":"<tool_output_masked>\n/a/n_c_7.txt"}"#)),
            Some((Output::Pruned, 33)),
        ),
    ] {
        let session = read(&log(&[user("a", "x"), gemini("b", &calls("c", &result))]));
        let parts = session.transcript().parts_of(1);
        let found = parts.iter().find(|part| part.kind == PartKind::ToolResult);
        assert_eq!(found.map(|part| (part.output, part.length.utf16)), expected, "{result}");
        let images = parts.iter().filter(|part| part.kind == PartKind::Image && part.call == parts[0].call);
        assert_eq!(images.count(), usize::from(result.contains("inlineData")), "{result}");
    }
}

/// Prunes every output.
fn pruning() -> Policy {
    let mut policy = profiles::get("tunacode@2026-01").unwrap();
    (policy.prune.protect, policy.prune.minimum, policy.prune.minimum_turns) = (0, 0, 0);
    (policy.prune.protected_turns, policy.prune.errors, policy.prune.short_outputs) = (0, true, true);
    policy.prune.placeholder = "-".to_owned();
    policy
}

fn pruned(source: &str, options: &EditOptions) -> String {
    let session = read(source);
    let plan = session.plan(&pruning());
    session.compact(&plan, options).unwrap()
}

#[test]
fn a_pruned_result_is_still_a_response_to_its_call() {
    let response =
        |text: &str| format!(r#"{{"functionResponse":{{"id":"c","name":"n","response":{text}}}}}"#);
    let image = r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"}}"#;
    let anew = r#"[{"functionResponse":{"id":"c","name":"read_file","response":{"output":"-"}}}]"#.to_owned();
    for (before, after) in [
        (r#""long enough""#.to_owned(), r#""-""#.to_owned()),
        (
            format!("[ {} ]", response(r#"{"error":"long enough"}"#)),
            format!("[ {} ]", response(r#"{"output":"-"}"#)),
        ),
        (format!("[{},{image}]", response(r#"{"output":"long enough"}"#)), anew.clone()),
        (r#"[{"text":"long enough"}]"#.to_owned(), anew),
    ] {
        let [before, after] =
            [before, after].map(|result| log(&[user("a", "x"), gemini("b", &calls("c", &result))]));
        assert_eq!(pruned(&before, &EditOptions::default()), after);
        assert_eq!(pruned(&after, &EditOptions::default()), after);
    }
}

#[test]
fn what_the_user_saw_goes_only_when_bytes_are_to_be_freed() {
    let shown =
        answered("c", "long enough").replace(r#""status""#, r#""resultDisplay":{"fileDiff":"+"},"status""#);
    let source = log(&[user("a", "x"), gemini("b", &shown)]);
    assert!(pruned(&source, &EditOptions::default()).contains(r#""resultDisplay":{"fileDiff":"+"}"#));
    let freed = pruned(&source, &EditOptions { free_bytes: true, ..EditOptions::default() });
    assert!(freed.contains(r#""resultDisplay":"-""#));
}

#[test]
fn a_result_with_its_own_message_is_read_once_and_pruned_in_both_places() {
    let content = r#"[{"functionCall":{"id":"c","name":"read_file","args":{}},"thoughtSignature":"s"}]"#;
    let call = gemini("b", &answered("c", "long enough"))
        .replace(r#""content":"""#, &format!(r#""content":{content}"#));
    let result = r#"{"id":"d","type":"user","content":[{"functionResponse":{"id":"c","response":{"output":"long enough"}}}]}"#;
    let source = log(&[user("a", "x"), call, result.to_owned()]);
    let session = read(&source);
    let counts = session.counts();
    assert_eq!((counts.calls, counts.results, counts.calls_without_result), (1, 1, 0));
    assert_eq!(session.transcript().messages()[2].role, Role::Tool);
    assert!(session.validate().is_empty());
    assert_eq!(pruned(&source, &EditOptions::default()), source.replace("long enough", "-"));
}

/// Summarizes all but the last message.
fn summarized(source: &str) -> String {
    let mut policy = pruning();
    (policy.retain.enabled, policy.retain.keep) = (true, 1);
    (policy.model.context, policy.trigger.reserve) = (NonZeroU64::new(1), 0);
    let session = read(source);
    let plan = session.plan_with(&policy, PlanOptions { force: true, ..PlanOptions::default() });
    let options = EditOptions { summary: Some("So far.".to_owned()), now: Some(0), ..EditOptions::default() };
    session.compact(&plan, &options).unwrap()
}

#[test]
fn a_summary_is_a_snapshot_and_the_answer_to_it() {
    let usage = r#","tokens":{"total":900}"#;
    let old = gemini("b", &(usage.to_owned() + &answered("c", &"long ".repeat(99))));
    let new = gemini("e", &(usage.to_owned() + &answered("f", &"long ".repeat(99))));
    let messages = [user("a", "first"), old, user("d", "second"), new];
    let source = log(&messages);
    let written = summarized(&source);
    // The old lines stay; the kept messages are copied, pruned.
    let line = written.strip_prefix(&source).unwrap();
    assert!(
        line.starts_with(r#"{"$set":{"messages":[{"id":"summary-1","timestamp":"2026-01-01T00:00:01Z","#)
    );
    assert!(line.ends_with("}}\n") && line.contains(r"<state_snapshot>\nSo far.\n</state_snapshot>"));
    assert!(line.contains(r#"{"output":"-"}"#) && !line.contains("long"));
    assert_eq!(outline(&written), "[a] [b] [d] summary-1 summary-1-answer e");
    let whole = HEAD.replace('}', &format!(r#","messages":[{}]}}"#, messages.join(" ,\n")));
    let written = summarized(&whole);
    assert_eq!(outline(&written), "summary-1 summary-1-answer e");
    let session = read(&written);
    let messages = session.transcript().messages();
    assert!(messages[0].summary && messages.iter().all(|message| message.usage.is_none()));
    assert_eq!(session.transcript().parts_of(0)[0].kind, PartKind::Summary);
}

#[test]
fn anything_is_read() {
    for text in [
        "7",
        "[]",
        "[null,7,[],{}]",
        r#"{"messages":7}"#,
        r#"{"messages":[{"type":"gemini","toolCalls":[null,{}]}]}"#,
        r#"[{"type":"gemini","toolCalls":[{"result":[null,7,{"functionResponse":7}]}],"content":[null]}]"#,
        "{\"$rewindTo\":7}\n{\"$set\":null}\n{\"$set\":{\"messages\":{}}}\n{\"id\":\"a\"}",
    ] {
        let session = read(text);
        let plan = session.plan(&pruning());
        let written = session.compact(&plan, &EditOptions::default()).unwrap();
        assert!(crate::json::Document::parse(&written).is_ok() || text.contains('\n'), "{written}");
    }
}
