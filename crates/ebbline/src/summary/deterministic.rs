//! A summary that no model writes: what can be said of messages by rule.
//!
//! It takes the place of a model's summary if there is no model, or if the model fails when the context is full. It says what the
//! user wanted first and last, which commands ran and how they ended, which errors are open, and where the work stands. It goes
//! on with an earlier summary, whoever wrote it.

use std::collections::HashMap;

use super::budget::{Meter, cut};
use super::files::FileLists;
use super::original::{Original, original};
use super::prompt::SECTIONS;
use super::serialise::{Voice, collect};
use super::texts::Texts;
use crate::error::Error;
use crate::identifiers::{self, Class};
use crate::json::Document;
use crate::plan::{Fate, Plan};
use crate::remains::TELLING;
use crate::transcript::{PartKind, Role, Transcript};

/// The most characters of a call, and of the line that says how it ended.
const CALL: usize = 160;
const OUTCOME: usize = 160;
/// The least tokens that a summary may have.
const SMALLEST: u64 = 300;
/// One part in this many of the tokens is for the text of a single section.
const TEXT_SHARE: u64 = 5;
/// The beginning of the line that counts what earlier rounds left out.
const MORE: &str = "- … and ";
const EARLIER: &str = " earlier ones";
/// So many of the telling arguments are commands.
const COMMANDS: usize = 3;
/// What programs print when they fail, at the beginning of a line and anywhere in it.
const BEGIN_FAILURES: &[&str] =
    &["error:", "error[", "Error:", "fatal:", "npm ERR!", "Traceback (most recent"];
const FAILURES: &[&str] = &["command not found", "No such file or directory", "FAILED", "panicked at"];

/// The heading under which the calls stand, and those of errors, of the goal and of the state.
const GOAL: &str = "## Goal";
const DONE: &str = "### Done";
const STATE: &str = "### In Progress";
const FAILED: &str = "## Failed Attempts";
/// What an earlier summary without headings becomes.
const BEFORE: &str = "## Before";

/// The summary of what `plan` summarises, for messages that were never a text; `None` if it summarises nothing but an earlier
/// summary. [`finish`](super::finish) appends the files, as to a model's answer.
///
/// # Errors
///
/// `mismatch` if `texts` or `plan` do not belong to `transcript`.
///
/// # Example
///
/// ```
/// use ebbline::length::Length;
/// use ebbline::summary::{Texts, deterministic_of_texts};
/// use ebbline::transcript::{Message, Part, PartKind, Role};
/// use ebbline::{PlanOptions, Transcript};
/// let mut transcript = Transcript::default();
/// for (message, length) in [(Message::person(), 40), (Message::new(Role::Assistant), 40_000), (Message::person(), 40)] {
///     transcript.begin(message);
///     transcript.push(Part::new(PartKind::Text, Length::ascii(length)));
/// }
/// let plan = ebbline::plan(&transcript, &ebbline::profiles::get("ebbline@2")?, PlanOptions::new().force(true));
/// let texts = Texts::of_json(r#"[["Fix the login test."], ["It waits for a mail."], ["Go on."]]"#)?;
/// let summary = deterministic_of_texts(&transcript, &texts, &plan)?.unwrap_or_default();
/// assert!(summary.starts_with("## Goal\nFix the login test.\n"), "{summary}");
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn deterministic_of_texts(
    transcript: &Transcript,
    texts: &Texts<'_>,
    plan: &Plan,
) -> Result<Option<String>, Error> {
    Ok(written(original(transcript, texts, plan)?, plan))
}

/// The summary of what `plan` summarises of `original`.
pub(crate) fn written(original: Original<'_, '_>, plan: &Plan) -> Option<String> {
    let policy = plan.policy();
    let meter = Meter(&policy.estimator);
    let material = collect(original, plan, &policy.prune.placeholder);
    let previous = material.entries.iter().find(|entry| entry.voice == Voice::PreviousSummary);
    if material.entries.iter().all(|entry| entry.voice == Voice::PreviousSummary) {
        return None;
    }
    let mut outline = Outline::of(previous.map_or("", |entry| entry.text.as_ref()));
    let work = Work::of(original, plan);
    let budget = policy.retain.summary_allowance.max(SMALLEST);
    let short = |text: &str| cut(text, meter.whole(text), budget / TEXT_SHARE, meter).into_owned();

    let words: Vec<&str> = material.words.iter().map(|said| said.text.trim()).collect();
    if outline.is_empty_at(GOAL) {
        outline.set(GOAL, words.first().map(|goal| short(goal)).into_iter().collect());
    }
    let newest = words.last().filter(|_| words.len() > 1).map(|newest| short(newest));
    let state = newest.into_iter().map(|text| format!("- [ ] Newest request: {text}"));
    let state =
        state.chain(work.newest_answer.as_deref().map(|text| format!("- Last answer: {}", short(text))));
    outline.set(STATE, state.collect());
    outline.add(DONE, work.done());
    let failed = work.failed();
    outline.settle(FAILED, &work);
    outline.add(FAILED, failed);
    Some(outline.within(budget, meter))
}

