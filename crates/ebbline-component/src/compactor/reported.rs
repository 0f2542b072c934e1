//! What is said of requests: by the provider, how many tokens they had; by the caller, which model gets them.

use ebbline::PlanOptions;

use super::work::Work;
use crate::bindings::api::Failure;

impl Work {
    /// Learns from the tokens that were reported for the last request, and from those that the provider cleared of it.
    pub(crate) fn usage(&mut self, tokens: Option<u64>, cleared: Option<u64>) {
        self.unseen = 0;
        if let Some(tokens) = tokens {
            // Where the messages report usage, the engine has learnt from it already, and measures by it.
            if !self.is_reported || cleared.is_some() {
                self.overhead.learn(tokens.saturating_add(cleared.unwrap_or(0)), self.sent);
            }
            if cleared.is_some() {
                let whole = self.sent.saturating_add(self.overhead.tokens.unwrap_or(0));
                self.unseen = whole.saturating_sub(tokens);
            }
        }
        self.controller.answered();
    }

    /// Goes on with another model, whose window may be smaller. Whoever names the same one at each request must not undo what an
    /// overflow taught.
    pub(crate) fn switch_to(&mut self, model: &str) -> Result<(), Failure> {
        if let Some(policy) = self.limits.of_other(model)? {
            self.drop_summary();
            self.unseen = 0;
            self.learnt = None;
            self.live.switch(policy);
        }
        Ok(())
    }

    /// What is known about the request that is sent next.
    pub(super) fn asked(&mut self, force: bool, idle: Option<u64>) -> PlanOptions {
        let changed_at = self.live.changed_at();
        let overhead = self.overhead.tokens;
        let options = PlanOptions::new().force(force).overhead(overhead).idle(idle).changed_at(changed_at);
        if self.unseen == 0 {
            return options;
        }
        // The provider gets the whole view, and clears the same again.
        let whole = self.live.decide(options).tokens_before.saturating_add(overhead.unwrap_or(0));
        options.known_tokens(whole.saturating_sub(self.unseen).max(1))
    }
}
