//! What Codex would send now: like Codex, this replays a rollout from its beginning.

use crate::format::openai_responses::item::{Item, Kind};
use crate::format::openai_responses::speech::BRIDGE_BEGINS;
use crate::format::recorder::Recorder;
use crate::transcript::{Message, Role, Turn};

/// How many tokens of the user's messages stay if a compaction records only its summary (codex-rs,
/// `COMPACT_USER_MESSAGE_MAX_TOKENS`); a token is four bytes of UTF-8.
const WORDS_KEPT: u64 = 20_000;

/// The role of a message when turns are rolled back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It begins a turn.
    Turn,
    /// It begins a turn, but Codex takes it for a summary, because it begins like one.
    Bridge,
    /// Codex inserted it before a turn: instructions, the environment.
    Update,
    /// Anything else.
    Within,
}

impl Place {
    pub(super) fn of(item: Item<'_>, message: Message) -> Self {
        match item.kind {
            Kind::AgentMessage => Self::Turn,
            Kind::Message if message.role == Role::System => Self::Update,
            Kind::Message if message.role == Role::User => {
                let is_bridge = || item.texts().next().is_some_and(|text| text.starts_with(BRIDGE_BEGINS));
                match message.turn {
                    _ if message.summary => Self::Turn,
                    Turn::Person if is_bridge() => Self::Bridge,
                    Turn::Person => Self::Turn,
                    _ => Self::Update,
                }
            }
            _ => Self::Within,
        }
    }
}

/// The messages that are sent, by their index in the transcript.
#[derive(Debug)]
pub(super) struct Context {
    first: usize,
    sent: Vec<(usize, Place)>,
}

impl Context {
    /// A context that contains only what precedes message `first`.
    pub(super) fn beginning_at(first: usize) -> Self {
        Self { first, sent: Vec::new() }
    }

    /// Adds the newest message.
    pub(super) fn add(&mut self, place: Place, recorder: &Recorder) {
        self.add_at(recorder.transcript.messages().len().saturating_sub(1), place);
    }

    pub(super) fn add_at(&mut self, index: usize, place: Place) {
        self.sent.push((index, place));
    }

    /// Nothing sent before is sent any more, and its reported usage no longer counts.
    pub(super) fn replace(&mut self, recorder: &mut Recorder) {
        self.sent.clear();
        for index in 0..recorder.transcript.messages().len() {
            recorder.transcript.forget_usage(index);
        }
    }

    /// Only the newest messages of the user are sent from now on. Codex cuts the oldest of them to what fits; here it
    /// stays whole.
    pub(super) fn keep_words(&mut self, recorder: &mut Recorder) {
        let sent = std::mem::take(&mut self.sent);
        self.replace(recorder);
        let transcript = &recorder.transcript;
        let is_words = |(index, place): &&(usize, Place)| {
            let is_person =
                transcript.messages().get(*index).is_some_and(|message| message.turn == Turn::Person);
            is_person && *place != Place::Bridge
        };
        let mut left = WORDS_KEPT;
        for (index, place) in sent.iter().rev().filter(is_words) {
            if left == 0 {
                break;
            }
            let bytes: u64 =
                transcript.parts_of(*index).iter().map(|part| u64::from(part.length.bytes)).sum();
            left = left.saturating_sub(bytes.div_ceil(4));
            self.sent.push((*index, *place));
        }
        self.sent.reverse();
    }

    /// Rolls back the newest turns, with what Codex inserted before them. What precedes the first turn stays.
    pub(super) fn take_back(&mut self, turns: usize, recorder: &mut Recorder) {
        let begin: Vec<usize> = (0..self.sent.len())
            .filter(|position| matches!(self.place(*position), Some(Place::Turn | Place::Bridge)))
            .collect();
        let Some(first) = begin.first().copied().filter(|_| turns > 0) else { return };
        let mut cut = begin.len().checked_sub(turns).and_then(|at| begin.get(at)).copied().unwrap_or(first);
        while cut > first && self.place(cut - 1) == Some(Place::Update) {
            cut -= 1;
        }
        for (index, _) in self.sent.drain(cut..) {
            recorder.set_beside(index);
        }
    }

    fn place(&self, position: usize) -> Option<Place> {
        self.sent.get(position).map(|(_, place)| *place)
    }

    /// Marks each message as sent or not.
    pub(super) fn settle(&self, recorder: &mut Recorder) {
        for index in self.first..recorder.transcript.messages().len() {
            recorder.transcript.set_active(index, false);
        }
        for (index, _) in &self.sent {
            recorder.transcript.set_active(*index, true);
        }
    }
}
