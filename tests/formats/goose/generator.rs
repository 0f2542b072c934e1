//! Conversations as messages of Goose: the lines of a session, an export, and a list.

use serde_json::{Value, json};

use super::{Call, Said, Spelling, THINKING, arguments};

pub(super) const SPELLINGS: &[Spelling] =
    &[("goose/lines", lines), ("goose/export", export), ("goose/list", list)];

fn lines(said: &[Said]) -> String {
    let head = json!({"working_dir": "/home/ada", "description": "", "message_count": said.len(), "total_tokens": null});
    let lines: Vec<String> = [head].into_iter().chain(messages(said)).map(|line| line.to_string()).collect();
    lines.join("\n") + "\n"
}

fn export(said: &[Said]) -> String {
    json!({"id": "20260116_1", "working_dir": "/home/ada", "conversation": messages(said)}).to_string()
}

fn list(said: &[Said]) -> String {
    Value::Array(messages(said)).to_string()
}

fn messages(said: &[Said]) -> Vec<Value> {
    let mut messages = Vec::new();
    let mut say = |role: &str, content: Vec<Value>| {
        if !content.is_empty() {
            messages.push(json!({"id": null, "role": role, "created": 1_768_550_400, "content": content,
                "metadata": {"userVisible": true, "agentVisible": true}}));
        }
    };
    for said in said {
        match said {
            Said::Person(text) => say("user", vec![json!({"type": "text", "text": text})]),
            Said::Answer(text) => say("assistant", vec![json!({"type": "text", "text": text})]),
            Said::Calls { signature, calls } => {
                let thinking = signature.iter().map(
                    |signature| json!({"type": "thinking", "thinking": THINKING, "signature": signature}),
                );
                let made = calls.iter().map(|call| {
                    json!({"type": "toolRequest", "id": call.id,
                        "toolCall": {"status": "success", "value": {"name": call.name, "arguments": arguments()}}})
                });
                say("assistant", thinking.chain(made).collect());
                say("user", calls.iter().filter_map(result).collect());
            }
        }
    }
    messages
}

fn result(call: &Call) -> Option<Value> {
    let content = json!([{"type": "text", "text": call.output.as_ref()?}]);
    Some(json!({"type": "toolResponse", "id": call.id,
        "toolResult": {"status": "success", "value": {"content": content, "isError": call.failed}}}))
}
