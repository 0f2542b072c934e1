//! Copilot CLI's event log, converted to messages as `processEventForState` of Copilot CLI 1.0 does.
//!
//! One `{type, data, id, timestamp, parentId}` per line. Only messages, tool results and compactions affect what is
//! sent; hooks, turns and all other events are for people.

mod entry;
mod event;
mod message;
mod write;

pub(super) use entry::ENTRY;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::marker::MarkerKind;
use super::order::as_sent;
use super::placement::SummaryPlacement;
use super::recorder::Recorder;
use super::source::Source;
use super::usage;
use crate::error::Error;
use crate::json::{Text, Value};
use crate::transcript::{Message, PartKind, Role};
use event::is;

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let events = source.list();
    let newest_prompts = newest_prompts(&events);
    // Reasoning belongs to a session with one model and is dropped when either ends.
    let ends_reasoning = ["abort", "session.resume", "session.model_change"];
    let reasoning_from = events.iter().rposition(|event| ends_reasoning.iter().any(|kind| is(*event, kind)));
    let mut chat = Chat::default();
    for (index, event) in events.iter().enumerate() {
        let thinks = reasoning_from.is_none_or(|last| index > last);
        let is_newest_prompt = newest_prompts.contains(&index);
        chat.event(*event, thinks, is_newest_prompt, recorder);
    }
    chat.order_as_sent(recorder);
    Ok(SummaryPlacement::Record(&write::RECORDED))
}

/// The system prompts that count: a prompt replaces the earlier one with the same name.
fn newest_prompts(events: &[Value<'_>]) -> HashSet<usize> {
    let mut newest: HashMap<[Option<Cow<'_, str>>; 2], usize> = HashMap::new();
    for (index, event) in events.iter().enumerate().filter(|(_, event)| is(**event, "system.message")) {
        let name = |key: &str| event.get("data").and_then(|data| data.text_of(key)).map(Text::decode);
        newest.insert([name("role"), name("name")], index);
    }
    newest.into_values().collect()
}

/// The agent's list of messages, by their index in the transcript.
#[derive(Debug, Default)]
struct Chat {
    prompts: Vec<usize>,
    sent: Vec<usize>,
    /// How many messages were sent when the compaction in progress began.
    begun: Option<usize>,
    answered: HashSet<String>,
    last_answer: Option<usize>,
}

impl Chat {
    fn event(&mut self, event: Value<'_>, thinks: bool, is_newest_prompt: bool, recorder: &mut Recorder) {
        let Some(data) = event.get("data") else { return };
        let next = recorder.transcript.messages().len();
        let span = event.span();
        match event.text_of("type").map(Text::decode).as_deref() {
            Some("system.message") => {
                recorder.begin(Message::new(Role::System), span);
                // The prompt is written again with every turn; only the newest one is sent.
                if is_newest_prompt {
                    recorder.text(PartKind::Text, data.text_of("content"));
                }
                self.prompts.push(next);
            }
            Some("user.message") => {
                message::user(data, span, recorder);
                self.say(next, !is_subagents(event), recorder);
            }
            Some("system.notification") => {
                message::notification(data, span, recorder);
                self.say(next, !is_subagents(event), recorder);
            }
            Some("assistant.message") => {
                message::assistant(data, span, thinks, recorder);
                let is_kept = !event.get("ephemeral").is_some_and(Value::is_truthy);
                let is_sent = is_kept && !is_subagents(event);
                self.last_answer = is_sent.then_some(next);
                self.say(next, is_sent, recorder);
            }
            Some("tool.execution_complete") => {
                message::result(data, span, recorder);
                let is_users = data.get("isUserRequested").is_some_and(Value::is_truthy);
                let id = data.text_of("toolCallId").map(Text::decode).unwrap_or_default();
                let is_sent = !is_users && !is_subagents(event) && self.answered.insert(id.into_owned());
                self.say(next, is_sent, recorder);
            }
            Some("assistant.usage") if !is_subagents(event) => {
                let usage = usage::total(Some(data), &usage::COPILOT);
                if let Some(answer) = self.last_answer {
                    recorder.transcript.set_usage(answer, usage);
                }
            }
            Some("session.compaction_start") => self.begun = Some(self.sent.len()),
            Some("session.compaction_complete") => self.compact(event, data, recorder),
            Some("session.context_cleared") => {
                recorder.mark(MarkerKind::Rewind, "session.context_cleared", span);
                self.drop_until(self.sent.len(), recorder);
            }
            _ => {}
        }
    }

    /// Adds message `index` to the sent messages, or marks it as not sent.
    fn say(&mut self, index: usize, is_sent: bool, recorder: &mut Recorder) {
        if is_sent {
            self.sent.push(index);
        } else {
            recorder.transcript.set_active(index, false);
        }
    }

    /// A summary replaces everything that was sent when the compaction began.
    fn compact(&mut self, event: Value<'_>, data: Value<'_>, recorder: &mut Recorder) {
        let begun = self.begun.take().unwrap_or(usize::MAX);
        let summary = data.text_of("summaryContent").filter(|summary| !summary.is_empty());
        let Some(summary) = summary.filter(|_| data.get("success").is_some_and(Value::is_truthy)) else {
            return;
        };
        recorder.mark(MarkerKind::Compaction, "session.compaction_complete", event.span());
        let end = self.before_batch(begun.min(self.sent.len()), recorder);
        self.drop_until(end, recorder);
        let index = recorder.transcript.messages().len();
        recorder.begin_unlisted(Message::earlier_summary(), event.span());
        recorder.text(PartKind::Summary, Some(summary));
        self.sent.insert(0, index);
    }

    /// If the first kept messages are results, the start of their calls, which are kept too.
    fn before_batch(&self, end: usize, recorder: &Recorder) -> usize {
        let role = |position: usize| {
            let index = self.sent.get(position).copied()?;
            recorder.transcript.messages().get(index).map(|message| message.role)
        };
        if role(end) != Some(Role::Tool) {
            return end;
        }
        let calls = |position: &usize| {
            let index = self.sent.get(*position).copied().unwrap_or(usize::MAX);
            recorder.transcript.parts_of(index).iter().any(|part| part.kind == PartKind::ToolCall)
        };
        let is_inside = |position: &usize| matches!(role(*position), Some(Role::Tool | Role::Assistant));
        (0..end).rev().take_while(is_inside).find(calls).unwrap_or(end)
    }

    /// Marks the first messages as not sent. Usage reported until now describes another context.
    fn drop_until(&mut self, end: usize, recorder: &mut Recorder) {
        for index in &self.sent {
            recorder.transcript.forget_usage(*index);
        }
        for index in self.sent.drain(..end) {
            recorder.transcript.set_active(index, false);
        }
        (self.last_answer, self.begun) = (None, None);
    }

    /// System prompts are sent first; a summary is sent before the kept messages.
    fn order_as_sent(&self, recorder: &mut Recorder) {
        let sent = self.prompts.iter().chain(&self.sent).copied();
        recorder.reorder(&as_sent(sent, recorder.transcript.messages().len()));
    }
}

/// Whether a sub-agent wrote the event: it is not sent to the session's model.
fn is_subagents(event: Value<'_>) -> bool {
    let by = event.present("agentId").or_else(|| event.get("data")?.present("parentToolCallId"));
    by.is_some_and(Value::is_truthy)
}

#[cfg(test)]
mod tests;
