//! Which format a text is of, and what shows it (formats.md, section 1).

use super::container::Container;
use super::list::classify_list;
use super::opencode;
use super::source::Source;
use super::{Format, langchain, recognised, refuse};
use crate::error::Error;
use crate::json::{Text, Value};

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
/// Those of reading JSON; `unsupported_format` when it is of a format that is known and not read; `no_messages` when
/// it is no session: the message names what was seen.
///
/// # Example
///
/// ```
/// let found = ebbline::format::detect(r#"[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}]"#)?;
/// assert_eq!(found.format, ebbline::Format::AnthropicMessages);
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn detect(text: &str) -> Result<Detection, Error> {
    let mut source = Source::parse(text).map_err(|fault| refuse::no_json(text, fault))?;
    match Container::of(&source) {
        Some(container) => container.classify(&mut source, 0),
        None => classify(&source),
    }
}

/// Whether a text found to be of another format cannot be read as `wanted`. TunaCode's files hold lists of
/// TinyAgent and pydantic-ai messages, so those do not exclude each other.
pub(super) fn excludes(found: &Detection, wanted: Format) -> bool {
    let is_tunacode = |format| matches!(format, Format::Tunacode | Format::Tinyagent | Format::PydanticAi);
    found.certain && !(is_tunacode(found.format) && is_tunacode(wanted))
}

/// Finds out the format of a parsed source.
pub(super) fn classify(source: &Source<'_>) -> Result<Detection, Error> {
    if let Some(refusal) = recognised::refusal(source) {
        return Err(refusal);
    }
    let found =
        if source.is_lines { classify_lines(source) } else { source.root().and_then(classify_document) };
    found.ok_or_else(|| refuse::no_session(source))
}

pub(super) fn has(value: Value<'_>, keys: &[&str]) -> bool {
    keys.iter().all(|key| value.get(key).is_some())
}

pub(super) fn is(value: Value<'_>, key: &str, text: &str) -> bool {
    value.text_of(key).is_some_and(|found| found.is(text))
}

/// Whether a value is an event of `OpenHands`: an action or observation, or of a kind that is called so. A step of ATIF
/// may have a source and an observation, too.
pub(super) fn is_event(value: Value<'_>) -> bool {
    let is_kind = || value.text_of("kind").is_some_and(|kind| kind.decode().ends_with("Event"));
    has(value, &["source"])
        && !has(value, &["step_id"])
        && (has(value, &["action"]) || has(value, &["observation"]) || is_kind())
}

