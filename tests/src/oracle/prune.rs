//! The protection boundary: which old tool outputs are replaced by a placeholder.
//!
//! One walk from the newest part to the oldest. The newest `protect` tokens of tool output are protected; the output
//! that crosses this limit and all older ones are candidates; they are pruned only if together they have at least
//! `minimum` tokens.
//!
//! A walk may be told that everything up to an output gives way, whatever protects it (see `room`).

use std::collections::BTreeMap;

use super::cuts::Shown;
use super::estimate::Estimate;
use ebbline::length::Length;
use ebbline::plan::{BoundaryLimit, VerdictReason};
use ebbline::policy::{Estimator, PrunePolicy};
use ebbline::transcript::{Message, Output, Part, PartKind, Role, Turn};
use ebbline::{Fate, Reason, Transcript};

/// The result of the walk.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// Fate and reason of each part of the transcript, by its index in [`Transcript::parts`], as if the candidates were
    /// enough.
    pub(super) fates: Vec<(Fate, Reason)>,
    /// For each counted output, the tokens of newer output counted before it; by the same index.
    pub(super) newer: Vec<Option<u64>>,
    /// Why outputs are pruned, or why none is.
    pub(super) reason: VerdictReason,
    /// Whether outputs are pruned.
    pub(super) applied: bool,
    /// Tokens of tool output that the walk counted.
    pub(super) counted: u64,
    /// Tokens of the candidates.
    pub(super) candidates: u64,
    /// The outputs that are pruned, or would be without the minimum, by the same index.
    pub(super) taken: Vec<usize>,
    /// The part that crossed the limit, or the newest one that gives way: message index, and part index inside the message.
    pub(super) boundary: Option<(usize, usize, BoundaryLimit)>,
    /// What stays of the outputs that are cut, by the same index.
    pub(super) shown: BTreeMap<usize, Shown>,
}

/// Walks the transcript.
///
/// Each output is weighed alone, even if the estimator rounds whole messages: its fate must not depend on what was
/// pruned beside it.
///
/// `giving_way` is the newest output that gives way although it is protected, if any does: its message and part.
pub(super) fn scan<'t>(
    transcript: &'t Transcript,
    policy: &'t PrunePolicy,
    estimate: Estimate<'t>,
    giving_way: Option<(usize, usize)>,
) -> Outcome {
    let mut walk = Walk {
        transcript,
        policy,
        estimate,
        fates: vec![(Fate::Kept, Reason::NotToolOutput); transcript.parts().len()],
        newer: vec![None; transcript.parts().len()],
        giving_way,
        counted: 0,
        beside: 0,
        candidates: 0,
        pruned: Vec::new(),
        boundary: None,
        outputs: 0,
        kept_by: BoundaryLimit::Protect,
        by: BoundaryLimit::Protect,
    };
    if policy.enabled {
        walk.run();
    } else {
        walk.keep_everything();
    }
    walk.finish()
}

struct Walk<'t> {
    transcript: &'t Transcript,
    policy: &'t PrunePolicy,
    estimate: Estimate<'t>,
    fates: Vec<(Fate, Reason)>,
    newer: Vec<Option<u64>>,
    giving_way: Option<(usize, usize)>,
    counted: u64,
    /// Tokens that count because protected outputs give way.
    beside: u64,
    candidates: u64,
    pruned: Vec<usize>,
    /// The output that crossed the limit: its message and part.
    boundary: Option<(usize, usize)>,
    /// How many outputs were counted, and what kept the newest of those that stay in front of the boundary.
    outputs: u64,
    kept_by: BoundaryLimit,
    by: BoundaryLimit,
}

