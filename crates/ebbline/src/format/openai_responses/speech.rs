//! User messages that the user did not write: summaries, and Codex's notes about itself.

use crate::injection::leading;
use crate::json::{Text, Value};

/// The text in front of a summary that Codex wrote (codex-rs, `templates/compact/summary_prefix.md`).
pub(in crate::format) const BRIDGE: &str = "Another language model started to solve this problem and produced a \
    summary of its thinking process. You also have access to the state of the tools that were used by that language \
    model. Use this to build on the work that has already been done and avoid duplicating work. Here is the summary \
    produced by the other language model, use the information in this summary to assist with your own analysis:";

/// The beginnings of messages in which Codex tells the model how to work, where it runs and what has happened
/// meanwhile; case is ignored.
const CONTEXTUAL: &[&str] = &[
    "# agents.md instructions for ",
    "<environment_context>",
    "<user_instructions>",
    "<skill>",
    "<user_shell_command>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<hook_prompt",
];

/// The part of [`BRIDGE`] that is the same in all versions.
pub(in crate::format) const BRIDGE_BEGINS: &str = "Another language model started to solve this problem";

/// Who speaks in a message that has the user's role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// A person.
    Person,
    /// The application. Codex does not count such messages as turns.
    Application,
    /// Both: the message is no turn of Codex's, but the other texts are the person's.
    Both,
}

/// Who wrote a user message with this content, by the beginnings of its texts.
pub(super) fn voice_of(content: Option<Value<'_>>) -> Voice {
    let (mut is_persons, mut is_applications) = (false, false);
    for text in texts(content) {
        let is_contextual = is_contextual(text);
        is_applications |= is_contextual;
        is_persons |= !is_contextual && !text.is_blank();
    }
    match (is_applications, is_persons) {
        (false, _) => Voice::Person,
        (true, false) => Voice::Application,
        (true, true) => Voice::Both,
    }
}

pub(super) fn is_contextual(text: Text<'_>) -> bool {
    let text = text.decode();
    let begun = text.trim_start_matches([' ', '\t', '\r', '\n']).as_bytes();
    let begins = CONTEXTUAL
        .iter()
        .any(|name| begun.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes())));
    // Behind the block may stand what the user says.
    begins && [0, text.len()].contains(&leading(&text))
}

fn texts(content: Option<Value<'_>>) -> impl Iterator<Item = Text<'_>> {
    let blocks = content.into_iter().flat_map(Value::elements);
    content.and_then(Value::text).into_iter().chain(blocks.filter_map(|block| block.text_of("text")))
}
