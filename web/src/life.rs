//! The life of a session under a policy: how large the context is at each request, and what is compacted before which.
//!
//! The engine's replay computes it; this module lays it out in columns that the page draws.

use ebbline::loss::{Departure, Left};
use ebbline::replay::{Known, Recorded, Replay};
use ebbline::transcript::Turn;
use serde::{Deserialize, Serialize};

/// What happens before a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventKind {
    /// Outputs are pruned.
    Prune,
    /// Messages are summarized.
    Summary,
}

/// A compaction, simulated or recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The request before which it happens.
    pub request: u32,
    /// What happens.
    pub kind: EventKind,
    /// The size of the context before and after it, in tokens.
    pub sizes: (u64, u64),
    /// How many outputs are pruned.
    pub outputs: u32,
    /// How many messages a summary replaces.
    pub messages: u32,
}

/// A life, request by request. The last request has not been answered yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Life {
    /// The message that answers each request; the number of messages for one that nothing answers.
    #[serde(with = "crate::wire::column")]
    pub answers: Vec<u32>,
    /// The turn of the user in which each request is sent, from 1; 0 before the first.
    #[serde(with = "crate::wire::column")]
    pub turns: Vec<u32>,
    /// The size of the context that the policy finds before each request, in tokens.
    #[serde(with = "crate::wire::column")]
    pub found: Vec<u32>,
    /// What each request sends, in tokens.
    #[serde(with = "crate::wire::column")]
    pub sent: Vec<u32>,
    /// The compactions of the policy, oldest first.
    pub events: Vec<Event>,
    /// The compactions that the session's own agent recorded, oldest first.
    pub recorded: Vec<Event>,
    /// The context window; `None` if it is not known.
    pub window: Option<u64>,
    /// The size from which the context counts as full; `None` if the window is not known.
    pub threshold: Option<u64>,
    /// The tokens that are sent beside the messages with every request, as far as reported usage shows.
    pub beside: u64,
    /// How much of the life the file holds.
    pub known: Known,
    /// How many outputs were pruned before and are not in the file any more.
    pub pruned_before: u32,
}

/// What the session's own agent sent, and what it compacted.
#[derive(Clone, Debug, Default)]
pub struct RecordedLife {
    /// The requests that it sent.
    pub requests: Vec<Recorded>,
    /// What left the context.
    pub departures: Vec<Departure>,
}

fn narrow(tokens: u64) -> u32 {
    u32::try_from(tokens).unwrap_or(u32::MAX)
}

impl Life {
    /// Lays out `replay`; `recorded` is what the session's own agent sent.
    pub fn of(replay: &Replay<'_>, recorded: &RecordedLife) -> Self {
        let history = replay.history();
        let beside = replay.options().overhead;
        let messages = history.log().messages();
        let mut life = Self {
            answers: Vec::new(),
            turns: Vec::new(),
            found: Vec::new(),
            sent: Vec::new(),
            events: Vec::new(),
            recorded: Vec::new(),
            window: replay.window(),
            threshold: replay.threshold(),
            beside,
            known: history.known(),
            pruned_before: history.already_pruned(),
        };
        let (mut turn, mut seen) = (0, 0);
        for (number, request) in (0_u32..).zip(replay.requests()) {
            let until = (request.at as usize).min(history.messages().len());
            let new = history.messages().get(seen..until).unwrap_or_default();
            let is_person = |message: &&u32| {
                messages.get(**message as usize).is_some_and(|message| message.turn == Turn::Person)
            };
            turn += new.iter().filter(is_person).count() as u32;
            seen = until;
            let compaction = request.compaction.and_then(|at| replay.compactions().get(at as usize));
            let sent = request.tokens.saturating_add(beside);
            let found = compaction.map_or(sent, |compaction| {
                compaction.decision.tokens_before.saturating_add(beside).max(sent)
            });
            if let Some(compaction) = compaction {
                let retain = compaction.decision.retain;
                life.events.push(Event {
                    request: number,
                    kind: if retain.applied { EventKind::Summary } else { EventKind::Prune },
                    sizes: (found, sent),
                    outputs: compaction.pruned.len() as u32,
                    messages: compaction.summarized.len() as u32,
                });
            }
            let answer = history.messages().get(until).copied();
            life.answers.push(answer.unwrap_or(messages.len() as u32));
            life.turns.push(turn);
            life.found.push(narrow(found));
            life.sent.push(narrow(sent));
        }
        life.recorded = life.recorded_events(recorded);
        life
    }

