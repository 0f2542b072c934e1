//! What goes to providers: OpenAI Chat and Responses, Anthropic Messages, Gemini contents.

use serde_json::{Value, json};

use super::{Call, Said, THINKING, arguments};

pub(super) fn openai_chat(said: &[Said]) -> String {
    let mut messages = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => messages.push(json!({"role": "user", "content": text})),
            Said::Answer(text) => messages.push(json!({"role": "assistant", "content": text})),
            Said::Calls { signature, calls } => {
                let function = |call: &Call| {
                    json!({"id": call.id, "type": "function",
                        "function": {"name": call.name, "arguments": arguments().to_string()}})
                };
                let mut message = json!({"role": "assistant", "content": null,
                    "tool_calls": calls.iter().map(function).collect::<Vec<_>>()});
                if let Some(signature) = signature {
                    message["reasoning"] = json!(THINKING);
                    message["reasoning_details"] =
                        json!([{"type": "reasoning.text", "signature": signature}]);
                }
                messages.push(message);
                messages.extend(calls.iter().filter_map(|call| {
                    Some(json!({"role": "tool", "tool_call_id": call.id, "content": call.output.as_ref()?}))
                }));
            }
        }
    }
    Value::Array(messages).to_string()
}

/// The items of the Responses API, which Codex keeps, too.
pub(super) fn responses_items(said: &[Said]) -> Vec<Value> {
    let mut items = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => items.push(json!({"type": "message", "role": "user",
                "content": [{"type": "input_text", "text": text}]})),
            Said::Answer(text) => items.push(json!({"type": "message", "role": "assistant",
                "content": [{"type": "output_text", "text": text}]})),
            Said::Calls { signature, calls } => {
                if let Some(signature) = signature {
                    items.push(
                        json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": THINKING}],
                        "encrypted_content": signature}),
                    );
                }
                items.extend(calls.iter().map(|call| {
                    json!({"type": "function_call", "call_id": call.id, "name": call.name,
                        "arguments": arguments().to_string()})
                }));
                items.extend(calls.iter().filter_map(|call| {
                    Some(json!({"type": "function_call_output", "call_id": call.id,
                        "output": call.output.as_ref()?}))
                }));
            }
        }
    }
    items
}

pub(super) fn openai_responses(said: &[Said]) -> String {
    Value::Array(responses_items(said)).to_string()
}

/// The messages of Anthropic's API, which other formats keep, too.
pub(super) fn anthropic_list(said: &[Said]) -> Vec<Value> {
    let mut messages = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => messages.push(json!({"role": "user", "content": text})),
            Said::Answer(text) => messages.push(json!({"role": "assistant", "content": text})),
            Said::Calls { signature, calls } => {
                messages.push(
                    json!({"role": "assistant", "content": anthropic_blocks(signature.as_ref(), calls)}),
                );
                let results: Vec<_> = calls.iter().filter_map(anthropic_result).collect();
                if !results.is_empty() {
                    messages.push(json!({"role": "user", "content": results}));
                }
            }
        }
    }
    messages
}

/// Thinking and calls.
pub(super) fn anthropic_blocks(signature: Option<&String>, calls: &[Call]) -> Vec<Value> {
    let thinking =
        signature.map(|signature| json!({"type": "thinking", "thinking": THINKING, "signature": signature}));
    let calls = calls
        .iter()
        .map(|call| json!({"type": "tool_use", "id": call.id, "name": call.name, "input": arguments()}));
    thinking.into_iter().chain(calls).collect()
}

pub(super) fn anthropic_result(call: &Call) -> Option<Value> {
    Some(json!({"type": "tool_result", "tool_use_id": call.id, "content": call.output.as_ref()?,
        "is_error": call.failed}))
}

pub(super) fn anthropic_messages(said: &[Said]) -> String {
    Value::Array(anthropic_list(said)).to_string()
}

/// The parts that call functions; the first carries the signature.
pub(super) fn gemini_calls(signature: Option<&String>, calls: &[Call]) -> Vec<Value> {
    let mut parts: Vec<Value> = calls
        .iter()
        .map(|call| json!({"functionCall": {"id": call.id, "name": call.name, "args": arguments()}}))
        .collect();
    if let (Some(signature), Some(first)) = (signature, parts.first_mut()) {
        first["thoughtSignature"] = json!(signature);
    }
    parts
}

pub(super) fn gemini_response(call: &Call) -> Option<Value> {
    let key = if call.failed { "error" } else { "output" };
    Some(
        json!({"functionResponse": {"id": call.id, "name": call.name, "response": {key: call.output.as_ref()?}}}),
    )
}

pub(super) fn gemini_contents(said: &[Said]) -> String {
    let mut contents = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => contents.push(json!({"role": "user", "parts": [{"text": text}]})),
            Said::Answer(text) => contents.push(json!({"role": "model", "parts": [{"text": text}]})),
            Said::Calls { signature, calls } => {
                contents.push(json!({"role": "model", "parts": gemini_calls(signature.as_ref(), calls)}));
                let responses: Vec<_> = calls.iter().filter_map(gemini_response).collect();
                if !responses.is_empty() {
                    contents.push(json!({"role": "user", "parts": responses}));
                }
            }
        }
    }
    Value::Array(contents).to_string()
}
