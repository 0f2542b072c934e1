//! Recording a summary in a session: the new message, and what happens to the old ones.

use std::borrow::Cow;
use std::ops::Range;

use super::reading::Reading;
use crate::edit::{Edit, apply};
use crate::error::Error;
use crate::marks;
use crate::order::sort_by;
use crate::plan::{Fate, Plan};
use crate::transcript::{Part, Role};

const USER: &str = "user";

/// What only a summary in a live session has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Telling<'t> {
    /// How many messages came behind the session since the plan was made. They stay.
    pub newer: usize,
    /// Whose words the summary is, if not the user's and the format can have it.
    pub role: Option<&'static str>,
    /// Whether the model answers it in front of a message of the user.
    pub is_answered: bool,
    /// What tells a model what it is.
    pub introduction: Option<&'t str>,
}

/// A summary to record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary<'s> {
    pub(crate) session: &'s Reading,
    pub(crate) source: &'s str,
    pub(crate) plan: &'s Plan,
    pub(crate) text: &'s str,
    /// What the plan changes in messages, in order of the source.
    pub(crate) changes: &'s [Edit],
    pub(crate) now: u64,
    pub(crate) telling: Telling<'s>,
    /// Whether an answer of the model follows.
    pub(crate) is_answered: bool,
}

