//! Small conversations, each with the rules that it breaks.

use super::*;
use crate::format::Format;
use crate::length::Length;
use crate::session_text::{ReadOptions, SessionText};
use crate::transcript::{Message, Part, PartKind};
use crate::transcript::{Output, Role};

/// A transcript from a sketch: messages stand apart, parts of one message together.
///
/// `s` system, `u` user, `a` answer, `?` a role that nobody knows, `S` a summary, `0` no parts at all; in a
/// message of several parts the first letter says whose it is. `t` text, `e` an empty text, `k` thinking, `K`
/// signed thinking, `c1` a call, `r1` its result, `x1` a result that the provider made, `i1` an image inside a
/// result, `n` a result without content. A message may begin with `-`: it is not active; or
/// with `+`: it continues the answer before it.
fn sketch(shape: &str) -> Transcript {
    let mut transcript = Transcript::default();
    for word in shape.split_whitespace() {
        let (word, active) = word.strip_prefix('-').map_or((word, true), |word| (word, false));
        let (word, continues) = word.strip_prefix('+').map_or((word, false), |word| (word, true));
        let mut letters = word.chars().peekable();
        let who = letters.next().unwrap();
        let role = match who {
            's' => Role::System,
            'u' | 'S' => Role::User,
            'a' => Role::Assistant,
            'r' | 'n' => Role::Tool,
            _ => Role::Other,
        };
        transcript.begin(Message { active, continues, summary: who == 'S', ..Message::new(role) });
        // A result and a summary are letters of parts as well as of messages.
        let mut rest: String = letters.collect();
        match who {
            'r' | 'n' => rest.insert(0, who),
            'S' => rest.insert(0, 't'),
            _ if rest.is_empty() => rest.push('t'),
            _ => {}
        }
        let mut letters = rest.chars().peekable();
        while let Some(letter) = letters.next() {
            let mut id = String::new();
            while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                id.push(digit);
            }
            let call = (!id.is_empty() && id != "0").then(|| transcript.call(&id));
            let text = Part::new(PartKind::Text, Length::ascii(4));
            let part = match letter {
                '0' => continue,
                't' => text,
                'e' => Part { length: Length::default(), ..text },
                'k' => Part { kind: PartKind::Thinking, ..text },
                'K' => Part { kind: PartKind::Thinking, signed: true, ..text },
                'c' => Part { kind: PartKind::ToolCall, call, ..text },
                'r' => Part { kind: PartKind::ToolResult, call, ..text },
                'x' => Part { kind: PartKind::ToolResult, call, output: Output::Sealed, ..text },
                'n' => {
                    Part { kind: PartKind::ToolResult, call, pieces: 0, length: Length::default(), ..text }
                }
                'i' => Part { kind: PartKind::Image, call, ..text },
                letter => panic!("{letter} is no part"),
            };
            transcript.push(part);
        }
    }
    transcript
}

/// What a sketch breaks, as `rule@message` or `rule@message.part`.
fn broken(shape: &str, rules: &Rules) -> Vec<String> {
    validate(&sketch(shape), rules).iter().map(written).collect()
}

fn written(violation: &Violation) -> String {
    let part = violation.part.map(|part| format!(".{part}")).unwrap_or_default();
    format!("{}@{}{part}", violation.rule, violation.message)
}

fn check(format: Format, cases: &[(&str, &[&str])]) {
    for (shape, expected) in cases {
        assert_eq!(broken(shape, &Rules::of(format)), *expected, "{format}: {shape}");
    }
}

