//! Where no boundary is allowed: between a call and its result, inside an answer that is stored in several entries,
//! inside a run that must begin with its thinking, and where no message before it is worth summarizing.

use std::collections::HashMap;

use ebbline::Transcript;
use ebbline::transcript::{Message, Output, Part, PartKind, Role};

/// The position of the first message worth summarizing.
pub(super) fn substance(transcript: &Transcript, active: &[usize]) -> usize {
    let is_substance = |message: &Message| !message.stays() && !message.summary;
    let messages = active.iter().map(|at| transcript.messages().get(*at));
    messages.take_while(|message| !message.is_some_and(is_substance)).count()
}

/// For each position among the active messages, whether a boundary there would separate a call from its result, or an
/// answer from its beginning.
///
/// Parallel calls need no separate rule: between the results of a batch, the later calls are still open.
pub(super) fn parted(transcript: &Transcript, active: &[usize]) -> Vec<bool> {
    let mut changes = vec![0_i32; active.len() + 2];
    // A result without an id answers the newest call without one, and only once.
    let mut calls: HashMap<Option<u32>, usize> = HashMap::new();
    for (position, message) in active.iter().enumerate() {
        for part in transcript.parts_of(*message) {
            match part.kind {
                PartKind::ToolCall => {
                    calls.insert(part.call, position);
                }
                PartKind::ToolResult => {
                    let made = match part.call {
                        None => calls.remove(&None),
                        call => calls.get(&call).copied(),
                    };
                    if let Some(made) = made.filter(|made| *made < position) {
                        // Every boundary after the call, up to the one before the result. A result in a system
                        // message is never summarized, so its call must stay too.
                        let stays = transcript.messages().get(*message).is_some_and(Message::stays);
                        let end = if stays { active.len() } else { position };
                        for (at, change) in [(made + 1, 1), (end + 1, -1)] {
                            if let Some(slot) = changes.get_mut(at) {
                                *slot += change;
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }
    let continues =
        |position: usize| message_at(transcript, active, position).is_some_and(|message| message.continues);
    let mut open = 0;
    changes
        .iter()
        .take(active.len() + 1)
        .enumerate()
        .map(|(position, change)| {
            open += change;
            open > 0 || continues(position)
        })
        .collect()
}

/// The position of the oldest call that is still running: it has no result, and the model has not continued without
/// one. No provider lets the model continue while the call can still be answered.
pub(super) fn pending(transcript: &Transcript, active: &[usize]) -> Option<usize> {
    let mut open: HashMap<Option<u32>, usize> = HashMap::new();
    for (position, at) in active.iter().enumerate() {
        let Some(message) = transcript.messages().get(*at) else { continue };
        if message.role == Role::Assistant && !message.continues {
            open.clear();
        }
        for part in transcript.parts_of(*at) {
            match part.kind {
                PartKind::ToolCall => drop(open.insert(part.call, position)),
                PartKind::ToolResult => drop(open.remove(&part.call)),
                _ => {}
            }
        }
    }
    open.into_values().min()
}

/// Marks the positions inside an unfinished run at which it would no longer begin with its signed thinking. Returns
/// the beginning of that run if there are any.
pub(super) fn part_run(transcript: &Transcript, active: &[usize], parted: &mut [bool]) -> Option<usize> {
    let thinks = |position: &usize| {
        active.get(*position).is_some_and(|at| begins_with_signed_thinking(transcript.parts_of(*at)))
    };
    let run = unfinished_run(transcript, active).filter(thinks)?;
    let (mut begins_well, mut bars) = (true, false);
    for position in (run + 1..active.len()).rev() {
        let message = message_at(transcript, active, position);
        // An answer in several entries begins with the first of them.
        if message.is_some_and(|message| message.role == Role::Assistant && !message.continues) {
            begins_well = thinks(&position);
        }
        if let Some(parted) = parted.get_mut(position) {
            *parted |= !begins_well;
        }
        bars |= !begins_well;
    }
    bars.then_some(run)
}

fn message_at<'t>(transcript: &'t Transcript, active: &[usize], position: usize) -> Option<&'t Message> {
    active.get(position).and_then(|at| transcript.messages().get(*at))
}

/// The unfinished run among the messages `active`: the position of its first message by the model. `None` if the last
/// message is neither a call nor a result.
fn unfinished_run(transcript: &Transcript, active: &[usize]) -> Option<usize> {
    let role = |message: usize| transcript.messages().get(message).map(|message| message.role);
    let answers = |message: usize| transcript.parts_of(message).iter().any(is_result);
    let calls =
        |message: usize| transcript.parts_of(message).iter().any(|part| part.kind == PartKind::ToolCall);
    let last = *active.last()?;
    if !(answers(last) || role(last) == Some(Role::Assistant) && calls(last)) {
        return None;
    }
    let mut run = None;
    for (position, message) in active.iter().enumerate().rev() {
        let is_summary = transcript.messages().get(*message).is_some_and(|message| message.summary);
        match role(*message) {
            // OpenCode's summaries are messages of the model, but a run kept behind one does not begin with it.
            Some(Role::Assistant) if !is_summary => run = Some(position),
            Some(Role::Tool) if answers(*message) => {}
            _ => break,
        }
    }
    run
}

fn begins_with_signed_thinking(parts: &[Part]) -> bool {
    parts.first().is_some_and(|part| part.kind == PartKind::Thinking && part.signed)
}

/// Whether a part is the result of a call that the application, not the provider, carried out.
fn is_result(part: &Part) -> bool {
    part.kind == PartKind::ToolResult && part.output != Output::Sealed
}
