//! The decider: decides what is to be done with a session before the next request.
//!
//! [`Books`] hold sums over the messages of a transcript. Each message is entered once. A decision then needs
//! only a few searches, each beginning at the newest message. [`Session`] keeps the books of a growing session,
//! and [`crate::plan()`] makes books for a whole transcript; both decide with [`Books::decide`]. The fate of each
//! message follows from the decision and the same books (see `explain.rs`).
//!
//! `ebbline-tests` contains a second, slower implementation of the same rules, which visits every message. A
//! property test compares the two.

mod after_pruning;
mod boundaries;
mod calibration;
mod costs;
mod cuts;
mod fullness;
mod media;
mod outputs;
mod overhead;
mod session;
mod sums;
mod usages;
mod verdict;
mod window;

use std::ops::Range;

pub(crate) use self::after_pruning::AfterPruning;
pub(crate) use self::cuts::cut_part;
pub(crate) use self::fullness::Fullness;
pub(crate) use self::media::{belongs_to_result, followed_results};
pub(crate) use self::outputs::Outputs;
pub use self::session::Session;
pub(crate) use self::session::Shortened;
pub(crate) use self::verdict::Search;

use self::boundaries::Boundaries;
use self::costs::{Change, Costs, Told};
use self::outputs::Sort;
use self::overhead::{Memory, Overhead};
use self::usages::{Usage, Usages};
use crate::estimate::Weight;
use crate::length::Length;
use crate::marks;
use crate::placeholder;
use crate::plan::{Decision, PlanOptions, Reason};
use crate::policy::{Estimator, Scope};
use crate::policy::{Policy, PrunePolicy};
use crate::transcript::{Message, Output, Part, PartKind, Transcript, Turn};

/// Sums over the active messages of one transcript under one policy.
///
/// The books hold neither the transcript nor the policy: every method that needs them receives them, and must
/// always receive the same two.
#[derive(Clone, Debug)]
pub(crate) struct Books {
    placeholder: Placeholder,
    /// For each tool, by its index in the transcript: whether its outputs are never pruned.
    is_protected: Vec<bool>,
    /// The number of messages of the transcript that have been entered.
    entered: usize,
    /// The transcript index of each active message.
    active: Vec<u32>,
    costs: Costs,
    outputs: Outputs,
    boundaries: Boundaries,
    usages: Usages,
    memory: Memory,
    /// [`PlanOptions::changed_at`] of the newest decision. Only what was reported after it gives the size of the context, and
    /// corrects the estimate.
    changed_at: Option<usize>,
    /// Tokens by part; a reused buffer, so that entering a message allocates nothing.
    tokens: Vec<u64>,
}

impl Books {
    /// Empty books for a policy whose shares are already resolved.
    pub(crate) fn new(policy: &Policy) -> Self {
        Self {
            placeholder: Placeholder::of(&policy.prune, &policy.estimator),
            is_protected: Vec::new(),
            entered: 0,
            active: Vec::new(),
            costs: Costs::default(),
            outputs: Outputs::default(),
            boundaries: Boundaries::default(),
            usages: Usages::default(),
            memory: Memory::default(),
            changed_at: None,
            tokens: Vec::new(),
        }
    }

    /// Whether the sums over a transcript are the same under both policies, if both prune. Sums depend on the estimator and on
    /// which outputs may be pruned; every other knob is only compared with them.
    fn are_alike(one: &Policy, other: &Policy) -> bool {
        let PrunePolicy {
            enabled: _,
            protect: _,
            minimum: _,
            minimum_is: _,
            minimum_context: _,
            only_when_full: _,
            cold_after: _,
            breaks_at_most: _,
            down_to: _,
            preview: _,
            minimum_turns: _,
            protected_turns: _,
            keep_outputs: _,
            count_synthetic_turns,
            protected_tools,
            errors,
            short_outputs,
            stop_at_summary,
            stop_at_pruned,
            repeated,
            superseded,
            thinking,
            arguments,
            images,
            excerpt,
            names,
            placeholder,
            reference,
        } = &one.prune;
        let with = &other.prune;
        one.estimator == other.estimator
            && (count_synthetic_turns, errors, short_outputs, stop_at_summary, stop_at_pruned)
                == (
                    &with.count_synthetic_turns, &with.errors, &with.short_outputs, &with.stop_at_summary,
                    &with.stop_at_pruned,
                )
            && (repeated, superseded, thinking, arguments, images)
                == (&with.repeated, &with.superseded, &with.thinking, &with.arguments, &with.images)
            && (excerpt, names) == (&with.excerpt, &with.names)
            && (placeholder, reference) == (&with.placeholder, &with.reference)
            && *protected_tools == with.protected_tools
            && one.prune.trusts_placeholders() == with.trusts_placeholders()
    }

