//! The resource `session`: live messages that grow.

use std::cell::RefCell;

use ebbline::plan::Decision;
use ebbline::{EditOptions, Verdict};
use ebbline_compactor::binding::{LiveMessages, Outcome};

use crate::bindings::api::{self, Asking, Changed, Failure, GuestSession};
use crate::options::{self, OF_GROWING, parsed};

/// A session that grows under one policy.
#[derive(Debug)]
pub(crate) struct Growing(RefCell<LiveMessages>);

impl GuestSession for Growing {
    fn open(options: String) -> Result<api::Session, Failure> {
        let given = parsed(&options, OF_GROWING)?;
        let policy = options::policy(given.root())?;
        let reading = options::reading(given.root(), &policy)?;
        Ok(api::Session::new(Self(RefCell::new(LiveMessages::new(policy, reading)))))
    }

    fn push(&self, messages: String) -> Result<u32, Failure> {
        let mut live = self.0.borrow_mut();
        live.add(&messages)?;
        Ok(live.count() as u32)
    }

    fn truncate(&self, messages: u32) -> Result<(), Failure> {
        Ok(self.0.borrow_mut().truncate(messages as usize)?)
    }

    fn decide(&self, asking: Asking) -> api::Decision {
        decision(&self.0.borrow_mut().decide(options::plan_options(&asking)))
    }

    fn plan(&self, asking: Asking) -> Result<String, Failure> {
        Ok(self.0.borrow_mut().plan(options::plan_options(&asking))?.to_json())
    }

    fn apply(&self, asking: Asking, summary: Option<String>, now: Option<u64>) -> Result<Changed, Failure> {
        let mut edits = EditOptions::new();
        (edits.summary, edits.now) = (summary, now);
        let (outcomes, plan) = self.0.borrow_mut().apply(options::plan_options(&asking), &edits)?;
        Ok(Changed { view: Outcome::view(&outcomes), plan: plan.to_json() })
    }
}

/// A decision as it leaves.
pub(crate) fn decision(decision: &Decision) -> api::Decision {
    let trigger = &decision.trigger;
    api::Decision {
        verdict: match decision.verdict {
            Verdict::Refuse => api::Verdict::Refuse,
            Verdict::Prune => api::Verdict::Prune,
            Verdict::Summarize => api::Verdict::Summarize,
            Verdict::PruneThenSummarize => api::Verdict::PruneThenSummarize,
            _ => api::Verdict::Noop,
        },
        reason: decision.reason.to_string(),
        tokens_before: decision.tokens_before,
        tokens_after: decision.tokens_after,
        fits: decision.fits,
        tokens: trigger.tokens,
        threshold: trigger.threshold,
        window: trigger.context.map(|context| context.get()),
    }
}
