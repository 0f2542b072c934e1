//! Replay: a policy applied over the whole life of a recorded session, request by request.
//!
//! A replay walks through the messages in the order in which they were sent. Before each answer of the model it
//! decides, exactly as an agent does that calls [`Session::decide`](crate::Session::decide), and carries the decision
//! out on its own view of the session. The log itself never changes. What the model would have answered to another
//! context is not known: the recorded answers stand, whatever the view holds.

mod departures;
mod history;
mod limit;
mod moment;
mod options;
mod recorded;
mod request;
mod restored;
mod view;

use std::num::NonZeroU64;

use crate::plan::Position;
use crate::policy::Policy;
use crate::profiles::{self, Decides};
use crate::transcript::Role;

pub use history::{History, Known};
pub(crate) use limit::{threshold_of, window_of};
pub use moment::{Moment, Source};
pub use options::{Moments, ReplayOptions, UsageFrom};
pub use recorded::{Recorded, recorded};
pub use request::{Compaction, Request};

use view::View;

/// A policy applied over the life of a session.
///
/// # Example
///
/// ```
/// use ebbline::length::Length;
/// use ebbline::replay::{Replay, ReplayOptions};
/// use ebbline::transcript::{Message, Part, PartKind, Role};
/// use ebbline::Transcript;
/// let mut log = Transcript::default();
/// for call in 0..40 {
///     log.begin(if call % 10 == 0 { Message::person() } else { Message::new(Role::Tool) });
///     let kind = if call % 10 == 0 { PartKind::Text } else { PartKind::ToolResult };
///     let part = |kind, size, call| {
///         let mut part = Part::new(kind, Length::ascii(size));
///         part.call = Some(call);
///         part
///     };
///     log.push(part(kind, 40_000, call));
///     log.begin(Message::new(Role::Assistant));
///     log.push(part(PartKind::ToolCall, 200, call + 1));
/// }
/// let mut policy = ebbline::profiles::get("opencode@2026-01")?;
/// policy.set("model.context", "200000")?;
/// let replay = Replay::new(&log, &policy, &ReplayOptions::new());
/// assert_eq!(replay.requests().len(), 41);
/// assert!(replay.requests().iter().all(|request| request.tokens < 200_000));
/// assert!(!replay.compactions().is_empty());
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay<'l> {
    history: History<'l>,
    policy: Policy,
    options: ReplayOptions,
    requests: Vec<Request>,
    compactions: Vec<Compaction>,
}

