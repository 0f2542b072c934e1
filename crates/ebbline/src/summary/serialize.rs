//! The transcript of the messages to be summarized: each part is an entry with its text.

use std::borrow::Cow;
use std::collections::HashSet;

use super::escape::{QUOTED_BELOW, escaped, escaped_name, escaped_words};
use super::files::{FileLists, without_lists};
use super::original::Original;
use super::words::{LeftOut, Said, split};
use crate::blank::is_blank;
use crate::format::{Piece, PieceForm, PieceKind, without_lead};
use crate::injection::Speech;
use crate::json::Document;
use crate::marks;
use crate::plan::{Fate, Plan};
use crate::transcript::{Output, Part, PartKind, Role, Transcript, Turn};

/// What nobody said: the context that an agent added in the user's name.
const CONTEXT: &str = "[Context]: ";
/// The maximum number of characters of a tool's name.
const LONGEST_NAME: usize = 100;

/// Who speaks in an entry; this decides how much room it gets and when it is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    /// The user.
    User,
    /// Text that the application wrote in the user's name.
    Application,
    /// The model's answer.
    Assistant,
    /// The model's reasoning.
    Thinking,
    /// A tool call's arguments, or a command that the user ran.
    Arguments,
    /// The output of a tool or command.
    Result,
    /// An earlier summary in another place than the beginning, for example of another branch.
    EarlierSummary,
    /// Images, files and everything else.
    Other,
    /// The summary of the messages before; the request has a separate section for it.
    PreviousSummary,
    /// The user's request at the beginning of a turn that the boundary divides: its text has a separate section in
    /// the request, and only its label is in the transcript.
    TurnRequest,
}

/// One entry: a label such as `[User]: ` and a text that may be cut.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'s> {
    pub(crate) voice: Voice,
    pub(crate) label: String,
    pub(crate) text: Cow<'s, str>,
}

/// The material for a summary.
#[derive(Debug, Default)]
pub(crate) struct Material<'s> {
    /// The entries in the order in which the agent sent them.
    pub(crate) entries: Vec<Entry<'s>>,
    /// The files that were read and modified, including those that earlier summaries list.
    pub(crate) files: FileLists,
    /// Whether the boundary falls inside a turn.
    pub(crate) is_split: bool,
    /// The user's own words, including those that earlier summaries carry, oldest first.
    pub(crate) words: Vec<Said<'s>>,
    /// What earlier summaries left out of them.
    pub(crate) left_out: LeftOut,
}

/// Collects the messages that `plan` summarizes, with their texts.
pub(crate) fn collect<'s>(original: Original<'_, 's>, plan: &Plan, placeholder: &str) -> Material<'s> {
    let transcript = original.transcript;
    let summarized: Vec<usize> = (0..plan.messages.len())
        .filter(|index| plan.messages.get(*index).is_some_and(|message| message.fate == Fate::Summarized))
        .collect();
    let is_split = is_split(transcript, plan);
    let mut collector = Collector {
        original,
        plan,
        placeholder,
        failed: HashSet::new(),
        material: Material { is_split, ..Material::default() },
    };
    let request = summarized.iter().rev().copied().find(|index| is_split && collector.is_request(*index));
    for index in &summarized {
        for part in transcript.parts_of(*index) {
            if part.kind == PartKind::ToolResult && part.output.has_failed() {
                collector.failed.extend(part.call);
            }
        }
    }
    let mut has_previous = false;
    for index in summarized {
        if collector.is_summary(index) {
            let voice = if has_previous { Voice::EarlierSummary } else { Voice::PreviousSummary };
            has_previous |= collector.summary(index, voice);
        } else {
            collector.message(index, Some(index) == request);
        }
    }
    collector.material
}

/// Whether the first kept message continues a turn instead of beginning one.
fn is_split(transcript: &Transcript, plan: &Plan) -> bool {
    let messages = transcript.messages();
    plan.messages
        .iter()
        .zip(messages)
        .skip(plan.decision.retain.boundary.unwrap_or(messages.len()))
        .find(|(planned, message)| {
            planned.fate != Fate::Inactive && message.role != Role::System && message.turn != Turn::Context
        })
        .is_some_and(|(_, message)| message.turn == Turn::No)
}

struct Collector<'c, 's> {
    original: Original<'c, 's>,
    plan: &'c Plan,
    placeholder: &'c str,
    /// Calls whose result is an error: the files they name were neither read nor modified.
    failed: HashSet<u32>,
    material: Material<'s>,
}