#[test]
fn openai_chat() {
    check(
        Format::OpenaiChat,
        &[
            ("s u a", &[]),
            ("a u a", &[]),
            ("u ac1c2 r2 r1 a", &[]),
            ("u atc1 r1 u s u", &[]),
            ("u ac1 r1 ac1 r1 a", &[]),
            ("u u a a", &[]),
            ("u r1 a", &["result_without_call@1.0"]),
            ("u r a", &["result_without_call@1.0"]),
            ("u ac r a", &["call_without_id@1.0"]),
            ("u ac1 u", &["call_without_result@1.0"]),
            ("u ac1", &["call_without_result@1.0"]),
            ("u ac1c2 r2", &["call_without_result@1.0"]),
            ("u r1 ac1 a", &["result_before_call@1.0"]),
            ("u ac1c1 r1 a", &["duplicate_call@1.1", "call_without_result@1.1"]),
            ("u ac1 r1 r1 a", &["duplicate_result@3.0"]),
            ("u ac1 r1 a r1", &["duplicate_result@4.0"]),
            ("u ac1c2 r1 u r2 a", &["split_batch@4.0"]),
            ("u ac1 ac2 r1 r2 a", &["split_batch@3.0"]),
            ("u a +ac1 +ac2 r1 r2 a", &[]),
            ("u ac1c2 S r1 r2 a", &["summary_in_batch@2"]),
            ("u ac1r1 a", &["wrong_role@1.1"]),
            ("uc1 r1 a", &["wrong_role@0.0"]),
            ("u uk a", &["wrong_role@1.0"]),
            ("u ? a", &["unknown_role@1"]),
            ("u a0 u", &["empty_message@1"]),
            ("u a0", &["empty_message@1"]),
            ("u ae u", &[]),
            ("u ac1 n1", &["empty_result@2.0"]),
            ("u -ac1 -r2 a", &[]),
            ("u -ac1 r1 a", &["result_without_call@2.0"]),
            ("u ac1 -u r1 a", &[]),
        ],
    );
}

#[test]
fn anthropic_messages() {
    check(
        Format::AnthropicMessages,
        &[
            ("s u aKc1c2 r1r2 aKt", &[]),
            ("u atc1 ur1i1t a", &[]),
            ("u ac1x1t u", &[]),
            ("u ac1c2 r2 ax1t", &[]),
            ("u a u u", &[]),
            ("a u", &["first_role@0"]),
            ("s a u", &["first_role@1"]),
            ("u s a", &["system_not_first@1"]),
            ("u ac1", &["call_without_result@1.0"]),
            ("u ac1c2 r1 r2 a", &["split_batch@3.0"]),
            ("u ac1c2 r1 a", &["call_without_result@1.1"]),
            ("u ac1 utr1 a", &["result_not_first@2.1"]),
            ("u ac1c2 ur1tr2 a", &["result_not_first@2.2"]),
            ("u ac1 u ur1 a", &["split_batch@3.0"]),
            ("u ac1 r1 ac1 r1", &["duplicate_call@3.0"]),
            ("u ac1r1 a", &["wrong_role@1.1"]),
            ("ue a", &["empty_text@0.0"]),
            ("u ate u", &["empty_text@1.1"]),
            ("u a0 u", &["empty_message@1"]),
            ("u a0", &[]),
            ("u akt u", &["unsigned_thinking@1.0"]),
            ("u atKc1 r1", &[]),
            ("u aKc1Kc2 r1r2", &["thinking_after_call@1.2"]),
            ("u aKc1x1Kc2 r2", &[]),
            ("u atKt", &[]),
            ("u aK u", &["thinking_last@1.0"]),
            ("u n1 a", &["result_without_call@1.0"]),
            ("u ac1 n1 a", &[]),
        ],
    );
}

#[test]
fn pi() {
    check(
        Format::Pi,
        &[
            ("S a u ac1 r1 a", &[]),
            ("u ac1c2 r1 u a", &[]),
            ("u ac1", &[]),
            ("u ae a0 u ac1 n1", &[]),
            ("u ? ak u", &[]),
            ("a u", &["first_role@0"]),
            ("S r1 a", &["result_without_call@1.0"]),
            ("u ac1 S r1 a", &["summary_in_batch@2"]),
            ("u ac1c2 r1 S r2 a", &["summary_in_batch@3"]),
            ("u ac1 u r1 a", &["split_batch@3.0"]),
        ],
    );
}

