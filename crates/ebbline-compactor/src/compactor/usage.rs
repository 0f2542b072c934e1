//! What is said of requests: by the provider, how many tokens they had; by the caller, which model gets them.

use super::state::State;
use crate::error::CompactorError;
use crate::options::Model;

impl State {
    /// Learns from the tokens that were reported for the last request, and from those that the provider cleared of it.
    pub(crate) fn usage(&mut self, tokens: Option<u64>, cleared: Option<u64>) {
        let window = self.live.policy().model.context.map(|context| context.get());
        self.course.usage(tokens, cleared, window);
    }

    /// Goes on with another model, whose window may be smaller. Whoever names the same one at each request must not undo what an
    /// overflow taught.
    pub(crate) fn switch_to(&mut self, model: &Model) -> Result<(), CompactorError> {
        if let Some(policy) = self.options.policy.for_other(model)? {
            self.drop_summary();
            self.course.switches();
            self.live.switch(policy);
        }
        Ok(())
    }
}