/// One JSON document.
fn classify_document(root: Value<'_>) -> Option<Detection> {
    use Format::{
        AnthropicMessages, Atif, ClaudeCode, Cline, GeminiCli, GeminiContents, InspectAi, Langchain,
        OpenaiChat, OpenaiResponses, Opencode, Openhands, Pi, SweAgent, Tunacode,
    };
    if root.is_array() {
        return classify_list(root.elements(), "in an array");
    }
    if !root.is_object() {
        return None;
    }
    let session_id = root.get("info").and_then(|info| info.text_of("id"));
    if let Some(version) = root.text_of("schema_version").filter(|version| version.starts_with("ATIF")) {
        let steps = root.elements_of("steps").count();
        return Some(Detection::new(Atif, format!("schema_version {} and {steps} steps", version.decode())));
    }
    if session_id.is_some_and(|id| id.starts_with("ses_")) && has(root, &["messages"]) {
        return Some(Detection::new(Opencode, "info.id begins with ses_ and there are messages"));
    }
    if has(root, &["trajectory", "history"]) {
        let [steps, entries] = ["trajectory", "history"].map(|key| root.elements_of(key).count());
        let evidence = format!("a trajectory of {steps} steps with a history of {entries} entries");
        return Some(Detection::new(SweAgent, evidence));
    }
    let info_has = |key: &str| root.get("info").is_some_and(|info| has(info, &[key]));
    if has(root, &["messages"])
        && (has(root, &["trajectory_format"]) || info_has("mini_version") || info_has("config"))
    {
        let version = root.text_of("trajectory_format").map(Text::decode);
        let version = version
            .map_or_else(|| "info of mini-swe-agent".into(), |name| format!("trajectory_format {name}"));
        let messages = root.elements_of("messages").count();
        return Some(Detection::new(SweAgent, format!("{version} and {messages} messages")));
    }
    if has(root, &["sessionId", "projectHash", "messages"]) {
        return Some(Detection::new(GeminiCli, "sessionId, projectHash and messages"));
    }
    if has(root, &["session_id", "project_id", "current_model", "messages"]) {
        return Some(Detection::new(Tunacode, "session_id, project_id, current_model and messages"));
    }
    // The record of a compaction, which Cline keeps beside the session, has no agent and session id of its own.
    if has(root, &["agent", "sessionId", "messages"])
        || has(root, &["version", "updated_at", "source_message_count", "messages"])
    {
        let messages = root.elements_of("messages").count();
        return Some(Detection::new(Cline, format!("an envelope of Cline with {messages} messages")));
    }
    if has(root, &["parentUuid", "isSidechain"]) {
        return Some(Detection::new(ClaudeCode, "a single line with parentUuid"));
    }
    if has(root, &["loglines"]) {
        let count = root.elements_of("loglines").count();
        return Some(Detection::new(ClaudeCode, format!("{count} loglines")));
    }
    let is_response = root.text_of("object").is_some_and(|object| object.starts_with("response"));
    if is_response || (has(root, &["input", "model"]) && !has(root, &["messages"])) {
        return Some(Detection::new(OpenaiResponses, "a Responses request or response"));
    }
    if is(root, "object", "chat.completion") {
        return Some(Detection::new(OpenaiChat, "a response: object chat.completion"));
    }
    if let Some(input) = root.get("input").filter(|_| !has(root, &["messages"])) {
        let found = classify_list(input.elements(), "in the member input");
        return found.filter(|found| found.format == OpenaiResponses);
    }
    if let Some(contents) = root.get("contents").filter(|contents| contents.is_array()) {
        let evidence = format!("a request with {} contents", contents.elements().count());
        return Some(Detection::new(GeminiContents, evidence));
    }
    let history = root.get("history").filter(|history| history.is_array());
    if let Some(found) =
        history.and_then(|history| classify_list(history.elements(), "in the member history"))
        && found.format == GeminiContents
    {
        return Some(found);
    }
    if is(root, "type", "message") && is(root, "role", "assistant") {
        return Some(Detection::new(AnthropicMessages, "a response: type message, role assistant"));
    }
    if has(root, &["eval", "samples"]) {
        let samples = root.elements_of("samples").count();
        let noun = if samples == 1 { "sample" } else { "samples" };
        return Some(Detection::new(InspectAi, format!("an eval with {samples} {noun}")));
    }
    if has(root, &["history"]) && (has(root, &["instance_id"]) || has(root, &["issue"])) {
        return Some(Detection::new(Openhands, "history and instance_id"));
    }
    if is_event(root) {
        return Some(Detection::new(Openhands, "a single event"));
    }
    // The server answers with a trajectory, or with a page of events.
    for key in ["trajectory", "events", "items"] {
        if root.elements_of(key).next().is_some_and(is_event) {
            return Some(Detection::new(Openhands, format!("events in the member {key}")));
        }
    }
    if is(root, "type", "session") && has(root, &["cwd"]) {
        return Some(Detection::new(Pi, "a session header"));
    }
    if opencode::is_table(root) {
        return Some(Detection::new(Opencode, "tables of messages and parts"));
    }
    if let Some(state) = langchain::state_in(root) {
        let found = classify_list(state.elements_of("messages"), "in the state of a graph");
        return found.filter(|found| found.format == Langchain);
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
            (
                r#"[{"id":"ses_1"},{"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"text"}]"#,
                "opencode",
            ),
            (
                "{\"id\":\"msg_1\",\"session_id\":\"ses_1\",\"time_created\":1,\"data\":\"{}\"}\n{\"a\":1}",
                "opencode",
            ),
            (r#"{"part":[{"id":"prt_1","session_id":"ses_1","time_created":1,"data":"{}"}]}"#, "opencode"),
            (r#"[{"type":"message","data":{"id":"msg_1","sessionID":"ses_1"}}]"#, "opencode"),
            (r#"[{"id":"msg_1","type":"user","time":{},"text":"hi"}]"#, "opencode"),
            ("{\"parentUuid\":null,\"isSidechain\":false}\n{\"a\":1}", "claude_code"),
            ("{\"type\":\"mode\"}\n{\"parentUuid\":null,\"uuid\":\"u\",\"sessionId\":\"s\"}", "claude_code"),
            (r#"{"parentUuid":null,"isSidechain":false}"#, "claude_code"),
            (r#"{"loglines":[]}"#, "claude_code"),
            ("{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"tool\",\"content\":\"b\"}", "openai_chat"),
            (r#"[{"role":"user","parts":[{"text":"a"}]}]"#, "gemini_contents"),
            (r#"[{"id":0,"source":"user","action":"message","args":{}}]"#, "openhands"),
            (r#"{"id":0,"source":"user","action":"message","args":{}}"#, "openhands"),
            (r#"{"trajectory":[{"id":0,"source":"agent","cause":1,"observation":"run"}]}"#, "openhands"),
            (r#"[{"id":"a","source":"agent","kind":"SystemPromptEvent"}]"#, "openhands"),
            (r#"[{"step_id":1,"source":"agent","observation":{"results":[]}}]"#, "atif"),
            ("{\"source\":\"user\",\"kind\":\"MessageEvent\"}\n{\"kind\":\"Condensation\"}", "openhands"),
            (
                "{\"source\":\"user\",\"action\":\"message\"}\n{\"source\":\"agent\",\"observation\":\"run\"}",
                "openhands",
            ),
            (r#"{"instance_id":"i","history":[[{"action":"run"},{"observation":"run"}]]}"#, "openhands"),
            (r#"{"trajectory":[],"history":[],"info":{}}"#, "swe_agent"),
            (r#"{"trajectory_format":"mini-swe-agent-1.1","messages":[{"role":"user"}]}"#, "swe_agent"),
            (r#"{"info":{"config":{}},"messages":[{"role":"user","content":"a"}]}"#, "swe_agent"),
            (r#"{"schema_version":"ATIF-v1.6","steps":[]}"#, "atif"),
            (r#"{"version":1,"agent":"lead","sessionId":"s","messages":[]}"#, "cline"),
            (r#"{"version":1,"updated_at":"t","source_message_count":4,"messages":[]}"#, "cline"),
            (r#"{"eval":{},"samples":[]}"#, "inspect_ai"),
            (r#"{"object":"chat.completion","choices":[{"message":{"role":"assistant"}}]}"#, "openai_chat"),
            (
                "{\"session\":1}\n{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"tool\",\"content\":\"b\"}",
                "openai_chat",
            ),
            // Roo and older Cline: a list of Anthropic messages, with or without calls.
            (
                r#"[{"role":"user","content":[{"type":"text","text":"a"}],"ts":1},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"read_file","input":{}}],"ts":2}]"#,
                "anthropic_messages",
            ),
            (
                r#"[{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"iVBO"}}],"ts":1}]"#,
                "anthropic_messages",
            ),
            (r#"[{"parts":[{"functionCall":{}}]}]"#, "gemini_contents"),
            (r#"{"contents":[{"role":"user","parts":[]}],"tools":[]}"#, "gemini_contents"),
            (r#"{"history":[{"role":"user","parts":[]}],"authType":"oauth"}"#, "gemini_contents"),
            (r#"{"sessionId":"s","projectHash":"h","messages":[]}"#, "gemini_cli"),
            ("{\"sessionId\":\"s\",\"projectHash\":\"h\"}\n{\"$set\":{}}", "gemini_cli"),
            ("{\"id\":\"a\",\"timestamp\":\"t\",\"type\":\"gemini\"}\n{\"$set\":{}}", "gemini_cli"),
        ];
        for (text, name) in cases {
            assert_eq!(detect(text).unwrap().format.name(), name, "{text}");
        }
    }
}
