use crate::session_text::{EditOptions, ReadOptions, SessionText};
use crate::transcript::{Output, PartKind, Role};

fn read(text: &str) -> SessionText<'static> {
    let options = ReadOptions { format: Some(crate::Format::OpenaiAgents), ..ReadOptions::default() };
    SessionText::read_with(text.to_owned(), &options).unwrap()
}

/// A part: its kind, state, length, and whether it is signed.
type Seen = (PartKind, Output, u32, bool);

/// The parts of a single item.
fn parts(item: &str) -> Vec<Seen> {
    let session = read(&format!("[{item}]"));
    session
        .transcript()
        .parts_of(0)
        .iter()
        .map(|part| (part.kind, part.output, part.length.utf16, part.signed))
        .collect()
}

#[test]
fn items_hold_what_is_sent_and_nothing_else() {
    use Output::{Error, Ordinary, Placeholder, Sealed};
    use PartKind::{File, Image, Other, Summary, Text, Thinking, ToolCall, ToolResult};
    let cases: &[(&str, &[Seen])] = &[
        (r#"{"role":"user","content":"abc"}"#, &[(Text, Ordinary, 3, false)]),
        (
            r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ab"},{"type":"refusal","refusal":"no"}]}"#,
            &[(Text, Ordinary, 2, false), (Text, Ordinary, 2, false)],
        ),
        (
            r#"{"role":"user","content":[{"type":"input_image","image":"data:x"},{"type":"input_file","file":{"id":"file_1"}},{"type":"audio","audio":"abcd"}]}"#,
            &[(Image, Ordinary, 6, false), (File, Ordinary, 6, false), (File, Ordinary, 4, false)],
        ),
        (
            r#"{"type":"reasoning","content":[{"type":"input_text","text":"ab"}],"rawContent":[{"text":"c"}],"providerData":{"encrypted_content":"gggg","content":[{"text":"c"}]}}"#,
            &[(Thinking, Ordinary, 2, false), (Thinking, Ordinary, 1, true)],
        ),
        (
            r#"{"type":"reasoning","content":[],"providerData":{"encryptedContent":"g"}}"#,
            &[(Thinking, Ordinary, 0, true)],
        ),
        (r#"{"type":"compaction","encrypted_content":"gggg"}"#, &[(Summary, Ordinary, 0, true)]),
        (
            r#"{"type":"function_call","name":"f","arguments":"{}","callId":"c"}"#,
            &[(ToolCall, Ordinary, 2, false)],
        ),
        (
            r#"{"type":"function_call_result","callId":"c","output":{"type":"text","text":"abc"}}"#,
            &[(ToolResult, Ordinary, 3, false)],
        ),
        (
            r#"{"type":"function_call_result","callId":"c","output":{"type":"text","text":"[Old tool result content cleared]"}}"#,
            &[(ToolResult, Placeholder, 33, false)],
        ),
        (
            r#"{"type":"function_call_result","callId":"c","output":{"type":"image","image":{"data":"abcd","mediaType":"image/png"}}}"#,
            &[(ToolResult, Ordinary, 0, false), (Image, Ordinary, 4, false)],
        ),
        (
            r#"{"type":"function_call_result","callId":"c","output":[{"type":"input_text","text":"abc"},{"type":"input_image","image":"data:"}]}"#,
            &[(ToolResult, Ordinary, 3, false), (Image, Ordinary, 5, false)],
        ),
        (
            r#"{"type":"apply_patch_call_output","callId":"c","status":"failed","output":"no"}"#,
            &[(ToolResult, Error, 2, false)],
        ),
        (
            r#"{"type":"hosted_tool_call","name":"mcp_call","output":"abcde","providerData":{"type":"mcp_call","name":"s","arguments":"{}"}}"#,
            &[(ToolCall, Ordinary, 2, false), (ToolResult, Sealed, 5, false)],
        ),
        (
            r#"{"type":"hosted_tool_call","name":"image_generation_call","output":"iVBORw0KGgo"}"#,
            &[(ToolCall, Ordinary, 0, false), (ToolResult, Sealed, 0, false), (Image, Ordinary, 11, false)],
        ),
        (
            r#"{"type":"hosted_tool_call","name":"mcp_list_tools","providerData":{"tools":[]}}"#,
            &[(Other, Ordinary, 12, false)],
        ),
        (
            r#"{"type":"computer_call_result","callId":"c","output":{"type":"computer_screenshot","data":"data:"}}"#,
            &[(ToolResult, Sealed, 0, false), (Image, Ordinary, 5, false)],
        ),
        (r#"{"type":"unknown","providerData":{"type":"news"}}"#, &[(Other, Ordinary, 15, false)]),
        (r#"{"type":"unknown","providerData":{"encrypted_content":"g"}}"#, &[(Other, Ordinary, 0, true)]),
    ];
    for (item, expected) in cases {
        assert_eq!(parts(item), *expected, "{item}");
    }
}

#[test]
fn an_output_keeps_its_form_when_it_is_cleared() {
    let long = "much text ".repeat(20);
    let call =
        |id: &str| format!(r#"{{"type":"function_call","callId":"{id}","name":"f","arguments":"{{}}"}}"#);
    let text = |id: &str, output: &str| {
        format!(r#"{{"type":"function_call_result","callId":"{id}","output": {output}}}"#)
    };
    let before = [
        r#"{"role":"user","content":"x"}"#.to_owned(),
        call("a"),
        text("a", &format!(r#"{{"type":"text","text":"{long}","providerData":{{}}}}"#)),
        call("b"),
        text("b", &format!(r#""{long}""#)),
        call("c"),
        text("c", &format!(r#"[{{"type":"input_text","text":"{long}"}}]"#)),
    ];
    let mut policy = crate::profiles::get("pi@1.5").unwrap();
    policy.prune = crate::profiles::get("ebbline@1").unwrap().prune;
    (policy.prune.protect, policy.prune.minimum, policy.prune.protected_turns) = (0, 0, 0);
    (policy.prune.reference, policy.retain.enabled) = (false, false);
    let session = read(&format!("[{}]", before.join(", ")));
    let written = session.compact(&session.plan(&policy), &EditOptions::default()).unwrap();
    let cleared = r#""[Old tool result content cleared]""#;
    let after = [
        before[0].clone(),
        call("a"),
        text("a", &format!(r#"{{"type":"text","text":{cleared}}}"#)),
        call("b"),
        text("b", cleared),
        call("c"),
        text("c", cleared),
    ];
    assert_eq!(written, format!("[{}]", after.join(", ")));
}

#[test]
fn what_a_run_hands_over_and_returns_is_read() {
    for (text, roles) in [
        (
            r#"{"instructions":"be","input":[{"type":"function_call","callId":"c","name":"f","arguments":"{}"}]}"#,
            vec![Role::System, Role::Assistant],
        ),
        (
            "{\"role\":\"user\",\"content\":\"x\"}\n{\"type\":\"function_call_result\",\"callId\":\"c\",\"output\":\"\"}",
            vec![Role::User, Role::Tool],
        ),
    ] {
        let session = SessionText::read(text).unwrap();
        assert_eq!(session.format(), crate::Format::OpenaiAgents, "{text}");
        let found: Vec<_> = session.transcript().messages().iter().map(|message| message.role).collect();
        assert_eq!(found, roles, "{text}");
    }
}

#[test]
fn a_list_of_messages_only_is_read_as_items_if_they_are_asked_for() {
    let text = r#"[{"role":"user","content":[{"type":"input_text","text":"hello"}]}]"#;
    assert_eq!(SessionText::read(text).unwrap().format(), crate::Format::OpenaiResponses);
    assert_eq!(read(text).format(), crate::Format::OpenaiAgents);
    let items = r#"[{"type":"function_call","callId":"c","name":"f","arguments":"{}"}]"#;
    let options = ReadOptions { format: Some(crate::Format::OpenaiResponses), ..ReadOptions::default() };
    assert_eq!(SessionText::read_with(items, &options).unwrap_err().code(), "wrong_format");
}
