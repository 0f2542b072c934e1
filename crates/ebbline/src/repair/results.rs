//! Moves results to their calls, adds results for calls that must stay, and joins messages.

use std::collections::BTreeMap;

use super::anatomy::{Anatomy, Spot};
use super::mended::Mending;
use super::pieces;
use super::removal::{elements, must_stay, seat_of};
use super::round::{Round, by_message, first_list};
use crate::format::{Answers, Missing};
use crate::json::quote;
use crate::rules::Rule;
use crate::transcript::Role;
use crate::validate::Violation;

/// What a result says that stands for an outcome that nobody knows.
const UNKNOWN: &str = r#""The outcome of this call is unknown: the session has no result for it.""#;

/// A result that is to be written.
pub(super) struct Placed<'v> {
    fault: &'v Violation,
    /// The message that makes the call.
    call: usize,
    json: String,
    /// Whether the result is a message and not an element of one.
    is_message: bool,
    /// For a result that is moved, where it is.
    from: Option<Vec<Spot>>,
}

/// Where results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    /// In a new message behind this one.
    Behind(usize),
    /// At the front of this one.
    Front(usize),
}

/// The results that are written in one place.
#[derive(Default)]
struct Written {
    elements: Vec<String>,
    messages: Vec<String>,
}

/// Moves results in front of what else their message says.
pub(super) fn front(round: &mut Round<'_>, faults: &[Violation]) {
    for (message, faults) in by_message(faults, |fault| fault.rule == Rule::ResultNotFirst) {
        if round.is_free(message) {
            front_of(round, message, &faults);
        }
    }
}

fn front_of(round: &mut Round<'_>, message: usize, faults: &[&Violation]) -> Option<()> {
    let document = round.document(message)?;
    let anatomy = Anatomy::of(&document, round.layout);
    let list = first_list(&anatomy, round.layout)?;
    let mut spots = Vec::new();
    for fault in faults {
        spots.extend(anatomy.spots(round.parts(message), fault.part?)?);
    }
    let moved = spots.iter().map(|spot| json_at(round, &anatomy, *spot)).collect::<Option<Vec<_>>>()?;
    let edits = elements(&anatomy, &spots, None);
    round.claim(message);
    round.edit(edits);
    round.edit([pieces::in_front(list, &moved)]);
    for fault in faults {
        round.mended(fault, Mending::Moved, "it was moved to the front");
    }
    Some(())
}

/// The JSON of an element of the first list, with what goes with it.
fn json_at(round: &Round<'_>, anatomy: &Anatomy<'_>, spot: Spot) -> Option<String> {
    let Spot::At(0, index) = spot else { return None };
    let list = anatomy.lists.first()?;
    let spans: Vec<_> = list.value.elements().map(crate::json::Value::span).collect();
    let until = list.with_enclosures(index).last()?;
    let range = spans.get(index)?.start..spans.get(until)?.end;
    round.source().get(range).map(str::to_owned)
}

/// The results that calls wait for: those that are elsewhere, and those that say that the outcome is unknown.
pub(super) fn wanted<'v>(round: &Round<'_>, faults: &'v [Violation]) -> Vec<Placed<'v>> {
    let wanted = faults.iter().filter_map(|fault| match fault.rule {
        Rule::CallWithoutResult => unknown(round, fault),
        Rule::SplitBatch | Rule::ResultBeforeCall => moved(round, fault),
        _ => None,
    });
    wanted.collect()
}

fn unknown<'v>(round: &Round<'_>, fault: &'v Violation) -> Option<Placed<'v>> {
    let write = round.layout.unknown.filter(|_| must_stay(round, fault.message, fault.part.unwrap_or(0)))?;
    let part = round.parts(fault.message).get(fault.part?)?;
    let transcript = round.session.transcript();
    let id = transcript.call_id(part.call?);
    let is_named = id.is_some() || transcript.is_paired_by_place(part.call?);
    let tool = part.tool.and_then(|tool| transcript.tool_name(tool)).unwrap_or_default();
    let document = round.document(fault.message).filter(|_| is_named)?;
    let (id, tool) = (quote(id.unwrap_or_default()), quote(tool));
    let json = write(Missing { entry: document.root(), id: &id, tool: &tool, text: UNKNOWN })?;
    let is_message = matches!(round.layout.answers, Some(Answers::Messages));
    Some(Placed { fault, call: fault.message, json, is_message, from: None })
}

