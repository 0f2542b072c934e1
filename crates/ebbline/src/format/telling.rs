//! Summary messages that show their format by themselves.
//!
//! What tells Anthropic's messages, or those of the AI SDK, from plain chat is their calls and results. Where a summary
//! takes the place of the last of them, the summary has to show the format: the list would be taken for another one.

use super::detect::LOOKED_AT;
use super::summary::{Style, Summary};
use crate::json::quote;
use crate::plan::{Fate, MessagePlan};
use crate::transcript::PartKind;

/// Members of a text block that no other format has. Both are allowed and mean nothing: no sources are cited, and no
/// provider is called ebbline.
const CITATIONS: &str = r#""citations":null"#;
const OPTIONS: &str = r#""providerOptions":{"ebbline":{"summary":true}}"#;

/// The summary message that shows that it is of this style; `None` where every message of the style does, or where
/// another that stays does.
pub(super) fn message(style: Style, summary: &Summary<'_>) -> Option<String> {
    let sign = match style {
        Style::Anthropic => CITATIONS,
        Style::VercelModel => OPTIONS,
        _ => return None,
    };
    let stays = |message: &&MessagePlan| message.fate != Fate::Summarised;
    let mut kept = summary.plan.messages.iter().filter(stays).take(LOOKED_AT - 1);
    if kept.any(shows_a_tool) {
        return None;
    }
    let text = quote(&summary.marked());
    Some(format!(r#"{{"role":"user","content":[{{"type":"text","text":{text},{sign}}}]}}"#))
}

fn shows_a_tool(message: &MessagePlan) -> bool {
    message.parts.iter().any(|part| matches!(part.kind, PartKind::ToolCall | PartKind::ToolResult))
}

#[cfg(test)]
mod tests {
    use super::super::carried_out::{read, summarised};
    use crate::format::Format;

    #[test]
    fn a_summary_in_the_place_of_every_call_shows_the_format_and_one_beside_a_call_need_not() {
        let anthropic = concat!(
            r#"[{"role":"user","content":"one"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"ls","input":{}}]},"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"a b c d"}]},"#,
            r#"{"role":"assistant","content":"four"},{"role":"user","content":"five"}]"#
        );
        let model = concat!(
            r#"[{"role":"user","content":"one"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"t","toolName":"ls","input":{}}]},"#,
            r#"{"role":"tool","content":[{"type":"tool-result","toolCallId":"t","toolName":"ls","output":{"type":"text","value":"a b c d"}}]},"#,
            r#"{"role":"assistant","content":"four"},{"role":"user","content":"five"}]"#
        );
        for (text, format, sign) in [
            (anthropic, Format::AnthropicMessages, r#","citations":null"#),
            (model, Format::VercelModel, r#","providerOptions":{"ebbline":{"summary":true}}"#),
        ] {
            let alone = summarised(text, 1, "So far.");
            assert!(
                alone.starts_with(
                    r#"[{"role":"user","content":[{"type":"text","text":"[Compaction summary: "#
                ),
                "{alone}"
            );
            assert!(alone.contains(&format!(r#"So far."{sign}}}]}},"#)), "{alone}");
            let again = read(&alone);
            assert_eq!(again.format(), format, "{alone}");
            assert!(again.transcript().messages()[0].summary, "{alone}");
            let beside = summarised(text, 10, "So far.");
            assert!(beside.starts_with(r#"[{"role":"user","content":"[Compaction summary: "#), "{beside}");
            assert_eq!(read(&beside).format(), format, "{beside}");
        }
    }
}
