//! The cut point: where the kept part of a session begins (pi's `findCutPoint`).

use std::ops::Range;

use ebbline::Error;
use ebbline::json::Value;

use super::coerce::raises;
use super::context::ContextEntry;
use super::entry::{Entry, EntryKind, Id};
use super::estimate::{estimate_tokens, total};
use super::message::{Message, Role};
use super::version::Version;
use super::walk::{Begins, Exhausted, Standing, Step, Weight, choose, settle};

/// A cut, as positions in a list of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutPoint {
    /// The first kept entry.
    pub first_kept: usize,
    /// The first entry of the turn that the cut splits; `None` if it splits none.
    pub turn_start: Option<usize>,
}

impl CutPoint {
    /// Whether the cut lies inside a turn.
    #[must_use]
    pub fn is_split_turn(self) -> bool {
        self.turn_start.is_some()
    }

    /// The end of the history that is summarized: the start of the split turn, or else of the kept part.
    #[must_use]
    pub fn history_end(self) -> usize {
        self.turn_start.unwrap_or(self.first_kept)
    }
}

/// Where to cut `entries[range]` so that about `keep` tokens stay (pi's `findCutPoint`).
///
/// `keep` may be any number: 0 and less keep the first entry of the walk, NaN and infinity keep everything.
///
/// # Errors
///
/// `invalid_settings` if pi raises an exception: a range beyond the entries, or a message that cannot be weighed when
/// the walk reaches it.
///
/// # Example
///
/// ```
/// use ebbline_compat::pi::{Entry, Version, find_cut_point};
/// use ebbline::json::Document;
///
/// let text = r#"[
///   {"type": "message", "id": "a", "message": {"role": "user", "content": "12345678"}},
///   {"type": "message", "id": "b", "message": {"role": "user", "content": "12345678"}}
/// ]"#;
/// let document = Document::parse(text)?;
/// let cut = find_cut_point(&Entry::list(document.root())?, 0..2, 2.0, Version::V1_5)?;
/// assert_eq!((cut.first_kept, cut.turn_start), (1, None));
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn find_cut_point(
    entries: &[Entry<'_>],
    range: Range<usize>,
    keep: f64,
    version: Version,
) -> Result<CutPoint, Error> {
    if range.start >= range.end {
        return Ok(CutPoint { first_kept: range.start, turn_start: None });
    }
    let inside = entries.get(range.clone()).ok_or_else(|| raises("the range ends beyond the entries"))?;
    let steps = inside.iter().map(|entry| step(entry, version)).collect::<Result<Vec<_>, _>>()?;
    cut(&steps, range.start, keep, version, |place| place)
}

/// Where to cut a context so that about `keep` tokens stay: hidden entries weigh nothing, and a failed and hidden
/// attempt stays with the request before it (pi 1.5, when it prepares a compaction).
pub(super) fn find_projected_cut_point(
    entries: &[ContextEntry<'_, '_>],
    start: usize,
    keep: f64,
    version: Version,
) -> Result<CutPoint, Error> {
    let inside = entries.get(start..).unwrap_or_default();
    let steps: Vec<Step> =
        inside.iter().map(|entry| step_of(entry.entry, &entry.messages, version)).collect();
    cut(&steps, start, keep, version, |place| {
        let suffix = inside.get(place + 1..).unwrap_or_default();
        if is_hidden_attempt(suffix, version) { place + 1 } else { place }
    })
}

fn cut(
    steps: &[Step],
    start: usize,
    keep: f64,
    version: Version,
    advance: impl FnOnce(usize) -> usize,
) -> Result<CutPoint, Error> {
    let exhausted =
        if version.cuts_at_the_newest_place() { Exhausted::NewestPlace } else { Exhausted::OldestPlace };
    let place = choose(steps, keep, exhausted).map_err(|_| raises("a message cannot be weighed"))?;
    let Some(place) = place else { return Ok(CutPoint { first_kept: start, turn_start: None }) };
    let cut = settle(steps, if place.is_budget_used { advance(place.at) } else { place.at });
    Ok(CutPoint {
        first_kept: start + cut.first_kept,
        turn_start: cut.turn_start.map(|turn_start| start + turn_start),
    })
}

fn step(entry: &Entry<'_>, version: Version) -> Result<Step, Error> {
    if version.weighs_every_entry() {
        Ok(step_of(entry, &entry.messages(version)?, version))
    } else {
        step_of_messages_only(entry, version)
    }
}

fn step_of(entry: &Entry<'_>, messages: &[Message<'_>], version: Version) -> Step {
    let is_compaction = entry.is_compaction();
    let standing = match (is_compaction, messages.is_empty()) {
        (true, _) => Standing::Compaction,
        (false, true) => Standing::Invisible,
        (false, false) => Standing::Visible,
    };
    let weight = match total(messages.iter().map(|message| estimate_tokens(message, version))) {
        Ok(0.0) => Weight::None,
        Ok(tokens) => Weight::Tokens(tokens),
        Err(_) => Weight::Unknown,
    };
    let starts_turn = !is_compaction && messages.iter().any(Message::starts_turn);
    Step {
        weight,
        standing,
        begins: if starts_turn { Begins::Turn } else { Begins::Nothing },
        may_be_cut_before: !is_compaction && messages.iter().any(Message::may_be_cut_before),
    }
}