/// A result that is not behind its call. In a tree it stays: an entry's place is what its predecessor says.
fn moved<'v>(round: &Round<'_>, fault: &'v Violation) -> Option<Placed<'v>> {
    let answers = round.layout.answers.filter(|_| round.layout.chain.is_none())?;
    let at = fault.part?;
    let number = round.parts(fault.message).get(at)?.call?;
    // With two calls of this id nobody knows which of them it answers.
    let [call] = round.makers(number) else { return None };
    let call = Some(*call).filter(|call| *call != fault.message)?;
    let document = round.document(fault.message)?;
    let anatomy = Anatomy::of(&document, round.layout);
    let spots = anatomy.spots(round.parts(fault.message), at)?;
    let json = match (answers, spots.first()?) {
        (Answers::Messages | Answers::Wrapped(_), Spot::Whole) => {
            round.source().get(round.session.span(fault.message))?.to_owned()
        }
        (Answers::Wrapped(_) | Answers::Front(_), spot) => json_at(round, &anatomy, *spot)?,
        _ => return None,
    };
    let is_message = spots.contains(&Spot::Whole);
    Some(Placed { fault, call, json, is_message, from: Some(spots) })
}

/// Writes results behind their calls; those that are moved leave their place.
pub(super) fn place(round: &mut Round<'_>, placed: Vec<Placed<'_>>) {
    let mut targets: BTreeMap<Target, Written> = BTreeMap::new();
    let used = |targets: &BTreeMap<Target, Written>, message: usize| {
        targets.contains_key(&Target::Behind(message)) || targets.contains_key(&Target::Front(message))
    };
    let mut sources: BTreeMap<usize, Vec<Spot>> = BTreeMap::new();
    for Placed { fault, call, json, is_message, from } in placed {
        let Some(target) = target_of(round, call) else { continue };
        let (Target::Behind(written) | Target::Front(written)) = target;
        if !round.is_free(written) || sources.contains_key(&written) {
            continue;
        }
        if let Some(spots) = from {
            let is_fit = !spots.contains(&Spot::Whole) || seat_of(round, fault.message).is_some();
            if !round.is_free(fault.message) || used(&targets, fault.message) || !is_fit {
                continue;
            }
            sources.entry(fault.message).or_default().extend(spots);
            round.mended(fault, Mending::Moved, "it was moved to its call");
        } else {
            round.mended(fault, Mending::Added, "one was added that says that the outcome is unknown");
        }
        let written = targets.entry(target).or_default();
        if is_message { written.messages.push(json) } else { written.elements.push(json) }
    }
    for (message, spots) in sources {
        leave(round, message, &spots);
    }
    for (target, results) in targets {
        write(round, target, results);
    }
}

/// Where the results of the calls of `message` belong.
fn target_of(round: &Round<'_>, message: usize) -> Option<Target> {
    let end = round.answer_end(message);
    let next = round.behind(end).first().copied();
    let takes =
        |next: &usize| matches!(round.role(*next), Some(Role::User | Role::Tool)) && is_open(round, *next);
    match round.layout.answers? {
        Answers::Front(_) if next.as_ref().is_some_and(takes) => next.map(Target::Front),
        _ => seat_of(round, end).map(|_| Target::Behind(end)),
    }
}

/// Whether elements can be added to a message.
fn is_open(round: &Round<'_>, message: usize) -> bool {
    let Some(document) = round.document(message) else { return false };
    let anatomy = Anatomy::of(&document, round.layout);
    first_list(&anatomy, round.layout).is_some() || text_of(round, &anatomy).is_some()
}

