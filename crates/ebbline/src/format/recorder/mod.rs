//! What a reader records: messages and parts, and where they are in the source.

mod calls;
mod speech;
mod summaries;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::marker::{Marker, MarkerKind};
use super::pieces::{PieceKind, Pieces};
use super::placement::SummaryPlacement;
use super::reading::{ReadOptions, Reading};
use super::slot::Slot;
use super::source::Source;
use super::{Entry, Format};
use crate::growth;
use crate::json::{Origins, Text, Value, compact_length};
use crate::length::Length;
use crate::marks::Claim;
use crate::transcript::{Message, Part, PartKind, Role, Transcript};
use speech::Speech;

pub(crate) use speech::Counts;

/// Stands for a missing part.
pub(crate) const NOTHING: u32 = u32::MAX;

/// A session under construction.
#[derive(Debug)]
pub(crate) struct Recorder {
    pub(crate) transcript: Transcript,
    pub(crate) spans: Vec<Range<usize>>,
    pub(crate) listed: Vec<bool>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) strict: bool,
    slots: Vec<(usize, Slot)>,
    copies: Vec<(usize, Slot)>,
    markers: Vec<Marker>,
    beside: HashSet<usize>,
    pruned_from: Vec<(usize, usize)>,
    kept_from: Vec<(usize, usize)>,
    pieces: Pieces,
    call_tools: HashMap<u32, u32>,
    placeholder: Option<String>,
    newest_moment: u64,
    speech: Speech,
    /// For text inside a string of the source: the positions that it comes from.
    origins: Option<Origins>,
    /// For each message the part that is its anchor, or [`NOTHING`]; may be shorter than the messages. An anchor is
    /// the first call (by its id), or the first text that no user wrote.
    anchors: Vec<u32>,
    /// When the newest summary with a known time was written, in milliseconds since 1970.
    pub(crate) summarized_at: f64,
    /// How many of the next messages are not sent.
    left_out: usize,
    /// A message that claims to be a summary, until what follows proves or disproves it.
    claim: Option<(usize, Claim)>,
    /// The proved summaries, each with the number of messages behind it that existed when it was written.
    summaries: Vec<(usize, usize)>,
}

impl Recorder {
    pub(crate) fn new(options: &ReadOptions) -> Self {
        Self {
            transcript: Transcript::default(),
            spans: Vec::new(),
            listed: Vec::new(),
            entries: Vec::new(),
            strict: options.strict,
            slots: Vec::new(),
            copies: Vec::new(),
            markers: Vec::new(),
            beside: HashSet::new(),
            pruned_from: Vec::new(),
            kept_from: Vec::new(),
            pieces: Pieces::default(),
            call_tools: HashMap::new(),
            placeholder: options.placeholder.clone(),
            newest_moment: 0,
            speech: Speech::default(),
            origins: None,
            anchors: Vec::new(),
            summarized_at: 0.0,
            left_out: 0,
            claim: None,
            summaries: Vec::new(),
        }
    }

    /// Reserves room for `messages` messages.
    pub(crate) fn reserve(&mut self, messages: usize) {
        self.transcript.reserve(messages);
        self.spans.reserve_exact(messages);
        self.listed.reserve_exact(messages);
        self.pieces.reserve(messages);
    }

    /// Makes the next `messages` messages inactive.
    pub(crate) fn skip_messages(&mut self, messages: usize) {
        self.left_out = messages;
    }

    /// Begins a message at `span`.
    pub(crate) fn begin(&mut self, mut message: Message, span: Range<usize>) {
        if self.left_out > 0 {
            self.left_out -= 1;
            (message.active, message.usage) = (false, None);
        }
        self.transcript.begin(message);
        self.speech.begin(&message);
        growth::push(&mut self.spans, span);
        growth::push(&mut self.listed, true);
    }

    /// Begins a message that is sent but is not one of the file's messages: a marker's summary, or a separate system
    /// prompt.
    pub(crate) fn begin_unlisted(&mut self, message: Message, span: Range<usize>) {
        self.begin(message, span);
        self.set_newest_unlisted();
    }

    /// Records that the newest message is not one of the file's messages.
    pub(crate) fn set_newest_unlisted(&mut self) {
        if let Some(listed) = self.listed.last_mut() {
            *listed = false;
        }
    }

    /// From now on, positions are inside a string with these origins, or in the source itself.
    pub(crate) fn within(&mut self, origins: Option<&Origins>) {
        self.origins = origins.cloned();
    }

