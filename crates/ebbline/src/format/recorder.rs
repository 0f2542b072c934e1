//! What a reader writes down: messages and parts, and where in the source they stand.

use std::collections::HashMap;
use std::ops::Range;

use super::marker::{Marker, MarkerKind};
use super::places::{PieceKind, Places};
use super::source::Source;
use super::{Ending, Entry, Format};
use crate::edit::Edit;
use crate::json::{Origins, Text, Value, compact_length, quote};
use crate::length::Length;
use crate::marks::PLACEHOLDER;
use crate::marks::{self, Claim, Reference};
use crate::policy::PrunePolicy;
use crate::session::{ReadOptions, Session};
use crate::tight;
use crate::transcript::{Message, Output, Part, PartKind, Role, Transcript};

/// Where and how one output is pruned in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    /// The bytes that give way; empty to insert.
    range: Range<usize>,
    /// What is written in front of the new value: a comma and a key where the value is inserted.
    lead: String,
    shape: Shape,
    /// Whether it stands inside a string, so that what is written has to be escaped.
    escaped: bool,
    /// What the output answers, where the source has an id for it.
    call: Option<Reference>,
}

/// What is written in the place of pruned outputs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clearing<'p> {
    pub(crate) placeholder: &'p str,
    /// Whether a reference to the call stands behind it.
    pub(crate) reference: bool,
    pub(crate) now: u64,
}

impl<'p> Clearing<'p> {
    pub(crate) fn of(policy: &'p PrunePolicy, now: u64) -> Self {
        Self { placeholder: &policy.placeholder, reference: policy.reference, now }
    }
}

/// How a pruned output is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The placeholder as a string.
    Text,
    /// `[{"type":"text","text":placeholder}]`
    Blocks,
    /// The moment of pruning, as a number of milliseconds.
    Moment,
    /// The placeholder as a string between these two.
    Within(&'static str, &'static str),
    /// Always the same.
    Fixed(&'static str),
}

impl Slot {
    /// Replaces the member `key` of `object`, or adds it behind the last member. A value that is no object gives way
    /// as a whole.
    pub(crate) fn of_member(object: Value<'_>, key: &str, shape: Shape) -> Self {
        let last = object.members().last();
        if let Some(value) = object.get(key) {
            return Self::of_value(value, shape);
        }
        if !object.is_object() {
            return Self::of_value(object, shape);
        }
        let source = object.whole_source();
        let inside = object.span().start + 1;
        let (at, comma, style_from) = match last {
            Some((_, value)) => (value.span().end, ",", before_last_member(object)),
            None => (inside, "", inside),
        };
        // The white space in front of the last key and behind its colon, so that the new member looks the same.
        let style = source.get(style_from..).unwrap_or_default();
        let indent: String = style.chars().take_while(|character| character.is_ascii_whitespace()).collect();
        let gap = if last.is_some_and(|(_, value)| has_gap(source, value)) { " " } else { "" };
        let lead = format!("{comma}{indent}{}:{gap}", quote(key));
        Self { range: at..at, lead, shape, escaped: false, call: None }
    }

    /// Replaces a value.
    pub(crate) fn of_value(value: Value<'_>, shape: Shape) -> Self {
        Self { range: value.span(), lead: String::new(), shape, escaped: false, call: None }
    }

    /// The same place where the object is JSON inside a string of the source.
    fn moved(self, origins: Option<&Origins>) -> Self {
        let Some(origins) = origins else { return self };
        Self { range: origins.of(&self.range), escaped: true, ..self }
    }

    /// Removes an element of a list together with the comma behind `previous`, the element in front of it.
    pub(crate) fn removing(previous: Value<'_>, element: Value<'_>) -> Self {
        let range = previous.span().end..element.span().end;
        Self { range, lead: String::new(), shape: Shape::Fixed(""), escaped: false, call: None }
    }

    /// The same of the output that answers the call `id`.
    pub(crate) fn answering(self, id: Option<Text<'_>>) -> Self {
        Self { call: id.map(|id| Reference::to_call(&id.decode())), ..self }
    }

