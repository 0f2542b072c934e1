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
use crate::prune::PLACEHOLDER;
use crate::session::{ReadOptions, Session};
use crate::tight;
use crate::transcript::{Message, Output, Part, PartKind, Transcript};

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
        Self { range: at..at, lead, shape, escaped: false }
    }

    /// Replaces a value.
    pub(crate) fn of_value(value: Value<'_>, shape: Shape) -> Self {
        Self { range: value.span(), lead: String::new(), shape, escaped: false }
    }

    /// The same place where the object is JSON inside a string of the source.
    fn moved(self, origins: Option<&Origins>) -> Self {
        let Some(origins) = origins else { return self };
        Self { range: origins.of(&self.range), escaped: true, ..self }
    }

    /// Removes an element of a list together with the comma behind `previous`, the element in front of it.
    pub(crate) fn removing(previous: Value<'_>, element: Value<'_>) -> Self {
        let range = previous.span().end..element.span().end;
        Self { range, lead: String::new(), shape: Shape::Fixed(""), escaped: false }
    }

    /// The same with `lead` in front of the new value.
    pub(crate) fn led_by(self, lead: String) -> Self {
        Self { lead, ..self }
    }

    /// The edit that prunes the output.
    pub(crate) fn edit(&self, placeholder: &str, now: u64) -> Edit {
        let value = match self.shape {
            Shape::Text => quote(placeholder),
            Shape::Blocks => format!(r#"[{{"type":"text","text":{}}}]"#, quote(placeholder)),
            // Agents test the mark for truth: a moment of 0 would be none.
            Shape::Moment => now.max(1).to_string(),
            Shape::Within(before, after) => format!("{before}{}{after}", quote(placeholder)),
            Shape::Fixed(value) => value.to_owned(),
        };
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
        }
    }

    /// Makes room for so many messages.
    pub(crate) fn expect(&mut self, messages: usize) {
        self.transcript.expect(messages);
        self.spans.reserve_exact(messages);
        self.listed.reserve_exact(messages);
        self.places.expect(messages);
    }

    /// Begins a message that stands at `span`.
    pub(crate) fn begin(&mut self, message: Message, span: Range<usize>) {
        self.transcript.begin(message);
        tight::push(&mut self.spans, span);
        tight::push(&mut self.listed, true);
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
        let length = text.map(Text::length).unwrap_or_default();
        self.transcript.push(Part::new(kind, length));
        self.stands_at(text.map(Text::span));
    }

    /// Notes that the part added last carries `signature`, unless that is empty or not there.
    pub(crate) fn sign(&mut self, signature: Option<Text<'_>>) {
        if signature.is_some_and(|signature| !signature.is_empty()) {
            self.transcript.sign();
        }
    }

    /// Adds any other value as a part, measured as compact JSON.
    pub(crate) fn value(&mut self, kind: PartKind, value: Option<Value<'_>>) {
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
        let call = id.map(|id| self.pair(&id.decode()));
        self.call_as(call, name.map(Text::decode).as_deref(), arguments);
    }

    /// The same with an id and a name that stand nowhere in the source.
    pub(crate) fn call_named(&mut self, id: Option<&str>, name: Option<&str>, arguments: Option<Value<'_>>) {
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
        let call = id.map(|id| self.pair(&id.decode()));
        self.result_as(call, name.map(Text::decode).as_deref(), part, slot)
    }

    /// The same with an id and a name that stand nowhere in the source.
    pub(crate) fn result_named(
        &mut self,
        id: Option<&str>,
        name: Option<&str>,
        part: Part,
        slot: Option<Slot>,
    ) -> Option<u32> {
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
        let (tokens_before, tokens_saved, outputs) = (None, None, None);
        self.markers.push(Marker { kind, name, bytes: span, tokens_before, tokens_saved, outputs });
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

    /// Whether an output of this text was pruned before.
    pub(crate) fn output_of(&self, text: Option<Text<'_>>) -> Output {
        let is_placeholder = text.is_some_and(|text| {
            text.is(PLACEHOLDER)
                || self.placeholder.as_deref().is_some_and(|placeholder| text.is(placeholder))
        });
        if is_placeholder { Output::Pruned } else { Output::Ordinary }
    }

    /// Notes a moment in milliseconds since 1970.
    pub(crate) fn moment(&mut self, value: Option<Value<'_>>) {
        let moment = value.and_then(Value::number).filter(|moment| (0.0..9e15).contains(moment));
        self.newest_moment = self.newest_moment.max(moment.map_or(0, |moment| moment as u64));
    }

    /// Adds another conversation behind this one. Of both, at most one is active: the ids of calls repeat.
    pub(crate) fn append(&mut self, other: Self) {
        let (first_message, first_part) = (self.spans.len(), self.transcript.parts().len());
        let moved =
            |slots: Vec<(usize, Slot)>| slots.into_iter().map(move |(part, slot)| (first_part + part, slot));
        self.transcript.append(other.transcript);
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
        self,
        format: Format,
        evidence: String,
        ending: Ending,
        source: Source<'_>,
    ) -> Session {
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
            let edit = Slot::of_member(document.root(), "k", Shape::Moment).edit("", 7);
            assert_eq!(crate::edit::apply(source, &[edit]).unwrap(), expected);
        }
    }
}
