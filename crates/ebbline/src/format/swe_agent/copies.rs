//! Where a SWE-agent trajectory repeats an observation.
//!
//! Each step stores the observation as it was before a template was applied, and the whole prompt: `query` since 1.1,
//! `messages` in 1.0. A file of 2 MB may contain 41 KB of observations.

use crate::format::openai_chat::sole_text;
use crate::format::recorder::Recorder;
use crate::format::slot::{Shape, Slot};
use crate::json::{Text, Value};
use crate::transcript::Output;

/// The beginning of the text by which SWE-agent's `LastNObservations` replaces an old observation.
const OMITTED: &str = "Old environment output: (";

/// The copies of the history in a trajectory's steps.
pub(super) struct Copies<'d> {
    /// The prompt of each step: the history so far, entry by entry.
    prompts: Vec<Vec<Value<'d>>>,
    /// The output of each step's command, with the step.
    printed: Vec<Value<'d>>,
    /// The first step whose observation has not been found in the history.
    next: usize,
}

impl<'d> Copies<'d> {
    /// Collects them from the trajectory `root`.
    pub(super) fn of(root: Value<'d>) -> Self {
        let steps: Vec<_> = root.elements_of("trajectory").collect();
        let prompt = |step: &Value<'d>| {
            let key = if step.get("query").is_some() { "query" } else { "messages" };
            step.elements_of(key).collect()
        };
        Self { prompts: steps.iter().map(prompt).collect(), printed: steps, next: 0 }
    }

    /// Records the copies of the newest observation, which is entry `index` of the history.
    pub(super) fn note(&mut self, index: usize, entry: Value<'d>, output: Output, recorder: &mut Recorder) {
        for prompt in &self.prompts {
            let Some(copy) = prompt.get(index).copied() else { continue };
            if is_copy(copy, entry, output)
                && let Some(slot) = slot(copy)
            {
                recorder.add_copy(slot);
            }
        }
        let Some(text) = text_of(entry).map(Text::decode) else { return };
        // A step whose command was rejected left no observation in the history.
        let found = self.printed.iter().enumerate().skip(self.next).find(|(_, step)| {
            let printed = step.text_of("observation").filter(|printed| !printed.is_blank());
            printed.is_some_and(|printed| text.contains(printed.decode().as_ref()))
        });
        if let Some((at, step)) = found {
            self.next = at + 1;
            recorder.add_copy(Slot::of_member(*step, "observation", Shape::Text));
        }
    }
}

/// Whether `copy`, at the same place of a prompt, is the entry as it was when the prompt was sent: it has the same
/// text or, if the entry has been pruned since, the same calls.
fn is_copy(copy: Value<'_>, entry: Value<'_>, output: Output) -> bool {
    let same = |key: &str| copy.get(key).map(Value::source) == entry.get(key).map(Value::source);
    let same_text = match (text_of(copy), text_of(entry)) {
        (Some(copy), Some(entry)) => copy.raw() == entry.raw(),
        _ => same("content"),
    };
    // Cleared by ebbline or by SWE-agent itself.
    let is_cleared = output == Output::Pruned
        || output.says_placeholder()
        || text_of(entry).is_some_and(|text| text.starts_with(OMITTED));
    same("role") && (same_text || is_cleared && same("tool_call_ids") && same("message_type"))
}

/// The text of an entry whose content is one text, as a string or as a list of one block.
pub(super) fn text_of(entry: Value<'_>) -> Option<Text<'_>> {
    let content = entry.get("content")?;
    content.text().or_else(|| sole_text(Some(content)))
}

/// Where an entry's content is pruned, in its own form. A text block keeps its cache marker.
pub(super) fn slot(entry: Value<'_>) -> Option<Slot> {
    let content = entry.get("content").filter(|content| content.is_array());
    match content {
        None => Some(Slot::of_member(entry, "content", Shape::Text)),
        Some(list) if sole_text(content).is_some() => {
            list.elements().next().map(|block| Slot::of_member(block, "text", Shape::Text))
        }
        Some(_) => Some(Slot::of_member(entry, "content", Shape::Blocks)),
    }
}