/// How pi 0.58 treats an entry: one that is not a message weighs nothing and counts as metadata, although a cut can
/// be made before it and a turn can begin with it; and only a cut before a user message splits no turn.
fn step_of_messages_only(entry: &Entry<'_>, version: Version) -> Result<Step, Error> {
    let Some(message) = entry.message()? else {
        let is_sent = matches!(entry.kind, EntryKind::BranchSummary | EntryKind::CustomMessage);
        return Ok(Step {
            weight: Weight::None,
            standing: if entry.is_compaction() { Standing::Compaction } else { Standing::Invisible },
            begins: if is_sent { Begins::SplitTurn } else { Begins::Nothing },
            may_be_cut_before: is_sent,
        });
    };
    Ok(Step {
        weight: estimate_tokens(&message, version).map_or(Weight::Unknown, Weight::Tokens),
        standing: Standing::Visible,
        begins: match message.role {
            Role::User => Begins::Turn,
            Role::BashExecution => Begins::SplitTurn,
            _ => Begins::Nothing,
        },
        may_be_cut_before: message.may_be_cut_before(),
    })
}

/// Whether `suffix` contributes nothing to the context because it is a failed and hidden answer with its results.
fn is_hidden_attempt(suffix: &[ContextEntry<'_, '_>], version: Version) -> bool {
    // What an entry would add without edits.
    let is_sent = |entry: &ContextEntry<'_, '_>| {
        entry.entry.kind != EntryKind::ContextEdit
            && entry.entry.messages(version).is_ok_and(|messages| !messages.is_empty())
    };
    let is_hidden = |entry: &ContextEntry<'_, '_>| is_sent(entry) && entry.messages.is_empty();
    let hides_answer = suffix.iter().any(|entry| {
        is_hidden(entry)
            && entry
                .entry
                .message()
                .is_ok_and(|message| message.is_some_and(|message| message.role == Role::Assistant))
    });
    let replaces_something_older = suffix.iter().any(|edit| {
        let target = Id::of(edit.entry.value.get("targetId"));
        edit.entry.kind == EntryKind::ContextEdit
            && !edit.entry.value.get("replacement").is_some_and(Value::is_null)
            && !suffix.iter().any(|entry| is_hidden(entry) && entry.entry.id == target)
    });
    hides_answer
        && !replaces_something_older
        && suffix.iter().all(|entry| !entry.entry.is_compaction() && (!is_sent(entry) || is_hidden(entry)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pi::{Context, Leaf};
    use ebbline::json::Document;

    const VERSIONS: [Version; 3] = [Version::V0_58, Version::V0_84, Version::V1_5];

    fn entry(at: usize, body: &str) -> String {
        let parent = at.checked_sub(1).map_or("null".to_owned(), |parent| format!("\"{parent}\""));
        format!(r#"{{"id":"{at}","parentId":{parent},{body}}}"#)
    }

    /// Entries from letters, ten tokens each: `u`ser, `a`nswer, `r`esult, `b`ash, `n`ote of an extension,
    /// `m`odel change, `c`ompaction, `h`iding edit of the entry before it.
    fn entries(shape: &str) -> String {
        let text = "x".repeat(40);
        let body = |(at, letter): (usize, char)| {
            let message = |role: &str| {
                format!(
                    r#""type":"message","message":{{"role":"{role}","content":[{{"type":"text","text":"{text}"}}]}}"#
                )
            };
            let body = match letter {
                'u' => message("user"),
                'a' => message("assistant"),
                'r' => message("toolResult"),
                'b' => format!(
                    r#""type":"message","message":{{"role":"bashExecution","command":"{text}","output":""}}"#
                ),
                'n' => format!(r#""type":"custom_message","content":"{text}""#),
                'c' => format!(r#""type":"compaction","summary":"{text}""#),
                'h' => format!(r#""type":"context_edit","targetId":"{}","replacement":null"#, at - 1),
                _ => r#""type":"model_change""#.to_owned(),
            };
            entry(at, &body)
        };
        format!("[{}]", shape.chars().enumerate().map(body).collect::<Vec<_>>().join(","))
    }

    fn cuts(shape: &str, keep: f64) -> [(usize, Option<usize>); 3] {
        let text = entries(shape);
        let document = Document::parse(&text).unwrap();
        let entries = Entry::list(document.root()).unwrap();
        VERSIONS.map(|version| {
            let cut = find_cut_point(&entries, 0..entries.len(), keep, version).unwrap();
            (cut.first_kept, cut.turn_start)
        })
    }

    #[test]
    fn versions_differ_in_what_weighs_and_in_what_starts_a_turn() {
        let cases = [
            ("uaua", 20.0, [(2, None); 3]),
            ("uarr", 10.0, [(0, None), (0, None), (1, Some(0))]),
            ("uabu", 20.0, [(2, Some(2)), (2, None), (2, None)]),
            ("uanu", 20.0, [(1, Some(0)), (2, None), (2, None)]),
            ("umau", 20.0, [(1, Some(0)); 3]),
            ("uamu", 10.0, [(2, Some(0)); 3]),
            ("ucau", 30.0, [(0, None), (2, Some(0)), (2, Some(0))]),
        ];
        for (shape, keep, expected) in cases {
            assert_eq!(cuts(shape, keep), expected, "{shape} keep {keep}");
        }
    }

    #[test]
    fn ranges_end_with_the_entries() {
        let text = entries("uau");
        let document = Document::parse(&text).unwrap();
        let entries = Entry::list(document.root()).unwrap();
        let cut = |range| find_cut_point(&entries, range, 10.0, Version::V1_5).map(|cut| cut.first_kept).ok();
        assert_eq!(cut(1..3), Some(2));
        assert_eq!(cut(2..2), Some(2));
        assert_eq!(cut(7..7), Some(7));
        assert_eq!(cut(0..4), None);
    }

    #[test]
    fn an_attempt_that_was_hidden_goes_with_what_was_asked() {
        let projected = |shape: &str| {
            let text = entries(shape);
            let document = Document::parse(&text).unwrap();
            let entries = Entry::list(document.root()).unwrap();
            let context = Context::build(&entries, Leaf::Last, Version::V1_5).unwrap();
            find_projected_cut_point(&context.entries, 0, 10.0, Version::V1_5).unwrap().first_kept
        };
        assert_eq!(projected("uauah"), 3, "the hidden answer stays behind the request that is summarized");
        assert_eq!(projected("uaum"), 2, "metadata moves nothing");
    }
}
