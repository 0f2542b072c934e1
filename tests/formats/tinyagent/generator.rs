//! Conversations as TinyAgent's messages, in the shape of pi's.

use serde_json::Value;

use super::pi::{Names, messages};
use super::{Said, Spelling};

pub(super) const SPELLINGS: &[Spelling] = &[("tinyagent", tinyagent)];

fn tinyagent(said: &[Said]) -> String {
    Value::Array(messages(said, &TINY_AGENT)).to_string()
}

pub(super) const TINY_AGENT: Names = Names {
    call: "tool_call",
    result: "tool_result",
    id: "tool_call_id",
    name: "tool_name",
    error: "is_error",
    stop: "stop_reason",
    signature: "thinking_signature",
};
