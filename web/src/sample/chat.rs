//! A session as a list of `OpenAI` Chat messages.

use super::quoted;
use super::scribe::{Scribe, ToolCall};

/// The text so far.
pub(super) struct Chat {
    text: String,
    made: u64,
}

impl Chat {
    /// A session that begins with this system prompt.
    pub(super) fn new(system: &str) -> Self {
        let mut chat = Self { text: "[\n".to_owned(), made: 0 };
        chat.say("system", system);
        chat
    }

    /// The whole text.
    pub(super) fn finish(self) -> String {
        self.text + "\n]\n"
    }

    fn say(&mut self, role: &str, text: &str) {
        self.add(&format!(r#"{{"role":"{role}","content":{}}}"#, quoted(text)));
    }

    fn add(&mut self, json: &str) {
        if self.text.len() > 2 {
            self.text.push_str(",\n");
        }
        self.text.push_str(json);
    }
}

impl Scribe for Chat {
    fn user(&mut self, text: &str) {
        self.say("user", text);
    }

    fn step(&mut self, say: &str, calls: &[ToolCall]) {
        let made = self.made;
        let calls = || (made + 1..).zip(calls).map(|(number, call)| (id(number), call));
        let written: Vec<String> = calls()
            .map(|(id, call)| {
                let (tool, arguments) = (call.tool, quoted(&call.arguments));
                format!(
                    r#"{{"id":"{id}","type":"function","function":{{"name":"{tool}","arguments":{arguments}}}}}"#
                )
            })
            .collect();
        let said = if say.is_empty() { "null".to_owned() } else { quoted(say) };
        let written = written.join(",");
        self.add(&format!(r#"{{"role":"assistant","content":{said},"tool_calls":[{written}]}}"#));
        for (id, call) in calls() {
            let output = quoted(&call.output);
            self.add(&format!(r#"{{"role":"tool","tool_call_id":"{id}","content":{output}}}"#));
            self.made += 1;
        }
    }

    fn answer(&mut self, text: &str) {
        self.say("assistant", text);
    }
}

fn id(number: u64) -> String {
    format!("call_{:04x}{number:02}", number.wrapping_mul(40_503) & 0xffff)
}
