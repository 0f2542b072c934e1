//! Trajectories of SWE-agent and mini-swe-agent.
//!
//! Structures from SWE-agent (`sweagent/types.py`, `sweagent/agent/history_processors.py`) and mini-swe-agent
//! (`agents/default.py`).
//!
//! SWE-agent writes what it sends into `history`; the steps in `trajectory` repeat it, including the prompts, and are
//! never counted. mini-swe-agent has one list, `messages`.

mod answer;
mod copies;
mod entry;
mod history;
mod mini;
#[cfg(test)]
mod tests;

pub(super) use entry::ENTRY;

use super::openai_chat::{self};
use super::placement::{OldMessages, SummaryPlacement, SummaryRecord};
use super::recorder::Recorder;
use super::source::Source;
use super::summary::Summary;
use crate::edit::Edit;
use crate::error::Error;
use crate::json::{Document, Text, quote};
use crate::transcript::Turn;

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let root = source.root().filter(|root| !source.is_lines && root.get("history").is_some());
    if let Some(root) = root {
        history::read(root, recorder);
        return Ok(SummaryPlacement::Record(&RECORDED));
    }
    mini::read(&source.list(), recorder);
    Ok(SummaryPlacement::List(&openai_chat::summary::LISTED))
}

/// An observation in a trajectory's history.
static RECORDED: SummaryRecord = SummaryRecord { write: summarize, old: OldMessages::Leave };

/// Inserts the summary into the history as an observation. SWE-agent's own processors never remove the first
/// observation, which is the task: a summary that replaces the task is as safe as the task was.
fn summarize(summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    let (document, _) = Document::parse_leading(summary.source)?;
    // An agent sends the entries with its name.
    let entries = || document.root().elements_of("history");
    let newest = entries().last();
    let agent = newest.and_then(|entry| entry.text_of("agent")).map(Text::decode);
    let text = quote(&summary.marked());
    let agent = quote(agent.as_deref().unwrap_or("main"));
    // Before 1.0, entries did not state their type.
    let is_typed = entries().any(|entry| entry.get("message_type").is_some());
    let members = match (keeps_task(summary), is_typed) {
        (false, true) => r#","message_type":"observation""#,
        (false, false) => "",
        (true, true) => r#","is_demo":true,"message_type":"demonstration""#,
        (true, false) => r#","is_demo":true"#,
    };
    let entry = format!(r#"{{"role":"user","content":{text},"agent":{agent}{members}}}"#);
    Ok(summary.replace_messages(&entry))
}

/// Whether the task stays; the summary then replaces only the demonstrations before it.
fn keeps_task(summary: &Summary<'_>) -> bool {
    let messages = summary.session.transcript.messages();
    let task = messages.iter().position(|message| message.turn == Turn::Person);
    task.is_some_and(|task| !summary.is_summarized(task))
}
