//! Where a summary goes in a session, and how it is written there.

use super::signs::LOOKED_AT;
use super::summary::Summary;
use crate::edit::Edit;
use crate::error::{Error, ErrorCode};
use crate::json::quote;
use crate::plan::{Fate, MessagePlan};
use crate::transcript::PartKind;

/// Where a summary goes. The reader determines it for each file, because files of one format differ.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SummaryPlacement {
    /// The session has no place for a summary.
    None,
    /// The same, with the reason: files of another agent may be of the same format.
    Refused(&'static str),
    /// In the list of messages, in place of the summarized messages.
    List(&'static ListSummary),
    /// Where the format's own agent records its summaries.
    Record(&'static SummaryRecord),
}

/// How a format writes a summary as a message of the list.
#[derive(Debug)]
pub(crate) struct ListSummary {
    /// The message.
    pub(crate) message: fn(&Summary<'_>) -> String,
    /// Members of a text block by which the format is recognized. They are written if no other message shows the
    /// format any more.
    pub(crate) sign: Option<&'static str>,
    /// Whether the provider's server can drop messages because of its own compaction.
    pub(crate) is_compacted_by_server: bool,
    /// The roles that the message may have.
    pub(crate) roles: &'static [&'static str],
    /// A message in which the model says [`ACKNOWLEDGED`](super::summary::ACKNOWLEDGED), between a summary and a message of the user; `None` if the format
    /// has none.
    pub(crate) answer: Option<&'static str>,
    /// Whether the provider demands this answer; otherwise the caller may want it.
    pub(crate) alternates: bool,
}

/// How a format's own agent records a summary.
#[derive(Debug)]
pub(crate) struct SummaryRecord {
    pub(crate) write: fn(&Summary<'_>) -> Result<Vec<Edit>, Error>,
    pub(crate) old: OldMessages,
}

/// What happens to the messages of the file when a summary is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OldMessages {
    /// All of them stay in the file unchanged.
    Stay,
    /// The summarized messages are removed from the file.
    Leave,
    /// The kept messages are written again at the end; everything before no longer counts.
    AreRewritten,
}

impl SummaryPlacement {
    /// Whether the summarized messages leave the file.
    pub(crate) fn removes(self) -> bool {
        match self {
            Self::None | Self::Refused(_) => false,
            Self::List(_) => true,
            Self::Record(record) => record.old == OldMessages::Leave,
        }
    }

    /// Whether the kept messages are written again at the end of the file.
    pub(crate) fn rewrites(self) -> bool {
        matches!(self, Self::Record(record) if record.old == OldMessages::AreRewritten)
    }

    /// The roles that a summary may have, and whether the model can answer it.
    pub(crate) fn voices(self) -> (&'static [&'static str], bool) {
        match self {
            Self::List(list) => (list.roles, list.answer.is_some()),
            _ => (USER, false),
        }
    }

    /// Whether the provider's server can drop messages because of its own compaction.
    pub(super) fn is_compacted_by_server(self) -> bool {
        matches!(self, Self::List(list) if list.is_compacted_by_server)
    }

    /// The edits that record `summary`.
    ///
    /// # Errors
    ///
    /// `no_place_for_summary` if the session has no place for one; those of the format's writer.
    pub(crate) fn summarize(self, summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
        match self {
            Self::Refused(why) => Err(Error::new(ErrorCode::NoPlaceForSummary, why)),
            Self::None => Err(Error::new(
                ErrorCode::NoPlaceForSummary,
                format!("{} has no place for a summary", summary.session.format),
            )),
            Self::List(list) => {
                let is_wanted = list.alternates || summary.telling.is_answered;
                let answer = list.answer.filter(|_| is_wanted && summary.is_in_a_row());
                let summary = &Summary { is_answered: answer.is_some(), ..*summary };
                let mut message = list.shown(summary).unwrap_or_else(|| (list.message)(summary));
                if let Some(answer) = answer {
                    message.push_str(summary.separator());
                    message.push_str(answer);
                }
                Ok(summary.replace_messages(&message))
            }
            Self::Record(record) => (record.write)(summary),
        }
    }
}

const USER: &[&str] = &["user"];

impl ListSummary {
    /// A message of the user, by which the format need not be recognized.
    pub(super) const fn of(message: fn(&Summary<'_>) -> String) -> Self {
        Self {
            message,
            sign: None,
            is_compacted_by_server: false,
            roles: USER,
            answer: None,
            alternates: false,
        }
    }

    /// The summary's message with members that show the format; `None` if it shows the format anyway, or if a kept
    /// message does.
    ///
    /// Some formats differ from plain chat only in their calls and results. If the summary replaces the last of
    /// these, the list would be detected as another format.
    fn shown(&self, summary: &Summary<'_>) -> Option<String> {
        let sign = self.sign?;
        let stays = |message: &&MessagePlan| message.fate != Fate::Summarized;
        let mut kept = summary.plan.messages.iter().filter(stays).take(LOOKED_AT - 1);
        if kept.any(shows_a_tool) {
            return None;
        }
        let text = quote(&summary.marked());
        Some(format!(r#"{{"role":"user","content":[{{"type":"text","text":{text},{sign}}}]}}"#))
    }
}

fn shows_a_tool(message: &MessagePlan) -> bool {
    message.parts.iter().any(|part| matches!(part.kind, PartKind::ToolCall | PartKind::ToolResult))
}

#[cfg(test)]
mod tests {
    use super::super::carried_out::{read, summarized};
    use crate::format::Format;

    #[test]
    fn a_summary_shows_the_format_unless_a_kept_call_does() {
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
            let alone = summarized(text, 1, "So far.");
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
            let beside = summarized(text, 10, "So far.");
            assert!(!beside.contains(sign), "{beside}");
            assert_eq!(read(&beside).format(), format, "{beside}");
        }
    }
}
