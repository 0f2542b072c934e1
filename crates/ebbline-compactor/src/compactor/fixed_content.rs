//! What no compaction makes smaller: system messages, and what is pinned.

use ebbline::plan::Decision;
use ebbline::transcript::Role;

use super::state::State;
use crate::error::{CompactorError, failure};
use crate::event::Event;

impl State {
    /// Gives up where what no compaction makes smaller fills the window.
    pub(super) fn refuse_fixed_content(&mut self, decision: &Decision) -> Result<(), CompactorError> {
        let overhead = decision.trigger.overhead.unwrap_or(0);
        // What is sent beside the messages is an obstacle of its own, if it alone fills the window.
        let Some(window) =
            decision.trigger.context.map(|context| context.get()).filter(|window| overhead < *window)
        else {
            return Ok(());
        };
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
        let alone = tokens.sum::<u64>();
        let head = alone + overhead;
        // What was only learnt must not end a session: the provider says whether it is true.
        if head < window || alone < window && self.reports.doubts() {
            return Ok(());
        }
        let what = if self.live.pins().is_empty() {
            "System messages"
        } else {
            "System messages and what is pinned"
        };
        let beside = if overhead > 0 { ", with what is sent beside the messages," } else { "" };
        let sentence = format!("{what}{beside} take {head} tokens, and the context window has {window}.");
        let error = failure("head_fills_window", sentence);
        self.events.tell(Event::GaveUp { error: error.clone() });
        Err(error)
    }
}