    /// Forgets what was computed from the outputs that another policy prunes.
    fn forget_calibration(&mut self) {
        self.usages.forget();
    }

    /// Removes all messages, but keeps the allocated memory.
    fn clear(&mut self) {
        self.entered = 0;
        self.active.clear();
        self.costs.clear();
        self.outputs.clear();
        self.boundaries.clear();
        self.usages.clear();
    }

    /// Removes what depends on the lengths of the messages from `index` on, to enter them again: their outputs are
    /// pruned now. Where a boundary may be does not depend on lengths, so the places stay.
    fn measure_again(&mut self, index: usize) {
        if index >= self.entered {
            return;
        }
        self.entered = index;
        let position = self.active.partition_point(|active| (*active as usize) < index);
        self.active.truncate(position);
        self.costs.truncate(position);
        self.outputs.truncate(position);
        self.usages.truncate(position);
    }

    /// Remembers what has been learnt about the overhead, because the context changes to `messages` messages now.
    fn remember(&mut self, transcript: &Transcript, policy: &Policy, messages: usize) {
        let overhead = self.learn(transcript, policy).figure();
        self.memory = Memory { overhead, current_from: Some(messages) };
        self.changed_at = self.changed_at.map(|_| messages);
        // Its steps are those of the context before.
        self.usages.forget();
    }

    /// What is known of the overhead beyond what a plan of the transcript alone learns.
    fn known_overhead(&mut self, transcript: &Transcript, policy: &Policy) -> Option<u64> {
        self.learn(transcript, policy).known()
    }

    /// Takes in when the context last changed, if the caller says so.
    fn know_change(&mut self, PlanOptions { changed_at, .. }: PlanOptions) {
        if changed_at != self.changed_at {
            self.changed_at = changed_at;
            self.usages.forget();
        }
    }

    fn learn(&mut self, transcript: &Transcript, policy: &Policy) -> Overhead {
        let mut usages = std::mem::take(&mut self.usages);
        usages.believe(policy);
        let overhead = AfterPruning::unpruned(self, transcript, policy).learn(&mut usages);
        self.usages = usages;
        overhead
    }

    /// Whether the first `messages` messages have all been entered, and at least one has been entered.
    fn has_entered(&self, messages: usize) -> bool {
        messages > 0 && self.entered >= messages
    }

    /// The tokens of the active messages before `position`, with nothing pruned.
    pub(crate) fn tokens_until(&self, position: usize) -> u64 {
        self.costs.until(position)
    }

    /// The tokens of all active messages, and of the text among them.
    fn estimates(&self) -> (u64, u64) {
        let end = self.active.len();
        (self.costs.until(end), self.costs.certain_until(end))
    }

    /// Where the newest answer of the model begins.
    fn newest_answer(&self) -> Option<usize> {
        self.boundaries.newest_answer()
    }

    pub(crate) fn placeholder(&self) -> Placeholder {
        self.placeholder
    }

    /// Whether the outputs of a tool are never pruned. Known only once an output of the tool has been entered.
    pub(crate) fn protects(&self, tool: u32) -> bool {
        self.is_protected.get(tool as usize).copied().unwrap_or(false)
    }

    /// Decides on the messages that have been entered.
    pub(crate) fn decide(
        &mut self,
        transcript: &Transcript,
        policy: &Policy,
        options: PlanOptions,
    ) -> Decision {
        self.decide_and(transcript, policy, options, Search::Always, |_, decision| decision)
    }

