//! What is done to each fault, in the JSON of the provider.

use super::*;
use crate::format::Format;
use crate::rules::Rule;

const USER: &str = r#"{"role":"user","content":"u"}"#;

/// Repairs the messages of a list in `format`: the messages that result, and what was done.
fn repaired(format: Format, messages: &[&str]) -> (String, Vec<String>) {
    let text = format!("[{}]", messages.join(","));
    let options = ReadOptions::new().format(format);
    let repaired = repair(text.as_str(), &options).unwrap();
    let told = repaired
        .done
        .iter()
        .map(|mended| format!("{} {} {}", mended.message, mended.mending, mended.rule.name()));
    (String::from_utf8(repaired.bytes).unwrap(), told.collect())
}

fn assert_repaired(format: Format, messages: &[&str], expected: &[&str], done: &[&str]) {
    assert_eq!(
        repaired(format, messages),
        (format!("[{}]", expected.join(",")), done.iter().map(|done| (*done).to_owned()).collect())
    );
}

fn chat_call(ids: &[&str], content: &str) -> String {
    let call = |id: &&str| {
        format!(r#"{{"id":"{id}","type":"function","function":{{"name":"ls","arguments":"{{}}"}}}}"#)
    };
    let calls: Vec<_> = ids.iter().map(call).collect();
    format!(r#"{{"role":"assistant","content":{content},"tool_calls":[{}]}}"#, calls.join(","))
}

fn chat_result(id: &str) -> String {
    format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"out {id}"}}"#)
}

