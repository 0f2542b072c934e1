//! A session as `OpenAI` Responses items: as the input of a request, or in the lines of a Codex rollout.

use super::quoted;
use super::scribe::{Scribe, ToolCall, moment};

/// The text so far.
pub(super) struct Items {
    text: String,
    /// Whether each item is a line of a rollout.
    lines: bool,
    seconds: u64,
    made: u64,
}

const DAY: &str = "2026-03-11";

impl Items {
    /// A request whose input the items are.
    pub(super) fn request(instructions: &str) -> Self {
        let text = format!(
            "{{\"model\":\"gpt-5.2\",\"store\":false,\"instructions\":{},\"input\":[\n",
            quoted(instructions)
        );
        Self { text, lines: false, seconds: 0, made: 0 }
    }

    /// A rollout in the folder `cwd`.
    pub(super) fn rollout(cwd: &str, instructions: &str) -> Self {
        let mut items = Self { text: String::new(), lines: true, seconds: 0, made: 0 };
        let stamp = moment(DAY, 0);
        let (cwd, told) = (quoted(cwd), quoted(instructions));
        items.line(
            "session_meta",
            &format!(
                r#"{{"id":"019cdb40-5e2a-7c11-9f3d-60a1b7c4d2e8","timestamp":"{stamp}","cwd":{cwd},"originator":"codex_cli_rs","cli_version":"0.98.0","source":"cli","model_provider":"openai","base_instructions":{{"text":{told}}}}}"#
            ),
        );
        items.line("turn_context", &format!(r#"{{"cwd":{cwd},"approval_policy":"on-request","model":"gpt-5.2-codex","effort":"high","summary":"auto"}}"#));
        items
    }

    /// The whole text.
    pub(super) fn finish(self) -> String {
        if self.lines { self.text } else { self.text + "\n]}\n" }
    }

    fn line(&mut self, kind: &str, payload: &str) {
        let stamp = moment(DAY, self.seconds);
        self.text
            .push_str(&format!("{{\"timestamp\":\"{stamp}\",\"type\":\"{kind}\",\"payload\":{payload}}}\n"));
    }

    fn item(&mut self, item: &str) {
        if self.lines {
            self.seconds += 3 + item.len() as u64 % 11;
            self.line("response_item", item);
            return;
        }
        if !self.text.ends_with("[\n") {
            self.text.push_str(",\n");
        }
        self.text.push_str(item);
    }

    fn message(&mut self, role: &str, kind: &str, text: &str) {
        let text = quoted(text);
        self.item(&format!(
            r#"{{"type":"message","role":"{role}","content":[{{"type":"{kind}","text":{text}}}]}}"#
        ));
    }
}

impl Scribe for Items {
    fn user(&mut self, text: &str) {
        self.seconds += 120;
        self.message("user", "input_text", text);
    }

    fn step(&mut self, say: &str, calls: &[ToolCall]) {
        if !say.is_empty() {
            self.answer(say);
        }
        let first = self.made;
        for ToolCall { tool, arguments, .. } in calls {
            self.made += 1;
            let (id, arguments) = (id(self.made), quoted(arguments));
            self.item(&format!(
                r#"{{"type":"function_call","name":"{tool}","arguments":{arguments},"call_id":"{id}"}}"#
            ));
        }
        for (number, ToolCall { output, .. }) in (first + 1..).zip(calls) {
            let (id, output) = (id(number), quoted(output));
            self.item(&format!(r#"{{"type":"function_call_output","call_id":"{id}","output":{output}}}"#));
        }
    }

    fn answer(&mut self, text: &str) {
        self.message("assistant", "output_text", text);
    }
}

fn id(number: u64) -> String {
    format!("call_{:08x}{number:04}", number.wrapping_mul(2_654_435_761) & 0xffff_ffff)
}
