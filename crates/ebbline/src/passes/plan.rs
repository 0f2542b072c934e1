//! The plan of a session with passes: a plan of the messages that the passes leave, and what gave way to them.

use super::scene::is_quoted;
use super::{Spots, any, arguments, found, scene};
use crate::decide::Fullness;
use crate::explain;
use crate::length::Length;
use crate::marks;
use crate::plan::{Becomes, Fate, Given, PartPlan, Plan, PlanOptions, Reason, Verdict, VerdictReason};
use crate::policy::Policy;
use crate::summary::Original;
use crate::transcript::{Message, Output, Part, PartKind, Transcript};

/// A plan whose passes change something.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) plan: Plan,
    /// What gives way, in order of parts.
    pub(crate) given: Vec<Given>,
    /// The size of the context that the passes leave, if it is known otherwise than by its messages.
    pub(crate) known: Option<u64>,
}

/// The plan with the passes that the policy switches on; `None` if they change nothing: because the context is not full, because
/// there is nothing to find, or because it is too little. `spots_of` says where the parts of a message are in its JSON.
pub(crate) fn planned(
    original: Original<'_, '_>,
    policy: &Policy,
    options: PlanOptions,
    spots_of: &dyn Fn(usize) -> Spots,
) -> Option<Planned> {
    let policy = &*policy.resolved();
    Some(due(original, policy, options, spots_of)?.plan(original.transcript, policy, policy))
}

/// The same, for the passes alone: nothing else gives way.
pub(crate) fn alone(
    original: Original<'_, '_>,
    policy: &Policy,
    options: PlanOptions,
    spots_of: &dyn Fn(usize) -> Spots,
) -> Option<Planned> {
    let policy = &*policy.resolved();
    let due = due(original, policy, options, spots_of)?;
    let mut still = policy.clone();
    (still.prune.enabled, still.retain.enabled) = (false, false);
    Some(due.plan(original.transcript, policy, &still))
}

/// Passes that change something.
struct Due {
    left: Transcript,
    given: Vec<Given>,
    saved: u64,
    options: PlanOptions,
}

impl Due {
    /// The plan that `then` has of what the passes leave, with them.
    fn plan(self, transcript: &Transcript, policy: &Policy, then: &Policy) -> Planned {
        let after = explain::plan(&self.left, then, self.options);
        let plan = merged(transcript, policy, after, &self.given, self.saved);
        Planned { plan, given: self.given, known: self.options.known_tokens }
    }
}

/// The passes; `None` if they change nothing.
fn due(
    original: Original<'_, '_>,
    policy: &Policy,
    options: PlanOptions,
    spots_of: &dyn Fn(usize) -> Spots,
) -> Option<Due> {
    if !any(&policy.prune) {
        return None;
    }
    let before = Fullness::of(original.transcript, policy, options);
    if !before.is_full && !options.force {
        return None;
    }
    let given = found::all(original, policy, spots_of);
    if given.is_empty() {
        return None;
    }
    let left = left(original, policy, &given);
    let after = Fullness::of(&left, policy, options);
    let saved = before.estimate.saturating_sub(after.estimate);
    // A usage covers what was sent, and nothing in the messages shows that thinking or arguments were longer then.
    let is_hidden = given.iter().any(|given| !matches!(given.becomes, Becomes::Cleared(_)));
    let is_known = is_hidden || options.known_tokens.is_some();
    // What was reported may be small beside what is estimated, and the estimate of what is left has to fit as well.
    let known = is_known.then(|| before.size.saturating_sub(saved).max(after.estimate.min(after.size)));
    let options = PlanOptions { known_tokens: known, ..options };
    let goes_on = options.force || Fullness::of(&left, policy, options).is_full;
    // What frees little breaks the provider's cache for little.
    if saved == 0 || !goes_on && !policy.prune.minimum_is.holds(saved, policy.prune.minimum) {
        return None;
    }
    Some(Due { left, given, saved, options })
}

