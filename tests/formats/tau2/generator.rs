//! Conversations as results of tau2-bench.

use serde_json::{Value, json};

use super::{Said, Spelling, arguments, pretty};

pub(super) const SPELLINGS: &[Spelling] = &[("tau2", tau2)];

fn tau2(said: &[Said]) -> String {
    let mut messages = Vec::new();
    let mut add = |mut message: Value| {
        message["turn_idx"] = json!(messages.len());
        messages.push(message);
    };
    for said in said {
        match said {
            Said::Person(text) => add(json!({"role": "user", "content": text, "tool_calls": null})),
            Said::Answer(text) => add(json!({"role": "assistant", "content": text, "tool_calls": null})),
            Said::Calls { calls, .. } => {
                let made = calls.iter().map(|call| {
                    json!({"id": call.id, "name": call.name, "arguments": arguments(), "requestor": "assistant"})
                });
                add(json!({"role": "assistant", "content": null, "tool_calls": made.collect::<Vec<_>>()}));
                for call in calls {
                    if let Some(output) = &call.output {
                        add(json!({"role": "tool", "id": call.id, "content": output, "requestor": "assistant",
                            "error": call.failed}));
                    }
                }
            }
        }
    }
    pretty(&json!({"info": {}, "tasks": [], "simulations": [{"id": "s", "task_id": "0", "messages": messages}]}))
}
