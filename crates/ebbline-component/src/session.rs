//! The resource `session`: a ledger of live messages.

use ebbline::json::Document;
use ebbline::plan::Decision;
use ebbline::{EditOptions, Error, Verdict};
use std::cell::RefCell;

use crate::bindings::api::{self, Asking, Changed, Failure, GuestSession};
use crate::changes::{Outcome, outcomes, view_of};
use crate::failure::invalid;
use crate::live::{Live, Text, Whole};
use crate::options::{self, OF_GROWING, parsed};

/// A session that grows under one policy.
#[derive(Debug)]
pub(crate) struct Growing(RefCell<Live>);

impl GuestSession for Growing {
    fn open(options: String) -> Result<api::Session, Failure> {
        let given = parsed(&options, OF_GROWING)?;
        let policy = options::policy(given.root())?;
        let reading = options::reading(given.root(), &policy)?;
        Ok(api::Session::new(Self(RefCell::new(Live::new(policy, reading)))))
    }

    fn push(&self, messages: String) -> Result<u32, Failure> {
        let mut live = self.0.borrow_mut();
        live.push(elements(&messages)?)?;
        Ok(live.texts().len() as u32)
    }

    fn truncate(&self, messages: u32) -> Result<(), Failure> {
        Ok(self.0.borrow_mut().truncate(messages as usize)?)
    }

    fn decide(&self, asking: Asking) -> api::Decision {
        decision(&self.0.borrow_mut().decide(options::plan_options(&asking)))
    }

    fn plan(&self, asking: Asking) -> Result<String, Failure> {
        Ok(self.0.borrow_mut().planned(options::plan_options(&asking))?.1.to_json())
    }

    fn apply(&self, asking: Asking, summary: Option<String>, now: Option<u64>) -> Result<Changed, Failure> {
        let mut live = self.0.borrow_mut();
        let (Whole { session, spans, .. }, plan) = live.planned(options::plan_options(&asking))?;
        let mut options = EditOptions::new();
        (options.summary, options.now) = (summary, now);
        let outcomes = outcomes(session.text().as_str(), &spans, &session.edits(&plan, &options)?)?;
        let texts = texts_of(&outcomes, live.texts());
        live.replace(texts)?;
        Ok(Changed { view: view_of(&outcomes), plan: plan.to_json() })
    }
}

/// The texts that outcomes leave.
pub(crate) fn texts_of(outcomes: &[Outcome], texts: &[Text]) -> Vec<Text> {
    let text = |outcome: &Outcome| match outcome {
        Outcome::Kept(index) => texts.get(*index).cloned().unwrap_or_else(|| Text::of("null")),
        Outcome::Changed(_, text) | Outcome::Made(text) => Text::of(text),
    };
    outcomes.iter().map(text).collect()
}

/// The elements of a JSON array, each as it is written.
pub(crate) fn elements(messages: &str) -> Result<Vec<Text>, Error> {
    let document = Document::parse(messages)?;
    if !document.root().is_array() {
        return Err(invalid("messages are a JSON array"));
    }
    Ok(document.root().elements().map(|element| Text::of(element.source())).collect())
}

/// A decision as it leaves.
pub(crate) fn decision(decision: &Decision) -> api::Decision {
    let trigger = &decision.trigger;
    api::Decision {
        verdict: match decision.verdict {
            Verdict::Refuse => api::Verdict::Refuse,
            Verdict::Prune => api::Verdict::Prune,
            Verdict::Summarise => api::Verdict::Summarise,
            Verdict::PruneThenSummarise => api::Verdict::PruneThenSummarise,
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
