//! What a reader writes down: messages and parts, and where in the source they stand.

use std::collections::HashMap;
use std::ops::Range;

use super::marker::{Marker, MarkerKind};
use super::places::{PieceKind, Places};
use super::source::Source;
use super::{Ending, Entry, Format};
use crate::edit::Edit;
use crate::json::{Text, Value, compact_length, quote};
use crate::length::Length;
use crate::prune::PLACEHOLDER;
use crate::session::{ReadOptions, Session};
use crate::transcript::{Message, Output, Part, PartKind, Transcript};

/// Where and how one output is pruned in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    /// The bytes that give way; empty to insert.
    range: Range<usize>,
    /// What is written in front of the new value: a comma and a key where the value is inserted.
    lead: String,
    shape: Shape,
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
    /// Replaces the member `key` of `object`, or adds it behind the last member.
    pub(crate) fn of_member(object: Value<'_>, key: &str, shape: Shape) -> Self {
        let last = object.members().last();
        if let Some(value) = object.get(key) {
            return Self { range: value.span(), lead: String::new(), shape };
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
        let gap = if last.is_some_and(|(key, value)| has_gap(source, key, &value)) { " " } else { "" };
        let lead = format!("{comma}{indent}{}:{gap}", quote(key));
        Self { range: at..at, lead, shape }
    }

    /// Replaces a value.
    pub(crate) fn of_value(value: Value<'_>, shape: Shape) -> Self {
        Self { range: value.span(), lead: String::new(), shape }
    }

    /// Removes an element of a list together with the comma behind `previous`, the element in front of it.
    pub(crate) fn removing(previous: Value<'_>, element: Value<'_>) -> Self {
        let range = previous.span().end..element.span().end;
        Self { range, lead: String::new(), shape: Shape::Fixed("") }
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
        Edit::new(self.range.clone(), format!("{}{value}", self.lead))
    }
}

/// Where the white space in front of the last member of `object` begins.
fn before_last_member(object: Value<'_>) -> usize {
    let mut members: Vec<_> = object.members().map(|(_, value)| value.span().end).collect();
    members.pop();
    members.last().map_or(object.span().start + 1, |end| end + 1)
}

/// Whether there is a space between a member's colon and its value.
fn has_gap(source: &str, _key: Text<'_>, value: &Value<'_>) -> bool {
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
        }
    }

    /// Begins a message that stands at `span`.
    pub(crate) fn begin(&mut self, message: Message, span: Range<usize>) {
        self.transcript.begin(message);
        self.spans.push(span);
        self.listed.push(true);
    }

    /// Begins what is sent like a message but is none of the file's messages: a marker's summary, a system
    /// prompt beside the list.
    pub(crate) fn begin_unlisted(&mut self, message: Message, span: Range<usize>) {
        self.begin(message, span);
        if let Some(listed) = self.listed.last_mut() {
            *listed = false;
        }
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
        self.call_named(id.map(Text::decode).as_deref(), name.map(Text::decode).as_deref(), arguments);
    }

    /// The same with an id and a name that stand nowhere in the source.
    pub(crate) fn call_named(&mut self, id: Option<&str>, name: Option<&str>, arguments: Option<Value<'_>>) {
        let call = id.map(|id| self.transcript.call(id));
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
        let call = id.map(|id| self.transcript.call(id));
        let named = name.map(|name| self.transcript.tool(name));
        let tool = named.or_else(|| call.and_then(|call| self.call_tools.get(&call).copied()));
        let index = self.transcript.push(Part { kind: PartKind::ToolResult, call, tool, ..part });
        if let Some(slot) = slot {
            self.slots.push((index, slot));
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
        self.copies.push((self.transcript.parts().len().saturating_sub(1), slot));
    }

    /// Notes that the file records a compaction, or something like it, at `span`; `name` is the format's own word.
    pub(crate) fn mark(&mut self, kind: MarkerKind, name: &'static str, span: Range<usize>) {
        self.markers.push(Marker { kind, name, bytes: span });
    }

    /// Says where the values stand that the part added last is made of.
    pub(crate) fn stands_at(&mut self, spans: impl IntoIterator<Item = Range<usize>>) {
        let part = self.transcript.parts().len().saturating_sub(1);
        for span in spans {
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