impl<'l> Replay<'l> {
    /// Replays a life under `policy`: that of a session, or of a transcript.
    ///
    /// The cost is linear in the messages, plus one view for each compaction.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// assert_eq!(replay.requests().len(), 1);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn new(life: impl Into<History<'l>>, policy: &Policy, options: &ReplayOptions) -> Self {
        Self::with_moments(life, policy, options, &[])
    }

    /// The same, with what is known of when each message of the log was written, in milliseconds since 1970: by the time
    /// between two answers, the policy knows whether the provider's cache is cold (`prune.coldAfter`, or how long that lives
    /// by [`ReplayOptions::cache_lives`]).
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let mut policy = ebbline::profiles::get("ebbline@2")?;
    /// policy.set("prune.coldAfter", "300000")?;
    /// let options = ReplayOptions::new().cache_lives(300_000);
    /// let replay = Replay::with_moments(&session, &policy, &options, &session.moments());
    /// assert_eq!(replay.requests().len(), 1);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn with_moments(
        life: impl Into<History<'l>>,
        policy: &Policy,
        options: &ReplayOptions,
        moments: &[Option<u64>],
    ) -> Self {
        let history = life.into();
        let moment = |message: usize| moments.get(message).copied().flatten();
        let mut answered: Option<u64> = None;
        let log = history.log();
        let mut knowing = policy.clone();
        let lives = options.cache_lives.and_then(NonZeroU64::new);
        knowing.model.cache_lives = policy.model.cache_lives.or(lives);
        let mut view = View::new(log, &knowing, *options);
        let mut requests = Vec::new();
        let mut compactions = Vec::new();
        let decides = decides(policy, options);
        // Whether the model has answered since the newest message of the user.
        let mut has_run = false;
        for (at, message) in history.messages().iter().enumerate() {
            let message = *message as usize;
            let Some(found) = log.messages().get(message) else { continue };
            if found.role == Role::Assistant && !found.continues && !found.summary {
                let steps = decides.of_request(has_run);
                let now = moment(message);
                let idle = now.zip(answered).map(|(now, before)| now.saturating_sub(before));
                requests.push(view.request((steps, idle), at, requests.len(), &mut compactions));
                (has_run, answered) = (true, now);
            } else if found.begins_turn() && has_run {
                let steps = decides.before(found.turn);
                if steps.any() {
                    view.decide((steps, None), at, requests.len(), &mut compactions);
                }
                has_run = false;
            }
            let written = view.push(message);
            if let Some(request) = requests.last_mut() {
                request.output += written;
            }
        }
        let end = history.messages().len();
        let last = history.messages().last().and_then(|last| log.messages().get(*last as usize));
        let has_ended = has_run && last.is_some_and(|last| last.ended);
        let steps = if has_ended && decides.after_runs.any() {
            decides.after_runs
        } else {
            decides.of_request(has_run)
        };
        requests.push(view.request((steps, None), end, requests.len(), &mut compactions));
        Self { history, policy: policy.clone(), options: *options, requests, compactions }
    }

    /// The messages in the order in which they were sent.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Known, Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// assert_eq!(replay.history().known(), Known::Whole);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn history(&self) -> &History<'l> {
        &self.history
    }

    /// The policy that was replayed.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// assert_eq!(replay.policy().profile, "ebbline@1");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The model's context window, in tokens; `None` if the policy does not know it.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let mut policy = ebbline::profiles::get("ebbline@1")?;
    /// policy.set("model.context", "64000")?;
    /// assert_eq!(Replay::new(&session, &policy, &ReplayOptions::new()).window(), Some(64_000));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn window(&self) -> Option<u64> {
        window_of(&self.policy)
    }

    /// The size from which the policy considers the context full, in tokens: a request that [`Request::fits`] stays
    /// below it. `None` if the window is not known.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let mut policy = ebbline::profiles::get("pi@1.5")?;
    /// policy.set("model.context", "64000")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// assert!(replay.threshold() < replay.window());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn threshold(&self) -> Option<u64> {
        threshold_of(&self.policy)
    }

    /// What it was replayed with.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new().overhead(8_000));
    /// assert_eq!(replay.options().overhead, 8_000);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn options(&self) -> &ReplayOptions {
        &self.options
    }

    /// Every request, oldest first. The last one is the next request of the session.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let text = r#"[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]"#;
    /// let session = ebbline::SessionText::read(text)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// let sizes: Vec<_> = replay.requests().iter().map(|request| (request.tokens, request.unchanged)).collect();
    /// assert_eq!(sizes, [(2, 0), (4, 2)]);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// Every compaction, oldest first.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// assert!(Replay::new(&session, &policy, &ReplayOptions::new()).compactions().is_empty());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn compactions(&self) -> &[Compaction] {
        &self.compactions
    }

    /// The message and the place in it of every part of the log. A compaction that the agent recorded may have moved
    /// messages, while their parts stay where they were read.
    pub(crate) fn places(&self) -> Vec<Position> {
        let log = self.history.log();
        let mut places = vec![Position { message: 0, part: 0 }; log.parts().len()];
        for message in 0..log.messages().len() {
            let slots = places.get_mut(log.part_range(message)).into_iter().flatten();
            for (part, slot) in slots.enumerate() {
                *slot = Position { message, part };
            }
        }
        places
    }

    /// The context on which the policy decides before request number `request`; `None` if there is no such request.
    /// What the request sends is this context after the compaction, if there is one.
    ///
    /// The cost is one view: it begins at the newest summary before the request.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let text = r#"[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]"#;
    /// let session = ebbline::SessionText::read(text)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// assert_eq!(replay.moment(0).unwrap().transcript().messages().len(), 1);
    /// assert!(replay.moment(2).is_none());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn moment(&self, request: usize) -> Option<Moment> {
        self.context(request, |compaction| (compaction.request as usize) < request)
    }

    /// What request number `request` sends: the context after its compaction, if there is one. `None` if there is no such request.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// assert_eq!(replay.sent(0).unwrap().parts(), [0]);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn sent(&self, request: usize) -> Option<Moment> {
        self.context(request, |compaction| compaction.request as usize <= request)
    }

    /// The context before a request, with the compactions that are done.
    fn context(&self, request: usize, is_done: impl Fn(&Compaction) -> bool) -> Option<Moment> {
        let end = self.requests.get(request)?.at as usize;
        let done = self.compactions.partition_point(is_done);
        let done = self.compactions.get(..done).unwrap_or_default();
        let summary = done.iter().rev().find(|compaction| !compaction.sources.is_empty());
        let sources = summary.map_or(&[][..], |compaction| compaction.sources.as_slice());
        let mut view = View::new(self.history.log(), &self.policy, self.options).after(sources, done);
        let since = summary.map_or(0, |compaction| compaction.at as usize);
        let mut next = self.requests.partition_point(|request| (request.at as usize) <= since);
        let mut sent =
            next.checked_sub(1).and_then(|at| self.requests.get(at)).map_or(0, |request| request.tokens);
        let newest = done.last();
        for (at, message) in (since..end).zip(self.history.messages().get(since..end).unwrap_or_default()) {
            if let Some(newest) = newest.filter(|newest| newest.at as usize == at) {
                view.recall(newest);
            }
            if let Some(request) = self.requests.get(next).filter(|request| request.at as usize == at) {
                sent = request.tokens;
                next += 1;
            }
            view.push_answer(*message as usize, sent);
        }
        Some(view.into_moment())
    }
}

fn decides(policy: &Policy, options: &ReplayOptions) -> Decides {
    let system = profiles::find(&policy.profile).filter(|_| options.moments == Moments::System);
    system.map_or(Decides::BEFORE_REQUESTS, |profile| profile.decides)
}
