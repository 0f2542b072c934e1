//! The context as it will be after old outputs are pruned. Summarizing is decided on this context.

mod history;
mod size;

use std::cell::Cell;
use std::iter::successors;
use std::ops::Range;

use super::Books;
use super::calibration::NEWEST;
use super::costs::Cleared;
use super::cuts::{Cut, Cuts};
use super::outputs::{Outputs, Walk};
use super::overhead::Overhead;
use super::usages::Usages;
use crate::plan::{Boundary, PlanOptions, Preview, PruneReport, Source, VerdictReason};
use crate::policy::{Comparison, Policy, PrunePolicy, Scope};
use crate::search::newest;
use crate::transcript::Transcript;

/// The books of a transcript, as they look after pruning.
///
/// A message is identified by its position among the active ones, oldest first. One more position stands behind
/// the newest message: a window that begins there keeps nothing.
pub(crate) struct AfterPruning<'b> {
    transcript: &'b Transcript,
    policy: &'b Policy,
    books: &'b Books,
    walk: Walk,
    /// The range of outputs to be pruned; empty when nothing is pruned.
    pruned: Range<usize>,
    cleared: Cleared,
    /// The outputs that are cut to head and tail.
    cuts: Cuts,
    /// Whether pruning made the room that the policy asks for, so that a forced compaction needs no summary.
    made_room: bool,
    /// The tokens sent beside the messages.
    overhead: Overhead,
    /// The size from which the context is full.
    threshold: u64,
    /// How full it is, until more is pruned or less.
    measured: Cell<Option<(u64, Source)>>,
}

impl<'b> AfterPruning<'b> {
    /// `usages` are those of `books`.
    pub(super) fn new(
        books: &'b Books,
        transcript: &'b Transcript,
        policy: &'b Policy,
        usages: &mut Usages,
        options: PlanOptions,
    ) -> Self {
        let mut context = Self::unpruned(books, transcript, policy);
        context.know_overhead(usages, options);
        let size = context.size(usages, options.known_tokens);
        if let Err(reason) = context.prune(usages, options) {
            (context.walk.applied, context.walk.reason) = (false, reason);
            context.clear(0..0);
        }
        context.made_room |= context.cut(usages, options, size);
        context
    }

    /// The context before anything is pruned.
    pub(super) fn unpruned(books: &'b Books, transcript: &'b Transcript, policy: &'b Policy) -> Self {
        let walk = books.outputs.walk(&policy.prune, books.newest_answer());
        let (cleared, cuts, overhead) = (Cleared::default(), Cuts::default(), Overhead::default());
        let threshold = policy.trigger.threshold(policy.model, policy.retain.keep);
        let (pruned, made_room, measured) = (0..0, false, Cell::new(None));
        Self {
            transcript,
            policy,
            books,
            walk,
            pruned,
            cleared,
            cuts,
            made_room,
            overhead,
            threshold,
            measured,
        }
    }

    /// Sets what is known of the overhead. Nothing may be pruned yet.
    pub(super) fn know_overhead(&mut self, usages: &mut Usages, options: PlanOptions) {
        self.overhead = self.learn(usages);
        self.overhead.given = options.overhead;
        self.measured.set(None);
    }

    /// Prunes what the policy allows. The error is the reason why nothing is pruned.
    fn prune(&mut self, usages: &mut Usages, options: PlanOptions) -> Result<(), VerdictReason> {
        let PrunePolicy { minimum_context, only_when_full, breaks_at_most, down_to, .. } = self.policy.prune;
        let PlanOptions { force, known_tokens: known, idle, .. } = options;
        let is_cold = self.policy.prune.is_cold(self.policy.model, idle);
        let is_refused = matches!(self.walk.reason, VerdictReason::Disabled | VerdictReason::TooFewTurns);
        let waits =
            (only_when_full || breaks_at_most > 0) && !force && !self.is_full(self.measure(usages, known));
        let goes_on = down_to > 0 && !is_refused;
        if self.is_hopeless() && !is_refused {
            return Err(VerdictReason::OverheadFillsWindow);
        }
        if !self.walk.applied && !goes_on {
            return Err(self.walk.reason);
        }
        if minimum_context > 0 && self.size(usages, known) < minimum_context {
            return Err(VerdictReason::ContextSmall);
        }
        if waits && breaks_at_most == 0 && !is_cold {
            return Err(VerdictReason::NotFull);
        }
        // An overflow has shown that the context is too large, whatever the model's known limits are.
        let most = if force && goes_on { down_to.min(self.size(usages, known) / 2) } else { down_to };
        let needs_room = goes_on && !self.has_room(usages, known, most);
        self.clear(self.walk.beyond.clone());
        if needs_room {
            let by_boundary = self.has_room(usages, known, most).then(|| self.walk.clone());
            self.go_on(usages, known, most);
            // What lies beyond the boundary makes the room, so nothing else is the reason why nothing is pruned.
            if let Some(walk) = by_boundary.filter(|_| !self.walk.applied) {
                self.walk = walk;
            }
        }
        if !self.walk.applied {
            return Err(self.walk.reason);
        }
        let end = self.len();
        if self.tokens_until(end) >= self.books.costs.until(end) {
            // The placeholders would take as much room as the outputs, so the outputs stay.
            return Err(VerdictReason::NothingGained);
        }
        if waits && !is_cold && !self.pays(breaks_at_most) {
            return Err(VerdictReason::Deferred);
        }
        self.made_room = goes_on && self.has_room(usages, known, most);
        Ok(())
    }