    /// The range in the source for a range in what is read.
    pub(crate) fn place_of(&self, span: Range<usize>) -> Range<usize> {
        self.origins.as_ref().map_or_else(|| span.clone(), |origins| origins.of(&span))
    }

    /// Adds a part of one text.
    pub(crate) fn text(&mut self, kind: PartKind, text: Option<Text<'_>>) {
        let is_users = self.transcript.messages().last().is_none_or(|message| message.role == Role::User);
        // Agents, providers and passes drop thinking, and a summary must be known afterwards.
        let can_anchor = !is_users && kind == PartKind::Text;
        if let Some(text) = text.filter(|text| can_anchor && !text.is_empty()) {
            self.anchor(|| text.decode().into_owned());
        }
        let length = text.map(Text::length).unwrap_or_default();
        self.transcript.push(Part::new(kind, length));
        self.set_places(text.map(Text::span));
        if let Some(text) = text.filter(|_| kind == PartKind::Text) {
            self.note_speech(text);
        }
    }

    /// Marks the newest part as signed, unless `signature` is empty or missing.
    ///
    /// What is encrypted is sent and billed. Where it stands for what the part does not say, the part costs what it costs:
    /// reasoning whose text is withheld, or a provider's own summary.
    pub(crate) fn sign(&mut self, signature: Option<Text<'_>>) {
        if let Some(signature) = signature.filter(|signature| !signature.is_empty()) {
            self.transcript.sign(signature.decode().encode_utf16().count());
        }
    }

    /// Adds any other value as a part, measured as compact JSON.
    pub(crate) fn value(&mut self, kind: PartKind, value: Option<Value<'_>>) {
        if let Some(text) = value.and_then(Value::text).filter(|_| kind == PartKind::Text) {
            return self.text(kind, Some(text));
        }
        let length = value.map(length_of_value).unwrap_or_default();
        self.transcript.push(Part::new(kind, length));
        if matches!(kind, PartKind::Image | PartKind::File) {
            self.note_own();
        }
        // A file has no text other than its data.
        self.set_places(value.filter(|_| kind != PartKind::File).map(Value::span));
    }

    /// Records a marker at `span`; `name` is the format's own word for it.
    pub(crate) fn mark(&mut self, kind: MarkerKind, name: &'static str, span: Range<usize>) {
        self.markers.push(Marker::new(kind, name, span));
    }

    /// Sets the figures of the newest marker.
    pub(crate) fn figures(
        &mut self,
        tokens_before: Option<u32>,
        tokens_saved: Option<u32>,
        outputs: Option<usize>,
    ) {
        if let Some(last) = self.markers.last_mut() {
            (last.tokens_before, last.tokens_saved, last.outputs) = (tokens_before, tokens_saved, outputs);
        }
    }

    /// Sets the ranges of the values that the newest part consists of.
    pub(crate) fn set_places(&mut self, spans: impl IntoIterator<Item = Range<usize>>) {
        let part = self.transcript.parts().len().saturating_sub(1);
        for span in spans {
            let span = self.place_of(span);
            self.pieces.note(part, &span);
        }
    }

    /// Records that the newest part consists of a text, or of the texts in a list of blocks.
    pub(crate) fn set_text_places(&mut self, content: Option<Value<'_>>) {
        let blocks = content.into_iter().flat_map(Value::elements);
        let texts =
            content.and_then(Value::text).into_iter().chain(blocks.filter_map(|block| block.text_of("text")));
        self.set_places(texts.map(Text::span));
    }

    /// Sets the kind of the newest text.
    pub(crate) fn set_piece_kind(&mut self, kind: PieceKind) {
        self.pieces.name(self.transcript.parts().len().saturating_sub(1), kind);
    }

    /// Sets the kind of the text of any part.
    pub(crate) fn set_kind_of_part(&mut self, part: usize, kind: PieceKind) {
        self.pieces.name_all(part, kind);
    }

    /// Records a time in milliseconds since 1970.
    pub(crate) fn moment(&mut self, value: Option<Value<'_>>) {
        let moment = value.and_then(Value::number).filter(|moment| (0.0..9e15).contains(moment));
        self.newest_moment = self.newest_moment.max(moment.map_or(0, |moment| moment as u64));
    }

