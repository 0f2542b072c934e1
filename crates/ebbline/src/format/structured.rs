//! Outputs that are values: what reads them after a compaction expects an object or a list, and may look into it.

use super::slot::{Shape, Slot};
use crate::json::{Text, Value};

/// A text as the result of an MCP tool, which readers of objects know.
const RESULT: Shape = Shape::Within(r#"{"content":[{"type":"text","text":"#, "}]}");

/// The slot of the member `key`, in which a pruned output stays a text, a list or an object.
pub(super) fn slot_of(object: Value<'_>, key: &str) -> Slot {
    let shape = match object.get(key) {
        Some(value) if value.is_object() => RESULT,
        Some(value) if value.is_array() => Shape::Blocks,
        _ => Shape::Text,
    };
    Slot::of_member(object, key, shape)
}

/// The text of an output that is nothing else: a text, a list with one block of text, or an MCP result of such a list.
pub(super) fn text_in(output: Value<'_>) -> Option<Text<'_>> {
    if let Some(text) = output.text() {
        return Some(text);
    }
    let blocks = if output.is_object() {
        output.get("content").filter(|content| content.is_array() && output.members().count() == 1)?
    } else {
        output
    };
    let mut blocks = blocks.elements();
    let block = blocks.next().filter(|block| block.members().count() == 2)?;
    let is_alone = blocks.next().is_none() && block.text_of("type").is_some_and(|kind| kind.is("text"));
    block.text_of("text").filter(|_| is_alone)
}