/// What the agent did in the messages.
#[derive(Default)]
struct Work {
    steps: Vec<Step>,
    newest_answer: Option<String>,
}

/// A call and how it ended.
struct Step {
    what: String,
    outcome: Option<String>,
    /// Whether a program ran, whose output says how it ended.
    is_command: bool,
    /// Whether the lists of files behind the summary say what it did.
    is_listed: bool,
    has_failed: bool,
}

impl Work {
    fn of(original: Original<'_, '_>, plan: &Plan) -> Self {
        let transcript = original.transcript;
        let mut work = Self::default();
        let mut steps: HashMap<u32, usize> = HashMap::new();
        let is_summarised = |index: &usize| {
            plan.messages.get(*index).is_some_and(|message| message.fate == Fate::Summarised)
                && transcript.messages().get(*index).is_some_and(|message| !message.summary)
        };
        for index in (0..transcript.messages().len()).filter(is_summarised) {
            let role = transcript.messages().get(index).map(|message| message.role);
            for (at, part) in transcript.part_range(index).zip(transcript.parts_of(index)) {
                let text = || original.places.text_of(original.source, at);
                match part.kind {
                    PartKind::ToolCall => {
                        let tool = part.tool.and_then(|tool| transcript.tool_name(tool)).unwrap_or("?");
                        if let Some(call) = part.call {
                            steps.insert(call, work.steps.len());
                        }
                        let arguments = text();
                        let (what, is_command) = what_of(tool, &arguments);
                        let is_listed = is_listed(tool, &arguments);
                        work.steps.push(Step {
                            what,
                            outcome: None,
                            is_command,
                            is_listed,
                            has_failed: false,
                        });
                    }
                    PartKind::ToolResult => {
                        let step = part.call.and_then(|call| steps.get(&call));
                        if let Some(step) = step.and_then(|at| work.steps.get_mut(*at)) {
                            step.end(&text(), part.output.has_failed());
                        }
                    }
                    PartKind::Text if role == Some(Role::Assistant) => {
                        work.newest_answer = Some(text().trim().to_owned()).filter(|text| !text.is_empty());
                    }
                    _ => {}
                }
            }
        }
        work
    }

    /// The steps, each as a line; one that was repeated stands where it was made last.
    fn done(&self) -> Vec<String> {
        self.lines(|step| !step.has_failed && !step.is_listed, "- [x] ")
    }

    /// The steps that failed and were not repeated with success.
    fn failed(&self) -> Vec<String> {
        self.lines(|step| step.has_failed, "- ")
    }

    fn lines(&self, wanted: impl Fn(&Step) -> bool, mark: &str) -> Vec<String> {
        let mut newest: HashMap<&str, usize> = HashMap::new();
        for (at, step) in self.steps.iter().enumerate() {
            newest.insert(&step.what, at);
        }
        let is_newest = |(at, step): &(usize, &Step)| newest.get(step.what.as_str()) == Some(at);
        let steps = self.steps.iter().enumerate().filter(is_newest).map(|(_, step)| step);
        steps.filter(|step| wanted(step)).map(|step| format!("{mark}{}", step.line())).collect()
    }

    fn has_made(&self, what: &str) -> bool {
        self.steps.iter().any(|step| step.what == what)
    }
}

impl Step {
    fn end(&mut self, output: &str, has_failed: bool) {
        let mut error = None;
        identifiers::each(output, &mut |found| {
            if found.class == Class::Error && error.is_none() {
                error = Some(found.text.to_owned());
            }
        });
        let lines = || output.lines().map(str::trim).filter(|line| !line.is_empty());
        let telling = error.as_deref().and_then(|error| lines().find(|line| line.contains(error)));
        self.has_failed = has_failed || self.is_command && lines().any(is_failure);
        self.outcome = telling.or_else(|| lines().next_back()).map(|line| shortened(line, OUTCOME));
    }

    fn line(&self) -> String {
        match &self.outcome {
            Some(outcome) => format!("{}: {outcome}", self.what),
            None => self.what.clone(),
        }
    }
}

/// Whether a line of a program's output says that the program failed.
fn is_failure(line: &str) -> bool {
    BEGIN_FAILURES.iter().any(|words| line.starts_with(words))
        || FAILURES.iter().any(|words| line.contains(words))
        || ["exit code", "exit status", "Exit code", "exited with code"].iter().any(|words| {
            line.split_once(words).is_some_and(|(_, rest)| {
                let rest = rest.trim_start_matches([' ', ':', '=']);
                rest.starts_with(|digit: char| digit.is_ascii_digit()) && !rest.starts_with('0')
            })
        })
}