#[test]
fn opencode() {
    check(
        Format::Opencode,
        &[
            ("u ac1r1c2r2t u", &[]),
            ("u ac1c2r2 u a0", &[]),
            ("u ac1r1 ac1r1", &[]),
            ("a u", &["first_role@0"]),
            ("u ac1r2", &["result_without_call@1.1"]),
            ("u ac1 ar1", &["split_batch@2.0"]),
            ("u ac1r1r1", &["duplicate_result@1.2"]),
        ],
    );
}

#[test]
fn tinyagent_tunacode_and_pydantic_ai() {
    for format in [Format::Tinyagent, Format::Tunacode, Format::PydanticAi] {
        check(
            format,
            &[
                ("u ac1c2 r1 r2 a", &[]),
                ("u ac1c2 r1r2 a", &[]),
                ("u ac1", &[]),
                ("u ac1c2 r1", &[]),
                ("u ? a0 u", &[]),
                ("u ac1 u", &["call_without_result@1.0"]),
                ("u ac1c2 ur1t r2", &["split_batch@3.0"]),
                ("a u", &["first_role@0"]),
            ],
        );
    }
    check(Format::PydanticAi, &[("s a", &[])]);
    check(Format::Tinyagent, &[("s a", &["first_role@1"])]);
}

#[test]
fn formats_without_rules_of_their_own_have_those_of_all_providers() {
    check(
        Format::GeminiContents,
        &[("u ac1 r1 a", &[]), ("u ac1", &[]), ("u r1", &["result_without_call@1.0"])],
    );
}

#[test]
fn a_list_sent_unchanged_must_not_end_with_an_answer() {
    let rules = |format| Rules::of(format).also(&[Rule::LastRole]);
    for (format, shape, expected) in [
        (Format::OpenaiChat, "u a", vec!["last_role@1"]),
        (Format::OpenaiChat, "u ac1 r1", vec![]),
        (Format::Tinyagent, "u ac1", vec!["last_role@1", "call_without_result@1.0"]),
        (Format::Tinyagent, "u ac1c2 r1", vec!["call_without_result@1.1"]),
        (Format::Pi, "u ac1c2 r1", vec![]),
    ] {
        assert_eq!(broken(shape, &rules(format)), expected, "{format}: {shape}");
    }
}

#[test]
fn bedrock_sees_only_the_roles_of_neighbors() {
    let rules = Rules::of(Format::BedrockConverse);
    for (shape, expected) in [
        ("u a u a", vec![]),
        ("u ac1 r1 a", vec![]),
        ("u u a u", vec!["alternation@1"]),
        ("u ac1 r1 u", vec!["alternation@3"]),
        ("u a a u", vec!["alternation@2"]),
    ] {
        assert_eq!(broken(shape, &rules), expected, "{shape}");
    }
}

#[test]
fn alternation_is_for_those_who_demand_it() {
    let rules = Rules::of(Format::OpenaiChat).also(&[Rule::Alternation]);
    for (shape, expected) in [
        ("s u a u a", vec![]),
        ("u ac1c2 r1 r2 a", vec![]),
        ("u u a", vec!["alternation@1"]),
        ("u s u a a", vec!["alternation@2", "alternation@4"]),
        ("u ac1 r1 u", vec![]),
    ] {
        assert_eq!(broken(shape, &rules), expected, "{shape}");
    }
}

#[test]
fn thinking_comes_first_where_it_is_switched_on_with_a_budget() {
    let rules = Rules::of(Format::AnthropicMessages).also(&[Rule::ThinkingNotFirst]);
    for (shape, expected) in [
        ("u aKtc1 r1", vec![]),
        ("u atKc1 r1", vec!["thinking_not_first@1.1"]),
        ("u atKt", vec![]),
        ("u atc1 r1", vec![]),
    ] {
        assert_eq!(broken(shape, &rules), expected, "{shape}");
    }
}

