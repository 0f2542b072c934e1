//! Attachments: texts that the agent sends between the messages.
//!
//! An `attachment` line is not a message of the file, but most attachments are sent as the user's text (Claude Code
//! 2.1.100 and 2.1.330). Texts that depend only on the attachment's type are short and differ between versions, so
//! they are skipped.

use crate::format::recorder::Recorder;
use crate::json::{Text, Value};
use crate::transcript::{Message, PartKind};

/// The types of attachments and the path to their text. For an array, every element counts.
const TEXTS: &[(&str, &[&str])] = &[
    ("agent_listing_delta", &["addedLines"]),
    ("critical_system_reminder", &["content"]),
    ("deferred_tools_delta", &["addedLines"]),
    ("directory", &["content"]),
    ("edited_text_file", &["snippet"]),
    ("file", &["content", "file", "content"]),
    ("hook_additional_context", &["content"]),
    ("hook_blocking_error", &["blockingError", "blockingError"]),
    ("hook_success", &["content"]),
    ("invoked_skills", &["skills", "content"]),
    ("mcp_instructions_delta", &["addedBlocks"]),
    ("mcp_resource", &["content", "contents", "text"]),
    ("nested_memory", &["content", "content"]),
    ("plan_file_reference", &["planContent"]),
    ("relevant_memories", &["memories", "content"]),
    ("selected_lines_in_ide", &["content"]),
    ("skill_listing", &["content"]),
    ("task_reminder", &["content", "subject"]),
    ("todo_reminder", &["content", "content"]),
];

/// Records what `line` adds to the context, as a message that is not one of the file's.
pub(super) fn read(line: Value<'_>, recorder: &mut Recorder) {
    let Some(attachment) = line.get("attachment") else {
        // A system line with the output of a command.
        return add(Message::context(), line, &texts_at(line, &["content"]), recorder);
    };
    let kind = attachment.text_of("type").map(Text::decode).unwrap_or_default();
    if kind == "queued_command" {
        let prompt = attachment.get("prompt");
        let blocks = prompt.into_iter().flat_map(Value::elements).filter_map(|block| block.text_of("text"));
        let texts: Vec<_> = prompt.and_then(Value::text).into_iter().chain(blocks).collect();
        // Typed by the user while the model was busy; other origins are the agent's own.
        let is_typed = attachment.present("origin").is_none()
            && !attachment.get("isMeta").is_some_and(Value::is_truthy)
            && !attachment.text_of("commandMode").is_some_and(|mode| mode.is("task-notification"));
        let message = if is_typed { Message::person() } else { Message::context() };
        return add(message, line, &texts, recorder);
    }
    // The success of other hooks is shown to the user but not sent.
    let event = attachment.text_of("hookEvent").map(Text::decode).unwrap_or_default();
    if kind == "hook_success" && !matches!(event.as_ref(), "SessionStart" | "UserPromptSubmit") {
        return;
    }
    let Some((_, path)) = TEXTS.iter().find(|(name, _)| *name == kind) else { return };
    add(Message::context(), line, &texts_at(attachment, path), recorder);
}

fn add(message: Message, line: Value<'_>, texts: &[Text<'_>], recorder: &mut Recorder) {
    if !texts.is_empty() {
        recorder.begin_unlisted(message, line.span());
        for text in texts {
            recorder.text(PartKind::Text, Some(*text));
        }
    }
}

/// The texts at the end of `path`.
fn texts_at<'d>(value: Value<'d>, path: &[&str]) -> Vec<Text<'d>> {
    let Some((key, rest)) = path.split_first() else { return value.text().into_iter().collect() };
    let Some(inner) = value.get(key) else { return Vec::new() };
    if inner.is_array() {
        inner.elements().flat_map(|element| texts_at(element, rest)).collect()
    } else {
        texts_at(inner, rest)
    }
}
