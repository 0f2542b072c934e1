//! Conversations as states of `AutoGen`.

use serde_json::{Value, json};

use super::{Said, Spelling, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[("autogen", agent), ("autogen/team", team), ("autogen/list", list)];

fn agent(said: &[Said]) -> String {
    state(said).to_string()
}

fn team(said: &[Said]) -> String {
    json!({"type": "TeamState", "version": "1.0.0", "agent_states": {
        "writer": {"type": "ChatAgentContainerState", "agent_state": state(said), "message_buffer": []}}})
    .to_string()
}

fn list(said: &[Said]) -> String {
    Value::Array(messages(said)).to_string()
}

fn state(said: &[Said]) -> Value {
    json!({"type": "AssistantAgentState", "version": "1.0.0", "llm_context": {"messages": messages(said)}})
}

fn messages(said: &[Said]) -> Vec<Value> {
    let mut messages = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => {
                messages.push(json!({"content": text, "source": "user", "type": "UserMessage"}));
            }
            Said::Answer(text) => {
                messages.push(json!({"content": text, "source": "a", "type": "AssistantMessage"}));
            }
            Said::Calls { calls, .. } => {
                let made = calls.iter().map(|call| {
                    json!({"id": call.id, "arguments": arguments().to_string(), "name": call.name})
                });
                messages.push(json!({"content": made.collect::<Vec<_>>(), "thought": null, "source": "a",
                    "type": "AssistantMessage"}));
                let results = calls.iter().filter_map(|call| {
                    Some(json!({"content": call.output.as_ref()?, "name": call.name, "call_id": call.id,
                        "is_error": call.failed}))
                });
                let results: Vec<_> = results.collect();
                if !results.is_empty() {
                    messages.push(json!({"content": results, "type": "FunctionExecutionResultMessage"}));
                }
            }
        }
    }
    messages
}