impl Walk<'_> {
    fn run(&mut self) {
        let mut turns = 0_u64;
        // Once the walk has stopped, the reason why everything older stays.
        let mut stopped: Option<Reason> = None;
        for (index, message) in self.transcript.messages().iter().enumerate().rev() {
            if !message.active {
                self.keep_all(index, Reason::Inactive);
                continue;
            }
            turns += u64::from(is_turn(message, self.policy));
            if stopped.is_none() && turns < self.policy.protected_turns {
                for part in self.transcript.part_range(index).rev() {
                    self.visit_newest_turns(index, part);
                }
                continue;
            }
            if self.policy.stop_at_summary && message.summary && stopped.is_none() {
                stopped = Some(Reason::BeforeSummary);
            }
            for part in self.transcript.part_range(index).rev() {
                if let Some(reason) = stopped {
                    self.keep_output(part, reason);
                } else if self.visit(index, part) {
                    stopped = Some(Reason::BeforePruned);
                }
            }
        }
    }

    /// Decides about one part; true if everything older stays.
    fn visit(&mut self, message: usize, index: usize) -> bool {
        let Some(part) = self.transcript.parts().get(index).copied() else { return false };
        if part.kind != PartKind::ToolResult {
            return false;
        }
        if let Some(reason) = self.never_counts(&part) {
            self.keep_output(index, reason);
            return false;
        }
        if part.output == Output::Pruned && self.policy.stop_at_pruned {
            self.keep_output(index, Reason::AlreadyPruned);
            return true;
        }
        if self.policy.preview > 0 && !is_answered(self.transcript, message) {
            // It may be cut, but it is neither counted nor pruned.
            self.keep_output(index, Reason::NewestTurns);
            self.kept_by = BoundaryLimit::Unanswered;
            return false;
        }
        let cost = self.estimate.alone(&part);
        if let Some(newer) = self.newer.get_mut(index) {
            *newer = Some(self.counted);
        }
        self.counted += cost;
        self.outputs += 1;
        let gives_way = self.giving_way.is_some_and(|(_, newest)| index <= newest);
        let is_far = self.counted > self.policy.protect;
        if is_far && self.outputs > self.policy.keep_outputs {
            let crosses = self.boundary.is_none();
            if crosses {
                self.boundary = Some((message, index));
                self.by = self.kept_by;
            }
            self.take(message, index, if crosses { Reason::CrossedBoundary } else { Reason::BeyondBoundary });
        } else if gives_way {
            self.take(message, index, Reason::RoomNeeded);
        } else if is_far {
            self.keep_output(index, Reason::NewestOutputs);
            self.kept_by = BoundaryLimit::KeepOutputs;
        } else {
            self.keep_output(index, Reason::ProtectedByBudget);
            self.kept_by = BoundaryLimit::Protect;
        }
        false
    }

    /// Decides about one part of the newest turns. No place to stop is looked for there.
    fn visit_newest_turns(&mut self, message: usize, index: usize) {
        let Some(part) = self.transcript.parts().get(index).copied() else { return };
        let is_stop = part.output == Output::Pruned && self.policy.stop_at_pruned;
        if part.kind == PartKind::ToolResult && self.never_counts(&part).is_none() && !is_stop {
            self.kept_by = BoundaryLimit::ProtectedTurns;
        }
        let newest = self.giving_way.filter(|_| part.kind == PartKind::ToolResult);
        let Some((newest_message, newest)) = newest else {
            return self.keep_output(index, Reason::NewestTurns);
        };
        let never_counts = self.never_counts(&part);
        if never_counts.is_none() && !is_stop && is_answered(self.transcript, message) {
            self.beside += self.estimate.alone(&part);
        }
        if message > newest_message {
            self.keep_output(index, Reason::NewestTurns);
        } else if let Some(reason) = never_counts {
            self.keep_output(index, reason);
        } else if index > newest || is_stop {
            self.keep_output(index, Reason::NewestTurns);
        } else {
            self.take(message, index, Reason::RoomNeeded);
        }
    }

    /// Why an output is neither pruned nor counted, wherever it is.
    fn never_counts(&self, part: &Part) -> Option<Reason> {
        if part.tool.is_some_and(|tool| self.is_protected(tool)) {
            return Some(Reason::ProtectedTool);
        }
        match part.output {
            Output::Sealed => Some(Reason::SealedOutput),
            Output::FixedError => Some(Reason::ErrorOutput),
            Output::FailedPlaceholder if !self.policy.errors && !self.was_pruned(part) => {
                Some(Reason::ErrorOutput)
            }
            Output::Error if !self.policy.errors => Some(Reason::ErrorOutput),
            _ => None,
        }
    }

    /// An output that is not protected, or not any more: it is pruned unless it is short or was pruned before.
    fn take(&mut self, message: usize, index: usize, reason: Reason) {
        let Some(part) = self.transcript.parts().get(index).copied() else { return };
        let cost = self.estimate.alone(&part);
        let says_placeholder = part.output.says_placeholder();
        let stays = !self.policy.short_outputs && part.output != Output::Pruned;
        let is_short = stays && cost <= self.placeholder_in(message, cost);
        if !(is_short || stays && says_placeholder) {
            self.candidates += cost;
        }
        if says_placeholder || is_short || self.was_pruned(&part) {
            self.keep_output(index, Reason::ShortOutput);
        } else {
            self.pruned.push(index);
            self.set(index, Fate::Pruned, reason);
        }
    }

    fn finish(mut self) -> Outcome {
        let turns = self
            .transcript
            .messages()
            .iter()
            .filter(|message| message.active && is_turn(message, self.policy))
            .count();
        let enough = self.policy.minimum_is.holds(self.candidates, self.policy.minimum);
        let reason = if !self.policy.enabled {
            VerdictReason::Disabled
        } else if (turns as u64) < self.policy.minimum_turns {
            VerdictReason::TooFewTurns
        } else if self.pruned.is_empty() {
            VerdictReason::NothingToPrune
        } else if !enough {
            VerdictReason::BelowMinimum
        } else if self.giving_way.is_some() {
            VerdictReason::RoomNeeded
        } else {
            VerdictReason::OutputsBeyondProtection
        };
        let by = if self.giving_way.is_some() { BoundaryLimit::DownTo } else { self.by };
        let boundary = self.giving_way.or(self.boundary).map(|(message, index)| {
            let first = self.transcript.part_range(message).start;
            (message, index - first, by)
        });
        self.images_follow_their_results();
        Outcome {
            fates: self.fates,
            newer: self.newer,
            reason,
            applied: matches!(reason, VerdictReason::OutputsBeyondProtection | VerdictReason::RoomNeeded),
            counted: self.counted + self.beside,
            candidates: self.candidates,
            taken: self.pruned,
            boundary,
            shown: BTreeMap::new(),
        }
    }

    /// An image inside a result is pruned with the result.
    fn images_follow_their_results(&mut self) {
        for message in 0..self.transcript.messages().len() {
            let start = self.transcript.part_range(message).start;
            for (image, result) in followed_results(self.transcript.parts_of(message)) {
                if let Some((fate, reason)) = self.fates.get(start + result).copied() {
                    self.set(start + image, fate, reason);
                }
            }
        }
    }

    fn is_protected(&self, tool: u32) -> bool {
        let name = self.transcript.tool_name(tool).unwrap_or_default();
        self.policy.protected_tools.iter().any(|protected| protected == name)
    }

    /// Whether a part counts as pruned before.
    fn was_pruned(&self, part: &Part) -> bool {
        was_pruned(self.policy, part)
    }

    /// The tokens of the placeholder for an output of `tokens` tokens in a message.
    fn placeholder_in(&self, message: usize, tokens: u64) -> u64 {
        let message = self.transcript.messages().get(message);
        message.map_or(0, |message| {
            self.estimate.text(placeholder(self.policy, self.estimate.estimator, message, tokens))
        })
    }

    /// Without pruning there is no boundary and no other reason.
    fn keep_everything(&mut self) {
        for (index, message) in self.transcript.messages().iter().enumerate() {
            if message.active {
                self.keep_outputs(index, Reason::PruneDisabled);
            } else {
                self.keep_all(index, Reason::Inactive);
            }
        }
    }

    fn keep_all(&mut self, message: usize, reason: Reason) {
        for part in self.transcript.part_range(message) {
            self.set(part, Fate::Inactive, reason);
        }
    }

    fn keep_outputs(&mut self, message: usize, reason: Reason) {
        for part in self.transcript.part_range(message) {
            self.keep_output(part, reason);
        }
    }

    fn keep_output(&mut self, index: usize, reason: Reason) {
        match self.transcript.parts().get(index) {
            Some(part) if part.kind != PartKind::ToolResult => {}
            Some(part) if self.was_pruned(part) => {
                self.set(index, Fate::AlreadyPruned, Reason::AlreadyPruned);
            }
            _ => self.set(index, Fate::Kept, reason),
        }
    }

    fn set(&mut self, index: usize, fate: Fate, reason: Reason) {
        if let Some(slot) = self.fates.get_mut(index) {
            *slot = (fate, reason);
        }
    }
}

