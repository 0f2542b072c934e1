//! A summary that no model writes: what can be said of messages by rule.
//!
//! It takes the place of a model's summary if there is no model, or if the model fails when the context is full. It says which
//! request is running and which was the first, which commands ran and how they ended, what the agent decided and found out, which
//! failures are open, and where the work stands. It goes on with an earlier summary, whoever wrote it.

use super::budget::{Meter, cut};
use super::carried::without_tags;
use super::check::{Answer, finish};
use super::original::{Original, original};
use super::prompt::SECTIONS;
use super::serialize::{Voice, collect};
use super::steps::Work;
use super::task::{SummaryOptions, request};
use super::texts::Texts;
use crate::error::Error;
use crate::format::PieceKind;
use crate::plan::{Fate, Plan};
use crate::transcript::{PartKind, Role, Transcript, Turn};

/// The budget of a request that leaves nothing out.
const BOUNDLESS: u64 = 1 << 40;
/// The least tokens that a summary may have.
const SMALLEST: u64 = 300;
/// One part in this many of the tokens is for the text of a single section.
const TEXT_SHARE: u64 = 5;
/// The beginning of the line that counts what earlier rounds left out.
const MORE: &str = "- … and ";
const EARLIER: &str = " earlier ones";
/// What stands in front of the first request, where another one is running.
const FIRST: &str = "First request: ";
/// A request has more words than this, or more bytes.
const FEW_WORDS: usize = 2;
const FEW_BYTES: usize = 15;
/// What says "go on", with a few words behind it.
const GO_ON: &[&str] = &[
    "go on", "go ahead", "continue", "keep going", "carry on", "proceed", "please continue", "please go",
    "ok", "okay", "yes", "yep", "sure", "do it", "next", "weiter", "mach weiter", "mach mal", "ja", "oui",
    "continue", "vas y", "sí", "si", "sigue", "continúa", "adelante", "继续", "好的", "好", "是的", "はい",
    "続けて", "お願いします", "да", "продолжай",
];
const FEW_BEHIND: usize = 5;
/// What says that the user was heard, with a few words behind it.
const HEARD: &[&str] = &[
    "acknowledged", "noted", "understood", "got it", "will do", "verstanden", "notiert", "entendido",
    "compris", "c'est note", "好的", "收到", "明白", "了解", "承知",
];
const FEW_ACKNOWLEDGING: usize = 8;

/// The headings under which it writes.
const GOAL: &str = "## Goal";
const DONE: &str = "### Done";
const STATE: &str = "### In Progress";
const FAILED: &str = "## Failed Attempts";
const DECISIONS: &str = "## Key Decisions";
const FINDINGS: &str = "## Critical Context";
/// What an earlier summary without headings becomes.
const BEFORE: &str = "## Before";

/// The summary of what `plan` summarizes, for messages that were never a text; `None` if it summarizes nothing but an earlier
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

/// The summary of what `plan` summarizes of `original`, with the files and names behind it; `None` if that is nothing but an earlier
/// summary.
pub(crate) fn by_rule(original: Original<'_, '_>, plan: &Plan) -> Result<Option<String>, Error> {
    // Nobody is asked, so nothing has to fit into a request.
    let boundless = SummaryOptions::new().budget_tokens(BOUNDLESS);
    let Some(task) = request(original, plan, &boundless)? else { return Ok(None) };
    let Some(text) = written(original, plan) else { return Ok(None) };
    finish(&task.context, Answer { text: &text, truncated: false }).map(Some)
}

/// The text of the summary.
fn written(original: Original<'_, '_>, plan: &Plan) -> Option<String> {
    let policy = plan.policy();
    let meter = Meter(&policy.estimator);
    let material = collect(original, plan, policy.prune.bare_placeholder());
    let previous = material.entries.iter().find(|entry| entry.voice == Voice::PreviousSummary);
    if material.entries.iter().all(|entry| entry.voice == Voice::PreviousSummary) {
        return None;
    }
    let previous = previous.map_or_else(String::new, |entry| without_tags(&entry.text));
    let mut outline = Outline::of(&previous);
    let work = Work::of(original, plan);
    let budget = policy.retain.summary_allowance.max(SMALLEST);
    let short = |text: &str| cut(text, meter.whole(text), budget / TEXT_SHARE, meter).into_owned();

    let said: Vec<&str> = material.words.iter().map(|said| said.text.trim()).collect();
    let is_said = |voice: Voice| matches!(voice, Voice::User | Voice::TurnRequest);
    let new = material.entries.iter().filter(|entry| is_said(entry.voice)).count();
    let new = said.get(said.len().saturating_sub(new)..).unwrap_or_default();
    let kept = kept_requests(original, plan);
    let mut running = new.iter().copied().chain(kept.iter().map(String::as_str));
    let running = running.rfind(|text| is_request(text));
    let first = said.iter().copied().find(|text| is_request(text) || !has_command(text));
    outline.set_goal(running, first.or(said.first().copied()), &short);

    let newest = new.last().filter(|text| Some(**text) != running && said.len() > 1);
    let newest = newest.map(|text| format!("- [ ] Newest request: {}", short(text)));
    let answer = work.newest_answer.as_deref().filter(|text| !acknowledges(text));
    let answer = answer.map(|text| format!("- Last answer: {}", short(text)));
    outline.set(STATE, newest.into_iter().chain(answer).collect());
    outline.settle(DONE, &work);
    outline.add(DONE, work.done());
    outline.settle(FAILED, &work);
    outline.add(FAILED, work.failed());
    outline.add(DECISIONS, work.said.decisions);
    outline.add(FINDINGS, work.said.findings);
    Some(outline.within(budget, meter))
}