    /// Appends another conversation. At most one of the two is active, because ids of calls repeat.
    pub(crate) fn append(&mut self, other: Self) {
        let (first_message, first_part) = (self.spans.len(), self.transcript.parts().len());
        self.claim = None;
        self.forget_old_usage();
        let mut other = other;
        other.forget_old_usage();
        let moved =
            |slots: Vec<(usize, Slot)>| slots.into_iter().map(move |(part, slot)| (first_part + part, slot));
        self.transcript.append(other.transcript);
        let anchors = other.anchors.into_iter();
        self.anchors.resize(self.spans.len(), NOTHING);
        self.anchors
            .extend(anchors.map(|part| if part == NOTHING { NOTHING } else { first_part as u32 + part }));
        self.spans.extend(other.spans);
        self.listed.extend(other.listed);
        self.entries.extend(
            other.entries.into_iter().map(|entry| Entry {
                message: entry.message.map(|message| first_message + message),
                ..entry
            }),
        );
        self.slots.extend(moved(other.slots));
        self.copies.extend(moved(other.copies));
        self.markers.extend(other.markers);
        self.beside.extend(other.beside);
        self.pruned_from.extend(other.pruned_from.into_iter().map(|(part, from)| (first_part + part, from)));
        self.kept_from.extend(other.kept_from);
        self.pieces.append(other.pieces, first_part);
        self.newest_moment = self.newest_moment.max(other.newest_moment);
    }

    /// Makes everything that was read inactive: it belongs to another conversation.
    pub(crate) fn set_inactive(&mut self) {
        for index in 0..self.transcript.messages().len() {
            self.transcript.set_active(index, false);
            self.set_beside(index);
        }
    }

    /// Records that message `index` never left the conversation by a compaction: it is a sub-agent's, of another
    /// session or branch, or the user took it back.
    pub(crate) fn set_beside(&mut self, index: usize) {
        // Positions stay when messages are reordered.
        self.beside.extend(self.spans.get(index).map(|span| span.start));
    }

    /// The same for the newest message.
    pub(crate) fn set_newest_beside(&mut self) {
        self.set_beside(self.spans.len().saturating_sub(1));
    }

    /// Records that the newest part was pruned before the position `from` of the source was written.
    pub(crate) fn set_pruned_from(&mut self, from: usize) {
        self.set_part_pruned_from(self.transcript.parts().len().saturating_sub(1), from);
    }

    /// The same for any part.
    pub(crate) fn set_part_pruned_from(&mut self, part: usize, from: usize) {
        self.pruned_from.push((part, from));
    }

    /// Records that the summary that begins at `summary` kept what begins at `kept`.
    pub(crate) fn set_kept_from(&mut self, summary: usize, kept: usize) {
        self.kept_from.push((summary, kept));
    }

    pub(crate) fn finish(
        mut self,
        format: Format,
        evidence: String,
        placement: SummaryPlacement,
        source: Source<'_>,
    ) -> Reading {
        self.forget_old_usage();
        self.find_kept(&source);
        Reading {
            format,
            evidence,
            transcript: self.transcript,
            is_lines: source.is_lines,
            spans: self.spans,
            listed: self.listed,
            slots: self.slots,
            copies: self.copies,
            markers: self.markers,
            beside: self.beside,
            pruned_from: self.pruned_from,
            kept_from: self.kept_from,
            pieces: self.pieces,
            placement,
            entries: self.entries,
            problems: source.problems,
            foreign: None,
            anchors: self.anchors,
            newest_moment: self.newest_moment,
        }
    }

    /// Reorders messages into the order in which the agent sends them.
    pub(crate) fn reorder(&mut self, order: &[usize]) {
        let pick = |index: &usize| (self.spans.get(*index).cloned(), self.listed.get(*index).copied());
        let (spans, listed): (Vec<_>, Vec<_>) = order.iter().map(pick).unzip();
        let (spans, listed): (Vec<_>, Vec<_>) =
            (spans.into_iter().flatten().collect(), listed.into_iter().flatten().collect());
        if spans.len() == self.spans.len() {
            let anchor = |index: &usize| self.anchors.get(*index).copied().unwrap_or(NOTHING);
            self.anchors = order.iter().map(anchor).collect();
            self.spans = spans;
            self.listed = listed;
            self.transcript.reorder(order);
        }
    }
}

/// The length of a text, or of any other value as compact JSON.
pub(crate) fn length_of_value(value: Value<'_>) -> Length {
    value.text().map_or_else(|| compact_length(value), Text::length)
}
