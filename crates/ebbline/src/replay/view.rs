//! The view of a replay: what is sent instead of the log.

use std::collections::HashMap;

use super::moment::{Moment, Source};
use super::options::{Moments, ReplayOptions, UsageFrom};
use super::{Compaction, Request, window_of};
use crate::decide::{Session, Shortened, belongs_to_result, cut_part, followed_results};
use crate::length::Length;
use crate::placeholder;
use crate::plan::{Decision, PlanOptions, Preview, RetainReport};
use crate::policy::Policy;
use crate::profiles::Steps;
use crate::transcript::{Message, Output, Part, PartKind, Role, Transcript};

/// In place of a compaction's number: the part was never pruned. In place of a part's: it is no part of the log.
pub(super) const NONE: u32 = u32::MAX;

/// A view that grows with the log and that compactions change.
pub(super) struct View<'l> {
    log: &'l Transcript,
    policy: Policy,
    options: ReplayOptions,
    /// The length of the policy's own placeholder.
    lengths: placeholder::Lengths,
    session: Session,
    sources: Vec<Source>,
    /// For each part of the view, the part of the log.
    parts: Vec<u32>,
    /// For each message of the view, the usage that the provider reported with it.
    usages: Vec<Option<u32>>,
    /// For each part of the log, the compaction that pruned it.
    pruned_in: Vec<u32>,
    /// What stayed of the parts of the log that were cut, and whether they were pruned since.
    previews: HashMap<u32, (Preview, bool)>,
    /// For each summary, by its compaction, its tokens.
    summaries: Vec<u64>,
    /// The tokens of the newest request.
    sent: u64,
    /// How many of them stand unchanged at the beginning of the view.
    unchanged: u64,
    /// The compaction since the newest request.
    compacted: Option<u32>,
}

impl<'l> View<'l> {
    pub(super) fn new(log: &'l Transcript, policy: &Policy, options: ReplayOptions) -> Self {
        let policy = policy.resolved().into_owned();
        Self {
            session: Session::of(Transcript::with_tools_of(log), &policy),
            log,
            lengths: placeholder::Lengths::of(&policy.prune),
            policy,
            options,
            sources: Vec::new(),
            parts: Vec::new(),
            usages: Vec::new(),
            pruned_in: Vec::new(),
            previews: HashMap::new(),
            summaries: Vec::new(),
            sent: 0,
            unchanged: 0,
            compacted: None,
        }
    }

    /// A view with the compactions before a request already carried out: `sources` is what the newest summary left.
    pub(super) fn after(mut self, sources: &[(Source, Option<u32>)], compactions: &[Compaction]) -> Self {
        for (number, compaction) in (0_u32..).zip(compactions) {
            self.mark(&compaction.pruned, &compaction.cut, number);
            self.summaries.push(compaction.summary);
        }
        for (at, (source, usage)) in sources.iter().enumerate() {
            self.add(*source, *usage);
            if matches!(source, Source::Summary(_)) {
                self.session.set_kept(sources.len() - at - 1);
            }
        }
        self
    }

    /// Decides before a request, carries the decision out, and says what the request sends.
    pub(super) fn request(
        &mut self,
        (steps, idle): (Steps, Option<u64>),
        at: usize,
        number: usize,
        compactions: &mut Vec<Compaction>,
    ) -> Request {
        let fits = self.decide((steps, idle), at, number, compactions);
        let tokens = self.tokens();
        let request = Request {
            at: at as u32,
            tokens,
            unchanged: self.unchanged.min(tokens),
            output: 0,
            compaction: self.compacted.take(),
            fits,
            over_window: window_of(&self.policy)
                .is_some_and(|window| self.options.overhead.saturating_add(tokens) > window),
        };
        (self.sent, self.unchanged) = (tokens, tokens);
        request
    }

