//! A session as Claude Code stores it: a line for each block, with the usage that the provider reported, and with the
//! compactions that the agent made.

use super::blocks::{id, text, tool_result, tool_use};
use super::quoted;
use super::scribe::{Scribe, ToolCall, moment};

/// How many bytes of this session's text count as a token, in hundredths, and the tokens of system prompt and tools.
const BYTES_PER_TOKEN: u64 = 306;
const BESIDE: u64 = 16_200;

/// The text so far.
pub(super) struct ClaudeCode {
    text: String,
    parent: Option<u64>,
    lines: u64,
    answers: u64,
    made: u64,
    seconds: u64,
    /// The bytes that the model sees now, and those that it saw with the request before.
    context: u64,
    seen: u64,
    /// The calls since the last compaction, with the bytes of their outputs.
    outputs: Vec<(String, u64)>,
}

impl ClaudeCode {
    pub(super) fn new() -> Self {
        Self {
            text: String::new(),
            parent: None,
            lines: 0,
            answers: 0,
            made: 0,
            seconds: 0,
            context: 0,
            seen: 0,
            outputs: Vec::new(),
        }
    }

    /// The whole text.
    pub(super) fn finish(self) -> String {
        self.text
    }

    /// The tokens of the next request.
    pub(super) fn tokens(&self) -> u64 {
        tokens(self.context)
    }

    /// The agent replaces everything so far by `summary`.
    pub(super) fn compact(&mut self, trigger: &str, summary: &str) {
        let before = self.tokens();
        let (logical, parent) = (self.parent.map_or(0, |parent| parent), None);
        self.parent = parent;
        self.line(&format!(
            r#""logicalParentUuid":"{}","type":"system","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,"level":"info","compactMetadata":{{"trigger":"{trigger}","preTokens":{before}}}"#,
            uuid(logical)
        ));
        let said = format!(
            "This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\n{summary}"
        );
        self.context = said.len() as u64;
        self.seen = 0;
        self.outputs.clear();
        let said = quoted(&said);
        self.line(&format!(
            r#""type":"user","message":{{"role":"user","content":{said}}},"isVisibleInTranscriptOnly":true,"isCompactSummary":true"#
        ));
    }

    /// The agent clears the outputs of all calls since the last compaction except the newest `kept`.
    pub(super) fn clear(&mut self, kept: usize) {
        let before = self.tokens();
        let cleared: Vec<(String, u64)> =
            self.outputs.drain(..self.outputs.len().saturating_sub(kept)).collect();
        let bytes: u64 = cleared.iter().map(|(_, bytes)| bytes).sum();
        self.context = self.context.saturating_sub(bytes);
        self.seen = 0;
        let saved = before - self.tokens();
        let ids: Vec<String> = cleared.iter().map(|(id, _)| quoted(id)).collect();
        self.line(&format!(
            r#""type":"system","subtype":"microcompact_boundary","content":"Context microcompacted","isMeta":false,"level":"info","microcompactMetadata":{{"trigger":"auto","preTokens":{before},"tokensSaved":{saved},"compactedToolIds":[{}],"clearedAttachmentUUIDs":[]}}"#,
            ids.join(",")
        ));
    }

    /// Adds a line and returns its number.
    fn line(&mut self, body: &str) -> u64 {
        self.lines += 1;
        self.seconds += 2 + body.len() as u64 % 7;
        let parent = self.parent.map_or_else(|| "null".to_owned(), |parent| format!("\"{}\"", uuid(parent)));
        let (own, stamp) = (uuid(self.lines), moment("2026-04-22", self.seconds));
        self.text.push_str(&format!(
            "{{\"parentUuid\":{parent},\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"/home/ines/harbour-shop\",\"sessionId\":\"5b0c1f7e-2d94-4c38-a6f1-93d7e0b8c214\",\"version\":\"2.1.104\",\"gitBranch\":\"queue\",{body},\"uuid\":\"{own}\",\"timestamp\":\"{stamp}\"}}\n"
        ));
        self.parent = Some(self.lines);
        self.lines
    }

    /// Lines of one answer of the model, one for each block.
    fn blocks(&mut self, blocks: &[String], why: &str) {
        self.answers += 1;
        let written: u64 = blocks.iter().map(|block| block.len() as u64).sum();
        let usage = format!(
            r#"{{"input_tokens":{},"cache_creation_input_tokens":{},"cache_read_input_tokens":{},"output_tokens":{}}}"#,
            4,
            tokens(self.context).saturating_sub(tokens(self.seen)) + if self.seen == 0 { BESIDE } else { 0 },
            if self.seen == 0 { 0 } else { tokens(self.seen) },
            written * 100 / BYTES_PER_TOKEN
        );
        self.seen = self.context;
        self.context += written;
        let last = blocks.len().saturating_sub(1);
        for (number, block) in blocks.iter().enumerate() {
            let stop = if number == last { quoted(why) } else { "null".to_owned() };
            self.line(&format!(
                r#""type":"assistant","message":{{"model":"claude-sonnet-4-5-20250929","id":"msg_01{:020x}","type":"message","role":"assistant","content":[{block}],"stop_reason":{stop},"usage":{usage}}}"#,
                self.answers * 0x9e37_79b9
            ));
        }
    }
}

impl Scribe for ClaudeCode {
    fn user(&mut self, said: &str) {
        self.seconds += 90;
        self.context += said.len() as u64;
        let said = quoted(said);
        self.line(&format!(r#""type":"user","message":{{"role":"user","content":{said}}}"#));
    }

    fn step(&mut self, say: &str, calls: &[ToolCall]) {
        let first = self.made;
        let mut blocks = Vec::new();
        if !say.is_empty() {
            blocks.push(text(say));
        }
        for call in calls {
            self.made += 1;
            blocks.push(tool_use(&id(self.made), call));
        }
        self.blocks(&blocks, "tool_use");
        for (number, ToolCall { output, .. }) in (first + 1..).zip(calls) {
            let id = id(number);
            let result = tool_result(&id, output);
            self.context += output.len() as u64;
            self.line(&format!(r#""type":"user","message":{{"role":"user","content":[{result}]}}"#));
            self.outputs.push((id, output.len() as u64));
        }
    }

    fn answer(&mut self, said: &str) {
        self.blocks(&[text(said)], "end_turn");
    }
}

fn tokens(bytes: u64) -> u64 {
    BESIDE + bytes * 100 / BYTES_PER_TOKEN
}

fn uuid(number: u64) -> String {
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!(
        "{:08x}-{:04x}-4{:03x}-a{:03x}-{number:012x}",
        mixed >> 32,
        mixed >> 16 & 0xffff,
        mixed & 0xfff,
        mixed >> 4 & 0xfff
    )
}