#[test]
fn a_change_is_judged_by_what_it_adds() {
    for (before, after, expected) in [
        ("u ac1 r1 a", "S a", vec![]),
        ("u r1 a", "u r1 a", vec![]),
        ("u r1 a", "r1 a r2", vec!["result_without_call@2.0"]),
        ("u ac1 r1 a", "S r1 a", vec!["result_without_call@1.0"]),
        ("u aKt u aKc1 r1 a", "S aKc1 r1 a", vec![]),
        ("u aKt u aKc1 r1 a", "S ac1 r1 a", vec![]),
        ("u aKt u aKc1 r1 a", "S aKtc1 r1 a", vec!["signature_changed@1"]),
        ("u aKt u aKtc1 r1 a", "u aKtc1 r1 aKt", vec!["signature_changed@3"]),
        ("u aKc1 r1 ac2 r2", "S ac2 r2", vec!["thinking_parted@1"]),
        ("u aKc1 r1 aKc2 r2", "S aKc2 r2", vec![]),
        ("u aKc1 r1 ac2 r2 at", "S ac2 r2 at", vec![]),
        ("u aKc1 r1 ac2 r2", "S", vec![]),
        ("u aKc1 r1 u ac2 r2", "S ac2 r2", vec![]),
    ] {
        let rules = Rules::of(Format::AnthropicMessages);
        let added: Vec<_> = compare(&sketch(before), &sketch(after), &rules).iter().map(written).collect();
        assert_eq!(added, expected, "{before} -> {after}");
    }
}

#[test]
fn signatures_are_found_in_every_format() {
    for (format, text, expected) in [
        (
            Format::AnthropicMessages,
            r#"[{"role":"assistant","content":[{"type":"thinking","thinking":"a","signature":"s"},
                {"type":"thinking","thinking":"a","signature":""},{"type":"redacted_thinking","data":"d"},
                {"type":"compaction","content":"a","encrypted_content":"e"},{"type":"text","text":"a"}]}]"#,
            [true, false, true, true, false].as_slice(),
        ),
        (
            Format::OpenaiChat,
            r#"[{"role":"assistant","reasoning":"a","reasoning_details":[{"text":"a"},{"data":"d"}],"content":"b",
                "tool_calls":[{"id":"c","function":{"name":"f","arguments":""},
                "extra_content":{"google":{"thought_signature":"s"}}},{"id":"d"}]}]"#,
            &[true, false, true, false],
        ),
        (
            Format::Pi,
            r#"[{"role":"assistant","content":[{"type":"thinking","thinking":"a","thinkingSignature":"s"},
                {"type":"text","text":"a","textSignature":"s"},{"type":"text","text":"a"},
                {"type":"toolCall","id":"c","name":"f","arguments":{},"thoughtSignature":"s"}]}]"#,
            &[true, true, false, true],
        ),
        (
            Format::Tinyagent,
            r#"[{"role":"assistant","content":[{"type":"thinking","thinking":"a","thinking_signature":"s"},
                {"type":"text","text":"a","text_signature":null},{"type":"text","text":"a","text_signature":"s"}]}]"#,
            &[true, false, true],
        ),
        (
            Format::PydanticAi,
            r#"[{"kind":"response","parts":[{"part_kind":"thinking","content":"a","signature":"s"},
                {"part_kind":"text","content":"a","provider_details":{"thought_signature":"s"}},
                {"part_kind":"compaction","content":null,"provider_details":{"encrypted_content":"e"}},
                {"part_kind":"tool-call","tool_name":"f","args":{},"tool_call_id":"c"}]}]"#,
            &[true, true, true, false],
        ),
        (
            Format::Opencode,
            r#"[{"info":{"role":"assistant"},"parts":[
                {"type":"reasoning","text":"a","metadata":{"anthropic":{"signature":"s"}}},
                {"type":"text","text":"a","metadata":{"openai":{"itemId":"i"}}},
                {"type":"tool","callID":"c","tool":"f","metadata":{"google":{"thoughtSignature":"s"}},
                 "state":{"status":"completed","input":{},"output":"a","time":{"start":1}}}]}]"#,
            &[true, false, true, false],
        ),
    ] {
        let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
        let session = SessionText::read_with(text, &options).unwrap();
        let signed: Vec<_> = session.transcript().parts().iter().map(|part| part.signed).collect();
        assert_eq!(signed, expected, "{format}");
    }
}