/// A text that stands in the place of the first list, if it could be an element of it.
fn text_of<'d>(round: &Round<'_>, anatomy: &Anatomy<'d>) -> Option<crate::json::Value<'d>> {
    let key = round.layout.lists.first()?.path.last().filter(|_| round.layout.text.is_some())?;
    anatomy.body.get(key).filter(|value| value.is_string())
}

fn write(round: &mut Round<'_>, target: Target, written: Written) -> Option<()> {
    let Written { elements: results, mut messages } = written;
    match target {
        Target::Behind(message) => {
            if let Answers::Wrapped(wrap) | Answers::Front(wrap) = round.layout.answers?
                && !results.is_empty()
            {
                messages.push(wrap(&results.join(", ")));
            }
            let (span, seat) = (round.session.span(message), seat_of(round, message)?);
            round.claim(message);
            round.edit([pieces::behind(round.source(), &span, &seat, &messages)]);
        }
        Target::Front(message) => {
            let document = round.document(message)?;
            let anatomy = Anatomy::of(&document, round.layout);
            let edit = match (first_list(&anatomy, round.layout), text_of(round, &anatomy), round.layout.text)
            {
                (Some(list), ..) => pieces::in_front(list, &results),
                (None, Some(text), Some(element)) => {
                    let said = round.source().get(text.span())?;
                    let elements = format!("[{}, {}]", results.join(", "), element(said));
                    crate::edit::Edit::new(text.span(), elements)
                }
                _ => return None,
            };
            round.claim(message);
            round.edit([edit]);
        }
    }
    Some(())
}

/// Removes what was moved; a message without anything else goes as a whole.
fn leave(round: &mut Round<'_>, message: usize, spots: &[Spot]) -> Option<()> {
    let document = round.document(message)?;
    let anatomy = Anatomy::of(&document, round.layout);
    let list = anatomy.lists.first();
    let is_all = list.is_some_and(|list| {
        let gone = spots.iter().filter_map(|spot| match spot {
            Spot::At(0, index) => Some(list.with_enclosures(*index).count()),
            _ => None,
        });
        gone.sum::<usize>() == list.value.elements().count()
    });
    if spots.contains(&Spot::Whole) || is_all && seat_of(round, message).is_some() {
        round.take_out(message);
        return Some(());
    }
    let edits = elements(&anatomy, spots, None);
    round.claim(message);
    round.edit(edits);
    Some(())
}

/// Joins a message with the one before it where the provider wants roles to alternate.
pub(super) fn join(round: &mut Round<'_>, faults: &[Violation]) {
    for fault in faults.iter().filter(|fault| fault.rule == Rule::Alternation) {
        join_with_former(round, fault);
    }
}

fn join_with_former(round: &mut Round<'_>, fault: &Violation) -> Option<()> {
    let message = fault.message;
    let until = round.active.partition_point(|active| *active < message);
    let former = *round.active.get(until.checked_sub(1)?)?;
    let is_fit = |index: usize| round.is_free(index) && !round.parts(index).iter().any(|part| part.signed);
    let has_lists = matches!(round.layout.answers, Some(Answers::Front(_)));
    if !has_lists || !is_fit(former) || !is_fit(message) {
        return None;
    }
    seat_of(round, message)?;
    let (own, before) = (round.document(message)?, round.document(former)?);
    let own = first_list(&Anatomy::of(&own, round.layout), round.layout)?;
    let before = first_list(&Anatomy::of(&before, round.layout), round.layout)?;
    let span = own.elements().next()?.span().start..own.elements().last()?.span().end;
    let elements = round.source().get(span)?.to_owned();
    round.claim(former);
    round.edit([pieces::at_the_end(before, &[elements])]);
    round.take_out(message);
    round.mended(fault, Mending::Joined, "the two were joined");
    Some(())
}
