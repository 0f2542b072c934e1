//! Conversations as trajectories in ATIF.

use serde_json::{Value, json};

use super::{Call, Said, Spelling, arguments, pretty};

pub(super) const SPELLINGS: &[Spelling] = &[("atif", atif)];

fn atif(said: &[Said]) -> String {
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
