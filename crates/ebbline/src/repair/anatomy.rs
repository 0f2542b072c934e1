//! A message's JSON, taken apart by the layout of its format.

use crate::format::{Element, Layout, Listed};
use crate::json::{Document, Value};
use crate::transcript::{Part, PartKind};

/// A message's JSON and where its elements are.
#[derive(Debug)]
pub(super) struct Anatomy<'d> {
    /// The message without its envelope.
    pub(super) body: Value<'d>,
    whole: Option<Element>,
    pub(super) lists: Vec<List<'d>>,
    has_sole_call: bool,
}

/// A list of elements.
#[derive(Debug)]
pub(super) struct List<'d> {
    pub(super) value: Value<'d>,
    pub(super) layout: &'static Listed,
    elements: Vec<Option<Element>>,
}

/// Where an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// It is the message.
    Whole,
    /// The list, and the index in it.
    At(usize, usize),
    /// It is a member of the message.
    SoleCall,
}

impl<'d> Anatomy<'d> {
    pub(super) fn of(document: &'d Document<'d>, layout: &'static Layout) -> Self {
        let entry = document.root();
        let inside = layout.inside.iter().find_map(|key| entry.get(key).filter(|body| body.is_object()));
        let body = inside.unwrap_or(entry);
        let list = |listed: &'static Listed| {
            // A system prompt beside the messages is a list by itself.
            let path = if body.is_array() { &[] } else { listed.path };
            let value = path.iter().try_fold(body, |value, key| value.get(key))?;
            let elements = value.elements().map(listed.element).collect();
            value.is_array().then_some(List { value, layout: listed, elements })
        };
        Self {
            body,
            whole: (layout.whole)(body),
            lists: layout.lists.iter().filter_map(list).collect(),
            has_sole_call: layout.sole_call.is_some_and(|key| body.present(key).is_some()),
        }
    }

    /// Where the part at `at` is in JSON. An element may be in several lists. `None` if the lists do not contain as many
    /// elements of its kind as the message has parts.
    pub(super) fn spots(&self, parts: &[Part], at: usize) -> Option<Vec<Spot>> {
        let part = parts.get(at)?;
        let kind = element_of(part.kind)?;
        let same = |part: &&Part| element_of(part.kind) == Some(kind);
        let count = parts.iter().filter(same).count();
        let rank = parts.iter().take(at).filter(same).count();
        if self.whole == Some(kind) {
            return (count == 1).then(|| vec![Spot::Whole]);
        }
        let mut spots = Vec::new();
        let sole = usize::from(self.has_sole_call && kind == Element::Call);
        for (number, list) in self.lists.iter().enumerate() {
            let found: Vec<_> = list.indices(kind).collect();
            match found.len() {
                0 => {}
                length if length + sole == count => {
                    spots.extend(found.get(rank).map(|index| Spot::At(number, *index)));
                }
                _ => return None,
            }
        }
        if spots.is_empty() && sole == 1 && rank + 1 == count {
            spots.push(Spot::SoleCall);
        }
        (!spots.is_empty()).then_some(spots)
    }

    /// The texts of the first list that say nothing.
    pub(super) fn empty_texts(&self) -> Vec<Spot> {
        let Some(list) = self.lists.first() else { return Vec::new() };
        let is_empty = |value: Value<'_>| {
            value.text_of("text").or_else(|| value.text()).is_some_and(crate::json::Text::is_blank)
        };
        let elements: Vec<_> = list.value.elements().collect();
        let found =
            list.indices(Element::Text).filter(|index| elements.get(*index).copied().is_some_and(is_empty));
        found.map(|index| Spot::At(0, index)).collect()
    }
}

impl List<'_> {
    fn indices(&self, kind: Element) -> impl Iterator<Item = usize> {
        let elements = self.elements.iter().enumerate();
        elements.filter(move |(_, element)| **element == Some(kind)).map(|(index, _)| index)
    }

    /// The element at `index`, and what goes with it.
    pub(super) fn with_enclosures(&self, index: usize) -> impl Iterator<Item = usize> {
        let is_result = self.elements.get(index).copied().flatten() == Some(Element::Result);
        let behind = self.elements.iter().enumerate().skip(index + 1);
        let enclosed =
            behind.take_while(move |(_, element)| is_result && **element == Some(Element::Enclosure));
        std::iter::once(index).chain(enclosed.map(|(index, _)| index))
    }
}

fn element_of(kind: PartKind) -> Option<Element> {
    match kind {
        PartKind::ToolCall => Some(Element::Call),
        PartKind::ToolResult => Some(Element::Result),
        PartKind::Text => Some(Element::Text),
        PartKind::Thinking => Some(Element::Thinking),
        _ => None,
    }
}
