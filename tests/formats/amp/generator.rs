//! Conversations as threads of Amp.

use serde_json::{Value, json};

use super::{Said, Spelling, THINKING, arguments, pretty};

pub(super) const SPELLINGS: &[Spelling] = &[("amp", amp)];

fn amp(said: &[Said]) -> String {
    let mut messages = Vec::new();
    let mut add = |role: &str, content: Vec<Value>| {
        if !content.is_empty() {
            messages.push(json!({"role": role, "messageId": messages.len(), "content": content}));
        }
    };
    for said in said {
        match said {
            Said::Person(text) => add("user", vec![json!({"type": "text", "text": text})]),
            Said::Answer(text) => add("assistant", vec![json!({"type": "text", "text": text})]),
            Said::Calls { signature, calls } => {
                let thinking = signature.iter().map(
                    |signature| json!({"type": "thinking", "thinking": THINKING, "signature": signature}),
                );
                let made = calls.iter().map(|call| {
                    json!({"type": "tool_use", "complete": true, "id": call.id, "name": call.name, "input": arguments()})
                });
                add("assistant", thinking.chain(made).collect());
                let results = calls.iter().filter_map(|call| {
                    let status = if call.failed { "error" } else { "done" };
                    Some(json!({"type": "tool_result", "toolUseID": call.id,
                        "run": {"status": status, "result": call.output.as_ref()?}}))
                });
                add("user", results.collect());
            }
        }
    }
    pretty(&json!({"v": 5, "id": "T-1", "created": 1, "title": "t", "messages": messages}))
}
