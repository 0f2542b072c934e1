//! The life of a session: its messages in the order in which they were sent, without what the agent's own
//! compactions did.

use crate::transcript::Transcript;
use crate::words;

words! {
    /// How much of a session's life its file holds.
    pub enum Known {
        /// Everything from the first message on.
        Whole "whole",
        /// Everything, though the agent compacted it: its compactions are undone.
        Restored "restored",
        /// Only what followed a compaction: the summary is where the history begins.
        Tail "tail",
    }
}

/// The messages of a session's life, oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    messages: Vec<u32>,
    known: Known,
    pruned: u32,
}

impl History {
    /// The life of a session that was read.
    ///
    /// Messages that a recorded compaction replaced are part of it, and the recorded summary is not. A summary that
    /// replaced nothing that the file holds stays: it is all that is known about the time before.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{History, Known};
    /// let session = ebbline::Session::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let history = History::of(session.transcript());
    /// assert_eq!((history.messages(), history.known()), ([0].as_slice(), Known::Whole));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn of(log: &Transcript) -> Self {
        let all = || log.messages().iter().enumerate();
        let restored = all().any(|(index, _)| log.was_replaced(index));
        let lived = all().filter(|(index, message)| {
            (message.active || log.was_replaced(*index)) && !(restored && message.summary)
        });
        let messages: Vec<u32> = lived.map(|(index, _)| index as u32).collect();
        let has_summary = messages
            .iter()
            .any(|index| log.messages().get(*index as usize).is_some_and(|message| message.summary));
        let known = match (restored, has_summary) {
            (true, _) => Known::Restored,
            (false, true) => Known::Tail,
            (false, false) => Known::Whole,
        };
        let outputs = messages.iter().flat_map(|index| log.parts_of(*index as usize));
        let pruned = outputs.filter(|part| part.output == crate::transcript::Output::Pruned).count();
        Self { messages, known, pruned: pruned as u32 }
    }

    /// The messages, as indices into the log.
    ///
    /// # Example
    ///
    /// ```
    /// let history = ebbline::replay::History::of(&ebbline::Transcript::default());
    /// assert!(history.messages().is_empty());
    /// ```
    #[must_use]
    pub fn messages(&self) -> &[u32] {
        &self.messages
    }

    /// How much of the session's life is known.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{History, Known};
    /// assert_eq!(History::of(&ebbline::Transcript::default()).known(), Known::Whole);
    /// ```
    #[must_use]
    pub fn known(&self) -> Known {
        self.known
    }

    /// How many outputs were already pruned when the session was recorded. Their size before is not known.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::replay::History::of(&ebbline::Transcript::default()).already_pruned(), 0);
    /// ```
    #[must_use]
    pub fn already_pruned(&self) -> u32 {
        self.pruned
    }
}
