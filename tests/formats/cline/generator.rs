//! Conversations as sessions of Cline.

use serde_json::json;

use super::anthropic_messages::anthropic_list;
use super::{Said, Spelling, pretty};

pub(super) const SPELLINGS: &[Spelling] = &[("cline", cline)];

fn cline(said: &[Said]) -> String {
    pretty(&json!({"version": 1, "agent": "cline", "sessionId": "s", "system_prompt": "You fix bugs.",
        "messages": anthropic_list(said)}))
}
