//! `OpenCode`: prunes behind a run, summarizes behind an answer that filled the window.

use serde_json::{Value, json};

use super::{Story, ask, text};

/// The limits of the model.
pub(crate) const CONTEXT: u64 = 200_000;
/// The most that an answer may have.
pub(crate) const OUTPUT: u64 = 32_000;

/// The session that the agent of a version (`2025-12`, `2026-01`, `2026-06`) writes, told to prune or not to.
pub(crate) fn session(version: &str, prunes: bool, story: &Story) -> String {
    let mut agent =
        Agent { version: version.to_owned(), prunes, messages: Vec::new(), clock: 1_767_225_600_000, ids: 0 };
    for run in &story.runs {
        agent.user(json!([{"type": "text", "text": text(120)}]));
        for (at, step) in run.iter().enumerate() {
            let is_last = at + 1 == run.len();
            let tools = step.outputs.iter().map(|characters| agent.call(*characters)).collect();
            agent.answer(step.text, tools, is_last);
            agent.compact_if_full(is_last);
        }
        agent.prune();
    }
    agent.user(json!([{"type": "text", "text": "And now?"}]));
    json!({"info": {"id": "ses_1", "version": "1.1.0"}, "messages": agent.messages}).to_string()
}

struct Agent {
    version: String,
    prunes: bool,
    messages: Vec<Value>,
    clock: u64,
    ids: u64,
}

impl Agent {
    fn id(&mut self, kind: &str) -> String {
        self.ids += 1;
        format!("{kind}_{:08}", self.ids)
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1_000;
        self.clock
    }

    fn push(&mut self, mut info: Value, parts: Value) -> String {
        let id = self.id("msg");
        info["id"] = json!(id);
        info["sessionID"] = json!("ses_1");
        let mut parts = parts;
        for part in parts.as_array_mut().into_iter().flatten() {
            part["id"] = json!(self.id("prt"));
            part["messageID"] = json!(id);
            part["sessionID"] = json!("ses_1");
        }
        self.messages.push(json!({"info": info, "parts": parts}));
        id
    }

    fn user(&mut self, parts: Value) -> String {
        let created = self.tick();
        let model = json!({"providerID": "p", "modelID": "m"});
        self.push(
            json!({"role": "user", "time": {"created": created}, "agent": "build", "model": model}),
            parts,
        )
    }

    fn call(&mut self, characters: usize) -> Value {
        let (id, start) = (self.id("call"), self.tick());
        json!({"type": "tool", "callID": id, "tool": "read", "state": {"status": "completed",
            "input": {"path": format!("src/{id}.rs")}, "output": text(characters), "title": "", "metadata": {},
            "time": {"start": start, "end": start + 10}}})
    }

    fn answer(&mut self, characters: usize, tools: Vec<Value>, is_last: bool) {
        let (created, size) = (self.tick(), self.size());
        let finish = if is_last { "stop" } else { "tool-calls" };
        let parent = self.parent();
        let mut parts = vec![json!({"type": "text", "text": text(characters)})];
        parts.extend(tools);
        let tokens = json!({"input": size, "output": characters / 4, "reasoning": 0, "cache": {"read": 0, "write": 0}});
        let info = json!({"role": "assistant", "time": {"created": created, "completed": created + 500}, "parentID": parent,
            "modelID": "m", "providerID": "p", "mode": "build", "agent": "build", "path": {"cwd": "/a", "root": "/a"},
            "cost": 0, "tokens": tokens, "finish": finish});
        self.push(info, Value::Array(parts));
    }

    fn parent(&self) -> Value {
        let users = self.messages.iter().rev().filter(|message| message["info"]["role"] == "user");
        users.map(|message| message["info"]["id"].clone()).next().unwrap_or(Value::Null)
    }

    fn options(&self, more: &Value) -> Value {
        let mut options = json!({"version": self.version, "model": {"limit": {"context": CONTEXT, "output": OUTPUT}},
            "config": {"compaction": {"prune": self.prunes}}});
        for (key, value) in more.as_object().into_iter().flatten() {
            options[key] = value.clone();
        }
        options
    }

    fn question(&self, question: &str, more: &Value) -> Value {
        ask("opencode", question, &Value::Array(self.messages.clone()), &self.options(more))
    }

    /// What is sent now, at four characters a token.
    fn size(&self) -> usize {
        let sent = self.question("filterCompacted", &json!({}));
        let ids: Vec<&Value> = sent["ids"].as_array().into_iter().flatten().collect();
        let sent = self.messages.iter().filter(|message| ids.contains(&&message["info"]["id"]));
        let parts = sent.flat_map(|message| message["parts"].as_array().into_iter().flatten());
        parts
            .map(|part| {
                let characters = |value: &Value| value.as_str().map_or(0, str::len);
                let output = &part["state"]["output"];
                let is_cleared = part["state"]["time"]["compacted"].is_number();
                (characters(&part["text"]) + if is_cleared { 33 } else { characters(output) }) / 4
            })
            .sum()
    }

    fn compact_if_full(&mut self, is_last: bool) {
        let newest = self.messages.last().cloned().unwrap_or_default();
        if self.question("step", &json!({"answer": newest}))["action"] != "create" {
            return;
        }
        let marker = self.user(json!([{"type": "compaction", "auto": true}]));
        let asked = json!({"parentID": marker, "auto": true, "overflow": false, "outcome": "continue"});
        let done = self.question("process", &asked);
        if let Some(tail) = done["tailStartID"].as_str() {
            let part = self.messages.last_mut().and_then(|message| message["parts"].get_mut(0));
            if let Some(part) = part {
                part["tail_start_id"] = json!(tail);
            }
        }
        let created = self.tick();
        let info = json!({"role": "assistant", "time": {"created": created, "completed": created + 500}, "parentID": marker,
            "modelID": "m", "providerID": "p", "mode": "compaction", "agent": "compaction", "summary": true,
            "path": {"cwd": "/a", "root": "/a"}, "cost": 0, "finish": "stop",
            "tokens": {"input": 10, "output": 10, "reasoning": 0, "cache": {"read": 0, "write": 0}}});
        self.push(info, json!([{"type": "text", "text": text(4_000)}]));
        self.user(json!([{"type": "text", "text": "Continue if you have next steps", "synthetic": true}]));
        if is_last {
            self.answer(200, Vec::new(), true);
        }
    }

    /// Behind the loop: marks what is cleared.
    fn prune(&mut self) {
        let cleared = self.question("prune", &json!({}));
        let moment = self.tick();
        let ids: Vec<&Value> = cleared["prunedParts"].as_array().into_iter().flatten().collect();
        for message in &mut self.messages {
            for part in message["parts"].as_array_mut().into_iter().flatten() {
                if ids.contains(&&part["id"]) {
                    part["state"]["time"]["compacted"] = json!(moment);
                }
            }
        }
    }
}
