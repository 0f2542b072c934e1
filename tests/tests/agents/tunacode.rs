//! `TunaCode` of January 2026: prunes before every request, and overwrites what it prunes. The file therefore does not
//! show when; the agent tells it.

use serde_json::{Value, json};

use super::{Story, ask, text};

/// The session with everything that was ever written, and for each prune the number of messages before it and the
/// places that it cleared: message and part.
pub(crate) fn session(story: &Story) -> (String, Vec<Prune>) {
    let (mut whole, mut sent, mut prunes) = (Vec::new(), Vec::<Value>::new(), Vec::new());
    let mut calls = 0;
    for run in &story.runs {
        both(
            &mut whole,
            &mut sent,
            &request(&[json!({"part_kind": "user-prompt", "content": text(120), "timestamp": MOMENT})]),
        );
        for step in run {
            let cleared =
                ask("tunacode", "prune", &Value::Array(sent.clone()), &json!({"version": "2026-01"}));
            let places: Vec<(usize, usize)> = cleared["cleared"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|place| Some((place[0].as_u64()? as usize, place[1].as_u64()? as usize)))
                .collect();
            for (message, part) in &places {
                sent[*message]["parts"][*part]["content"] = json!("[Old tool result content cleared]");
            }
            if !places.is_empty() {
                prunes.push((whole.len(), places));
            }
            let mut parts = vec![json!({"part_kind": "text", "content": text(step.text)})];
            let mut returns = Vec::new();
            for characters in &step.outputs {
                calls += 1;
                let id = format!("call_{calls}");
                parts.push(json!({"part_kind": "tool-call", "tool_name": "read", "args": {"path": id}, "tool_call_id": id}));
                returns.push(
                    json!({"part_kind": "tool-return", "tool_name": "read", "content": text(*characters),
                    "tool_call_id": id, "timestamp": MOMENT}),
                );
            }
            let usage = json!({"requests": 1, "request_tokens": 0, "response_tokens": 0, "total_tokens": 0});
            let response = json!({"kind": "response", "parts": parts, "usage": usage, "model_name": "m", "timestamp": MOMENT});
            both(&mut whole, &mut sent, &response);
            if !returns.is_empty() {
                both(&mut whole, &mut sent, &request(&returns));
            }
        }
    }
    let session = json!({"version": 1, "session_id": "s", "project_id": "p", "created_at": MOMENT, "last_modified": MOMENT,
        "working_directory": "/a", "current_model": "p:m", "total_tokens": 0,
        "session_total_usage": {"prompt_tokens": 0, "completion_tokens": 0, "cost": 0.0}, "tool_ignore": [], "yolo": false,
        "react_scratchpad": {}, "todos": [], "thoughts": [], "messages": whole});
    (session.to_string(), prunes)
}

/// How many messages were there, and the places that were cleared.
pub(crate) type Prune = (usize, Vec<(usize, usize)>);

const MOMENT: &str = "2026-01-20T10:00:00Z";

fn request(parts: &[Value]) -> Value {
    json!({"kind": "request", "parts": parts})
}

fn both(whole: &mut Vec<Value>, sent: &mut Vec<Value>, message: &Value) {
    whole.push(message.clone());
    sent.push(message.clone());
}