impl Summary<'_> {
    /// How many messages follow the summary once it is recorded.
    pub(super) fn kept_behind(&self) -> usize {
        self.behind().count() + self.telling.newer
    }

    /// The messages after the summary's place that stay in the list.
    fn behind(&self) -> impl Iterator<Item = usize> {
        let count = self.plan.messages.len();
        let last = self.last_summarized();
        let is_gone = move |index: usize| {
            self.is_summarized(index) && !self.is_opaque(index) || self.would_return(index, last)
        };
        // The summary comes after the part that the server compacted.
        let opaque = (0..count).rev().find(|index| self.is_opaque(*index)).map_or(0, |opaque| opaque + 1);
        let place = (opaque..count).find(|index| is_gone(*index)).unwrap_or(opaque);
        // Messages after the last one that is sent belong to another conversation of the file.
        let sent = |index: &usize| {
            self.session.transcript.messages().get(*index).is_some_and(|message| message.active)
        };
        let count = (place..count).rev().find(sent).map_or(place, |last| last + 1);
        (place..count).filter(move |index| !is_gone(*index))
    }

    /// Who speaks in the first message behind the summary that is sent.
    fn next_role(&self) -> Option<Role> {
        let messages = self.session.transcript.messages();
        let mut behind = self.behind().filter_map(|index| messages.get(index));
        behind.find(|message| message.active && message.role != Role::System).map(|message| message.role)
    }

    /// What separates the summary's message from another one behind it.
    pub(super) fn separator(&self) -> &'static str {
        self.separator_after(self.removed().first().map_or(0, |span| span.end))
    }

    /// What separates messages around `end`, where a message ends: the comma of a list, or the end of a line.
    fn separator_after(&self, end: usize) -> &'static str {
        let after = self.source.get(end..).unwrap_or_default().trim_start();
        if after.starts_with([',', ']']) { "," } else { "\n" }
    }

    /// The first line of a summary, by which it is recognized later. `more` further messages follow it, the first of
    /// which has the text `anchor`.
    pub(super) fn lead(&self, more: usize, anchor: &str) -> String {
        let planned = &self.plan.messages;
        let stands_for = planned.iter().filter(|message| message.fate == Fate::Summarized).count();
        marks::lead(stands_for, self.kept_behind() + more, anchor)
    }

    /// The summary after the line by which it is recognized later: how many messages it replaces, and what follows
    /// it.
    pub(super) fn marked(&self) -> String {
        let text = self.introduced();
        let lead = if self.is_answered {
            self.lead(1, ACKNOWLEDGED)
        } else {
            // If no anchor follows, the summary's own text is the anchor.
            self.lead(0, self.anchor().as_deref().unwrap_or(&text))
        };
        lead + &text
    }

    fn introduced(&self) -> Cow<'_, str> {
        match self.telling.introduction {
            Some(introduction) => Cow::Owned([introduction, marks::BREAK, self.text].concat()),
            None => Cow::Borrowed(self.text),
        }
    }

    fn anchor(&self) -> Option<Cow<'_, str>> {
        self.behind().find_map(|index| self.session.anchor_of(self.source, index))
    }

    /// Whose words it is. Its own words prove nothing but in a message of the user, where nobody gains by them.
    pub(super) fn role(&self) -> &'static str {
        self.telling.role.filter(|_| self.anchor().is_some()).unwrap_or(USER)
    }

    /// Whether it would be a message of the user in front of another one.
    pub(super) fn is_in_a_row(&self) -> bool {
        self.telling.role.is_none_or(|role| role == USER)
            && matches!(self.next_role(), Some(Role::User | Role::Tool))
    }

    /// Whether the plan summarizes message `index` although its content is encrypted by the server's compaction. Such
    /// a message must stay.
    pub(super) fn is_opaque(&self, index: usize) -> bool {
        let is_summary = self.session.transcript.messages().get(index).is_some_and(|message| message.summary);
        let is_encrypted = |part: &Part| part.signed && part.length.utf16 == 0;
        let parts = self.session.transcript.parts_of(index);
        is_summary && self.is_summarized(index) && !parts.is_empty() && parts.iter().all(is_encrypted)
    }

    pub(super) fn is_summarized(&self, index: usize) -> bool {
        self.plan.messages.get(index).is_some_and(|message| message.fate == Fate::Summarized)
    }

    /// Message `index` after the plan is carried out: its bytes with their changes.
    ///
    /// # Errors
    ///
    /// `mismatch` if the source is not the session's.
    pub(super) fn written(&self, index: usize) -> Result<String, Error> {
        let span = self.session.span(index);
        let first = self.changes.partition_point(|edit| edit.range.start < span.start);
        let inside = self.changes.iter().skip(first).take_while(|edit| edit.range.end <= span.end);
        let moved = inside.map(|edit| {
            let range = edit.range.start - span.start..edit.range.end - span.start;
            Edit::new(range, edit.replacement.as_str())
        });
        apply(self.source.get(span.clone()).unwrap_or_default(), &moved.collect::<Vec<_>>())
    }

    /// The range of the first message that the summary replaces.
    pub(super) fn first_replaced(&self) -> Option<Range<usize>> {
        let first = (0..self.plan.messages.len()).find(|index| self.is_summarized(*index));
        first.map(|index| self.session.span(index))
    }

    fn last_summarized(&self) -> Option<usize> {
        (0..self.plan.messages.len()).rev().find(|index| self.is_summarized(*index))
    }

    /// Whether the server leaves out a message before the `last` summarized one because of a compaction block, and
    /// would send it again if that block were removed.
    fn would_return(&self, index: usize, last: Option<usize>) -> bool {
        let is_inactive = self.plan.messages.get(index).is_some_and(|message| message.fate == Fate::Inactive);
        is_inactive
            && self.session.placement.is_compacted_by_server()
            && last.is_some_and(|last| index < last)
    }

    /// The ranges of the summarized messages of the list, in order of the source.
    pub(super) fn removed(&self) -> Vec<Range<usize>> {
        let count = self.plan.messages.len();
        let last = self.last_summarized();
        let returns = |index: usize| self.would_return(index, last);
        let mut spans: Vec<_> = (0..count)
            .filter(|index| {
                (self.is_summarized(*index) && !self.is_opaque(*index) || returns(*index))
                    && self.session.listed.get(*index).copied().unwrap_or(false)
            })
            .map(|index| self.session.span(index))
            .collect();
        sort_by(&mut spans, &|one, other| one.start.cmp(&other.start));
        spans
    }

    /// Replaces the first summarized message by `message` and removes the others, each with the separator before it.
    pub(super) fn replace_messages(&self, message: &str) -> Vec<Edit> {
        let opaque = (0..self.plan.messages.len()).rev().find(|index| self.is_opaque(*index));
        if let Some(opaque) = opaque.map(|index| self.session.span(index)) {
            return self.replace_behind(&opaque, message);
        }
        let mut edits: Vec<Edit> = Vec::new();
        for (index, span) in self.removed().into_iter().enumerate() {
            if index == 0 {
                edits.push(Edit::new(span, message));
            } else {
                edits.push(Edit::new(self.separator_before(&span)..span.end, ""));
            }
        }
        join(edits)
    }

    /// The same after `opaque`, which stays: the server ignores everything before it.
    fn replace_behind(&self, opaque: &Range<usize>, message: &str) -> Vec<Edit> {
        let mut removed = self.removed();
        let place =
            removed.iter().position(|span| span.start >= opaque.end).map(|place| removed.remove(place));
        let mut edits = self.remove(&removed);
        edits.push(place.map_or_else(
            || {
                let separator = self.separator_after(opaque.end);
                Edit::new(opaque.end..opaque.end, format!("{separator}{message}"))
            },
            |place| Edit::new(place, message),
        ));
        join(edits)
    }

    /// The start of the comma (or line break) before the element at `element`; for the first element of an array, the
    /// start of the element.
    fn separator_before(&self, element: &Range<usize>) -> usize {
        let (start, end) = (element.start, element.end);
        let before = self.source.get(..start).unwrap_or_default();
        let trimmed = before.trim_end_matches([' ', '\t', '\r', '\n']);
        let in_front = trimmed.strip_suffix(',').map(|front| front.trim_end_matches([' ', '\t', '\r', '\n']));
        // If messages are lines, a comma at the end of an earlier line separates nothing.
        let blank = before.get(trimmed.len()..).unwrap_or_default();
        let is_of_earlier_line = self.session.is_lines && blank.contains('\n');
        match in_front.filter(|front| !is_of_earlier_line && ends_a_value(front)) {
            Some(front) => front.len(),
            None if trimmed.ends_with('[') => start,
            // A line that contains anything else stays.
            None if !self.ends_its_line(end) => start,
            None => trimmed.len(),
        }
    }

    /// Whether the line ends after the element that ends at `end`.
    fn ends_its_line(&self, end: usize) -> bool {
        let rest = self.source.get(end..).unwrap_or_default().trim_start_matches([' ', '\t', '\r']);
        rest.is_empty() || rest.starts_with('\n')
    }

    /// The start of the next element, if a comma follows the element that ends at `end`.
    fn next_element(&self, end: usize) -> Option<usize> {
        let after = self.source.get(end..)?;
        let comma = after.find(|character: char| !character.is_ascii_whitespace())?;
        let rest = after.get(comma..)?.strip_prefix(',')?;
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        Some(end + comma + 1 + blank)
    }

    /// The start of the next line, if messages are lines and nothing else follows on the one where `end` is.
    fn next_line(&self, end: usize) -> Option<usize> {
        let (rest, _) = self.source.get(end..).filter(|_| self.session.is_lines)?.split_once('\n')?;
        rest.trim().is_empty().then_some(end + rest.len() + 1)
    }

    /// Removes elements of a list. Adjacent elements are removed with the comma after them or, at the end of the
    /// list, with the comma before them. Lines are removed with the line end before them or, at the start of the file,
    /// with the one after them.
    pub(super) fn remove(&self, elements: &[Range<usize>]) -> Vec<Edit> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        let follows =
            |end: usize, start: usize| [self.next_element(end), self.next_line(end)].contains(&Some(start));
        for element in elements {
            match runs.last_mut() {
                Some(run) if follows(run.end, element.start) => run.end = element.end,
                _ => runs.push(element.clone()),
            }
        }
        let with_separator = |run: Range<usize>| {
            let next_line = || self.next_line(run.end).filter(|_| run.start == 0);
            match self.next_element(run.end).or_else(next_line) {
                Some(next) => run.start..next,
                None => self.separator_before(&run)..run.end,
            }
        };
        runs.into_iter().map(|run| Edit::new(with_separator(run), "")).collect()
    }
}

