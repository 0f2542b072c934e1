//! Which format a text is of, and what shows it (formats.md, section 1).

use super::Format;
use super::list::classify_list;
use super::source::Source;
use crate::error::{Error, ErrorCode};
use crate::json::Value;

/// How many elements of a list, or lines of a log, are looked at.
pub(super) const LOOKED_AT: usize = 400;

/// A format and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The format.
    pub format: Format,
    /// What shows it, in words: `28 messages, role tool with tool_call_id`.
    pub evidence: String,
    /// Whether it can be nothing else. A list of plain texts is valid in several formats.
    pub certain: bool,
}

impl Detection {
    pub(super) fn new(format: Format, evidence: impl Into<String>) -> Self {
        Self { format, evidence: evidence.into(), certain: true }
    }
}

/// Finds out the format of `text`.
///
/// # Errors
///
/// Those of reading JSON; `no_messages` when it is JSON, but no session: the message names what was seen.
///
/// # Example
///
/// ```
/// let found = ebbline::format::detect(r#"[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}]"#)?;
/// assert_eq!(found.format, ebbline::Format::AnthropicMessages);
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn detect(text: &str) -> Result<Detection, Error> {
    classify(&Source::parse(text)?)
}

/// Whether a text found to be of another format cannot be read as `wanted`. TunaCode's files hold lists of
/// TinyAgent and pydantic-ai messages, so those do not exclude each other.
pub(super) fn excludes(found: &Detection, wanted: Format) -> bool {
    let is_tunacode = |format| matches!(format, Format::Tunacode | Format::Tinyagent | Format::PydanticAi);
    found.certain && !(is_tunacode(found.format) && is_tunacode(wanted))
}

/// Finds out the format of a parsed source.
pub(super) fn classify(source: &Source<'_>) -> Result<Detection, Error> {
    let found =
        if source.is_lines { classify_lines(source) } else { source.root().and_then(classify_document) };
    found.ok_or_else(|| no_session(source))
}

fn no_session(source: &Source<'_>) -> Error {
    // What is a document at its beginning only is first of all no JSON.
    if let Some(fault) = source.problems.first().filter(|_| !source.is_lines) {
        return fault.clone();
    }
    let seen = match source.root() {
        Some(root) if root.is_object() => {
            let keys: Vec<_> = root.members().take(8).map(|(key, _)| key.decode().into_owned()).collect();
            format!(
                "{} with {}",
                if source.is_lines { "lines of objects" } else { "an object" },
                keys.join(", ")
            )
        }
        Some(root) if root.is_array() && root.elements().next().is_none() => "an empty array".to_owned(),
        Some(root) if root.is_array() => "an array of other things".to_owned(),
        _ => "a single value".to_owned(),
    };
    Error::new(ErrorCode::NoMessages, format!("JSON, but no session: {seen}"))
        .located(source.text, source.first_byte())
}

pub(super) fn has(value: Value<'_>, keys: &[&str]) -> bool {
    keys.iter().all(|key| value.get(key).is_some())
}

pub(super) fn is(value: Value<'_>, key: &str, text: &str) -> bool {
    value.text_of(key).is_some_and(|found| found.is(text))
}