impl Outcome {
    /// The outcome with its fates as they are if the candidates are not enough.
    pub(super) fn settled(mut self) -> Self {
        if !self.applied {
            let is_young = self.reason == VerdictReason::TooFewTurns;
            self.withdraw(self.reason, if is_young { Reason::TooFewTurns } else { Reason::BelowMinimum });
        }
        self
    }

    /// Keeps all outputs after all, with a reason for the walk and one for each output.
    pub(super) fn withdraw(&mut self, of_walk: VerdictReason, of_output: Reason) {
        (self.applied, self.reason) = (false, of_walk);
        for (fate, reason) in &mut self.fates {
            if *fate == Fate::Pruned {
                (*fate, *reason) = (Fate::Kept, of_output);
            }
        }
    }
}

/// Whether an answer of the model follows a message. A summary is no answer, and neither are the later entries of an
/// answer that is stored in several, unless the entry before holds results.
pub(super) fn is_answered(transcript: &Transcript, message: usize) -> bool {
    let active = transcript.messages().iter().enumerate().filter(|(_, other)| other.active);
    let active: Vec<(usize, &Message)> = active.collect();
    let holds_results = |(index, other): &(usize, &Message)| {
        let is_result = |part: &Part| part.kind == PartKind::ToolResult && part.output != Output::Sealed;
        other.role == Role::Assistant && transcript.parts_of(*index).iter().any(is_result)
    };
    active.iter().enumerate().any(|(at, (index, other))| {
        let before = at.checked_sub(1).and_then(|before| active.get(before));
        let goes_on = !other.continues || before.is_some_and(holds_results);
        *index > message && other.role == Role::Assistant && !other.summary && goes_on
    })
}