/// Whether `text` ends with a complete JSON value. Only then does a comma after it separate two values; text after a
/// value on the same line that is not JSON (`{…}:,`) stays with its commas.
fn ends_a_value(text: &str) -> bool {
    if text.ends_with(['}', ']', '"']) {
        return true;
    }
    let is_of_word =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '+' | '-' | '.');
    let before = text.trim_end_matches(is_of_word);
    let word = text.get(before.len()..).unwrap_or_default();
    let is_literal = matches!(word, "true" | "false" | "null")
        || word.starts_with(|first: char| first.is_ascii_digit() || first == '-');
    is_literal && before.trim_end().ends_with(['[', ','])
}

/// Merges adjacent edits, so that all edits are in order and do not overlap.
pub(super) fn join(mut edits: Vec<Edit>) -> Vec<Edit> {
    let place = |edit: &Edit| (edit.range.start, edit.range.end);
    sort_by(&mut edits, &|one, other| place(one).cmp(&place(other)));
    let mut joined: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match joined.last_mut() {
            Some(last) if edit.range.start <= last.range.end && !edit.range.is_empty() => {
                last.range.end = last.range.end.max(edit.range.end);
                last.replacement.push_str(&edit.replacement);
            }
            _ => joined.push(edit),
        }
    }
    joined
}

/// What the model says to a summary in front of the user's own words.
pub(crate) const ACKNOWLEDGED: &str = "Understood.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_separates_values_and_nothing_else() {
        for text in ["[{}", "[[]", r#"["a""#, "[1", "[-2.5e+3", "[true", "[1, null"] {
            assert!(ends_a_value(text), "{text}");
        }
        for text in ["", "[", "{}:", "{} what", "{}x", "{} 1", "[nul"] {
            assert!(!ends_a_value(text), "{text}");
        }
    }
}
