//! What is kept for evaluation: SWE-agent, ATIF, Inspect AI; and Cline, whose envelope is much the same.

use serde_json::{Value, json};

use super::providers::anthropic_list;
use super::{Call, Said, arguments, pretty};

pub(super) fn swe_agent(said: &[Said]) -> String {
    let mut history = vec![json!({"role": "system", "content": "You fix bugs.", "agent": "main",
        "message_type": "system_prompt"})];
    for said in said {
        match said {
            Said::Person(text) => history
                .push(json!({"role": "user", "content": [{"type": "text", "text": text}],
                "agent": "main", "message_type": "observation"})),
            Said::Answer(text) => history.push(json!({"role": "assistant", "content": text, "thought": text,
                "action": "", "agent": "main", "message_type": "action"})),
            Said::Calls { calls, .. } => {
                let made: Vec<_> = calls
                    .iter()
                    .map(|call| {
                        json!({"id": call.id, "type": "function",
                            "function": {"name": call.name, "arguments": arguments().to_string()}})
                    })
                    .collect();
                history.push(json!({"role": "assistant", "content": "", "thought": "", "action": "ls",
                    "agent": "main", "tool_calls": made, "message_type": "action"}));
                history.extend(calls.iter().filter_map(|call| {
                    Some(json!({"role": "tool", "content": call.output.as_ref()?, "agent": "main",
                        "message_type": "observation", "tool_call_ids": [call.id]}))
                }));
            }
        }
    }
    pretty(&json!({"trajectory": [], "history": history, "info": {"exit_status": "submitted"}}))
}

pub(super) fn atif(said: &[Said]) -> String {
    let steps = said.iter().enumerate().map(|(index, said)| match said {
        Said::Person(text) => json!({"step_id": index + 1, "source": "user", "message": text}),
        Said::Answer(text) => json!({"step_id": index + 1, "source": "agent", "message": text}),
        Said::Calls { calls, .. } => {
            let made: Vec<_> = calls
                .iter()
                .map(|call| json!({"tool_call_id": call.id, "function_name": call.name, "arguments": arguments()}))
                .collect();
            let result = |call: &Call| Some(json!({"source_call_id": call.id, "content": call.output.as_ref()?}));
            let results: Vec<Value> = calls.iter().filter_map(result).collect();
            json!({"step_id": index + 1, "source": "agent", "message": "", "tool_calls": made,
                "observation": {"results": results}})
        }
    });
    pretty(&json!({"schema_version": "ATIF-v1.6", "session_id": "s", "agent": {"name": "a", "version": "1"},
        "steps": steps.collect::<Vec<_>>()}))
}

pub(super) fn cline(said: &[Said]) -> String {
    pretty(&json!({"version": 1, "agent": "cline", "sessionId": "s", "system_prompt": "You fix bugs.",
        "messages": anthropic_list(said)}))
}

pub(super) fn inspect_ai(said: &[Said]) -> String {
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
