//! The result of reading a text: the transcript, and where everything is in the text.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::Format;
use super::marker::Marker;
use super::pieces::{self, Pieces};
use super::placement::SummaryPlacement;
use super::slot::Slot;
use super::tree::Entry;
use crate::error::Error;
use crate::marks;
use crate::plan::{PartPlan, Plan};
use crate::transcript::Transcript;

/// How to read a text.
///
/// # Example
///
/// ```
/// use ebbline::{Format, ReadOptions};
/// let options = ReadOptions::new().format(Format::Tunacode).strict(true);
/// assert_eq!(options.format, Some(Format::Tunacode));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The format to read; `None` to detect it.
    pub format: Option<Format>,
    /// A placeholder that marks an output as already pruned, in addition to those of the known systems.
    pub placeholder: Option<String>,
    /// Whether to refuse messages that the format's own system refuses to load. TunaCode 0.2 and TinyAgent validate
    /// every field; by default, invalid messages are read as far as possible.
    pub strict: bool,
    /// Which conversation of a container is the session, counted from 0; `None` for the first. The others are read
    /// but inactive.
    pub conversation: Option<usize>,
}

impl ReadOptions {
    /// Nothing asked for.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::ReadOptions::new().format, None);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with [`ReadOptions::format`] set.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{Format, ReadOptions};
    /// assert_eq!(ReadOptions::new().format(Format::Pi).format, Some(Format::Pi));
    /// ```
    #[must_use]
    pub fn format(self, format: impl Into<Option<Format>>) -> Self {
        Self { format: format.into(), ..self }
    }

    /// The same with [`ReadOptions::placeholder`] set.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::ReadOptions::new().placeholder("(gone)").placeholder.is_some());
    /// ```
    #[must_use]
    pub fn placeholder(self, placeholder: impl Into<String>) -> Self {
        Self { placeholder: Some(placeholder.into()), ..self }
    }

    /// The same with [`ReadOptions::strict`] set.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::ReadOptions::new().strict(true).strict);
    /// ```
    #[must_use]
    pub fn strict(self, strict: bool) -> Self {
        Self { strict, ..self }
    }

    /// The same with [`ReadOptions::conversation`] set.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::ReadOptions::new().conversation(3).conversation, Some(3));
    /// ```
    #[must_use]
    pub fn conversation(self, conversation: impl Into<Option<usize>>) -> Self {
        Self { conversation: conversation.into(), ..self }
    }
}

/// What a reader found in a text. It contains no text.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) format: Format,
    pub(crate) evidence: String,
    pub(crate) transcript: Transcript,
    /// Whether each message is a line of the source.
    pub(crate) is_lines: bool,
    /// The range of each message; a marker's message has the range of the entry that it was made from.
    pub(crate) spans: Vec<Range<usize>>,
    /// Whether each message is one of the file's messages, not a marker or a separate system prompt.
    pub(crate) listed: Vec<bool>,
    /// Where outputs can be pruned, by part, in order of parts.
    pub(crate) slots: Vec<(usize, Slot)>,
    /// Copies of outputs that are in the file but not sent, by part, in order of parts.
    pub(crate) copies: Vec<(usize, Slot)>,
    pub(crate) markers: Vec<Marker>,
    /// Where the messages begin that are inactive for another reason than a compaction: those of a sub-agent, of
    /// another session, conversation or branch, and those that the user took back.
    pub(crate) beside: HashSet<usize>,
    /// Outputs that the agent pruned at a known time, by part: everything from this position of the source on was
    /// written later.
    pub(crate) pruned_from: Vec<(usize, usize)>,
    /// Summaries that say where the messages begin that they kept: where both begin in the source.
    pub(crate) kept_from: Vec<(usize, usize)>,
    /// The places of the parts' texts.
    pub(crate) pieces: Pieces,
    pub(crate) placement: SummaryPlacement,
    pub(crate) entries: Vec<Entry>,
    pub(crate) problems: Vec<Error>,
    /// Why the messages are not of the format that was asked for by its name.
    pub(crate) foreign: Option<Error>,
    pub(crate) newest_moment: u64,
    /// For each message its anchor: the part that is its first text or id. May be shorter than the messages.
    pub(crate) anchors: Vec<u32>,
}

impl Reading {
    /// The bytes of the source that message `index` comes from.
    pub(crate) fn span(&self, index: usize) -> Range<usize> {
        self.spans.get(index).cloned().unwrap_or(0..0)
    }

    /// The text of the part at `part`, read from the source.
    pub(crate) fn text_of<'s>(&self, source: &'s str, part: usize) -> Cow<'s, str> {
        self.pieces.text_of(source, part)
    }

    /// The text of a pruned output that the file still contains; `None` if it does not.
    pub(crate) fn text_before_pruning<'s>(&self, source: &'s str, part: usize) -> Option<Cow<'s, str>> {
        let first = self.copies.partition_point(|(of, _)| *of < part);
        let (of, slot) = self.copies.get(first)?;
        (*of == part).then(|| pieces::text_at(source, &slot.range()))
    }

    /// The anchor of message `index`: the id of its first call, or its first text that no user wrote. It
    /// proves a summary in front of the message.
    pub(crate) fn anchor_of<'s>(&self, source: &'s str, index: usize) -> Option<Cow<'s, str>> {
        let anchor = *self.anchors.get(index)? as usize;
        let part = self.transcript.parts().get(anchor)?;
        match part.call {
            Some(call) => {
                let id = self.transcript.call_id(call).filter(|id| marks::is_own(id));
                id.map(|id| Cow::Owned(id.to_owned()))
            }
            None => Some(self.text_of(source, anchor)),
        }
    }

    /// The plan of every part, by the part's index in the transcript.
    pub(crate) fn planned_parts<'p>(&self, plan: &'p Plan) -> Vec<Option<&'p PartPlan>> {
        let mut planned = vec![None; self.transcript.parts().len()];
        for (index, message) in plan.messages.iter().enumerate() {
            for (part, plan) in self.transcript.part_range(index).zip(&message.parts) {
                if let Some(slot) = planned.get_mut(part) {
                    *slot = Some(plan);
                }
            }
        }
        planned
    }
}