    /// Takes some of the policy's steps before request `number`, when `at` messages of the history are there. Says whether
    /// what is left stays below the threshold.
    pub(super) fn decide(
        &mut self,
        (steps, idle): (Steps, Option<u64>),
        at: usize,
        number: usize,
        compactions: &mut Vec<Compaction>,
    ) -> bool {
        let (decision, shortened) = self.session.decide_steps(steps, PlanOptions::new().idle(idle));
        if decision.changes_something() {
            let done = self.carry_out(decision, shortened, compactions.len() as u32);
            self.compacted = Some(compactions.len() as u32);
            compactions.push(Compaction { request: number as u32, at: at as u32, ..done });
        }
        decision.fits
    }

    /// Adds the next message of the log, and says how many tokens of it the model wrote.
    pub(super) fn push(&mut self, message: usize) -> u64 {
        self.push_answer(message, self.sent)
    }

    /// The same for a message that answers a request of `sent` tokens.
    pub(super) fn push_answer(&mut self, message: usize, sent: u64) -> u64 {
        let written = self.written(message);
        let usage = self.usage_of(message, sent, written);
        self.add(Source::Log(message as u32), usage);
        written
    }

    /// Remembers what was known when a compaction had just been carried out.
    pub(super) fn recall(&mut self, compaction: &Compaction) {
        self.session.recall(compaction.decision.trigger.overhead, self.sources.len());
    }

    pub(super) fn into_moment(self) -> Moment {
        let Self { mut session, sources, parts, .. } = self;
        let overhead = session.known_overhead();
        Moment { transcript: session.into_transcript(), sources, parts, overhead }
    }

    /// The usage that is reported with a message, if it answers a request of `sent` tokens.
    fn usage_of(&self, message: usize, sent: u64, written: u64) -> Option<u32> {
        let message = self.log.messages().get(message)?;
        match self.options.usage {
            UsageFrom::Nothing => None,
            UsageFrom::Recorded => message.usage,
            UsageFrom::Estimate => {
                let answers = message.role == Role::Assistant && !message.continues && !message.summary;
                let tokens = self.options.overhead.saturating_add(sent).saturating_add(written);
                answers.then(|| u32::try_from(tokens).unwrap_or(u32::MAX))
            }
        }
    }

    /// The tokens of a message that the model wrote: all of an answer but the results of its calls.
    fn written(&self, message: usize) -> u64 {
        if self.log.messages().get(message).is_none_or(|message| message.role != Role::Assistant) {
            return 0;
        }
        let estimator = &self.policy.estimator;
        let parts = self.log.parts_of(message).iter();
        let written = parts.filter(|part| part.kind != PartKind::ToolResult && !belongs_to_result(part));
        written.map(|part| estimator.alone(estimator.weigh(self.log, part))).sum()
    }

    fn tokens(&mut self) -> u64 {
        self.session.tokens_until(self.sources.len())
    }

