use super::super::Format;
use super::super::carried_out::summarized;
use super::super::outline::{cleared, outline};

fn answer(parts: &str) -> String {
    format!(r#"[{{"id":"a","role":"assistant","content":{{"format":2,"parts":[{parts}]}}}}]"#)
}

fn tool(state: &str, rest: &str, beside: &str) -> String {
    answer(&format!(
        r#"{{"type":"tool-invocation","toolInvocation":{{"state":"{state}","toolCallId":"c","toolName":"ls","args":{{}}{rest}}}{beside}}}"#
    ))
}

#[test]
fn each_state_of_a_call_is_what_the_model_is_told() {
    for (state, rest, beside, expected) in [
        ("partial-call", "", "", "a"),
        ("call", "", "", "a c0:2"),
        ("approval-requested", "", "", "a c0:2"),
        ("result", r#","result":"abc""#, "", "a c0:2 =0:3"),
        ("result", r#","result":{"a": 1}"#, "", "a c0:2 =0:7"),
        ("result", r#","result":"abc","isError":true"#, "", "a c0:2 =x0:3"),
        ("result", r#","result":[]"#, r#","providerExecuted":true"#, "a c0:2 =s0:2"),
        ("result", r#","result":"[Old tool result content cleared]""#, "", "a c0:2 =h0:33"),
        ("output-error", r#","errorText":"abc""#, "", "a c0:2 =x0:3"),
        ("output-denied", "", "", "a c0:2 =s0:38"),
        ("output-denied", r#","approval":{"id":"x","reason":"no"}"#, "", "a c0:2 =s0:2"),
        (
            "result",
            r#","result":"abcdef""#,
            r#","providerMetadata":{"mastra":{"modelOutput":{"type":"text","value":"abc"}}}"#,
            "a c0:2 =0:3",
        ),
        (
            "result",
            r#","result":"abcdef""#,
            r#","providerMetadata":{"mastra":{"modelOutput":{"type":"content","value":[{"type":"text","text":"ab"},{"type":"media","mediaType":"image/png","data":"iVBO"}]}}}"#,
            "a c0:2 =0:2 image0:4",
        ),
    ] {
        assert_eq!(outline(&tool(state, rest, beside), Format::Mastra), expected, "{state} {rest} {beside}");
    }
}

#[test]
fn an_output_is_pruned_where_the_model_gets_it_from() {
    let told = |value: &str| {
        format!(r#","providerMetadata":{{"mastra":{{"modelOutput":{{"type":"text","value":"{value}"}}}}}}"#)
    };
    for free_bytes in [false, true] {
        let freed = r#","result":{"content":[{"type":"text","text":"P"}]}"#;
        let result = if free_bytes { freed } else { r#","result":{"a": 1}"# };
        for (state, [rest, beside], [after, after_beside]) in [
            ("result", [r#","result":{"a": 1}"#, ""], [freed, ""]),
            ("result", [r#","result":"abc""#, ""], [r#","result":"P""#, ""]),
            ("output-error", [r#","errorText":"abc""#, ""], [r#","errorText":"P""#, ""]),
            ("result", [r#","result":{"a": 1}"#, &told("abc")], [result, &told("P")]),
            ("output-denied", ["", ""], ["", ""]),
        ] {
            let pruned = cleared(&tool(state, rest, beside), Format::Mastra, free_bytes);
            assert_eq!(pruned, tool(state, after, after_beside));
        }
    }
}

#[test]
fn what_people_see_is_not_sent() {
    let parts = r#"{"type":"step-start"},{"type":"reasoning","reasoning":"","details":[{"type":"text","text":"hm","signature":"x"}]},
        null,{"type":"source","source":{"url":"https://a.example/"}},{"type":"data-x","data":1},{"type":"error","error":{}},
        {"type":"file","mimeType":"image/png","data":"iVBO"},{"type":"text","text":"done"}"#;
    assert_eq!(outline(&answer(parts), Format::Mastra), "a! ~2^ image4 \"4");
    let person = r#"[{"role":"user","content":{"format":2,"content":"see","parts":[{"type":"text","text":"see"},{"type":"reasoning","reasoning":"hm"}],
        "experimental_attachments":[{"url":"https://a.example/x.png","contentType":"image/png"}]}},
        {"role":"signal","type":"user","content":{"format":2,"parts":[{"type":"text","text":"now"}]}},
        {"role":"signal","type":"state","content":{"format":2,"parts":[{"type":"text","text":"now"}]}},
        {"role":"system","content":{"format":2,"content":"be","parts":[]}}]"#;
    assert_eq!(outline(person, Format::Mastra), "u? image23 \"3 | u? \"3 | u \"3 | s \"2");
}

#[test]
fn older_messages_keep_calls_thinking_and_text_beside_the_parts() {
    let invocation = r#"{"state":"result","toolCallId":"c","toolName":"ls","args":{},"result":[1]}"#;
    let part = format!(r#"{{"type":"tool-invocation","toolInvocation":{invocation}}}"#);
    let text = |parts: &str| {
        format!(
            r#"[{{"role":"assistant","content":{{"format":2,"parts":[{parts}],"reasoning":"hm","content":"ok","toolInvocations":[{invocation}]}}}}]"#
        )
    };
    let alone = text("");
    assert_eq!(outline(&alone, Format::Mastra), "a! c0:2 =0:3 ~2 \"2");
    let list = r#"[{"type":"text","text":"P"}]"#;
    assert_eq!(cleared(&alone, Format::Mastra, false), alone.replace("[1]", list));
    let both = text(&part);
    assert_eq!(outline(&both, Format::Mastra), "a! ~2 c0:2 =0:3 \"2");
    assert_eq!(cleared(&both, Format::Mastra, false), both.replacen("[1]", list, 1));
    assert_eq!(cleared(&both, Format::Mastra, true), both.replace("[1]", list));
    let version_1 = r#"[{"role":"user","content":"hi","threadId":"t"},{"role":"user","content":{"format":2,"parts":[]}}]"#;
    assert_eq!(outline(version_1, Format::Mastra), "u? \"2 | u?");
}

#[test]
fn a_summary_has_the_time_and_the_thread_of_what_it_replaces() {
    let message = |id: &str, role: &str, at: u32| {
        let text = "long ".repeat(40);
        format!(
            r#"{{"id":"{id}","role":"{role}","createdAt":"2026-01-0{at}T00:00:00.000Z","threadId":"t","resourceId":"r","content":{{"format":2,"parts":[{{"type":"text","text":"{text}"}}]}}}}"#
        )
    };
    let newest = message("d", "user", 4);
    let begins = r#"{"id":"compaction-a","role":"user","createdAt":"2026-01-01T00:00:00.000Z","threadId":"t","resourceId":"r","content":{"format":2,"parts":[{"type":"text","text":"[Compaction summary: "#;
    for first in ["a", "compaction-a"] {
        let text = format!("[{}, {}, {newest}]", message(first, "user", 1), message("b", "assistant", 2));
        let written = summarized(&text, 1, "So far.");
        assert!(written.starts_with(&format!("[{begins}")), "{written}");
        assert!(written.ends_with(&format!(r#"So far."}}]}}}}, {newest}]"#)), "{written}");
    }
}

#[test]
fn damage_is_read_as_far_as_it_makes_sense() {
    let messages = r#"[null,7,{},{"role":"user","content":null},{"role":"assistant","content":{"format":2,"parts":{},"toolInvocations":[null]}},
        {"role":"assistant","content":{"format":2,"parts":[null,{"type":"tool-invocation"},{"type":"tool-invocation","toolInvocation":null},{"type":7}]}}]"#;
    assert_eq!(outline(messages, Format::Mastra), "o | o | o | u? | a c0 | a c0 c0");
}

#[test]
fn messages_of_the_model_beside_those_of_a_store_are_refused() {
    let text = "[{\"role\":\"user\",\"content\":{\"format\":2,\"parts\":[]}},\n{\"role\":\"assistant\",\"content\":[{\"type\":\"tool-call\"}]}]";
    let error = crate::SessionText::read(text).unwrap_err();
    assert_eq!((error.code(), error.place().map(|place| place.line)), ("invalid_message", Some(2)));
    assert!(error.message().starts_with("message 1 has a list as its content"), "{error}");
}
