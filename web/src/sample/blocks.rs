//! A session as the body of an Anthropic Messages request.

use super::quoted;
use super::scribe::{Scribe, ToolCall};

/// The text so far.
pub(super) struct Blocks {
    text: String,
    made: u64,
}

impl Blocks {
    /// A request with this system prompt; `tools` is a JSON list.
    pub(super) fn new(system: &str, tools: &str) -> Self {
        let system = quoted(system);
        let text = format!(
            "{{\"model\":\"claude-sonnet-4-5\",\"max_tokens\":16000,\"system\":{system},\"tools\":{tools},\"messages\":[\n"
        );
        Self { text, made: 0 }
    }

    /// The whole text.
    pub(super) fn finish(self) -> String {
        self.text + "\n]}\n"
    }

    fn message(&mut self, role: &str, content: &str) {
        if !self.text.ends_with("[\n") {
            self.text.push_str(",\n");
        }
        self.text.push_str(&format!(r#"{{"role":"{role}","content":{content}}}"#));
    }
}

impl Scribe for Blocks {
    fn user(&mut self, text: &str) {
        self.message("user", &quoted(text));
    }

    fn step(&mut self, say: &str, calls: &[ToolCall]) {
        let mut blocks = Vec::new();
        if !say.is_empty() {
            blocks.push(text(say));
        }
        let mut results = Vec::new();
        for call in calls {
            self.made += 1;
            let id = id(self.made);
            blocks.push(tool_use(&id, call));
            results.push(tool_result(&id, &call.output));
        }
        self.message("assistant", &format!("[{}]", blocks.join(",")));
        self.message("user", &format!("[{}]", results.join(",")));
    }

    fn answer(&mut self, said: &str) {
        self.message("assistant", &format!("[{}]", text(said)));
    }
}

/// A block of text.
pub(super) fn text(text: &str) -> String {
    format!(r#"{{"type":"text","text":{}}}"#, quoted(text))
}

/// A block with a call.
pub(super) fn tool_use(id: &str, call: &ToolCall) -> String {
    let ToolCall { tool, arguments, .. } = call;
    format!(r#"{{"type":"tool_use","id":"{id}","name":"{tool}","input":{arguments}}}"#)
}

/// A block with a call's result.
pub(super) fn tool_result(id: &str, output: &str) -> String {
    let output = quoted(output);
    format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":{output}}}"#)
}

/// The id of the `number`th call.
pub(super) fn id(number: u64) -> String {
    format!("toolu_01{:012x}{number:04}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16)
}
