//! The plan: what happens to every message and part, and why.

mod decision;
pub mod form;
mod measure;
mod report;
mod write;

use measure::measure;

use crate::Estimator;
use crate::policy::Policy;
use crate::prune::{self, Placeholder, belongs_to_result};
use crate::retain::Whole;
use crate::transcript::{Role, Transcript};

pub use decision::Decision;
pub(crate) use decision::{Findings, decide};
pub use report::{
    Fate, MessagePlan, PartPlan, Plan, PlanOptions, Position, PruneReport, Reason, RetainReport, SCHEMA,
    Source, TriggerReport, Verdict, VerdictReason,
};

/// Plans: a pure function of transcript, policy and what the caller knows.
///
/// # Example
///
/// ```
/// use ebbline::{Length, Message, Part, PartKind, PlanOptions, Role, Transcript, Verdict};
/// let mut transcript = Transcript::default();
/// for turn in 0..4 {
///     transcript.begin(Message::person());
///     transcript.push(Part::new(PartKind::Text, Length::ascii(80)));
///     transcript.begin(Message::new(Role::Tool));
///     transcript.push(Part::new(PartKind::ToolResult, Length::ascii(120_000)));
/// }
/// let policy = ebbline::profiles::get("opencode@2026-01")?;
/// let plan = ebbline::plan(&transcript, &policy, PlanOptions::default());
/// assert_eq!(plan.verdict, Verdict::Prune);
/// assert_eq!(plan.prune.boundary.unwrap().message, 1);
/// assert!(plan.tokens_after < plan.tokens_before);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn plan(transcript: &Transcript, policy: &Policy, options: PlanOptions) -> Plan {
    let policy = policy.resolved();
    let policy = policy.as_ref();
    let estimator = &policy.estimator;
    let count = transcript.messages().len();
    let placeholder = Placeholder::of(&policy.prune);

    let mut costs = vec![0_u64; transcript.parts().len()];
    for message in 0..count {
        let range = transcript.part_range(message);
        for (index, cost) in range.zip(estimator.parts(transcript, message)) {
            if let Some(slot) = costs.get_mut(index) {
                *slot = cost;
            }
        }
    }
    let mut pruned = prune::scan(transcript, &policy.prune, estimator);
    let sum = |messages: &[MessagePlan], of: fn(&MessagePlan) -> u64| messages.iter().map(of).sum::<u64>();
    let mut messages = carry_out(transcript, estimator, &costs, &pruned, placeholder);
    let tokens_before = sum(&messages, |message| message.tokens_before);
    if pruned.applied && sum(&messages, |message| message.tokens_after) >= tokens_before {
        pruned.withdraw();
        messages = carry_out(transcript, estimator, &costs, &pruned, placeholder);
    }
    let reclaimed = messages
        .iter()
        .flat_map(|message| &message.parts)
        .filter(|part| part.fate == Fate::Pruned)
        .map(|part| part.tokens_before.saturating_sub(part.tokens_after))
        .sum();

    let (tokens, source) = measure(transcript, policy, &messages, options.known_tokens);
    let prune = PruneReport {
        applied: pruned.applied,
        reason: pruned.reason,
        boundary: pruned.boundary.map(|(message, part)| Position { message, part }),
        counted: pruned.counted,
        candidates: pruned.candidates,
        outputs: pruned.outputs,
        reclaimed,
    };
    let after: Vec<u64> = messages.iter().map(|message| message.tokens_after).collect();
    let history = Whole::new(transcript, &after);
    let found = Findings { tokens_before, tokens, source, prune };
    let decision = decide(&history, policy, found, options.force);
    if decision.retain.applied {
        lay_window_over(&mut messages, transcript, decision.retain.boundary);
    }
    Plan {
        schema: SCHEMA,
        profile: policy.profile.clone(),
        verdict: decision.verdict,
        reason: decision.reason,
        tokens_before,
        tokens_after: decision.tokens_after,
        fits: decision.fits,
        summary_allowance: decision.summary_allowance,
        trigger: decision.trigger,
        prune,
        retain: decision.retain,
        messages,
    }
}

