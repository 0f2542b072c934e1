//! Conversations as session files of pi.

use serde_json::{Value, json};

use super::{Said, Spelling, THINKING, arguments, lines};

pub(super) const SPELLINGS: &[Spelling] = &[("pi", pi)];

fn pi(said: &[Said]) -> String {
    let header = json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"});
    let entries = messages(said, &PI).into_iter().enumerate().map(|(index, message)| {
        let parent = index.checked_sub(1).map(|parent| format!("{parent:08x}"));
        json!({"type": "message", "id": format!("{index:08x}"), "parentId": parent, "message": message})
    });
    lines([header].into_iter().chain(entries))
}

/// The names of pi and TinyAgent for the same members.
pub(super) struct Names {
    pub(super) call: &'static str,
    pub(super) result: &'static str,
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) error: &'static str,
    pub(super) stop: &'static str,
    pub(super) signature: &'static str,
}

const PI: Names = Names {
    call: "toolCall",
    result: "toolResult",
    id: "toolCallId",
    name: "toolName",
    error: "isError",
    stop: "stopReason",
    signature: "thinkingSignature",
};

pub(super) fn messages(said: &[Said], names: &Names) -> Vec<Value> {
    let mut messages = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => {
                messages.push(json!({"role": "user", "content": [{"type": "text", "text": text}]}));
            }
            Said::Answer(text) => messages.push(json!({"role": "assistant",
                "content": [{"type": "text", "text": text}], names.stop: "stop"})),
            Said::Calls { signature, calls } => {
                let thinking = signature.as_ref().map(
                    |signature| json!({"type": "thinking", "thinking": THINKING, names.signature: signature}),
                );
                let blocks = calls.iter().map(|call| {
                    json!({"type": names.call, "id": call.id, "name": call.name, "arguments": arguments()})
                });
                let content: Vec<_> = thinking.into_iter().chain(blocks).collect();
                messages.push(json!({"role": "assistant", "content": content, names.stop: "tool_use"}));
                messages.extend(calls.iter().filter_map(|call| {
                    let content = json!([{"type": "text", "text": call.output.as_ref()?}]);
                    Some(json!({"role": names.result, names.id: call.id, names.name: call.name,
                        "content": content, names.error: call.failed}))
                }));
            }
        }
    }
    messages
}
