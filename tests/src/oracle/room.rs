//! What is pruned, and how far: whether pruning waits for a full context, and which protected outputs give way where the
//! boundary does not make enough room.
//!
//! Every output is tried as the newest one to give way, oldest first, and the context is measured each time.

use super::carry_out;
use super::estimate::Estimate;
use super::measure::measure;
use super::prune::{Outcome, is_answered, scan};
use ebbline::plan::{Source, VerdictReason};
use ebbline::{Fate, PlanOptions, Policy, Reason, Transcript};

/// What is decided on.
#[derive(Clone, Copy)]
pub(super) struct Setting<'s> {
    pub(super) transcript: &'s Transcript,
    pub(super) policy: &'s Policy,
    pub(super) estimate: Estimate<'s>,
    pub(super) options: PlanOptions,
}

/// What is pruned.
pub(super) struct Found {
    pub(super) outcome: Outcome,
    /// Whether that makes the room that the policy asks for, where it asks for any.
    pub(super) made_room: bool,
}

/// A size of the context.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) tokens: u64,
    pub(super) is_full: bool,
}

impl Size {
    /// Whether it is small enough for `most` tokens.
    fn is_within(self, most: u64) -> bool {
        !self.is_full && self.tokens <= most
    }
}

pub(super) fn found(setting: Setting<'_>) -> Found {
    let Setting { policy, options, .. } = setting;
    let prune = &policy.prune;
    let by_boundary = setting.scan(None);
    let before = setting.size(&by_boundary.withdrawn(VerdictReason::NotFull, Reason::NotFull));
    let is_off = matches!(by_boundary.reason, VerdictReason::Disabled | VerdictReason::TooFewTurns);
    let lives = policy.model.cache_lives.map_or(prune.cold_after, std::num::NonZeroU64::get);
    let is_cold = prune.cold_after > 0 && options.idle.is_some_and(|idle| idle >= lives);
    let is_early = !before.is_full && !options.force;
    let considers_cache = prune.breaks_at_most > 0;
    let waits = is_early && (prune.only_when_full || considers_cache);
    let gives_way = prune.down_to > 0 && !is_off;
    let left = |outcome: Outcome| Found { outcome, made_room: false };
    let most = if options.force { prune.down_to.min(before.tokens / 2) } else { prune.down_to };

    if setting.is_hopeless() && !is_off {
        let (of_walk, of_output) = (VerdictReason::OverheadFillsWindow, Reason::OverheadFillsWindow);
        return left(by_boundary.withdrawn(of_walk, of_output));
    }
    if !by_boundary.applied && !gives_way {
        return left(by_boundary.settled());
    }
    if before.tokens < prune.minimum_context {
        return left(by_boundary.withdrawn(VerdictReason::ContextSmall, Reason::ContextSmall));
    }
    if waits && !considers_cache && !is_cold {
        return left(by_boundary.withdrawn(VerdictReason::NotFull, Reason::NotFull));
    }
    let is_too_dear = |outcome: &Outcome| waits && !is_cold && outcome.applied && !setting.pays(outcome);
    let deferred = |outcome: &Outcome| left(outcome.withdrawn(VerdictReason::Deferred, Reason::Deferred));
    if !gives_way {
        return if is_too_dear(&by_boundary) { deferred(&by_boundary) } else { left(by_boundary) };
    }
    let mut outcome = by_boundary;
    let is_enough = |outcome: &Outcome| outcome.applied && setting.size(outcome).is_within(most);
    let makes_room = setting.size(&outcome).is_within(most);
    if !before.is_within(most) && !is_enough(&outcome) {
        let only_boundary = makes_room.then(|| outcome.clone());
        for newest in setting.protected(&outcome) {
            let further = setting.scan(Some(newest));
            if !further.taken.contains(&newest.1) {
                continue;
            }
            outcome = further;
            if is_enough(&outcome) {
                break;
            }
        }
        outcome = only_boundary.filter(|_| !outcome.applied).unwrap_or(outcome);
    }
    if is_too_dear(&outcome) {
        return deferred(&outcome);
    }
    let made_room = is_enough(&outcome);
    Found { outcome: outcome.settled(), made_room }
}

impl Setting<'_> {
    fn scan(&self, giving_way: Option<(usize, usize)>) -> Outcome {
        scan(self.transcript, &self.policy.prune, self.estimate, giving_way)
    }

    /// Whether what the caller says is sent beside the messages fills the window alone.
    pub(super) fn is_hopeless(&self) -> bool {
        let overhead = self.options.overhead.zip(self.policy.model.context);
        overhead.is_some_and(|(overhead, window)| overhead >= window.get())
    }

    /// Whether pruning breaks few enough tokens out of the cache for what it frees: everything from the first message on
    /// that changes. Pruning that frees nothing is no question of the cache.
    fn pays(&self, outcome: &Outcome) -> bool {
        let nothing = outcome.withdrawn(VerdictReason::NotFull, Reason::NotFull);
        let sizes = |outcome: &Outcome| -> Vec<u64> {
            let messages = carry_out(self.estimate, &self.policy.prune, outcome);
            messages.iter().map(|message| message.tokens_after).collect()
        };
        let (before, after) = (sizes(&nothing), sizes(outcome));
        let sum = |sizes: &[u64]| sizes.iter().sum::<u64>();
        let Some(frees) = sum(&before).checked_sub(sum(&after)).filter(|frees| *frees > 0) else {
            return true;
        };
        let is_pruned = |message: &usize| {
            let parts = self.transcript.part_range(*message);
            parts.into_iter().any(|part| outcome.fates.get(part).is_some_and(|fate| fate.0 == Fate::Pruned))
        };
        let first = (0..after.len()).find(is_pruned).unwrap_or(0);
        sum(after.get(first..).unwrap_or_default()) <= frees.saturating_mul(self.policy.prune.breaks_at_most)
    }

    /// The size of the context with the outputs of `outcome` cleared.
    pub(super) fn size(&self, outcome: &Outcome) -> Size {
        let Self { transcript, policy, estimate, options } = *self;
        let messages = carry_out(estimate, &policy.prune, outcome);
        let (tokens, source) = measure(transcript, policy, &messages, options);
        if source == Source::Nothing {
            let tokens = messages.iter().map(|message| message.tokens_after).sum();
            return Size { tokens, is_full: false };
        }
        let threshold = policy.trigger.threshold(policy.model, policy.retain.keep);
        let fires = policy.trigger.fires.holds(tokens, threshold);
        Size { tokens, is_full: fires && policy.trigger.enabled && policy.model.context.is_some() }
    }

    /// The outputs that the boundary or their turn protects and that an answer has followed, oldest first.
    fn protected(&self, by_boundary: &Outcome) -> Vec<(usize, usize)> {
        let messages =
            (0..self.transcript.messages().len()).filter(|message| is_answered(self.transcript, *message));
        let parts =
            messages.flat_map(|message| self.transcript.part_range(message).map(move |part| (message, part)));
        let is_protected = |(_, part): &(usize, usize)| {
            let fate = by_boundary.fates.get(*part);
            let protected = [Reason::ProtectedByBudget, Reason::NewestOutputs, Reason::NewestTurns];
            fate.is_some_and(|(fate, reason)| *fate == Fate::Kept && protected.contains(reason))
        };
        parts.filter(is_protected).collect()
    }
}

impl Outcome {
    /// The outcome with all outputs kept after all.
    fn withdrawn(&self, of_walk: VerdictReason, of_output: Reason) -> Self {
        let mut kept = self.clone();
        kept.withdraw(of_walk, of_output);
        kept
    }
}
