//! Probe: moments of a recorded session at which the agent used a fact that a policy had removed, and the context that the
//! policy would have sent then.
//!
//! A model is asked for the fact with exactly that context. Whoever asks it brings the answers; nothing here calls a model.

mod chat;
mod context;
mod fact;
mod facts;
mod question;
mod score;

use std::cell::RefCell;
use std::collections::HashMap;

pub use chat::{Call, Function, Said};
pub use fact::{Fact, FactKind};
pub use facts::chosen;
pub use question::{AGAIN, NO_OUTPUT};
pub use score::{RECALL, recalled, says_fact, says_unknown};

use crate::economics::summary_content;
use crate::loss::Left;
use crate::plan::Position;
use crate::policy::Policy;
use crate::replay::{Replay, ReplayOptions};
use crate::session_text::SessionText;

/// Never.
const NEVER: u32 = u32::MAX;

/// A session under some policies.
#[derive(Debug)]
pub struct Probe<'p, 's> {
    session: &'p SessionText<'s>,
    lives: Vec<Life<'p>>,
}

/// The session's life under one policy.
#[derive(Debug)]
struct Life<'p> {
    replay: Replay<'p>,
    /// The text of the summary of each compaction.
    summaries: Vec<String>,
    /// For each part of the log, the requests from which on it was pruned and summarized.
    left: Vec<(u32, u32)>,
    /// The message of each part of the log.
    places: Vec<Position>,
    /// What remains of the outputs that a compaction pruned, by their parts.
    remains: RefCell<HashMap<u32, HashMap<u32, String>>>,
}

impl<'p, 's> Probe<'p, 's> {
    /// Replays a session under each policy. Summaries are those that are written by rule.
    #[must_use]
    pub fn of(session: &'p SessionText<'s>, policies: &[Policy], options: &ReplayOptions) -> Self {
        let moments = session.moments();
        let life = |policy| {
            let replay = Replay::with_moments(session, policy, options, &moments);
            Life { summaries: summary_content::sent(session, &replay), ..Life::of(replay) }
        };
        Self { session, lives: policies.iter().map(life).collect() }
    }

    /// The tokens of the messages that a request sends under a policy, by its estimator.
    #[must_use]
    pub fn tokens(&self, life: usize, fact: &Fact) -> u64 {
        let requests = self.lives.get(life).map_or(&[][..], |life| life.replay.requests());
        requests.get(fact.request as usize).map_or(0, |request| request.tokens)
    }
}

impl<'p> Life<'p> {
    fn of(replay: Replay<'p>) -> Self {
        let log = replay.history().log();
        let mut left = vec![(NEVER, NEVER); log.parts().len()];
        for compaction in replay.compactions() {
            let at = compaction.request;
            for part in &compaction.pruned {
                if let Some((pruned, _)) = left.get_mut(*part as usize) {
                    *pruned = at.min(*pruned);
                }
            }
            for part in compaction.summarized.iter().flat_map(|message| log.part_range(*message as usize)) {
                if let Some((_, summarized)) = left.get_mut(part) {
                    *summarized = at.min(*summarized);
                }
            }
        }
        let places = replay.places();
        Self { replay, summaries: Vec::new(), left, places, remains: RefCell::default() }
    }

    /// How a part had left the context of a request, if it had.
    fn left(&self, part: u32, request: u32) -> Option<Left> {
        let (pruned, summarized) = self.left.get(part as usize).copied()?;
        if summarized <= request {
            return Some(Left::Summarized);
        }
        (pruned <= request).then_some(Left::Pruned)
    }
}