    /// Whether what is sent beside the messages leaves no room for any of them, as the caller says. What is only learnt from
    /// reports does not count: a request with it was answered, in whatever window.
    pub(super) fn is_hopeless(&self) -> bool {
        let window = self.policy.model.context;
        window.is_some_and(|window| self.overhead.given.is_some_and(|overhead| overhead >= window.get()))
    }

    /// Whether what is pruned breaks at most `ratio` tokens out of the provider's cache for each that it frees.
    fn pays(&self, ratio: u64) -> bool {
        let end = self.len();
        let frees = self.books.costs.until(end).saturating_sub(self.tokens_until(end));
        let outputs = &self.books.outputs;
        let first = outputs.first_prunable(&self.pruned).and_then(|output| outputs.place(output));
        let breaks = first.map_or(0, |(position, _)| self.tokens_until(end) - self.tokens_until(position));
        breaks <= frees.saturating_mul(ratio)
    }

    /// Prunes newer outputs, too, oldest first, until there is room and the minimum is reached. Outputs that no answer
    /// has followed stay.
    fn go_on(&mut self, usages: &mut Usages, known: Option<u64>, most: u64) {
        if self.walk.applied && self.has_room(usages, known, most) {
            return;
        }
        let outputs = &self.books.outputs;
        let answered = self.books.newest_answer().map_or(0, |answer| outputs.before_message(answer));
        let (from, begun) = (self.walk.beyond.end, self.walk.clone());
        let last =
            |range: Range<usize>| newest(range.clone(), |output| outputs.prunable(&(output..range.end)) > 0);
        let Some(newest_of_all) = last(from..answered) else { return };
        // The more is pruned, the smaller the context is, unless placeholders may be longer than outputs, rounding moves tokens
        // between parts, or what is learnt from usages changes. That changes only from one usage to the next.
        let is_learning = self.is_learning(usages, known);
        let is_rounded = is_learning && self.policy.estimator.rounded == Scope::Message;
        let mut ends: Vec<usize> = if self.policy.prune.short_outputs || is_rounded {
            (from..newest_of_all).collect()
        } else if is_learning {
            usages.newest(NEWEST).iter().map(|usage| outputs.before_message(usage.position)).collect()
        } else {
            Vec::new()
        };
        ends.push(newest_of_all);
        let mut is_enough = |output: usize| {
            self.walk = begun.clone();
            outputs.go_on(&mut self.walk, &self.policy.prune, output + 1, answered);
            self.clear(self.walk.beyond.clone());
            self.walk.applied && self.has_room(usages, known, most)
        };
        let mut from = from;
        let first = ends.into_iter().find_map(|end| {
            let alike = from..end.min(newest_of_all);
            from = alike.end.max(from);
            last(alike.clone()).filter(|output| is_enough(*output))?;
            let too_few =
                newest(alike.clone(), |at| last(alike.start..at + 1).is_none_or(|output| !is_enough(output)));
            outputs.first_prunable(&(too_few.map_or(alike.start, |at| at + 1)..alike.end))
        });
        is_enough(first.unwrap_or(newest_of_all));
    }

    /// Whether the measured size depends on more than one usage.
    fn is_learning(&self, usages: &Usages, known: Option<u64>) -> bool {
        known.is_none() && self.policy.estimator.calibrate && usages.newest(2).len() > 1
    }

    /// Whether a context of the measured size is full.
    pub(super) fn is_full(&self, (tokens, source): (u64, Source)) -> bool {
        let Policy { trigger, model, .. } = self.policy;
        // Nothing can be said to fill a window that is not known.
        trigger.enabled
            && model.context.is_some()
            && source != Source::Nothing
            && trigger.fires.holds(tokens, self.threshold)
    }

    /// The largest context that is not full; `None` if none is.
    pub(super) fn fullest(&self) -> Option<u64> {
        match self.policy.trigger.fires {
            Comparison::Above => Some(self.threshold),
            Comparison::AtLeast => self.threshold.checked_sub(1),
        }
    }

    pub(super) fn threshold(&self) -> u64 {
        self.threshold
    }

