//! Claude Code session files: a log of lines, or the web's export of one.
//!
//! There is no public schema. The structures are those found in files of the versions 2.0 to 2.1.219.
//!
//! A line is a message of the transcript, although several lines may form one answer of the model. Forks that write
//! the same lines are read the same way; Qwen Code fills them with Gemini contents.

mod attachment;
mod contents;
mod context;
mod entry;
mod log;
mod write;

pub(super) use entry::ENTRY;
pub(super) use write::CONTINUED;

use super::anthropic_messages;
use super::marker::MarkerKind;
use super::pieces::PieceKind;
use super::placement::SummaryPlacement;
use super::recorder::{Recorder, length_of_value};
use super::slot::{Shape, Slot};
use super::source::Source;
use super::usage;
use crate::error::Error;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::marks::PLACEHOLDER;
use crate::transcript::{Message, Output, Part, PartKind, Role};
use context::Context;
use log::{Kind, Line, Log};

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let log = Log::of(source);
    let context = Context::of(&log);
    let mut messages = Vec::with_capacity(log.lines.len());
    for (index, line) in log.iter() {
        mark(index, line, &context, recorder);
        let first = recorder.transcript.messages().len();
        read_line(index, line, &context, recorder);
        messages.push(first..recorder.transcript.messages().len());
    }
    let order: Vec<usize> =
        context.order.iter().filter_map(|index| messages.get(*index).cloned()).flatten().collect();
    recorder.reorder(&order);
    Ok(SummaryPlacement::Record(if log.is_of_contents { &write::COMPRESSED } else { &write::RECORDED }))
}

/// Records the markers of what the agent did to the session.
fn mark(index: usize, line: &Line<'_>, context: &Context<'_>, recorder: &mut Recorder) {
    let span = line.value.span();
    match line.kind {
        Kind::Boundary => {
            recorder.mark(MarkerKind::Compaction, "compact_boundary", span);
            let record = line.value.get("compactMetadata");
            recorder.figures(figure(record, "preTokens"), None, None);
        }
        Kind::Clearing => {
            recorder.mark(MarkerKind::Prune, "microcompact_boundary", span);
            let record = line.value.get("microcompactMetadata");
            let outputs = record.map(|record| record.elements_of("compactedToolIds").count());
            recorder.figures(figure(record, "preTokens"), figure(record, "tokensSaved"), outputs);
        }
        Kind::Compressed => {
            recorder.mark(MarkerKind::Compaction, "chat_compression", span);
            let record = line.value.get("systemPayload").and_then(|payload| payload.get("info"));
            recorder.figures(figure(record, "originalTokenCount"), None, None);
        }
        Kind::Summary => recorder.mark(MarkerKind::Summary, "isCompactSummary", span),
        _ if context.retries.binary_search(&index).is_ok() => {
            recorder.mark(MarkerKind::Rewind, "rewind", span);
        }
        _ => {}
    }
}

fn figure(record: Option<Value<'_>>, key: &str) -> Option<u32> {
    record?.get(key)?.number().map(|figure| figure as u32)
}

/// Records the content of a line.
fn read_line(index: usize, line: &Line<'_>, context: &Context<'_>, recorder: &mut Recorder) {
    let active = context.sent.contains(&index);
    let user = Message { active, ..Message::new(Role::User) };
    let message = match line.kind {
        Kind::Prompt if !line.is_of_subagent => Message { active, ..Message::person() },
        Kind::Results if is_only_results(line) => Message { role: Role::Tool, ..user },
        Kind::Results => user,
        // A sub-agent's prompt is another agent's.
        Kind::Prompt | Kind::Meta | Kind::Echo => Message { active, ..Message::context() },
        Kind::Summary => Message { active, ..Message::earlier_summary() },
        Kind::Answer => answer(index, line, context),
        Kind::LocalError => Message { role: Role::Assistant, ..user },
        Kind::Aside if active => return attachment::read(line.value, recorder),
        Kind::Compressed if active => return contents::read_compressed(line.value, recorder),
        Kind::Aside | Kind::Compressed | Kind::Boundary | Kind::Clearing | Kind::Other => return,
    };
    recorder.begin(message, line.value.span());
    if line.is_sidechain {
        recorder.set_newest_beside();
    }
    match line.kind {
        Kind::Summary => read_texts(line.content(), PartKind::Summary, recorder),
        Kind::Echo => read_echo(line.content(), recorder),
        // The agent's own error is part of the log but is not sent.
        Kind::LocalError => {}
        _ => read_content(line, context, recorder),
    }
}

fn is_only_results(line: &Line<'_>) -> bool {
    let mut blocks = line.content().into_iter().flat_map(Value::elements);
    blocks.all(|block| is_type(block, "tool_result"))
}

