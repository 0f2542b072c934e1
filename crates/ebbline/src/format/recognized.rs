//! Formats that are recognized but cannot be read: an error that names the format helps more than a guess.

use super::Format;
use super::signs::{LOOKED_AT, has, is};
use super::source::Source;
use crate::error::{Error, ErrorCode};
use crate::json::{Text, Value};

/// A format, the evidence in words, and the test.
struct Recognized {
    name: &'static str,
    sign: &'static str,
    /// Whether a document, a line or a message shows the format.
    shows: fn(Value<'_>) -> bool,
}

/// What one value shows: a document, a line of JSON Lines, or an element of a list.
const DOCUMENTS: &[Recognized] = &[
    Recognized {
        name: "OpenAI Agents RunState",
        sign: "$schemaVersion, original_input and model_responses",
        shows: |root| {
            has(root, &["$schemaVersion"])
                && has_one(root, &["original_input", "originalInput"])
                && has_one(root, &["model_responses", "modelResponses"])
        },
    },
    Recognized {
        name: "Kiro chat",
        sign: "executionId and chat",
        shows: |root| has(root, &["executionId", "chat"]),
    },
    Recognized {
        name: "Kiro conversation",
        sign: "conversation_id and a history of user and assistant",
        shows: |root| {
            let is_turn = |turn: Value<'_>| has(turn, &["user", "assistant"]) || turn.is_array();
            has(root, &["conversation_id"]) && root.elements_of("history").any(is_turn)
        },
    },
    Recognized {
        name: "OpenClaw's archive of a cold session",
        sign: "lines of kind event with a row of event_json",
        shows: |line| {
            is(line, "kind", "event") && line.get("row").is_some_and(|row| has(row, &["event_json"]))
        },
    },
    Recognized {
        name: "Continue session",
        sign: "workspaceDirectory and history, which Kiro writes, too",
        shows: |root| has(root, &["workspaceDirectory", "history"]),
    },
    Recognized {
        name: "ChatGPT export",
        sign: "conversations with a mapping",
        shows: |root| has(root, &["mapping", "current_node"]),
    },
    Recognized {
        name: "claude.ai export",
        sign: "conversations with chat_messages",
        shows: |root| has(root, &["uuid", "chat_messages"]),
    },
    Recognized {
        name: "Google ADK evaluation",
        sign: "eval_cases",
        shows: |root| has_one(root, &["eval_cases", "evalCases"]),
    },
    Recognized {
        name: "OpenAI list of a thread",
        sign: "object list with data of messages",
        shows: |root| {
            let is_message = |item| is(item, "object", "thread.message");
            is(root, "object", "list") && root.elements_of("data").any(is_message)
        },
    },
    Recognized {
        name: "Claude Code's stream-json output",
        sign: "a line of type system and subtype init with a session_id",
        shows: |line| is(line, "type", "system") && is(line, "subtype", "init") && has(line, &["session_id"]),
    },
    Recognized {
        name: "codex exec's JSON output",
        sign: "a line of type thread.started",
        shows: |line| is(line, "type", "thread.started"),
    },
    Recognized {
        name: "Kimi CLI's wire log",
        sign: "lines with a message of type and payload",
        shows: |line| {
            has(line, &["timestamp"])
                && line.get("message").is_some_and(|message| has(message, &["type", "payload"]))
        },
    },
];

/// What a message shows: in a list, in the member `messages` of an object, or on a line.
const MESSAGES: &[Recognized] = &[
    Recognized {
        name: "gptme conversation",
        sign: "results with a call_id, or prompts that are pinned",
        shows: |message| {
            has(message, &["role", "content", "timestamp"])
                && !has(message, &["tool_call_id"])
                && (has(message, &["call_id"])
                    || (is(message, "role", "system") && has_one(message, &["pinned", "hide"])))
        },
    },
    Recognized {
        name: "AutoGen messages",
        sign: "what a team said: a source and a type of message or event",
        shows: |message| {
            let is_said = |kind: &str| kind.ends_with("Event") || kind == "TextMessage";
            message.text_of("type").map(Text::decode).is_some_and(|kind| is_said(&kind))
                && has(message, &["source", "content"])
        },
    },
    Recognized {
        name: "LLaMA-Factory data",
        sign: "blocks of type and value",
        shows: |message| {
            has(message, &["role"])
                && message.elements_of("content").any(|block| {
                    // Other formats have other types with a value: `non_standard` of LangChain.
                    let is_one = |kind: Text<'_>| {
                        ["text", "tool_call", "reasoning"].iter().any(|known| kind.is(known))
                    };
                    block.text_of("type").is_some_and(is_one) && has(block, &["value"])
                })
        },
    },
    Recognized {
        name: "LlamaIndex messages",
        sign: "blocks with a block_type",
        shows: |message| message.elements_of("blocks").any(|block| has(block, &["block_type"])),
    },
    Recognized {
        name: "VS Code Copilot Chat requests",
        sign: "requestId with a message and a response",
        shows: |request| has(request, &["requestId", "message", "response"]),
    },
    Recognized {
        name: "what Cline shows (its ui_messages.json; the session is the file api_conversation_history.json beside it)",
        sign: "say and ask",
        shows: |message| {
            has(message, &["ts", "type"]) && (is(message, "type", "say") || is(message, "type", "ask"))
        },
    },
];

