//! Records calls, their results, and where the results can be pruned.

use std::num::NonZeroU32;

use crate::format::slot::Slot;
use crate::growth;
use crate::json::{Text, Value, compact_length};
use crate::length::Length;
use crate::marks::{self, PLACEHOLDER};
use crate::transcript::{Output, Part, PartKind};

use super::Recorder;

impl Recorder {
    /// Adds a tool call; `arguments` is measured as text if it is a string, else as compact JSON.
    pub(crate) fn call(
        &mut self,
        id: Option<Text<'_>>,
        name: Option<Text<'_>>,
        arguments: Option<Value<'_>>,
    ) {
        self.call_named(id.map(Text::decode).as_deref(), name.map(Text::decode).as_deref(), arguments);
    }

    /// The same with an id and a name that are not in the source.
    pub(crate) fn call_named(&mut self, id: Option<&str>, name: Option<&str>, arguments: Option<Value<'_>>) {
        self.anchor_id(id);
        let call = id.map(|id| self.pair(id));
        self.call_as(call, name, arguments);
    }

    /// The number that pairs a call with its result in formats without ids: equal keys give equal numbers.
    pub(crate) fn pair(&mut self, key: &str) -> u32 {
        self.transcript.call(key)
    }

    /// Adds a tool call that is already paired.
    pub(crate) fn call_as(&mut self, call: Option<u32>, name: Option<&str>, arguments: Option<Value<'_>>) {
        let tool = name.map(|name| self.transcript.tool(name));
        if let (Some(call), Some(tool)) = (call, tool) {
            self.call_tools.insert(call, tool);
        }
        let measure = |value: Value<'_>| match value.text() {
            Some(text) => text.length_of_arguments(),
            None => compact_length(value),
        };
        let length = arguments.filter(|value| !value.is_null()).map(measure).unwrap_or_default();
        self.transcript.push(Part { call, tool, ..Part::new(PartKind::ToolCall, length) });
        self.set_places(arguments.filter(|value| !value.is_null()).map(Value::span));
    }

    /// Records that the file has no id for the newest call.
    pub(crate) fn paired_by_place(&mut self) {
        if let Some(call) = self.transcript.parts().last().and_then(|part| part.call) {
            self.transcript.pair_by_place(call);
        }
    }

    /// Sets the length of the newest part in the notation of the format's own system.
    pub(crate) fn set_native_length(&mut self, native: Option<usize>) {
        let native = native.map(|length| u32::try_from(length).unwrap_or(u32::MAX));
        self.transcript.set_native(native.and_then(NonZeroU32::new));
    }

    /// Adds a tool result. `id` and `name` pair it with its call; the default for the name is the call's.
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

    /// The same with an id and a name that are not in the source.
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

    /// Adds a tool result that is already paired.
    pub(crate) fn result_as(
        &mut self,
        call: Option<u32>,
        name: Option<&str>,
        part: Part,
        slot: Option<Slot>,
    ) -> Option<u32> {
        // An output that cannot be cleared in the file has to stay.
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
            growth::push(&mut self.slots, (index, slot.moved(self.origins.as_ref())));
        }
        call
    }

    /// Adds a range that must also change when the output in part `index` is pruned.
    pub(crate) fn add_slot(&mut self, index: usize, slot: Slot) {
        let behind = self.slots.partition_point(|(part, _)| *part <= index);
        self.slots.insert(behind, (index, slot));
    }

    /// The index of the newest part.
    pub(crate) fn newest_part(&self) -> usize {
        self.transcript.parts().len().saturating_sub(1)
    }

    /// Adds a copy of the newest part that the file stores but does not send; it is removed with the output if the
    /// caller wants to free bytes.
    pub(crate) fn add_copy(&mut self, slot: Slot) {
        self.add_copy_of(self.newest_part(), slot);
    }

    /// The same for any part behind those that have copies.
    pub(crate) fn add_copy_of(&mut self, part: usize, slot: Slot) {
        self.copies.push((part, slot.moved(self.origins.as_ref())));
    }

    /// Adds an image or file, inside the result of `call` if there is one.
    pub(crate) fn media(&mut self, kind: PartKind, length: Length, call: Option<u32>) {
        self.transcript.push(Part { call, ..Part::new(kind, length) });
        if call.is_none() {
            self.note_own();
        }
    }

    /// What may be done with an output with this text for the call `id`; `has_failed` says whether the tool failed.
    pub(crate) fn output_of(&self, text: Option<Text<'_>>, id: Option<Text<'_>>, has_failed: bool) -> Output {
        let ordinary = if has_failed { Output::Error } else { Output::Ordinary };
        let Some(text) = text else { return ordinary };
        let tail = text.plain_tail(marks::REFERENCE_LENGTH).unwrap_or_default();
        let is_cleared = id.is_some_and(|id| marks::is_cleared(tail, &id.decode()));
        if is_cleared && text.length().utf16 <= marks::MOST_LEFT {
            return Output::Pruned;
        }
        match ordinary {
            _ if !self.is_placeholder(text) => ordinary,
            Output::Error => Output::FailedPlaceholder,
            _ => Output::Placeholder,
        }
    }

    /// Whether a pruned output is replaced by nothing.
    pub(crate) fn clears_to_nothing(&self) -> bool {
        self.placeholder.as_deref() == Some("")
    }

    /// Whether a text is the configured placeholder or one that another system writes.
    fn is_placeholder(&self, text: Text<'_>) -> bool {
        let today = self.placeholder.as_deref();
        let is_either = |text: &str| text == PLACEHOLDER || today == Some(text);
        text.is(PLACEHOLDER)
            || today.is_some_and(|today| text.is(today))
            || text.plain_tail(marks::REFERENCE_LENGTH) == Some(marks::NO_CALL)
                && text.decode().strip_suffix(marks::NO_CALL).is_some_and(is_either)
    }
}
