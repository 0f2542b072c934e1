//! Session files of agents: pi, TinyAgent, TunaCode, OpenCode, Claude Code, Codex, Gemini CLI.

use serde_json::{Value, json};

use super::providers::{anthropic_blocks, anthropic_result, gemini_response, responses_items};
use super::{Call, Said, THINKING, arguments, lines, pretty};

/// How pi and TinyAgent, which share a shape, spell the same things.
struct Names {
    call: &'static str,
    result: &'static str,
    id: &'static str,
    name: &'static str,
    error: &'static str,
    stop: &'static str,
    signature: &'static str,
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

const TINY_AGENT: Names = Names {
    call: "tool_call",
    result: "tool_result",
    id: "tool_call_id",
    name: "tool_name",
    error: "is_error",
    stop: "stop_reason",
    signature: "thinking_signature",
};

fn messages(said: &[Said], names: &Names) -> Vec<Value> {
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

pub(super) fn pi(said: &[Said]) -> String {
    let header = json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"});
    let entries = messages(said, &PI).into_iter().enumerate().map(|(index, message)| {
        let parent = index.checked_sub(1).map(|parent| format!("{parent:08x}"));
        json!({"type": "message", "id": format!("{index:08x}"), "parentId": parent, "message": message})
    });
    lines([header].into_iter().chain(entries))
}

pub(super) fn tinyagent(said: &[Said]) -> String {
    Value::Array(messages(said, &TINY_AGENT)).to_string()
}

pub(super) fn tunacode(said: &[Said]) -> String {
    pretty(
        &json!({"version": 1, "session_id": "s", "project_id": "p", "current_model": "m", "compaction": null,
        "messages": messages(said, &TINY_AGENT)}),
    )
}

pub(super) fn opencode(said: &[Said]) -> String {
    let tool = |call: &Call| {
        let mut state = match (&call.output, call.failed) {
            (None, _) => json!({"status": "running", "time": {"start": 1}}),
            (Some(text), true) => json!({"status": "error", "error": text, "time": {"start": 1, "end": 2}}),
            (Some(text), false) => {
                json!({"status": "completed", "output": text, "time": {"start": 1, "end": 2}})
            }
        };
        state["input"] = arguments();
        json!({"type": "tool", "callID": call.id, "tool": call.name, "state": state})
    };
    let messages = said.iter().enumerate().map(|(index, said)| {
        let (role, parts) = match said {
            Said::Person(text) => ("user", vec![json!({"type": "text", "text": text})]),
            Said::Answer(text) => ("assistant", vec![json!({"type": "text", "text": text})]),
            Said::Calls { signature, calls } => {
                let thinking = signature.as_ref().map(|signature| {
                    json!({"type": "reasoning", "text": THINKING, "metadata": {"anthropic": {"signature": signature}}})
                });
                ("assistant", thinking.into_iter().chain(calls.iter().map(tool)).collect())
            }
        };
        let mut info = json!({"id": format!("msg_{index:04}"), "sessionID": "ses_1", "role": role, "time": {"created": index}});
        if role == "assistant" {
            info["finish"] = json!("stop");
        }
        json!({"info": info, "parts": parts})
    });
    let messages: Vec<_> = messages.collect();
    pretty(&json!({"info": {"id": "ses_1"}, "messages": messages}))
}

/// A chain of lines; a message with several blocks takes a line for each, as Claude Code writes it.
pub(super) fn claude_code(said: &[Said]) -> String {
    let mut found: Vec<Value> = Vec::new();
    let mut push = |kind: &str, message: Value| {
        let index = found.len();
        let parent = index.checked_sub(1).map(|parent| format!("00000000-0000-4000-8000-{parent:012}"));
        found.push(json!({"parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": "/w",
            "sessionId": "s", "version": "2.1.0", "gitBranch": "main", "type": kind, "message": message,
            "uuid": format!("00000000-0000-4000-8000-{index:012}"), "timestamp": "2026-01-31T10:20:30.000Z"}));
        index
    };
    for said in said {
        match said {
            Said::Person(text) => {
                push("user", json!({"role": "user", "content": text}));
            }
            Said::Answer(text) => {
                push(
                    "assistant",
                    json!({"role": "assistant", "type": "message", "model": "m",
                    "content": [{"type": "text", "text": text}], "stop_reason": "end_turn"}),
                );
            }
            Said::Calls { signature, calls } => {
                let id = calls.first().map_or("msg", |call| call.id.as_str());
                for block in anthropic_blocks(signature.as_ref(), calls) {
                    push(
                        "assistant",
                        json!({"id": format!("msg_{id}"), "role": "assistant", "type": "message",
                        "model": "m", "content": [block], "stop_reason": null}),
                    );
                }
                for result in calls.iter().filter_map(anthropic_result) {
                    push("user", json!({"role": "user", "content": [result]}));
                }
            }
        }
    }
    lines(found)
}

pub(super) fn codex(said: &[Said]) -> String {
    let line = |kind: &str, payload: Value| json!({"timestamp": "2026-01-31T10:20:30.000Z", "type": kind, "payload": payload});
    let header = line("session_meta", json!({"id": "s", "cwd": "/w", "cli_version": "0.100.0"}));
    let items = responses_items(said).into_iter().map(|item| line("response_item", item));
    lines([header].into_iter().chain(items))
}

fn gemini_messages(said: &[Said]) -> Vec<Value> {
    said.iter()
        .enumerate()
        .map(|(index, said)| {
            let id = format!("m{index}");
            match said {
                Said::Person(text) => {
                    json!({"id": id, "timestamp": "2026-01-31T10:20:30.000Z", "type": "user",
                    "content": [{"text": text}]})
                }
                Said::Answer(text) => {
                    json!({"id": id, "timestamp": "2026-01-31T10:20:30.000Z", "type": "gemini",
                    "content": text})
                }
                Said::Calls { calls, .. } => {
                    let calls: Vec<_> = calls
                        .iter()
                        .map(|call| {
                            let status = match (&call.output, call.failed) {
                                (None, _) => "cancelled",
                                (_, true) => "error",
                                (_, false) => "success",
                            };
                            let result = gemini_response(call).map_or(Value::Null, |part| json!([part]));
                            json!({"id": call.id, "name": call.name, "args": arguments(), "result": result,
                                "status": status})
                        })
                        .collect();
                    json!({"id": id, "timestamp": "2026-01-31T10:20:30.000Z", "type": "gemini", "content": "",
                        "toolCalls": calls})
                }
            }
        })
        .collect()
}

pub(super) fn gemini_cli(said: &[Said]) -> String {
    pretty(&json!({"sessionId": "s", "projectHash": "h", "startTime": "2026-01-31T10:20:30.000Z",
        "lastUpdated": "2026-01-31T10:20:30.000Z", "messages": gemini_messages(said)}))
}

pub(super) fn gemini_cli_lines(said: &[Said]) -> String {
    let header = json!({"sessionId": "s", "projectHash": "h", "startTime": "2026-01-31T10:20:30.000Z",
        "lastUpdated": "2026-01-31T10:20:30.000Z", "kind": "main"});
    lines([header].into_iter().chain(gemini_messages(said)))
}
