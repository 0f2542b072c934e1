//! When an agent compacts: what its host does before a request, after an overflow, and with the answer to a request for a
//! summary.
//!
//! A [`Controller`] makes no decision about messages. It takes the [`Decision`] of a [`crate::Session`] and answers with a
//! [`Step`]; the host carries the step out and reports what came of it. The controller has no I/O, and its [`State`] can be
//! stored between any two calls.
//!
//! # Example
//!
//! ```
//! use ebbline::controller::{Answer, Controller, Step};
//! use ebbline::{Session, PlanOptions, profiles};
//!
//! let mut controller = Controller::new(Default::default());
//! let mut session = Session::new(&profiles::get("ebbline@2")?);
//! let decision = session.decide(PlanOptions::new());
//! assert_eq!(controller.before_request(&decision), Step::Send);
//! # Ok::<(), ebbline::Error>(())
//! ```

mod notice;
mod reports;
mod state;
mod trigger;

pub use notice::{Notice, OVER_WINDOW, filled};
pub use reports::Reports;
pub(crate) use state::FIGURES;
pub use state::{Cause, State, Waiting};
pub use trigger::{Facts, Trigger};

use crate::error::{Error, ErrorCode};
use crate::plan::{Decision, Verdict, VerdictReason};
use crate::words;

words! {
    /// What the host of an agent does next.
    pub enum Step {
        /// Send the context as it is.
        Send "send",
        /// Carry the plan out without a summary, then send.
        Prune "prune",
        /// Ask for a summary of what the plan summarizes, and report the answer.
        Summarize "summarize",
        /// Carry the plan out with the summary, then send.
        Commit "commit",
        /// Nothing makes the context fit; [`Controller::obstacle`] says why.
        GiveUp "give_up",
    }

    /// Why a context cannot be made to fit.
    pub enum Obstacle [non_exhaustive] {
        /// What is sent beside the messages is as large as the context window.
        OverheadFillsWindow "overhead_fills_window",
        /// The context was compacted after an overflow, and the provider refused it again.
        StillTooLarge "still_too_large",
        /// Nothing in the context may be pruned or summarized.
        NothingToCompact "nothing_to_compact",
        /// Only a summary would make the context fit, and there is none.
        NoSummary "no_summary",
    }

    /// What came of a request for a summary.
    pub enum Answer {
        /// There is a summary.
        Accepted "accepted",
        /// The model failed, or its answer must not replace history.
        Failed "failed",
        /// There was nobody to ask: as a failure, but it counts as none.
        Nobody "nobody",
        /// The caller cancelled it.
        Cancelled "cancelled",
    }
}

/// How a controller behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Whether the context is compacted before a request that does not ask for it. If not, the controller only compacts on
    /// demand ([`Controller::compact_now`]) and after an overflow.
    pub auto: bool,
    /// After how many failed summaries in a row no summary is asked for during `cooldown` requests.
    pub failures: u32,
    /// For how many requests no summary is asked for after that.
    pub cooldown: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { auto: true, failures: 3, cooldown: 10 }
    }
}

/// Says when an agent compacts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Controller {
    settings: Settings,
    state: State,
    obstacle: Option<Obstacle>,
}

