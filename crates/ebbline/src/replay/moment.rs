//! The context before one request of a replay.

use crate::transcript::Transcript;

/// Where a message of a view comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// From the log: the index of the message.
    Log(u32),
    /// From a summary that the replay made: the index of its compaction.
    Summary(u32),
}

/// The context on which the policy decides before one request of a replay: a transcript of its own, on which every
/// policy can decide.
///
/// A policy that is applied to it once shows what that policy would do to the history that the replayed policy wrote.
///
/// # Example
///
/// ```
/// use ebbline::replay::{Replay, ReplayOptions, Source};
/// use ebbline::PlanOptions;
/// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
/// let policy = ebbline::profiles::get("ebbline@1")?;
/// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
/// let moment = replay.moment(0).unwrap();
/// assert_eq!(moment.sources(), [Source::Log(0)]);
/// let other = ebbline::profiles::get("pi@1.5")?;
/// assert_eq!(ebbline::plan(moment.transcript(), &other, PlanOptions::new()).decision.tokens_before, 2);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Moment {
    pub(super) transcript: Transcript,
    pub(super) sources: Vec<Source>,
    pub(super) parts: Vec<u32>,
    pub(super) overhead: Option<u64>,
}

impl Moment {
    /// The messages; outputs pruned before are as long as their placeholder.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// let moment = replay.moment(0).unwrap();
    /// assert_eq!(moment.transcript().messages().len(), 1);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Where each message comes from.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// let moment = replay.moment(0).unwrap();
    /// assert_eq!(moment.sources(), [ebbline::replay::Source::Log(0)]);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// For each part, which part of the log it is; `u32::MAX` for that of a summary.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// let moment = replay.moment(0).unwrap();
    /// assert_eq!(moment.parts(), [0]);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn parts(&self) -> &[u32] {
        &self.parts
    }

    /// What the replay has learnt from earlier requests about the tokens sent beside the messages, where that is more than
    /// the transcript says: [`PlanOptions::overhead`](crate::PlanOptions::overhead) of a plan that decides as the replay does.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// assert_eq!(replay.moment(0).unwrap().overhead(), None);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn overhead(&self) -> Option<u64> {
        self.overhead
    }
}
