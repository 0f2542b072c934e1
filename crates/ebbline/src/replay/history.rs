//! The life of a session: its messages in the order in which they were sent, without what the agent's own
//! compactions did.

use std::borrow::Cow;

use super::restored::restored;
use crate::loss::{Lived, lived};
use crate::order::sort_indices;
use crate::session_text::SessionText;
use crate::transcript::{Output, Transcript};
use crate::words;

words! {
    /// How much of a session's life its file holds.
    pub enum Known [non_exhaustive] {
        /// Everything from the first message on.
        Whole "whole",
        /// Everything, though the agent compacted it: its compactions are undone.
        Restored "restored",
        /// Only what followed a compaction: the summary is where the history begins.
        Tail "tail",
    }
}

crate::form::worded!(Known);

/// The messages of a session's life, oldest first.
///
/// # Example
///
/// ```
/// use ebbline::replay::{History, Known};
/// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
/// let history = History::from(&session);
/// assert_eq!((history.messages(), history.known()), ([0].as_slice(), Known::Whole));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History<'l> {
    log: Cow<'l, Transcript>,
    messages: Vec<u32>,
    known: Known,
    pruned: u32,
}

/// The messages that are sent now. What recorded compactions replaced is not known.
impl<'l> From<&'l Transcript> for History<'l> {
    fn from(log: &'l Transcript) -> Self {
        let active = log.messages().iter().enumerate().filter(|(_, message)| message.active);
        Self::new(Cow::Borrowed(log), active.map(|(index, _)| index as u32).collect(), false)
    }
}

/// The messages in the order in which the file holds them. Those that a recorded compaction replaced are among them, and
/// the summary that replaced them is not. Outputs that the agent pruned are whole again where the file still has their
/// text. A summary that replaced nothing that the file holds stays: it is all that is known about the time before.
impl<'l> From<&'l SessionText<'_>> for History<'l> {
    fn from(session: &'l SessionText<'_>) -> Self {
        let lived = lived(session);
        let log = restored(session);
        if !lived.contains(&Lived::Sent { replaced: true }) {
            let active = log.messages().iter().enumerate().filter(|(_, message)| message.active);
            let active = active.map(|(index, _)| index as u32).collect();
            let is_whole_again = log.parts() != session.transcript().parts();
            return Self::new(log, active, is_whole_again);
        }
        let sent = lived.iter().enumerate().filter(|(_, lived)| matches!(lived, Lived::Sent { .. }));
        let mut messages: Vec<u32> = sent.map(|(index, _)| index as u32).collect();
        // What continues an answer stands with it, though the agent may have written results in between.
        let mut head = 0;
        let heads = log.messages().iter().enumerate().map(|(index, message)| {
            head = if message.continues { head } else { session.span(index).start };
            head
        });
        let heads: Vec<usize> = heads.collect();
        let key = |index: u32| (heads.get(index as usize).copied(), index);
        sort_indices(&mut messages, &|one, other| key(one).cmp(&key(other)));
        Self::new(log, messages, true)
    }
}

impl<'l> History<'l> {
    fn new(log: Cow<'l, Transcript>, messages: Vec<u32>, is_restored: bool) -> Self {
        let of = |index: &u32| log.messages().get(*index as usize);
        let has_summary = messages.iter().filter_map(of).any(|message| message.summary);
        let known = match (is_restored, has_summary) {
            (true, _) => Known::Restored,
            (false, true) => Known::Tail,
            (false, false) => Known::Whole,
        };
        let outputs = messages.iter().flat_map(|index| log.parts_of(*index as usize));
        let pruned = outputs.filter(|part| part.output == Output::Pruned).count() as u32;
        Self { log, messages, known, pruned }
    }

    /// The same life with a log of its own, for whoever keeps it longer than the session.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::History;
    /// let kept: History<'static> = {
    ///     let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    ///     History::from(&session).into_owned()
    /// };
    /// assert_eq!(kept.log().messages().len(), 1);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn into_owned(self) -> History<'static> {
        let Self { log, messages, known, pruned } = self;
        History { log: Cow::Owned(log.into_owned()), messages, known, pruned }
    }

    /// The transcript that holds the messages.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// let log = Transcript::default();
    /// assert!(std::ptr::eq(ebbline::replay::History::from(&log).log(), &log));
    /// ```
    #[must_use]
    pub fn log(&self) -> &Transcript {
        &self.log
    }

    /// The messages, as indices into the log.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::replay::History::from(&ebbline::Transcript::default()).messages().is_empty());
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
    /// assert_eq!(History::from(&ebbline::Transcript::default()).known(), Known::Whole);
    /// ```
    #[must_use]
    pub fn known(&self) -> Known {
        self.known
    }

    /// How many outputs were already pruned when the session was recorded, and are not in the file any more. Their size
    /// before is not known.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::replay::History::from(&ebbline::Transcript::default()).already_pruned(), 0);
    /// ```
    #[must_use]
    pub fn already_pruned(&self) -> u32 {
        self.pruned
    }
}
