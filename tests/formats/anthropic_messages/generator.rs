//! Conversations as Anthropic's messages.

use serde_json::{Value, json};

use super::{Call, Said, Spelling, THINKING, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[("anthropic_messages", anthropic_messages)];

fn anthropic_messages(said: &[Said]) -> String {
    Value::Array(anthropic_list(said)).to_string()
}

/// The messages of Anthropic's API, which other formats use too.
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
