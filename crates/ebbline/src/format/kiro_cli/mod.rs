//! Kiro CLI: the log of a session.
//!
//! Shapes by public files and readers of 2026, and by the crate `agent` of `aws/amazon-q-developer-cli`, from which it grew; the
//! program is closed. What is sent is what a replay of the lines leaves: a compaction replaces everything by its summary and
//! the messages that it repeats.

mod write;

use std::collections::HashMap;

use super::entry::{Description, FormatEntry};
use super::marker::MarkerKind;
use super::placement::SummaryPlacement;
use super::recorder::Recorder;
use super::shaped::{Answered, Block, Called, message_of, record};
use super::signs::{Sign, has, is};
use super::slot::{Shape, Slot};
use super::source::Source;
use super::store::{Place, Store};
use crate::error::Error;
use crate::json::{Text, Value};
use crate::transcript::{Message, PartKind, Role};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    description: &Description::of("kiro_cli", "Kiro CLI"),
    store: &Store {
        places: &[Place::of("Kiro CLI", ".kiro/sessions/cli", ".jsonl")],
        moved: &[("KIRO_HOME", ".kiro")],
        ..Store::NONE
    },
    ..FormatEntry::of(SIGNS, read)
};

const SIGNS: &[Sign] =
    &[Sign::log(83, |log| log.head().any(is_line).then(|| "lines of kind Prompt, AssistantMessage and ToolResults".to_owned()))];

