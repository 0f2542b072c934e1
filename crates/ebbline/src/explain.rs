//! The explanation of a decision: what happens to every message and part, and why.
//!
//! Nothing is decided here. The pruned outputs are a range of the books, and the beginning of the retention
//! window is a figure of the decision. The reason why an output stays follows from its place among the
//! boundaries.

use crate::decide::{AfterPruning, Books, Placeholder, Search, Session, belongs_to_result, followed_results};
use crate::plan::{Decision, Fate, MessagePlan, PartPlan, Plan, PlanOptions, Reason, VerdictReason};
use crate::policy::Policy;
use crate::transcript::{Message, Output, Part, PartKind, Role, Transcript};

/// Plans: a pure function of a transcript, a policy and what the caller knows.
///
/// # Example
///
/// ```
/// use ebbline::length::Length;
/// use ebbline::transcript::{Message, Part, PartKind, Role};
/// use ebbline::{PlanOptions, Transcript, Verdict};
/// let mut transcript = Transcript::default();
/// for turn in 0..4 {
///     transcript.begin(Message::person());
///     transcript.push(Part::new(PartKind::Text, Length::ascii(80)));
///     transcript.begin(Message::new(Role::Tool));
///     transcript.push(Part::new(PartKind::ToolResult, Length::ascii(120_000)));
/// }
/// let policy = ebbline::profiles::get("opencode@2026-01")?;
/// let plan = ebbline::plan(&transcript, &policy, PlanOptions::default());
/// assert_eq!(plan.decision.verdict, Verdict::Prune);
/// assert_eq!(plan.decision.prune.boundary.unwrap().message, 1);
/// assert!(plan.decision.tokens_after < plan.decision.tokens_before);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn plan(transcript: &Transcript, policy: &Policy, options: PlanOptions) -> Plan {
    let policy = policy.resolved();
    explained(&mut books_of(transcript, &policy), transcript, &policy, options)
}

impl Session {
    /// The whole plan: the decision of [`Session::decide`], and the fate of every message and part.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// use ebbline::{Session, PlanOptions};
    /// let mut session = Session::new(&ebbline::profiles::get("ebbline@1")?);
    /// session.begin(Message::person());
    /// session.push(Part::new(PartKind::Text, Length::of("hello")));
    /// assert_eq!(session.plan(PlanOptions::new()).messages[0].fate, ebbline::Fate::Kept);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn plan(&mut self, options: PlanOptions) -> Plan {
        let (transcript, policy, books) = self.entered();
        explained(books, transcript, policy, options)
    }

    /// The plan without a list of all messages: `each` is called for every message in its order, with the decision, the
    /// message's index and its plan. It says what [`Session::plan`] says, and allocates nothing for a message.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// use ebbline::{Fate, Session, PlanOptions, Verdict};
    /// let mut session = Session::new(&ebbline::profiles::get("ebbline@1")?);
    /// session.begin(Message::person());
    /// session.push(Part::new(PartKind::Text, Length::of("hello")));
    /// let mut fates = Vec::new();
    /// let decision = session.plan_each(PlanOptions::new(), |_, _, message| fates.push(message.fate));
    /// assert_eq!((decision.verdict, fates), (Verdict::Noop, vec![Fate::Kept]));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn plan_each(
        &mut self,
        options: PlanOptions,
        mut each: impl FnMut(&Decision, usize, &MessagePlan),
    ) -> Decision {
        let (transcript, policy, books) = self.entered();
        books.decide_and(transcript, policy, options, Search::Always, |context, decision| {
            Explanation::new(context, &decision).each(|index, message| each(&decision, index, message));
            decision
        })
    }
}

/// The decision of [`plan()`] alone, which explains no message.
///
/// # Example
///
/// ```
/// use ebbline::{PlanOptions, SessionText};
/// let session = SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
/// let policy = ebbline::profiles::get("ebbline@1")?;
/// let decision = ebbline::decide(session.transcript(), &policy, PlanOptions::new());
/// assert_eq!(decision, session.plan(&policy).decision);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn decide(transcript: &Transcript, policy: &Policy, options: PlanOptions) -> Decision {
    let policy = policy.resolved();
    books_of(transcript, &policy).decide(transcript, &policy, options)
}

