//! Several policies over the same life, side by side.

use super::{Charge, Terms};
use crate::policy::{Estimator, Policy};
use crate::replay::{Compaction, History, Replay};

crate::form::reported! {
    /// What a policy does over the life of a session, and what that costs.
    []
    pub struct Outcome = "PolicyOutcome" {
        /// The name of the policy.
        pub profile: String,
        /// The model's context window, in tokens; `None` if it is not known.
        pub window: Option<u64>,
        /// The size from which the policy considers the context full; `None` if the window is not known.
        pub threshold: Option<u64>,
        /// How many answered requests there are.
        pub requests: u32,
        /// How many compactions pruned outputs. One that did may have made a summary as well.
        pub prunes: u32,
        /// How many compactions made a summary.
        pub summaries: u32,
        /// How many outputs were pruned in all.
        pub outputs: u32,
        /// How many answered requests send more than the policy's threshold allows, because nothing more could be removed.
        pub unfit: u32,
        /// How many answered requests, with what is sent beside the messages, are larger than the window: a provider would
        /// have refused them. `None` if the window is not known.
        pub over_window: Option<u32>,
        /// The largest request, in tokens, with what is sent beside the messages.
        pub peak: u64,
        /// The mean of all requests.
        pub mean: u64,
        /// What all requests are charged for.
        pub charge: Charge,
        /// The cost, in fresh input tokens.
        pub cost: f64,
        /// What the same life costs without any compaction, in fresh input tokens. Such a life may be impossible: its
        /// requests may be larger than the window.
        pub without: f64,
        /// `cost` as a share of `without`; `None` if that is nothing.
        pub of_nothing: Option<f64>,
    }
}

/// Replays a life under each policy.
///
/// # Example
///
/// ```
/// use ebbline::economics::{Rates, Terms, compare};
/// let text = r#"[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]"#;
/// let session = ebbline::SessionText::read(text)?;
/// let policies = [ebbline::profiles::get("ebbline@1")?, ebbline::profiles::get("pi@1.5")?];
/// let terms = Terms::new(Rates::new(0.1, 1.25, 5.0));
/// let outcomes = compare(&session, &policies, &terms);
/// assert_eq!((outcomes[0].requests, outcomes[1].of_nothing), (1, Some(1.0)));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn compare<'l>(life: impl Into<History<'l>>, policies: &[Policy], terms: &Terms<'_>) -> Vec<Outcome> {
    let life = life.into();
    let mut without = Without::default();
    let outcome_of = |policy| {
        outcome(
            &Replay::with_moments(life.clone(), policy, &terms.options, terms.moments),
            terms,
            &mut without,
        )
    };
    policies.iter().map(outcome_of).collect()
}

/// What a life costs without any compaction, by the estimator: nothing else of a policy changes that.
#[derive(Debug, Default)]
pub(super) struct Without {
    known: Vec<(Estimator, f64)>,
}

impl Without {
    fn of(&mut self, replay: &Replay<'_>, terms: &Terms<'_>) -> f64 {
        let policy = replay.policy();
        if let Some((_, cost)) = self.known.iter().find(|(estimator, _)| *estimator == policy.estimator) {
            return *cost;
        }
        let mut nothing = policy.clone();
        (nothing.prune.enabled, nothing.retain.enabled) = (false, false);
        let cost = terms.bill(&Replay::new(replay.history().clone(), &nothing, &terms.options)).cost();
        self.known.push((policy.estimator.clone(), cost));
        cost
    }
}

/// What a replay did and cost.
pub(super) fn outcome(replay: &Replay<'_>, terms: &Terms<'_>, without: &mut Without) -> Outcome {
    let policy = replay.policy();
    let without = without.of(replay, terms);
    let bill = terms.bill(replay);
    let (charge, cost) = (bill.total(), bill.cost());
    let requests = bill.charges().len();
    let answered = replay.requests().get(..requests).unwrap_or_default();
    let done = replay.compactions().iter().filter(|compaction| (compaction.request as usize) < requests);
    let count = |is: fn(&Compaction) -> bool| done.clone().filter(|compaction| is(compaction)).count() as u32;
    Outcome {
        profile: policy.profile.clone(),
        window: replay.window(),
        threshold: replay.threshold(),
        requests: requests as u32,
        prunes: count(|compaction| compaction.decision.prune.applied),
        summaries: count(|compaction| compaction.decision.retain.applied),
        outputs: done.clone().map(|compaction| compaction.decision.prune.outputs as u32).sum(),
        unfit: answered.iter().filter(|request| !request.fits).count() as u32,
        over_window: replay
            .window()
            .map(|_| answered.iter().filter(|request| request.over_window).count() as u32),
        peak: bill.charges().iter().map(Charge::input).max().unwrap_or(0),
        mean: charge.input() / (requests as u64).max(1),
        charge,
        cost,
        without,
        of_nothing: (without > 0.0).then(|| cost / without),
    }
}