/// One JSON document.
fn classify_document(root: Value<'_>) -> Option<Detection> {
    use Format::{
        AnthropicMessages, Atif, ClaudeCode, Cline, GeminiCli, GeminiContents, InspectAi, OpenaiResponses,
        Opencode, Openhands, Pi, SweAgent, Tunacode,
    };
    if root.is_array() {
        return classify_list(root.elements(), "in an array");
    }
    if !root.is_object() {
        return None;
    }
    let session_id = root.get("info").and_then(|info| info.text_of("id"));
    if root.text_of("schema_version").is_some_and(|version| version.starts_with("ATIF")) {
        return Some(Detection::new(Atif, "schema_version ATIF"));
    }
    if session_id.is_some_and(|id| id.starts_with("ses_")) && has(root, &["messages"]) {
        return Some(Detection::new(Opencode, "info.id begins with ses_ and there are messages"));
    }
    if has(root, &["trajectory_format"]) || (has(root, &["trajectory", "history"])) {
        return Some(Detection::new(SweAgent, "a trajectory"));
    }
    if has(root, &["info", "messages"]) && root.get("info").is_some_and(|info| has(info, &["mini_version"])) {
        return Some(Detection::new(SweAgent, "info.mini_version and messages"));
    }
    if has(root, &["sessionId", "projectHash", "messages"]) {
        return Some(Detection::new(GeminiCli, "sessionId, projectHash and messages"));
    }
    if has(root, &["session_id", "project_id", "current_model", "messages"]) {
        return Some(Detection::new(Tunacode, "session_id, project_id, current_model and messages"));
    }
    if has(root, &["agent", "sessionId", "messages"]) {
        return Some(Detection::new(Cline, "agent, sessionId and messages"));
    }
    if has(root, &["loglines"]) {
        return Some(Detection::new(ClaudeCode, "loglines"));
    }
    if is(root, "object", "response") || (has(root, &["input", "model"]) && !has(root, &["messages"])) {
        return Some(Detection::new(OpenaiResponses, "a Responses request or response"));
    }
    if root.get("contents").is_some_and(Value::is_array) {
        return Some(Detection::new(GeminiContents, "contents"));
    }
    if is(root, "type", "message") && is(root, "role", "assistant") {
        return Some(Detection::new(AnthropicMessages, "a response: type message, role assistant"));
    }
    if has(root, &["eval", "samples"]) {
        return Some(Detection::new(InspectAi, "eval and samples"));
    }
    if has(root, &["history"]) && (has(root, &["instance_id"]) || has(root, &["issue"])) {
        return Some(Detection::new(Openhands, "history and instance_id"));
    }
    if is(root, "type", "session") && has(root, &["cwd"]) {
        return Some(Detection::new(Pi, "a session header"));
    }
    let messages = root.get("messages").filter(|messages| messages.is_array())?;
    let found = classify_list(messages.elements(), "in the member messages");
    let is_request = has(root, &["max_tokens", "system"]);
    match found {
        Some(found) if is_request && !found.certain => {
            Some(Detection::new(AnthropicMessages, "a request with system and max_tokens"))
        }
        None if messages.elements().next().is_none() => None,
        found => found,
    }
}

/// JSON Lines.
fn classify_lines(source: &Source<'_>) -> Option<Detection> {
    use Format::{ClaudeCode, Codex, CopilotCli, GeminiCli, Openhands, Pi};
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
    let is_claude = |line: Value<'_>| has(line, &["parentUuid", "isSidechain"]);
    if head().any(is_claude) || head().any(|line| is(line, "type", "summary") && has(line, &["leafUuid"])) {
        return Some(Detection::new(
            ClaudeCode,
            format!("{} of {total} lines carry parentUuid", count(&is_claude)),
        ));
    }
    let is_event =
        |line: Value<'_>| line.text_of("kind").is_some_and(|kind| kind.decode().ends_with("Event"));
    if head().any(is_event)
        || (has(first, &["history"]) && (has(first, &["instance_id"]) || has(first, &["issue"])))
    {
        return Some(Detection::new(Openhands, "events with a kind, or history and instance_id"));
    }
    if head()
        .all(|line| line.text_of("role").is_some() || has(line, &["info", "parts"]) || has(line, &["parts"]))
    {
        return classify_list(lines.iter().copied(), "on a line each");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart_by_their_signs() {
        let cases = [
            (r#"[{"role":"user","content":"hi"}]"#, "openai_chat"),
            (
                r#"{"model":"m","max_tokens":9,"system":"s","messages":[{"role":"user","content":"hi"}]}"#,
                "anthropic_messages",
            ),
            (r#"[{"role":"tool_result","content":[]}]"#, "tinyagent"),
            (r#"[{"role":"toolResult","content":[]}]"#, "pi"),
            (r#"{"type":"session","id":"s","cwd":"/w"}"#, "pi"),
            (r#"[{"kind":"request","parts":[]}]"#, "pydantic_ai"),
            (r#"[{"kind":"request","parts":[]},{"thought":"t"}]"#, "tunacode"),
            (r#"[{"info":{},"parts":[]}]"#, "opencode"),
            ("{\"parentUuid\":null,\"isSidechain\":false}\n{\"a\":1}", "claude_code"),
            ("{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"tool\",\"content\":\"b\"}", "openai_chat"),
            (r#"[{"role":"user","parts":[{"text":"a"}]}]"#, "gemini_contents"),
        ];
        for (text, name) in cases {
            assert_eq!(detect(text).unwrap().format.name(), name, "{text}");
        }
    }

    #[test]
    fn what_is_no_session_is_named() {
        for (text, seen) in [
            (r#"{"a":1,"b":2}"#, "JSON, but no session: an object with a, b"),
            ("[]", "JSON, but no session: an empty array"),
            ("3", "JSON, but no session: a single value"),
            (
                "{\"type\":\"content_block_delta\",\"index\":0}\n{\"type\":\"ping\"}",
                "JSON, but no session: lines of objects with type, index",
            ),
        ] {
            let error = detect(text).unwrap_err();
            assert_eq!((error.code(), error.message()), ("no_messages", seen));
        }
    }
}
