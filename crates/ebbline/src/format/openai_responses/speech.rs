//! What stands in the user's place without being a person's words: summaries, and what Codex says about itself.

use crate::format::LEAD;
use crate::json::{Text, Value};

/// The sentences in front of a summary that Codex wrote (codex-rs, `templates/compact/summary_prefix.md`).
pub(in crate::format) const BRIDGE: &str = "Another language model started to solve this problem and produced a \
    summary of its thinking process. You also have access to the state of the tools that were used by that language \
    model. Use this to build on the work that has already been done and avoid duplicating work. Here is the summary \
    produced by the other language model, use the information in this summary to assist with your own analysis:";

/// How much of [`BRIDGE`] is sure to be there: later words have changed between versions.
const BRIDGE_BEGINS: &str = "Another language model started to solve this problem";

/// How a message begins that Codex wrote in the user's place (formats.md, section 8); without regard to case.
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

/// Whether the content of a user's message is a summary, as Codex records it or as this engine does.
pub(super) fn is_summary(content: Option<Value<'_>>) -> bool {
    texts(content)
        .next()
        .is_some_and(|text| text.starts_with(BRIDGE_BEGINS) || text.starts_with(LEAD.trim_end()))
}

/// Whether Codex wrote a message in the user's place: one of its texts begins as such.
pub(super) fn is_contextual(content: Option<Value<'_>>) -> bool {
    texts(content).any(|text| {
        let text = text.decode();
        let begun = text.trim_start_matches([' ', '\t', '\r', '\n']).as_bytes();
        CONTEXTUAL
            .iter()
            .any(|tag| begun.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes())))
    })
}

fn texts(content: Option<Value<'_>>) -> impl Iterator<Item = Text<'_>> {
    let blocks = content.into_iter().flat_map(Value::elements);
    content.and_then(Value::text).into_iter().chain(blocks.filter_map(|block| block.text_of("text")))
}
