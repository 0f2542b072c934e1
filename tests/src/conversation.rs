//! Conversations made up for tests: one shape, spelled in every format that is read.
#![expect(clippy::indexing_slicing, reason = "made for tests: an index that is out of range is a bug to see")]

use serde_json::{Value, json};

/// One step of a conversation.
#[derive(Clone, Debug)]
pub enum Step {
    /// The person says something of this many characters.
    Person(usize),
    /// The model answers in this many characters.
    Answer(usize),
    /// The model calls tools, all at once; each gives back an output.
    Calls(Vec<Output>),
    /// The same after thinking that the provider signed.
    Thought(Vec<Output>),
}

/// What one tool call gives back.
#[derive(Clone, Debug)]
pub struct Output {
    /// Characters of the output; `None` when the run was interrupted before there was one.
    pub size: Option<usize>,
    /// Whether the tool failed.
    pub failed: bool,
    /// An index into [`TOOLS`].
    pub tool: usize,
}

/// The tools that are called.
pub const TOOLS: [&str; 4] = ["bash", "read", "skill", "grep"];

/// The formats that [`spell`] knows.
pub const FORMATS: [&str; 7] =
    ["openai_chat", "anthropic_messages", "pi", "tinyagent", "tunacode", "pydantic_ai", "opencode"];

/// A text of `size` characters, some of them beyond ASCII.
fn text(size: usize) -> String {
    "src/日本.rs: ok 😀 \"q\"\n".chars().cycle().take(size).collect()
}

/// The conversation as a session file of `format`.
#[must_use]
pub fn spell(format: &str, steps: &[Step]) -> String {
    let mut speller = Speller { format, messages: Vec::new(), calls: 0 };
    for step in steps {
        match step {
            Step::Person(size) => speller.person(&text(*size)),
            Step::Answer(size) => speller.answer(&text(*size)),
            Step::Calls(outputs) => speller.calls(outputs),
            Step::Thought(outputs) => speller.thought(outputs),
        }
    }
    speller.finish()
}

struct Speller<'f> {
    format: &'f str,
    messages: Vec<Value>,
    calls: usize,
}

