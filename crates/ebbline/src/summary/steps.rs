//! What the agent did: its calls, how each ended, and what it concluded.

use std::collections::{HashMap, HashSet};

use super::command::{Command, Purpose};
use super::conclusions::Conclusions;
use super::ending::{Ended, ending, shortened};
use super::files::FileLists;
use super::original::Original;
use super::plan_list::PlanList;
use crate::json::Document;
use crate::placeholder::{Outcome, TELLING};
use crate::plan::{Fate, Plan};
use crate::transcript::{PartKind, Role};

/// The most characters of a call.
const CALL: usize = 160;
/// So many of the telling arguments are commands.
const COMMANDS: usize = 3;
/// So many steps are compared with each failure: the newest that succeeded.
const COMPARED: usize = 200;

/// What the agent did in the messages.
#[derive(Default)]
pub(super) struct Work {
    steps: Vec<Step>,
    pub(super) said: Conclusions,
    pub(super) newest_answer: Option<String>,
}

/// A call and how it ended.
struct Step {
    what: String,
    outcome: Option<String>,
    command: Option<Command>,
    purpose: Option<Aim>,
    /// Whether it shows a file.
    reads: bool,
    /// Whether what stands behind the summary says what it did.
    is_listed: bool,
    has_failed: bool,
}

/// What a call is for, so that another one may take its place.
#[derive(PartialEq, Eq)]
enum Aim {
    Command(Purpose),
    Modifies(String),
}

impl Aim {
    fn of_command(line: &str) -> Option<Self> {
        Command::of(line).purpose().map(Self::Command)
    }

    fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Command(purpose), Self::Command(other)) => purpose.covers(other),
            _ => self == other,
        }
    }
}

impl Work {
    pub(super) fn of(original: Original<'_, '_>, plan: &Plan) -> Self {
        let transcript = original.transcript;
        let mut work = Self::default();
        let mut steps: HashMap<u32, usize> = HashMap::new();
        let is_summarized = |index: &usize| {
            plan.messages.get(*index).is_some_and(|message| message.fate == Fate::Summarized)
                && transcript.messages().get(*index).is_some_and(|message| !message.summary)
        };
        for index in (0..transcript.messages().len()).filter(is_summarized) {
            let role = transcript.messages().get(index).map(|message| message.role);
            for (at, part) in transcript.part_range(index).zip(transcript.parts_of(index)) {
                let text = || original.pieces.text_of(original.source, at);
                match part.kind {
                    PartKind::ToolCall => {
                        let tool = part.tool.and_then(|tool| transcript.tool_name(tool)).unwrap_or("?");
                        if let Some(call) = part.call {
                            steps.insert(call, work.steps.len());
                        }
                        work.steps.push(Step::of(tool, &text()));
                    }
                    PartKind::ToolResult => {
                        let step = part.call.and_then(|call| steps.get(&call));
                        if let Some(step) = step.and_then(|at| work.steps.get_mut(*at)) {
                            step.end(&text(), part.output.has_failed());
                        }
                    }
                    PartKind::Text if role == Some(Role::Assistant) => {
                        let text = text();
                        work.said.say(&text);
                        work.newest_answer = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
                    }
                    _ => {}
                }
            }
        }
        work
    }

    /// The steps, each as a line; one that was repeated stands where it was made last.
    pub(super) fn done(&self) -> Vec<String> {
        self.lines(|_, step| !step.has_failed && !step.is_listed, "- [x] ")
    }

    /// The steps that failed and whose purpose nothing met since: the newest of them.
    pub(super) fn failed(&self) -> Vec<String> {
        let failures = self.steps.iter().enumerate().filter(|(_, step)| step.has_failed);
        let from = failures.map(|(at, _)| at).rev().nth(COMPARED).map_or(0, |at| at + 1);
        let met = self.met();
        self.lines(|at, step| at >= from && step.has_failed && !is_met(&met, at, step.purpose.as_ref()), "- ")
    }

    /// The newest steps that met a purpose.
    fn met(&self) -> Vec<(usize, &Aim)> {
        let met = self.steps.iter().enumerate().rev().filter(|(_, step)| !step.has_failed);
        met.filter_map(|(at, step)| Some((at, step.purpose.as_ref()?))).take(COMPARED).collect()
    }

