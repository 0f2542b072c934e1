//! Slots: where outputs are pruned in a source, and how.

use std::ops::Range;

use crate::edit::Edit;
use crate::json::{Origins, Text, Value, quote};
use crate::marks::{self, Reference};
use crate::policy::PrunePolicy;

/// Where one output is pruned in the source, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    /// The bytes that are replaced; empty for an insertion.
    range: Range<usize>,
    /// Written in front of the new value: a comma and a key if the value is inserted.
    lead: String,
    shape: Shape,
    /// Whether the slot is inside a string, so that the new value must be escaped.
    escaped: bool,
    /// The call that the output answers, if the source has an id for it.
    call: Option<Reference>,
    /// What is around a long text instead of what the shape says.
    shell: Option<Box<[String; 2]>>,
}

/// What replaces pruned outputs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clearing<'p> {
    pub(crate) placeholder: &'p str,
    /// Whether a reference to the call follows the placeholder.
    pub(crate) reference: bool,
    pub(crate) now: u64,
}

impl<'p> Clearing<'p> {
    pub(crate) fn of(policy: &'p PrunePolicy, now: u64) -> Self {
        Self { placeholder: policy.bare_placeholder(), reference: policy.reference, now }
    }
}

/// How a pruned output is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The placeholder as a string.
    Text,
    /// `[{"type":"text","text":placeholder}]`
    Blocks,
    /// The time of pruning in milliseconds, as a number.
    Moment,
    /// The placeholder as a string between these two texts.
    Within(&'static str, &'static str),
    /// This text.
    Fixed(&'static str),
}

impl Slot {
    /// Replaces the member `key` of `object`, or adds it after the last member. A value that is not an object is
    /// replaced as a whole.
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
        // The white space before the last key and after its colon, so that the new member looks the same.
        let style = source.get(style_from..).unwrap_or_default();
        let indent: String = style.chars().take_while(|character| character.is_ascii_whitespace()).collect();
        let gap = if last.is_some_and(|(_, value)| has_gap(source, value)) { " " } else { "" };
        let lead = format!("{comma}{indent}{}:{gap}", quote(key));
        Self { range: at..at, lead, shape, escaped: false, call: None, shell: None }
    }

    /// Replaces a value.
    pub(crate) fn of_value(value: Value<'_>, shape: Shape) -> Self {
        Self { range: value.span(), lead: String::new(), shape, escaped: false, call: None, shell: None }
    }

    /// The same slot if the object is JSON inside a string of the source.
    pub(super) fn moved(self, origins: Option<&Origins>) -> Self {
        let Some(origins) = origins else { return self };
        Self { range: origins.of(&self.range), escaped: true, ..self }
    }

    /// Removes an element of a list and the comma after the element before it, `previous`.
    pub(crate) fn removing(previous: Value<'_>, element: Value<'_>) -> Self {
        let range = previous.span().end..element.span().end;
        Self { range, lead: String::new(), shape: Shape::Fixed(""), escaped: false, call: None, shell: None }
    }

    /// The same slot for the output that answers the call `id`.
    pub(crate) fn answering(self, id: Option<Text<'_>>) -> Self {
        Self { call: id.map(|id| Reference::to_call(&id.decode())), ..self }
    }

    /// The same slot, in which `shell` is around a long text.
    pub(super) fn shelled(self, shell: Option<[String; 2]>) -> Self {
        Self { shell: shell.map(Box::new), ..self }
    }

    /// The same slot with `lead` written in front of the new value.
    pub(crate) fn led_by(self, lead: String) -> Self {
        Self { lead, ..self }
    }

    /// The bytes that are replaced.
    pub(crate) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The edit that prunes the output.
    pub(crate) fn edit(&self, clearing: Clearing<'_>) -> Edit {
        let text = || {
            let Clearing { placeholder, reference, .. } = clearing;
            if reference { marks::cleared(placeholder, self.call) } else { placeholder.to_owned() }
        };
        match self.shape {
            // Agents treat a time of 0 as not set.
            Shape::Moment => self.written(&clearing.now.max(1).to_string()),
            Shape::Fixed(value) => self.written(value),
            _ => self.holding(&text()),
        }
    }

    /// The edit that leaves `preview` of the output; `None` in a slot that only marks an output as pruned.
    pub(crate) fn showing(&self, preview: &str) -> Option<Edit> {
        match self.shape {
            Shape::Moment => None,
            Shape::Fixed(value) => Some(self.written(value)),
            _ => Some(self.holding(preview)),
        }
    }

    /// Whether the slot only marks an output as pruned, so that what is sent instead stands elsewhere.
    pub(crate) fn is_mark(&self) -> bool {
        self.shape == Shape::Moment
    }

    /// The edit that writes a text into the slot.
    fn holding(&self, text: &str) -> Edit {
        let shell = self.shell.as_deref().filter(|_| is_long(text));
        // Bedrock refuses a block of text that says nothing.
        let is_list = matches!(self.shape, Shape::Within(before, _) if before.starts_with('['));
        if is_list && text.trim().is_empty() {
            return self.written("[]");
        }
        let text = quote(text);
        if let Some([before, after]) = shell {
            return self.written(&format!("{before}{text}{after}"));
        }
        self.written(&match self.shape {
            Shape::Blocks => format!(r#"[{{"type":"text","text":{text}}}]"#),
            Shape::Within(before, after) => format!("{before}{text}{after}"),
            _ => text,
        })
    }

    /// The edit that writes `value` into the slot.
    pub(crate) fn written(&self, value: &str) -> Edit {
        let written = format!("{}{value}", self.lead);
        let escaped = self.escaped.then(|| quote(&written));
        let inside = escaped.as_deref().and_then(|quoted| quoted.strip_prefix('"')?.strip_suffix('"'));
        Edit::new(self.range.clone(), inside.unwrap_or(&written))
    }
}

/// The start of the white space before the last member of `object`.
fn before_last_member(object: Value<'_>) -> usize {
    let ends = object.members().map(|(_, value)| value.span().end);
    let (before, _) = ends.fold((None, None), |(_, last), end| (last, Some(end)));
    before.map_or(object.span().start + 1, |end| end + 1)
}

/// Whether there is a space between a member's colon and its value.
fn has_gap(source: &str, value: Value<'_>) -> bool {
    source.get(..value.span().start).is_some_and(|before| before.ends_with(' '))
}

/// Whether a text would be taken for one that stays.
pub(super) fn is_long(text: &str) -> bool {
    text.chars().nth(MOST_CHARACTERS).is_some()
}

/// A text with more characters is long: a shorter one is a word, a date or an id, which stays.
const MOST_CHARACTERS: usize = 24;

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