impl Speller<'_> {
    fn person(&mut self, text: &str) {
        let message = match self.format {
            "pi" | "tinyagent" | "tunacode" => {
                json!({"role": "user", "content": [{"type": "text", "text": text}]})
            }
            "pydantic_ai" => {
                json!({"kind": "request", "parts": [{"part_kind": "user-prompt", "content": text}]})
            }
            "opencode" => self.opencode("user", &json!([{"type": "text", "text": text}])),
            _ => json!({"role": "user", "content": text}),
        };
        self.messages.push(message);
    }

    fn answer(&mut self, text: &str) {
        let message = match self.format {
            "pi" => {
                json!({"role": "assistant", "content": [{"type": "text", "text": text}], "stopReason": "stop"})
            }
            "tinyagent" | "tunacode" => {
                json!({"role": "assistant", "content": [{"type": "text", "text": text}], "stop_reason": "stop"})
            }
            "pydantic_ai" => json!({"kind": "response", "parts": [{"part_kind": "text", "content": text}]}),
            "opencode" => self.opencode("assistant", &json!([{"type": "text", "text": text}])),
            _ => json!({"role": "assistant", "content": text}),
        };
        self.messages.push(message);
    }

    /// Calls, and in front of them thinking whose signature is that of no other.
    fn thought(&mut self, outputs: &[Output]) {
        let (at, signature) = (self.messages.len(), format!("sig_{}", self.calls));
        self.calls(outputs);
        let Some(message) = self.messages.get_mut(at) else { return };
        let thinking = match self.format {
            "openai_chat" => {
                message["reasoning"] = json!("First of all,");
                message["reasoning_details"] = json!([{"type": "reasoning.text", "signature": signature}]);
                return;
            }
            "anthropic_messages" => {
                json!({"type": "thinking", "thinking": "First of all,", "signature": signature})
            }
            "pi" => json!({"type": "thinking", "thinking": "First of all,", "thinkingSignature": signature}),
            "pydantic_ai" => {
                json!({"part_kind": "thinking", "content": "First of all,", "signature": signature})
            }
            "opencode" => {
                json!({"type": "reasoning", "text": "First of all,", "metadata": {"anthropic": {"signature": signature}}})
            }
            _ => json!({"type": "thinking", "thinking": "First of all,", "thinking_signature": signature}),
        };
        let content = if message.get("content").is_some() { "content" } else { "parts" };
        if let Some(parts) = message[content].as_array_mut() {
            parts.insert(0, thinking);
        }
    }

    fn calls(&mut self, outputs: &[Output]) {
        let first = self.calls;
        self.calls += outputs.len();
        let named = |at: usize| (format!("call_{}", first + at), TOOLS[outputs[at].tool % TOOLS.len()]);
        let arguments = json!({"path": "src/main.rs", "lines": [1, 29.0, null]});
        let each =
            |make: &dyn Fn(usize) -> Option<Value>| (0..outputs.len()).filter_map(make).collect::<Vec<_>>();
        let output = |at: usize| outputs[at].size.map(text);
        match self.format {
            "openai_chat" => {
                let calls = each(&|at| {
                    let (id, name) = named(at);
                    Some(
                        json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments.to_string()}}),
                    )
                });
                self.messages.push(json!({"role": "assistant", "content": null, "tool_calls": calls}));
                let results = each(&|at| {
                    Some(json!({"role": "tool", "tool_call_id": named(at).0, "content": output(at)?}))
                });
                self.messages.extend(results);
            }
            "anthropic_messages" => {
                let calls = each(&|at| {
                    Some(
                        json!({"type": "tool_use", "id": named(at).0, "name": named(at).1, "input": arguments}),
                    )
                });
                self.messages.push(json!({"role": "assistant", "content": calls}));
                let results = each(&|at| {
                    Some(
                        json!({"type": "tool_result", "tool_use_id": named(at).0, "content": output(at)?, "is_error": outputs[at].failed}),
                    )
                });
                if !results.is_empty() {
                    self.messages.push(json!({"role": "user", "content": results}));
                }
            }
            "pydantic_ai" => {
                let calls = each(&|at| {
                    Some(
                        json!({"part_kind": "tool-call", "tool_name": named(at).1, "args": arguments, "tool_call_id": named(at).0}),
                    )
                });
                self.messages.push(json!({"kind": "response", "parts": calls}));
                let results = each(&|at| {
                    let kind = if outputs[at].failed { "retry-prompt" } else { "tool-return" };
                    Some(
                        json!({"part_kind": kind, "tool_name": named(at).1, "content": output(at)?, "tool_call_id": named(at).0}),
                    )
                });
                if !results.is_empty() {
                    self.messages.push(json!({"kind": "request", "parts": results}));
                }
            }
            "opencode" => {
                let parts = each(&|at| {
                    let state = match (output(at), outputs[at].failed) {
                        (None, _) => json!({"status": "running", "input": arguments, "time": {"start": 1}}),
                        (Some(text), true) => {
                            json!({"status": "error", "input": arguments, "error": text, "time": {"start": 1, "end": 2}})
                        }
                        (Some(text), false) => {
                            json!({"status": "completed", "input": arguments, "output": text, "time": {"start": 1, "end": 2}})
                        }
                    };
                    Some(json!({"type": "tool", "callID": named(at).0, "tool": named(at).1, "state": state}))
                });
                let message = self.opencode("assistant", &json!(parts));
                self.messages.push(message);
            }
            _ => {
                let pi = self.format == "pi";
                let (call, result) =
                    if pi { ("toolCall", "toolResult") } else { ("tool_call", "tool_result") };
                let (id_key, name_key, error_key) = if pi {
                    ("toolCallId", "toolName", "isError")
                } else {
                    ("tool_call_id", "tool_name", "is_error")
                };
                let calls = each(&|at| {
                    Some(
                        json!({"type": call, "id": named(at).0, "name": named(at).1, "arguments": arguments}),
                    )
                });
                let stop = if pi { "stopReason" } else { "stop_reason" };
                self.messages.push(json!({"role": "assistant", "content": calls, stop: "tool_use"}));
                let results = each(&|at| {
                    let content = json!([{"type": "text", "text": output(at)?}]);
                    Some(
                        json!({"role": result, id_key: named(at).0, name_key: named(at).1, "content": content, error_key: outputs[at].failed}),
                    )
                });
                self.messages.extend(results);
            }
        }
    }

    fn opencode(&self, role: &str, parts: &Value) -> Value {
        let mut info = json!({"id": format!("msg_{:04}", self.messages.len()), "role": role, "time": {"created": self.messages.len()}});
        if role == "assistant" {
            info["finish"] = json!("stop");
        }
        json!({"info": info, "parts": parts})
    }

    fn finish(self) -> String {
        match self.format {
            "pi" => {
                let mut lines =
                    vec![json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"}).to_string()];
                for (index, message) in self.messages.iter().enumerate() {
                    let parent = index.checked_sub(1).map(|parent| format!("{parent:08x}"));
                    let entry = json!({"type": "message", "id": format!("{index:08x}"), "parentId": parent, "message": message});
                    lines.push(entry.to_string());
                }
                lines.join("\n") + "\n"
            }
            "tunacode" => {
                let session = json!({"version": 1, "session_id": "s", "project_id": "p", "current_model": "m", "compaction": null, "messages": self.messages});
                serde_json::to_string_pretty(&session).unwrap_or_default()
            }
            "opencode" => {
                let export = json!({"info": {"id": "ses_1"}, "messages": self.messages});
                serde_json::to_string_pretty(&export).unwrap_or_default()
            }
            _ => Value::Array(self.messages).to_string(),
        }
    }
}