/// What a call does: its tool and its most telling argument; and whether that is a command.
fn what_of(tool: &str, arguments: &str) -> (String, bool) {
    let inner = Document::parse(arguments).ok();
    let telling = inner.as_ref().and_then(|document| {
        let root = document.root();
        TELLING
            .iter()
            .enumerate()
            .find_map(|(at, key)| Some((at, root.get(key)?.text()?.decode().into_owned())))
    });
    let (at, said) = telling.unwrap_or_else(|| (TELLING.len(), arguments.to_owned()));
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    (format!("{} `{}`", shortened(tool, CALL), shortened(&line, CALL)), at < COMMANDS)
}

/// Whether a call names files that it reads or modifies.
fn is_listed(tool: &str, arguments: &str) -> bool {
    let mut files = FileLists::default();
    if let Ok(document) = Document::parse(arguments) {
        files.add_from_call(tool, document.root());
    }
    !files.is_empty()
}

/// The first characters of a line.
fn shortened(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// Headings and the lines under each, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Outline(Vec<(String, Vec<String>)>);

impl Outline {
    /// The sections of a summary. One without headings becomes a single section.
    fn of(summary: &str) -> Self {
        let mut sections: Vec<(String, Vec<String>)> = Vec::new();
        for line in summary.trim().lines() {
            if line.starts_with("## ") || line.starts_with("### ") {
                sections.push((line.trim_end().to_owned(), Vec::new()));
            } else {
                if sections.is_empty() {
                    sections.push((BEFORE.to_owned(), Vec::new()));
                }
                if let Some((_, lines)) = sections.last_mut() {
                    lines.push(line.to_owned());
                }
            }
        }
        for (_, lines) in &mut sections {
            while lines.last().is_some_and(|line| line.trim().is_empty()) {
                lines.pop();
            }
        }
        Self(sections)
    }

    /// The lines under a heading, which is added in its place if it is missing.
    fn lines_at(&mut self, heading: &str) -> Option<&mut Vec<String>> {
        let at = self.0.iter().position(|(there, _)| there == heading).unwrap_or_else(|| {
            let rank = |name: &str| SECTIONS.iter().position(|section| section.heading == name);
            let own = rank(heading);
            let at = self.0.iter().position(|(there, _)| own.is_some() && rank(there) > own);
            let at = at.unwrap_or(self.0.len());
            self.0.insert(at, (heading.to_owned(), Vec::new()));
            at
        });
        self.0.get_mut(at).map(|(_, lines)| lines)
    }

    fn is_empty_at(&self, heading: &str) -> bool {
        let says = |line: &String| !line.trim().is_empty() && line.trim() != "(none)";
        !self.0.iter().any(|(there, lines)| there == heading && lines.iter().any(says))
    }

    fn set(&mut self, heading: &str, lines: Vec<String>) {
        if lines.is_empty() {
            return;
        }
        if let Some(there) = self.lines_at(heading) {
            *there = lines;
        }
    }

    fn add(&mut self, heading: &str, lines: Vec<String>) {
        if lines.is_empty() {
            return;
        }
        if let Some(there) = self.lines_at(heading) {
            there.retain(|line| line.trim() != "(none)" && !lines.contains(line));
            there.extend(lines);
        }
    }

    /// Removes what failed before and was tried again since.
    fn settle(&mut self, heading: &str, work: &Work) {
        for (_, lines) in self.0.iter_mut().filter(|(there, _)| there == heading) {
            lines.retain(|line| {
                let what = line.strip_prefix("- ").and_then(|line| line.split_once("`: "));
                !what.is_some_and(|(what, _)| work.has_made(&format!("{what}`")))
            });
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let mut is_below_group = true;
        for (heading, lines) in &self.0 {
            let groups =
                SECTIONS.iter().any(|section| section.heading == heading && section.about.is_empty());
            if lines.is_empty() && !groups {
                continue;
            }
            if !is_below_group {
                text.push('\n');
            }
            is_below_group = lines.is_empty();
            text.push_str(&format!("{heading}\n"));
            for line in lines {
                text.push_str(&format!("{line}\n"));
            }
        }
        text.trim_end().to_owned()
    }

    /// The text, with the oldest lines of the longest section left out until it fits.
    fn within(mut self, budget: u64, meter: Meter<'_>) -> String {
        let mut costs: Vec<Vec<u64>> = Vec::new();
        for (_, lines) in &self.0 {
            costs.push(lines.iter().map(|line| meter.piece(line)).collect());
        }
        let mut total = meter.whole(&self.text());
        while total > budget {
            let longest = (0..costs.len())
                .filter(|at| costs.get(*at).is_some_and(|lines| lines.len() > 2))
                .max_by_key(|at| costs.get(*at).map_or(0, |lines| lines.iter().sum::<u64>()));
            let Some(((_, lines), costs)) =
                longest.and_then(|at| Some((self.0.get_mut(at)?, costs.get_mut(at)?)))
            else {
                break;
            };
            let counted = lines.first().and_then(|line| earlier(line));
            let oldest = usize::from(counted.is_some());
            let fewer = lines.len().div_ceil(4).max(1).min(lines.len() - oldest - 1);
            lines.drain(..oldest + fewer);
            costs.drain(..oldest + fewer);
            let line = format!("{MORE}{}{EARLIER}", counted.unwrap_or(0) + fewer);
            costs.insert(0, meter.piece(&line));
            lines.insert(0, line);
            total = meter.whole(&self.text());
        }
        let text = self.text();
        cut(&text, total, budget, meter).into_owned()
    }
}

/// How many lines a line says are left out.
fn earlier(line: &str) -> Option<usize> {
    line.strip_prefix(MORE)?.strip_suffix(EARLIER)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PlanOptions, Session, profiles};

    /// A session of steps: a command, its output, and what the agent says then.
    fn session(first: &str, steps: &[(&str, &str)], before: Option<&str>) -> String {
        let mut messages = Vec::new();
        if let Some(before) = before {
            messages.push(serde_json::json!({"role": "user", "content": before}));
        }
        messages.push(serde_json::json!({"role": "user", "content": first}));
        for (at, (command, output)) in steps.iter().enumerate() {
            let arguments = serde_json::json!({"command": command}).to_string();
            let function = serde_json::json!({"name": "bash", "arguments": arguments});
            let call = serde_json::json!({"id": format!("c{at}"), "type": "function", "function": function});
            messages.push(serde_json::json!({"role": "assistant", "content": null, "tool_calls": [call]}));
            let id = format!("c{at}");
            messages.push(serde_json::json!({"role": "tool", "tool_call_id": id, "content": output}));
        }
        messages.push(serde_json::json!({"role": "assistant", "content": "The mail is mocked now."}));
        messages.push(serde_json::json!({"role": "user", "content": "Then the logout test."}));
        messages.push(serde_json::json!({"role": "assistant", "content": "It passes."}));
        messages.push(serde_json::json!({"role": "user", "content": "Go on."}));
        serde_json::to_string(&messages).unwrap()
    }

    fn of(text: &str) -> String {
        let session = Session::read(text).unwrap();
        let mut policy = profiles::get("ebbline@2").unwrap();
        policy.set("retain.keep", "1").unwrap();
        policy.set("prune.enabled", "false").unwrap();
        let plan = session.plan_with(&policy, PlanOptions::new().force(true));
        written(session.original(), &plan).unwrap()
    }

    #[test]
    fn it_says_what_was_wanted_what_ran_how_it_ended_and_what_is_open() {
        let formatted = "formatted src/main.rs\n".repeat(4_000);
        let steps = [
            ("cargo test login", "running 3 tests\nerror[E0308]: mismatched types\n"),
            ("cargo fmt", formatted.as_str()),
            ("cargo test login", "test result: ok. 3 passed\n"),
            ("cargo deny", "command not found: cargo-deny\n"),
        ];
        insta::assert_snapshot!(of(&session("Mend the login test.", &steps, None)), @"
        ## Goal
        Mend the login test.

        ### Done
        - [x] bash `cargo fmt`: formatted src/main.rs
        - [x] bash `cargo test login`: test result: ok. 3 passed

        ### In Progress
        - [ ] Newest request: Then the logout test.
        - Last answer: It passes.

        ## Failed Attempts
        - bash `cargo deny`: command not found: cargo-deny
        ");
    }

    #[test]
    fn many_steps_stay_within_the_allowance_and_the_oldest_are_counted() {
        let steps: Vec<(String, String)> = (0..900)
            .map(|at| (format!("cargo test case_{at}"), format!("test result: {at} passed")))
            .collect();
        let steps: Vec<(&str, &str)> =
            steps.iter().map(|(command, output)| (command.as_str(), output.as_str())).collect();
        let text = of(&session("Mend the login test.", &steps, None));
        let policy = profiles::get("ebbline@2").unwrap();
        assert!(Meter(&policy.estimator).whole(&text) <= policy.retain.summary_allowance);
        assert!(text.contains("case_899") && !text.contains("case_10`"), "{text}");
        assert!(text.contains(" earlier ones"), "{text}");
    }

    #[test]
    fn an_outline_is_read_as_it_is_written() {
        let text = "## Goal\nMend it.\n\n## Progress\n### Done\n- [x] a\n\n## Other\nb";
        assert_eq!(Outline::of(text).text(), text);
        assert_eq!(Outline::of("Prose.\nMore.").text(), "## Before\nProse.\nMore.");
        assert_eq!(Outline::of("").text(), "");
    }
}
