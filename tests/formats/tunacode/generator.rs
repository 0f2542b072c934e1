//! Conversations as session files of TunaCode.

use serde_json::json;

use super::pi::messages;
use super::tinyagent::TINY_AGENT;
use super::{Said, Spelling, pretty};

pub(super) const SPELLINGS: &[Spelling] = &[("tunacode", tunacode)];

fn tunacode(said: &[Said]) -> String {
    pretty(
        &json!({"version": 1, "session_id": "s", "project_id": "p", "current_model": "m", "compaction": null,
        "messages": messages(said, &TINY_AGENT)}),
    )
}
