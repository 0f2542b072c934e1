//! Conversations as messages of Bedrock's Converse.

use serde_json::{Value, json};

use super::{Call, Said, Spelling, THINKING, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[("bedrock_converse", bedrock_converse)];

fn bedrock_converse(said: &[Said]) -> String {
    let mut messages = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => say(&mut messages, "user", vec![json!({"text": text})]),
            Said::Answer(text) => say(&mut messages, "assistant", vec![json!({"text": text})]),
            Said::Calls { signature, calls } => {
                say(&mut messages, "assistant", blocks(signature.as_ref(), calls));
                say(&mut messages, "user", calls.iter().filter_map(result).collect());
            }
        }
    }
    Value::Array(messages).to_string()
}

/// Adds blocks to the newest message if it has this role, because Converse refuses two messages of one role in a row.
fn say(messages: &mut Vec<Value>, role: &str, mut blocks: Vec<Value>) {
    let newest = messages.last_mut().filter(|message| message["role"] == role);
    match newest.and_then(|message| message["content"].as_array_mut()) {
        Some(content) => content.append(&mut blocks),
        None if blocks.is_empty() => {}
        None => messages.push(json!({"role": role, "content": blocks})),
    }
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
