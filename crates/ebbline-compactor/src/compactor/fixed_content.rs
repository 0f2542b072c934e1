//! What no compaction makes smaller: system messages, and what is pinned.

use ebbline::Error;
use ebbline::transcript::Role;

use super::state::State;

impl State {
    /// The tokens of what no compaction makes smaller.
    pub(super) fn fixed_tokens(&self) -> Result<u64, Error> {
        let messages = self.live.joined_of(self.view.history())?;
        let plan = messages.session.plan(self.live.policy());
        let transcript = messages.session.transcript();
        let stays = |message: usize, part: usize| {
            let role = transcript.messages().get(message).map(|message| message.role);
            role == Some(Role::System) || messages.pinned.binary_search(&part).is_ok()
        };
        let tokens = plan.messages.iter().enumerate().flat_map(|(message, plan)| {
            let parts = transcript.part_range(message).zip(&plan.parts);
            parts.filter(move |(part, _)| stays(message, *part)).map(|(_, plan)| plan.tokens_before)
        });
        Ok(tokens.sum())
    }
}