/// The books of all messages, for a policy whose shares are already resolved.
fn books_of(transcript: &Transcript, policy: &Policy) -> Books {
    let mut books = Books::new(policy);
    books.enter(transcript, policy, transcript.messages().len());
    books
}

fn explained(books: &mut Books, transcript: &Transcript, policy: &Policy, options: PlanOptions) -> Plan {
    books.decide_and(transcript, policy, options, Search::Always, |context, decision| {
        let mut messages = Vec::with_capacity(transcript.messages().len());
        Explanation::new(context, &decision).each(|_, message| messages.push(message.clone()));
        Plan::new(transcript, policy, decision, messages)
    })
}

/// One decision, and the context on which it was made.
struct Explanation<'e> {
    context: &'e AfterPruning<'e>,
    decision: &'e Decision,
    transcript: &'e Transcript,
    policy: &'e Policy,
    placeholder: Placeholder,
}

impl<'e> Explanation<'e> {
    fn new(context: &'e AfterPruning<'e>, decision: &'e Decision) -> Self {
        Self {
            context,
            decision,
            transcript: context.transcript(),
            policy: context.policy(),
            placeholder: context.books().placeholder(),
        }
    }

    /// Passes on every message of the transcript. One list of parts and one of tokens serve all of them.
    fn each(&self, mut then: impl FnMut(usize, &MessagePlan)) {
        let (mut tokens, mut plans) = (Vec::new(), Vec::new());
        let mut position = 0;
        for (index, message) in self.transcript.messages().iter().enumerate() {
            let parts = self.transcript.parts_of(index);
            plans.clear();
            let plan = if message.active {
                let mut plan = self.message(position, message, parts, (plans, &mut tokens));
                if self.decision.retain.applied {
                    self.apply_window(&mut plan, index, message);
                }
                position += 1;
                plan
            } else {
                inactive(message, parts, plans)
            };
            then(index, &plan);
            plans = plan.parts;
        }
    }

    /// The active message at `position`, before the retention window is applied. `plans` is empty, and becomes the list
    /// of its parts; `tokens` is a reused buffer.
    fn message(
        &self,
        position: usize,
        message: &Message,
        parts: &[Part],
        (mut plans, tokens): (Vec<PartPlan>, &mut Vec<u64>),
    ) -> MessagePlan {
        let estimator = &self.policy.estimator;
        tokens.clear();
        estimator.spread_into(parts.iter().map(|part| estimator.weigh(self.transcript, part)), tokens);
        plans.extend(parts.iter().zip(&*tokens).map(|(part, tokens)| PartPlan {
            kind: part.kind,
            fate: Fate::Kept,
            reason: Reason::NotToolOutput,
            pruned_first: false,
            tokens_before: *tokens,
            tokens_after: *tokens,
            preview: None,
            newer_outputs: None,
        }));
        self.set_fates(position, parts, &mut plans);
        if plans.iter().any(|plan| plan.fate == Fate::Pruned) {
            tokens.clear();
            let weights = parts.iter().zip(&plans).enumerate().map(|(at, (part, plan))| match plan.fate {
                Fate::Pruned => match self.context.cut_of(position, at) {
                    Some(cut) => estimator.weigh_text(cut.length),
                    None => self.placeholder.weight(self.context.policy(), message, self.transcript, part),
                },
                _ => estimator.weigh(self.transcript, part),
            });
            estimator.spread_into(weights, tokens);
            for (plan, tokens) in plans.iter_mut().zip(&*tokens) {
                plan.tokens_after = *tokens;
            }
        }
        of_parts(message.role, plans)
    }