/// Whether a message begins a turn in this walk.
pub(super) fn is_turn(message: &Message, policy: &PrunePolicy) -> bool {
    match message.turn {
        Turn::Person => true,
        Turn::Synthetic => policy.count_synthetic_turns,
        _ => false,
    }
}

/// The images and files of a message that are inside results, each with its result; both are indices of `parts`. An id
/// may occur twice: the nearest result before the image counts, and without one the nearest after it.
pub(super) fn followed_results(parts: &[Part]) -> Vec<(usize, usize)> {
    let images = parts.iter().enumerate().filter(|(_, part)| belongs_to_result(part));
    let pairs = images.filter_map(|(image, part)| {
        let is_its =
            |(_, other): &(usize, &Part)| other.kind == PartKind::ToolResult && other.call == part.call;
        let results = parts.iter().enumerate().filter(is_its).map(|(at, _)| at);
        let (before, after): (Vec<usize>, Vec<usize>) = results.partition(|at| *at < image);
        let nearest = before.into_iter().max().or(after.into_iter().min())?;
        Some((image, nearest))
    });
    pairs.collect()
}

/// Whether a part is an image or file inside a tool result.
pub(super) fn belongs_to_result(part: &Part) -> bool {
    matches!(part.kind, PartKind::Image | PartKind::File) && part.call.is_some()
}

/// The length of what remains of an output of `tokens` tokens in `message`: the placeholder, behind the largest excerpt and a line
/// end, and with names that take at most a tenth of the output. All references have the same length.
///
/// A placeholder with braces may have a fifth as many characters as the output has tokens. What is left of these is for the values:
/// 64 characters of a name, 80 of an argument, 13 of a size and 100 of an outcome. With room for fewer than 24, the text of the agents stands there.
pub fn placeholder(policy: &PrunePolicy, estimator: &Estimator, message: &Message, tokens: u64) -> Length {
    let told = Length::of(&policy.cleared(message, Some("a call")));
    let says = ["{tool}", "{argument}", "{size}", "{outcome}"]
        .iter()
        .any(|value| policy.placeholder.contains(value));
    let shows = policy.excerpt > 0;
    if message.has_prune_field || !policy.reference || !says && !shows && policy.names == 0 {
        return told;
    }
    let names = policy.names.min(tokens / 10);
    let besides = (policy.excerpt + names) * u64::from(estimator.per_token);
    let besides = u32::try_from(besides).unwrap_or(u32::MAX);
    let room = (tokens as usize * 4 / 20).saturating_sub(policy.placeholder.len());
    let described = if says && room >= 24 {
        let reference = told.utf16 as usize - "[Old tool result content cleared]".len();
        Length::of(&policy.placeholder)
            .plus(Length::of(&" [ref oljnnlka]"[..reference]))
            .plus(Length::ascii(room.min(257)))
    } else {
        told
    };
    let Length { utf16, code_points, bytes, classed, classed_json } = described.plus(Length::ascii(1));
    let longer = |length: u32| length.saturating_add(besides);
    Length {
        utf16: longer(utf16),
        code_points: longer(code_points),
        bytes: longer(bytes),
        classed: longer(classed),
        classed_json: longer(classed_json),
    }
}

/// Whether an output that equals the placeholder counts as pruned.
pub(super) fn trusts_placeholders(policy: &PrunePolicy) -> bool {
    policy.enabled && !policy.reference
}

/// Whether a part counts as pruned before.
pub(super) fn was_pruned(policy: &PrunePolicy, part: &Part) -> bool {
    part.output == Output::Pruned || part.output.says_placeholder() && trusts_placeholders(policy)
}
