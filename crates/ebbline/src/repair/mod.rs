//! Mends what a provider would refuse: results without calls, calls without results, and what is empty.
//!
//! A repair is made of edits, as a compaction is: every byte outside them is copied. It works in rounds. Each round
//! validates the session, mends what it can, and reads the text that results; the repair ends when a round finds nothing
//! to mend. What is left is named.
//!
//! No outcome is invented. A call without a result is removed; where it cannot be, because the message is signed and the
//! provider refuses a signed message that was changed, it gets a result which says that the outcome is unknown.

mod anatomy;
mod edits;
mod mended;
mod pieces;
mod removal;
mod results;
mod round;

pub use mended::{Mended, Mending, Repaired};

use crate::edit::Edit;
use crate::error::Error;
use crate::format::Format;
use crate::order::sort_by;
use crate::rules::Rules;
use crate::session_text::{ReadOptions, SessionText};
use crate::text::Text;

/// No session needs more: a round mends whatever does not depend on another fault.
const MOST_ROUNDS: usize = 32;

/// Repairs the text of a session. What it does not understand stays: a message whose role no format has, and every
/// message of a list that is not of the format that was asked for by its name.
///
/// # Errors
///
/// As [`SessionText::read_with`].
///
/// # Example
///
/// ```
/// use ebbline::ReadOptions;
/// use ebbline::repair::{Mending, repair};
/// let text = r#"[{"role": "user", "content": "list the files"},
///  {"role": "tool", "tool_call_id": "c1", "content": "Cargo.toml"}]"#;
/// let repaired = repair(text, &ReadOptions::new())?;
/// assert_eq!(repaired.bytes, br#"[{"role": "user", "content": "list the files"}]"#);
/// assert_eq!((repaired.done[0].message, repaired.done[0].mending), (1, Mending::Removed));
/// assert!(repaired.left.is_empty());
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn repair<'s>(text: impl Into<Text<'s>>, options: &ReadOptions) -> Result<Repaired, Error> {
    repair_under(text, options, Rules::of)
}

/// As [`repair`], for a server that is stricter than the provider, or less strict: `rules` are those of the session's format.
///
/// # Errors
///
/// As [`SessionText::read_with`].
///
/// # Example
///
/// ```
/// use ebbline::ReadOptions;
/// use ebbline::repair::{repair, repair_under};
/// use ebbline::validate::{Rule, Rules};
/// let text = r#"[{"role": "user", "content": "list the files"}, {"role": "user", "content": ""}]"#;
/// // OpenAI takes an empty text; many servers behind its format do not.
/// assert!(repair(text, &ReadOptions::new())?.done.is_empty());
/// let rules = |format| Rules::of(format).also(&[Rule::EmptyText]);
/// let repaired = repair_under(text, &ReadOptions::new(), rules)?;
/// assert_eq!(repaired.bytes, br#"[{"role": "user", "content": "list the files"}]"#);
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn repair_under<'s>(
    text: impl Into<Text<'s>>,
    options: &ReadOptions,
    rules: impl Fn(Format) -> Rules,
) -> Result<Repaired, Error> {
    let original = SessionText::read_with(text, options)?;
    let rules = rules(original.format());
    let places = Original::of(&original);
    let mut rounds: Vec<Vec<Edit>> = Vec::new();
    let mut done = Vec::new();
    let mut left = original.validate_under(&rules);
    let mut session: Option<SessionText<'_>> = None;
    // What another shape says in members of its own would be taken for empty, and removed.
    let rounds_left = if original.reading.foreign.is_some() { 0 } else { MOST_ROUNDS };
    for _ in 0..rounds_left {
        let current = session.as_ref().unwrap_or(&original);
        let (edits, mended) = edits::of(current, rules, &left);
        if edits.is_empty() {
            break;
        }
        let bytes = current.text().edited(&edits)?;
        // Of a list that is faults alone nothing would be left, and that is no session.
        let Ok(next) = Text::from_bytes(bytes).and_then(|text| SessionText::read_with(text, options)) else {
            break;
        };
        done.extend(mended.into_iter().map(|mended| places.locate(mended, &rounds)));
        rounds.push(edits);
        left = next.validate_under(&rules);
        session = Some(next);
    }
    let bytes = session.as_ref().unwrap_or(&original).text().edited(&[])?;
    Ok(Repaired { bytes, done, left })
}

/// Finds the places of the text that a repair began with.
struct Original<'s> {
    breaks: Vec<usize>,
    /// Where each message begins, in the order of the text.
    starts: Vec<(usize, usize)>,
    session: &'s SessionText<'s>,
}

impl<'s> Original<'s> {
    fn of(session: &'s SessionText<'s>) -> Self {
        let messages = 0..session.transcript().messages().len();
        let mut starts: Vec<_> = messages.map(|message| (session.span(message).start, message)).collect();
        sort_by(&mut starts, &|one, other| one.cmp(other));
        let breaks = session.text().as_str().match_indices('\n').map(|(at, _)| at).collect();
        Self { breaks, starts, session }
    }

    /// The same with the message, line and byte in the text before all rounds.
    fn locate(&self, mended: Mended, rounds: &[Vec<Edit>]) -> Mended {
        let byte = rounds.iter().rev().fold(mended.byte, |byte, edits| before(edits, byte));
        let first = self.starts.partition_point(|(start, _)| *start < byte);
        let exact = self.starts.get(first).filter(|(start, _)| *start == byte);
        let message = exact
            .or(self.starts.get(first.saturating_sub(1)))
            .map_or(mended.message, |(_, message)| *message);
        let byte = self.session.span(message).start;
        Mended { message, line: 1 + self.breaks.partition_point(|at| *at < byte), byte, ..mended }
    }
}

/// The place before `edits` of what is at `byte` after them.
fn before(edits: &[Edit], byte: usize) -> usize {
    let (mut copied, mut written) = (0, 0);
    for edit in edits {
        let start = written + (edit.range.start - copied);
        if byte < start {
            break;
        }
        let end = start + edit.replacement.len();
        if byte < end {
            return edit.range.start;
        }
        (copied, written) = (edit.range.end, end);
    }
    copied + (byte - written)
}

#[cfg(test)]
mod tests;