    /// Prunes and summarizes as decided.
    fn carry_out(&mut self, decision: Decision, (places, cut): Shortened, number: u32) -> Compaction {
        let (retain, tokens) = (decision.retain, self.tokens());
        let boundary = if retain.applied { self.boundary(retain) } else { 0 };
        let goes = |view: &Self, at: usize| {
            at < boundary
                && view.session.transcript().messages().get(at).is_some_and(|message| !message.stays())
        };
        let summarized: Vec<usize> = (0..boundary).filter(|at| goes(self, *at)).collect();
        let places: Vec<_> = places.into_iter().filter(|(message, _)| !goes(self, *message)).collect();

        let mut first = (self.sources.len(), tokens);
        if let Some((message, part)) = places.first() {
            first = (*message, self.tokens_before(*message, *part));
        }
        if let Some(message) = summarized.first() {
            first = first.min((*message, self.session.tokens_until(*message)));
        }
        let summary_input = if !retain.applied {
            0
        } else if Some(boundary) == retain.boundary {
            retain.summarized
        } else {
            let until = |view: &mut Self, at: usize| view.session.tokens_until(at);
            summarized.iter().map(|at| until(self, *at + 1).saturating_sub(until(self, *at))).sum()
        };
        let (first, unchanged) = first;
        self.unchanged = self.unchanged.min(unchanged);

        let pruned = self.log_parts(&places);
        let mut cut = self.cut_parts(cut);
        cut.retain(|(part, _)| pruned.contains(part));
        self.mark(&pruned, &cut, number);
        self.summaries.push(decision.summary_allowance);
        if !retain.applied && pruned.len() == places.len() {
            self.session.changes_to(self.sources.len());
            self.clear_outputs(first, &places);
            return Compaction {
                request: 0,
                at: 0,
                decision,
                pruned,
                cut,
                summarized: Vec::new(),
                summary: 0,
                summary_input: 0,
                sources: Vec::new(),
            };
        }
        let gone = |at: usize| summarized.binary_search(&at).is_ok();
        let log_of = |at: &usize| match self.sources.get(*at) {
            Some(Source::Log(message)) => Some(*message),
            _ => None,
        };
        let replaced: Vec<u32> = summarized.iter().filter_map(log_of).collect();
        let rest = self.kept().into_iter().enumerate().skip(first);
        let rest: Vec<_> = rest.filter(|(at, _)| !gone(*at)).map(|(_, kept)| kept).collect();
        self.session.changes_to(first + usize::from(retain.applied) + rest.len());
        self.truncate(first);
        if retain.applied {
            self.add(Source::Summary(number), None);
            self.session.set_kept(rest.len());
        }
        for (source, usage) in rest {
            // A usage reported before a summary describes the context that the summary replaced.
            self.add(source, usage.filter(|_| !retain.applied));
        }
        Compaction {
            request: 0,
            at: 0,
            decision,
            pruned,
            cut,
            summarized: replaced,
            summary: decision.summary_allowance,
            summary_input,
            sources: if retain.applied { self.kept() } else { Vec::new() },
        }
    }

    /// Where what is kept begins. A plan keeps what the model has not answered yet; the system may not.
    fn boundary(&self, retain: RetainReport) -> usize {
        let of_system = retain.proposed.filter(|_| self.options.moments == Moments::System);
        of_system.or(retain.boundary).unwrap_or(0)
    }

    /// The messages of the view, and the usage reported with each.
    fn kept(&self) -> Vec<(Source, Option<u32>)> {
        self.sources.iter().copied().zip(self.usages.iter().copied()).collect()
    }

    /// Clears outputs without an image inside them, where they stand.
    fn clear_outputs(&mut self, first: usize, places: &[(usize, usize)]) {
        let transcript = self.session.transcript();
        let cleared = places.iter().filter_map(|(message, part)| {
            let index = transcript.part_range(*message).start + part;
            let (message, part) = (transcript.messages().get(*message)?, transcript.parts().get(index)?);
            Some((index, self.cleared(message, part, *self.parts.get(index)?)))
        });
        let cleared: Vec<(usize, Part)> = cleared.collect();
        self.session.replace_outputs(first, cleared.into_iter());
    }

    /// The tokens before a part of the view.
    fn tokens_before(&mut self, message: usize, part: usize) -> u64 {
        let before = self.session.tokens_until(message);
        let transcript = self.session.transcript();
        let estimator = &self.policy.estimator;
        let parts = transcript.parts_of(message).iter().take(part);
        let tokens = estimator.spread(parts.map(|part| estimator.weigh(transcript, part)));
        before + tokens.iter().sum::<u64>()
    }

    /// The parts of the log at places of the view, with the images inside them.
    fn log_parts(&self, places: &[(usize, usize)]) -> Vec<u32> {
        let transcript = self.session.transcript();
        let mut pruned = Vec::with_capacity(places.len());
        for of_message in places.chunk_by(|(one, _), (other, _)| one == other) {
            let Some((message, _)) = of_message.first() else { continue };
            let first = transcript.part_range(*message).start;
            let images = followed_results(transcript.parts_of(*message)).into_iter();
            let images = images.filter(|(_, result)| of_message.binary_search(&(*message, *result)).is_ok());
            let parts = of_message.iter().map(|(_, part)| *part).chain(images.map(|(image, _)| image));
            pruned.extend(parts.filter_map(|part| self.parts.get(first + part)));
        }
        pruned
    }