    /// Whether the context has at most `most` tokens and is not full.
    fn has_room(&self, usages: &mut Usages, known: Option<u64>, most: u64) -> bool {
        let measured = self.measure(usages, known);
        self.size_of(measured) <= most && !self.is_full(measured)
    }

    /// Replaces the outputs that are pruned by those of `range`.
    fn clear(&mut self, range: Range<usize>) {
        if range.is_empty() && self.pruned.is_empty() {
            return;
        }
        let ends = ends(&self.books.outputs, &range);
        self.cleared = ends.map_or_else(Cleared::default, |(first, last)| {
            Cleared::new(first, last, |position| self.saved(position, &range))
        });
        self.pruned = range;
        self.measured.set(None);
    }

    /// Replaces the outputs that are cut.
    pub(super) fn replace_cuts(&mut self, cuts: Cuts, usages: &mut Usages) {
        self.cuts = cuts;
        self.measured.set(None);
        // What was learnt from usages was learnt with other outputs cut.
        usages.forget();
    }

    pub(super) fn cuts(&self) -> &Cuts {
        &self.cuts
    }

    /// How part `part` of the message at `position` is cut; `None` if it is not.
    pub(crate) fn cut_of(&self, position: usize, part: usize) -> Option<&Cut> {
        self.cuts.of(position, part)
    }

    /// Whether outputs beyond the protection boundary are pruned.
    pub(crate) fn is_pruned(&self) -> bool {
        self.walk.applied
    }

    /// Whether pruning alone made the room that the policy asks for.
    pub(super) fn made_room(&self) -> bool {
        self.made_room
    }

    pub(crate) fn policy(&self) -> &'b Policy {
        self.policy
    }

    pub(crate) fn transcript(&self) -> &'b Transcript {
        self.transcript
    }

    pub(crate) fn books(&self) -> &'b Books {
        self.books
    }

    /// The tool outputs that pruning counts.
    pub(crate) fn outputs(&self) -> &'b Outputs {
        &self.books.outputs
    }

    /// The result of the search for the protection boundary.
    pub(crate) fn walk(&self) -> &Walk {
        &self.walk
    }

    pub(super) fn tokens_before(&self) -> u64 {
        self.books.costs.until(self.len())
    }

    pub(super) fn prune_report(&self) -> PruneReport {
        let Walk { beyond, counted, candidates, outputs, reason, applied, .. } = &self.walk;
        let boundary = beyond.clone().next_back().and_then(|crossing| self.books.outputs.place(crossing));
        let is_cut = !self.cuts.is_empty();
        PruneReport {
            applied: *applied || is_cut,
            reason: if is_cut { VerdictReason::TooLarge } else { *reason },
            boundary: boundary.map(|(position, part)| {
                let by = self.books.outputs.limit(&self.walk, &self.policy.prune);
                Boundary { message: self.index(position), part, by }
            }),
            counted: *counted,
            candidates: *candidates,
            outputs: if *applied || !is_cut { *outputs } else { 0 } + self.cuts.len(),
            reclaimed: self.reclaimed() + self.cuts.reclaimed(),
        }
    }

    /// The outputs that are pruned or cut, as pairs of message index and part index, oldest first.
    pub(super) fn pruned(&self) -> Vec<(usize, usize)> {
        let outputs = &self.books.outputs;
        // In a long session nearly all old outputs were pruned before: they are passed over, not looked at.
        let next = |from: usize| outputs.first_prunable(&(from..self.pruned.end));
        let prunable = successors(next(self.pruned.start), |output| next(output + 1));
        let places = prunable.filter_map(|output| outputs.place(output));
        // What is cut is newer than what is pruned.
        let cut = self.cuts.iter().map(|(position, part, _)| (position, part));
        places.chain(cut).map(|(position, part)| (self.index(position), part)).collect()
    }

    /// The outputs that are cut, with message index and part index.
    pub(super) fn cut_outputs(&self) -> Vec<(usize, usize, Preview)> {
        self.cuts.iter().map(|(position, part, cut)| (self.index(position), part, cut.preview)).collect()
    }

    /// The tokens that pruning frees.
    fn reclaimed(&self) -> u64 {
        let Some((first, last)) = ends(&self.books.outputs, &self.pruned) else { return 0 };
        let at = |position| self.saved(position, &self.pruned).reclaimed;
        let newer = if last > first { at(last) } else { 0 };
        at(first) + self.books.costs.reclaimed(first + 1, last) + newer
    }
}

/// The messages that hold the oldest and the newest output of a range.
fn ends(outputs: &Outputs, range: &Range<usize>) -> Option<(usize, usize)> {
    let message = |output: usize| outputs.place(output).map(|(position, _)| position);
    let mut range = range.clone();
    let first = range.next()?;
    Some((message(first)?, message(range.next_back().unwrap_or(first))?))
}

#[cfg(test)]
mod tests;
