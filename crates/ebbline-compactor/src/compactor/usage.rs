//! What is said of requests: by the provider, how many tokens they had; by the caller, which model gets them.

use std::num::NonZeroU64;

use ebbline::PlanOptions;

use super::state::State;
use crate::error::CompactorError;
use crate::options::Model;

impl State {
    /// Learns from the tokens that were reported for the last request, and from those that the provider cleared of it.
    pub(crate) fn usage(&mut self, tokens: Option<u64>, cleared: Option<u64>) {
        match tokens {
            // Where the messages report usage, the engine has learnt from it already, and measures by it.
            Some(tokens) if !self.is_reported || cleared.is_some() => {
                self.reports.learn(tokens, cleared, self.window());
            }
            _ => self.reports.sees_all(),
        }
        self.controller.answered();
    }

    /// Goes on with another model, whose window may be smaller. Whoever names the same one at each request must not undo what an
    /// overflow taught.
    pub(crate) fn switch_to(&mut self, model: &Model) -> Result<(), CompactorError> {
        if let Some(policy) = self.options.policy.for_other(model)? {
            self.drop_summary();
            self.reports.sees_all();
            self.learnt = None;
            self.size_after_passes = None;
            self.live.switch(policy);
        }
        Ok(())
    }

    /// What is known about the request that is sent next.
    pub(super) fn plan_options(&mut self, force: bool, idle: Option<u64>) -> PlanOptions {
        let changed_at = self.live.changed_at();
        let overhead = self.reports.overhead(self.window());
        let options = PlanOptions::new().force(force).overhead(overhead).idle(idle).changed_at(changed_at);
        if let Some(size) = self.size_after_passes {
            return options.known_tokens(size.max(1));
        }
        let unseen = self.reports.unseen();
        if unseen == 0 {
            return options;
        }
        // The provider gets the whole view, and sees as much less of it again.
        let whole = self.live.decide(options).tokens_before.saturating_add(overhead.unwrap_or(0));
        options.known_tokens(whole.saturating_sub(unseen).max(1))
    }

    /// The context window.
    pub(super) fn window(&self) -> Option<u64> {
        self.live.policy().model.context.map(NonZeroU64::get)
    }
}