    /// Sets the fate of each tool output, and of the images and files inside one.
    fn set_fates(&self, position: usize, parts: &[Part], plans: &mut [PartPlan]) {
        let outputs = self.context.outputs();
        let mut counted = outputs.of_message(position).peekable();
        let is_output = |(_, (part, _)): &(usize, (&Part, &mut PartPlan))| part.kind == PartKind::ToolResult;
        for (at, (part, plan)) in parts.iter().zip(plans.iter_mut()).enumerate().filter(is_output) {
            let output =
                counted.next_if(|output| outputs.place(*output).is_some_and(|(_, place)| place == at));
            (plan.fate, plan.reason) = self.fate(position, at, part, output);
            plan.preview = self.context.cut_of(position, at).map(|cut| cut.preview);
            plan.newer_outputs = output.and_then(|output| self.newer_outputs(output));
        }
        if !parts.iter().any(belongs_to_result) {
            return;
        }
        for (image, result) in followed_results(parts) {
            let Some(PartPlan { fate, reason, .. }) = plans.get(result).copied() else { continue };
            if let Some(plan) = plans.get_mut(image) {
                (plan.fate, plan.reason) = (fate, reason);
            }
        }
    }

    /// Fate and reason of a tool output: part `at` of the message at `position`. `counted` is the output's number
    /// among the outputs that pruning counts, if it is one of them.
    fn fate(&self, position: usize, at: usize, part: &Part, counted: Option<usize>) -> (Fate, Reason) {
        let walk = self.context.walk();
        let stays = |reason: Reason| {
            if self.policy.prune.was_pruned(part.output) {
                (Fate::AlreadyPruned, Reason::AlreadyPruned)
            } else {
                (Fate::Kept, reason)
            }
        };
        if !self.policy.prune.enabled {
            return stays(Reason::PruneDisabled);
        }
        if self.context.cut_of(position, at).is_some() {
            return (Fate::Pruned, Reason::TooLarge);
        }
        if position >= walk.reach {
            return stays(Reason::NewestTurns);
        }
        if let Some(stop) = walk.stop.filter(|stop| stop.is_behind(position, at)) {
            return stays(stop.reason);
        }
        let Some(output) = counted else { return stays(self.reason_not_counted(part)) };
        if output >= walk.beyond.end {
            let is_within = || self.context.outputs().tokens(output, walk.end) <= self.policy.prune.protect;
            return stays(match output < walk.end {
                true if is_within() => Reason::ProtectedByBudget,
                true => Reason::NewestOutputs,
                false => Reason::NewestTurns,
            });
        }
        if !self.context.outputs().is_prunable(output) {
            return stays(Reason::ShortOutput);
        }
        if !self.context.is_pruned() {
            return stays(match self.context.walk().reason {
                VerdictReason::TooFewTurns => Reason::TooFewTurns,
                VerdictReason::ContextSmall => Reason::ContextSmall,
                VerdictReason::NotFull => Reason::NotFull,
                VerdictReason::NothingGained => Reason::NothingGained,
                VerdictReason::Deferred => Reason::Deferred,
                VerdictReason::OverheadFillsWindow => Reason::OverheadFillsWindow,
                _ => Reason::BelowMinimum,
            });
        }
        let reason = if output >= walk.protected {
            Reason::RoomNeeded
        } else if output + 1 == walk.protected {
            Reason::CrossedBoundary
        } else {
            Reason::BeyondBoundary
        };
        (Fate::Pruned, reason)
    }

    /// Why pruning does not count an output inside the range that it looks at.
    fn reason_not_counted(&self, part: &Part) -> Reason {
        if part.tool.is_some_and(|tool| self.context.books().protects(tool)) {
            Reason::ProtectedTool
        } else if part.output == Output::Sealed {
            Reason::SealedOutput
        } else {
            Reason::ErrorOutput
        }
    }

    /// The tokens of newer outputs that were counted before this one; `None` where this one was not counted.
    fn newer_outputs(&self, output: usize) -> Option<u64> {
        let walk = self.context.walk();
        let is_counted = walk.beyond.start <= output && output < walk.end;
        is_counted.then(|| self.context.outputs().tokens(output + 1, walk.end))
    }

