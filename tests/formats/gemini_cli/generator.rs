//! Conversations as sessions of Gemini CLI, in both of its notations.

use serde_json::{Value, json};

use super::gemini_contents::gemini_response;
use super::{Said, Spelling, arguments, lines, pretty};

pub(super) const SPELLINGS: &[Spelling] =
    &[("gemini_cli/json", gemini_cli), ("gemini_cli/lines", gemini_cli_lines)];

fn gemini_cli(said: &[Said]) -> String {
    pretty(&json!({"sessionId": "s", "projectHash": "h", "startTime": "2026-01-31T10:20:30.000Z",
        "lastUpdated": "2026-01-31T10:20:30.000Z", "messages": gemini_messages(said)}))
}

fn gemini_cli_lines(said: &[Said]) -> String {
    let header = json!({"sessionId": "s", "projectHash": "h", "startTime": "2026-01-31T10:20:30.000Z",
        "lastUpdated": "2026-01-31T10:20:30.000Z", "kind": "main"});
    lines([header].into_iter().chain(gemini_messages(said)))
}

fn gemini_messages(said: &[Said]) -> Vec<Value> {
    said.iter()
        .enumerate()
        .map(|(index, said)| {
            let id = format!("m{index}");
            match said {
                Said::Person(text) => {
                    json!({"id": id, "timestamp": "2026-01-31T10:20:30.000Z", "type": "user",
                    "content": [{"text": text}]})
                }
                Said::Answer(text) => {
                    json!({"id": id, "timestamp": "2026-01-31T10:20:30.000Z", "type": "gemini",
                    "content": text})
                }
                Said::Calls { calls, .. } => {
                    let calls: Vec<_> = calls
                        .iter()
                        .map(|call| {
                            let status = match (&call.output, call.failed) {
                                (None, _) => "cancelled",
                                (_, true) => "error",
                                (_, false) => "success",
                            };
                            let result = gemini_response(call).map_or(Value::Null, |part| json!([part]));
                            json!({"id": call.id, "name": call.name, "args": arguments(), "result": result,
                                "status": status})
                        })
                        .collect();
                    json!({"id": id, "timestamp": "2026-01-31T10:20:30.000Z", "type": "gemini", "content": "",
                        "toolCalls": calls})
                }
            }
        })
        .collect()
}