#[test]
fn of_openai_chat_calls_and_results_are_messages() {
    let (both, one) = (chat_call(&["a", "b"], "null"), chat_call(&["a"], "null"));
    let (first, second) = (chat_result("a"), chat_result("b"));
    let chat = |messages: &[&str], expected: &[&str], done: &[&str]| {
        assert_repaired(Format::OpenaiChat, messages, expected, done);
    };
    chat(&[USER, &first], &[USER], &["1 removed result_without_call"]);
    chat(&[USER, &both, &first], &[USER, &one, &first], &["1 removed call_without_result"]);
    chat(&[USER, &one], &[USER], &["1 removed call_without_result"]);
    chat(&[USER, &one, &first, &first], &[USER, &one, &first], &["3 removed duplicate_result"]);
    chat(&[USER, &one, USER, &first], &[USER, &one, &first, USER], &["3 moved split_batch"]);
    chat(&[USER, &first, &one], &[USER, &one, &first], &["1 moved result_before_call"]);
    chat(
        &[USER, &both, USER, &first, &second],
        &[USER, &both, &first, &second, USER],
        &["3 moved split_batch", "4 moved split_batch"],
    );
    let words = r#"{"role":"assistant","content":"I look."}"#;
    chat(&[USER, &chat_call(&["a"], r#""I look.""#)], &[USER, words], &["1 removed call_without_result"]);
    chat(&[USER, &chat_call(&[], r#""I look.""#)], &[USER, words], &["1 removed empty_calls"]);
    let empty = r#"{"role":"tool","tool_call_id":"a","content":null}"#;
    chat(&[USER, &one, empty], &[USER, &one, &empty.replace("null", "\"\"")], &["2 filled empty_result"]);
    let function =
        r#"{"role":"assistant","content":"I look.","function_call":{"name":"ls","arguments":"{}"}}"#;
    chat(&[USER, function], &[USER, words], &["1 removed call_without_result"]);
}

#[test]
fn empty_texts_go_where_a_server_refuses_them() {
    let strict = |messages: &[&str]| {
        let text = format!("[{}]", messages.join(","));
        let rules = |format| Rules::of(format).also(&[Rule::EmptyText]);
        let options = ReadOptions::new().format(Format::OpenaiChat);
        let repaired = repair_under(text.as_str(), &options, rules).unwrap();
        assert_eq!(repaired.left, []);
        String::from_utf8(repaired.bytes).unwrap()
    };
    let result = chat_result("a");
    let without = r#"{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}"#;
    for empty in [r#""""#, r#"[{"type":"text","text":""}]"#] {
        let user = USER.replace(r#""u""#, empty);
        assert_repaired(Format::OpenaiChat, &[USER, &user], &[USER, &user], &[]);
        assert_eq!(strict(&[USER, &user]), format!("[{USER}]"), "{empty}");
        let called = chat_call(&["a"], empty);
        assert_eq!(strict(&[USER, &called, &result]), format!("[{USER},{without},{result}]"), "{empty}");
    }
    let answered = chat_result("a").replace("out a", "");
    let call = chat_call(&["a"], "null");
    assert_eq!(strict(&[USER, &call, &answered]), format!("[{USER},{call},{answered}]"));
}

#[test]
fn of_anthropic_results_are_blocks_in_front() {
    let call = r#"{"type":"tool_use","id":"a","name":"ls","input":{}}"#;
    let result = r#"{"type":"tool_result","tool_use_id":"a","content":"x"}"#;
    let thinking = r#"{"type":"thinking","thinking":"hm","signature":"s"}"#;
    let unknown = r#"{"type":"tool_result","tool_use_id":"a","content":"The outcome of this call is unknown: the session has no result for it."}"#;
    let said = r#"{"type":"text","text":"u"}"#;
    let says =
        |role: &str, blocks: &[&str]| format!(r#"{{"role":"{role}","content":[{}]}}"#, blocks.join(", "));
    let (answer, signed) = (says("assistant", &[call]), says("assistant", &[thinking, call]));
    let anthropic = |messages: &[&str], expected: &[&str], done: &[&str]| {
        assert_repaired(Format::AnthropicMessages, messages, expected, done);
    };
    anthropic(&[USER, &answer, USER], &[USER, USER], &["1 removed call_without_result"]);
    anthropic(
        &[USER, &signed, USER],
        &[USER, &signed, &says("user", &[unknown, said])],
        &["1 added call_without_result"],
    );
    anthropic(
        &[USER, &signed],
        &[USER, &signed, &says("user", &[unknown])],
        &["1 added call_without_result"],
    );
    anthropic(
        &[USER, &answer, &says("user", &[said, result])],
        &[USER, &answer, &says("user", &[result, said])],
        &["2 moved result_not_first"],
    );
    anthropic(
        &[USER, &answer, USER, &says("user", &[result])],
        &[USER, &answer, &says("user", &[result, said])],
        &["3 moved split_batch"],
    );
    let begun = says("assistant", &[said]);
    let note =
        r#"{"type":"text","text":"A result stood here. The call that it answered is not in this session."}"#;
    anthropic(
        &[&says("user", &[result]), &begun],
        &[&says("user", &[note]), &begun],
        &["0 filled result_without_call"],
    );
    anthropic(
        &[USER, &says("assistant", &[r#"{"type":"text","text":""}"#, said])],
        &[USER, &begun],
        &["1 removed empty_text"],
    );
    let unsigned = r#"{"type":"thinking","thinking":"hm"}"#;
    anthropic(
        &[USER, &says("assistant", &[unsigned, said])],
        &[USER, &begun],
        &["1 removed unsigned_thinking"],
    );
    anthropic(
        &[USER, r#"{"role":"user","content":[]}"#, &begun],
        &[USER, &begun],
        &["1 removed empty_message"],
    );
}

#[test]
fn messages_of_bedrock_take_turns_afterwards() {
    let says =
        |role: &str, blocks: &[&str]| format!(r#"{{"role":"{role}","content":[{}]}}"#, blocks.join(", "));
    let (asks, goes_on) = (says("user", &[r#"{"text":"u"}"#]), says("user", &[r#"{"text":"on"}"#]));
    let result = r#"{"toolResult":{"toolUseId":"a","content":[{"text":"x"}]}}"#;
    let call = says("assistant", &[r#"{"toolUse":{"toolUseId":"a","name":"ls","input":{}}}"#]);
    let unknown = r#"{"toolResult":{"toolUseId":"a","content":[{"text":"The outcome of this call is unknown: the session has no result for it."}]}}"#;
    let bedrock = |messages: &[&str], expected: &[&str], done: &[&str]| {
        assert_repaired(Format::BedrockConverse, messages, expected, done);
    };
    bedrock(
        &[&asks, &call, &goes_on],
        &[&asks, &call, &says("user", &[unknown, r#"{"text":"on"}"#])],
        &["1 added call_without_result"],
    );
    let (one, two) = (says("assistant", &[r#"{"text":"1"}"#]), says("assistant", &[r#"{"text":"2"}"#]));
    let both = says("assistant", &[r#"{"text":"1"}"#, r#"{"text":"2"}"#]);
    bedrock(
        &[&asks, &one, &says("user", &[result]), &two],
        &[&asks, &both],
        &["2 removed result_without_call", "3 joined alternation"],
    );
}

#[test]
fn gemini_needs_no_id_for_a_result() {
    let asks = r#"{"role":"user","parts":[{"text":"u"}]}"#;
    let call =
        r#"{"role":"model","parts":[{"functionCall":{"name":"ls","args":{}},"thoughtSignature":"s"}]}"#;
    let answered = r#"{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"output":"The outcome of this call is unknown: the session has no result for it."}}}]}"#;
    assert_repaired(Format::GeminiContents, &[asks, call], &[asks, call], &[]);
    let goes_on = r#"{"role":"model","parts":[{"text":"on"}]}"#;
    assert_repaired(
        Format::GeminiContents,
        &[asks, call, goes_on],
        &[asks, call, answered, goes_on],
        &["1 added call_without_result"],
    );
    let orphan = r#"{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{}}},{"inlineData":{"mimeType":"image/png","data":"AA"}},{"text":"u"}]}"#;
    assert_repaired(
        Format::GeminiContents,
        &[goes_on, orphan],
        &[goes_on, asks],
        &["1 removed result_without_call"],
    );
}

#[test]
fn a_call_behind_reasoning_of_the_responses_api_is_answered() {
    let asks = r#"{"role":"user","content":"u"}"#;
    let reasoning = r#"{"type":"reasoning","id":"r","summary":[],"encrypted_content":"e"}"#;
    let call = r#"{"type":"function_call","call_id":"a","name":"ls","arguments":"{}"}"#;
    let unknown = r#"{"type":"function_call_output","call_id":"a","output":"The outcome of this call is unknown: the session has no result for it."}"#;
    let responses = |messages: &[&str], expected: &[&str], done: &[&str]| {
        assert_repaired(Format::OpenaiResponses, messages, expected, done);
    };
    responses(
        &[asks, reasoning, call, asks],
        &[asks, reasoning, call, unknown, asks],
        &["2 added call_without_result"],
    );
    responses(&[asks, call, asks], &[asks, asks], &["1 removed call_without_result"]);
    responses(&[asks, unknown, asks], &[asks, asks], &["1 removed result_without_call"]);
}

#[test]
fn the_calls_of_a_langchain_message_go_from_every_list() {
    let asks = r#"{"type":"human","content":"u"}"#;
    let call = r#"{"type":"ai","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"a","name":"ls","input":{}}],"tool_calls":[{"name":"ls","args":{},"id":"a"}]}"#;
    let words = r#"{"type":"ai","content":[{"type":"text","text":"I look."}],"tool_calls":[]}"#;
    assert_repaired(
        Format::Langchain,
        &[asks, call, asks],
        &[asks, words, asks],
        &["1 removed call_without_result"],
    );
}

#[test]
fn in_a_tree_what_follows_a_removed_entry_follows_its_predecessor() {
    let entry = |id: &str, parent: &str, message: &str| {
        format!(r#"{{"type":"message","id":"{id}","parentId":{parent},"message":{message}}}"#)
    };
    let header =
        r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-31T10:20:30.000Z","cwd":"/"}"#;
    let user = r#"{"role":"user","content":"u","timestamp":1}"#;
    let orphan = r#"{"role":"toolResult","toolCallId":"a","toolName":"ls","content":[],"isError":false,"timestamp":2}"#;
    let lines = |entries: &[String]| format!("{header}\n{}\n", entries.join("\n"));
    let first = entry("1", "null", user);
    let bad = lines(&[
        first.clone(),
        entry("2", "\"1\"", orphan),
        entry("3", "\"2\"", orphan),
        entry("4", "\"3\"", user),
    ]);
    let repaired = repair(bad.as_str(), &ReadOptions::new()).unwrap();
    assert_eq!(String::from_utf8(repaired.bytes).unwrap(), lines(&[first, entry("4", "\"1\"", user)]));
    assert_eq!(repaired.done.iter().map(|mended| mended.line).collect::<Vec<_>>(), [3, 4]);
}

#[test]
fn what_cannot_be_mended_is_named() {
    let text = format!("[{},{USER}]", r#"{"role":"clown","content":"u"}"#);
    let repaired = repair(text.as_str(), &ReadOptions::new().format(Format::OpenaiChat)).unwrap();
    assert_eq!((repaired.bytes, repaired.done), (text.into_bytes(), Vec::new()));
    assert_eq!(repaired.left.iter().map(|fault| fault.rule.name()).collect::<Vec<_>>(), ["unknown_role"]);
    let alone = format!("[{}]", chat_result("a"));
    let repaired = repair(alone.as_str(), &ReadOptions::new()).unwrap();
    assert_eq!(repaired.bytes, alone.into_bytes(), "nothing would be left");
}

#[test]
fn bytes_that_are_no_text_stay() {
    let mut bytes = b"{\"role\":\"user\",\"content\":\"caf\xe9\"}\n".to_vec();
    bytes.extend(format!("{USER}\n{}\n", chat_result("a")).into_bytes());
    let repaired = repair(Text::from_bytes(bytes.clone()).unwrap(), &ReadOptions::new()).unwrap();
    bytes.truncate(bytes.len() - chat_result("a").len() - 1);
    assert_eq!(repaired.bytes, bytes);
}