fn has_one(value: Value<'_>, keys: &[&str]) -> bool {
    keys.iter().any(|key| has(value, &[key]))
}

/// The error for a source in a recognized format that cannot be read; `None` for an unknown format.
pub(super) fn refusal(source: &Source<'_>) -> Option<Error> {
    // A file that has only begun is one line; its own entries may stand in a list, too.
    let values: Vec<_> = source.values().take(LOOKED_AT).collect();
    let list: Vec<_> = source.list().into_iter().take(LOOKED_AT).collect();
    let shown = |format: &&Recognized| values.iter().chain(&list).any(|value| (format.shows)(*value));
    let found = DOCUMENTS.iter().find(shown).or_else(|| MESSAGES.iter().find(shown))?;
    Some(unsupported(found.name, found.sign).located(source.text, source.first_byte()))
}

/// The error for a text that is not JSON but in a recognized format.
pub(super) fn text_refusal(text: &str) -> Option<Error> {
    // In a history of several chats, each chat begins with this line.
    let begins = |words: &str| text.lines().any(|line| line.starts_with(words));
    let (name, sign) = if begins("# aider chat started at ") {
        ("Aider chat history", "# aider chat started at")
    } else if begins("TO LLM ") && begins("LLM RESPONSE ") {
        ("Aider's log of its model", "TO LLM and LLM RESPONSE")
    } else if begins("user:") && begins("<user_query>") {
        ("Cursor transcript", "user: and <user_query>")
    } else {
        return None;
    };
    Some(unsupported(name, sign).located(text, 0))
}

/// The error for a format that is recognized but cannot be read.
pub(super) fn unsupported(name: &str, evidence: &str) -> Error {
    let supported: Vec<_> = Format::ALL.iter().map(|format| format.title()).collect();
    let message = format!(
        "this looks like {name} ({evidence}), which is not read: {}; read are {}",
        CONVERT,
        supported.join(", ")
    );
    Error::new(ErrorCode::UnsupportedFormat, message)
}

/// What to do with messages of an unknown shape.
pub(super) const CONVERT: &str =
    "convert it to OpenAI Chat as https://github.com/ebbline/ebbline/blob/main/docs/convert.md shows";

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
            (r#"{"executionId":"e","chat":[{"role":"human","content":"x"}]}"#, "Kiro chat"),
            (r#"{"conversation_id":"c","history":[{"user":{},"assistant":{}}]}"#, "Kiro conversation"),
            (
                r#"{"kind":"event","row":{"seq":0,"event_json":"{}","created_at":1}}"#,
                "OpenClaw's archive of a cold session",
            ),
            (r#"{"sessionId":"s","workspaceDirectory":"/w","history":[]}"#, "Continue session"),
            (r#"[{"title":"t","mapping":{},"current_node":"n"}]"#, "ChatGPT export"),
            (r#"[{"uuid":"u","name":"n","chat_messages":[]}]"#, "claude.ai export"),
            (
                "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n{\"type\":\"assistant\"}",
                "Claude Code's stream-json output",
            ),
            (
                "{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n{\"type\":\"turn.started\"}",
                "codex exec's JSON output",
            ),
            (r#"[{"type":"TextMessage","source":"user","content":"x"}]"#, "AutoGen messages"),
            (
                r#"{"object":"list","data":[{"object":"thread.message","role":"user","content":[]}]}"#,
                "OpenAI list",
            ),
            (
                "{\"role\":\"user\",\"content\":\"x\",\"timestamp\":\"t\"}\n{\"role\":\"system\",\"content\":\"y\",\"timestamp\":\"t\",\"call_id\":\"c\"}",
                "gptme conversation",
            ),
            (
                "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"value\":\"x\"}]}]}\n{\"messages\":[{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_call\",\"value\":\"{}\"}]}]}",
                "LLaMA-Factory data",
            ),
            (
                r#"[{"role":"user","additional_kwargs":{},"blocks":[{"block_type":"text","text":"x"}]}]"#,
                "LlamaIndex",
            ),
            (r#"[{"ts":1,"type":"say","say":"text","text":"x"}]"#, "what Cline shows"),
            ("\n# aider chat started at 2026-01-01 10:00:00\n\n#### fix it\n", "Aider chat history"),
        ];
        for (text, name) in cases {
            let error = detect(text).unwrap_err();
            assert_eq!(error.kind(), ErrorCode::UnsupportedFormat, "{text}: {error}");
            assert!(error.message().starts_with(&format!("this looks like {name}")), "{text}: {error}");
            assert!(error.message().contains("docs/convert.md"), "{error}");
        }
    }
}