#[test]
fn a_session_knows_the_lines_of_its_violations() {
    let text = concat!(
        "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/w\"}\n",
        "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"é\"}}\n\n",
        "{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"message\":",
        "{\"role\":\"toolResult\",\"toolCallId\":\"c\",\"toolName\":\"bash\",\"content\":[]}}\n",
    );
    let session = SessionText::read(text).unwrap();
    let violations = session.validate();
    assert_eq!(violations.len(), 1);
    let place = violations[0].place.unwrap();
    assert_eq!((place.line, text[place.byte..].starts_with("{\"type\":\"message\",\"id\":\"b\"")), (4, true));
    assert_eq!(violations[0].text, "the result of bash answers no call");
    let lenient = Rules::of(Format::Pi).except(&[Rule::ResultWithoutCall]);
    assert!(session.validate_under(&lenient).is_empty());
}

/// The rules that a text breaks, each with its message.
fn broken_by(text: &str, format: Format) -> Vec<String> {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    let session = SessionText::read_with(text, &options).unwrap();
    let violations = session.validate();
    assert!(violations.iter().all(|violation| violation.place.is_some() && violation.text.len() > 10));
    violations.iter().map(|violation| format!("{} {}", violation.rule, violation.message)).collect()
}

#[test]
fn a_list_without_messages_is_no_request() {
    for (text, format) in [
        ("[]", Format::OpenaiChat),
        (r#"{"system":"s","max_tokens":1,"messages":[]}"#, Format::AnthropicMessages),
        (r#"{"contents":[]}"#, Format::GeminiContents),
        (r#"{"model":"m","input":[]}"#, Format::OpenaiResponses),
        ("[]", Format::VercelModel),
    ] {
        assert_eq!(broken_by(text, format), ["empty_list 0"], "{text}");
    }
    assert_eq!(broken_by(r#"[{"role":"system","content":"s"}]"#, Format::OpenaiChat), [""; 0]);
    // The next words of the user make it a request.
    assert_eq!(broken_by("[]", Format::Pi), [""; 0]);
}

#[test]
fn an_empty_list_of_calls_is_refused_by_openai() {
    let text = r#"[{"role":"user","content":"a"},{"role":"assistant","content":"b","tool_calls":[]}]"#;
    assert_eq!(broken_by(text, Format::OpenaiChat), ["empty_calls 1"]);
    assert_eq!(broken_by(&text.replace("[]", "null"), Format::OpenaiChat), [""; 0]);
}

#[test]
fn a_call_needs_an_id_unless_the_format_has_none() {
    let chat = r#"[{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[
        {"type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","content":"b"}]"#;
    assert_eq!(broken_by(chat, Format::OpenaiChat), ["call_without_id 1"]);
    let anthropic = r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","name":"ls","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","content":"b"}]}]"#;
    assert_eq!(broken_by(anthropic, Format::AnthropicMessages), ["call_without_id 1"]);
    let function = r#"[{"role":"user","content":"a"},{"role":"assistant","content":null,"function_call":{"name":"ls","arguments":"{}"}},
        {"role":"function","name":"ls","content":"b"}]"#;
    assert_eq!(broken_by(function, Format::OpenaiChat), [""; 0], "the older spelling has no ids");
}

#[test]
fn an_image_is_no_answer() {
    let chat = r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"image_url","image_url":{"url":"data:,"}}]}]"#;
    assert_eq!(broken_by(chat, Format::OpenaiChat), ["image_in_answer 1"]);
    let anthropic = r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"},
        {"type":"image","source":{"type":"base64","data":"iVBO"}}]},{"role":"user","content":"c"}]"#;
    assert_eq!(broken_by(anthropic, Format::AnthropicMessages), ["image_in_answer 1"]);
}

