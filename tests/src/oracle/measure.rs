//! The size of the context, as the policy measures it.

use super::calibrate::{self, Calibration};
use super::prune::trusts_placeholders;
use ebbline::plan::{MessagePlan, Source};
use ebbline::policy::Measure;
use ebbline::transcript::Output;
use ebbline::{Fate, PlanOptions, Policy, Transcript};

/// The tokens that are compared with the threshold, after pruning: what the caller knows, or else what the policy
/// measures.
pub(super) fn measure(
    transcript: &Transcript,
    policy: &Policy,
    messages: &[MessagePlan],
    options: PlanOptions,
) -> (u64, Source) {
    let PlanOptions { known_tokens: known, overhead: given, .. } = options;
    let sum = |of: fn(&MessagePlan) -> u64| messages.iter().map(of).sum::<u64>();
    let after = sum(|message| message.tokens_after);
    if let Some(known) = known {
        return (
            known.saturating_sub(sum(|message| message.tokens_before).saturating_sub(after)),
            Source::Known,
        );
    }
    match policy.trigger.measure {
        Measure::Estimate => (after.saturating_add(given.unwrap_or(0)), Source::Estimate),
        Measure::Reported => {
            let mut newest = transcript.messages().iter().rev().filter(|message| message.active);
            newest
                .find_map(|message| message.usage)
                .map_or((0, Source::Nothing), |usage| (u64::from(usage), Source::Reported))
        }
        _ => {
            // What is learnt from the context as it is stands in where a usage covers what the plan prunes.
            let learnt = learnt(transcript, policy, messages);
            // As it will be after the plan is carried out, so that planning again gives the same figure.
            let mut costs = vec![0; transcript.parts().len()];
            let mut changed = vec![false; transcript.parts().len()];
            for (index, message) in messages.iter().enumerate() {
                for (at, part) in transcript.part_range(index).zip(&message.parts) {
                    if let (Some(cost), Some(changed)) = (costs.get_mut(at), changed.get_mut(at)) {
                        *cost = part.tokens_after;
                        let output = transcript.parts().get(at).map(|part| part.output);
                        let is_trusted = output.is_some_and(Output::says_placeholder)
                            && trusts_placeholders(&policy.prune);
                        *changed = matches!(part.fate, Fate::Pruned | Fate::AlreadyPruned) || is_trusted;
                    }
                }
            }
            let calibration = if policy.estimator.calibrate {
                calibrate::calibration(transcript, &costs, &changed)
            } else {
                Calibration::default()
            };
            let overhead = given.or(calibration.overhead).or(learnt);
            let size =
                calibrate::anchored(transcript, &costs, &changed, &Calibration { overhead, ..calibration });
            let has_usage =
                transcript.messages().iter().any(|message| message.active && message.usage.is_some());
            let besides = given.filter(|_| !has_usage).unwrap_or(0);
            (
                size.tokens.saturating_add(besides),
                if size.anchor.is_some() { Source::Reported } else { Source::Estimate },
            )
        }
    }
}

/// The overhead that is learnt from reported usage before anything is pruned; `None` where the policy does not go by it.
#[expect(clippy::indexing_slicing, reason = "the lists are as long as the transcript's parts")]
pub(super) fn learnt(transcript: &Transcript, policy: &Policy, messages: &[MessagePlan]) -> Option<u64> {
    if policy.trigger.measure != Measure::Anchored || !policy.estimator.calibrate {
        return None;
    }
    let mut costs = vec![0; transcript.parts().len()];
    let mut changed = vec![false; transcript.parts().len()];
    for (index, message) in messages.iter().enumerate() {
        for (at, part) in transcript.part_range(index).zip(&message.parts) {
            let output = transcript.parts()[at].output;
            costs[at] = part.tokens_before;
            changed[at] = part.fate == Fate::AlreadyPruned
                || output.says_placeholder() && trusts_placeholders(&policy.prune);
        }
    }
    calibrate::calibration(transcript, &costs, &changed).overhead
}