    /// Decides, and passes on the decision together with the context on which it was made.
    pub(crate) fn decide_and<T>(
        &mut self,
        transcript: &Transcript,
        policy: &Policy,
        options: PlanOptions,
        search: Search,
        then: impl FnOnce(&AfterPruning<'_>, Decision) -> T,
    ) -> T {
        self.know_change(options);
        // The usages store the calibration that they compute; everything else is only read.
        let mut usages = std::mem::take(&mut self.usages);
        usages.believe(policy);
        let context = AfterPruning::new(self, transcript, policy, &mut usages, options);
        let decision = verdict::decide(&context, &mut usages, options, search);
        let result = then(&context, decision);
        if !context.cuts().is_empty() {
            usages.forget();
        }
        self.usages = usages;
        result
    }

    /// Enters the messages before `end` that have not been entered yet.
    pub(crate) fn enter(&mut self, transcript: &Transcript, policy: &Policy, end: usize) {
        while self.entered < end {
            let index = self.entered;
            self.entered += 1;
            if let Some(message) = transcript.messages().get(index).filter(|message| message.active) {
                self.enter_message(transcript, policy, index, message);
            }
        }
    }

    fn enter_message(&mut self, transcript: &Transcript, policy: &Policy, index: usize, message: &Message) {
        let position = self.active.len();
        self.active.push(index as u32);
        let mut tokens = std::mem::take(&mut self.tokens);
        let parts = transcript.parts_of(index);
        let estimator = &policy.estimator;
        tokens.clear();
        estimator.spread_into(parts.iter().map(|part| estimator.weigh(transcript, part)), &mut tokens);

        self.outputs.begin(is_turn(message, &policy.prune));
        // The places are already known if the message is only measured again.
        if self.boundaries.len() == position {
            self.boundaries.push(message, parts);
        }
        let (mut covered, mut certain) = (0_u64, 0_u64);
        let mut told = Told { tokens: 0, said: 0, certain: 0 };
        for (at, (part, tokens)) in parts.iter().zip(&tokens).enumerate() {
            told.tokens += *tokens;
            if message.says(part) {
                told.said += *tokens;
            }
            if part.kind == PartKind::ToolResult {
                self.enter_output(transcript, policy, message, (at, part, *tokens));
                told.certain += *tokens;
            } else if !belongs_to_result(part) {
                covered += *tokens;
                certain += if part.is_text() { *tokens } else { 0 };
            }
        }
        told.certain += certain;
        if policy.prune.stop_at_summary && message.summary {
            self.outputs.stop(parts.len(), Reason::BeforeSummary);
        }
        if let Some(usage) = message.usage {
            let until = self.costs.until(position) + covered;
            let certain = self.costs.certain_until(position) + certain;
            self.usages.push(Usage { position, tokens: u64::from(usage), covered, until, certain });
        }
        let outputs = self.outputs.of_message(position);
        let change = self.change(transcript, policy, position, &outputs);
        self.costs.push(told, change, message.stays());
        self.tokens = tokens;
    }

    /// Enters one tool output of the message that is being entered. The arguments are its index in the message,
    /// the part, and its tokens in the message.
    fn enter_output(
        &mut self,
        transcript: &Transcript,
        policy: &Policy,
        message: &Message,
        (at, part, tokens): (usize, &Part, u64),
    ) {
        let Policy { prune, estimator, .. } = policy;
        if prune.was_pruned(part.output) {
            self.usages.was_pruned(self.active.len().saturating_sub(1));
        }
        if !prune.enabled || part.tool.is_some_and(|tool| self.is_protected(transcript, policy, tool)) {
            return;
        }
        // An output counts by itself even where whole messages are rounded: its fate must not depend on what was
        // pruned beside it.
        let alone = match estimator.rounded {
            Scope::Part => tokens,
            Scope::Message => estimator.alone(estimator.weigh(transcript, part)),
        };
        match part.output {
            Output::Sealed | Output::FixedError => {}
            Output::Error if !prune.errors => {}
            Output::FailedPlaceholder if !prune.errors && !prune.trusts_placeholders() => {}
            Output::Pruned if prune.stop_at_pruned => self.outputs.stop(at, Reason::BeforePruned),
            Output::Pruned => self.outputs.push(at, alone, Sort::Pruned),
            output if output.says_placeholder() => {
                let sort = if prune.short_outputs { Sort::Pruned } else { Sort::Short };
                self.outputs.push(at, alone, sort);
            }
            _ if !prune.short_outputs && alone <= self.placeholder.tokens_in(message, policy, alone) => {
                self.outputs.push(at, alone, Sort::Short);
            }
            _ => self.outputs.push(at, alone, Sort::Prunable),
        }
    }

    /// How the message at `position` changes when its outputs in `pruned` are pruned.
    fn change(
        &self,
        transcript: &Transcript,
        policy: &Policy,
        position: usize,
        pruned: &Range<usize>,
    ) -> Change {
        let of_message = self.outputs.of_message(position);
        let pruned = of_message.start.max(pruned.start)..of_message.end.min(pruned.end);
        if self.outputs.prunable(&pruned) == 0 {
            return Change::default();
        }
        let index = self.active.get(position).map_or(0, |index| *index as usize);
        let Some(message) = transcript.messages().get(index) else { return Change::default() };
        let parts = transcript.parts_of(index);
        let estimator = &policy.estimator;
        if estimator.rounded == Scope::Part && !parts.iter().any(belongs_to_result) {
            let placeholder = |tokens| self.placeholder.tokens_in(message, policy, tokens);
            return self.outputs.change(&pruned, placeholder);
        }
        let weights: Vec<(Weight, bool)> = parts
            .iter()
            .zip(self.fates(parts, &pruned))
            .map(|(part, is_pruned)| {
                let cleared = || self.placeholder.weight(policy, message, transcript, part);
                (if is_pruned { cleared() } else { estimator.weigh(transcript, part) }, is_pruned)
            })
            .collect();
        changed_by(transcript, estimator, parts, &weights)
    }

    /// For each part of a message, whether it is pruned. Besides prunable outputs, these are the images and files
    /// inside them.
    fn fates(&self, parts: &[Part], pruned: &Range<usize>) -> Vec<bool> {
        let mut fates = vec![false; parts.len()];
        for output in pruned.clone().filter(|output| self.outputs.is_prunable(*output)) {
            let part = self.outputs.place(output).map(|(_, part)| part);
            if let Some(fate) = part.and_then(|part| fates.get_mut(part)) {
                *fate = true;
            }
        }
        for (image, result) in followed_results(parts) {
            let follows = fates.get(result).copied().unwrap_or(false);
            if let Some(fate) = fates.get_mut(image).filter(|_| follows) {
                *fate = true;
            }
        }
        fates
    }

    /// Whether the outputs of a tool are never pruned.
    fn is_protected(&mut self, transcript: &Transcript, policy: &Policy, tool: u32) -> bool {
        for tool in self.is_protected.len() as u32..=tool {
            let name = transcript.tool_name(tool).unwrap_or_default();
            self.is_protected.push(policy.prune.protected_tools.iter().any(|protected| protected == name));
        }
        self.protects(tool)
    }
}

/// How a message changes if its parts have other weights. `weights` also says of each part whether it is replaced.
fn changed_by(
    transcript: &Transcript,
    estimator: &Estimator,
    parts: &[Part],
    weights: &[(Weight, bool)],
) -> Change {
    let before = estimator.spread(parts.iter().map(|part| estimator.weigh(transcript, part)));
    let after = estimator.spread(weights.iter().map(|(weight, _)| *weight));
    let mut change = Change::default();
    for ((part, (_, is_replaced)), (before, after)) in
        parts.iter().zip(weights).zip(before.into_iter().zip(after))
    {
        change.saved += before as i64 - after as i64;
        if *is_replaced {
            change.reclaimed += before.saturating_sub(after);
        }
        if part.kind != PartKind::ToolResult && !belongs_to_result(part) {
            change.covered_saved += before as i64 - after as i64;
        }
    }
    change
}

/// The cost of the text that replaces a pruned output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placeholder {
    lengths: placeholder::Lengths,
    tokens: u64,
    /// The length of the agent's own text, used where the format has a field that marks an output as pruned.
    of_agent: Length,
    tokens_of_agent: u64,
}

