//! The calls of a LangChain answer, which contains each up to three times: in `tool_calls`, as a block of the
//! content, and in `additional_kwargs` in the provider's form. Each is recorded once.

use std::collections::HashSet;

use super::super::recorder::Recorder;
use super::blocks;
use crate::json::{Text, Value};

/// The lists of calls in a message. Calls whose arguments are not JSON have a separate list but are sent like the
/// others.
const LISTS: [&str; 2] = ["tool_calls", "invalid_tool_calls"];
/// Gemini's signatures of calls, by call id.
const GEMINI_SIGNATURES: &str = "__gemini_function_call_thought_signatures__";

fn listed(body: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    LISTS.into_iter().flat_map(move |key| body.elements_of(key))
}

fn extra<'d>(body: Value<'d>, key: &str) -> Option<Value<'d>> {
    body.get("additional_kwargs").and_then(|extra| extra.present(key))
}

/// The ids of the calls that a message lists.
pub(super) fn ids(body: Value<'_>) -> HashSet<String> {
    listed(body).filter_map(|call| call.text_of("id")).map(|id| id.decode().into_owned()).collect()
}

/// Whether the answer contains calls.
pub(super) fn are_in(body: Value<'_>) -> bool {
    listed(body).next().is_some()
        || extra(body, "tool_calls").is_some_and(|calls| calls.elements().next().is_some())
        || extra(body, "function_call").is_some()
        || body.elements_of("content").any(blocks::is_call)
}

/// Reads the calls; `made` contains the ids of those found in the content.
pub(super) fn read(body: Value<'_>, made: &HashSet<String>, recorder: &mut Recorder) {
    let signatures = extra(body, GEMINI_SIGNATURES);
    let sign = |id: Option<Text<'_>>, recorder: &mut Recorder| {
        let signature = id.and_then(|id| signatures.and_then(|all| all.text_of(&id.decode())));
        recorder.sign(signature);
    };
    for call in listed(body) {
        let id = call.text_of("id");
        recorder.call(id, call.text_of("name"), call.get("args"));
        sign(id, recorder);
        recorder.sign(call.get("extras").and_then(|extras| extras.text_of("signature")));
    }
    // Older versions only stored the provider's form.
    if listed(body).next().is_some() {
        return;
    }
    for call in extra(body, "tool_calls").into_iter().flat_map(Value::elements) {
        let id = call.text_of("id");
        if id.is_some_and(|id| made.contains(id.decode().as_ref())) {
            continue;
        }
        let function = call.get("function");
        let name = function.and_then(|function| function.text_of("name"));
        recorder.call(id, name, function.and_then(|function| function.get("arguments")));
        sign(id, recorder);
    }
    if let Some(function) = extra(body, "function_call") {
        recorder.call(None, function.text_of("name"), function.get("arguments"));
    }
}

/// Reads the reasoning of the Responses API, which must be sent back, if it is stored beside the content.
pub(super) fn read_reasoning(body: Value<'_>, recorder: &mut Recorder) {
    if let Some(reasoning) = extra(body, "reasoning").filter(|reasoning| reasoning.is_object()) {
        blocks::read_reasoning(reasoning, recorder);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Format;
    use super::super::super::outline::outline;

    #[test]
    fn a_call_counts_once_wherever_it_stands() {
        let block = r#"{"type":"tool_use","id":"c","name":"ls","input":{}}"#;
        let listed = r#"{"name":"ls","args":{},"id":"c","type":"tool_call"}"#;
        let raw = r#"{"id":"c","type":"function","function":{"name":"ls","arguments":"{ }"}}"#;
        let extra = |members: &str| format!(r#","additional_kwargs":{{{members}}}"#);
        let calls = |list: &str| format!(r#","tool_calls":[{list}]"#);
        let raws = extra(&format!(r#""tool_calls":[{raw}]"#));
        for (content, rest, expected) in [
            (block, calls(listed) + &raws, "a c0:2"),
            (block, calls(listed), "a c0:2"),
            (block, raws.clone(), "a c0:2"),
            (block, calls(""), "a c0:2"),
            ("", calls(listed) + &raws, "a c0:2"),
            ("", raws, "a c0:3"),
            ("", extra(r#""function_call":{"name":"ls","arguments":"{ }"}"#), "a c3"),
            ("", r#","invalid_tool_calls":[{"name":"ls","args":"{","id":"c"}]"#.to_owned(), "a c0:1"),
            (r#"{"type":"tool_use","name":"ls","input":{}}"#, calls(listed), "a c0:2"),
            (
                "",
                calls(listed) + &extra(r#""__gemini_function_call_thought_signatures__":{"c":"x"}"#),
                "a c0:2^",
            ),
            ("", extra(r#""reasoning":{"summary":[{"text":"hm"}],"encrypted_content":"x"}"#), "a ~2^"),
        ] {
            let text = format!(r#"[{{"type":"ai","content":[{content}]{rest}}}]"#);
            assert_eq!(outline(&text, Format::Langchain), expected, "{text}");
        }
    }
}
