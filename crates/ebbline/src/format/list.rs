//! Telling lists of messages apart (formats.md, section 1, C).

use super::Format;
use super::detect::{Detection, LOOKED_AT, has, is, is_event};
use super::opencode;
use crate::json::{Text, Value};

/// The first messages of a list.
struct List<'d> {
    messages: Vec<Value<'d>>,
}

impl<'d> List<'d> {
    fn any(&self, test: impl Fn(Value<'d>) -> bool) -> bool {
        self.messages.iter().any(|message| test(*message))
    }

    /// Whether a message has one of these roles.
    fn role(&self, names: &[&str]) -> bool {
        self.any(|message| names.iter().any(|name| is(message, "role", name)))
    }

    /// Whether a message's own type is one of these.
    fn kind(&self, names: &[&str]) -> bool {
        self.any(|message| names.iter().any(|name| is(message, "type", name)))
    }

    /// Whether a block of a message's content is of one of these types.
    fn block(&self, names: &[&str]) -> bool {
        self.any(|message| {
            message.elements_of("content").any(|block| names.iter().any(|name| is(block, "type", name)))
        })
    }

    /// Whether a block of this type has this member.
    fn block_with(&self, name: &str, key: &str) -> bool {
        self.any(|message| {
            message.elements_of("content").any(|block| is(block, "type", name) && has(block, &[key]))
        })
    }

    fn with(&self, keys: &[&str]) -> bool {
        self.any(|message| has(message, keys))
    }

    fn is_pydantic(&self) -> bool {
        self.any(|message| {
            has(message, &["parts"]) && (is(message, "kind", "request") || is(message, "kind", "response"))
        })
    }
}

/// A format, the sign of it in words, and the test.
type Sign = (Format, &'static str, fn(&List<'_>) -> bool);

/// The most specific sign first: the order decides where formats share a trait.
const SIGNS: &[Sign] = &[
    (Format::Langchain, "lc", |list| list.with(&["lc"])),
    (Format::Langchain, "type and data.content", |list| {
        list.any(|message| {
            has(message, &["type"]) && message.get("data").is_some_and(|data| has(data, &["content"]))
        })
    }),
    (Format::Langchain, "messages of type human and ai", |list| {
        list.any(|message| {
            ["human", "ai", "AIMessageChunk"].iter().any(|name| is(message, "type", name))
                && has(message, &["content"])
        }) || list.with(&["kwargs", "id"])
    }),
    (Format::Tunacode, "kind request and response among thoughts and plain messages", |list| {
        list.is_pydantic() && (list.with(&["thought"]) || list.with(&["role"]))
    }),
    (Format::PydanticAi, "kind request and response with parts", |list| list.is_pydantic()),
    (Format::Opencode, "info and parts", |list| list.with(&["info", "parts"])),
    (Format::Opencode, "rows of messages and parts", |list| list.any(opencode::is_row)),
    (Format::Opencode, "messages with a type and content", |list| list.any(opencode::is_newer)),
    (Format::Openhands, "action, observation or kind of event with source", |list| list.any(is_event)),
    (Format::Atif, "step_id and source", |list| list.with(&["step_id", "source"])),
    (Format::VercelUi, "role and parts with a type", |list| {
        list.any(|message| {
            has(message, &["role"]) && message.elements_of("parts").any(|part| part.get("type").is_some())
        })
    }),
    (Format::VercelUi, "role and toolInvocations", |list| list.with(&["role", "toolInvocations"])),
    (Format::GeminiContents, "role and parts without a type", |list| list.with(&["role", "parts"])),
    (Format::GeminiContents, "parts of text or functionCall", |list| {
        let keys = ["text", "functionCall", "functionResponse", "function_call", "function_response"];
        list.any(|message| {
            message.elements_of("parts").any(|part| keys.iter().any(|key| part.get(key).is_some()))
        })
    }),
    (Format::Tinyagent, "role tool_result or block tool_call", |list| {
        list.role(&["tool_result"]) || list.block(&["tool_call"])
    }),
    // A summary may have taken the place of all calls.
    (Format::Tinyagent, "compaction_summary", |list| list.with(&["role", "compaction_summary"])),
    (Format::Pi, "role toolResult or block toolCall", |list| {
        list.role(&["toolResult", "bashExecution", "compactionSummary"]) || list.block(&["toolCall"])
    }),
    (Format::OpenaiResponses, "Responses items", |list| {
        let items = ["function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"];
        list.kind(&items)
            || list.kind(&["reasoning", "item_reference"])
            || list.block(&["input_text", "output_text"])
    }),
    (Format::VercelModel, "blocks tool-call and tool-result", |list| {
        list.block(&["tool-call", "tool-result"])
    }),
    // Without calls, it is the data of images and files that tells them from OpenAI's.
    (Format::VercelModel, "blocks with image, data or providerOptions", |list| {
        list.block_with("image", "image")
            || list.block_with("file", "data")
            || ["text", "reasoning"].iter().any(|name| list.block_with(name, "providerOptions"))
    }),
    (Format::AnthropicMessages, "blocks tool_use and tool_result", |list| {
        !list.role(&["tool"])
            && list.block(&[
                "tool_use",
                "tool_result",
                "server_tool_use",
                "mcp_tool_use",
                "compaction",
                "redacted_thinking",
            ])
    }),
    (Format::AnthropicMessages, "blocks of text with citations", |list| {
        !list.role(&["tool"]) && list.block_with("text", "citations")
    }),
    // Tools that are called in words leave no other sign: Roo, older Cline.
    (Format::AnthropicMessages, "images or documents with a source", |list| {
        !list.role(&["tool"])
            && list.any(|message| {
                let is_media = |block| is(block, "type", "image") || is(block, "type", "document");
                message.elements_of("content").any(|block| is_media(block) && has(block, &["source"]))
            })
    }),
    (Format::OpenaiChat, "role tool, tool_calls", |list| list.role(&["tool"]) || list.with(&["tool_calls"])),
];

/// Finds out the format of a list of messages; `place` says in words where they stand.
pub(super) fn classify_list<'d>(messages: impl Iterator<Item = Value<'d>>, place: &str) -> Option<Detection> {
    let mut messages = messages.take(LOOKED_AT + 1).collect::<Vec<_>>();
    let first = if messages.len() > LOOKED_AT { "the first " } else { "" };
    messages.truncate(LOOKED_AT);
    let list = List { messages };
    let count = list.messages.len();
    let noun = if count == 1 { "message" } else { "messages" };
    let evidence = |sign: &str| format!("{first}{count} {noun} {place}: {sign}");
    if list.messages.is_empty() {
        return None;
    }
    if let Some((format, sign, _)) = SIGNS.iter().find(|(_, _, shows)| shows(&list)) {
        return Some(Detection::new(*format, evidence(sign)));
    }
    // Several formats spell what is left the same way.
    if list.block(&["thinking"]) {
        let found = Detection::new(Format::AnthropicMessages, evidence("blocks thinking"));
        return Some(Detection { certain: false, ..found });
    }
    let known = |message: &Value<'_>| {
        let role = message.text_of("role").map(Text::decode);
        let has_role =
            matches!(role.as_deref(), Some("user" | "assistant" | "system" | "developer" | "function"));
        has_role && !message.get("content").is_some_and(|content| content.is_object())
    };
    let found = Detection::new(Format::OpenaiChat, evidence("plain chat"));
    list.messages.iter().all(known).then_some(Detection { certain: false, ..found })
}
