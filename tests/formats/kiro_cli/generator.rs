//! Conversations as logs of Kiro CLI.

use serde_json::{Map, Value, json};

use super::{Said, Spelling, THINKING, arguments, lines};

pub(super) const SPELLINGS: &[Spelling] = &[("kiro_cli", kiro_cli)];

fn kiro_cli(said: &[Said]) -> String {
    let mut entries: Vec<Value> = Vec::new();
    let mut push = |kind: &str, mut data: Value| {
        data["message_id"] = json!(format!("m{}", entries.len()));
        entries.push(json!({"version": "v1", "kind": kind, "data": data}));
    };
    for said in said {
        match said {
            Said::Person(text) => push("Prompt", json!({"content": [{"kind": "text", "data": text}], "meta": {"timestamp": 1_770_000_000}})),
            Said::Answer(text) => push("AssistantMessage", json!({"content": [{"kind": "text", "data": text}]})),
            Said::Calls { signature, calls } => {
                let thinking = signature.iter().map(|signature| json!({"kind": "thinking", "data": {"text": THINKING, "signature": signature}}));
                let made = calls.iter().map(|call| json!({"kind": "toolUse", "data": {"toolUseId": call.id, "name": call.name, "input": arguments()}}));
                push("AssistantMessage", json!({"content": thinking.chain(made).collect::<Vec<_>>()}));
                let (mut content, mut results) = (Vec::new(), Map::new());
                for call in calls {
                    let Some(output) = &call.output else { continue };
                    let status = if call.failed { "error" } else { "success" };
                    let said = json!([{"kind": "text", "data": output}]);
                    content.push(json!({"kind": "toolResult", "data": {"toolUseId": call.id, "content": said, "status": status}}));
                    let shown = if call.failed { json!({"Error": {"Custom": output}}) } else { json!({"Success": {"items": [{"Text": output}]}}) };
                    results.insert(call.id.clone(), json!({"tool": null, "result": shown}));
                }
                if !content.is_empty() {
                    push("ToolResults", json!({"content": content, "results": results}));
                }
            }
        }
    }
    lines(entries)
}