    /// Sets on which side of the window's boundary a message stands.
    fn apply_window(&self, plan: &mut MessagePlan, index: usize, message: &Message) {
        let is_before = self.decision.retain.boundary.is_some_and(|boundary| index < boundary);
        if is_before && !message.stays() {
            summarize(plan);
        } else if is_before && message.pinned && plan.fate == Fate::Kept {
            plan.reason = Reason::AlwaysSent;
        } else if plan.fate == Fate::Kept && plan.reason == Reason::NotToolOutput {
            plan.reason = Reason::InWindow;
        }
    }
}

/// A message that the agent does not send now. `plans` is empty, and becomes the list of its parts.
fn inactive(message: &Message, parts: &[Part], mut plans: Vec<PartPlan>) -> MessagePlan {
    let (fate, reason, pruned_first) = (Fate::Inactive, Reason::Inactive, false);
    let part = |part: &Part| PartPlan {
        kind: part.kind,
        fate,
        reason,
        pruned_first,
        tokens_before: 0,
        tokens_after: 0,
        preview: None,
        newer_outputs: None,
    };
    plans.extend(parts.iter().map(part));
    MessagePlan {
        role: message.role,
        fate,
        reason,
        pruned_first,
        tokens_before: 0,
        tokens_after: 0,
        parts: plans,
    }
}

/// A message with the fate that its parts decide.
fn of_parts(role: Role, parts: Vec<PartPlan>) -> MessagePlan {
    let decisive = [Fate::Pruned, Fate::AlreadyPruned]
        .into_iter()
        .find_map(|fate| parts.iter().find(|part| part.fate == fate))
        .or_else(|| parts.iter().find(|part| part.reason != Reason::NotToolOutput));
    let (fate, reason) = match decisive {
        _ if role == Role::System => (Fate::Kept, Reason::SystemMessage),
        Some(part) => (part.fate, part.reason),
        None => (Fate::Kept, Reason::NotToolOutput),
    };
    MessagePlan {
        role,
        fate,
        reason,
        pruned_first: false,
        tokens_before: parts.iter().map(|part| part.tokens_before).sum(),
        tokens_after: parts.iter().map(|part| part.tokens_after).sum(),
        parts,
    }
}

