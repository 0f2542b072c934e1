//! Conversations as session files of Claude Code, and of Qwen Code.

use serde_json::{Value, json};

use super::anthropic_messages::{anthropic_blocks, anthropic_result};
use super::gemini_contents::gemini_contents;
use super::{Said, Spelling, lines};

pub(super) const SPELLINGS: &[Spelling] = &[("claude_code", claude_code), ("claude_code/qwen", qwen)];

/// A chain of lines; like Claude Code, it writes one line for each block of a message.
fn claude_code(said: &[Said]) -> String {
    let mut found: Vec<Value> = Vec::new();
    let mut push = |kind: &str, message: Value| {
        let index = found.len();
        let parent = index.checked_sub(1).map(|parent| format!("00000000-0000-4000-8000-{parent:012}"));
        found.push(json!({"parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": "/w",
            "sessionId": "s", "version": "2.1.0", "gitBranch": "main", "type": kind, "message": message,
            "uuid": format!("00000000-0000-4000-8000-{index:012}"), "timestamp": "2026-01-31T10:20:30.000Z"}));
        index
    };
    for said in said {
        match said {
            Said::Person(text) => {
                push("user", json!({"role": "user", "content": text}));
            }
            Said::Answer(text) => {
                push(
                    "assistant",
                    json!({"role": "assistant", "type": "message", "model": "m",
                    "content": [{"type": "text", "text": text}], "stop_reason": "end_turn"}),
                );
            }
            Said::Calls { signature, calls } => {
                let id = calls.first().map_or("msg", |call| call.id.as_str());
                for block in anthropic_blocks(signature.as_ref(), calls) {
                    push(
                        "assistant",
                        json!({"id": format!("msg_{id}"), "role": "assistant", "type": "message",
                        "model": "m", "content": [block], "stop_reason": null}),
                    );
                }
                for result in calls.iter().filter_map(anthropic_result) {
                    push("user", json!({"role": "user", "content": [result]}));
                }
            }
        }
    }
    lines(found)
}

/// The same chain with a content of Gemini in each line.
#[expect(clippy::expect_used, reason = "the list was written above")]
fn qwen(said: &[Said]) -> String {
    let contents: Vec<Value> = serde_json::from_str(&gemini_contents(said)).expect("a list of contents");
    lines(contents.into_iter().enumerate().map(|(index, content)| {
        let parent = index.checked_sub(1).map(|parent| format!("00000000-0000-4000-8000-{parent:012}"));
        let is_result = content["parts"][0].get("functionResponse").is_some();
        let kind = match content["role"].as_str() {
            Some("model") => "assistant",
            _ if is_result => "tool_result",
            _ => "user",
        };
        json!({"uuid": format!("00000000-0000-4000-8000-{index:012}"), "parentUuid": parent, "sessionId": "s",
            "timestamp": "2026-01-31T10:20:30.000Z", "type": kind, "cwd": "/w", "version": "0.15.10",
            "message": content})
    }))
}
