//! Removes parts and messages.

use std::collections::{HashMap, HashSet};

use super::anatomy::{Anatomy, Spot};
use super::mended::Mending;
use super::pieces::{self, Seat};
use super::round::{Round, by_message, first_list, says_else};
use crate::edit::Edit;
use crate::format::Layout;
use crate::json::{Document, Text};
use crate::order::sort_by;
use crate::rules::{Opening, Rule};
use crate::transcript::{PartKind, Role};
use crate::validate::Violation;

/// What stands for results whose message must not go.
const NOTE: &str = r#""A result stood here. The call that it answered is not in this session.""#;
const REMOVED: &str = "it was removed";

/// Removes orphaned results, calls without results, thinking without a signature or without an answer, empty texts and empty
/// messages.
pub(super) fn of(round: &mut Round<'_>, faults: &[Violation]) {
    let is_removable = |fault: &Violation| match fault.rule {
        Rule::ResultWithoutCall | Rule::DuplicateResult | Rule::UnsignedThinking => fault.part.is_some(),
        Rule::EmptyMessage | Rule::EmptyText => true,
        // In another message, the provider may have signed what stands in front of it.
        Rule::ThinkingLast => round.parts(fault.message).iter().all(|part| part.kind == PartKind::Thinking),
        _ => false,
    };
    let wanted = |fault: &Violation| {
        let is_call = fault.rule == Rule::CallWithoutResult;
        is_removable(fault)
            || is_call && fault.part.is_some_and(|part| !must_stay(round, fault.message, part))
    };
    for (message, faults) in by_message(faults, wanted) {
        if round.is_free(message) {
            of_parts(round, message, &faults);
        }
    }
}

/// Whether the provider would refuse the message without this call: because the answer is signed, or because two
/// messages of one role would follow each other.
pub(super) fn must_stay(round: &Round<'_>, message: usize, call: usize) -> bool {
    let alone = !says_else(round.parts(message), &HashSet::from([call]));
    let parts = alone && round.rules.checks(Rule::Alternation) && round.layout.unknown.is_some();
    parts || round.is_signed(message)
}

fn of_parts(round: &mut Round<'_>, message: usize, faults: &[&Violation]) -> Option<()> {
    let document = round.document(message)?;
    let anatomy = Anatomy::of(&document, round.layout);
    let parts = round.parts(message);
    let mut spots: Vec<Spot> = Vec::new();
    let mut gone: HashSet<usize> = HashSet::new();
    let mut mended = Vec::new();
    for fault in faults {
        match (fault.rule, fault.part) {
            (Rule::EmptyText, _) => spots.extend(anatomy.empty_texts()),
            (_, None) => {}
            (_, Some(part)) => {
                let Some(found) = anatomy.spots(parts, part) else { continue };
                spots.extend(found);
                gone.insert(part);
            }
        }
        mended.push(*fault);
    }
    if mended.is_empty() {
        return None;
    }
    let is_blank = || anatomy.body.text_of("content").is_some_and(|text| !text.is_empty() && text.is_blank());
    let says_nothing = mended.iter().any(|fault| fault.rule == Rule::EmptyText) && is_blank();
    if spots.contains(&Spot::Whole) || says_nothing || !says_else(parts, &gone) {
        return of_message(round, message, &anatomy, &mended);
    }
    let mut edits = elements(&anatomy, &spots, round.layout.sole_call);
    if mended.iter().any(|fault| fault.rule == Rule::EmptyText) {
        edits.extend(without_empty_text(&anatomy, round.layout));
    }
    if edits.is_empty() {
        return None;
    }
    round.claim(message);
    round.edit(edits);
    for fault in mended {
        round.mended(fault, Mending::Removed, REMOVED);
    }
    Some(())
}

/// The edits that remove elements; lists that must not be empty go with their last element.
pub(super) fn elements(anatomy: &Anatomy<'_>, spots: &[Spot], sole_call: Option<&str>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (number, list) in anatomy.lists.iter().enumerate() {
        let own = spots.iter().filter_map(|spot| match spot {
            Spot::At(of, index) if *of == number => Some(*index),
            _ => None,
        });
        let mut gone: Vec<usize> =
            own.flat_map(|index| list.with_enclosures(index).collect::<Vec<_>>()).collect();
        sort_by(&mut gone, &|one, other| one.cmp(other));
        gone.dedup();
        let key = list.layout.path.last().filter(|_| list.layout.goes_when_empty);
        match key {
            Some(key) if gone.len() == list.value.elements().count() && !gone.is_empty() => {
                edits.extend(pieces::without_member(anatomy.body, key));
            }
            _ => edits.extend(crate::edit::without_elements(list.value, &gone)),
        }
    }
    if let Some(key) = sole_call.filter(|_| spots.contains(&Spot::SoleCall)) {
        edits.extend(pieces::without_member(anatomy.body, key));
    }
    edits
}

