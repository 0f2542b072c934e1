//! Conversations made up for tests: one shape, spelled in every format that is read.
#![expect(clippy::indexing_slicing, reason = "a member of a JSON value made here is there, or is made")]

mod agents;
mod events;
mod libraries;
mod providers;
mod trajectories;

use serde_json::{Value, json};

/// One step of a conversation.
#[derive(Clone, Debug)]
pub enum Step {
    /// The person says something of this many characters.
    Person(usize),
    /// The model answers in this many characters.
    Answer(usize),
    /// The model calls tools, all at once; each gives back an output.
    Calls(Vec<Output>),
    /// The same after thinking that the provider signed.
    Thought(Vec<Output>),
}

/// What one tool call gives back.
#[derive(Clone, Debug)]
pub struct Output {
    /// Characters of the output; `None` when the run was interrupted before there was one.
    pub size: Option<usize>,
    /// Whether the tool failed.
    pub failed: bool,
    /// An index into [`TOOLS`].
    pub tool: usize,
}

/// The tools that are called.
pub const TOOLS: [&str; 4] = ["bash", "read", "skill", "grep"];

/// A spelling: its name, and how it writes a conversation. Of a format with several, what follows the `/` tells
/// them apart.
type Spelling = (&'static str, fn(&[Said]) -> String);

/// Every spelling there is.
const SPELLINGS: &[Spelling] = &[
    ("openai_chat", providers::openai_chat),
    ("openai_responses", providers::openai_responses),
    ("anthropic_messages", providers::anthropic_messages),
    ("gemini_contents", providers::gemini_contents),
    ("pi", agents::pi),
    ("tinyagent", agents::tinyagent),
    ("tunacode", agents::tunacode),
    ("opencode", agents::opencode),
    ("claude_code", agents::claude_code),
    ("codex", agents::codex),
    ("gemini_cli/json", agents::gemini_cli),
    ("gemini_cli/lines", agents::gemini_cli_lines),
    ("pydantic_ai", libraries::pydantic_ai),
    ("vercel_model", libraries::vercel_model),
    ("vercel_ui", libraries::vercel_ui),
    ("langchain/dump", libraries::langchain_dump),
    ("langchain/dict", libraries::langchain_dict),
    ("langchain/flat", libraries::langchain_flat),
    ("openhands/v0", events::openhands),
    ("openhands/v1", events::openhands_sdk),
    ("copilot_cli", events::copilot_cli),
    ("swe_agent", trajectories::swe_agent),
    ("atif", trajectories::atif),
    ("cline", trajectories::cline),
    ("inspect_ai", trajectories::inspect_ai),
];

/// The names of all spellings.
pub fn spellings() -> impl Iterator<Item = &'static str> {
    SPELLINGS.iter().map(|(name, _)| *name)
}

/// The format of a spelling, by name.
#[must_use]
pub fn format_of(spelling: &str) -> &str {
    spelling.split('/').next().unwrap_or(spelling)
}

/// The conversation as a session file; nothing for a spelling that there is not.
#[must_use]
pub fn spell(spelling: &str, steps: &[Step]) -> String {
    let said = said(steps);
    SPELLINGS.iter().find(|(name, _)| *name == spelling).map_or_else(String::new, |(_, write)| write(&said))
}

/// One step with its words.
enum Said {
    Person(String),
    Answer(String),
    Calls {
        /// What the thinking before the calls is signed with, if there is any.
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

/// What the model thinks before it calls.
const THINKING: &str = "First of all,";

/// The arguments of every call.
fn arguments() -> Value {
    json!({"path": "src/main.rs", "lines": [1, 29.0, null]})
}

/// The text of `size` characters that a step of this size says, some of them beyond ASCII.
#[must_use]
pub fn text(size: usize) -> String {
    "src/日本.rs: ok 😀 \"q\"\n".chars().cycle().take(size).collect()
}

fn said(steps: &[Step]) -> Vec<Said> {
    let mut made = 0;
    let mut calls = |outputs: &[Output]| {
        let first = made;
        made += outputs.len();
        let call = |(at, output): (usize, &Output)| Call {
            id: format!("call_{}", first + at),
            name: TOOLS.get(output.tool % TOOLS.len()).copied().unwrap_or_default(),
            output: output.size.map(text),
            failed: output.failed,
        };
        (first, outputs.iter().enumerate().map(call).collect())
    };
    steps
        .iter()
        .map(|step| match step {
            Step::Person(size) => Said::Person(text(*size)),
            Step::Answer(size) => Said::Answer(text(*size)),
            Step::Calls(outputs) => Said::Calls { signature: None, calls: calls(outputs).1 },
            Step::Thought(outputs) => {
                let (first, calls) = calls(outputs);
                Said::Calls { signature: Some(format!("sig_{first}")), calls }
            }
        })
        .collect()
}

/// Values as lines, each with its end.
fn lines(values: impl IntoIterator<Item = Value>) -> String {
    values.into_iter().fold(String::new(), |lines, value| lines + &value.to_string() + "\n")
}

/// A value over several lines, as Python and Go write it.
fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