/// Every message with the outputs of `pruned` cleared.
fn carry_out(
    transcript: &Transcript,
    estimator: &Estimator,
    costs: &[u64],
    pruned: &prune::Outcome,
    placeholder: Placeholder,
) -> Vec<MessagePlan> {
    let mut messages: Vec<MessagePlan> = Vec::with_capacity(transcript.messages().len());
    for (index, message) in transcript.messages().iter().enumerate() {
        let placeholder_length = placeholder.of_message(message);
        let range = transcript.part_range(index);
        let fates = pruned.fates.get(range.clone()).unwrap_or_default();
        let newer = pruned.newer.get(range.clone()).unwrap_or_default();
        let parts = transcript.parts_of(index);
        let before = costs.get(range).unwrap_or_default();
        let after = estimator.spread(parts.iter().zip(fates).map(|(part, (fate, _))| match fate {
            Fate::Pruned if belongs_to_result(part) => crate::estimate::Weight::default(),
            Fate::Pruned => estimator.weigh_text(placeholder_length),
            _ => estimator.weigh(transcript, part),
        }));
        let parts: Vec<PartPlan> = parts
            .iter()
            .zip(fates)
            .zip(before.iter().zip(after).zip(newer))
            .map(|((part, (fate, reason)), ((before, after), newer))| PartPlan {
                kind: part.kind,
                fate: *fate,
                reason: *reason,
                pruned_first: false,
                tokens_before: *before,
                tokens_after: after,
                newer_outputs: *newer,
            })
            .collect();
        messages.push(MessagePlan::of(message.role, message.active, parts));
    }
    messages
}

/// Says of every message on which side of the window's boundary it stands.
fn lay_window_over(messages: &mut [MessagePlan], transcript: &Transcript, boundary: Option<usize>) {
    for (index, (message, of)) in messages.iter_mut().zip(transcript.messages()).enumerate() {
        let is_before = boundary.is_some_and(|boundary| index < boundary);
        if is_before && message.fate != Fate::Inactive && !of.stays() {
            message.summarise();
        } else if is_before && of.pinned && message.fate == Fate::Kept {
            message.reason = Reason::AlwaysSent;
        } else if message.fate == Fate::Kept && message.reason == Reason::NotToolOutput {
            message.reason = Reason::InWindow;
        }
    }
}

impl MessagePlan {
    /// The fate of a message as its parts decide it, before the retention window is laid over it.
    fn of(role: Role, active: bool, mut parts: Vec<PartPlan>) -> Self {
        if !active {
            for part in &mut parts {
                part.tokens_before = 0;
                part.tokens_after = 0;
            }
        }
        let decisive = [Fate::Pruned, Fate::AlreadyPruned]
            .into_iter()
            .find_map(|fate| parts.iter().find(|part| part.fate == fate))
            .or_else(|| parts.iter().find(|part| part.reason != Reason::NotToolOutput));
        let (fate, reason) = match decisive {
            _ if !active => (Fate::Inactive, Reason::Inactive),
            _ if role == Role::System => (Fate::Kept, Reason::SystemMessage),
            Some(part) => (part.fate, part.reason),
            None => (Fate::Kept, Reason::NotToolOutput),
        };
        Self {
            role,
            fate,
            reason,
            pruned_first: false,
            tokens_before: parts.iter().map(|part| part.tokens_before).sum(),
            tokens_after: parts.iter().map(|part| part.tokens_after).sum(),
            parts,
        }
    }

    fn summarise(&mut self) {
        self.pruned_first = self.fate == Fate::Pruned;
        self.fate = Fate::Summarised;
        self.reason = Reason::BeforeWindow;
        self.tokens_after = 0;
        for part in &mut self.parts {
            part.pruned_first = part.fate == Fate::Pruned;
            part.fate = Fate::Summarised;
            part.reason = Reason::BeforeWindow;
            part.tokens_after = 0;
        }
    }
}