impl<'s> Collector<'_, 's> {
    fn is_summary(&self, index: usize) -> bool {
        self.original.transcript.messages().get(index).is_some_and(|message| message.summary)
    }

    /// Whether the message can be the request that began a turn.
    fn is_request(&self, index: usize) -> bool {
        let messages = self.original.transcript.messages();
        messages.get(index).is_some_and(|message| message.turn == Turn::Person) && !self.is_summary(index)
    }

    /// The parts of a message. A user's text is not a result, even where a format calls it an observation, as
    /// SWE-agent does for the task.
    fn parts(&self, message: usize) -> impl Iterator<Item = (usize, Part)> {
        let transcript = self.original.transcript;
        let is_said = transcript.messages().get(message).is_some_and(|message| message.turn == Turn::Person);
        let as_said = move |part: &Part| match (part.kind, part.output, part.call) {
            (PartKind::ToolResult, Output::Sealed, None) if is_said => Part { kind: PartKind::Text, ..*part },
            _ => *part,
        };
        transcript.part_range(message).zip(transcript.parts_of(message).iter().map(as_said))
    }

    /// Adds a summary without its lists of files; returns whether the message contained one.
    fn summary(&mut self, index: usize, voice: Voice) -> bool {
        let is_text = |part: &Part| matches!(part.kind, PartKind::Text | PartKind::Summary);
        let texts: Vec<_> =
            self.parts(index).filter(|(_, part)| is_text(part)).map(|(at, _)| self.text(at)).collect();
        let whole = texts.join("\n\n");
        let whole = marks::without_lead(&whole);
        let whole = without_lead(whole);
        let (whole, words, left_out) = split(whole);
        let words = words.into_iter();
        self.material.words.extend(words.map(Said::into_owned));
        self.material.left_out.add(left_out);
        self.material.files.add_from_summary(whole);
        let text = without_lists(whole);
        let label = if voice == Voice::EarlierSummary { "[Earlier summary]: " } else { "" };
        let is_there = !text.is_empty();
        self.push(voice, label, Cow::Owned(text));
        is_there
    }

    fn message(&mut self, index: usize, is_request: bool) {
        let parts: Vec<_> = self.parts(index).collect();
        if is_request {
            let texts = parts.iter().filter(|(_, part)| part.kind == PartKind::Text);
            let texts: Vec<_> = texts.map(|(at, _)| self.own_words(*at)).collect();
            let said = texts.iter().filter(|text| !is_blank(text)).map(AsRef::as_ref);
            let text = said.collect::<Vec<_>>().join("\n");
            self.push(Voice::TurnRequest, &format!("[User]: {QUOTED_BELOW}"), Cow::Owned(text));
        }
        for (order, (at, part)) in parts.into_iter().enumerate() {
            if part.kind == PartKind::Text && is_request {
                continue;
            }
            self.part(index, order, at, part);
        }
    }

    fn part(&mut self, message: usize, order: usize, at: usize, part: Part) {
        let number = part.call.map(|call| format!(" {}", call + 1)).unwrap_or_default();
        match part.kind {
            PartKind::Text => {
                let (voice, label) = self.speaker(message, at);
                let text = if voice == Voice::User { self.own_words(at) } else { self.text(at) };
                self.push(voice, label, text);
            }
            PartKind::Thinking => self.push(Voice::Thinking, "[Assistant, thinking]: ", self.text(at)),
            PartKind::Summary => self.push(Voice::EarlierSummary, "[Earlier summary]: ", self.text(at)),
            PartKind::ToolCall => {
                let tool = part.tool.and_then(|tool| self.original.transcript.tool_name(tool)).unwrap_or("?");
                // A label is never cut, so its length must be limited.
                let shown: String = tool.chars().take(LONGEST_NAME).collect();
                let label = format!("[Tool call{number}]: {} ", escaped_name(&shown));
                if !part.call.is_some_and(|call| self.failed.contains(&call)) {
                    self.touched(tool, at);
                }
                let arguments = escaped(self.text(at), false);
                self.material.entries.push(Entry { voice: Voice::Arguments, label, text: arguments });
            }
            PartKind::ToolResult => {
                let failed = if part.output.has_failed() { ", failed" } else { "" };
                let planned = self.plan.messages.get(message).and_then(|message| message.parts.get(order));
                let is_cleared = planned.is_some_and(|part| part.pruned_first);
                let has_text = !self.original.pieces.of(at).is_empty();
                let text = if is_cleared || (part.output == Output::Pruned && !has_text) {
                    Cow::Owned(self.placeholder.to_owned())
                } else {
                    self.text(at)
                };
                self.push(Voice::Result, &format!("[Tool result{number}{failed}]: "), text);
            }
            // Text cannot reproduce an image or file, but can mention that it was there.
            PartKind::Image | PartKind::File => {
                let what = if part.kind == PartKind::Image { "[Image] " } else { "[File] " };
                let name = escaped(self.text(at), false);
                self.material.entries.push(Entry { voice: Voice::Other, label: what.to_owned(), text: name });
            }
            PartKind::Other => self.push(Voice::Other, "[Other]: ", self.text(at)),
        }
    }

    /// The speaker of a text, and its label.
    fn speaker(&self, message: usize, part: usize) -> (Voice, &'static str) {
        match self.original.pieces.of(part).first().map(|piece| piece.kind) {
            Some(PieceKind::Command) => return (Voice::Arguments, "[User ran]: "),
            Some(PieceKind::Printed) => return (Voice::Result, "[It printed]: "),
            Some(PieceKind::Added) => return (Voice::Application, CONTEXT),
            Some(PieceKind::Content) | None => {}
        }
        let Some(message) = self.original.transcript.messages().get(message) else {
            return (Voice::Other, "[Other]: ");
        };
        match message.role {
            Role::User if message.turn == Turn::Context => (Voice::Application, CONTEXT),
            Role::User if message.turn == Turn::Synthetic => (Voice::Application, "[Application]: "),
            Role::User => (Voice::User, "[User]: "),
            Role::Assistant => (Voice::Assistant, "[Assistant]: "),
            Role::Tool => (Voice::Result, "[Tool]: "),
            Role::System => (Voice::Application, "[System]: "),
            Role::Other => (Voice::Other, "[Other]: "),
        }
    }

    /// The user's own words in a text of the user; what an agent wrote around them becomes an entry of its own.
    fn own_words(&mut self, part: usize) -> Cow<'s, str> {
        let text = self.text(part);
        let is_added = |piece: &Piece| piece.kind == PieceKind::Added;
        let speech = match self.original.pieces.of(part).first() {
            Some(piece) if is_added(piece) => Speech { before: &text, own: "", after: "" },
            _ => Speech::of(&text),
        };
        let Speech { before, own, after } = speech;
        if own.len() == text.len() {
            return text;
        }
        for context in [before, after] {
            self.push(Voice::Application, CONTEXT, Cow::Owned(context.trim().to_owned()));
        }
        Cow::Owned(own.trim().to_owned())
    }

    /// Adds an entry unless it is empty.
    fn push(&mut self, voice: Voice, label: &str, text: Cow<'s, str>) {
        if !text.trim().is_empty() {
            if matches!(voice, Voice::User | Voice::TurnRequest) {
                self.material.words.push(Said::whole(text.clone()));
            }
            let text = match voice {
                Voice::User => escaped_words(text),
                // These have separate sections in the request, where they begin a line.
                Voice::PreviousSummary | Voice::TurnRequest => escaped(text, true),
                _ => escaped(text, false),
            };
            self.material.entries.push(Entry { voice, label: label.to_owned(), text });
        }
    }

    /// Records the files that the call at `part` names.
    fn touched(&mut self, tool: &str, part: usize) {
        let Some(piece) = self.original.pieces.of(part).first() else { return };
        if piece.form == PieceForm::Text {
            let text = self.original.source.get(piece.span()).unwrap_or_default();
            return self.material.files.add_from_text(tool, text);
        }
        if let Ok(document) = Document::parse_range(self.original.source, piece.span()) {
            return self.material.files.add_from_call(tool, document.root());
        }
        let inner = piece.unescaped(self.original.source);
        if let Some(Ok(document)) = inner.as_deref().map(Document::parse) {
            self.material.files.add_from_call(tool, document.root());
        }
    }

    /// The text of a part: the texts that it consists of, one per line; other values as compact JSON.
    fn text(&self, part: usize) -> Cow<'s, str> {
        self.original.pieces.text_of(self.original.source, part)
    }
}
