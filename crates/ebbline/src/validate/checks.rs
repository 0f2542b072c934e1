//! What the checks of a conversation work on.

use super::violation::Violation;
use crate::rules::{Rule, Rules};
use crate::transcript::{Message, Part, PartKind, Transcript};

/// The messages that the agent would send now.
pub(super) struct Active<'t> {
    pub(super) transcript: &'t Transcript,
    /// Their indices in the transcript, in order.
    pub(super) indices: Vec<usize>,
}

impl<'t> Active<'t> {
    pub(super) fn of(transcript: &'t Transcript) -> Self {
        let messages = transcript.messages().iter().enumerate();
        let indices = messages.filter(|(_, message)| message.active).map(|(index, _)| index).collect();
        Self { transcript, indices }
    }

    /// Each message with its index and parts.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, &'t Message, &'t [Part])> + '_ {
        self.indices.iter().filter_map(|index| {
            let message = self.transcript.messages().get(*index)?;
            Some((*index, message, self.transcript.parts_of(*index)))
        })
    }

    pub(super) fn last(&self) -> Option<usize> {
        self.indices.last().copied()
    }

    pub(super) fn position(&self, message: usize) -> usize {
        self.indices.binary_search(&message).unwrap_or(usize::MAX)
    }

    /// ` of bash`, or nothing when the tool is not known.
    pub(super) fn of_tool(&self, part: &Part) -> String {
        let name = part.tool.and_then(|tool| self.transcript.tool_name(tool));
        name.map_or_else(String::new, |name| format!(" of {name}"))
    }
}

/// The transcript, the rules, and the violations found so far.
pub(super) struct Checks<'t> {
    pub(super) active: Active<'t>,
    pub(super) rules: &'t Rules,
    pub(super) found: Vec<Violation>,
}

impl Checks<'_> {
    /// Reports a violation, if its rule is one of those that are checked.
    pub(super) fn report(
        &mut self,
        rule: Rule,
        message: usize,
        part: Option<usize>,
        text: impl Into<String>,
    ) {
        if self.rules.checks(rule) {
            self.found.push(Violation { message, part, rule, text: text.into(), place: None });
        }
    }
}

/// Whether a part (an image or a file) is inside the result of a call.
pub(super) fn is_inside_result(part: &Part) -> bool {
    part.call.is_some() && !matches!(part.kind, PartKind::ToolCall | PartKind::ToolResult)
}
