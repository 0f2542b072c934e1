//! Thinking and images that newer ones have followed.

use std::collections::HashSet;

use super::scene::Scene;
use crate::plan::{Becomes, Given, Reason};
use crate::run::unfinished_run;
use crate::transcript::PartKind;

/// What stands in the place of an image.
const LEFT_OUT: &str = "[An image stood here. It was left out to make room.]";

/// The thinking of all but the newest answers.
pub(super) fn thinking(scene: &Scene<'_, '_>) -> Vec<Given> {
    let transcript = scene.original.transcript;
    let messages = transcript.messages();
    let active: Vec<usize> =
        messages.iter().enumerate().filter(|(_, message)| message.active).map(|(at, _)| at).collect();
    // Providers ask for the thinking of a run of calls until the run ends, signed (Anthropic) or not (DeepSeek, Kimi).
    let run = unfinished_run(transcript, &active).and_then(|position| active.get(position)).copied();
    let mut kept = scene.policy.prune.thinking.unwrap_or(u32::MAX);
    let thinks =
        |message: usize| transcript.parts_of(message).iter().any(|part| part.kind == PartKind::Thinking);
    let mut given = Vec::new();
    for message in active.into_iter().rev().filter(|message| thinks(*message)) {
        let is_continued = messages.get(message).is_some_and(|message| message.continues);
        if kept > 0 {
            kept -= u32::from(!is_continued);
            continue;
        }
        let parts = transcript.parts_of(message);
        let says_else = parts.iter().any(|part| part.kind != PartKind::Thinking);
        // What else is signed may be verified with its thinking.
        let is_needed = run.is_some_and(|run| message >= run)
            || parts.iter().any(|part| part.signed && part.kind != PartKind::Thinking);
        if !says_else || is_needed || message >= scene.answer {
            continue;
        }
        let spots = scene.spots(message);
        for part in transcript.part_range(message) {
            let is_thinking = scene.part(part).is_some_and(|part| part.kind == PartKind::Thinking);
            let found = scene.given(part, Reason::OldThinking, Becomes::Gone);
            if is_thinking && spots.thinking(parts, found.at).is_some() {
                given.push(found);
            }
        }
    }
    given
}

/// All but the newest images. Those inside an output that is `cleared` go with it.
pub(super) fn images(scene: &Scene<'_, '_>, cleared: &HashSet<usize>) -> Vec<Given> {
    let transcript = scene.original.transcript;
    let mut kept = scene.policy.prune.images.unwrap_or(u32::MAX);
    let may_give_way: HashSet<usize> = scene.parts().map(|(index, _)| index).collect();
    let is_sent =
        |part: usize| transcript.messages().get(scene.message_of(part)).is_some_and(|message| message.active);
    let inside: HashSet<usize> = cleared.iter().flat_map(|result| scene.enclosed(*result)).collect();
    let images = transcript.parts().iter().enumerate().rev();
    let images = images
        .filter(|(index, part)| part.kind == PartKind::Image && is_sent(*index) && !inside.contains(index));
    let mut given = Vec::new();
    for (index, part) in images {
        if kept > 0 {
            kept -= 1;
            continue;
        }
        if part.signed || !may_give_way.contains(&index) {
            continue;
        }
        let message = scene.message_of(index);
        let found = scene.given(index, Reason::OldImage, Becomes::Note(LEFT_OUT.to_owned()));
        if scene.spots(message).image(transcript.parts_of(message), found.at).is_some() {
            given.push(found);
        }
    }
    given
}
