//! The context as it will be after old outputs are pruned. Summarizing is decided on this context.

use std::cell::Cell;
use std::iter::successors;
use std::ops::Range;

use super::Books;
use super::calibration::{Calibration, NEWEST, Step};
use super::costs::Cleared;
use super::cuts::{Cut, Cuts};
use super::outputs::{Outputs, Walk};
use super::overhead::Overhead;
use super::usages::{Usage, Usages};
use crate::plan::{Boundary, PlanOptions, Preview, PruneReport, Source, VerdictReason};
use crate::policy::{Comparison, Measure, Policy, PrunePolicy, Scope};
use crate::run::begins_with_signed_thinking;
use crate::search::newest;
use crate::transcript::{Message, Part, Role, Transcript};

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

    /// How full the context is after pruning, and the source of that figure: `known` if the caller knows it, else
    /// what the policy measures.
    pub(super) fn measure(&self, usages: &mut Usages, known: Option<u64>) -> (u64, Source) {
        let measured = self.measured.get().unwrap_or_else(|| self.measure_anew(usages, known));
        self.measured.set(Some(measured));
        measured
    }

    fn measure_anew(&self, usages: &mut Usages, known: Option<u64>) -> (u64, Source) {
        let after = self.tokens_until(self.len());
        if let Some(known) = known {
            return (known.saturating_sub(self.tokens_before().saturating_sub(after)), Source::Known);
        }
        let newest = usages.newest(1).first().copied();
        match self.policy.trigger.measure {
            Measure::Estimate => {
                (after.saturating_add(self.overhead.known().unwrap_or_default()), Source::Estimate)
            }
            Measure::Reported => {
                newest.map_or((0, Source::Nothing), |newest| (newest.tokens, Source::Reported))
            }
            Measure::Anchored => self.anchored(usages, newest, after),
        }
    }

    /// The size of the context for the knobs `minimum_context` and `down_to`: what is measured, or the estimate where the policy
    /// goes by reported usage and none was reported.
    pub(super) fn size(&self, usages: &mut Usages, known: Option<u64>) -> u64 {
        self.size_of(self.measure(usages, known))
    }

    fn size_of(&self, measured: (u64, Source)) -> u64 {
        match measured {
            (_, Source::Nothing) => self.tokens_until(self.len()),
            (tokens, _) => tokens,
        }
    }

    /// The newest usage gives the size of the context up to its message. What came later is estimated and
    /// corrected.
    ///
    /// A usage that covers outputs pruned since is too large, unless whoever decides knows that it was reported
    /// after they were. The size is then at most the corrected estimate of all messages, plus the overhead. Where
    /// that is neither given nor remembered, the newest usage before the first pruned message gives it. So the size is the same
    /// once the outputs are pruned.
    fn anchored(&self, usages: &mut Usages, anchor: Option<Usage>, after: u64) -> (u64, Source) {
        let calibration = self.calibration(usages);
        let estimate =
            |overhead: Option<u64>| calibration.correct(after).saturating_add(overhead.unwrap_or_default());
        let Some(anchor) = anchor else { return (estimate(self.overhead.known()), Source::Estimate) };
        let answered = self.tokens_until(anchor.position) + self.covered(anchor, &self.pruned);
        let tokens = anchor.tokens.saturating_add(calibration.correct(after.saturating_sub(answered)));
        let is_current = self.policy.estimator.calibrate && self.is_since_change(anchor) == Some(true);
        let before = if is_current { None } else { usages.first_pruned_before() };
        let first_pruned = self.first_pruned().min(before.unwrap_or(usize::MAX));
        if first_pruned >= anchor.position {
            return (tokens, Source::Reported);
        }
        let unchanged = usages.newest_until(first_pruned).filter(|_| self.policy.estimator.calibrate);
        let before_pruned = unchanged.map(|usage| {
            let covered = self.tokens_until(usage.position) + self.covered(usage, &self.pruned);
            usage.tokens.saturating_sub(calibration.correct(covered))
        });
        let overhead = self.overhead.known().or(before_pruned).or(self.overhead.learnt);
        (tokens.min(estimate(overhead)), Source::Estimate)
    }

    /// What reported usage says about the overhead. Nothing may be pruned yet.
    pub(super) fn learn(&self, usages: &mut Usages) -> Overhead {
        if !self.policy.estimator.calibrate || self.policy.trigger.measure != Measure::Anchored {
            return Overhead::default();
        }
        let calibration = self.calibration(usages);
        let learnt = Overhead::learn(usages, calibration, self.books.memory, |usage| {
            self.is_current(usage) == Some(true)
        });
        // What fills the window alone was reported of another one.
        let window = self.policy.model.context;
        let fits = |overhead: &u64| window.is_none_or(|window| *overhead < window.get());
        Overhead { remembered: learnt.remembered.filter(fits), ..learnt }
    }

    /// Whether a usage was reported after the newest change, if a session or whoever decides knows when that was.
    fn is_current(&self, usage: Usage) -> Option<bool> {
        let from = self.books.memory.current_from.or(self.books.changed_at);
        from.map(|from| self.index(usage.position) >= from)
    }

    /// The same, if whoever decides says when that was.
    fn is_since_change(&self, usage: Usage) -> Option<bool> {
        self.books.changed_at.map(|from| self.index(usage.position) >= from)
    }

    /// The tokens sent beside the messages; `None` when they are not known.
    pub(super) fn overhead(&self) -> Option<u64> {
        self.overhead.figure()
    }

    fn calibration(&self, usages: &mut Usages) -> Calibration {
        if !self.policy.estimator.calibrate {
            return Calibration::default();
        }
        let is_whole = self.pruned.is_empty() && self.cuts.is_empty() && usages.none_pruned_before();
        let position =
            |output: usize| self.books.outputs.place(output).map_or(usize::MAX, |(position, _)| position);
        usages.calibration(&self.pruned, position, |usages, pair, pruned| {
            self.step(usages, pair, pruned, is_whole)
        })
    }

    /// The step between two usages. `None` where it does not count, for example because an output between them
    /// was pruned since: the provider counted that output as it was then. `is_whole` says that no output between
    /// them was pruned.
    fn step(
        &self,
        usages: &Usages,
        (older, newer): (Usage, Usage),
        pruned: &Range<usize>,
        is_whole: bool,
    ) -> Option<Step> {
        // What was changed before a usage made the context smaller, too: where it is known when that was, only what was reported
        // since counts.
        let is_apart = self.is_since_change(older) == Some(false);
        if is_apart || !is_whole && self.is_changed(usages, older.position..newer.position, pruned) {
            return None;
        }
        // Nothing between the two is pruned, so the sums from the time they were reported are still right.
        let until =
            if is_whole { newer.until } else { newer.until - newer.covered + self.covered(newer, pruned) };
        Step::new(newer.tokens.saturating_sub(older.tokens), until.saturating_sub(older.until))
    }

    /// Whether an output of these messages was pruned before, or is among `pruned`.
    fn is_changed(&self, usages: &Usages, messages: Range<usize>, pruned: &Range<usize>) -> bool {
        let (outputs, Range { start, end }) = (&self.books.outputs, messages);
        let between =
            outputs.before_message(start).max(pruned.start)..outputs.before_message(end).min(pruned.end);
        outputs.prunable(&between) > 0 || self.cuts.any(start, end) || usages.any_pruned_before(start, end)
    }

    /// The oldest message with an output that is pruned now; `usize::MAX` if there is none.
    fn first_pruned(&self) -> usize {
        let outputs = &self.books.outputs;
        let now = outputs.first_prunable(&self.pruned).and_then(|output| outputs.place(output));
        let now = now.map(|(position, _)| position);
        now.into_iter().chain(self.cuts.first()).min().unwrap_or(usize::MAX)
    }

    /// How pruning changes the message at `position`, but for what is covered by usage: the books know it of whole messages.
    fn saved(&self, position: usize, pruned: &Range<usize>) -> super::costs::Change {
        let outputs = self.books.outputs.of_message(position);
        if pruned.start <= outputs.start && outputs.end <= pruned.end {
            return self.books.costs.change(position);
        }
        self.change(position, pruned)
    }

    /// How pruning changes the message at `position`.
    fn change(&self, position: usize, pruned: &Range<usize>) -> super::costs::Change {
        self.books.change(self.transcript, self.policy, position, pruned)
    }

    /// The tokens of its own message that a usage covers.
    fn covered(&self, usage: Usage, pruned: &Range<usize>) -> u64 {
        let outputs = self.books.outputs.of_message(usage.position);
        let pruned = outputs.start.max(pruned.start)..outputs.end.min(pruned.end);
        let cut = self.cuts.change(usage.position).covered_saved;
        if pruned.is_empty() {
            return usage.covered.saturating_add_signed(-cut);
        }
        let change = self.change(usage.position, &pruned);
        usage.covered.saturating_add_signed(-change.covered_saved - cut)
    }
}

