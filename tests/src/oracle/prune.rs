//! The protection boundary: which old tool outputs are replaced by a placeholder.
//!
//! One walk from the newest part to the oldest. The newest `protect` tokens of tool output are protected; the output
//! that crosses this limit and all older ones are candidates; they are pruned only if together they have at least
//! `minimum` tokens.

use super::estimate::Estimate;
use ebbline::length::Length;
use ebbline::plan::VerdictReason;
use ebbline::policy::PrunePolicy;
use ebbline::transcript::{Message, Output, Part, PartKind, Turn};
use ebbline::{Fate, Reason, Transcript};

/// The result of the walk.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// Fate and reason of each part of the transcript, by its index in [`Transcript::parts`].
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
    /// How many outputs are pruned, or would be without the minimum.
    pub(super) outputs: usize,
    /// The part that crossed the limit: message index, and part index inside the message.
    pub(super) boundary: Option<(usize, usize)>,
}

/// Walks the transcript.
///
/// Each output is weighed alone, even if the estimator rounds whole messages: its fate must not depend on what was
/// pruned beside it.
pub(super) fn scan<'t>(
    transcript: &'t Transcript,
    policy: &'t PrunePolicy,
    estimate: Estimate<'t>,
) -> Outcome {
    let mut walk = Walk {
        transcript,
        policy,
        estimate,
        fates: vec![(Fate::Kept, Reason::NotToolOutput); transcript.parts().len()],
        newer: vec![None; transcript.parts().len()],
        counted: 0,
        candidates: 0,
        pruned: Vec::new(),
        boundary: None,
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
    counted: u64,
    candidates: u64,
    pruned: Vec<usize>,
    boundary: Option<(usize, usize)>,
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
                self.keep_outputs(index, Reason::NewestTurns);
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
        if part.tool.is_some_and(|tool| self.is_protected(tool)) {
            self.keep_output(index, Reason::ProtectedTool);
            return false;
        }
        match part.output {
            Output::Sealed => {
                self.set(index, Fate::Kept, Reason::SealedOutput);
                return false;
            }
            Output::FixedError => {
                self.set(index, Fate::Kept, Reason::ErrorOutput);
                return false;
            }
            Output::FailedPlaceholder if !self.policy.errors && !self.was_pruned(&part) => {
                self.set(index, Fate::Kept, Reason::ErrorOutput);
                return false;
            }
            Output::Error if !self.policy.errors => {
                self.set(index, Fate::Kept, Reason::ErrorOutput);
                return false;
            }
            Output::Pruned if self.policy.stop_at_pruned => {
                self.set(index, Fate::AlreadyPruned, Reason::AlreadyPruned);
                return true;
            }
            _ => {}
        }
        let cost = self.estimate.alone(&part);
        if let Some(newer) = self.newer.get_mut(index) {
            *newer = Some(self.counted);
        }
        self.counted += cost;
        if self.counted <= self.policy.protect {
            if self.was_pruned(&part) {
                self.set(index, Fate::AlreadyPruned, Reason::AlreadyPruned);
            } else {
                self.set(index, Fate::Kept, Reason::ProtectedByBudget);
            }
            return false;
        }
        let crossing = self.boundary.is_none();
        if crossing {
            let first = self.transcript.part_range(message).start;
            self.boundary = Some((message, index - first));
        }
        self.candidates += cost;
        let says_placeholder = part.output.says_placeholder();
        let stays = !self.policy.short_outputs && part.output != Output::Pruned;
        if stays && (says_placeholder || cost <= self.placeholder_in(message)) {
            self.candidates -= cost;
        }
        if self.was_pruned(&part) {
            self.set(index, Fate::AlreadyPruned, Reason::AlreadyPruned);
        } else if says_placeholder || stays && cost <= self.placeholder_in(message) {
            self.set(index, Fate::Kept, Reason::ShortOutput);
        } else {
            self.pruned.push(index);
            let reason = if crossing { Reason::CrossedBoundary } else { Reason::BeyondBoundary };
            self.set(index, Fate::Pruned, reason);
        }
        false
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
        } else {
            VerdictReason::OutputsBeyondProtection
        };
        let applied = reason == VerdictReason::OutputsBeyondProtection;
        let outputs = self.pruned.len();
        if !applied {
            let why =
                if reason == VerdictReason::TooFewTurns { Reason::TooFewTurns } else { Reason::BelowMinimum };
            for index in std::mem::take(&mut self.pruned) {
                self.set(index, Fate::Kept, why);
            }
        }
        self.images_follow_their_results();
        Outcome {
            fates: self.fates,
            newer: self.newer,
            reason,
            applied,
            counted: self.counted,
            candidates: self.candidates,
            outputs,
            boundary: self.boundary,
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
        let is_trusted = part.output.says_placeholder() && trusts_placeholders(self.policy);
        part.output == Output::Pruned || is_trusted
    }

    /// The tokens of the placeholder in a message.
    fn placeholder_in(&self, message: usize) -> u64 {
        let message = self.transcript.messages().get(message);
        message.map_or(0, |message| self.estimate.text(placeholder(self.policy, message)))
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

/// Whether a message begins a turn in this walk.
pub(super) fn is_turn(message: &Message, policy: &PrunePolicy) -> bool {
    match message.turn {
        Turn::No => false,
        Turn::Person => true,
        Turn::Synthetic => policy.count_synthetic_turns,
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

/// The length of the placeholder for an output of `message`. All references have the same length.
pub(super) fn placeholder(policy: &PrunePolicy, message: &Message) -> Length {
    Length::of(&policy.cleared(message, Some("a call")))
}

/// Whether an output that equals the placeholder counts as pruned.
pub(super) fn trusts_placeholders(policy: &PrunePolicy) -> bool {
    policy.enabled && !policy.reference
}
