//! A plan as the page draws it: figures, and columns of numbers instead of trees of objects.

use ebbline::effect::Situation;
use ebbline::plan::{Decision, MessagePlan, PartPlan, Reason, VerdictReason};
use ebbline::transcript::{Message, Role, Turn};
use ebbline::{PlanOptions, Policy, Session};
use serde::{Deserialize, Serialize};

use crate::figures::{Figures, Size};
use crate::kind::Kind;
use crate::verdict::Said;
use crate::view::View;

/// Columns by message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fates {
    /// [`crate::kind::Shown`] as a code.
    #[serde(with = "crate::wire::column")]
    pub fate: Vec<u8>,
    /// Tokens before; 0 for what is not in the context.
    #[serde(with = "crate::wire::column")]
    pub before: Vec<u32>,
    /// Tokens after.
    #[serde(with = "crate::wire::column")]
    pub after: Vec<u32>,
}

/// Columns by segment. A segment is a run of parts of one message that are drawn alike; segments are in the order of
/// the session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segments {
    /// The index of the message, or [`crate::view::EARLIER_SUMMARY`].
    #[serde(with = "crate::wire::column")]
    pub message: Vec<u32>,
    /// [`Kind`] as a code.
    #[serde(with = "crate::wire::column")]
    pub kind: Vec<u8>,
    /// [`ebbline::Fate`] as a code.
    #[serde(with = "crate::wire::column")]
    pub fate: Vec<u8>,
    /// 1 where the protection boundary counts the segment's tokens.
    #[serde(with = "crate::wire::column")]
    pub counted: Vec<u8>,
    /// Tokens before.
    #[serde(with = "crate::wire::column")]
    pub before: Vec<u32>,
    /// Tokens after pruning, before summarizing: what the retention window counts.
    #[serde(with = "crate::wire::column")]
    pub pruned: Vec<u32>,
    /// Tokens after pruning and summarizing.
    #[serde(with = "crate::wire::column")]
    pub after: Vec<u32>,
}

/// A plan, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawnPlan {
    /// The plan's figures.
    pub figures: Figures,
    /// By message.
    pub fates: Fates,
    /// By segment.
    pub segments: Segments,
    /// What is said about it; nothing until it is worded.
    pub said: Said,
}

fn narrow(tokens: u64) -> u32 {
    u32::try_from(tokens).unwrap_or(u32::MAX)
}

/// What pruning leaves where nothing is summarized.
#[derive(Default)]
struct Pruned {
    /// By message: tokens.
    messages: Vec<u64>,
    /// By part: tokens, whether the protection boundary counts it, and whether it stays only as one of the newest.
    parts: Vec<(u32, bool, bool)>,
    tokens: u64,
    is_any_counted: bool,
}

impl Pruned {
    fn of(session: &mut Session, options: PlanOptions) -> Self {
        let mut pruned = Self::default();
        let decision = session.plan_each(options, |_, _, message| {
            pruned.messages.push(message.tokens_after);
            for part in &message.parts {
                let is_newest = matches!(part.reason, Reason::NewestTurns | Reason::RoomNeeded);
                let is_counted = part.newer_outputs.is_some();
                pruned.is_any_counted |= is_counted;
                pruned.parts.push((narrow(part.tokens_after), is_counted, is_newest));
            }
        });
        pruned.tokens = decision.tokens_after;
        pruned
    }
}

