//! Conversations as sessions of Microsoft Agent Framework.

use serde_json::{Value, json};

use super::{Said, Spelling, THINKING, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[("agent_framework", session), ("agent_framework/list", list)];

fn session(said: &[Said]) -> String {
    json!({"type": "session", "session_id": "s", "service_session_id": null,
        "state": {"in_memory": {"messages": messages(said)}}})
    .to_string()
}

fn list(said: &[Said]) -> String {
    Value::Array(messages(said)).to_string()
}

fn messages(said: &[Said]) -> Vec<Value> {
    let mut messages = Vec::new();
    let mut add = |role: &str, contents: Vec<Value>| {
        if !contents.is_empty() {
            messages.push(json!({"type": "message", "role": role, "contents": contents}));
        }
    };
    for said in said {
        match said {
            Said::Person(text) => add("user", vec![json!({"type": "text", "text": text})]),
            Said::Answer(text) => add("assistant", vec![json!({"type": "text", "text": text})]),
            Said::Calls { signature, calls } => {
                let thinking = signature.iter().map(|signature| {
                    json!({"type": "text_reasoning", "text": THINKING, "protected_data": signature})
                });
                let made = calls.iter().map(|call| {
                    json!({"type": "function_call", "call_id": call.id, "name": call.name,
                        "arguments": arguments().to_string()})
                });
                add("assistant", thinking.chain(made).collect());
                let results = calls.iter().filter_map(|call| {
                    let mut result =
                        json!({"type": "function_result", "call_id": call.id, "result": call.output.as_ref()?});
                    if call.failed {
                        result["exception"] = json!("ValueError");
                    }
                    Some(result)
                });
                add("tool", results.collect());
            }
        }
    }
    messages
}