#[test]
fn at_most_four_blocks_may_ask_for_caching() {
    let block =
        |text: &str| format!(r#"{{"type":"text","text":"{text}","cache_control":{{"type":"ephemeral"}}}}"#);
    let user = |blocks: &[String]| format!(r#"{{"role":"user","content":[{}]}}"#, blocks.join(","));
    let list = |count: usize| {
        let blocks: Vec<String> = (0..count).map(|at| block(&at.to_string())).collect();
        format!("[{},\n{}]", user(&[block("first")]), user(&blocks))
    };
    assert_eq!(broken_by(&list(3), Format::AnthropicMessages), [""; 0]);
    assert_eq!(broken_by(&list(4), Format::AnthropicMessages), ["cache_marks 1"]);
    let request = |messages: &str| {
        format!(
            r#"{{"system":[{}],"tools":[{{"name":"t","cache_control":{{"type":"ephemeral"}}}}],"max_tokens":1,"messages":{messages}}}"#,
            block("system")
        )
    };
    assert_eq!(broken_by(&request(&list(1)), Format::AnthropicMessages), [""; 0]);
    assert_eq!(
        broken_by(&request(&list(2)), Format::AnthropicMessages),
        ["cache_marks 2"],
        "the system prompt is message 0"
    );
}

#[test]
fn bedrock_allows_at_most_four_cache_points() {
    let point = r#"{"cachePoint":{"type":"default"}}"#;
    let list = |count: usize| {
        let points = format!(",{point}").repeat(count);
        format!(r#"[{{"role":"user","content":[{{"text":"a"}}{points}]}}]"#)
    };
    assert_eq!(broken_by(&list(4), Format::BedrockConverse), [""; 0]);
    assert_eq!(broken_by(&list(5), Format::BedrockConverse), ["cache_marks 0"]);
    let request = |messages: &str| {
        format!(
            r#"{{"modelId":"m","system":[{{"text":"s"}},{point}],"toolConfig":{{"tools":[{{"toolSpec":{{}}}},{point}]}},"messages":{messages}}}"#
        )
    };
    assert_eq!(broken_by(&request(&list(2)), Format::BedrockConverse), [""; 0]);
    assert_eq!(broken_by(&request(&list(3)), Format::BedrockConverse), ["cache_marks 1"]);
}

#[test]
fn calls_that_wait_for_their_results_are_listed_with_their_ids() {
    let call = |id: &str| {
        format!(r#"{{"id":"{id}","type":"function","function":{{"name":"ls","arguments":"{{}}"}}}}"#)
    };
    let list = |more: &str| {
        format!(
            "[{{\"role\":\"user\",\"content\":\"a\"}},\n{{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{},{}]}},\n{{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"b\"}}{more}]",
            call("c1"),
            call("c2")
        )
    };
    let pending = |text: &str| {
        let session = SessionText::read(text).unwrap();
        let found = session.pending().into_iter();
        found
            .map(|call| (call.message, call.part, call.id, call.tool, call.place.unwrap().line))
            .collect::<Vec<_>>()
    };
    let waits = (1, 1, Some("c2".to_owned()), Some("ls".to_owned()), 2);
    assert_eq!(pending(&list("")), [waits]);
    assert_eq!(pending(&list(r#",{"role":"tool","tool_call_id":"c2","content":"c"}"#)), []);
    assert_eq!(pending(&list(r#",{"role":"user","content":"stop"}"#)), [], "nobody waits any more");
    let unnamed = r#"[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"ls","args":{}}}]}]"#;
    assert_eq!(pending(unnamed), [(1, 0, None, Some("ls".to_owned()), 1)]);
    let parts = r#"[{"info":{"id":"msg_1","role":"user"},"parts":[{"type":"text","text":"a"}]},
        {"info":{"id":"msg_2","role":"assistant"},"parts":[{"type":"tool","callID":"c","tool":"bash","state":{"status":"running","input":{}}}]}]"#;
    assert_eq!(pending(parts).len(), 1, "OpenCode keeps call and result in one part");
}