    /// What left the context before each request, as the session's own agent recorded it.
    fn recorded_events(&self, recorded: &RecordedLife) -> Vec<Event> {
        let mut answers: Vec<(u32, u32)> = self.answers.iter().copied().zip(0_u32..).collect();
        answers.sort_unstable();
        let mut left: Vec<(usize, bool)> =
            recorded.departures.iter().map(|gone| (gone.at, gone.how == Left::Summarized)).collect();
        left.sort_unstable();
        let mut events = Vec::new();
        for of_message in left.chunk_by(|(one, _), (other, _)| one == other) {
            let Some((at, _)) = of_message.first() else { continue };
            let place = answers.partition_point(|(answer, _)| (*answer as usize) < *at);
            let Some((answer, request)) = answers.get(place).or(answers.last()).copied() else { continue };
            let sent = recorded.requests.iter().position(|sent| sent.message == answer);
            let size =
                |at: Option<usize>| at.and_then(|at| recorded.requests.get(at)).map_or(0, |sent| sent.tokens);
            let summarized = of_message.iter().filter(|(_, is_summarized)| *is_summarized).count();
            events.push(Event {
                request,
                kind: if summarized > 0 { EventKind::Summary } else { EventKind::Prune },
                sizes: (size(sent.and_then(|at| at.checked_sub(1))), size(sent)),
                outputs: (of_message.len() - summarized) as u32,
                messages: 0,
            });
        }
        events.sort_by_key(|event| event.request);
        events
    }

    /// How many requests there are.
    pub fn len(&self) -> usize {
        self.sent.len()
    }

    /// Whether there are no requests.
    pub fn is_empty(&self) -> bool {
        self.sent.is_empty()
    }

    /// The most telling request: the first that finds the context full, or else the first before which something is
    /// compacted.
    pub fn telling(&self) -> Option<u32> {
        let is_full = |event: &&Event| self.threshold.is_some_and(|threshold| event.sizes.0 > threshold);
        self.events.iter().find(is_full).or(self.events.first()).map(|event| event.request)
    }

    /// Whether the context is full at the most telling request.
    pub fn fills(&self) -> bool {
        self.events.iter().any(|event| self.threshold.is_some_and(|threshold| event.sizes.0 > threshold))
    }

    /// The largest context of all requests, in tokens.
    pub fn peak(&self) -> u64 {
        self.found.iter().max().copied().map_or(0, u64::from)
    }

    /// The event before `request`.
    pub fn event_at(&self, request: u32) -> Option<&Event> {
        let at = self.events.binary_search_by_key(&request, |event| event.request).ok()?;
        self.events.get(at)
    }

    /// The recorded event before `request`.
    pub fn recorded_at(&self, request: u32) -> Option<&Event> {
        self.recorded.iter().find(|event| event.request == request)
    }

    /// The request of the next or the previous event, simulated or recorded.
    pub fn next_event(&self, request: u32, forward: bool) -> Option<u32> {
        let all = self.events.iter().chain(&self.recorded).map(|event| event.request);
        if forward { all.filter(|at| *at > request).min() } else { all.filter(|at| *at < request).max() }
    }

    /// The first request of the next turn, or of this turn, or of the one before.
    pub fn next_turn(&self, request: u32, forward: bool) -> u32 {
        let last = self.len().saturating_sub(1) as u32;
        let turn = |at: u32| self.turns.get(at as usize).copied().unwrap_or(0);
        let starts = |at: &u32| *at == 0 || turn(*at) != turn(at.saturating_sub(1));
        if forward {
            (request.saturating_add(1)..=last).find(starts).unwrap_or(last)
        } else {
            (0..request.min(last + 1)).rev().find(starts).unwrap_or(0)
        }
    }

    /// The phase between compactions in which the policy finds the context of a request, from 1, and how many there are.
    pub fn phase(&self, request: u32) -> (u64, u64) {
        let before = self.events.partition_point(|event| event.request < request);
        (before as u64 + 1, self.events.len() as u64 + 1)
    }
}
