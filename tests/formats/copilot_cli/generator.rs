//! Conversations as logs of Copilot CLI.

use serde_json::{Value, json};

use super::{Call, Said, Spelling, arguments, lines};

pub(super) const SPELLINGS: &[Spelling] = &[("copilot_cli", copilot_cli)];

fn copilot_cli(said: &[Said]) -> String {
    let mut events: Vec<Value> = Vec::new();
    let mut push = |kind: &str, data: Value| {
        let parent = events.len().checked_sub(1).map(|parent| format!("e{parent}"));
        events.push(json!({"type": kind, "data": data, "id": format!("e{}", events.len()),
            "timestamp": "2026-01-31T10:20:30.000Z", "parentId": parent}));
    };
    push("session.start", json!({"sessionId": "s", "version": 1, "producer": "copilot-agent"}));
    for said in said {
        match said {
            Said::Person(text) => push("user.message", json!({"content": text, "attachments": []})),
            Said::Answer(text) => {
                push("assistant.message", json!({"messageId": "m", "content": text, "toolRequests": []}));
            }
            Said::Calls { calls, .. } => {
                let request = |call: &Call| json!({"toolCallId": call.id, "name": call.name, "arguments": arguments(), "type": "function"});
                let requests: Vec<_> = calls.iter().map(request).collect();
                push("assistant.message", json!({"messageId": "m", "content": "", "toolRequests": requests}));
                for call in calls {
                    let Some(output) = &call.output else { continue };
                    let result = if call.failed {
                        json!({"toolCallId": call.id, "success": false, "error": {"message": output}})
                    } else {
                        json!({"toolCallId": call.id, "success": true,
                            "result": {"content": output, "detailedContent": output}})
                    };
                    push("tool.execution_complete", result);
                }
            }
        }
    }
    lines(events)
}
