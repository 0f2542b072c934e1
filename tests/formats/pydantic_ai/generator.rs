//! Conversations as pydantic-ai's messages.

use serde_json::{Value, json};

use super::{Said, Spelling, THINKING, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[("pydantic_ai", pydantic_ai)];

fn pydantic_ai(said: &[Said]) -> String {
    let mut messages = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => {
                messages.push(
                    json!({"kind": "request", "parts": [{"part_kind": "user-prompt", "content": text}]}),
                );
            }
            Said::Answer(text) => {
                messages.push(json!({"kind": "response", "parts": [{"part_kind": "text", "content": text}]}));
            }
            Said::Calls { signature, calls } => {
                let thinking = signature.as_ref().map(
                    |signature| json!({"part_kind": "thinking", "content": THINKING, "signature": signature}),
                );
                let parts = calls.iter().map(|call| {
                    json!({"part_kind": "tool-call", "tool_name": call.name, "args": arguments(),
                        "tool_call_id": call.id})
                });
                let parts: Vec<_> = thinking.into_iter().chain(parts).collect();
                messages.push(json!({"kind": "response", "parts": parts}));
                let results: Vec<_> = calls
                    .iter()
                    .filter_map(|call| {
                        let kind = if call.failed { "retry-prompt" } else { "tool-return" };
                        Some(json!({"part_kind": kind, "tool_name": call.name, "content": call.output.as_ref()?,
                            "tool_call_id": call.id}))
                    })
                    .collect();
                if !results.is_empty() {
                    messages.push(json!({"kind": "request", "parts": results}));
                }
            }
        }
    }
    Value::Array(messages).to_string()
}
