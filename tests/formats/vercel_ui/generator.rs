//! Conversations as UI messages of the AI SDK.

use serde_json::{Value, json};

use super::{Call, Said, Spelling, THINKING, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[("vercel_ui", vercel_ui)];

fn vercel_ui(said: &[Said]) -> String {
    let tool = |call: &Call| {
        let mut part =
            json!({"type": format!("tool-{}", call.name), "toolCallId": call.id, "input": arguments()});
        match (&call.output, call.failed) {
            (None, _) => part["state"] = json!("input-available"),
            (Some(text), true) => {
                part["state"] = json!("output-error");
                part["errorText"] = json!(text);
            }
            (Some(text), false) => {
                part["state"] = json!("output-available");
                part["output"] = json!(text);
            }
        }
        part
    };
    let messages = said.iter().enumerate().map(|(index, said)| {
        let (role, parts) = match said {
            Said::Person(text) => ("user", vec![json!({"type": "text", "text": text})]),
            Said::Answer(text) => ("assistant", vec![json!({"type": "text", "text": text, "state": "done"})]),
            Said::Calls { signature, calls } => {
                let thinking = signature.as_ref().map(|signature| {
                    json!({"type": "reasoning", "text": THINKING, "state": "done",
                        "providerMetadata": {"anthropic": {"signature": signature}}})
                });
                let step = [json!({"type": "step-start"})];
                ("assistant", step.into_iter().chain(thinking).chain(calls.iter().map(tool)).collect())
            }
        };
        json!({"id": format!("m{index}"), "role": role, "parts": parts})
    });
    Value::Array(messages.collect()).to_string()
}
