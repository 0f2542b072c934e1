//! Outputs that a newer output of the same tool repeats word for word: files that were read twice, for example.

use std::borrow::Cow;
use std::collections::HashSet;

use super::scene::Scene;
use crate::plan::{Given, Reason};
use crate::transcript::{Output, PartKind};

/// The outputs that a newer one repeats.
pub(super) fn outputs(scene: &Scene<'_, '_>) -> Vec<Given> {
    let transcript = scene.original.transcript;
    let is_sent =
        |part: usize| transcript.messages().get(scene.message_of(part)).is_some_and(|message| message.active);
    let mut newer: HashSet<(&str, Cow<'_, str>)> = HashSet::new();
    let may_give_way: HashSet<usize> = scene.parts().map(|(index, _)| index).collect();
    let mut given = Vec::new();
    for (index, part) in transcript.parts().iter().enumerate().rev() {
        let is_output =
            part.kind == PartKind::ToolResult && matches!(part.output, Output::Ordinary | Output::Error);
        // An image inside may be another one.
        if !is_output || !is_sent(index) || !scene.enclosed(index).is_empty() {
            continue;
        }
        let text = scene.text_of(index);
        if text.is_empty() {
            continue;
        }
        let is_first = newer.insert((scene.tool_of(part), text));
        if !is_first && may_give_way.contains(&index) {
            given.extend(scene.cleared(index, Reason::Repeated));
        }
    }
    given
}