/// The user's requests among the messages that stay.
fn kept_requests(original: Original<'_, '_>, plan: &Plan) -> Vec<String> {
    let transcript = original.transcript;
    let mut requests = Vec::new();
    for (index, (planned, message)) in plan.messages.iter().zip(transcript.messages()).enumerate() {
        let is_kept = !matches!(planned.fate, Fate::Summarized | Fate::Inactive);
        if !is_kept || message.turn != Turn::Person || message.role != Role::User || message.summary {
            continue;
        }
        for (at, part) in transcript.part_range(index).zip(transcript.parts_of(index)) {
            let piece = original.pieces.of(at).first().map(|piece| piece.kind);
            if part.kind == PartKind::Text && piece == Some(PieceKind::Content) {
                requests.push(original.pieces.text_of(original.source, at).trim().to_owned());
            }
        }
    }
    requests
}

/// Whether what the user said asks for something: it is no command of the agent's own, and more than "go on".
fn is_request(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let said = text.trim().to_lowercase();
    let goes_on = words <= FEW_BEHIND
        && GO_ON
            .iter()
            .any(|lead| said.strip_prefix(lead).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)));
    !has_command(text) && !goes_on && (words > FEW_WORDS || said.len() > FEW_BYTES || !said.is_ascii())
}

/// Whether an answer says only that the user was heard.
fn acknowledges(answer: &str) -> bool {
    let said = answer.trim().to_lowercase();
    answer.split_whitespace().count() <= FEW_ACKNOWLEDGING && HEARD.iter().any(|lead| said.starts_with(lead))
}

/// Whether a text is a command of the agent's own: `/mode`, `/review 12`; a path has more slashes.
fn has_command(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.strip_prefix('/').is_some_and(|name| {
        name.starts_with(char::is_alphabetic)
            && name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_' | ':' | '.'))
    })
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

    /// Writes which request is running, and which was the first. Without a new one, the goal stays.
    fn set_goal(&mut self, running: Option<&str>, first: Option<&str>, short: &dyn Fn(&str) -> String) {
        let goal = self.0.iter().find(|(there, _)| there == GOAL).map(|(_, lines)| lines.clone());
        let mut before = goal.unwrap_or_default();
        before.retain(|line| !line.trim().is_empty() && line.trim() != "(none)");
        let Some(running) = running.or(if before.is_empty() { first } else { None }) else { return };
        let kept = before.iter().position(|line| line.starts_with(FIRST)).map(|at| before.remove(at));
        // An earlier goal says more than the first of the words that are left.
        let first = if before.is_empty() { first.map(str::to_owned) } else { Some(before.join(" ")) };
        let first = first.filter(|first| kept.is_none() && first.trim() != running.trim());
        let first = first.map(|first| format!("{FIRST}{}", one_line(&short(&first))));
        let running = short(running);
        let has_headings = running.lines().any(|line| line.starts_with('#'));
        let running = if has_headings { one_line(&running) } else { running };
        self.set(GOAL, running.lines().map(str::to_owned).chain(kept.or(first)).collect());
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

    /// Removes the lines that are out of date.
    fn settle(&mut self, heading: &str, work: &Work) {
        for (_, lines) in self.0.iter_mut().filter(|(there, _)| there == heading) {
            work.settle(lines);
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

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many lines a line says are left out.
fn earlier(line: &str) -> Option<usize> {
    line.strip_prefix(MORE)?.strip_suffix(EARLIER)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PlanOptions, SessionText, profiles};

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
        let session = SessionText::read(text).unwrap();
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
        Then the logout test.
        First request: Mend the login test.

        ### Done
        - [x] bash `cargo fmt`: formatted src/main.rs
        - [x] bash `cargo test login`: test result: ok. 3 passed

        ### In Progress
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