impl Controller {
    /// A controller of an agent that has not sent anything yet.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::{Controller, Settings};
    ///
    /// assert_eq!(Controller::new(Settings::default()).state().requests, 0);
    /// ```
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, state: State::default(), obstacle: None }
    }

    /// Continues from a stored state. A summary that was asked for and has not been answered counts as cancelled, because
    /// its request is gone.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::{Controller, Settings};
    ///
    /// let stored = *Controller::new(Settings::default()).state();
    /// let controller = Controller::restore(Settings::default(), stored);
    /// assert_eq!(controller.state(), &stored);
    /// ```
    #[must_use]
    pub fn restore(settings: Settings, state: State) -> Self {
        let mut controller = Self { settings, state, obstacle: None };
        if let Some(waiting) = controller.state.waiting.take() {
            controller.cancelled(waiting);
        }
        controller
    }

    /// What the controller remembers.
    ///
    /// # Example
    ///
    /// ```
    /// # let controller = ebbline::controller::Controller::new(Default::default());
    /// assert!(controller.state().waiting.is_none());
    /// ```
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Why the last step was [`Step::GiveUp`].
    ///
    /// # Example
    ///
    /// ```
    /// # let controller = ebbline::controller::Controller::new(Default::default());
    /// assert!(controller.obstacle().is_none());
    /// ```
    #[must_use]
    pub fn obstacle(&self) -> Option<Obstacle> {
        self.obstacle
    }

    /// Before a request, with the decision about the context that would be sent.
    ///
    /// A context that is full and cannot be made smaller is sent all the same: its size is an estimate, and the provider has
    /// the last word.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::Step;
    /// # let mut session = ebbline::Session::new(&ebbline::profiles::get("ebbline@2")?);
    /// # let mut controller = ebbline::controller::Controller::new(Default::default());
    ///
    /// assert_eq!(controller.before_request(&session.decide(Default::default())), Step::Send);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn before_request(&mut self, decision: &Decision) -> Step {
        self.state.requests += 1;
        if is_hopeless(decision) {
            return self.give_up(Obstacle::OverheadFillsWindow);
        }
        if !self.settings.auto || self.state.held || self.state.waiting.is_some() {
            return Step::Send;
        }
        let is_closed = self.state.requests <= self.state.closed_until;
        match decision.verdict {
            Verdict::Summarize | Verdict::PruneThenSummarize if is_closed => Self::without_summary(decision),
            _ => self.carry_out(decision, Cause::Full).unwrap_or(Step::Send),
        }
    }

    /// When the user or the agent asks for a compaction, with a forced decision. It asks for a summary even during a cooldown.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::PlanOptions;
    /// use ebbline::controller::Step;
    /// # let mut session = ebbline::Session::new(&ebbline::profiles::get("ebbline@2")?);
    /// # let mut controller = ebbline::controller::Controller::new(Default::default());
    ///
    /// let forced = session.decide(PlanOptions::new().force(true));
    /// assert_eq!(controller.compact_now(&forced), Step::Send);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn compact_now(&mut self, decision: &Decision) -> Step {
        self.state.held = false;
        self.carry_out(decision, Cause::Asked).unwrap_or(Step::Send)
    }

    /// After the provider refused a request because the context was too large, with a forced decision. A second overflow
    /// before an answer is given up.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::PlanOptions;
    /// use ebbline::controller::{Obstacle, Step};
    /// # let mut session = ebbline::Session::new(&ebbline::profiles::get("ebbline@2")?);
    /// # let mut controller = ebbline::controller::Controller::new(Default::default());
    ///
    /// let forced = session.decide(PlanOptions::new().force(true));
    /// assert_eq!(controller.after_overflow(&forced), Step::GiveUp);
    /// assert_eq!(controller.obstacle(), Some(Obstacle::NothingToCompact));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn after_overflow(&mut self, decision: &Decision) -> Step {
        if self.state.recovering {
            return self.give_up(Obstacle::StillTooLarge);
        }
        self.state.held = false;
        match self.carry_out(decision, Cause::Overflow) {
            Some(step) => {
                self.state.recovering = true;
                step
            }
            None if is_hopeless(decision) => self.give_up(Obstacle::OverheadFillsWindow),
            None => self.give_up(Obstacle::NothingToCompact),
        }
    }

    /// What came of the request for a summary that has the number `summary` ([`State::asked`]).
    ///
    /// # Errors
    ///
    /// `mismatch` if the controller does not wait for this summary.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::Answer;
    /// # let mut controller = ebbline::controller::Controller::new(Default::default());
    ///
    /// let error = controller.answer(1, Answer::Accepted).unwrap_err();
    /// assert_eq!(error.to_string(), "summary 1 is not waited for");
    /// ```
    pub fn answer(&mut self, summary: u64, answer: Answer) -> Result<Step, Error> {
        let waiting =
            self.state.waiting.filter(|waiting| waiting.summary == summary).ok_or_else(|| {
                Error::new(ErrorCode::Mismatch, format!("summary {summary} is not waited for"))
            })?;
        self.state.waiting = None;
        match answer {
            Answer::Accepted => return Ok(Step::Commit),
            Answer::Failed => self.failed(),
            Answer::Nobody => {}
            Answer::Cancelled => {
                self.cancelled(waiting);
                return Ok(Step::Send);
            }
        }
        Ok(match waiting {
            Waiting { prunes: true, .. } => Step::Prune,
            Waiting { cause: Cause::Overflow, .. } => self.give_up(Obstacle::NoSummary),
            Waiting { .. } => Step::Send,
        })
    }

    /// After a plan was carried out with a summary: the size of the context before and after, in tokens. A summary that
    /// did not make the context smaller counts as a failed one.
    ///
    /// # Example
    ///
    /// ```
    /// # let mut controller = ebbline::controller::Controller::new(Default::default());
    /// controller.committed(5_000, 5_000);
    /// assert_eq!(controller.state().failures, 1);
    /// ```
    pub fn committed(&mut self, tokens_before: u64, tokens_after: u64) {
        if tokens_after < tokens_before {
            self.state.failures = 0;
        } else {
            self.failed();
        }
    }

    /// A request is prepared, `now` milliseconds after the beginning of 1970.
    ///
    /// # Example
    ///
    /// ```
    /// # let mut controller = ebbline::controller::Controller::new(Default::default());
    /// controller.prepares(Some(1_767_225_600_000));
    /// assert_eq!(controller.state().prepared_at, 1_767_225_600_000);
    /// ```
    pub fn prepares(&mut self, now: impl Into<Option<u64>>) {
        self.state.prepared_at = now.into().unwrap_or(self.state.prepared_at);
    }

    /// After the provider answered a request.
    ///
    /// # Example
    ///
    /// ```
    /// # let mut controller = ebbline::controller::Controller::new(Default::default());
    /// controller.answered();
    /// assert!(!controller.state().recovering);
    /// ```
    pub fn answered(&mut self) {
        self.state.recovering = false;
    }

    /// After the user took a compaction back: the context is not compacted again until somebody asks, or until it overflows.
    ///
    /// # Example
    ///
    /// ```
    /// # let mut controller = ebbline::controller::Controller::new(Default::default());
    /// controller.undone();
    /// assert!(controller.state().held);
    /// ```
    pub fn undone(&mut self) {
        self.state.held = true;
    }

    /// After the user made a compaction again that was taken back.
    ///
    /// # Example
    ///
    /// ```
    /// # let mut controller = ebbline::controller::Controller::new(Default::default());
    /// controller.undone();
    /// controller.redone();
    /// assert!(!controller.state().held);
    /// ```
    pub fn redone(&mut self) {
        self.state.held = false;
    }

    /// How a decision is carried out; `None` if it changes nothing.
    fn carry_out(&mut self, decision: &Decision, cause: Cause) -> Option<Step> {
        if !decision.retain.applied {
            return decision.prune.applied.then_some(Step::Prune);
        }
        self.state.asked += 1;
        let waiting = Waiting { summary: self.state.asked, prunes: decision.prune.applied, cause };
        self.state.waiting = Some(waiting);
        Some(Step::Summarize)
    }

    fn without_summary(decision: &Decision) -> Step {
        if decision.prune.applied { Step::Prune } else { Step::Send }
    }

    /// The compaction was not made, so the next overflow is the first one.
    fn cancelled(&mut self, waiting: Waiting) {
        self.state.recovering &= waiting.cause != Cause::Overflow;
    }

    fn failed(&mut self) {
        self.state.failures = self.state.failures.saturating_add(1);
        if self.state.failures >= self.settings.failures {
            self.state.closed_until = self.state.requests.saturating_add(self.settings.cooldown.into());
        }
    }

    fn give_up(&mut self, obstacle: Obstacle) -> Step {
        self.obstacle = Some(obstacle);
        Step::GiveUp
    }
}

/// Whether nothing that is done with the messages makes a request fit. Under a policy that never summarizes, only pruning
/// says so.
fn is_hopeless(decision: &Decision) -> bool {
    [decision.reason, decision.prune.reason].contains(&VerdictReason::OverheadFillsWindow)
}

#[cfg(test)]
mod tests;
