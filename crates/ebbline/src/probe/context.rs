//! The context that a policy would have sent before an answer, with its placeholders and summaries as texts.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::chat::{Said, call, id_of, ordered};
use super::fact::Fact;
use super::{Life, Probe, question, score};
use crate::marks::{self, Reference};
use crate::placeholder::{Remains, differs};
use crate::plan::Preview;
use crate::preview;
use crate::replay::{Compaction, Moment, Source};
use crate::transcript::{Output, Part, PartKind, Role, Transcript};

/// What stands for an image or a file, which no text shows.
const MEDIA: &str = "[image or file]";

impl Probe<'_, '_> {
    /// The text of a part of the log; empty if the file does not hold it.
    pub(super) fn text(&self, index: usize, part: &Part) -> Cow<'_, str> {
        let text = self.session.text_of(index);
        if part.kind != PartKind::ToolResult || !text.is_empty() {
            return text;
        }
        let reading = &self.session.reading;
        reading.text_before_pruning(self.session.source(), index).unwrap_or_default()
    }

    /// The messages that the request sends under a policy, whose answer used a fact.
    #[must_use]
    pub fn context(&self, life: usize, fact: &Fact) -> Vec<Said> {
        let Some(life) = self.lives.get(life) else { return Vec::new() };
        let Some(moment) = life.replay.sent(fact.request as usize) else { return Vec::new() };
        let cleared = Self::cleared(life, fact.request);
        let transcript = moment.transcript();
        let text = |at: usize, part: &Part| self.sent(life, &moment, at, part, &cleared);
        let calls = calls_of(transcript);
        let mut outputs: HashMap<String, String> = HashMap::new();
        let mut said = Vec::new();
        for (index, message) in transcript.messages().iter().enumerate() {
            let role = match message.role {
                Role::System => "system",
                Role::Assistant if !message.summary => "assistant",
                _ => "user",
            };
            let (mut words, mut made) = (Vec::new(), Vec::new());
            for (at, part) in transcript.part_range(index).zip(transcript.parts_of(index)) {
                match (part.kind, part.call) {
                    (PartKind::ToolCall, Some(number)) if role == "assistant" => {
                        made.push(call(number, self.tool(part), &text(at, part)));
                    }
                    (PartKind::ToolCall, _) => {
                        words.push(question::written(self.tool(part), part, &text(at, part)));
                    }
                    (PartKind::ToolResult, Some(number)) if calls.contains(&number) => {
                        let output = outputs.entry(id_of(number)).or_default();
                        output.push_str(if output.is_empty() { "" } else { "\n" });
                        output.push_str(&text(at, part));
                    }
                    (PartKind::Image | PartKind::File, _) if role == "user" => words.push(MEDIA.to_owned()),
                    // What a model thought is not sent back as words.
                    (PartKind::Image | PartKind::File | PartKind::Thinking, _) => {}
                    _ => words.push(text(at, part).into_owned()),
                }
            }
            words.retain(|words| !words.trim().is_empty());
            let content = Some(words.join("\n\n")).filter(|words| !words.is_empty());
            if content.is_some() || !made.is_empty() {
                said.push(Said { role, content, tool_calls: made, tool_call_id: None });
            }
        }
        ordered(said, outputs)
    }

    /// Whether messages have a fact.
    #[must_use]
    pub fn holds(said: &[Said], fact: &Fact) -> bool {
        said.iter().any(|message| {
            let of_calls = message.tool_calls.iter().any(|call| {
                let arguments = &call.function.arguments;
                score::has(arguments, fact) || score::has(&question::arguments(arguments), fact)
            });
            of_calls || message.content.as_deref().is_some_and(|content| score::has(content, fact))
        })
    }

    /// The whole output that a model asked for before it used a fact, by the reference of a placeholder or the id of a call.
    #[must_use]
    pub fn recall(&self, id: &str, fact: &Fact) -> Option<String> {
        let history = self.lives.first()?.replay.history();
        let log = history.log();
        let numbered = id.strip_prefix("call_").and_then(|number| number.parse().ok());
        let number = log.referred_call(id).or_else(|| log.known_call(id)).or(numbered)?;
        let before = self.lives.first()?.replay.requests().get(fact.request as usize)?.at as usize;
        let sent = history.messages().get(..before)?.iter().rev();
        let mut parts = sent.flat_map(|message| {
            let message = *message as usize;
            log.part_range(message).zip(log.parts_of(message))
        });
        let found = parts.find(|(_, part)| part.kind == PartKind::ToolResult && part.call == Some(number));
        let text = found.map(|(index, part)| self.text(index, part))?;
        (!text.is_empty()).then(|| text.into_owned())
    }

    fn tool(&self, part: &Part) -> &str {
        part.tool.and_then(|tool| self.session.transcript().tool_name(tool)).unwrap_or_default()
    }

    /// The text of a part of a context as it is sent.
    fn sent<'t>(
        &'t self,
        life: &'t Life<'_>,
        moment: &Moment,
        at: usize,
        part: &Part,
        cleared: &HashMap<u32, Gone<'_>>,
    ) -> Cow<'t, str> {
        let Some(of_log) = moment.parts().get(at).filter(|of_log| **of_log != super::NEVER) else {
            let message = (0..moment.sources().len())
                .find(|index| moment.transcript().part_range(*index).contains(&at));
            let Some(Source::Summary(made)) = message.and_then(|index| moment.sources().get(index)) else {
                return Cow::default();
            };
            let summary = life.summaries.get(*made as usize).map_or("", String::as_str);
            return format!("{}{}{summary}", marks::RECORDED, marks::BREAK).into();
        };
        let text = self.text(*of_log as usize, part);
        match cleared.get(of_log) {
            None => text,
            Some(Gone::Cut(cut)) => preview::written(&text, cut, &life.replay.policy().estimator).into(),
            Some(Gone::Pruned(number)) => self.remains(life, *number, *of_log).into(),
        }
    }

    /// The outputs that had been pruned or cut before a request was sent, by their parts of the log.
    fn cleared<'l>(life: &'l Life<'_>, request: u32) -> HashMap<u32, Gone<'l>> {
        let mut gone = HashMap::new();
        for (number, compaction) in (0_u32..).zip(life.replay.compactions()) {
            if compaction.request > request {
                break;
            }
            gone.extend(compaction.pruned.iter().map(|part| (*part, Gone::Pruned(number))));
            gone.extend(compaction.cut.iter().map(|(part, cut)| (*part, Gone::Cut(cut))));
        }
        gone
    }

    /// What remains of an output that a compaction pruned.
    fn remains(&self, life: &Life<'_>, number: u32, part: u32) -> String {
        let (log, prune) = (life.replay.history().log(), &life.replay.policy().prune);
        let Some(output) = log.parts().get(part as usize) else { return String::new() };
        let call = output.call.filter(|call| !log.is_paired_by_place(*call));
        let message = life.places.get(part as usize).and_then(|place| log.messages().get(place.message));
        let is_marked = message.is_some_and(|message| message.has_prune_field);
        let told = call.filter(|_| !is_marked && differs(prune)).and_then(|_| {
            let mut known = life.remains.borrow_mut();
            let known = known.entry(number).or_insert_with(|| self.all_remains(life, number));
            known.get(&part).cloned()
        });
        match (told, message) {
            (Some(told), _) => {
                let id = call.and_then(|call| log.call_id(call));
                marks::cleared(&told, id.map(Reference::to_call))
            }
            (None, Some(message)) => prune.cleared(message, call.and_then(|call| log.call_id(call))),
            (None, None) => prune.bare_placeholder().to_owned(),
        }
    }

    /// What remains of all outputs of a compaction, without the references.
    fn all_remains(&self, life: &Life<'_>, number: u32) -> HashMap<u32, String> {
        let nothing = HashMap::new();
        let Some(compaction) = life.replay.compactions().get(number as usize) else { return nothing };
        let Some(moment) = life.replay.moment(compaction.request as usize) else { return nothing };
        let pruned = pruned_in(&moment, compaction);
        let text_of = |at: usize| match moment.transcript().parts().get(at) {
            Some(part) => self.sent(life, &moment, at, part, &HashMap::new()),
            None => Cow::default(),
        };
        let policy = life.replay.policy();
        let remains = Remains::of(policy, moment.transcript(), &pruned, &text_of, crate::summary::outcome);
        let told = pruned.iter().filter_map(|at| Some((*moment.parts().get(*at)?, remains.text(*at)?)));
        told.collect()
    }
}

/// What became of an output.
#[derive(Clone, Copy)]
enum Gone<'c> {
    /// The compaction with this number pruned it.
    Pruned(u32),
    /// It was cut to head and tail.
    Cut(&'c Preview),
}

/// The parts of a moment that a compaction prunes, in order.
fn pruned_in(moment: &Moment, compaction: &Compaction) -> Vec<usize> {
    let pruned: HashSet<u32> = compaction.pruned.iter().copied().collect();
    let parts = moment.transcript().parts().iter().enumerate();
    let parts = parts.filter(|(at, part)| {
        let is_pruned = moment.parts().get(*at).is_some_and(|of_log| pruned.contains(of_log));
        is_pruned && part.kind == PartKind::ToolResult && part.output != Output::Pruned
    });
    parts.map(|(at, _)| at).collect()
}

/// The calls of answers.
fn calls_of(transcript: &Transcript) -> HashSet<u32> {
    let messages = transcript.messages().iter().enumerate();
    let answers = messages.filter(|(_, message)| message.role == Role::Assistant && !message.summary);
    let parts = answers.flat_map(|(index, _)| transcript.parts_of(index));
    parts.filter(|part| part.kind == PartKind::ToolCall).filter_map(|part| part.call).collect()
}
