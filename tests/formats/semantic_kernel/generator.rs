//! Conversations as chat histories of Semantic Kernel.

use serde_json::{Value, json};

use super::{Said, Spelling, arguments, pretty};

pub(super) const SPELLINGS: &[Spelling] = &[("semantic_kernel", python), ("semantic_kernel/dotnet", dotnet)];

fn python(said: &[Said]) -> String {
    let mut messages = Vec::new();
    let mut add = |role: &str, items: Vec<Value>| {
        if !items.is_empty() {
            messages.push(json!({"content_type": "message", "role": role, "items": items, "metadata": {}}));
        }
    };
    for said in said {
        match said {
            Said::Person(text) => add("user", vec![json!({"content_type": "text", "text": text})]),
            Said::Answer(text) => add("assistant", vec![json!({"content_type": "text", "text": text})]),
            Said::Calls { calls, .. } => {
                let made = calls.iter().map(|call| {
                    json!({"content_type": "function_call", "id": call.id, "name": call.name,
                        "arguments": arguments().to_string()})
                });
                add("assistant", made.collect());
                let results = calls.iter().filter_map(|call| {
                    Some(json!({"content_type": "function_result", "id": call.id, "name": call.name,
                        "result": call.output.as_ref()?}))
                });
                add("tool", results.collect());
            }
        }
    }
    pretty(&json!({"messages": messages, "system_message": null}))
}

fn dotnet(said: &[Said]) -> String {
    let mut messages = Vec::new();
    let mut add = |role: &str, items: Vec<Value>| {
        if !items.is_empty() {
            messages.push(json!({"Role": {"Label": role}, "Items": items}));
        }
    };
    for said in said {
        match said {
            Said::Person(text) => add("user", vec![json!({"$type": "TextContent", "Text": text})]),
            Said::Answer(text) => add("assistant", vec![json!({"$type": "TextContent", "Text": text})]),
            Said::Calls { calls, .. } => {
                let made = calls.iter().map(|call| {
                    json!({"$type": "FunctionCallContent", "Id": call.id, "FunctionName": call.name,
                        "Arguments": arguments()})
                });
                add("assistant", made.collect());
                let results = calls.iter().filter_map(|call| {
                    Some(json!({"$type": "FunctionResultContent", "CallId": call.id, "Result": call.output.as_ref()?}))
                });
                add("tool", results.collect());
            }
        }
    }
    Value::Array(messages).to_string()
}
