use std::num::NonZeroU64;

use crate::plan::PlanOptions;
use crate::policy::Policy;
use crate::profiles;
use crate::session_text::{EditOptions, ReadOptions, SessionText};
use crate::transcript::{Output, PartKind, Role, Turn};

fn read(text: &str) -> SessionText<'static> {
    let options = ReadOptions { format: Some(crate::Format::OpenaiResponses), ..ReadOptions::default() };
    SessionText::read_with(text.to_owned(), &options).unwrap()
}

fn eager(keep: u64) -> Policy {
    let mut policy = profiles::get("ebbline@1").unwrap();
    (policy.prune.protect, policy.prune.minimum, policy.prune.protected_turns) = (0, 0, 0);
    (policy.retain.keep, policy.model.context, policy.trigger.reserve) = (keep, NonZeroU64::new(1), 0);
    policy
}

/// A part: its kind, state, length, and whether it is signed.
type Seen = (PartKind, Output, u32, bool);

/// The parts of a single item, with the length of each.
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
            r#"{"role":"user","content":[{"type":"input_image","image_url":"data:x"},{"type":"input_file","file_data":"abcd"}]}"#,
            &[(Image, Ordinary, 6, false), (File, Ordinary, 4, false)],
        ),
        (
            r#"{"type":"reasoning","summary":[{"text":"ab"}],"content":[{"text":"c"}],"encrypted_content":"gggg"}"#,
            &[(Thinking, Ordinary, 2, false), (Thinking, Ordinary, 1, true)],
        ),
        (r#"{"type":"reasoning","summary":[],"encrypted_content":null}"#, &[(Thinking, Ordinary, 0, false)]),
        (r#"{"type":"compaction","encrypted_content":"gggg"}"#, &[(Summary, Ordinary, 0, true)]),
        (
            r#"{"type":"function_call","name":"f","arguments":"{}","call_id":"c"}"#,
            &[(ToolCall, Ordinary, 2, false)],
        ),
        (
            r#"{"type":"local_shell_call","id":"l","action":{"command":[]}}"#,
            &[(ToolCall, Ordinary, 14, false)],
        ),
        (
            r#"{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"abc"},{"type":"input_image","image_url":"data:"}]}"#,
            &[(ToolResult, Ordinary, 3, false), (Image, Ordinary, 5, false)],
        ),
        (
            r#"{"type":"function_call_output","call_id":"c","output":"[Old tool result content cleared]"}"#,
            &[(ToolResult, Placeholder, 33, false)],
        ),
        (
            r#"{"type":"shell_call_output","call_id":"c","output":[{"stdout":"ab","stderr":"c"},{"stdout":"d"}]}"#,
            &[(ToolResult, Ordinary, 4, false)],
        ),
        (
            r#"{"type":"apply_patch_call_output","call_id":"c","status":"failed","output":"no"}"#,
            &[(ToolResult, Error, 2, false)],
        ),
        (
            r#"{"type":"mcp_call","name":"s","arguments":"{}","output":"abcde"}"#,
            &[(ToolCall, Ordinary, 2, false), (ToolResult, Sealed, 5, false)],
        ),
        (
            r#"{"type":"image_generation_call","result":"iVBORw0KGgo"}"#,
            &[(ToolCall, Ordinary, 0, false), (ToolResult, Sealed, 0, false), (Image, Ordinary, 11, false)],
        ),
        (
            r#"{"type":"code_interpreter_call","code":"1","outputs":[{"type":"logs","logs":"11"},{"type":"image","url":"data:"}]}"#,
            &[(ToolCall, Ordinary, 1, false), (ToolResult, Sealed, 2, false), (Image, Ordinary, 5, false)],
        ),
        (
            r#"{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot","image_url":"data:"}}"#,
            &[(ToolResult, Sealed, 0, false), (Image, Ordinary, 5, false)],
        ),
        (r#"{"type":"item_reference","id":"msg_1"}"#, &[]),
        (r#"{"type":"ghost_snapshot","ghost_commit":{}}"#, &[]),
        (r#"{"type":"news","text":"ab"}"#, &[(Other, Ordinary, 27, false)]),
        (r#"{"type":"news","encrypted_content":"gggg"}"#, &[(Other, Ordinary, 0, true)]),
    ];
    for (item, expected) in cases {
        assert_eq!(parts(item), *expected, "{item}");
    }
}

#[test]
fn the_user_is_told_from_the_application_and_from_summaries() {
    for (content, role, turn, summary) in [
        (r#""hello""#, Role::User, Turn::Person, false),
        (r#"[{"type":"input_text","text":"hello"}]"#, Role::User, Turn::Person, false),
        (
            r#"[{"type":"input_text","text":"hi"},{"type":"input_text","text":"<skill>x"}]"#,
            Role::User,
            Turn::No,
            false,
        ),
        (r##""# AGENTS.md instructions for /w""##, Role::User, Turn::Context, false),
        (r#""\n<TURN_ABORTED>""#, Role::User, Turn::Context, false),
        (r#""[Compaction summary]\n\nit""#, Role::User, Turn::Person, false),
        (
            r#"[{"text":"Another language model started to solve this problem and"}]"#,
            Role::User,
            Turn::Person,
            false,
        ),
        ("null", Role::User, Turn::Person, false),
    ] {
        let session = read(&format!(r#"[{{"type":"message","role":"user","content":{content}}}]"#));
        let message = session.transcript().messages()[0];
        assert_eq!((message.role, message.turn, message.summary), (role, turn, summary), "{content}");
    }
}

#[test]
fn the_output_of_a_shell_stays_a_list() {
    let text = r#"[{"role":"user","content":"x"},{"type":"shell_call","call_id":"c","action":{}},
 {"type":"shell_call_output","call_id":"c","output":[{"stdout":"much text, much text, much text, much text, much text, much text, much text, much text","stderr":"e","outcome":{"type":"exit","exit_code": 3}},{"stdout":"more"}]}]"#;
    let mut policy = eager(0);
    policy.retain.enabled = false;
    let session = read(text);
    let plan = session.plan(&policy);
    let written = session.compact(&plan, &EditOptions::default()).unwrap();
    let output = r#""output":[{"outcome":{"type":"exit","exit_code": 3},"stdout":"[Old tool result content cleared] [ref kijdgfpc]","stderr":""}]}]"#;
    assert!(written.ends_with(output), "{written}");
    let again = read(&written);
    assert_eq!(again.transcript().parts_of(2)[0].output, Output::Pruned);
    assert_eq!(again.plan(&policy).decision.tokens_before, plan.decision.tokens_after);
}

#[test]
fn what_the_server_compacted_stays_in_front_of_a_summary() {
    let compaction = r#"{"type":"compaction","encrypted_content":"g"}"#;
    let long = |role: &str| format!(r#"{{"role":"{role}","content":"{}"}}"#, "long ".repeat(40));
    let [user, answer, newest] =
        [long("user"), long("assistant"), r#"{"role":"user","content":"on"}"#.to_owned()];
    let summary = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"[Compaction summary: it stands for 7 earlier messages; the next 1 are kept word for word] [ref npmboljn]\n\ns"}]}"#;
    for (separator, [before, after]) in [(", ", ["[", " ]"]), ("\n", ["", "\n"])] {
        let list = |items: &[&str]| format!("{before}{}{after}", items.join(separator));
        let text = list(&[&user, &answer, compaction, &user, &answer, &user, &answer, &newest]);
        let session = SessionText::read_with(
            &text,
            &ReadOptions { format: Some(crate::Format::OpenaiResponses), ..ReadOptions::default() },
        )
        .unwrap();
        // The server reads and bills what stands before its compaction, as long as it is sent.
        assert_eq!(session.counts().inactive, 0);
        let plan = session.plan_with(&eager(2), PlanOptions { force: true, ..PlanOptions::default() });
        let options = EditOptions { summary: Some("s".to_owned()), ..EditOptions::default() };
        let written = session.compact(&plan, &options).unwrap();
        assert_eq!(written, list(&[compaction, summary, &newest]));
    }
}

#[test]
fn requests_and_responses_are_read() {
    for (text, messages, roles) in [
        (r#"{"model":"m","input":"hello"}"#, 1, vec![Role::User]),
        (
            r#"{"model":"m","instructions":"be","input":[{"role":"user","content":"x"}]}"#,
            1,
            vec![Role::System, Role::User],
        ),
        (
            r#"{"input":[{"type":"reasoning","summary":[]},{"role":"user","content":"x"}]}"#,
            2,
            vec![Role::Assistant, Role::User],
        ),
        (
            r#"{"object":"response","output":[{"type":"reasoning","summary":[]}],"usage":{"input_tokens":7,"output_tokens":2}}"#,
            1,
            vec![Role::Assistant],
        ),
        (
            r#"{"object":"response.compaction","output":[{"type":"compaction","encrypted_content":"g"}]}"#,
            1,
            vec![Role::User],
        ),
        (
            "{\"type\":\"function_call\",\"call_id\":\"c\"}\n{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":\"\"}",
            2,
            vec![Role::Assistant, Role::Tool],
        ),
    ] {
        let session = SessionText::read(text).unwrap();
        assert_eq!(session.format(), crate::Format::OpenaiResponses, "{text}");
        let found: Vec<_> = session.transcript().messages().iter().map(|message| message.role).collect();
        assert_eq!((session.counts().messages, found), (messages, roles), "{text}");
    }
    let response = r#"{"object":"response","output":[{"role":"assistant","content":"x"}],"usage":{"input_tokens":7,"output_tokens":2}}"#;
    assert_eq!(read(response).transcript().messages()[0].usage, Some(9));
}

#[test]
fn results_are_found_wherever_they_stand_behind_their_call() {
    let call = r#"{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}"#;
    let output = r#"{"type":"function_call_output","call_id":"c","output":"x"}"#;
    let user = r#"{"role":"user","content":"x"}"#;
    for (items, broken) in [
        (vec![call, output], &[][..]),
        (vec![call, user, output], &[]),
        (vec![call], &[]),
        (vec![call, user], &["call_without_result"]),
        (vec![user, output], &["result_without_call"]),
        (vec![output, call], &["result_before_call"]),
        (vec![call, output, output], &["duplicate_result"]),
    ] {
        let text = format!("[{}]", items.join(","));
        let found: Vec<_> = read(&text).validate().iter().map(|violation| violation.rule.name()).collect();
        assert_eq!(found, broken, "{text}");
    }
}
