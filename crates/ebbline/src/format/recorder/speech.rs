//! Whose words a message of the user's role holds: a message that only an agent wrote begins no turn.

use super::Recorder;
use crate::injection::is_injected;
use crate::json::Text;
use crate::transcript::{Message, Turn};

/// What a message counts as that an agent wrote in the user's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Counts {
    /// As context, which begins no turn.
    #[default]
    AsContext,
    /// As a turn all the same, because the format's own agent counts every message of the user's role.
    AsTurn,
}

impl Counts {
    fn turn(self) -> Turn {
        match self {
            Self::AsContext => Turn::Context,
            Self::AsTurn => Turn::Synthetic,
        }
    }
}

/// Whose words the newest message holds so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Words {
    /// Nothing has been said that could change what the reader recorded.
    #[default]
    Settled,
    /// It is a person's, and says nothing yet.
    Nobodys,
    /// It is a person's, and says only what an agent wrote.
    Agents,
}

/// What is known of the newest message.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Speech {
    counts: Counts,
    words: Words,
}

impl Speech {
    pub(super) fn begin(&mut self, message: &Message) {
        self.words = if message.turn == Turn::Person { Words::Nobodys } else { Words::Settled };
    }
}

impl Recorder {
    /// Says what messages count as that an agent wrote in the user's name.
    pub(crate) fn set_injected(&mut self, counts: Counts) {
        self.speech.counts = counts;
    }

    /// Records whose words a text of the newest message are.
    pub(super) fn note_speech(&mut self, text: Text<'_>) {
        if self.speech.words == Words::Settled {
            return;
        }
        // Most texts begin with a letter, and are not decoded for this.
        let is_plain = |first: char| first.is_alphanumeric() && !first.is_ascii_uppercase();
        let is_injected =
            if text.raw().starts_with(is_plain) { Some(false) } else { is_injected(&text.decode()) };
        match is_injected {
            None => return,
            Some(false) => return self.note_own(),
            Some(true) => {}
        }
        let is_summary = self.transcript.messages().last().is_some_and(|message| message.summary);
        if self.speech.words == Words::Nobodys && !is_summary {
            self.speech.words = Words::Agents;
            self.transcript.set_newest_turn(self.speech.counts.turn());
        }
    }

    /// Records that the newest message holds something of the user's own: words, an image.
    pub(super) fn note_own(&mut self) {
        if self.speech.words == Words::Agents {
            self.transcript.set_newest_turn(Turn::Person);
        }
        self.speech.words = Words::Settled;
    }
}
