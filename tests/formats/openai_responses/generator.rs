//! Conversations as items of OpenAI Responses.

use serde_json::{Value, json};

use super::{Said, Spelling, THINKING, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[("openai_responses", openai_responses)];

fn openai_responses(said: &[Said]) -> String {
    Value::Array(responses_items(said)).to_string()
}

/// The items of the Responses API, which Codex uses too.
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
