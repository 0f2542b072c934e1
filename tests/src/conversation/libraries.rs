//! What libraries keep: pydantic-ai, the AI SDK, LangChain.

use serde_json::{Value, json};

use super::{Call, Said, THINKING, arguments};

pub(super) fn pydantic_ai(said: &[Said]) -> String {
    let mut messages = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => {
                messages.push(
                    json!({"kind": "request", "parts": [{"part_kind": "user-prompt", "content": text}]}),
                );
            }
            Said::Answer(text) => {
                messages.push(json!({"kind": "response", "parts": [{"part_kind": "text", "content": text}]}));
            }
            Said::Calls { signature, calls } => {
                let thinking = signature.as_ref().map(
                    |signature| json!({"part_kind": "thinking", "content": THINKING, "signature": signature}),
                );
                let parts = calls.iter().map(|call| {
                    json!({"part_kind": "tool-call", "tool_name": call.name, "args": arguments(),
                        "tool_call_id": call.id})
                });
                let parts: Vec<_> = thinking.into_iter().chain(parts).collect();
                messages.push(json!({"kind": "response", "parts": parts}));
                let results: Vec<_> = calls
                    .iter()
                    .filter_map(|call| {
                        let kind = if call.failed { "retry-prompt" } else { "tool-return" };
                        Some(json!({"part_kind": kind, "tool_name": call.name, "content": call.output.as_ref()?,
                            "tool_call_id": call.id}))
                    })
                    .collect();
                if !results.is_empty() {
                    messages.push(json!({"kind": "request", "parts": results}));
                }
            }
        }
    }
    Value::Array(messages).to_string()
}

pub(super) fn vercel_model(said: &[Said]) -> String {
    let mut messages = Vec::new();
    for said in said {
        match said {
            Said::Person(text) => messages.push(json!({"role": "user", "content": text})),
            Said::Answer(text) => {
                messages.push(json!({"role": "assistant", "content": [{"type": "text", "text": text}]}));
            }
            Said::Calls { signature, calls } => {
                let thinking = signature.as_ref().map(|signature| {
                    json!({"type": "reasoning", "text": THINKING,
                        "providerOptions": {"anthropic": {"signature": signature}}})
                });
                let made = calls.iter().map(|call| {
                    json!({"type": "tool-call", "toolCallId": call.id, "toolName": call.name, "input": arguments()})
                });
                let content: Vec<_> = thinking.into_iter().chain(made).collect();
                messages.push(json!({"role": "assistant", "content": content}));
                let results: Vec<_> = calls
                    .iter()
                    .filter_map(|call| {
                        let kind = if call.failed { "error-text" } else { "text" };
                        Some(json!({"type": "tool-result", "toolCallId": call.id, "toolName": call.name,
                            "output": {"type": kind, "value": call.output.as_ref()?}}))
                    })
                    .collect();
                if !results.is_empty() {
                    messages.push(json!({"role": "tool", "content": results}));
                }
            }
        }
    }
    Value::Array(messages).to_string()
}

pub(super) fn vercel_ui(said: &[Said]) -> String {
    let tool = |call: &Call| {
        let mut part =
            json!({"type": format!("tool-{}", call.name), "toolCallId": call.id, "input": arguments()});
        match (&call.output, call.failed) {
            (None, _) => part["state"] = json!("input-available"),
            (Some(text), true) => {
                part["state"] = json!("output-error");
                part["errorText"] = json!(text);
            }
            (Some(text), false) => {
                part["state"] = json!("output-available");
                part["output"] = json!(text);
            }
        }
        part
    };
    let messages = said.iter().enumerate().map(|(index, said)| {
        let (role, parts) = match said {
            Said::Person(text) => ("user", vec![json!({"type": "text", "text": text})]),
            Said::Answer(text) => ("assistant", vec![json!({"type": "text", "text": text, "state": "done"})]),
            Said::Calls { signature, calls } => {
                let thinking = signature.as_ref().map(|signature| {
                    json!({"type": "reasoning", "text": THINKING, "state": "done",
                        "providerMetadata": {"anthropic": {"signature": signature}}})
                });
                let step = [json!({"type": "step-start"})];
                ("assistant", step.into_iter().chain(thinking).chain(calls.iter().map(tool)).collect())
            }
        };
        json!({"id": format!("m{index}"), "role": role, "parts": parts})
    });
    Value::Array(messages.collect()).to_string()
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

pub(super) fn langchain_dump(said: &[Said]) -> String {
    let message = |(kind, class, mut fields): (&str, &str, Value)| {
        fields["type"] = json!(kind);
        json!({"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", class], "kwargs": fields})
    };
    Value::Array(langchain(said).into_iter().map(message).collect()).to_string()
}

pub(super) fn langchain_dict(said: &[Said]) -> String {
    let message = |(kind, _, mut fields): (&str, &str, Value)| {
        fields["type"] = json!(kind);
        json!({"type": kind, "data": fields})
    };
    Value::Array(langchain(said).into_iter().map(message).collect()).to_string()
}

pub(super) fn langchain_flat(said: &[Said]) -> String {
    let message = |(kind, _, mut fields): (&str, &str, Value)| {
        fields["type"] = json!(kind);
        fields
    };
    Value::Array(langchain(said).into_iter().map(message).collect()).to_string()
}