impl Placeholder {
    fn of(policy: &PrunePolicy, estimator: &Estimator) -> Self {
        let lengths = placeholder::Lengths::of(policy);
        let of_agent = Length::of(marks::PLACEHOLDER);
        let (tokens, tokens_of_agent) =
            (estimator.tokens_of_text(lengths.bare), estimator.tokens_of_text(of_agent));
        Self { lengths, tokens, of_agent, tokens_of_agent }
    }

    /// The tokens of the placeholder for an output of `tokens` tokens in `message`.
    fn tokens_in(&self, message: &Message, Policy { prune, estimator, .. }: &Policy, tokens: u64) -> u64 {
        if message.has_prune_field {
            return self.tokens_of_agent;
        }
        if !self.lengths.differ {
            return self.tokens;
        }
        estimator.tokens_of_text(placeholder::longest(self.lengths, prune, estimator, tokens))
    }

    /// The weight of a pruned part: that of the placeholder for an output, none for an image inside one.
    pub(crate) fn weight(
        &self,
        policy: &Policy,
        message: &Message,
        transcript: &Transcript,
        part: &Part,
    ) -> Weight {
        let Policy { prune, estimator, .. } = policy;
        if belongs_to_result(part) {
            return Weight::default();
        }
        if message.has_prune_field {
            return estimator.weigh_text(self.of_agent);
        }
        if !self.lengths.differ {
            return estimator.weigh_text(self.lengths.bare);
        }
        let tokens = estimator.alone(estimator.weigh(transcript, part));
        estimator.weigh_text(placeholder::longest(self.lengths, prune, estimator, tokens))
    }
}

/// Whether pruning counts a message as the beginning of a turn.
fn is_turn(message: &Message, policy: &PrunePolicy) -> bool {
    match message.turn {
        Turn::No | Turn::Context => false,
        Turn::Person => true,
        Turn::Synthetic => policy.count_synthetic_turns,
    }
}