/// The messages that the passes leave.
fn left(original: Original<'_, '_>, policy: &Policy, given: &[Given]) -> Transcript {
    let transcript = original.transcript;
    let mut left = transcript.clone();
    for given in given {
        let message = transcript.messages().get(given.message);
        let (Some(message), Some(part)) = (message, transcript.parts().get(given.part)) else { continue };
        let becomes = match &given.becomes {
            Becomes::Cleared(placeholder) => {
                for image in scene::enclosed(transcript, given.message, given.part) {
                    left.replace(image, nothing(PartKind::Other));
                }
                // Without the id of a call, the reference proves nothing.
                let is_proved = part.call.is_some_and(|call| !transcript.is_paired_by_place(call))
                    && policy.prune.reference;
                cleared(policy, message, part, placeholder, is_proved)
            }
            Becomes::Gone => nothing(part.kind),
            Becomes::Note(note) => match result_of(transcript, given) {
                None => Part::new(PartKind::Text, Length::of(note)),
                Some(result) => {
                    // The texts of a result are one part.
                    let output = left.parts().get(result).copied().unwrap_or(*part);
                    let length = output.length.plus(Length::of(note));
                    let pieces = output.pieces.saturating_add(1);
                    left.replace(result, Part { length, pieces, native: None, ..output });
                    nothing(PartKind::Other)
                }
            },
            Becomes::Arguments(json) => {
                let quoted = is_quoted(original, given.part);
                Part { length: arguments::length_of(json, quoted), native: None, ..*part }
            }
        };
        left.replace(given.part, becomes);
    }
    left
}

fn nothing(kind: PartKind) -> Part {
    Part { pieces: 0, ..Part::new(kind, Length::default()) }
}

/// A cleared output as a reader would find it.
fn cleared(policy: &Policy, message: &Message, part: &Part, placeholder: &str, is_proved: bool) -> Part {
    let length = scene::cleared_length(policy, message, placeholder);
    let is_marked = message.has_prune_field || is_proved;
    let output = if is_marked {
        Output::Pruned
    } else if placeholder == marks::PLACEHOLDER || placeholder == policy.prune.bare_placeholder() {
        Output::Placeholder
    } else {
        part.output
    };
    Part { output, pieces: 1, length, native: None, ..*part }
}

/// The result that an image stands in.
fn result_of(transcript: &Transcript, image: &Given) -> Option<usize> {
    let first = transcript.part_range(image.message).start;
    let parts = transcript.parts_of(image.message);
    let followed = crate::decide::followed_results(parts);
    followed.into_iter().find(|(at, _)| *at == image.at).map(|(_, result)| first + result)
}

/// The plan of what the passes leave, as one of the whole session: with what gave way, and the tokens before.
fn merged(transcript: &Transcript, policy: &Policy, after: Plan, given: &[Given], saved: u64) -> Plan {
    let mut messages = after.messages;
    let mut decision = after.decision;
    for given in given {
        let Some(message) = messages.get_mut(given.message) else { continue };
        let enclosed = match given.becomes {
            Becomes::Cleared(_) => scene::enclosed(transcript, given.message, given.part),
            _ => Vec::new(),
        };
        let first = transcript.part_range(given.message).start;
        for at in enclosed.into_iter().map(|part| part - first).chain([given.at]) {
            if let Some(part) = message.parts.get_mut(at) {
                give(part, transcript.parts().get(first + at), given.reason);
            }
        }
        if message.fate == Fate::Summarized {
            message.pruned_first = true;
        } else if message.fate == Fate::Kept || message.fate == Fate::AlreadyPruned {
            (message.fate, message.reason) = (Fate::Pruned, given.reason);
        }
    }
    let mut tokens = 0;
    for (index, message) in messages.iter_mut().enumerate() {
        if message.fate == Fate::Inactive {
            continue;
        }
        let before = policy.estimator.parts(transcript, index);
        for (part, before) in message.parts.iter_mut().zip(&before) {
            part.tokens_before = *before;
        }
        message.tokens_before = before.iter().sum();
        tokens += message.tokens_before;
    }
    decision.tokens_before = tokens;
    let prune = &mut decision.prune;
    if !prune.applied {
        (prune.applied, prune.reason, prune.outputs, prune.reclaimed) = (true, VerdictReason::Needless, 0, 0);
    }
    prune.outputs += given.len();
    prune.reclaimed += saved;
    (decision.verdict, decision.reason) = if decision.retain.applied {
        (Verdict::PruneThenSummarize, decision.retain.reason)
    } else {
        (Verdict::Prune, prune.reason)
    };
    Plan::new(transcript, policy, decision, messages)
}

/// Marks a part that gave way.
fn give(plan: &mut PartPlan, part: Option<&Part>, reason: Reason) {
    plan.kind = part.map_or(plan.kind, |part| part.kind);
    if plan.fate == Fate::Summarized {
        plan.pruned_first = true;
    } else {
        (plan.fate, plan.reason) = (Fate::Pruned, reason);
    }
}
