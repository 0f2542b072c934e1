//! Generated conversations: the same steps, written in every format that is read.
//!
//! How a format writes them is in the format's folder, beside its fixtures: `tests/formats/<name>/generator.rs`.
#![expect(clippy::indexing_slicing, reason = "a member of a JSON value made here is there, or is made")]

// The module of each folder of `tests/formats`, and `GENERATORS`: all ways to write, by the folder of their format.
include!(concat!(env!("OUT_DIR"), "/generators.rs"));

use serde_json::{Value, json};

/// One step of a conversation.
#[derive(Clone, Debug)]
pub enum Step {
    /// The user writes this many characters.
    Person(usize),
    /// The model answers with this many characters.
    Answer(usize),
    /// The model calls tools in parallel; each returns an output.
    Calls(Vec<Output>),
    /// The same after thinking that the provider signed.
    Thought(Vec<Output>),
}

/// The output of one tool call.
#[derive(Clone, Debug)]
pub struct Output {
    /// The number of characters; `None` if the run was interrupted before there was an output.
    pub size: Option<usize>,
    /// Whether the tool failed.
    pub failed: bool,
    /// An index into [`TOOLS`].
    pub tool: usize,
}

/// The tools that are called.
pub const TOOLS: [&str; 4] = ["bash", "read", "skill", "grep"];

/// A way to write a conversation: its name and its function. If a format has several, the part after `/`
/// distinguishes them.
type Spelling = (&'static str, fn(&[Said]) -> String);

fn every() -> impl Iterator<Item = Spelling> {
    GENERATORS.iter().flat_map(|(_, spellings)| spellings.iter().copied())
}

/// The names of all ways.
pub fn spellings() -> impl Iterator<Item = &'static str> {
    every().map(|(name, _)| name)
}

/// The format of a way, by name.
pub fn format_of(spelling: &str) -> &str {
    spelling.split('/').next().unwrap_or(spelling)
}

/// The conversation as a session file; empty for an unknown name.
pub fn spell(spelling: &str, steps: &[Step]) -> String {
    spell_with(spelling, steps, &mut text)
}

/// The same with other texts: they are made by their number of characters, one after the other.
pub fn spell_with(spelling: &str, steps: &[Step], text: &mut dyn FnMut(usize) -> String) -> String {
    let said = said(steps, text);
    every().find(|(name, _)| *name == spelling).map_or_else(String::new, |(_, write)| write(&said))
}

/// One step with its texts.
enum Said {
    Person(String),
    Answer(String),
    Calls {
        /// The signature of the thinking before the calls, if there is any.
        signature: Option<String>,
        calls: Vec<Call>,
    },
}

/// One call and its output.
struct Call {
    id: String,
    name: &'static str,
    output: Option<String>,
    failed: bool,
}

/// The model's thinking before its calls.
const THINKING: &str = "First of all,";

/// The arguments of every call.
fn arguments() -> Value {
    json!({"path": "src/main.rs", "lines": [1, 29.0, null]})
}

/// The text of `size` characters for a step of this size; some characters are not ASCII.
pub fn text(size: usize) -> String {
    const LINE: &str = "src/日本.rs: ok 😀 \"q\"\n";
    // Line by line, because property tests make gigabytes of it.
    let length = LINE.chars().count();
    let mut text = LINE.repeat(size / length);
    text.extend(LINE.chars().take(size % length));
    text
}

fn said(steps: &[Step], text: &mut dyn FnMut(usize) -> String) -> Vec<Said> {
    let mut made = 0;
    let mut calls = |outputs: &[Output], text: &mut dyn FnMut(usize) -> String| {
        let first = made;
        made += outputs.len();
        let call = |(at, output): (usize, &Output)| Call {
            id: format!("call_{}", first + at),
            name: TOOLS.get(output.tool % TOOLS.len()).copied().unwrap_or_default(),
            output: output.size.map(&mut *text),
            failed: output.failed,
        };
        (first, outputs.iter().enumerate().map(call).collect())
    };
    steps
        .iter()
        .map(|step| match step {
            Step::Person(size) => Said::Person(text(*size)),
            Step::Answer(size) => Said::Answer(text(*size)),
            Step::Calls(outputs) => Said::Calls { signature: None, calls: calls(outputs, text).1 },
            Step::Thought(outputs) => {
                let (first, calls) = calls(outputs, text);
                Said::Calls { signature: Some(format!("sig_{first}")), calls }
            }
        })
        .collect()
}

/// Values as lines, each with a line break.
fn lines(values: impl IntoIterator<Item = Value>) -> String {
    values.into_iter().fold(String::new(), |lines, value| lines + &value.to_string() + "\n")
}

/// A value on several lines, as Python and Go write it.
fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_generator_spells_the_format_of_its_folder() {
        for (folder, spellings) in GENERATORS {
            assert!(!spellings.is_empty(), "{folder}");
            for (name, _) in *spellings {
                assert_eq!(format_of(name), *folder);
            }
        }
    }
}
