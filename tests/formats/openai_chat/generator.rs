//! Conversations as OpenAI Chat messages.

use serde_json::{Value, json};

use super::{Call, Said, Spelling, THINKING, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[("openai_chat", openai_chat)];

fn openai_chat(said: &[Said]) -> String {
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