impl DrawnPlan {
    /// Plans the messages of `view`, which `session` holds, under `policy`, and lays the plan out. `size` says how large the
    /// context is before; `each` sees every message.
    pub fn new(
        (view, session): (&View<'_>, &mut Session),
        policy: &Policy,
        force: bool,
        size: impl FnOnce(&mut Session, &Decision) -> Size,
        mut each: impl FnMut(usize, &MessagePlan),
    ) -> Self {
        let options = view.options(force);
        let transcript = view.transcript();
        let mut alone = policy.clone();
        alone.retain.enabled = false;
        session.set_policy(&alone);
        let pruned = Pruned::of(session, options);
        session.set_policy(policy);
        let mut fates = Fates::of_others(view.others());
        let mut segments = Segments::default();
        let mut turns = 0;
        let (mut tokens, mut places, mut part_at) = (0_u64, (0, 0), 0);
        let is_answer = |message: &Message| message.active && message.role == Role::Assistant;
        let newest_answer = transcript.messages().iter().rposition(is_answer);
        let decision = session.plan_each(options, |decision, index, message| {
            each(index, message);
            if decision.retain.boundary == Some(index) {
                places.1 = tokens;
            }
            if let Some(boundary) = decision.prune.boundary.filter(|boundary| boundary.message == index) {
                let behind = message.parts.iter().take(boundary.part + 1).map(|part| part.tokens_before);
                places.0 = tokens + behind.sum::<u64>();
            }
            tokens = tokens.saturating_add(message.tokens_before);
            let number = view.message(index);
            fates.set(number as usize, message.fate as u8, (message.tokens_before, message.tokens_after));
            let alone = pruned.parts.get(part_at..).unwrap_or_default();
            part_at += message.parts.len();
            let Some(of) = transcript.messages().get(index) else { return };
            turns += u64::from(of.active && of.turn == Turn::Person);
            if !of.active {
                return;
            }
            // Where all outputs are in the newest turns and give way nevertheless, they are what the number is measured on.
            let gives_way = decision.prune.reason == VerdictReason::RoomNeeded && !pruned.is_any_counted;
            let is_measured = gives_way && newest_answer.is_some_and(|answer| index < answer);
            for ((part, planned), alone) in transcript.parts_of(index).iter().zip(&message.parts).zip(alone) {
                let kind = if of.role == Role::System { Kind::System } else { Kind::of_part(of, part) };
                let (tokens, is_counted, is_newest) = *alone;
                segments.push((number, kind, is_counted || (is_measured && is_newest)), planned, tokens);
            }
        });
        if decision.retain.boundary.is_some_and(|boundary| boundary >= transcript.messages().len()) {
            places.1 = tokens;
        }
        let figures = Figures {
            verdict: decision.verdict,
            reason: decision.reason,
            before: decision.tokens_before,
            pruned: pruned.tokens,
            after: decision.tokens_after,
            allowance: decision.summary_allowance,
            turns,
            trigger: decision.trigger,
            prune: view.prune(decision.prune),
            retain: view.retain(decision.retain),
            size: size(session, &decision),
            situation: Situation::new(transcript, &decision, pruned.messages, force),
            places,
        };
        Self { figures, fates, segments, said: Said::default() }
    }
}

impl Fates {
    /// The messages of a session of which nothing is in the context.
    fn of_others(others: &[u8]) -> Self {
        let nothing = vec![0; others.len()];
        Self { fate: others.to_vec(), before: nothing.clone(), after: nothing }
    }

    /// Sets what happens to a message of the session; a summary that a replay made is none.
    fn set(&mut self, message: usize, fate: u8, (before, after): (u64, u64)) {
        if message == self.fate.len() {
            self.fate.push(fate);
            self.before.push(narrow(before));
            self.after.push(narrow(after));
            return;
        }
        let columns = (self.fate.get_mut(message), self.before.get_mut(message), self.after.get_mut(message));
        if let (Some(code), Some(place), Some(place_after)) = columns {
            (*code, *place, *place_after) = (fate, narrow(before), narrow(after));
        }
    }
}

impl Segments {
    /// How many segments there are.
    pub fn len(&self) -> usize {
        self.message.len()
    }

    /// Whether there are no segments.
    pub fn is_empty(&self) -> bool {
        self.message.is_empty()
    }

    fn push(&mut self, (message, kind, counted): (u32, Kind, bool), plan: &PartPlan, pruned: u32) {
        let (fate, counted) = (plan.fate as u8, u8::from(counted));
        let continues = self.message.last() == Some(&message)
            && self.kind.last() == Some(&(kind as u8))
            && self.fate.last() == Some(&fate)
            && self.counted.last() == Some(&counted);
        if !continues {
            self.message.push(message);
            self.kind.push(kind as u8);
            self.fate.push(fate);
            self.counted.push(counted);
            self.before.push(0);
            self.pruned.push(0);
            self.after.push(0);
        }
        for (column, tokens) in [
            (&mut self.before, narrow(plan.tokens_before)),
            (&mut self.pruned, pruned),
            (&mut self.after, narrow(plan.tokens_after)),
        ] {
            if let Some(sum) = column.last_mut() {
                *sum = sum.saturating_add(tokens);
            }
        }
    }

    /// The segments as `(message, kind, fate, tokens before)`.
    pub fn befores(&self) -> impl Iterator<Item = (u32, u8, u8, u32)> + '_ {
        let codes = self.kind.iter().zip(&self.fate);
        self.message
            .iter()
            .zip(codes)
            .zip(&self.before)
            .map(|((message, (kind, fate)), tokens)| (*message, *kind, *fate, *tokens))
    }

    /// The segments as `(message, kind, fate, tokens after)`.
    pub fn afters(&self) -> impl Iterator<Item = (u32, u8, u8, u32)> + '_ {
        let codes = self.kind.iter().zip(&self.fate);
        self.message
            .iter()
            .zip(codes)
            .zip(&self.after)
            .map(|((message, (kind, fate)), tokens)| (*message, *kind, *fate, *tokens))
    }
}
