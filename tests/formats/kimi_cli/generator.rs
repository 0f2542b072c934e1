//! Conversations as contexts of Kimi CLI.

use serde_json::{Value, json};

use super::{Call, Said, Spelling, THINKING, arguments, lines};

pub(super) const SPELLINGS: &[Spelling] = &[("kimi_cli", kimi_cli)];

fn kimi_cli(said: &[Said]) -> String {
    let mut entries = vec![
        json!({"role": "_system_prompt", "content": "You are Kimi."}),
        json!({"role": "_checkpoint", "id": 0}),
    ];
    for said in said {
        match said {
            Said::Person(text) => {
                entries.push(json!({"role": "user", "content": [{"type": "text", "text": text}]}));
            }
            Said::Answer(text) => entries.push(json!({"role": "assistant", "content": text})),
            Said::Calls { signature, calls } => {
                let thinking = signature.iter().map(
                    |signature| json!({"type": "think", "think": THINKING, "encrypted": signature}),
                );
                let made = calls.iter().map(|call| {
                    json!({"type": "function", "id": call.id,
                        "function": {"name": call.name, "arguments": arguments().to_string()}})
                });
                entries.push(json!({"role": "assistant", "content": thinking.collect::<Vec<_>>(),
                    "tool_calls": made.collect::<Vec<_>>()}));
                entries.extend(calls.iter().filter_map(result));
            }
        }
    }
    lines(entries)
}

fn result(call: &Call) -> Option<Value> {
    let output = json!({"type": "text", "text": call.output.as_ref()?});
    let failed = json!({"type": "text", "text": "<system>ERROR: The tool failed.</system>"});
    let content = if call.failed { json!([failed, output]) } else { json!([output]) };
    Some(json!({"role": "tool", "content": content, "tool_call_id": call.id}))
}