    /// The parts of the log at places of the view, with what stays of each.
    fn cut_parts(&self, cut: Vec<(usize, usize, Preview)>) -> Vec<(u32, Preview)> {
        let transcript = self.session.transcript();
        let log_part = |message: usize, part: usize| {
            self.parts.get(transcript.part_range(message).start + part).copied()
        };
        cut.into_iter()
            .filter_map(|(message, part, preview)| Some((log_part(message, part)?, preview)))
            .collect()
    }

    /// Records which compaction pruned parts of the log, and what stays of those that it cut.
    fn mark(&mut self, pruned: &[u32], cut: &[(u32, Preview)], number: u32) {
        for part in pruned {
            if let Some((_, is_pruned)) = self.previews.get_mut(part) {
                *is_pruned = true;
            }
        }
        self.previews.extend(cut.iter().map(|(part, preview)| (*part, (*preview, false))));
        if !pruned.is_empty() && self.pruned_in.is_empty() {
            self.pruned_in.resize(self.log.parts().len(), NONE);
        }
        for part in pruned {
            if let Some(pruned_in) = self.pruned_in.get_mut(*part as usize) {
                *pruned_in = number;
            }
        }
    }

    fn truncate(&mut self, messages: usize) {
        self.session.truncate(messages);
        self.parts.truncate(self.session.transcript().parts().len());
        self.sources.truncate(messages);
        self.usages.truncate(messages);
    }

    /// Adds a message as it is sent now.
    fn add(&mut self, source: Source, usage: Option<u32>) {
        match source {
            Source::Log(message) => self.add_message(message as usize, usage),
            Source::Summary(number) => self.add_summary(self.summaries.get(number as usize).copied()),
        }
        self.sources.push(source);
        self.usages.push(usage);
    }

    fn add_message(&mut self, index: usize, usage: Option<u32>) {
        let Some(message) = self.log.messages().get(index) else { return };
        let message = Message { active: true, usage, ..*message };
        self.session.begin(message);
        for (number, part) in (self.log.part_range(index).start..).zip(self.log.parts_of(index)) {
            if self.pruned_in.get(number).is_none_or(|pruned_in| *pruned_in == NONE) {
                self.session.push(*part);
            } else if part.kind == PartKind::ToolResult {
                self.session.push(self.cleared(&message, part, number as u32));
            } else {
                continue; // An image inside a pruned output goes with it.
            }
            self.parts.push(number as u32);
        }
    }

    fn add_summary(&mut self, tokens: Option<u64>) {
        let estimator = &self.policy.estimator;
        let characters = tokens.unwrap_or(0).saturating_mul(u64::from(estimator.per_token.max(1)));
        let characters = u32::try_from(characters).unwrap_or(u32::MAX);
        let length = Length {
            utf16: characters,
            code_points: characters,
            bytes: characters,
            classed: characters,
            classed_json: characters,
        };
        self.session.begin(Message::earlier_summary());
        self.session.push(Part::new(PartKind::Summary, length));
        self.parts.push(NONE);
    }

    /// A pruned output as a reader would find it; `number` is its part of the log.
    fn cleared(&self, message: &Message, part: &Part, number: u32) -> Part {
        let mut part = *part;
        if let Some((preview, is_pruned)) = self.previews.get(&number) {
            // Where it is cut already, it is no shorter for being cut again.
            part = cut_part(self.log.parts().get(number as usize).unwrap_or(&part), preview);
            if !is_pruned {
                return part;
            }
        }
        let prune = &self.policy.prune;
        let output = if message.has_prune_field || prune.reference {
            Output::Pruned
        } else if part.output.has_failed() {
            Output::FailedPlaceholder
        } else {
            Output::Placeholder
        };
        let length = if message.has_prune_field {
            Length::of(&prune.cleared(message, None))
        } else {
            let estimator = &self.policy.estimator;
            placeholder::longest(
                self.lengths,
                prune,
                estimator,
                estimator.alone(estimator.weigh(self.log, &part)),
            )
        };
        Part { output, pieces: 1, length, native: None, ..part }
    }
}