fn is_type(block: Value<'_>, name: &str) -> bool {
    block.text_of("type").is_some_and(|kind| kind.is(name))
}

/// A line of an answer. Every line repeats the usage of the whole answer; the last one has the final figures.
fn answer(index: usize, line: &Line<'_>, context: &Context<'_>) -> Message {
    let message = line.value.get("message");
    let is_last = context.endings.contains(&index);
    let says = ["content", "parts"].iter().any(|key| {
        let blocks = message.into_iter().flat_map(|message| message.elements_of(key));
        blocks.filter_map(|block| block.text_of("text")).any(|text| !text.is_blank())
    });
    let stopped = message.is_some_and(|message| message.present("stop_reason").is_some());
    let reported = message.and_then(|message| usage::total(message.get("usage"), &usage::ANTHROPIC));
    let reported = reported.or_else(|| usage::total(line.value.get("usageMetadata"), &contents::USAGE));
    Message {
        active: context.sent.contains(&index),
        continues: context.continuing.contains(&index),
        ended: is_last && (stopped || says && line.calls.is_empty()),
        usage: reported.filter(|_| is_last && index >= context.usage_from),
        ..Message::new(Role::Assistant)
    }
}

fn read_content(line: &Line<'_>, context: &Context<'_>, recorder: &mut Recorder) {
    let Some(said) = line.content() else {
        if let Some(message) = line.value.get("message") {
            contents::read(message, PartKind::Text, recorder);
        }
        return;
    };
    if let Some(text) = said.text() {
        return recorder.text(PartKind::Text, Some(text));
    }
    let results = said.elements().filter(|block| is_type(*block, "tool_result")).count();
    for block in said.elements() {
        if is_type(block, "tool_result") {
            // The more detailed copy belongs to a single result.
            read_result(block, Some(line.value).filter(|_| results == 1), context, recorder);
        } else {
            anthropic_messages::read_block(block, recorder);
        }
    }
}

/// A tool result. `line` contains a copy of it that is not sent.
fn read_result(block: Value<'_>, line: Option<Value<'_>>, context: &Context<'_>, recorder: &mut Recorder) {
    let id = block.text_of("tool_use_id");
    let slot = Slot::of_member(block, "content", Shape::Text);
    let copy = line.filter(|line| line.present("toolUseResult").is_some());
    let copy = copy.map(|line| Slot::of_member(line, "toolUseResult", Shape::Text));
    let cleared = id.and_then(|id| context.cleared.get(&id.decode()));
    if let Some(from) = cleared {
        let cleared = Part::new(PartKind::ToolResult, Length::of(PLACEHOLDER));
        recorder.result(id, None, Part { output: Output::Pruned, ..cleared }, None);
        recorder.set_pruned_from(*from);
        // The file still contains the text, which is no longer sent.
        recorder.add_copy(slot);
        if let Some(copy) = copy {
            recorder.add_copy(copy);
        }
        return;
    }
    // Some forks write an object where Claude Code writes a text or blocks.
    let object = block.get("content").filter(|content| content.is_object());
    let part = anthropic_messages::result_part(block, recorder);
    let part = Part { length: object.map_or(part.length, length_of_value), ..part };
    let call = recorder.result(id, None, part, Some(slot));
    if let Some(copy) = copy {
        recorder.add_copy(copy);
    }
    recorder.set_text_places(block.get("content"));
    recorder.set_places(object.map(Value::span));
    anthropic_messages::read_enclosures(block, call, recorder);
}

fn read_texts(content: Option<Value<'_>>, kind: PartKind, recorder: &mut Recorder) {
    let blocks = content.into_iter().flat_map(Value::elements).filter_map(|block| block.text_of("text"));
    for text in content.and_then(Value::text).into_iter().chain(blocks) {
        recorder.text(kind, Some(text));
    }
}

/// A command that the user ran, or its output.
fn read_echo(content: Option<Value<'_>>, recorder: &mut Recorder) {
    let blocks = content.into_iter().flat_map(Value::elements).filter_map(|block| block.text_of("text"));
    for text in content.and_then(Value::text).into_iter().chain(blocks) {
        recorder.text(PartKind::Text, Some(text));
        recorder.set_piece_kind(piece_of(text));
    }
}

fn piece_of(text: Text<'_>) -> PieceKind {
    let printed = ["<local-command-stdout", "<local-command-stderr", "<bash-stdout", "<bash-stderr"];
    if printed.iter().any(|mark| text.starts_with(mark)) { PieceKind::Printed } else { PieceKind::Command }
}

#[cfg(test)]
mod tests;
