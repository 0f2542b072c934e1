//! Conversations as rollouts of Codex.

use serde_json::{Value, json};

use super::openai_responses::responses_items;
use super::{Said, Spelling, lines};

pub(super) const SPELLINGS: &[Spelling] = &[("codex", codex)];

fn codex(said: &[Said]) -> String {
    let line = |kind: &str, payload: Value| json!({"timestamp": "2026-01-31T10:20:30.000Z", "type": kind, "payload": payload});
    let header = line("session_meta", json!({"id": "s", "cwd": "/w", "cli_version": "0.100.0"}));
    let items = responses_items(said).into_iter().map(|item| line("response_item", item));
    lines([header].into_iter().chain(items))
}
