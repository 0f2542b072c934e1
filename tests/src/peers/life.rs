//! The life of a session as other programs read it: messages with the text and the size of each part, and where requests are.
#![expect(clippy::indexing_slicing, reason = "places of a life are those of its log")]

use ebbline::replay::{History, Replay, ReplayOptions};
use ebbline::transcript::Role;
use ebbline::{Policy, SessionText};
use serde_json::{Value, json};

/// A session, and what is the same of it for every peer.
#[derive(Debug)]
pub struct Life<'s> {
    /// Its name, by which rows say whose they are.
    pub name: String,
    /// The session.
    pub session: &'s SessionText<'s>,
    /// Its messages in the order in which they were sent.
    pub history: History<'s>,
    /// The tokens of each part of the log.
    pub tokens: Vec<u64>,
    /// The message of each part of the log.
    pub message_of: Vec<u32>,
    /// A replay that never compacts: where requests are, and what answers them.
    pub never: Replay<'s>,
}

impl<'s> Life<'s> {
    /// `policy` says how tokens are estimated.
    pub fn of(name: impl Into<String>, session: &'s SessionText<'s>, policy: &Policy, overhead: u64) -> Self {
        let mut policy = policy.clone();
        (policy.prune.enabled, policy.retain.enabled) = (false, false);
        let never = Replay::new(session, &policy, &ReplayOptions::new().overhead(overhead));
        let history = History::from(session);
        let log = history.log();
        let mut tokens = vec![0; log.parts().len()];
        let mut message_of = vec![0; log.parts().len()];
        for message in 0..log.messages().len() {
            for (part, size) in log.part_range(message).zip(policy.estimator.parts(log, message)) {
                tokens[part] = size;
                message_of[part] = message as u32;
            }
        }
        Self { name: name.into(), session, history, tokens, message_of, never }
    }

    /// The places in the history of the answered requests.
    pub fn requests(&self) -> impl Iterator<Item = usize> + '_ {
        let answered = self.never.requests().len().saturating_sub(1);
        self.never.requests().iter().take(answered).map(|request| request.at as usize)
    }

    /// The parts of the messages at these places of the history.
    pub fn parts(&self, places: std::ops::Range<usize>) -> impl Iterator<Item = usize> + '_ {
        self.history.messages()[places]
            .iter()
            .flat_map(|message| self.history.log().part_range(*message as usize))
    }

    /// The line of this life.
    pub fn line(&self) -> String {
        let log = self.history.log();
        let part = |at: usize| {
            let part = log.parts()[at];
            let tool = part.tool.and_then(|tool| log.tool_name(tool));
            json!({
                "part": at, "kind": part.kind.as_str(), "text": self.session.text_of(at), "tokens": self.tokens[at],
                "call": part.call, "tool": tool,
            })
        };
        let message = |index: &u32| {
            let message = log.messages()[*index as usize];
            let continues = message.continues && message.role == Role::Assistant;
            let parts: Vec<Value> = log.part_range(*index as usize).map(part).collect();
            json!({ "role": message.role.as_str(), "continues": continues, "parts": parts })
        };
        let messages: Vec<Value> = self.history.messages().iter().map(message).collect();
        json!({ "session": self.name, "messages": messages, "requests": self.requests().collect::<Vec<_>>() })
            .to_string()
    }
}
