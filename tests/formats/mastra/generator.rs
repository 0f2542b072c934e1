//! Conversations as messages of a Mastra store.

use serde_json::{Value, json};

use super::{Said, Spelling, THINKING, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[("mastra", mastra)];

fn mastra(said: &[Said]) -> String {
    let message = |(at, said): (usize, &Said)| {
        let (role, parts) = match said {
            Said::Person(text) => ("user", vec![json!({"type": "text", "text": text})]),
            Said::Answer(text) => {
                ("assistant", vec![json!({"type": "step-start"}), json!({"type": "text", "text": text})])
            }
            Said::Calls { signature, calls } => {
                let thinking = signature.iter().map(|signature| {
                    json!({"type": "reasoning", "reasoning": "",
                        "details": [{"type": "text", "text": THINKING, "signature": signature}]})
                });
                let calls = calls.iter().map(|call| {
                    let mut invocation = json!({"state": "call", "toolCallId": call.id, "toolName": call.name,
                        "args": arguments()});
                    if let Some(output) = &call.output {
                        let (state, key) =
                            if call.failed { ("output-error", "errorText") } else { ("result", "result") };
                        invocation["state"] = json!(state);
                        invocation[key] = json!(output);
                    }
                    json!({"type": "tool-invocation", "toolInvocation": invocation})
                });
                let begun = std::iter::once(json!({"type": "step-start"}));
                ("assistant", begun.chain(thinking).chain(calls).collect())
            }
        };
        json!({"id": format!("m-{at}"), "role": role, "createdAt": format!("2026-01-01T{:02}:{:02}:{:02}.000Z", at / 3600 % 24, at / 60 % 60, at % 60),
            "threadId": "t", "content": {"format": 2, "parts": parts}})
    };
    Value::Array(said.iter().enumerate().map(message).collect()).to_string()
}
