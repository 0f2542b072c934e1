//! Conversations as Gemini's contents.

use serde_json::{Value, json};

use super::{Call, Said, Spelling, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[("gemini_contents", gemini_contents)];

pub(super) fn gemini_contents(said: &[Said]) -> String {
    let mut contents = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => contents.push(json!({"role": "user", "parts": [{"text": text}]})),
            Said::Answer(text) => contents.push(json!({"role": "model", "parts": [{"text": text}]})),
            Said::Calls { signature, calls } => {
                contents.push(json!({"role": "model", "parts": gemini_calls(signature.as_ref(), calls)}));
                let responses: Vec<_> = calls.iter().filter_map(gemini_response).collect();
                if !responses.is_empty() {
                    contents.push(json!({"role": "user", "parts": responses}));
                }
            }
        }
    }
    Value::Array(contents).to_string()
}

/// The parts that call functions; the first carries the signature.
fn gemini_calls(signature: Option<&String>, calls: &[Call]) -> Vec<Value> {
    let mut parts: Vec<Value> = calls
        .iter()
        .map(|call| json!({"functionCall": {"id": call.id, "name": call.name, "args": arguments()}}))
        .collect();
    if let (Some(signature), Some(first)) = (signature, parts.first_mut()) {
        first["thoughtSignature"] = json!(signature);
    }
    parts
}

pub(super) fn gemini_response(call: &Call) -> Option<Value> {
    let key = if call.failed { "error" } else { "output" };
    Some(
        json!({"functionResponse": {"id": call.id, "name": call.name, "response": {key: call.output.as_ref()?}}}),
    )
}
