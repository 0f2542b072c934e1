//! Conversations as LangChain's messages, in its three forms.

use serde_json::{Value, json};

use super::{Said, Spelling, THINKING, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[
    ("langchain/dump", langchain_dump),
    ("langchain/dict", langchain_dict),
    ("langchain/flat", langchain_flat),
];

fn langchain_dump(said: &[Said]) -> String {
    let message = |(kind, class, mut fields): (&str, &str, Value)| {
        fields["type"] = json!(kind);
        json!({"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", class], "kwargs": fields})
    };
    Value::Array(langchain(said).into_iter().map(message).collect()).to_string()
}

fn langchain_dict(said: &[Said]) -> String {
    let message = |(kind, _, mut fields): (&str, &str, Value)| {
        fields["type"] = json!(kind);
        json!({"type": kind, "data": fields})
    };
    Value::Array(langchain(said).into_iter().map(message).collect()).to_string()
}

fn langchain_flat(said: &[Said]) -> String {
    let message = |(kind, _, mut fields): (&str, &str, Value)| {
        fields["type"] = json!(kind);
        fields
    };
    Value::Array(langchain(said).into_iter().map(message).collect()).to_string()
}

/// LangChain's messages as `(type, class, fields)`.
fn langchain(said: &[Said]) -> Vec<(&'static str, &'static str, Value)> {
    let mut messages = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => messages.push(("human", "HumanMessage", json!({"content": text}))),
            Said::Answer(text) => messages.push(("ai", "AIMessage", json!({"content": text}))),
            Said::Calls { signature, calls } => {
                let made: Vec<_> = calls
                    .iter()
                    .map(|call| json!({"name": call.name, "args": arguments(), "id": call.id, "type": "tool_call"}))
                    .collect();
                let content = signature.as_ref().map_or(
                    json!(""),
                    |signature| json!([{"type": "thinking", "thinking": THINKING, "signature": signature}]),
                );
                messages.push(("ai", "AIMessage", json!({"content": content, "tool_calls": made})));
                messages.extend(calls.iter().filter_map(|call| {
                    let status = if call.failed { "error" } else { "success" };
                    Some((
                        "tool",
                        "ToolMessage",
                        json!({"content": call.output.as_ref()?, "tool_call_id": call.id,
                        "name": call.name, "status": status}),
                    ))
                }));
            }
        }
    }
    messages
}
