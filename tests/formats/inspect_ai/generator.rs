//! Conversations as logs of Inspect AI.

use serde_json::json;

use super::{Said, Spelling, arguments, pretty};

pub(super) const SPELLINGS: &[Spelling] = &[("inspect_ai", inspect_ai)];

fn inspect_ai(said: &[Said]) -> String {
    let mut messages = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => messages.push(json!({"role": "user", "content": text, "source": "input"})),
            Said::Answer(text) => {
                messages.push(json!({"role": "assistant", "content": text, "source": "generate"}));
            }
            Said::Calls { calls, .. } => {
                let made: Vec<_> = calls
                    .iter()
                    .map(|call| {
                        json!({"id": call.id, "function": call.name, "arguments": arguments(), "type": "function"})
                    })
                    .collect();
                messages.push(
                    json!({"role": "assistant", "content": "", "source": "generate", "tool_calls": made}),
                );
                messages.extend(calls.iter().filter_map(|call| {
                    let output = call.output.as_ref()?;
                    let mut message = json!({"role": "tool", "content": output, "tool_call_id": call.id,
                        "function": call.name});
                    if call.failed {
                        message["error"] = json!({"type": "unknown", "message": output});
                    }
                    Some(message)
                }));
            }
        }
    }
    pretty(&json!({"version": 2, "status": "success", "eval": {"task": "t", "model": "m"},
        "samples": [{"id": 1, "epoch": 1, "input": "x", "target": "y", "messages": messages}]}))
}
