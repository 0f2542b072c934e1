//! Conversations as sessions of Factory's droid.

use serde_json::json;

use super::anthropic_messages::anthropic_list;
use super::{Said, Spelling, lines};

pub(super) const SPELLINGS: &[Spelling] = &[("droid", droid)];

fn droid(said: &[Said]) -> String {
    let start = json!({"type": "session_start", "id": "s", "title": "t", "version": 2, "cwd": "/w"});
    let messages = anthropic_list(said).into_iter().enumerate().map(|(at, message)| {
        json!({"type": "message", "id": format!("m{at}"), "timestamp": "2026-01-01T00:00:00Z", "message": message,
            "parentId": at.checked_sub(1).map(|before| format!("m{before}"))})
    });
    lines([start].into_iter().chain(messages))
}
