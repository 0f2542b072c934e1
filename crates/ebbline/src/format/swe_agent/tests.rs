//! Unusual trajectories, each in a separate file.

use crate::format::carried_out::{asked, pruned, read, summarized};
use crate::plan::PlanOptions;
use crate::profiles;
use crate::session_text::{EditOptions, SessionText};
use crate::transcript::{Output, PartKind, Role, Turn};

const P: &str = "[Old tool result content cleared]";

/// A trajectory with this history, and steps.
fn trajectory(history: &str, steps: &str) -> String {
    format!(r#"{{"trajectory":[{steps}],"history":[{history}],"info":{{}}}}"#)
}

/// Each message as its role, turn and parts.
fn outline(session: &SessionText) -> Vec<String> {
    let messages = session.transcript().messages().iter().enumerate();
    messages
        .map(|(index, message)| {
            let role = match message.role {
                Role::System => "system",
                Role::User if message.summary => "summary",
                Role::User => "user",
                Role::Assistant => "assistant",
                Role::Tool => "tool",
                Role::Other => "other",
            };
            let turn = match message.turn {
                Turn::Person => "!",
                Turn::Synthetic => "~",
                Turn::Context => "+",
                Turn::No => "",
            };
            let parts =
                session.transcript().parts_of(index).iter().map(|part| match (part.kind, part.output) {
                    (PartKind::ToolResult, Output::Sealed) => "sealed",
                    (PartKind::ToolResult, Output::Pruned) => "pruned",
                    (PartKind::ToolResult, _) => "result",
                    (PartKind::ToolCall, _) => "call",
                    (PartKind::Thinking, _) if part.signed => "signed thinking",
                    (PartKind::Thinking, _) => "thinking",
                    (PartKind::Image, _) => "image",
                    _ => "text",
                });
            format!("{role}{turn}: {}", parts.collect::<Vec<_>>().join(", "))
        })
        .collect()
}

const SYSTEM: &str = r#"{"role":"system","content":"s","agent":"main","message_type":"system_prompt"}"#;
const TASK: &str = r#"{"role":"user","content":"the task","agent":"main","message_type":"observation"}"#;

fn action(id: &str) -> String {
    format!(
        concat!(
            r#"{{"role":"assistant","content":"now","thought":"now","action":"ls","agent":"main","message_type":"action","#,
            r#""tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"bash","arguments":"{{}}"}}}}]}}"#
        ),
        id = id
    )
}

fn observed(id: &str, content: &str, more: &str) -> String {
    format!(
        r#"{{"role":"tool","content":{content},"agent":"main","message_type":"observation","tool_call_ids":["{id}"]{more}}}"#
    )
}

fn long(word: &str) -> String {
    format!("{:?}", word.repeat(100))
}

#[test]
fn entries_are_what_their_message_type_says() {
    let text = trajectory(
        &[
            SYSTEM,
            r#"{"role":"user","content":"like this","is_demo":true,"message_type":"demonstration","agent":"main"}"#,
            // A demonstration step by step: its observations are as fixed as the prompt.
            r#"{"role":"user","content":"a demo's task","is_demo":true,"message_type":"observation","agent":"main"}"#,
            TASK,
            r#"{"role":"assistant","content":"","message_type":"action","agent":"main","tool_calls":null,
                "thinking_blocks":[{"type":"thinking","thinking":"t","signature":"s"}],"action":"ls"}"#,
            // Without function calling, an observation is a user message.
            r#"{"role":"user","content":"a.py","message_type":"observation","agent":"main"}"#,
            &action("c1"),
            &observed("c1", "\"b.py\"", r#","tags":["keep_output"]"#),
            &action("c2"),
            &observed("c2", "\"Old environment output: (7 lines omitted)\"", ""),
            r#"{"role":"assistant","content":"done","message_type":"action","agent":"main"}"#,
        ]
        .join(","),
        "",
    );
    let session = read(&text);
    assert_eq!(
        outline(&session),
        [
            "system: text",
            "user+: text",
            "tool: sealed",
            "user!: sealed",
            "assistant: signed thinking, text",
            "tool: result",
            "assistant: text, call",
            "tool: sealed",
            "assistant: text, call",
            "tool: result",
            "assistant: text",
        ]
    );
    let ended: Vec<_> = session.transcript().messages().iter().map(|message| message.ended).collect();
    assert_eq!(ended.iter().filter(|ended| **ended).count(), 1);
    assert_eq!(ended.last(), Some(&true));
    let counts = session.counts();
    assert_eq!((counts.results, counts.results_without_call, counts.calls_without_result), (5, 0, 0));
}

#[test]
fn before_1_0_what_the_user_says_after_the_task_is_an_observation() {
    let text = trajectory(
        concat!(
            r#"{"role":"system","content":"s","agent":"primary"},"#,
            r#"{"role":"user","content":"a demonstration","agent":"primary","is_demo":true},"#,
            r#"{"role":"user","content":"the issue","agent":"primary"},"#,
            r#"{"role":"assistant","content":"ls","agent":"primary"},"#,
            r#"{"role":"user","content":"a.py","agent":"primary"}"#
        ),
        "",
    );
    let expected = ["system: text", "user+: text", "user!: text", "assistant: text", "tool: result"];
    assert_eq!(outline(&read(&text)), expected);
}

#[test]
fn an_observation_keeps_its_spelling_and_the_task_is_never_pruned() {
    let task = TASK.replace("the task", &"the task ".repeat(60));
    let marked =
        format!(r#"[{{"type":"text","text":{},"cache_control":{{"type":"ephemeral"}}}}]"#, long("a"));
    let several = format!(r#"[{{"type":"text","text":{}}},{{"type":"text","text":"b"}}]"#, long("b"));
    let history = |first: &str, second: &str, third: &str| {
        let pairs = [("c1", first), ("c2", second), ("c3", third)];
        let pairs = pairs.map(|(id, content)| format!("{},{}", action(id), observed(id, content, "")));
        trajectory(&format!("{SYSTEM},{task},{}", pairs.join(",")), "")
    };
    let quoted = format!("{P:?}");
    assert_eq!(
        pruned(&history(&long("x"), &marked, &several), false),
        history(
            &quoted,
            &format!(r#"[{{"type":"text","text":{quoted},"cache_control":{{"type":"ephemeral"}}}}]"#),
            &format!(r#"[{{"type":"text","text":{quoted}}}]"#)
        )
    );
}

#[test]
fn an_image_goes_with_the_result_of_a_call_and_holds_on_to_any_other() {
    let image = format!(
        r#"[{{"type":"text","text":{}}},{{"type":"image_url","image_url":{{"url":"data:image/png;base64,iVBO"}}}}]"#,
        long("x")
    );
    let unpaired =
        format!(r#"{{"role":"user","content":{image},"message_type":"observation","agent":"main"}}"#);
    let history = |paired: &str| {
        let pair = format!("{},{}", action("c1"), observed("c1", paired, ""));
        trajectory(&[SYSTEM, TASK, &pair, r#"{"role":"assistant","content":"go"}"#, &unpaired].join(","), "")
    };
    assert_eq!(
        outline(&read(&history(&image)))[3..],
        ["tool: result, image", "assistant: text", "tool: sealed, image"]
    );
    assert_eq!(pruned(&history(&image), false), history(&format!(r#"[{{"type":"text","text":"{P}"}}]"#)));
}

#[test]
fn prompts_and_steps_repeat_an_observation_and_are_cleared_on_request_only() {
    let printed = long("x");
    let told = format!(r#""Observation: {}\nbash-$""#, "x".repeat(100));
    let steps = |printed: &str, told: &str| {
        let query = [SYSTEM, TASK, &action("c1"), &observed("c1", told, "")].join(",");
        [
            r#"{"action":"oops","observation":"","query":[{}]}"#.to_owned(),
            format!(r#"{{"action":"ls","observation":{printed},"query":[{SYSTEM},{TASK}]}}"#),
            // 1.0 called it messages. In another place the same text is something else.
            format!(r#"{{"action":"ls","observation":"y","messages":[{query}],"extra":[{told}]}}"#),
        ]
        .join(",")
    };
    let whole = |printed: &str, told: &str, in_history: &str| {
        let history = [SYSTEM, TASK, &action("c1"), &observed("c1", in_history, "")].join(",");
        trajectory(&history, &steps(printed, told))
    };
    let text = whole(&printed, &told, &told);
    let quoted = format!("{P:?}");
    assert_eq!(pruned(&text, false), whole(&printed, &told, &quoted));
    let freed =
        pruned(&text, true).replace(&format!(r#""extra":[{told}]"#), &format!(r#""extra":[{quoted}]"#));
    assert_eq!(freed, whole(&quoted, &quoted, &quoted));
    // Bytes can be freed later too: copies in prompts are found by their place, outputs of commands are not.
    let later = pruned(&whole(&printed, &told, &quoted), true);
    assert_eq!(later.matches(&told).count(), 1);
    assert_eq!(later.matches(&printed).count(), 1);
}

#[test]
fn a_summary_stands_for_the_task_and_bears_the_name_of_the_agent() {
    let entries: Vec<_> = (0..6)
        .map(|number| {
            let id = format!("c{number}");
            format!("{},{}", action(&id), observed(&id, &long("word "), ""))
        })
        .collect();
    let history = [SYSTEM, TASK, &entries.join(",")].join(",").replace("\"main\"", "\"primary\"");
    let written = summarized(&trajectory(&history, ""), 200, "What happened.");
    let again = read(&written);
    assert!(again.transcript().messages()[1].summary, "{written}");
    assert!(
        written.contains(
            r#"{"role":"user","content":"[Compaction summary: it stands for 9 earlier messages; the next 4 are kept word for word] [ref djoneknb]\n\nWhat happened.","agent":"primary","message_type":"observation"}"#
        ),
        "{written}"
    );
    let asked = asked(&trajectory(&history, ""), 200);
    assert!(asked.contains("[User]: (quoted below)") && asked.contains("the task"), "{asked}");
    // What follows is still an observation, not another task.
    assert!(outline(&again).iter().all(|line| !line.contains('!') && !line.contains("sealed")), "{written}");
}

#[test]
fn a_summary_of_the_demonstrations_leaves_the_task_the_task_and_entries_what_they_were() {
    for (kind, demo_kind) in [
        (r#","message_type":"observation""#, r#","message_type":"demonstration""#),
        // Before 1.0, entries did not state their type, and one that does would change how the others are read.
        ("", ""),
    ] {
        let user =
            |text: &str, more: &str| format!(r#"{{"role":"user","content":"{text}","agent":"main"{more}}}"#);
        let entries = [
            user(&"look ".repeat(60), &format!(r#","is_demo":true{demo_kind}"#)),
            user("The task.", kind),
            r#"{"role":"assistant","content":"I look.","agent":"main"}"#.to_owned(),
            user("pages.py", kind),
            r#"{"role":"assistant","content":"I have seen it.","agent":"main"}"#.to_owned(),
        ];
        let text = trajectory(&entries.join(","), "");
        let session = SessionText::read(&text).unwrap();
        let mut policy = profiles::get("pi@1.5").unwrap();
        policy.retain.keep = 10;
        let plan = session.plan_with(&policy, PlanOptions { force: true, ..PlanOptions::default() });
        assert_eq!(plan.decision.retain.messages, 1, "the demonstration alone: {:?}", plan.decision.retain);
        let options = EditOptions { summary: Some("Shown.".to_owned()), ..EditOptions::default() };
        let written = session.compact(&plan, &options).unwrap();
        let again = SessionText::read(&written).unwrap();
        let before = session.transcript().messages().iter().skip(1);
        let after = again.transcript().messages().iter().skip(1);
        assert!(before.eq(after), "{written}");
        assert!(again.transcript().messages()[0].summary, "{written}");
    }
}

#[test]
fn mini_swe_agent_keeps_calls_as_chat_as_responses_or_in_words() {
    let text = concat!(
        r#"{"trajectory_format":"mini-swe-agent-1.1","info":{},"messages":["#,
        r#"{"role":"system","content":"s"},{"role":"user","content":"the task"},"#,
        r#"{"role":"assistant","content":"```bash\nls\n```","extra":{"response":{"usage":{"prompt_tokens":90,"completion_tokens":9}}}},"#,
        r#"{"role":"user","content":"<returncode>0</returncode>\n<output>\na.py</output>"},"#,
        r#"{"role":"assistant","content":null,"reasoning_content":"t","thinking_blocks":[{"thinking":"t","signature":"s"}],"#,
        r#""tool_calls":[{"id":"c1","function":{"name":"bash","arguments":"{}"}}]},"#,
        r#"{"role":"tool","tool_call_id":"c1","content":"a"},"#,
        r#"{"object":"response","usage":{"input_tokens":200,"output_tokens":20},"output":[{"type":"reasoning","summary":[],"encrypted_content":"g"},"#,
        r#"{"type":"message","content":[{"type":"output_text","text":"ok"}]},{"type":"function_call","call_id":"c2","name":"bash","arguments":"{}"}]},"#,
        r#"{"type":"function_call_output","call_id":"c2","output":"b"},"#,
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"no call"}],"extra":{"interrupt_type":"FormatError"}},"#,
        r#"{"role":"user","content":"Interrupted by user: stop"},"#,
        r#"{"role":"user","content":"more","extra":{"interrupt_type":"UserNewTask"}},"#,
        r#"{"role":"exit","content":"Submitted","extra":{}}]}"#
    );
    let session = read(text);
    assert_eq!(
        outline(&session),
        [
            "system: text",
            "user!: text",
            "assistant: text",
            "user~: text",
            "assistant: signed thinking, call",
            "tool: result",
            "assistant: signed thinking, text, call",
            "tool: result",
            "user~: text",
            "user!: text",
            "user!: text",
            "other: ",
        ]
    );
    let usage: Vec<_> = session.transcript().messages().iter().filter_map(|message| message.usage).collect();
    assert_eq!(usage, [99, 220]);
    let counts = session.counts();
    assert_eq!((counts.messages, counts.calls, counts.results, counts.calls_without_result), (12, 2, 2, 0));
}

#[test]
fn whatever_stands_there_is_read() {
    for text in [
        r#"{"trajectory":7,"history":[7,null,"x",[],{},{"role":7,"content":7},{"role":"tool","tool_call_ids":7}]}"#,
        r#"{"trajectory":[7,{"query":7,"observation":7},{"query":[7,{"role":"tool"}]}],
            "history":[{"role":"user"},{"role":"user","content":null},{"role":"assistant","tool_calls":[7,{}]}]}"#,
        r#"{"trajectory":[],"history":[{"role":"user","content":[7,{},{"type":"text"}],"message_type":"observation"}]}"#,
        r#"{"trajectory_format":"x","messages":[7,{"object":"response","output":[7,{}]},{"type":"function_call_output"}]}"#,
    ] {
        assert!(read(text).counts().messages > 0, "{text}");
        pruned(text, true);
    }
}
