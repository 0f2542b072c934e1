//! Conversations as items of the OpenAI Agents SDK.

use serde_json::{Value, json};

use super::{Said, Spelling, THINKING, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[("openai_agents", openai_agents)];

fn openai_agents(said: &[Said]) -> String {
    let mut items = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => items.push(json!({"role": "user", "content": text})),
            Said::Answer(text) => items
                .push(json!({"type": "message", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": text}], "providerData": {}})),
            Said::Calls { signature, calls } => {
                if let Some(signature) = signature {
                    items.push(
                        json!({"type": "reasoning", "content": [{"type": "input_text", "text": THINKING}],
                        "providerData": {"encrypted_content": signature}}),
                    );
                }
                items.extend(calls.iter().map(|call| {
                    json!({"type": "function_call", "callId": call.id, "name": call.name, "status": "completed",
                        "arguments": arguments().to_string(), "providerData": {}})
                }));
                items.extend(calls.iter().filter_map(|call| {
                    Some(json!({"type": "function_call_result", "callId": call.id, "name": call.name,
                        "status": "completed", "output": {"type": "text", "text": call.output.as_ref()?}}))
                }));
            }
        }
    }
    Value::Array(items).to_string()
}
