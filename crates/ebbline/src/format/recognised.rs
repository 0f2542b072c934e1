//! Formats that are recognised but cannot be read: an error that names the format helps more than a guess.

use super::Format;
use super::signs::{LOOKED_AT, has, is};
use super::source::Source;
use crate::error::{Error, ErrorCode};
use crate::json::Value;

/// A format, the evidence in words, and the test.
struct Recognised {
    name: &'static str,
    sign: &'static str,
    /// Whether a document, or a line of JSON Lines, shows the format.
    shows: fn(Value<'_>) -> bool,
}

/// One JSON document each.
const DOCUMENTS: &[Recognised] = &[
    Recognised {
        name: "OpenAI Agents RunState",
        sign: "$schemaVersion, original_input and model_responses",
        shows: |root| {
            has(root, &["$schemaVersion"])
                && (has(root, &["original_input"]) || has(root, &["originalInput"]))
                && (has(root, &["model_responses"]) || has(root, &["modelResponses"]))
        },
    },
    Recognised {
        name: "Amp thread",
        sign: "an id that begins with T- and messages",
        shows: |root| {
            root.text_of("id").is_some_and(|id| id.starts_with("T-"))
                && has(root, &["messages"])
                && (has(root, &["v"]) || has(root, &["created"]))
        },
    },
    Recognised {
        name: "Kiro chat",
        sign: "executionId and chat",
        shows: |root| has(root, &["executionId", "chat"]),
    },
    Recognised {
        name: "Kiro conversation",
        sign: "conversation_id and a history of user and assistant",
        shows: |root| {
            has(root, &["conversation_id"])
                && root.elements_of("history").any(|turn| has(turn, &["user", "assistant"]))
        },
    },
    Recognised {
        name: "Continue session",
        sign: "workspaceDirectory and history",
        shows: |root| has(root, &["workspaceDirectory", "history"]),
    },
    Recognised {
        name: "ChatGPT export",
        sign: "conversations with a mapping",
        shows: |root| first_of(root).is_some_and(|found| has(found, &["mapping", "current_node"])),
    },
    Recognised {
        name: "claude.ai export",
        sign: "conversations with chat_messages",
        shows: |root| first_of(root).is_some_and(|found| has(found, &["uuid", "chat_messages"])),
    },
];

/// JSON Lines, recognised by one of the first lines.
const LINES: &[Recognised] = &[
    Recognised {
        name: "Factory droid session",
        sign: "a line of type session_start",
        shows: |line| is(line, "type", "session_start"),
    },
    Recognised {
        name: "Cursor transcript",
        sign: "lines of role and message.content",
        shows: |line| {
            line.text_of("role").is_some()
                && !has(line, &["content"])
                && line.get("message").is_some_and(|message| has(message, &["content"]))
        },
    },
    Recognised {
        name: "Claude Code's stream-json output",
        sign: "a line of type system and subtype init with a session_id",
        shows: |line| is(line, "type", "system") && is(line, "subtype", "init") && has(line, &["session_id"]),
    },
    Recognised {
        name: "codex exec's JSON output",
        sign: "a line of type thread.started",
        shows: |line| is(line, "type", "thread.started"),
    },
];

/// The first element of a list, or the document itself.
fn first_of(root: Value<'_>) -> Option<Value<'_>> {
    if root.is_array() { root.elements().next() } else { Some(root) }
}

/// The error for a source in a recognised format that cannot be read; `None` for an unknown format.
pub(super) fn refusal(source: &Source<'_>) -> Option<Error> {
    let known = if source.is_lines { LINES } else { DOCUMENTS };
    let looked_at = if source.is_lines { LOOKED_AT } else { 1 };
    let shown = |format: &&Recognised| source.values().take(looked_at).any(format.shows);
    let found = known.iter().find(shown)?;
    Some(unsupported(found.name, found.sign).located(source.text, source.first_byte()))
}

/// The error for a text that is not JSON but in a recognised format.
pub(super) fn text_refusal(text: &str) -> Option<Error> {
    // In a history of several chats, each chat begins with this line.
    let is_aider = text.lines().any(|line| line.starts_with("# aider chat started at "));
    is_aider.then(|| unsupported("Aider chat history", "# aider chat started at").located(text, 0))
}

/// The error for a format that is recognised but cannot be read.
pub(super) fn unsupported(name: &str, evidence: &str) -> Error {
    let supported: Vec<_> = Format::ALL.iter().map(|format| format.title()).collect();
    let message =
        format!("this looks like {name} ({evidence}), which is not read; read are {}", supported.join(", "));
    Error::new(ErrorCode::UnsupportedFormat, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::detect;

    #[test]
    fn what_is_known_and_not_read_is_named() {
        let cases = [
            (
                r#"{"$schemaVersion":"1.0","original_input":"x","model_responses":[]}"#,
                "OpenAI Agents RunState",
            ),
            (r#"{"$schemaVersion":"1.0","originalInput":[],"modelResponses":[]}"#, "OpenAI Agents RunState"),
            (
                r#"{"v":3,"id":"T-1","created":1,"messages":[{"role":"assistant","content":[{"type":"tool_use"}]}]}"#,
                "Amp thread",
            ),
            (r#"{"executionId":"e","chat":[{"role":"human","content":"x"}]}"#, "Kiro chat"),
            (r#"{"conversation_id":"c","history":[{"user":{},"assistant":{}}]}"#, "Kiro conversation"),
            (r#"{"sessionId":"s","workspaceDirectory":"/w","history":[]}"#, "Continue session"),
            (r#"[{"title":"t","mapping":{},"current_node":"n"}]"#, "ChatGPT export"),
            (r#"[{"uuid":"u","name":"n","chat_messages":[]}]"#, "claude.ai export"),
            ("{\"type\":\"session_start\",\"id\":\"s\"}\n{\"type\":\"message\"}", "Factory droid session"),
            (
                "{\"role\":\"user\",\"message\":{\"content\":[]}}\n{\"role\":\"assistant\",\"message\":{\"content\":[]}}",
                "Cursor transcript",
            ),
            (
                "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n{\"type\":\"assistant\"}",
                "Claude Code's stream-json output",
            ),
            (
                "{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n{\"type\":\"turn.started\"}",
                "codex exec's JSON output",
            ),
            ("\n# aider chat started at 2026-01-01 10:00:00\n\n#### fix it\n", "Aider chat history"),
        ];
        for (text, name) in cases {
            let error = detect(text).unwrap_err();
            assert_eq!(error.kind(), ErrorCode::UnsupportedFormat, "{text}: {error}");
            assert!(error.message().starts_with(&format!("this looks like {name} (")), "{text}: {error}");
        }
    }
}
