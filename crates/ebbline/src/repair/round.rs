//! One round of a repair: the edits that mend what does not depend on another fault.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::anatomy::Anatomy;
use super::mended::{Mended, Mending};
use crate::edit::Edit;
use crate::format::Layout;
use crate::json::{Document, Value};
use crate::rules::{Rule, Rules};
use crate::session_text::SessionText;
use crate::transcript::{Part, PartKind, Role};
use crate::validate::Violation;

/// A session under repair, and what this round does to it.
pub(super) struct Round<'s> {
    pub(super) session: &'s SessionText<'s>,
    pub(super) layout: &'static Layout,
    pub(super) rules: Rules,
    /// The messages that are sent, in order.
    pub(super) active: Vec<usize>,
    pub(super) edits: Vec<Edit>,
    pub(super) done: Vec<Mended>,
    /// Messages with an edit: a second fault of such a message waits for the next round.
    pub(super) touched: HashSet<usize>,
    /// The messages that are removed as a whole.
    pub(super) gone: BTreeSet<usize>,
    /// For each call, the messages that make it.
    pub(super) calls: HashMap<u32, Vec<usize>>,
    /// Where several messages begin that were made of one entry.
    pub(super) shared: HashSet<usize>,
}

impl<'s> Round<'s> {
    pub(super) fn parts(&self, message: usize) -> &'s [Part] {
        self.session.transcript().parts_of(message)
    }

    pub(super) fn role(&self, message: usize) -> Option<Role> {
        self.session.transcript().messages().get(message).map(|message| message.role)
    }

    pub(super) fn source(&self) -> &'s str {
        self.session.text().as_str()
    }

    /// The JSON of a message; `None` if the message is not JSON of its own in the source.
    pub(super) fn document(&self, message: usize) -> Option<Document<'s>> {
        Document::parse_range(self.source(), self.session.span(message)).ok()
    }

    /// Whether no edit of this round concerns the message.
    pub(super) fn is_free(&self, message: usize) -> bool {
        !self.touched.contains(&message)
    }

    pub(super) fn claim(&mut self, message: usize) {
        self.touched.insert(message);
    }

    pub(super) fn is_gone(&self, message: usize) -> bool {
        self.gone.contains(&message)
    }

    pub(super) fn take_out(&mut self, message: usize) {
        self.gone.insert(message);
        self.claim(message);
    }

    pub(super) fn gone(&self) -> impl Iterator<Item = usize> {
        self.gone.iter().copied()
    }

    /// The messages that make a call.
    pub(super) fn makers(&self, call: u32) -> &[usize] {
        self.calls.get(&call).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether other messages were made of the same entry.
    pub(super) fn is_shared(&self, message: usize) -> bool {
        self.shared.contains(&self.session.span(message).start)
    }

    /// The messages that are sent behind this one.
    pub(super) fn behind(&self, message: usize) -> &[usize] {
        let first = self.active.partition_point(|active| *active <= message);
        self.active.get(first..).unwrap_or_default()
    }

    pub(super) fn index(&mut self) {
        let mut seen = HashSet::new();
        for span in &self.session.reading.spans {
            if !seen.insert(span.start) {
                self.shared.insert(span.start);
            }
        }
        for message in &self.active {
            for part in self.session.transcript().parts_of(*message) {
                if let Some(call) = part.call.filter(|_| part.kind == PartKind::ToolCall) {
                    self.calls.entry(call).or_default().push(*message);
                }
            }
        }
    }

    pub(super) fn edit(&mut self, edits: impl IntoIterator<Item = Edit>) {
        self.edits.extend(edits);
    }

    pub(super) fn mended(&mut self, fault: &Violation, mending: Mending, how: &str) {
        self.done.push(Mended {
            mending,
            rule: fault.rule,
            message: fault.message,
            text: format!("{}; {how}", fault.text),
            line: fault.place.map_or(1, |place| place.line),
            byte: self.session.span(fault.message).start,
        });
    }

    /// The last message of the answer that `message` belongs to: an answer may be several entries.
    pub(super) fn answer_end(&self, message: usize) -> usize {
        let goes_on = |next: &&usize| {
            let next = self.session.transcript().messages().get(**next);
            next.is_some_and(|next| next.continues && next.role == Role::Assistant)
        };
        self.behind(message).iter().take_while(goes_on).last().copied().unwrap_or(message)
    }

    /// Whether something in the answer of `message` is signed: the provider refuses such an answer if it was changed.
    pub(super) fn is_signed(&self, message: usize) -> bool {
        let end = self.answer_end(message);
        let messages = self.session.transcript().messages();
        let continues = |index: usize| messages.get(index).is_some_and(|message| message.continues);
        let is_signed = |index: usize| self.parts(index).iter().any(|part| part.signed);
        let until = self.active.partition_point(|active| *active <= end);
        for index in self.active.iter().take(until).rev() {
            if is_signed(*index) {
                return true;
            }
            if !continues(*index) {
                break;
            }
        }
        false
    }

    /// Writes an empty text where a provider demands one, and removes empty lists of calls.
    pub(super) fn fill(&mut self, faults: &[Violation]) {
        for fault in faults.iter().filter(|fault| self.is_free(fault.message)).collect::<Vec<_>>() {
            match (fault.rule, fault.part) {
                (Rule::EmptyResult, Some(part)) => {
                    let index = self.session.transcript().part_range(fault.message).start + part;
                    let slots = self.session.reading.slots.iter();
                    let slot =
                        slots.filter(|(of, _)| *of == index).map(|(_, slot)| slot.written("\"\"")).next();
                    if let Some(edit) = slot {
                        self.claim(fault.message);
                        self.edit([edit]);
                        self.mended(fault, Mending::Filled, "an empty text was written");
                    }
                }
                (Rule::EmptyCalls, None) => {
                    let Some(document) = self.document(fault.message) else { continue };
                    let anatomy = Anatomy::of(&document, self.layout);
                    let edits = empty_members(&anatomy);
                    if !edits.is_empty() {
                        self.claim(fault.message);
                        self.edit(edits);
                        self.mended(fault, Mending::Removed, "it was removed");
                    }
                }
                _ => {}
            }
        }
    }
}

