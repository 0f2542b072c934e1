//! Items whose meaning depends on those that follow: references to what the server stores, and requests for approval.

use std::collections::HashSet;

use super::item::{Entry, Kind, Spelling};
use crate::json::Text;

/// The beginnings of the ids of items that are no calls: reasoning and messages.
const NO_CALLS: &[&str] = &["rs_", "msg_"];

/// Says of each reference for which calls it stands. A request for approval that nobody answered, and that the session went
/// on after, is no call that waits.
pub(super) fn relate(entries: &mut [Entry<'_>], spelling: &Spelling) {
    let concerned = |entry: &Entry<'_>| matches!(entry.item.kind, Kind::Asked | Kind::Reference);
    if !entries.iter().any(concerned) {
        return;
    }
    let waits = unanswered(entries, spelling);
    let mut begin = 0;
    let mut rest = entries;
    while !rest.is_empty() {
        let models = rest.iter().take_while(|entry| entry.item.is_models()).count();
        let answers = rest.iter().skip(models).take_while(|entry| is_answer(entry)).count();
        let (group, next) = rest.split_at_mut((models + answers).max(1));
        let (made, outputs) = group.split_at_mut(models);
        let is_last = next.is_empty();
        for (at, entry) in made.iter_mut().enumerate().filter(|(_, entry)| entry.item.kind == Kind::Asked) {
            if !is_last && waits.contains(&(begin + at)) {
                entry.item.kind = Kind::Notice;
            }
        }
        stand_in(made, outputs, spelling);
        begin += models + answers;
        begin += usize::from(models + answers == 0);
        rest = next;
    }
}

/// The requests that nobody answered. An answer is that of the newest request before it with its id.
fn unanswered(entries: &[Entry<'_>], spelling: &Spelling) -> HashSet<usize> {
    let mut answered = HashSet::new();
    let mut waits = HashSet::new();
    for (at, entry) in entries.iter().enumerate().rev() {
        let id = || (spelling.approval_of)(entry.item.value).map(|id| id.decode().into_owned());
        if entry.item.kind == Kind::Allowed {
            answered.extend(id());
        } else if entry.item.kind == Kind::Asked && !id().is_some_and(|id| answered.remove(&id)) {
            waits.insert(at);
        }
    }
    waits
}

fn is_answer(entry: &Entry<'_>) -> bool {
    matches!(entry.item.kind, Kind::Output | Kind::Allowed)
}

/// Gives the references among `made` the calls that `outputs` answer and that nothing else there makes, in their order.
fn stand_in(made: &mut [Entry<'_>], outputs: &[Entry<'_>], spelling: &Spelling) {
    let is_reference = |entry: &Entry<'_>| entry.item.kind == Kind::Reference;
    let may_call = |entry: &Entry<'_>| {
        let id = entry.item.value.text_of("id").map(Text::decode).unwrap_or_default();
        is_reference(entry) && !NO_CALLS.iter().any(|beginning| id.starts_with(beginning))
    };
    let known: HashSet<String> = made
        .iter()
        .filter(|entry| entry.item.kind == Kind::Call)
        .filter_map(|entry| (spelling.id_of)(entry.item.value))
        .map(|id| id.decode().into_owned())
        .collect();
    let called = outputs
        .iter()
        .filter(|entry| entry.item.kind == Kind::Output)
        .filter_map(|entry| (spelling.id_of)(entry.item.value))
        .map(|id| id.decode().into_owned())
        .filter(|id| !known.contains(id));
    let any = !made.iter().any(may_call);
    let mut places = made.iter_mut().filter(|entry| if any { is_reference(entry) } else { may_call(entry) });
    let mut place = places.next();
    for id in called {
        if place.as_ref().is_some_and(|entry| !entry.stands_for.is_empty()) {
            // Of more outputs than references, the last reference has the rest.
            place = places.next().or(place);
        }
        if let Some(entry) = &mut place {
            entry.stands_for.push(id);
        }
    }
}
