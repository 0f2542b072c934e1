//! Conversations as model messages of the AI SDK.

use serde_json::{Value, json};

use super::{Said, Spelling, THINKING, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[("vercel_model", vercel_model)];

fn vercel_model(said: &[Said]) -> String {
    let mut messages = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => messages.push(json!({"role": "user", "content": text})),
            Said::Answer(text) => {
                messages.push(json!({"role": "assistant", "content": [{"type": "text", "text": text}]}));
            }
            Said::Calls { signature, calls } => {
                let thinking = signature.as_ref().map(|signature| {
                    json!({"type": "reasoning", "text": THINKING,
                        "providerOptions": {"anthropic": {"signature": signature}}})
                });
                let made = calls.iter().map(|call| {
                    json!({"type": "tool-call", "toolCallId": call.id, "toolName": call.name, "input": arguments()})
                });
                let content: Vec<_> = thinking.into_iter().chain(made).collect();
                messages.push(json!({"role": "assistant", "content": content}));
                let results: Vec<_> = calls
                    .iter()
                    .filter_map(|call| {
                        let kind = if call.failed { "error-text" } else { "text" };
                        Some(json!({"type": "tool-result", "toolCallId": call.id, "toolName": call.name,
                            "output": {"type": kind, "value": call.output.as_ref()?}}))
                    })
                    .collect();
                if !results.is_empty() {
                    messages.push(json!({"role": "tool", "content": results}));
                }
            }
        }
    }
    Value::Array(messages).to_string()
}