/// The edits that remove the text of a message, if it is empty and the message may do without.
fn without_empty_text(anatomy: &Anatomy<'_>, layout: &Layout) -> Vec<Edit> {
    let listed = layout.lists.first().filter(|listed| listed.goes_when_empty);
    let key = listed.and_then(|listed| listed.path.last());
    let is_empty = |key: &&&str| anatomy.body.text_of(key).is_some_and(Text::is_empty);
    key.filter(is_empty).map(|key| pieces::without_member(anatomy.body, key)).unwrap_or_default()
}

/// Removes a message, or leaves a note in it if the list must not begin with what follows.
fn of_message(
    round: &mut Round<'_>,
    message: usize,
    anatomy: &Anatomy<'_>,
    faults: &[&Violation],
) -> Option<()> {
    if begins_with_answer_without(round, message) {
        let are_results =
            faults.iter().all(|fault| matches!(fault.rule, Rule::ResultWithoutCall | Rule::DuplicateResult));
        let text = round.layout.text.filter(|_| are_results)?;
        let list = first_list(anatomy, round.layout)?;
        let elements: Vec<_> = list.elements().collect();
        let all = elements.first()?.span().start..elements.last()?.span().end;
        round.claim(message);
        round.edit([Edit::new(all, text(NOTE))]);
        for fault in faults {
            round.mended(fault, Mending::Filled, "a note stands in its place");
        }
        return Some(());
    }
    seat_of(round, message)?;
    round.take_out(message);
    for fault in faults {
        round.mended(fault, Mending::Removed, REMOVED);
    }
    Some(())
}

/// Whether an answer would begin the list without `message`, and must not.
fn begins_with_answer_without(round: &Round<'_>, message: usize) -> bool {
    if !round.rules.checks(Rule::FirstRole) {
        return false;
    }
    let skips_system = round.rules.opening == Opening::AfterSystem;
    let counts = |index: &&usize| {
        !(round.is_gone(**index) || skips_system && round.role(**index) == Some(Role::System))
    };
    let mut left = round.active.iter().filter(counts);
    left.next() == Some(&message)
        && left.next().is_some_and(|next| round.role(*next) == Some(Role::Assistant))
}

/// Where a message of the file is; `None` for what is none, such as a system prompt beside the list.
pub(super) fn seat_of(round: &Round<'_>, message: usize) -> Option<Seat> {
    let reading = &round.session.reading;
    let is_line = reading.listed.get(message).copied().unwrap_or(false);
    let span = round.session.span(message);
    let seat = pieces::seat(round.source(), &span, reading.is_lines, round.layout.inside)?;
    // Several messages may be made of one entry.
    (!round.is_shared(message) && (is_line || seat == Seat::Element)).then_some(seat)
}

/// Removes the messages that this round takes out, and connects those around them.
pub(super) fn of_messages(round: &mut Round<'_>) {
    let mut gone: Vec<_> = round
        .gone()
        .filter_map(|message| Some((round.session.span(message), seat_of(round, message)?)))
        .collect();
    crate::order::sort_by(&mut gone, &|one, other| one.0.start.cmp(&other.0.start));
    let edits = pieces::without_messages(round.source(), &gone);
    let links = match round.layout.chain {
        Some(chain) if !gone.is_empty() => links_around(round.source(), &gone, chain),
        _ => Vec::new(),
    };
    round.edit(edits.into_iter().chain(links));
}

/// In a tree, what follows a removed entry follows its predecessor.
fn links_around(source: &str, gone: &[(std::ops::Range<usize>, Seat)], chain: (&str, &str)) -> Vec<Edit> {
    let (id, parent) = chain;
    let mut parents: HashMap<String, &str> = HashMap::new();
    for (_, seat) in gone {
        let Seat::Line(line) = seat else { continue };
        let Ok(document) = Document::parse_range(source, line.clone()) else { continue };
        let root = document.root();
        if let (Some(own), Some(parent)) = (root.text_of(id), root.get(parent)) {
            parents.insert(own.decode().into_owned(), source.get(parent.span()).unwrap_or("null"));
        }
    }
    let mut edits = Vec::new();
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        let removed = gone.iter().any(|(span, _)| range.contains(&span.start));
        let Ok(document) = Document::parse_range(source, range) else { continue };
        let Some(link) = document.root().get(parent).filter(|link| link.is_string() && !removed) else {
            continue;
        };
        let mut known = link.text().map(Text::decode).and_then(|text| parents.get(text.as_ref()).copied());
        let mut steps = parents.len();
        let mut new = None;
        while let Some(raw) = known.filter(|_| steps > 0) {
            new = Some(raw);
            steps -= 1;
            let own = raw.trim_matches('"');
            known = parents.get(own).copied();
        }
        edits.extend(new.map(|raw| Edit::new(link.span(), raw)));
    }
    edits
}
