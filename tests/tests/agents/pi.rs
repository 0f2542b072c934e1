//! pi: compacts behind a run, before a prompt and, since 0.84.4, between the requests of a run.

use serde_json::{Value, json};

use super::{Story, ask, text};

/// The window of the model.
pub(crate) const CONTEXT: u64 = 200_000;

/// The session that the agent of a version (`0.58.3`, `0.84.2`, `1.5.2`) writes.
pub(crate) fn session(version: &str, story: &Story) -> String {
    let mut agent = Agent { version: version.to_owned(), entries: Vec::new() };
    for run in &story.runs {
        agent.compact_if_full("beforePrompt");
        agent.message(json!({"role": "user", "content": [{"type": "text", "text": text(120)}]}));
        for (at, step) in run.iter().enumerate() {
            let is_last = at + 1 == run.len();
            if at > 0 && version.starts_with("1.") {
                agent.compact_if_full("betweenTurns");
            }
            agent.answer(step.text, &step.outputs, is_last);
        }
        agent.compact_if_full("afterRun");
    }
    agent.message(json!({"role": "user", "content": [{"type": "text", "text": "And now?"}]}));
    let header = json!({"type": "session", "version": 3, "id": "s", "timestamp": moment(0), "cwd": "/a"});
    let lines = std::iter::once(&header).chain(&agent.entries).map(ToString::to_string);
    lines.collect::<Vec<_>>().join("\n")
}

fn moment(number: usize) -> String {
    format!(
        "2026-09-{:02}T{:02}:{:02}:{:02}.000Z",
        1 + number / 86_400,
        number / 3_600 % 24,
        number / 60 % 60,
        number % 60
    )
}

struct Agent {
    version: String,
    entries: Vec<Value>,
}

impl Agent {
    fn push(&mut self, mut entry: Value) {
        let number = self.entries.len();
        let parent = self.entries.last().map_or(Value::Null, |entry| entry["id"].clone());
        entry["id"] = json!(format!("e{number:07}"));
        entry["parentId"] = parent;
        entry["timestamp"] = json!(moment(number + 1));
        self.entries.push(entry);
    }

    fn message(&mut self, mut message: Value) {
        message["timestamp"] = json!(1_788_220_800_000_u64 + 1_000 * (self.entries.len() as u64 + 1));
        self.push(json!({"type": "message", "message": message}));
    }

    fn question(&self, question: &str, mut options: Value) -> Value {
        options["version"] = json!(self.version);
        ask("pi", question, &Value::Array(self.entries.clone()), &options)
    }

    /// What the next request sends, at four characters a token.
    fn size(&self) -> u64 {
        let context = self.question("context", json!({}));
        let sent = context["messages"].as_array().into_iter().flatten();
        let entries = sent.filter_map(|sent| self.entries.iter().find(|entry| entry["id"] == sent["id"]));
        let size = |entry: &Value| match entry["summary"].as_str() {
            Some(summary) => summary.len(),
            None => entry["message"]["content"].to_string().len(),
        };
        entries.map(|entry| size(entry) as u64 / 4).sum()
    }

    fn answer(&mut self, characters: usize, outputs: &[usize], is_last: bool) {
        let input = self.size();
        let number = self.entries.len();
        let id = |at: usize| format!("call_{number}_{at}");
        let mut content = vec![json!({"type": "text", "text": text(characters)})];
        content.extend((0..outputs.len()).map(|at| {
            json!({"type": "toolCall", "id": id(at), "name": "read", "arguments": {"path": format!("src/{number}.rs")}})
        }));
        let output = characters as u64 / 4;
        self.message(json!({"role": "assistant", "content": content, "api": "a", "provider": "p", "model": "m",
            "usage": {"input": input, "output": output, "cacheRead": 0, "cacheWrite": 0, "totalTokens": input + output,
                "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}},
            "stopReason": if is_last { "stop" } else { "toolUse" }}));
        for (at, characters) in outputs.iter().enumerate() {
            self.message(
                json!({"role": "toolResult", "toolCallId": id(at), "toolName": "read", "isError": false,
                "content": [{"type": "text", "text": text(*characters)}]}),
            );
        }
    }

    fn compact_if_full(&mut self, at: &str) {
        let model = json!({"provider": "p", "id": "m", "contextWindow": CONTEXT, "maxTokens": 32_000});
        if self.question("check", json!({"at": at, "model": model}))["action"] != "compact" {
            return;
        }
        let prepared = self.question("prepare", json!({}));
        let Some(first) = prepared["firstKeptEntryId"].as_str() else { return };
        self.push(json!({"type": "compaction", "summary": text(4_000), "firstKeptEntryId": first,
            "tokensBefore": prepared["tokensBefore"]}));
    }
}
