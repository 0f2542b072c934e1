//! OpenAI Responses items: a list, a request, a response, or a line each.
//!
//! Structures from `ResponseInputItem` in `resources/responses` of npm `openai` 6.49.

mod entry;
pub(super) mod item;
pub(super) mod parts;
mod related;
pub(super) mod speech;
pub(super) mod spelling;
pub(super) mod summary;

pub(super) use entry::{ENTRY, fault_of};
pub(super) use item::element_of;
pub(super) use spelling::element;

use self::item::{Entry, Kind, Spelling};
use self::parts::read_entries;
use self::related::relate;
use self::spelling::RESPONSES;
use super::marker::MarkerKind;
use super::placement::SummaryPlacement;
use super::recorder::Recorder;
use super::source::Source;
use super::usage;
use crate::error::Error;
use crate::json::Value;
use crate::transcript::{Message, PartKind, Role};

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    Ok(read_as(source, &RESPONSES, recorder))
}

/// Reads items in a spelling.
pub(super) fn read_as(
    source: &Source<'_>,
    spelling: &'static Spelling,
    recorder: &mut Recorder,
) -> SummaryPlacement {
    let root = source.root().filter(|root| root.is_object() && !source.is_lines);
    let Some(root) = root else {
        read_list(source.list().into_iter(), None, spelling, recorder);
        return SummaryPlacement::List(spelling.summary);
    };
    if let Some(instructions) = root.get("instructions").filter(|value| value.is_string()) {
        recorder.begin_unlisted(Message::new(Role::System), instructions.span());
        recorder.text(PartKind::Text, instructions.text());
    }
    if let Some(input) = root.present("input") {
        if input.is_string() {
            recorder.begin(Message::person(), input.span());
            recorder.text(PartKind::Text, input.text());
            return SummaryPlacement::None;
        }
        read_list(input.elements(), None, spelling, recorder);
        return SummaryPlacement::List(spelling.summary);
    }
    // What a conversation of the API returns.
    if root.get("data").is_some_and(Value::is_array) {
        read_list(root.elements_of("data"), None, spelling, recorder);
        return SummaryPlacement::List(spelling.summary);
    }
    if root.get("output").is_some_and(Value::is_array) {
        read_list(root.elements_of("output"), root.get("usage"), spelling, recorder);
    } else if source.list().is_empty() {
        read_list([root].into_iter(), None, spelling, recorder);
    } else {
        read_list(source.list().into_iter(), None, spelling, recorder);
        return SummaryPlacement::List(spelling.summary);
    }
    // A provider's response contains only the model's items, so it has no place for a summary.
    SummaryPlacement::None
}

fn read_list<'d>(
    items: impl Iterator<Item = Value<'d>>,
    reported: Option<Value<'_>>,
    spelling: &Spelling,
    recorder: &mut Recorder,
) {
    let mut entries: Vec<_> = items.map(|item| Entry::of(item, spelling)).collect();
    if let Some(last) = entries.last_mut() {
        last.usage = usage::total(reported, spelling.usage);
    }
    let is_compaction = |entry: &Entry<'_>| entry.item.kind == Kind::Compaction;
    if spelling.leaves_out {
        recorder.skip_messages(entries.iter().rposition(is_compaction).unwrap_or(0));
    }
    relate(&mut entries, spelling);
    read_entries(&entries, spelling, recorder);
    for entry in entries.iter().filter(|entry| is_compaction(entry)) {
        recorder.mark(MarkerKind::Compaction, "compaction", entry.item.value.span());
    }
}

#[cfg(test)]
mod tests;
