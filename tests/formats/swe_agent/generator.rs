//! Conversations as trajectories of SWE-agent.

use serde_json::json;

use super::{Said, Spelling, arguments, pretty};

pub(super) const SPELLINGS: &[Spelling] = &[("swe_agent", swe_agent)];

fn swe_agent(said: &[Said]) -> String {
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
