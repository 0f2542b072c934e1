//! Telling logs apart, which have a value on each line (formats.md, section 1, B).

use super::Format::{ClaudeCode, Codex, CopilotCli, GeminiCli, Openhands, Pi};
use super::detect::{Detection, LOOKED_AT, has, is, is_event};
use super::list::classify_list;
use super::opencode;
use super::source::Source;
use crate::json::{Text, Value};

/// Finds out the format of JSON Lines.
pub(super) fn classify(source: &Source<'_>) -> Option<Detection> {
    let lines: Vec<Value<'_>> = source.values().collect();
    let first = *lines.first()?;
    let total = lines.len();
    let head = || lines.iter().copied().take(LOOKED_AT);
    let count = |test: &dyn Fn(Value<'_>) -> bool| lines.iter().filter(|line| test(**line)).count();
    if head().take(3).any(|line| is(line, "type", "session") && has(line, &["cwd"])) {
        let version = first.get("version").map_or("1", |version| version.source());
        return Some(Detection::new(
            Pi,
            format!("a session header (version {version}) and {} entries", total - 1),
        ));
    }
    let is_codex = |line: Value<'_>| {
        has(line, &["payload"])
            && line.text_of("type").is_some_and(|kind| {
                ["session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"]
                    .iter()
                    .any(|name| kind.is(name))
            })
    };
    let is_item = |line: Value<'_>| {
        line.text_of("type").map(Text::decode).is_some_and(|kind| {
            matches!(kind.as_ref(), "message" | "reasoning")
                || kind.ends_with("_call")
                || kind.ends_with("_call_output")
        })
    };
    if head().any(is_codex) {
        return Some(Detection::new(Codex, format!("{} of {total} lines carry a payload", count(&is_codex))));
    }
    if has(first, &["id", "timestamp", "instructions"]) || head().any(|line| is(line, "record_type", "state"))
    {
        return Some(Detection::new(Codex, "a rollout of mid 2025"));
    }
    if is(first, "type", "session.start") && has(first, &["data"]) {
        return Some(Detection::new(CopilotCli, "a first line of type session.start"));
    }
    if head().take(3).any(|line| has(line, &["sessionId", "projectHash"])) {
        return Some(Detection::new(GeminiCli, "a first line with sessionId and projectHash"));
    }
    let is_gemini = |line: Value<'_>| is(line, "type", "gemini") && has(line, &["id", "timestamp"]);
    if head().any(is_gemini) {
        return Some(Detection::new(
            GeminiCli,
            format!("{} of {total} lines are messages of type gemini", count(&is_gemini)),
        ));
    }
    // Qwen Code writes no sidechains.
    let is_claude = |line: Value<'_>| {
        has(line, &["parentUuid"]) && (has(line, &["isSidechain"]) || has(line, &["uuid", "sessionId"]))
    };
    if head().any(is_claude) || head().any(|line| is(line, "type", "summary") && has(line, &["leafUuid"])) {
        return Some(Detection::new(
            ClaudeCode,
            format!("{} of {total} lines carry parentUuid", count(&is_claude)),
        ));
    }
    if head().any(is_event) {
        let evidence = format!("{} of {total} lines are events with a source", count(&is_event));
        return Some(Detection::new(Openhands, evidence));
    }
    let is_opencode = |line: Value<'_>| opencode::is_row(line) || opencode::is_newer(line);
    if head().any(is_opencode)
        || head().all(|line| {
            line.text_of("role").is_some()
                || has(line, &["info", "parts"])
                || has(line, &["parts"])
                || has(line, &["lc", "kwargs"])
                || is_item(line)
        })
    {
        return classify_list(lines.iter().copied(), "on a line each");
    }
    // A log of messages may begin with a line about itself, or tell of other things in between.
    let is_message = |line: Value<'_>| line.text_of("role").is_some() && has(line, &["content"]);
    let messages = lines.iter().copied().filter(|line| is_message(*line));
    let is_log = count(&is_message) * 2 > total;
    is_log.then(|| classify_list(messages, &format!("among {total} lines"))).flatten()
}