fn is_line(line: Value<'_>) -> bool {
    let has_data = |keys: &[&str]| line.get("data").is_some_and(|data| has(data, keys));
    match line.text_of("kind").map(Text::decode).as_deref() {
        Some("Prompt" | "AssistantMessage" | "ToolResults") => has_data(&["content"]),
        Some("Compaction") => has_data(&["summary", "messages_snapshot"]),
        _ => false,
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let mut replay = Replay::default();
    for line in source.list() {
        replay.line(line, recorder);
        replay.behind.push(replay.newest);
    }
    replay.settle(recorder);
    Ok(SummaryPlacement::Record(&write::RECORDED))
}

/// What is sent after each line. Contexts share what they have in common: each is its newest message, and the context before it.
#[derive(Debug, Default)]
struct Replay {
    /// A message, and the step in front of it.
    steps: Vec<(usize, Option<usize>)>,
    newest: Option<usize>,
    /// The newest step behind each line.
    behind: Vec<Option<usize>>,
}

impl Replay {
    fn line(&mut self, line: Value<'_>, recorder: &mut Recorder) {
        let data = line.present("data").unwrap_or(line);
        match line.text_of("kind").map(Text::decode).as_deref() {
            Some("Prompt" | "ToolResults") => self.say(Role::User, data, line, true, recorder),
            Some("AssistantMessage") => self.say(Role::Assistant, data, line, true, recorder),
            Some("Compaction") => self.compact(data, line, recorder),
            kind => {
                match kind {
                    Some("Clear") => {
                        recorder.mark(MarkerKind::Rewind, "Clear", line.span());
                        self.newest = None;
                    }
                    Some("CancelledPrompt") => self.cancel(recorder),
                    Some("ResetTo") => {
                        recorder.mark(MarkerKind::Rewind, "ResetTo", line.span());
                        let target = data.get("target_index").and_then(Value::number).unwrap_or_default();
                        let last = (target as usize).min(self.behind.len()).checked_sub(1);
                        self.newest = last.and_then(|last| self.behind.get(last)).copied().flatten();
                    }
                    _ => {}
                }
                recorder.begin(Message { active: false, ..Message::new(Role::Other) }, line.span());
            }
        }
    }

    fn say(&mut self, role: Role, data: Value<'_>, at: Value<'_>, is_listed: bool, recorder: &mut Recorder) {
        let blocks: Vec<_> = data.elements_of("content").map(block).collect();
        let message = message_of(role, &blocks);
        self.add(recorder);
        record(message, at.span(), &blocks, recorder);
        if is_listed {
            note_copies(data, recorder);
        } else {
            recorder.set_newest_unlisted();
        }
    }

    /// A summary, and the messages that stay.
    fn compact(&mut self, data: Value<'_>, line: Value<'_>, recorder: &mut Recorder) {
        recorder.mark(MarkerKind::Compaction, "Compaction", line.span());
        self.newest = None;
        self.add(recorder);
        recorder.begin_unlisted(Message::earlier_summary(), line.span());
        recorder.text(PartKind::Summary, data.text_of("summary"));
        for (index, message) in data.elements_of("messages_snapshot").enumerate() {
            let says = message.elements_of("content").find_map(|block| block.text_of("data"));
            // Kiro gives every message an id: this one belongs to ebbline's summary.
            if index == 0 && message.present("id").is_none() && says.is_some_and(|says| says.is(write::GO_ON)) {
                self.add(recorder);
                recorder.begin_unlisted(Message::earlier_summary(), message.span());
                recorder.text(PartKind::Text, says);
                continue;
            }
            let is_users = message.text_of("role").is_none_or(|role| role.is("user"));
            let role = if is_users { Role::User } else { Role::Assistant };
            self.say(role, message, message, false, recorder);
        }
    }

    /// The message that comes next is sent.
    fn add(&mut self, recorder: &Recorder) {
        self.steps.push((recorder.transcript.messages().len(), self.newest));
        self.newest = Some(self.steps.len() - 1);
    }

    /// The user takes the newest message back, if nobody has answered it.
    fn cancel(&mut self, recorder: &mut Recorder) {
        let newest = self.newest.and_then(|newest| self.steps.get(newest).copied());
        let Some((index, before)) = newest else { return };
        let message = recorder.transcript.messages().get(index);
        if message.is_some_and(|message| !message.summary && matches!(message.role, Role::User | Role::Tool)) {
            recorder.set_beside(index);
            self.newest = before;
        }
    }

    /// Marks each message as sent or not.
    fn settle(&self, recorder: &mut Recorder) {
        let mut sent = vec![false; recorder.transcript.messages().len()];
        let mut at = self.newest;
        while let Some((index, before)) = at.and_then(|at| self.steps.get(at).copied()) {
            if let Some(is_sent) = sent.get_mut(index) {
                *is_sent = true;
            }
            at = before;
        }
        for (index, is_sent) in sent.into_iter().enumerate() {
            recorder.transcript.set_active(index, is_sent);
        }
    }
}

fn block(block: Value<'_>) -> Block<'_> {
    let data = block.present("data").unwrap_or(block);
    match block.text_of("kind").map(Text::decode).as_deref() {
        Some("text") => Block::Text(data.text()),
        Some("thinking") => Block::Thinking(data.text_of("text"), data.text_of("signature")),
        Some("toolUse") => Block::Call(Called {
            id: data.text_of("toolUseId"),
            name: data.text_of("name"),
            input: data.get("input"),
        }),
        Some("toolResult") => Block::Result(Answered {
            id: data.text_of("toolUseId"),
            name: None,
            holder: data,
            key: "content",
            has_failed: data.text_of("status").is_some_and(|status| status.is("error")),
            shape: Shape::Within(r#"[{"kind":"text","data":"#, "}]"),
            inside: block_inside,
        }),
        Some("image") => {
            let source = data.get("source");
            Block::Media(PartKind::Image, source.and_then(|source| source.get("data")), data)
        }
        _ => Block::Other(data),
    }
}

/// A block of a result: a text, an image, or a value that is sent as JSON.
fn block_inside(inside: Value<'_>) -> Block<'_> {
    match block(inside) {
        Block::Call(_) | Block::Result(_) => Block::Other(inside),
        read => read,
    }
}

/// What a line of results has beside those of the newest message, for the person: the same outputs again.
fn note_copies(data: Value<'_>, recorder: &mut Recorder) {
    let Some(results) = data.present("results") else { return };
    let kept: HashMap<_, _> = results.members().map(|(id, result)| (id.decode(), result)).collect();
    let newest = recorder.transcript.messages().len().saturating_sub(1);
    let parts = recorder.transcript.part_range(newest);
    let parts = parts.filter(|part| recorder.transcript.parts().get(*part).is_some_and(|part| part.kind == PartKind::ToolResult));
    let is_result = |block: &Value<'_>| is(*block, "kind", "toolResult");
    let copies: Vec<_> = parts
        .zip(data.elements_of("content").filter(is_result))
        .filter_map(|(part, block)| {
            let result = kept.get(&block.get("data")?.text_of("toolUseId")?.decode())?.get("result")?;
            let items = result.get("Success")?.get("items")?;
            items.elements().next().is_some().then_some((part, items))
        })
        .collect();
    for (part, items) in copies {
        recorder.add_copy_of(part, Slot::of_value(items, Shape::Within(r#"[{"Text":"#, "}]")));
    }
}

#[cfg(test)]
mod tests;