    fn lines(&self, wanted: impl Fn(usize, &Step) -> bool, mark: &str) -> Vec<String> {
        let mut newest: HashMap<&str, usize> = HashMap::new();
        for (at, step) in self.steps.iter().enumerate() {
            newest.insert(&step.what, at);
        }
        let is_newest = |(at, step): &(usize, &Step)| newest.get(step.what.as_str()) == Some(at);
        let steps = self.steps.iter().enumerate().filter(is_newest);
        let steps = steps.filter(|(at, step)| wanted(*at, step));
        steps.map(|(_, step)| format!("{mark}{}", step.line())).collect()
    }

    /// Removes the lines of an earlier summary that are out of date: their step was made again, or what it was for was done.
    pub(super) fn settle(&self, lines: &mut Vec<String>) {
        let made: HashSet<&str> = self.steps.iter().map(|step| step.what.as_str()).collect();
        let met = self.met();
        lines.retain(|line| {
            let Some(what) = what_of(line) else { return true };
            let command = what.split_once('`').and_then(|(_, line)| line.strip_suffix('`'));
            let aim = command.and_then(Aim::of_command);
            !made.contains(what) && !is_met(&met, 0, aim.as_ref())
        });
    }
}

/// How the call of a tool ended that printed `output`; `None` where nothing says it, as in what shows a file.
pub(crate) fn outcome(tool: &str, arguments: &str, output: &str, has_failed: bool) -> Option<Outcome> {
    let mut step = Step::of(tool, arguments);
    step.end(output, has_failed);
    let ends = step.command.as_ref().is_some_and(|command| !command.reads());
    let line = step.outcome.filter(|_| step.has_failed || ends)?;
    Some(Outcome { has_failed: step.has_failed, line })
}

/// Whether a step from `from` on met a purpose.
fn is_met(met: &[(usize, &Aim)], from: usize, purpose: Option<&Aim>) -> bool {
    purpose.is_some_and(|purpose| met.iter().any(|(at, other)| *at >= from && other.covers(purpose)))
}

/// The step that a line of a summary is about.
fn what_of(line: &str) -> Option<&str> {
    let said = line.strip_prefix("- ")?;
    let said = said.strip_prefix("[x] ").unwrap_or(said);
    match said.find("`: ") {
        Some(at) => said.get(..=at),
        None => said.ends_with('`').then_some(said),
    }
}

impl Step {
    fn of(tool: &str, arguments: &str) -> Self {
        let mut files = FileLists::default();
        files.add_from_text(tool, arguments);
        let (said, is_command) = telling(arguments);
        let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let command = is_command.then(|| Command::of(&said));
        let modified = files.modified.last().cloned().map(Aim::Modifies);
        let purpose = modified.or_else(|| command.as_ref()?.purpose().map(Aim::Command));
        let is_plan = PlanList::default().call(tool, arguments);
        Self {
            what: format!("{} `{}`", shortened(tool, CALL), shortened(&line, CALL)),
            outcome: None,
            reads: !files.read.is_empty(),
            is_listed: is_plan || !files.is_empty(),
            command,
            purpose,
            has_failed: false,
        }
    }

    fn end(&mut self, output: &str, is_error: bool) {
        let ended = match &self.command {
            Some(command) => Ended::Command(command),
            None if self.reads => Ended::Reading,
            None => Ended::Other,
        };
        let ending = ending(ended, output, is_error);
        (self.has_failed, self.outcome) = (ending.has_failed, ending.line);
    }

    fn line(&self) -> String {
        match &self.outcome {
            Some(outcome) => format!("{}: {outcome}", self.what),
            None => self.what.clone(),
        }
    }
}

/// The most telling argument of a call; and whether that is a command.
fn telling(arguments: &str) -> (String, bool) {
    let Ok(document) = Document::parse(arguments) else { return (arguments.to_owned(), false) };
    let root = document.root();
    if let Some(text) = root.text() {
        let inner = text.decode();
        return if inner.starts_with('{') { telling(&inner) } else { (inner.into_owned(), false) };
    }
    let said = TELLING.iter().enumerate().find_map(|(at, key)| {
        let value = root.present(key)?;
        let text = value.text().map(|text| text.decode().into_owned());
        // A program and its arguments.
        let words = || value.elements().filter_map(|word| Some(word.text()?.decode().into_owned()));
        let text = text.or_else(|| value.is_array().then(|| words().last().unwrap_or_default()))?;
        let is_shell = value.is_array() && words().nth(1).is_some_and(|flag| flag.starts_with('-'));
        let text = if value.is_array() && !is_shell { words().collect::<Vec<_>>().join(" ") } else { text };
        Some((text, at < COMMANDS))
    });
    said.unwrap_or_else(|| (arguments.to_owned(), false))
}