/// The messages that hold the oldest and the newest output of a range.
fn ends(outputs: &Outputs, range: &Range<usize>) -> Option<(usize, usize)> {
    let message = |output: usize| outputs.place(output).map(|(position, _)| position);
    let mut range = range.clone();
    let first = range.next()?;
    Some((message(first)?, message(range.next_back().unwrap_or(first))?))
}

/// The queries that the search for the retention window needs.
impl AfterPruning<'_> {
    /// How many active messages there are.
    pub(super) fn len(&self) -> usize {
        self.books.active.len()
    }

    /// The message at `position`; `None` beyond the newest.
    pub(super) fn message(&self, position: usize) -> Option<&Message> {
        let index = self.books.active.get(position)?;
        self.transcript.messages().get(*index as usize)
    }

    /// The parts of the message at `position`.
    pub(super) fn parts(&self, position: usize) -> &[Part] {
        let index = self.books.active.get(position);
        index.map_or(&[], |index| self.transcript.parts_of(*index as usize))
    }

    /// The transcript index of the message at `position`. Behind the newest message: the number of all messages.
    pub(super) fn index(&self, position: usize) -> usize {
        let index = self.books.active.get(position).map(|index| *index as usize);
        index.unwrap_or(self.transcript.messages().len())
    }

    /// The tokens of the messages before `position`.
    pub(super) fn tokens_until(&self, position: usize) -> u64 {
        let tokens = self.cleared.until(&self.books.costs, position);
        if self.cuts.is_empty() {
            tokens
        } else {
            tokens.saturating_add_signed(-self.cuts.saved_until(position).0)
        }
    }

    /// The number and the tokens of the messages before `position` that a summary would replace. System messages
    /// and pinned messages are not replaced.
    pub(super) fn replaced_until(&self, position: usize) -> (usize, u64) {
        let (messages, tokens) = self.cleared.replaced_until(&self.books.costs, position);
        let (_, saved) = self.cuts.saved_until(position);
        (messages, tokens.saturating_add_signed(-saved))
    }

    /// Whether a summary stands before `position`.
    pub(super) fn has_summary_before(&self, position: usize) -> bool {
        self.books.boundaries.has_summary_before(position)
    }

    /// The tokens of the user's own words before `position`.
    pub(super) fn said_until(&self, position: usize) -> u64 {
        self.books.costs.said_until(position)
    }

    /// The tokens of the summaries before `position`.
    pub(super) fn summaries_until(&self, position: usize) -> u64 {
        let summaries = self.books.boundaries.summaries_before(position);
        summaries.map(|at| self.tokens_until(at + 1).saturating_sub(self.tokens_until(at))).sum()
    }

    /// The expected size of a summary of the messages before `position`, which does not exist yet: the largest one, but at
    /// most the earlier summaries that it replaces, the user's words, and half of everything else that it adds.
    pub(super) fn expected_summary(&self, position: usize) -> u64 {
        let ((_, summarized), carried) = (self.replaced_until(position), self.summaries_until(position));
        let words = self.policy().retain.words_of(self.said_until(position));
        let others = summarized.saturating_sub(carried).saturating_sub(words) / 2;
        let expected = carried.saturating_add(words).saturating_add(others);
        self.largest_summary(position).min(expected)
    }

    /// The largest summary that a plan expects of the messages before `position`.
    pub(super) fn largest_summary(&self, position: usize) -> u64 {
        self.policy().retain.largest_summary(self.said_until(position), self.summaries_until(position))
    }

    /// Whether no message was added since the newest summary was written.
    pub(super) fn has_nothing_new(&self) -> bool {
        // A session whose last message is a summary has nothing new, whatever messages other summaries have kept.
        let last = self.len().checked_sub(1).and_then(|last| self.message(last));
        if last.is_some_and(|last| last.summary) {
            return true;
        }
        let Some(summary) = self.books.boundaries.newest_summary() else { return false };
        let kept = self.message(summary).and_then(|message| message.kept);
        let newest = self.len().checked_sub(1).map(|newest| self.index(newest));
        let last = kept.map(|kept| self.index(summary).saturating_add(kept as usize));
        last.is_some_and(|last| newest.is_some_and(|newest| newest <= last))
    }

    /// The oldest message with a call that is still running.
    pub(super) fn pending(&self) -> Option<usize> {
        self.books.boundaries.pending()
    }

    /// Whether a boundary at `position` would separate what belongs together: a call and its result, the entries
    /// of one answer, or an unfinished run and the thinking that it must begin with.
    pub(super) fn is_parted(&self, position: usize) -> bool {
        let continues = || self.message(position).is_some_and(|message| message.continues);
        self.books.boundaries.is_parted(position) || continues() || self.is_barred(position)
    }

    /// The beginning of an unfinished run inside which no boundary may stand.
    pub(super) fn run(&self) -> Option<usize> {
        self.books.boundaries.run()
    }

    /// The first message that is worth summarizing. System messages are never summarized, and a summary alone is
    /// not summarized again.
    pub(super) fn substance(&self) -> usize {
        self.books.boundaries.substance()
    }

    /// The newest message before `position` that begins a turn.
    pub(super) fn turn_before(&self, position: usize) -> Option<usize> {
        self.books.boundaries.turn_before(position)
    }

    /// Where the newest turn begins when `skipped` newer turns are not counted.
    pub(super) fn newest_turn_but(&self, skipped: usize) -> Option<usize> {
        self.books.boundaries.newest_turn_but(skipped)
    }

    /// Whether the kept part of an unfinished run would begin at `position` with an answer that does not start
    /// with its thinking.
    fn is_barred(&self, position: usize) -> bool {
        if self.run().is_none_or(|run| position <= run) {
            return false;
        }
        let begins = |position: &usize| {
            self.message(*position)
                .is_some_and(|message| message.role == Role::Assistant && !message.continues)
        };
        let answer = (position..self.len()).find(begins);
        answer.is_some_and(|answer| !begins_with_signed_thinking(self.parts(answer)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::Session;
    use crate::plan::{BoundaryLimit, Fate, PlanOptions, Reason};
    use crate::policy::Model;
    use crate::profiles;
    use crate::session_text::tests::outputs;
    use crate::transcript::PartKind;

    /// What becomes of two outputs of 30,000 tokens, of which OpenCode prunes the older, in a context whose `measure`
    /// has `usage`: the reason of the walk and that of the older output.
    fn pruned(
        minimum_context: u64,
        measure: Measure,
        usage: Option<u32>,
        options: PlanOptions,
    ) -> (VerdictReason, Reason) {
        let mut policy = profiles::get("opencode@2026-01").unwrap();
        (policy.prune.minimum_context, policy.trigger.measure) = (minimum_context, measure);
        policy.retain.enabled = false;
        let mut session = Session::of(outputs(&[30_000, 30_000], 2), &policy);
        if usage.is_some() {
            session.begin(Message { usage, ..Message::new(Role::Assistant) });
            session.push(Part::new(PartKind::Text, crate::length::Length::ascii(4)));
        }
        let decision = session.decide(options);
        let plan = session.plan(options);
        assert_eq!(plan.decision, decision);
        assert_eq!((session.pruned().len() == 1, decision.prune.outputs), (decision.prune.applied, 1));
        let older = plan.messages.iter().flat_map(|message| &message.parts).nth(1).unwrap();
        assert_eq!(older.fate == Fate::Pruned, decision.prune.applied);
        (decision.prune.reason, older.reason)
    }

    #[test]
    fn a_context_below_the_minimum_is_left_alone() {
        let whole = (VerdictReason::OutputsBeyondProtection, Reason::CrossedBoundary);
        let small = (VerdictReason::ContextSmall, Reason::ContextSmall);
        let (usual, forced) = (PlanOptions::default(), PlanOptions::new().force(true));
        let known = |tokens: u64| PlanOptions::new().known_tokens(tokens);
        let estimate = 60_008;
        for (minimum, measure, usage, options, expected) in [
            (0, Measure::Estimate, None, usual, whole),
            (estimate, Measure::Estimate, None, usual, whole),
            (estimate + 1, Measure::Estimate, None, usual, small),
            // Compaction that is asked for is held to it like to the other limits of pruning.
            (estimate + 1, Measure::Estimate, None, forced, small),
            // The size is the one that summarizing goes by: what was reported, or what the caller knows.
            (90_000, Measure::Reported, Some(90_000), usual, whole),
            (90_000, Measure::Reported, Some(89_999), usual, small),
            (90_000, Measure::Anchored, Some(90_000), usual, whole),
            (90_000, Measure::Anchored, Some(89_000), usual, small),
            (90_000, Measure::Anchored, Some(10), known(90_000), whole),
            (90_000, Measure::Anchored, Some(100_000), known(89_999), small),
            // Nothing reported says nothing of the size: the estimate does.
            (estimate, Measure::Reported, None, usual, whole),
            (estimate + 1, Measure::Reported, None, usual, small),
        ] {
            assert_eq!(
                pruned(minimum, measure, usage, options),
                expected,
                "{minimum} {measure:?} {usage:?} {options:?}"
            );
        }
    }

    #[test]
    fn a_minimum_of_the_context_may_be_a_share_of_the_window() {
        let mut policy = profiles::get("ebbline@1").unwrap();
        policy.set("prune.minimumContext", "50%").unwrap();
        policy.set("model.context", "100000").unwrap();
        let reason = |tokens: u64| {
            let options = PlanOptions::new().known_tokens(tokens);
            Session::of(outputs(&[30_000, 30_000], 2), &policy).decide(options).prune.reason
        };
        assert_eq!(reason(50_000), VerdictReason::OutputsBeyondProtection);
        assert_eq!(reason(49_999), VerdictReason::ContextSmall);
    }

    /// A turn that is one run of calls, each answered by an output of so many tokens.
    fn run(tokens: &[usize]) -> Transcript {
        let length = |tokens: usize| crate::length::Length::ascii(4 * tokens);
        let mut run = Transcript::default();
        run.begin(Message::person());
        run.push(Part::new(PartKind::Text, length(10)));
        for (call, tokens) in (0..).zip(tokens) {
            run.begin(Message::new(Role::Assistant));
            run.push(Part { call: Some(call), ..Part::new(PartKind::ToolCall, length(0)) });
            run.begin(Message::new(Role::Tool));
            run.push(Part { call: Some(call), ..Part::new(PartKind::ToolResult, length(*tokens)) });
        }
        run
    }

    /// OpenCode's rules in a window of so many tokens, without a summary.
    fn policy(context: u64) -> Policy {
        let mut policy = profiles::get("opencode@2026-01").unwrap();
        policy.model = Model::new(context);
        (policy.trigger.measure, policy.trigger.output_cap) = (Measure::Estimate, 0);
        policy.prune.stop_at_pruned = false;
        policy.retain.enabled = false;
        policy
    }

    /// The reason of the walk, and those of the outputs.
    fn reasons(
        transcript: &Transcript,
        policy: &Policy,
        options: PlanOptions,
    ) -> (VerdictReason, Vec<Reason>) {
        let plan = Session::of(transcript.clone(), policy).plan(options);
        let parts = plan.messages.iter().flat_map(|message| &message.parts);
        let outputs = parts.filter(|part| part.kind == PartKind::ToolResult);
        (plan.decision.prune.reason, outputs.map(|part| part.reason).collect())
    }

    #[test]
    fn pruning_may_wait_until_the_context_is_full() {
        let (usual, forced) = (PlanOptions::default(), PlanOptions::new().force(true));
        let known = |tokens: u64| PlanOptions::new().known_tokens(tokens);
        let whole = (VerdictReason::OutputsBeyondProtection, Reason::CrossedBoundary);
        let waits = (VerdictReason::NotFull, Reason::NotFull);
        let estimate = 60_008;
        for (context, fires, measure, options, expected) in [
            (estimate - 1, true, Measure::Estimate, usual, whole),
            // OpenCode fires above the threshold, not at it.
            (estimate, true, Measure::Estimate, usual, waits),
            (estimate, true, Measure::Estimate, forced, whole),
            (90_000, true, Measure::Estimate, known(90_001), whole),
            (90_000, true, Measure::Estimate, known(90_000), waits),
            // What never fires is never full: without a trigger, without a known window, without usage.
            (10_000, false, Measure::Estimate, usual, waits),
            (10_000, false, Measure::Estimate, forced, whole),
            (0, true, Measure::Estimate, usual, waits),
            (0, true, Measure::Estimate, forced, whole),
            (10_000, true, Measure::Reported, usual, waits),
        ] {
            let mut policy = policy(context);
            (policy.prune.only_when_full, policy.trigger.enabled) = (true, fires);
            policy.trigger.measure = measure;
            let (reason, of_outputs) = reasons(&outputs(&[30_000, 30_000], 2), &policy, options);
            assert_eq!((reason, of_outputs[0]), expected, "{context} {fires} {measure:?} {options:?}");
            assert_eq!(of_outputs[1], Reason::ProtectedByBudget);
        }
    }

    #[test]
    fn protected_outputs_give_way_oldest_first_until_there_is_room() {
        let (usual, forced) = (PlanOptions::default(), PlanOptions::new().force(true));
        let outputs = [10_000; 6];
        let goes = VerdictReason::RoomNeeded;
        let idle = VerdictReason::NothingToPrune;
        for (down_to, minimum, context, options, expected, count) in [
            (0, 0, 200_000, usual, idle, 0),
            (61_000, 0, 200_000, usual, idle, 0),
            (60_000, 0, 200_000, usual, goes, 1),
            (35_000, 0, 200_000, usual, goes, 3),
            // Not an output that no answer has followed.
            (1, 0, 200_000, usual, goes, 5),
            // Pruning goes on until the minimum is reached, or does nothing.
            (60_000, 25_000, 200_000, usual, goes, 3),
            (60_000, 50_001, 200_000, usual, VerdictReason::BelowMinimum, 0),
            // A context that is still full has no room, however small it is.
            (60_000, 0, 45_000, usual, goes, 2),
            // A forced compaction goes down to a half.
            (60_000, 0, 200_000, forced, goes, 4),
            (100_000, 0, 200_000, usual, idle, 0),
            (100_000, 0, 200_000, forced, goes, 4),
        ] {
            let mut policy = policy(context);
            (policy.prune.down_to, policy.prune.minimum) = (down_to, minimum);
            let case = (down_to, minimum, context, options);
            let (reason, of_outputs) = reasons(&run(&outputs), &policy, options);
            let pruned = of_outputs.iter().filter(|reason| **reason == Reason::RoomNeeded).count();
            assert_eq!((reason, pruned), (expected, count), "{case:?}");
            assert!(of_outputs[..count].iter().all(|reason| *reason == Reason::RoomNeeded), "{case:?}");
            let rest = if expected == VerdictReason::BelowMinimum { 5 } else { count };
            assert!(of_outputs[rest..].iter().all(|reason| *reason == Reason::NewestTurns), "{case:?}");
        }
    }

    #[test]
    fn what_lies_beyond_the_boundary_goes_first_and_says_so() {
        let mut policy = policy(200_000);
        (policy.prune.protected_turns, policy.prune.protect) = (0, 25_000);
        policy.prune.down_to = 25_000;
        let mut run = run(&[10_000; 6]);
        let (reason, of_outputs) = reasons(&run, &policy, PlanOptions::default());
        let (beyond, room) = (Reason::BeyondBoundary, Reason::RoomNeeded);
        let expected = [
            beyond,
            beyond,
            beyond,
            Reason::CrossedBoundary,
            Reason::ProtectedByBudget,
            Reason::ProtectedByBudget,
        ];
        assert_eq!((reason, of_outputs.as_slice()), (VerdictReason::OutputsBeyondProtection, &expected[..]));
        let goes_on =
            (VerdictReason::RoomNeeded, &[Reason::CrossedBoundary, room, Reason::ProtectedByBudget][..]);
        // The three make the room, but they are fewer than the minimum.
        policy.prune.minimum = 45_000;
        let (reason, of_outputs) = reasons(&run, &policy, PlanOptions::default());
        assert_eq!((reason, &of_outputs[3..]), goes_on);
        // Where there is room already, nothing more is taken.
        policy.prune.down_to = 61_000;
        assert_eq!(reasons(&run, &policy, PlanOptions::default()).0, VerdictReason::BelowMinimum);
        (policy.prune.minimum, policy.prune.down_to) = (0, 15_000);
        let (reason, of_outputs) = reasons(&run, &policy, PlanOptions::default());
        assert_eq!((reason, &of_outputs[3..]), goes_on);
        let report = Session::of(run.clone(), &policy).decide(PlanOptions::default()).prune;
        assert_eq!(report.boundary, Some(Boundary { message: 10, part: 0, by: BoundaryLimit::DownTo }));
        assert_eq!((report.counted, report.candidates, report.outputs), (60_000, 50_000, 5));

        // The answered outputs of the newest turns count, too. A summary is no answer.
        policy.prune.protected_turns = 2;
        run.begin(Message { summary: true, ..Message::new(Role::Assistant) });
        let counted =
            |run: &Transcript| Session::of(run.clone(), &policy).decide(PlanOptions::default()).prune.counted;
        assert_eq!(counted(&run), 50_000);
        run.begin(Message::new(Role::Assistant));
        assert_eq!(counted(&run), 60_000);
    }

    #[test]
    fn a_forced_compaction_summarizes_only_if_pruning_does_not_make_room() {
        let mut policy = policy(200_000);
        policy.retain.enabled = true;
        let forced = PlanOptions::new().force(true);
        for (down_to, protected, summarizes) in
            [(0, false, true), (50_000, false, false), (50_000, true, true)]
        {
            let mut run = run(&[10_000; 6]);
            if protected {
                policy.prune.protected_tools = vec!["read".to_owned()];
                let tool = Some(run.tool("read"));
                for index in 0..run.parts().len() {
                    run.replace(index, Part { tool, ..run.parts()[index] });
                }
            }
            policy.prune.down_to = down_to;
            let decision = Session::of(run, &policy).decide(forced);
            assert_eq!(decision.retain.applied, summarizes, "{down_to} {protected}");
            assert_eq!(decision.prune.applied, !summarizes);
            if !summarizes {
                assert_eq!(decision.retain.reason, VerdictReason::BelowThreshold);
                assert!(decision.tokens_after * 2 <= decision.tokens_before);
            }
        }
    }
}
