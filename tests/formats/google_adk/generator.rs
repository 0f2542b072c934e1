//! Conversations as sessions of Google ADK.

use serde_json::{Value, json};

use super::{Said, Spelling, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[("google_adk", session), ("google_adk/events", events)];

fn session(said: &[Said]) -> String {
    json!({"id": "s", "app_name": "a", "user_id": "u", "state": {}, "events": made(said), "last_update_time": 1.5})
        .to_string()
}

fn events(said: &[Said]) -> String {
    Value::Array(made(said)).to_string()
}

fn made(said: &[Said]) -> Vec<Value> {
    let mut events = Vec::new();
    let mut add = |author: &str, role: &str, parts: Vec<Value>| {
        if !parts.is_empty() {
            let at = 1_770_000_000.5 + f64::from(u32::try_from(events.len()).unwrap_or(0));
            events.push(json!({"id": format!("e{}", events.len()), "invocation_id": "e-1", "author": author,
                "timestamp": at, "content": {"role": role, "parts": parts}, "actions": {}}));
        }
    };
    for said in said {
        match said {
            Said::Person(text) => add("user", "user", vec![json!({"text": text})]),
            Said::Answer(text) => add("agent", "model", vec![json!({"text": text})]),
            Said::Calls { signature, calls } => {
                let mut parts: Vec<Value> = calls
                    .iter()
                    .map(|call| json!({"function_call": {"id": call.id, "name": call.name, "args": arguments()}}))
                    .collect();
                if let (Some(signature), Some(first)) = (signature, parts.first_mut()) {
                    first["thought_signature"] = json!(signature);
                }
                add("agent", "model", parts);
                let responses = calls.iter().filter_map(|call| {
                    let key = if call.failed { "error" } else { "output" };
                    Some(json!({"function_response": {"id": call.id, "name": call.name,
                        "response": {key: call.output.as_ref()?}}}))
                });
                add("agent", "user", responses.collect());
            }
        }
    }
    events
}