/// Whether anything is left of a message without the parts `gone` that a provider takes for content: thinking alone is
/// none.
pub(super) fn says_else(parts: &[Part], gone: &HashSet<usize>) -> bool {
    let is_enclosed = |part: &Part| {
        let inside = part.call.is_some() && !matches!(part.kind, PartKind::ToolCall | PartKind::ToolResult);
        let mut results = gone.iter().filter_map(|at| parts.get(*at));
        inside && results.any(|result| result.call == part.call)
    };
    let is_nothing = |part: &Part| {
        part.kind == PartKind::Thinking && !part.signed
            || matches!(part.kind, PartKind::Text | PartKind::Summary) && part.length.utf16 == 0
    };
    let stays = parts.iter().enumerate().filter(|(at, _)| !gone.contains(at));
    stays.map(|(_, part)| part).any(|part| !is_enclosed(part) && !is_nothing(part))
}

/// The list that new elements are added to.
pub(super) fn first_list<'d>(anatomy: &Anatomy<'d>, layout: &Layout) -> Option<Value<'d>> {
    let path = layout.lists.first()?.path;
    anatomy.lists.first().filter(|list| list.layout.path == path).map(|list| list.value)
}

/// Faults by their message.
pub(super) fn by_message(
    faults: &[Violation],
    wanted: impl Fn(&Violation) -> bool,
) -> BTreeMap<usize, Vec<&Violation>> {
    let mut found: BTreeMap<usize, Vec<_>> = BTreeMap::new();
    for fault in faults.iter().filter(|fault| wanted(fault)) {
        found.entry(fault.message).or_default().push(fault);
    }
    found
}

/// The edits that remove lists which must not be empty and are.
pub(super) fn empty_members(anatomy: &Anatomy<'_>) -> Vec<Edit> {
    let lists = anatomy.lists.iter().filter(|list| list.layout.goes_when_empty);
    let empty = lists.filter(|list| list.value.elements().next().is_none());
    empty
        .filter_map(|list| list.layout.path.last())
        .flat_map(|key| super::pieces::without_member(anatomy.body, key))
        .collect()
}
