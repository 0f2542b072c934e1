//! Conversations as events of OpenHands, of both generations.

use serde_json::{Value, json};

use super::{Said, Spelling, THINKING, arguments, lines};

pub(super) const SPELLINGS: &[Spelling] = &[("openhands/v0", openhands), ("openhands/v1", openhands_sdk)];

const MOMENT: &str = "2026-01-31T10:20:30.000000";

fn openhands(said: &[Said]) -> String {
    let mut events: Vec<Value> = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => events
                .push(json!({"id": events.len(), "timestamp": MOMENT, "source": "user",
                "action": "message", "message": text, "args": {"content": text}})),
            Said::Answer(text) => events
                .push(json!({"id": events.len(), "timestamp": MOMENT, "source": "agent",
                "action": "message", "message": text, "args": {"content": text, "wait_for_response": true}})),
            Said::Calls { calls, .. } => {
                let response = calls.first().map_or("", |call| call.id.as_str());
                let first = events.len();
                for call in calls {
                    let metadata = json!({"function_name": call.name, "tool_call_id": call.id,
                        "total_calls_in_response": calls.len(), "model_response": {"id": format!("r_{response}")}});
                    events.push(json!({"id": events.len(), "timestamp": MOMENT, "source": "agent", "message": "",
                        "action": "run", "args": {"command": "ls", "thought": ""}, "tool_call_metadata": metadata}));
                }
                for (at, call) in calls.iter().enumerate() {
                    let Some(output) = &call.output else { continue };
                    let exit_code = i32::from(call.failed);
                    events.push(json!({"id": events.len(), "timestamp": MOMENT, "source": "agent", "message": "",
                        "cause": first + at, "observation": "run", "content": output,
                        "extras": {"command": "ls", "metadata": {"exit_code": exit_code}}, "success": !call.failed}));
                }
            }
        }
    }
    Value::Array(events).to_string()
}

fn openhands_sdk(said: &[Said]) -> String {
    let mut events: Vec<Value> = Vec::new();
    let message = |role: &str, text: &str| json!({"role": role, "content": [{"type": "text", "text": text}]});
    for said in said {
        let id = |events: &Vec<Value>| format!("e{}", events.len());
        match said {
            Said::Person(text) => events
                .push(json!({"id": id(&events), "timestamp": MOMENT, "source": "user",
                "llm_message": message("user", text), "kind": "MessageEvent"})),
            Said::Answer(text) => events
                .push(json!({"id": id(&events), "timestamp": MOMENT, "source": "agent",
                "llm_message": message("assistant", text), "kind": "MessageEvent"})),
            Said::Calls { signature, calls } => {
                let response = calls.first().map_or("", |call| call.id.as_str());
                let first = events.len();
                for (at, call) in calls.iter().enumerate() {
                    let thinking = signature.as_ref().filter(|_| at == 0).map(
                        |signature| json!({"type": "thinking", "thinking": THINKING, "signature": signature}),
                    );
                    events.push(json!({"id": id(&events), "timestamp": MOMENT, "source": "agent", "thought": [],
                        "thinking_blocks": thinking.into_iter().collect::<Vec<_>>(),
                        "action": {"command": "ls", "kind": "ExecuteBashAction"}, "tool_name": call.name,
                        "tool_call_id": call.id, "llm_response_id": format!("r_{response}"), "kind": "ActionEvent",
                        "tool_call": {"id": call.id, "name": call.name, "arguments": arguments().to_string(),
                            "origin": "completion"}}));
                }
                for (at, call) in calls.iter().enumerate() {
                    let Some(output) = &call.output else { continue };
                    let content = json!([{"type": "text", "text": output}]);
                    events.push(json!({"id": id(&events), "timestamp": MOMENT, "source": "environment",
                        "observation": {"content": content, "is_error": call.failed,
                            "kind": "ExecuteBashObservation"},
                        "tool_name": call.name, "tool_call_id": call.id, "action_id": format!("e{}", first + at),
                        "kind": "ObservationEvent"}));
                }
            }
        }
    }
    lines(events)
}