fn summarize(message: &mut MessagePlan) {
    message.pruned_first = message.fate == Fate::Pruned;
    message.fate = Fate::Summarized;
    message.reason = Reason::BeforeWindow;
    message.tokens_after = 0;
    for part in &mut message.parts {
        part.pruned_first = part.fate == Fate::Pruned;
        part.fate = Fate::Summarized;
        part.reason = Reason::BeforeWindow;
        part.tokens_after = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::length::Length;
    use crate::marks::PLACEHOLDER;
    use crate::{profiles, session_text::tests::outputs};

    /// The plan of a transcript under a policy that summarizes nothing, and the reasons of the tool outputs.
    fn pruned(transcript: &Transcript, policy: &Policy) -> (Vec<Reason>, Plan) {
        let mut policy = policy.clone();
        policy.retain.enabled = false;
        let plan = plan(transcript, &policy, PlanOptions::default());
        let parts = plan.messages.iter().flat_map(|message| &message.parts);
        let reasons = parts.filter(|part| part.kind == PartKind::ToolResult).map(|part| part.reason);
        (reasons.collect(), plan)
    }

    /// Plans outputs given as tokens, oldest first, `turns` user messages behind them.
    fn plan_outputs(policy: &Policy, tokens: &[usize], turns: usize) -> (Vec<Reason>, Plan) {
        pruned(&outputs(tokens, turns), policy)
    }

    #[test]
    fn the_output_that_crosses_the_limit_is_pruned_whole() {
        let policy = profiles::get("opencode@2026-01").unwrap();
        let (reasons, plan) = plan_outputs(&policy, &[5_000, 25_000, 39_000, 1_000], 2);
        let kept = Reason::ProtectedByBudget;
        assert_eq!(reasons, [Reason::BeyondBoundary, Reason::CrossedBoundary, kept, kept]);
        let prune = plan.decision.prune;
        assert_eq!((prune.candidates, prune.outputs, prune.applied), (30_000, 2, true));
    }

    #[test]
    fn an_image_is_pruned_with_its_own_result_even_if_the_id_repeats() {
        let mut transcript = Transcript::default();
        let call = Some(transcript.call("c"));
        transcript.begin(Message::new(Role::Tool));
        for (kind, length) in
            [(PartKind::ToolResult, 4), (PartKind::ToolResult, 4_000), (PartKind::Image, 4_000)]
        {
            transcript.push(Part { call, ..Part::new(kind, Length::ascii(length)) });
        }
        let mut policy = profiles::get("ebbline@1").unwrap();
        policy.shares.clear();
        (policy.prune.protect, policy.prune.minimum) = (0, 0);
        (policy.prune.protected_turns, policy.prune.minimum_turns) = (0, 0);
        let (_, plan) = pruned(&transcript, &policy);
        let fates: Vec<_> = plan.messages[0].parts.iter().map(|part| part.fate).collect();
        assert_eq!(fates, [Fate::Kept, Fate::Pruned, Fate::Pruned]);
    }

    #[test]
    fn a_failed_output_equal_to_the_placeholder_stays_failed_unless_its_text_counts() {
        let mut transcript = Transcript::default();
        transcript.begin(Message::new(Role::Tool));
        let output = Output::FailedPlaceholder;
        transcript.push(Part { output, ..Part::new(PartKind::ToolResult, Length::of(PLACEHOLDER)) });
        let found_under = |name: &str| {
            let mut policy = profiles::get(name).unwrap();
            policy.shares.clear();
            (policy.prune.protect, policy.prune.protected_turns) = (0, 0);
            let (reasons, plan) = pruned(&transcript, &policy);
            (reasons[0], plan.decision.prune.counted > 0)
        };
        assert_eq!(found_under("ebbline@1"), (Reason::ErrorOutput, false));
        assert_eq!(found_under("opencode@2026-01"), (Reason::AlreadyPruned, true));
    }

    #[test]
    fn outputs_as_short_as_their_placeholders_gain_nothing_but_reach_the_minimum() {
        // OpenCode measures no single output against the placeholder of 8 tokens: both would grow.
        let mut policy = profiles::get("opencode@2026-01").unwrap();
        (policy.prune.protect, policy.prune.minimum) = (0, 10);
        let (reasons, plan) = plan_outputs(&policy, &[7, 6], 2);
        let prune = plan.decision.prune;
        assert_eq!((prune.candidates, prune.reason), (13, VerdictReason::NothingGained));
        let said: Vec<_> = reasons.iter().map(|reason| reason.as_str()).collect();
        assert_eq!(said, ["nothing_gained", "nothing_gained"]);
    }

    #[test]
    fn at_the_limits_the_systems_differ() {
        let opencode = profiles::get("opencode@2026-01").unwrap();
        let tunacode = profiles::get("tunacode@2026-01").unwrap();
        let prune = |policy: &Policy, tokens: &[usize], turns: usize| {
            plan_outputs(policy, tokens, turns).1.decision.prune
        };
        // Exactly the minimum: TunaCode prunes, OpenCode does not.
        assert!(!prune(&opencode, &[20_000, 40_000], 2).applied);
        assert!(prune(&tunacode, &[20_000, 40_000], 2).applied);
        // Fewer than two turns: neither prunes, for different reasons.
        assert_eq!(prune(&opencode, &[90_000], 1).reason, VerdictReason::NothingToPrune);
        assert_eq!(prune(&tunacode, &[90_000], 1).reason, VerdictReason::TooFewTurns);
    }
}
