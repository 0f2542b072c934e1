//! Conversations as exports of OpenCode.

use serde_json::json;

use super::{Call, Said, Spelling, THINKING, arguments, pretty};

pub(super) const SPELLINGS: &[Spelling] = &[("opencode", opencode)];

fn opencode(said: &[Said]) -> String {
    let tool = |call: &Call| {
        let mut state = match (&call.output, call.failed) {
            (None, _) => json!({"status": "running", "time": {"start": 1}}),
            (Some(text), true) => json!({"status": "error", "error": text, "time": {"start": 1, "end": 2}}),
            (Some(text), false) => {
                json!({"status": "completed", "output": text, "time": {"start": 1, "end": 2}})
            }
        };
        state["input"] = arguments();
        json!({"type": "tool", "callID": call.id, "tool": call.name, "state": state})
    };
    let messages = said.iter().enumerate().map(|(index, said)| {
        let (role, parts) = match said {
            Said::Person(text) => ("user", vec![json!({"type": "text", "text": text})]),
            Said::Answer(text) => ("assistant", vec![json!({"type": "text", "text": text})]),
            Said::Calls { signature, calls } => {
                let thinking = signature.as_ref().map(|signature| {
                    json!({"type": "reasoning", "text": THINKING, "metadata": {"anthropic": {"signature": signature}}})
                });
                ("assistant", thinking.into_iter().chain(calls.iter().map(tool)).collect())
            }
        };
        let mut info = json!({"id": format!("msg_{index:04}"), "sessionID": "ses_1", "role": role, "time": {"created": index}});
        if role == "assistant" {
            info["finish"] = json!("stop");
        }
        json!({"info": info, "parts": parts})
    });
    let messages: Vec<_> = messages.collect();
    pretty(&json!({"info": {"id": "ses_1"}, "messages": messages}))
}