    /// The same with `lead` in front of the new value.
    pub(crate) fn led_by(self, lead: String) -> Self {
        Self { lead, ..self }
    }

    /// The edit that prunes the output.
    pub(crate) fn edit(&self, clearing: Clearing<'_>) -> Edit {
        let text = || {
            let Clearing { placeholder, reference, .. } = clearing;
            if reference { quote(&marks::cleared(placeholder, self.call)) } else { quote(placeholder) }
        };
        let value = match self.shape {
            Shape::Text => text(),
            Shape::Blocks => format!(r#"[{{"type":"text","text":{}}}]"#, text()),
            // Agents test the mark for truth: a moment of 0 would be none.
            Shape::Moment => clearing.now.max(1).to_string(),
            Shape::Within(before, after) => format!("{before}{}{after}", text()),
            Shape::Fixed(value) => value.to_owned(),
        };
        self.written(&value)
    }

    /// The edit that puts `value` there.
    pub(crate) fn written(&self, value: &str) -> Edit {
        let written = format!("{}{value}", self.lead);
        let escaped = self.escaped.then(|| quote(&written));
        let inside = escaped.as_deref().and_then(|quoted| quoted.strip_prefix('"')?.strip_suffix('"'));
        Edit::new(self.range.clone(), inside.unwrap_or(&written))
    }
}

/// Where the white space in front of the last member of `object` begins.
fn before_last_member(object: Value<'_>) -> usize {
    let ends = object.members().map(|(_, value)| value.span().end);
    let (before, _) = ends.fold((None, None), |(_, last), end| (last, Some(end)));
    before.map_or(object.span().start + 1, |end| end + 1)
}

/// Whether there is a space between a member's colon and its value.
fn has_gap(source: &str, value: Value<'_>) -> bool {
    source.get(..value.span().start).is_some_and(|before| before.ends_with(' '))
}

/// No part.
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
    places: Places,
    call_tools: HashMap<u32, u32>,
    placeholder: Option<String>,
    newest_moment: u64,
    /// Of what is read from inside a string: where that comes from.
    origins: Option<Origins>,
    /// For each message the part that is its anchor, [`NOTHING`] without one; as far as there are any. An anchor is the
    /// first call, known by its id, or the first text or thinking that no user wrote.
    anchors: Vec<u32>,
    /// When the newest summary was written of which that is known, in milliseconds since 1970.
    pub(crate) summarised_at: f64,
    /// How many of the messages to come are not sent.
    left_out: usize,
    /// The message that says it is a summary, until something behind it shows whether it is.
    claim: Option<(usize, Claim)>,
    /// The summaries that are such, and how many messages behind each were there when it was written.
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
            places: Places::default(),
            call_tools: HashMap::new(),
            placeholder: options.placeholder.clone(),
            newest_moment: 0,
            origins: None,
            anchors: Vec::new(),
            summarised_at: 0.0,
            left_out: 0,
            claim: None,
            summaries: Vec::new(),
        }
    }

    /// Makes room for so many messages.
    pub(crate) fn expect(&mut self, messages: usize) {
        self.transcript.expect(messages);
        self.spans.reserve_exact(messages);
        self.listed.reserve_exact(messages);
        self.places.expect(messages);
    }

    /// The next `messages` messages are not sent.
    pub(crate) fn leave_out(&mut self, messages: usize) {
        self.left_out = messages;
    }

    /// Begins a message that stands at `span`.
    pub(crate) fn begin(&mut self, mut message: Message, span: Range<usize>) {
        if self.left_out > 0 {
            self.left_out -= 1;
            (message.active, message.usage) = (false, None);
        }
        self.transcript.begin(message);
        tight::push(&mut self.spans, span);
        tight::push(&mut self.listed, true);
    }

    /// Looks into the message begun last, whose text is `text`, for the words of a summary that ebbline wrote. It is
    /// one if it stands where ebbline puts a summary, and if what stands behind it is what stood there then.
    pub(crate) fn may_be_summary(&mut self, text: Option<Text<'_>>) {
        let claim =
            text.filter(|text| text.starts_with(marks::BEGINS)).and_then(|text| Claim::of(&text.decode()));
        let Some((message, claim)) = self.spans.len().checked_sub(1).zip(claim) else { return };
        if !self.is_first(message) {
            return;
        }
        if claim.fits_itself() {
            self.summarises(message, claim.kept);
        } else {
            self.claim = Some((message, claim));
        }
    }

    /// Whether message `message` stands where a summary does: nothing in front of it was said, or all of it gave way to a
    /// summary that the format knows.
    fn is_first(&self, message: usize) -> bool {
        let before = self.transcript.messages().iter().take(message).rev();
        let mut said = before.take_while(|before| !before.summary);
        self.summaries.is_empty() && said.all(|before| before.role == Role::System || !before.active)
    }

    /// The first anchor behind a message that says it is a summary.
    fn follows(&mut self, what: impl FnOnce() -> String) {
        let is_behind = |(message, _): &mut (usize, Claim)| *message + 1 < self.spans.len();
        if let Some((message, claim)) = self.claim.take_if(is_behind)
            && claim.fits(&what())
        {
            self.summarises(message, claim.kept);
        }
    }

    /// Says of the message begun last, a summary by its format's own field, how many messages behind it were there when
    /// it was written.
    pub(crate) fn keeps(&mut self, kept: Option<Value<'_>>) {
        let kept = kept.and_then(Value::number).filter(|kept| (1.0..1e15).contains(kept));
        if let Some((message, kept)) = self.spans.len().checked_sub(1).zip(kept) {
            self.summaries.push((message, kept as usize));
            self.transcript.set_kept(message, kept as usize);
        }
    }

    fn summarises(&mut self, message: usize, kept: usize) {
        self.summaries.push((message, kept));
        let is_known = self.transcript.messages().get(message).is_some_and(|message| message.summary);
        if !is_known {
            self.transcript.set_summary(message);
        }
        self.transcript.set_kept(message, kept);
        if is_known {
            return;
        }
        let span = self.spans.get(message).cloned().unwrap_or_default();
        let place = self.markers.partition_point(|marker| marker.bytes.start <= span.start);
        self.markers.insert(place, Marker::new(MarkerKind::Summary, marks::RECORDED, span));
    }

    /// Finds out what a file that only grows kept behind its summaries: what stands in front of them, or on their line.
    fn find_kept(&mut self, source: &Source<'_>) {
        let messages = self.transcript.messages();
        let unknown = |index: &usize| {
            messages
                .get(*index)
                .is_some_and(|message| message.summary && message.active && message.kept.is_none())
        };
        let summaries: Vec<usize> = (0..messages.len()).filter(unknown).collect();
        for summary in summaries {
            let Some(told) = self.spans.get(summary).cloned() else { continue };
            let line_end = source.text.get(told.end..).and_then(|rest| rest.find('\n'));
            let end = told.end + line_end.unwrap_or(source.text.len() - told.end.min(source.text.len()));
            let is_old = |index: &usize| {
                self.spans.get(*index).is_some_and(|span| {
                    span.start < told.start || source.is_lines && span.start < end && span != &told
                })
            };
            let kept = (summary + 1..self.spans.len()).rev().find(is_old).map(|last| last - summary);
            if let Some(kept) = kept {
                self.transcript.set_kept(summary, kept);
            }
        }
    }

    /// Forgets what was reported before the session was compacted: it describes another context than the present one.
    fn forget_old_usage(&mut self) {
        for (message, kept) in std::mem::take(&mut self.summaries) {
            for index in message + 1..=message.saturating_add(kept).min(self.spans.len()) {
                self.transcript.forget_usage(index);
            }
        }
    }

    /// Begins what is sent like a message but is none of the file's messages: a marker's summary, a system
    /// prompt beside the list.
    pub(crate) fn begin_unlisted(&mut self, message: Message, span: Range<usize>) {
        self.begin(message, span);
        if let Some(listed) = self.listed.last_mut() {
            *listed = false;
        }
    }

    /// Says that what is read from now on stands inside a string that comes from there, or in the source itself.
    pub(crate) fn within(&mut self, origins: Option<&Origins>) {
        self.origins = origins.cloned();
    }

    /// The bytes of the source for a place in what is read.
    pub(crate) fn place_of(&self, span: Range<usize>) -> Range<usize> {
        self.origins.as_ref().map_or_else(|| span.clone(), |origins| origins.of(&span))
    }

    /// Adds a part of one text.
    pub(crate) fn text(&mut self, kind: PartKind, text: Option<Text<'_>>) {
        let is_users = self.transcript.messages().last().is_none_or(|message| message.role == Role::User);
        let can_anchor = !is_users && matches!(kind, PartKind::Text | PartKind::Thinking);
        if let Some(text) = text.filter(|text| can_anchor && !text.is_empty()) {
            self.anchor(|| text.decode().into_owned());
        }
        let length = text.map(Text::length).unwrap_or_default();
        self.transcript.push(Part::new(kind, length));
        self.stands_at(text.map(Text::span));
    }

    /// Notes that the part added next is the anchor of its message, unless that has one.
    fn anchor(&mut self, what: impl FnOnce() -> String) {
        if self.anchors.len() == self.spans.len() {
            return;
        }
        self.anchors.resize(self.spans.len().saturating_sub(1), NOTHING);
        tight::push(&mut self.anchors, self.transcript.parts().len() as u32);
        self.follows(what);
    }

    /// The same of a call or result, by its id.
    fn anchor_id(&mut self, id: Option<&str>) {
        if let Some(id) = id.filter(|id| marks::is_own(id)) {
            self.anchor(|| id.to_owned());
        }
    }

    /// Notes that the part added last carries `signature`, unless that is empty or not there.
    pub(crate) fn sign(&mut self, signature: Option<Text<'_>>) {
        if signature.is_some_and(|signature| !signature.is_empty()) {
            self.transcript.sign();
        }
    }

    /// Adds any other value as a part, measured as compact JSON.
    pub(crate) fn value(&mut self, kind: PartKind, value: Option<Value<'_>>) {
        if let Some(text) = value.and_then(Value::text).filter(|_| kind == PartKind::Text) {
            return self.text(kind, Some(text));
        }
        let length = value.map(length_of_value).unwrap_or_default();
        self.transcript.push(Part::new(kind, length));
        // Of a file there is nothing to read but its data.
        self.stands_at(value.filter(|_| kind != PartKind::File).map(Value::span));
    }

    /// Adds a tool call; `arguments` is measured as text if it is one, else as compact JSON.
    pub(crate) fn call(
        &mut self,
        id: Option<Text<'_>>,
        name: Option<Text<'_>>,
        arguments: Option<Value<'_>>,
    ) {
        self.call_named(id.map(Text::decode).as_deref(), name.map(Text::decode).as_deref(), arguments);
    }

    /// The same with an id and a name that stand nowhere in the source.
    pub(crate) fn call_named(&mut self, id: Option<&str>, name: Option<&str>, arguments: Option<Value<'_>>) {
        self.anchor_id(id);
        let call = id.map(|id| self.pair(id));
        self.call_as(call, name, arguments);
    }

    /// The number that pairs a call with its result, for formats whose calls have no ids: the same key, the same number.
    pub(crate) fn pair(&mut self, key: &str) -> u32 {
        self.transcript.call(key)
    }

    /// Adds a tool call that has been paired already.
    pub(crate) fn call_as(&mut self, call: Option<u32>, name: Option<&str>, arguments: Option<Value<'_>>) {
        let tool = name.map(|name| self.transcript.tool(name));
        if let (Some(call), Some(tool)) = (call, tool) {
            self.call_tools.insert(call, tool);
        }
        let length = arguments.filter(|value| !value.is_null()).map(length_of_value).unwrap_or_default();
        self.transcript.push(Part { call, tool, ..Part::new(PartKind::ToolCall, length) });
        self.stands_at(arguments.filter(|value| !value.is_null()).map(Value::span));
    }

    /// Notes that the file has no id for the call added last.
    pub(crate) fn paired_by_place(&mut self) {
        if let Some(call) = self.transcript.parts().last().and_then(|part| part.call) {
            self.transcript.pair_by_place(call);
        }
    }

    /// Notes how long the part added last is in the notation of the format's own system.
    pub(crate) fn measures(&mut self, native: Option<usize>) {
        self.transcript.set_native(native.map(|length| u32::try_from(length).unwrap_or(u32::MAX)));
    }

    /// Adds a tool result. `id` and `name` pair it with its call; a missing name is that of the call.
    pub(crate) fn result(
        &mut self,
        id: Option<Text<'_>>,
        name: Option<Text<'_>>,
        part: Part,
        slot: Option<Slot>,
    ) -> Option<u32> {
        let slot = slot.map(|slot| slot.answering(id));
        self.result_named(id.map(Text::decode).as_deref(), name.map(Text::decode).as_deref(), part, slot)
    }

    /// The same with an id and a name that stand nowhere in the source.
    pub(crate) fn result_named(
        &mut self,
        id: Option<&str>,
        name: Option<&str>,
        part: Part,
        slot: Option<Slot>,
    ) -> Option<u32> {
        self.anchor_id(id);
        let call = id.map(|id| self.pair(id));
        self.result_as(call, name, part, slot)
    }

    /// Adds a tool result that has been paired already.
    pub(crate) fn result_as(
        &mut self,
        call: Option<u32>,
        name: Option<&str>,
        part: Part,
        slot: Option<Slot>,
    ) -> Option<u32> {
        // What has no place to be cleared in has to stay.
        let output = match part.output {
            Output::Error | Output::FailedPlaceholder if slot.is_none() => Output::FixedError,
            Output::Ordinary | Output::Placeholder if slot.is_none() => Output::Sealed,
            output => output,
        };
        let part = Part { output, ..part };
        let named = name.map(|name| self.transcript.tool(name));
        let tool = named.or_else(|| call.and_then(|call| self.call_tools.get(&call).copied()));
        let index = self.transcript.push(Part { kind: PartKind::ToolResult, call, tool, ..part });
        if let Some(slot) = slot {
            tight::push(&mut self.slots, (index, slot.moved(self.origins.as_ref())));
        }
        call
    }

    /// Says what else has to change when the output that is part `index` is pruned.
    pub(crate) fn also(&mut self, index: usize, slot: Slot) {
        let behind = self.slots.partition_point(|(part, _)| *part <= index);
        self.slots.insert(behind, (index, slot));
    }

    /// The index of the part added last.
    pub(crate) fn newest_part(&self) -> usize {
        self.transcript.parts().len().saturating_sub(1)
    }

    /// Says where the file holds a copy of the part added last that is not sent: it goes with the output when the
    /// caller wants bytes freed.
    pub(crate) fn copy(&mut self, slot: Slot) {
        let part = self.transcript.parts().len().saturating_sub(1);
        self.copies.push((part, slot.moved(self.origins.as_ref())));
    }

    /// Notes that the file records a compaction, or something like it, at `span`; `name` is the format's own word.
    pub(crate) fn mark(&mut self, kind: MarkerKind, name: &'static str, span: Range<usize>) {
        self.markers.push(Marker::new(kind, name, span));
    }

    /// Notes the figures that the file gives for what was marked last.
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

    /// Says where the values stand that the part added last is made of.
    pub(crate) fn stands_at(&mut self, spans: impl IntoIterator<Item = Range<usize>>) {
        let part = self.transcript.parts().len().saturating_sub(1);
        for span in spans {
            let span = self.place_of(span);
            self.places.note(part, &span);
        }
    }

    /// Says that the part added last is made of a text, or of the texts in a list of blocks.
    pub(crate) fn stands_in(&mut self, content: Option<Value<'_>>) {
        let blocks = content.into_iter().flat_map(Value::elements);
        let texts =
            content.and_then(Value::text).into_iter().chain(blocks.filter_map(|block| block.text_of("text")));
        self.stands_at(texts.map(Text::span));
    }

    /// Says what the text added last is.
    pub(crate) fn is_a(&mut self, kind: PieceKind) {
        self.places.name(self.transcript.parts().len().saturating_sub(1), kind);
    }

    /// Adds an image or file, inside the result of `call` if there is one.
    pub(crate) fn media(&mut self, kind: PartKind, length: Length, call: Option<u32>) {
        self.transcript.push(Part { call, ..Part::new(kind, length) });
    }

    /// What may be done with an output of this text, the answer to the call `id`; `has_failed` says whether it is that
    /// of a tool that failed.
    pub(crate) fn output_of(&self, text: Option<Text<'_>>, id: Option<Text<'_>>, has_failed: bool) -> Output {
        let ordinary = if has_failed { Output::Error } else { Output::Ordinary };
        let Some(text) = text else { return ordinary };
        let tail = text.plain_tail(marks::REFERENCE_LENGTH).unwrap_or_default();
        if id.is_some_and(|id| marks::is_cleared(tail, &id.decode())) {
            return Output::Pruned;
        }
        match ordinary {
            _ if !self.is_placeholder(text) => ordinary,
            Output::Error => Output::FailedPlaceholder,
            _ => Output::Placeholder,
        }
    }

    /// Whether nothing at all is to stand in the place of a pruned output.
    pub(crate) fn clears_to_nothing(&self) -> bool {
        self.placeholder.as_deref() == Some("")
    }

    /// Whether a text is the placeholder of today, or the one that other systems write.
    fn is_placeholder(&self, text: Text<'_>) -> bool {
        let today = self.placeholder.as_deref();
        let is_either = |text: &str| text == PLACEHOLDER || today == Some(text);
        text.is(PLACEHOLDER)
            || today.is_some_and(|today| text.is(today))
            || text.plain_tail(marks::REFERENCE_LENGTH) == Some(marks::NO_CALL)
                && text.decode().strip_suffix(marks::NO_CALL).is_some_and(is_either)
    }

    /// Notes a moment in milliseconds since 1970.
    pub(crate) fn moment(&mut self, value: Option<Value<'_>>) {
        let moment = value.and_then(Value::number).filter(|moment| (0.0..9e15).contains(moment));
        self.newest_moment = self.newest_moment.max(moment.map_or(0, |moment| moment as u64));
    }

    /// Adds another conversation behind this one. Of both, at most one is active: the ids of calls repeat.
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
        self.places.append(other.places, first_part);
        self.newest_moment = self.newest_moment.max(other.newest_moment);
    }

    /// Says that the agent would send nothing of what was read.
    pub(crate) fn set_inactive(&mut self) {
        for index in 0..self.transcript.messages().len() {
            self.transcript.set_active(index, false);
        }
    }

    pub(crate) fn finish(
        mut self,
        format: Format,
        evidence: String,
        ending: Ending,
        source: Source<'_>,
    ) -> Session {
        self.forget_old_usage();
        self.find_kept(&source);
        Session {
            format,
            evidence,
            transcript: self.transcript,
            source_length: source.text.len(),
            spans: self.spans,
            listed: self.listed,
            slots: self.slots,
            copies: self.copies,
            markers: self.markers,
            places: self.places,
            ending,
            entries: self.entries,
            problems: source.problems,
            anchors: self.anchors,
            newest_moment: self.newest_moment,
        }
    }

    /// Puts messages into the order in which the agent sends them.
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

/// The length of a text, or of anything else as compact JSON.
pub(crate) fn length_of_value(value: Value<'_>) -> Length {
    value.text().map_or_else(|| compact_length(value), Text::length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[test]
    fn a_member_is_replaced_or_added_in_the_style_of_the_others() {
        let cases = [
            (r#"{"a":1,"k":null}"#, r#"{"a":1,"k":7}"#),
            (r#"{"a":1}"#, r#"{"a":1,"k":7}"#),
            (r#"{"a": 1, "b": [2]}"#, r#"{"a": 1, "b": [2], "k": 7}"#),
            ("{\n  \"a\": 1,\n  \"b\": 2\n}", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"k\": 7\n}"),
            ("{}", r#"{"k":7}"#),
        ];
        for (source, expected) in cases {
            let document = Document::parse(source).unwrap();
            let clearing = Clearing { placeholder: "", reference: false, now: 7 };
            let edit = Slot::of_member(document.root(), "k", Shape::Moment).edit(clearing);
            assert_eq!(crate::edit::apply(source, &[edit]).unwrap(), expected);
        }
    }
}
