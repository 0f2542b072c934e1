//! Telling documents apart by what stands around their messages (formats.md, section 1, A).

use super::Format::{
    AnthropicMessages, Atif, ClaudeCode, Cline, GeminiCli, GeminiContents, InspectAi, Langchain, OpenaiChat,
    OpenaiResponses, Opencode, Openhands, Pi, SweAgent, Tunacode,
};
use super::detect::{Detection, has, is, is_event};
use super::list::classify_list;
use super::{langchain, opencode};
use crate::json::{Text, Value};

/// Finds out the format of one JSON document: an array is a list, an object an envelope of one.
pub(super) fn classify(root: Value<'_>) -> Option<Detection> {
    if root.is_array() {
        return classify_list(root.elements(), "in an array");
    }
    if !root.is_object() {
        return None;
    }
    trajectory(root)
        .or_else(|| agent(root))
        .or_else(|| provider(root))
        .or_else(|| events(root))
        .or_else(|| library(root))
        .or_else(|| list(root))
}

/// What was recorded for evaluation.
fn trajectory(root: Value<'_>) -> Option<Detection> {
    if let Some(version) = root.text_of("schema_version").filter(|version| version.starts_with("ATIF")) {
        let steps = root.elements_of("steps").count();
        return Some(Detection::new(Atif, format!("schema_version {} and {steps} steps", version.decode())));
    }
    if has(root, &["trajectory", "history"]) {
        let [steps, entries] = ["trajectory", "history"].map(|key| root.elements_of(key).count());
        let evidence = format!("a trajectory of {steps} steps with a history of {entries} entries");
        return Some(Detection::new(SweAgent, evidence));
    }
    let info_has = |key: &str| root.get("info").is_some_and(|info| has(info, &[key]));
    let is_mini = has(root, &["trajectory_format"]) || info_has("mini_version") || info_has("config");
    if has(root, &["messages"]) && is_mini {
        let version = root.text_of("trajectory_format").map(Text::decode);
        let version = version
            .map_or_else(|| "info of mini-swe-agent".into(), |name| format!("trajectory_format {name}"));
        let messages = root.elements_of("messages").count();
        return Some(Detection::new(SweAgent, format!("{version} and {messages} messages")));
    }
    has(root, &["eval", "samples"]).then(|| {
        let samples = root.elements_of("samples").count();
        let noun = if samples == 1 { "sample" } else { "samples" };
        Detection::new(InspectAi, format!("an eval with {samples} {noun}"))
    })
}

/// An agent's own file.
fn agent(root: Value<'_>) -> Option<Detection> {
    let session_id = root.get("info").and_then(|info| info.text_of("id"));
    let found = if session_id.is_some_and(|id| id.starts_with("ses_")) && has(root, &["messages"]) {
        (Opencode, "info.id begins with ses_ and there are messages".to_owned())
    } else if opencode::is_table(root) {
        (Opencode, "tables of messages and parts".to_owned())
    } else if has(root, &["sessionId", "projectHash", "messages"]) {
        (GeminiCli, "sessionId, projectHash and messages".to_owned())
    } else if has(root, &["session_id", "project_id", "current_model", "messages"]) {
        (Tunacode, "session_id, project_id, current_model and messages".to_owned())
    } else if has(root, &["agent", "sessionId", "messages"])
        // The record of a compaction, which Cline keeps beside the session, has no agent and session id of its own.
        || has(root, &["version", "updated_at", "source_message_count", "messages"])
    {
        (Cline, format!("an envelope of Cline with {} messages", root.elements_of("messages").count()))
    } else if has(root, &["parentUuid", "isSidechain"]) {
        (ClaudeCode, "a single line with parentUuid".to_owned())
    } else if has(root, &["loglines"]) {
        (ClaudeCode, format!("{} loglines", root.elements_of("loglines").count()))
    } else if is(root, "type", "session") && has(root, &["cwd"]) {
        (Pi, "a session header".to_owned())
    } else {
        return None;
    };
    Some(Detection::new(found.0, found.1))
}

/// What goes to a provider, or comes from it.
fn provider(root: Value<'_>) -> Option<Detection> {
    let is_response = root.text_of("object").is_some_and(|object| object.starts_with("response"));
    if is_response || (has(root, &["input", "model"]) && !has(root, &["messages"])) {
        return Some(Detection::new(OpenaiResponses, "a Responses request or response"));
    }
    if is(root, "object", "chat.completion") {
        return Some(Detection::new(OpenaiChat, "a response: object chat.completion"));
    }
    if let Some(contents) = root.get("contents").filter(|contents| contents.is_array()) {
        let evidence = format!("a request with {} contents", contents.elements().count());
        return Some(Detection::new(GeminiContents, evidence));
    }
    if is(root, "type", "message") && is(root, "role", "assistant") {
        return Some(Detection::new(AnthropicMessages, "a response: type message, role assistant"));
    }
    let inside = |key: &str, place: &str, format| {
        let found = classify_list(root.elements_of(key), place);
        found.filter(|found| found.format == format)
    };
    if !has(root, &["messages"])
        && let Some(found) = inside("input", "in the member input", OpenaiResponses)
    {
        return Some(found);
    }
    inside("history", "in the member history", GeminiContents)
}

/// Events: one, or what a server answers with, a trajectory or a page of them.
fn events(root: Value<'_>) -> Option<Detection> {
    if has(root, &["history"]) && (has(root, &["instance_id"]) || has(root, &["issue"])) {
        return Some(Detection::new(Openhands, "history and instance_id"));
    }
    if is_event(root) {
        return Some(Detection::new(Openhands, "a single event"));
    }
    let holds_events = |key: &&str| root.elements_of(key).next().is_some_and(is_event);
    let key = ["trajectory", "events", "items"].into_iter().find(holds_events)?;
    Some(Detection::new(Openhands, format!("events in the member {key}")))
}

/// The state that a library keeps.
fn library(root: Value<'_>) -> Option<Detection> {
    let state = langchain::state_in(root)?;
    let found = classify_list(state.elements_of("messages"), "in the state of a graph");
    found.filter(|found| found.format == Langchain)
}

/// Messages in any envelope.
fn list(root: Value<'_>) -> Option<Detection> {
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
