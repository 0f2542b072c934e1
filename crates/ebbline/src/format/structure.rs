//! Outputs that are values: what reads them after a compaction looks into them, or has a schema for them.
//!
//! The result of an MCP tool stays one, with one block of text. Any other value keeps its members: its first long text becomes what is
//! left of the output, other long texts are empty, and of a list one element stays.

use super::slot::{Shape, Slot, is_long};
use crate::json::{Text, Value, quote};

/// A text as the result of an MCP tool, which readers of objects know.
const RESULT: Shape = Shape::Within(r#"{"content":[{"type":"text","text":"#, "}]}");
/// Of a value that has more inside, or deeper, nothing stays.
const MOST_VALUES: usize = 24;
const DEEPEST: usize = 6;

/// The slot of the member `key`, in which what is left of an output has the shape of the output.
pub(super) fn slot_of(object: Value<'_>, key: &str) -> Slot {
    let value = object.get(key);
    let shape = match value {
        Some(value) if value.is_object() => RESULT,
        Some(value) if value.is_array() => Shape::Blocks,
        _ => Shape::Text,
    };
    let shell = value.and_then(Shell::of).map(|shell| shell.around);
    Slot::of_member(object, key, shape).shelled(shell)
}

/// The text of an output that is nothing else: a text, the result of an MCP tool with one text, or a value with one long text.
pub(super) fn text_in(output: Value<'_>) -> Option<Text<'_>> {
    if let Some(text) = output.text() {
        return Some(text);
    }
    sole_block(output)
        .or_else(|| Shell::of(output).filter(|shell| shell.is_whole).and_then(|shell| shell.text))
}

fn sole_block(output: Value<'_>) -> Option<Text<'_>> {
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

/// What is around the first long text of a value.
struct Shell<'d> {
    around: [String; 2],
    text: Option<Text<'d>>,
    values: usize,
    /// Whether nothing of the value is missing but the text.
    is_whole: bool,
}

impl<'d> Shell<'d> {
    /// `None` for the result of an MCP tool, and for a value without a long text or with too much inside.
    fn of(value: Value<'d>) -> Option<Self> {
        if value.is_string() || value.get("content").is_some_and(Value::is_array) {
            return None;
        }
        let mut shell =
            Self { around: [String::new(), String::new()], text: None, values: 0, is_whole: true };
        shell.add(value, DEEPEST)?;
        shell.text.is_some().then_some(shell)
    }

    fn write(&mut self, written: &str) {
        let [before, after] = &mut self.around;
        if self.text.is_none() { before } else { after }.push_str(written);
    }

    fn add(&mut self, value: Value<'d>, depth: usize) -> Option<()> {
        self.values += 1;
        if depth == 0 || self.values > MOST_VALUES {
            return None;
        }
        if let Some(text) = value.text() {
            self.add_text(text);
        } else if value.is_array() {
            self.write("[");
            let mut elements = value.elements();
            if let Some(first) = elements.next() {
                self.add(first, depth - 1)?;
            }
            self.is_whole &= elements.next().is_none();
            self.write("]");
        } else if value.is_object() {
            for (at, (key, inner)) in value.members().enumerate() {
                let key = key.decode();
                // JavaScript gives these another order, or another meaning.
                let is_odd =
                    key.bytes().all(|byte| byte.is_ascii_digit()) || key == "__proto__" || key == "toJSON";
                if is_odd || is_long(&key) {
                    return None;
                }
                self.write(if at == 0 { "{" } else { "," });
                self.write(&quote(&key));
                self.write(":");
                self.add(inner, depth - 1)?;
            }
            self.write(if value.members().next().is_none() { "{}" } else { "}" });
        } else {
            self.write(value.source());
        }
        Some(())
    }

    fn add_text(&mut self, text: Text<'d>) {
        let decoded = text.decode();
        if !is_long(&decoded) {
            self.write(&quote(&decoded));
        } else if self.text.is_none() {
            self.text = Some(text);
        } else {
            self.is_whole = false;
            self.write("\"\"");
        }
    }
}
