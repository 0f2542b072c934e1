//! Conversations as messages of Bedrock's Converse.

use serde_json::{Value, json};

use super::{Call, Said, Spelling, THINKING, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[("bedrock_converse", bedrock_converse)];

fn bedrock_converse(said: &[Said]) -> String {
    let mut messages = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => messages.push(json!({"role": "user", "content": [{"text": text}]})),
            Said::Answer(text) => messages.push(json!({"role": "assistant", "content": [{"text": text}]})),
            Said::Calls { signature, calls } => {
                messages.push(json!({"role": "assistant", "content": blocks(signature.as_ref(), calls)}));
                let results: Vec<_> = calls.iter().filter_map(result).collect();
                if !results.is_empty() {
                    messages.push(json!({"role": "user", "content": results}));
                }
            }
        }
    }
    Value::Array(messages).to_string()
}

/// Thinking and calls.
fn blocks(signature: Option<&String>, calls: &[Call]) -> Vec<Value> {
    let thinking = signature.map(|signature| {
        json!({"reasoningContent": {"reasoningText": {"text": THINKING, "signature": signature}}})
    });
    let calls = calls
        .iter()
        .map(|call| json!({"toolUse": {"toolUseId": call.id, "name": call.name, "input": arguments()}}));
    thinking.into_iter().chain(calls).collect()
}

fn result(call: &Call) -> Option<Value> {
    Some(json!({"toolResult": {"toolUseId": call.id, "content": [{"text": call.output.as_ref()?}],
        "status": if call.failed { "error" } else { "success" }}}))
}
