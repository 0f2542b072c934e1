//! Conversations as transcripts of Cursor, with outputs, which most of them lack.

use serde_json::{Value, json};

use super::{Said, Spelling, arguments, lines};

pub(super) const SPELLINGS: &[Spelling] = &[("cursor", cursor)];

fn cursor(said: &[Said]) -> String {
    let mut entries = Vec::new();
    let mut add = |role: &str, content: Vec<Value>| {
        if !content.is_empty() {
            entries.push(json!({"role": role, "message": {"content": content}}));
        }
    };
    for said in said {
        match said {
            Said::Person(text) => add("user", vec![json!({"type": "text", "text": text})]),
            Said::Answer(text) => add("assistant", vec![json!({"type": "text", "text": text})]),
            Said::Calls { calls, .. } => {
                let made = calls.iter().map(|call| {
                    json!({"type": "tool_use", "id": call.id, "name": call.name, "input": arguments()})
                });
                add("assistant", made.collect());
                let results = calls.iter().filter_map(|call| {
                    Some(json!({"type": "tool_result", "tool_use_id": call.id, "content": call.output.as_ref()?,
                        "is_error": call.failed}))
                });
                add("user", results.collect());
            }
        }
    }
    lines(entries)
}
