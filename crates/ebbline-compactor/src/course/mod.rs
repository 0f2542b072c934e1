//! The course of a call: what a host does with messages, one action after the other.
//!
//! A course sees decisions and sizes, never a message. It answers with an [`Action`]; the host carries it out, whatever its
//! messages are, and says what came of it. The compactor of this crate is a host for texts, the npm package one for objects.

mod forced;
mod request;
mod summary;

use ebbline::controller::{Answer, Controller, Obstacle, Reports, Settings, Step, Trigger, filled};
use ebbline::plan::Decision;
use ebbline::{Error, PlanOptions};

use crate::compaction::Cause;
use crate::context_size::{excess, reclaimed_by, size_of};
use crate::error::{CompactorError, failure};
use crate::options::{Author, Fallback};
use crate::overflow::LearntWindow;

/// What a course sees of the messages that are sent.
pub trait Context {
    /// What is to be done.
    fn decide(&mut self, options: PlanOptions) -> Decision;

    /// The same by a plan that may be carried out: the next action is about it.
    ///
    /// # Errors
    ///
    /// If the messages cannot be read.
    fn plan(&mut self, options: PlanOptions) -> Result<Decision, Error>;

    /// The same as if nobody wrote summaries.
    ///
    /// # Errors
    ///
    /// If the messages cannot be read.
    fn plan_without_summary(&mut self, options: PlanOptions) -> Result<Decision, Error>;

    /// The estimate of the messages, and of the text among them.
    fn estimates(&mut self) -> (u64, u64);

    /// The context window.
    fn window(&self) -> Option<u64>;

    /// How many messages there were when others last took their place ([`PlanOptions::changed_at`]).
    fn changed_at(&self) -> Option<usize>;

    /// How many messages there are, and how many of them begin a turn.
    fn counts(&self) -> (usize, usize);
}

/// What the host does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Nothing: what is sent is decided.
    Send,
    /// Say how many tokens have the parts that no compaction makes smaller ([`Course::fixed`]).
    MeasureFixed,
    /// Make the passes that come before the boundary ([`Course::passed`]).
    Pass(Order),
    /// Carry the plan out without a summary.
    Prune(Order),
    /// Carry out the plan that there is if nobody writes summaries.
    PruneAlone(Order),
    /// Get a summary, and say what came of it ([`Course::accepted`], [`Course::failed`], [`Course::cancelled`]).
    Summarize(Order),
    /// Write a summary by rule, which must leave less than so many tokens; without one, [`Course::without_rule`].
    SummarizeByRule(Order, u64),
    /// Tell the caller why nothing makes the context fit.
    GiveUp(CompactorError),
}

/// What an action is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Order {
    /// What its plan is asked for with.
    pub options: PlanOptions,
    /// Why it is done.
    pub cause: Cause,
    /// Whether the caller need not be asked: it has allowed the compaction that failed.
    pub is_allowed: bool,
}

/// What came of passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// There was nothing to do.
    Nothing,
    /// The caller forbids them.
    Forbidden,
    /// They were made, and left a context of this size, if its messages do not say so.
    Made(Option<u64>),
}

/// What follows the action that a course waits for.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// What no compaction makes smaller was measured; `cautious` is the size to decide by.
    Fit { idle: Option<u64>, cautious: Option<u64> },
    /// Passes came before a decision about a full context.
    Full { idle: Option<u64>, cautious: Option<u64> },
    /// Passes came before a compaction that the caller's own trigger wants.
    Triggered { idle: Option<u64> },
    /// Passes came before a compaction after an overflow, or one that somebody asked for.
    Forced { cause: Cause, idle: Option<u64> },
    /// A summary by rule was to be written.
    Rule(WithoutSummary),
}

/// When something is decided.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// Before a request, so many milliseconds after the last one: the caller's own trigger is tested.
    Request { idle: Option<u64> },
    /// At any other time.
    Other,
}

/// What is done without a summary: the plan that only prunes, if it does, or else what the controller says.
#[derive(Clone, Copy, Debug)]
struct WithoutSummary {
    prune: Option<Order>,
    order: Order,
    step: Step,
    moment: Moment,
}

/// The compactor's decisions, and what they go by.
#[derive(Clone, Debug)]
pub struct Course {
    settings: Settings,
    author: Author,
    fallback: Fallback,
    trigger: Option<Trigger>,
    controller: Controller,
    /// What requests showed of what is sent beside the messages, and of the error of their estimate.
    reports: Reports,
    learnt: Option<LearntWindow>,
    call: CallFacts,
    recent: Recent,
    next: Option<Next>,
}

/// What the caller says of a call.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallFacts {
    /// The tokens of the context as it is now.
    pub known: Option<u64>,
    /// The tokens that the messages alone may have. What cannot be made so small is sent all the same.
    pub target: Option<u64>,
    /// Whether a model is there that writes summaries, where one is there only in some calls ([`Author::Later`]).
    pub has_model: bool,
}

/// What is known of the newest request and the newest compaction.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent: every combination occurs")]
struct Recent {
    /// The size of the context, if its messages do not say so: what the caller says, or what passes have left.
    size: Option<u64>,
    /// Whether the call that is running has made passes.
    has_passed: bool,
    /// Whether the messages report usage themselves.
    is_reported: bool,
    /// Whether a summary is written while the agent goes on.
    is_waiting: bool,
    /// The tokens that the newest compaction left.
    left: Option<u64>,
    /// Whether the context was known to fit before anything was done.
    fits: bool,
}

impl Course {
    /// The course of a compactor: when it compacts unasked, who writes summaries, and what was learnt before.
    #[must_use]
    pub fn new(
        (settings, controller): (Settings, Controller),
        (author, fallback): (Author, Fallback),
        trigger: Option<Trigger>,
        reports: Reports,
    ) -> Self {
        let (learnt, call, recent, next) = (None, CallFacts::default(), Recent::default(), None);
        Self { settings, author, fallback, trigger, controller, reports, learnt, call, recent, next }
    }

    /// What the controller remembers, as figures.
    #[must_use]
    pub fn state(&self) -> [f64; 10] {
        ebbline::binding::controller_figures(&self.controller)
    }

    /// The window that a refusal taught.
    #[must_use]
    pub fn learnt(&self) -> Option<LearntWindow> {
        self.learnt
    }

    /// What is known about the request that is sent next.
    pub fn options(&self, seen: &mut impl Context, force: bool, idle: Option<u64>) -> PlanOptions {
        let overhead = self.overhead(seen.window());
        let options =
            PlanOptions::new().force(force).overhead(overhead).idle(idle).changed_at(seen.changed_at());
        if let Some(size) = self.recent.size {
            return options.known_tokens(size.max(1));
        }
        let unseen = self.reports.unseen();
        if unseen == 0 {
            return options;
        }
        // The provider gets the whole view, and sees as much less of it again.
        let whole = seen.decide(options).tokens_before.saturating_add(overhead.unwrap_or(0));
        options.known_tokens(whole.saturating_sub(unseen).max(1))
    }

    /// The same for what is decided now: a context whose messages are larger than the caller's target counts as one that is full.
    fn aimed(&self, seen: &mut impl Context, force: bool, idle: Option<u64>) -> PlanOptions {
        let options = self.options(seen, force, idle);
        let Some(target) = self.call.target else { return options };
        let decision = seen.decide(options);
        let messages = size_of(&decision).saturating_sub(decision.trigger.overhead.unwrap_or(0));
        // As much is left for the messages as the target says, whatever is sent beside them.
        let beside = decision.trigger.threshold.saturating_sub(target);
        options.overhead(beside).known_tokens(messages.saturating_add(beside).max(1))
    }

    /// The milliseconds since the last request was prepared: what the caller says, or else what has passed until `now`.
    #[must_use]
    pub fn idle(&self, said: Option<u64>, now: Option<u64>) -> Option<u64> {
        let prepared_at = self.controller.state().prepared_at;
        said.or_else(|| now.filter(|_| prepared_at > 0).map(|now| now.saturating_sub(prepared_at)))
    }

    /// A record was taken over, and so many messages stand behind those that it knows. More than an answer and what followed it
    /// are of later requests, so the record does not say when the last one was.
    pub fn restores(&mut self, newer: usize) {
        if newer > 2 {
            self.controller.prepares(0);
        }
    }

    /// A call begins, whose history was taken.
    pub fn begins(&mut self, call: CallFacts) {
        self.recent.size = call.known.filter(|size| *size > 0).or(self.recent.size);
        self.call = call;
    }

    /// A request is prepared at a moment.
    pub fn prepares(&mut self, now: Option<u64>) {
        self.controller.prepares(now);
    }

    /// How full the context is.
    pub fn decide(&self, seen: &mut impl Context, idle: Option<u64>) -> Decision {
        let options = self.options(seen, false, idle);
        seen.decide(options)
    }

    /// The tokens that are sent beside the messages.
    #[must_use]
    pub fn overhead(&self, window: Option<u64>) -> Option<u64> {
        self.reports.overhead(window)
    }

    /// Whether the context exceeds the window, so that sending it would be in vain.
    pub fn is_over_window(&self, seen: &mut impl Context, idle: Option<u64>) -> bool {
        excess(&self.decide(seen, idle), 0).is_some()
    }

    /// The size of the context.
    pub fn size(&self, seen: &mut impl Context) -> u64 {
        size_of(&self.decide(seen, None))
    }

    /// The size of the context and the window that it exceeds, once all is done; nothing if it fits, as it may have done before.
    pub fn over_window(&self, seen: &mut impl Context) -> Option<(u64, u64)> {
        if self.recent.fits { None } else { excess(&self.decide(seen, None), 0) }
    }

    /// The history of a call was taken.
    pub fn took(&mut self, is_edited: bool, is_longer: bool) {
        if is_edited {
            self.reports.sees_all();
        }
        if is_edited || is_longer {
            self.recent.size = None;
        }
    }

    /// The provider reported the tokens of the last request, and those that it cleared of it; without tokens, they are not those of what
    /// was sent.
    pub fn usage(&mut self, tokens: Option<u64>, cleared: Option<u64>, window: Option<u64>) {
        match tokens {
            // Where the messages report usage, the engine has learnt from it already, and measures by it.
            Some(tokens) if !self.recent.is_reported || cleared.is_some() => {
                self.reports.learn(tokens, cleared, window);
            }
            _ => self.reports.sees_all(),
        }
        self.controller.answered();
    }

    /// The provider answered.
    pub fn answered(&mut self) {
        self.controller.answered();
    }

    /// Another model gets the next requests.
    pub fn switches(&mut self) {
        self.learnt = None;
        self.other_policy();
    }

    /// Other limits hold from now on.
    fn other_policy(&mut self) {
        self.recent.size = None;
        self.reports.sees_all();
    }

    /// The newest compaction was taken back, or one was made again; `can_redo`: there are more that could be.
    pub fn turned(&mut self, is_redo: bool, can_redo: bool) {
        self.other_policy();
        // As long as a compaction is taken back, nothing is decided unasked: it could not be made again.
        if !is_redo {
            self.controller.undone();
        } else if !can_redo {
            self.controller.redone();
        }
        // What is sent now is another context, so the next overflow is the first one.
        self.controller.answered();
    }

    /// A summary is written while the agent goes on, or no longer.
    pub fn waits(&mut self, is_waiting: bool) {
        self.recent.is_waiting = is_waiting;
    }

    /// The call has ended, so that its passes stay; or they were taken back.
    pub fn ends(&mut self, is_taken_back: bool) {
        self.recent.has_passed = false;
        if is_taken_back {
            self.recent.size = None;
        }
    }

    /// Whether something may be decided before a request: not if a summary is waited for, or a compaction was taken back.
    fn may_decide(&self) -> bool {
        self.settings.auto && !self.recent.is_waiting && !self.controller.state().held
    }

    /// The size to decide by where the context may not fit by the provider's count.
    fn cautious(&self, seen: &mut impl Context, decision: &Decision) -> Option<u64> {
        let (certain, window) = (seen.estimates().1, seen.window());
        let threshold = decision.trigger.threshold;
        self.reports.cautious(size_of(decision), reclaimed_by(decision), certain, window, threshold)
    }

    /// Takes down what is sent now.
    fn sends(&mut self, seen: &mut impl Context) {
        let (estimate, certain) = seen.estimates();
        self.reports.sends(estimate, certain);
    }

    /// What came of the summary that was asked for last.
    fn answer(&mut self, answer: Answer) -> Result<Step, Error> {
        let number = self.controller.state().asked;
        self.controller.answer(number, answer)
    }

    /// Why the controller gave up, with the figures of what would be sent now.
    fn gives_up(&mut self, seen: &mut impl Context) -> Action {
        let obstacle = self.controller.obstacle().unwrap_or(Obstacle::NothingToCompact);
        // Nothing was compacted, so the next overflow is the first one.
        if obstacle == Obstacle::NoSummary {
            self.controller.answered();
        }
        let decision = self.decide(seen, None);
        let window = decision.trigger.context.map_or_else(String::new, |window| window.to_string());
        let overhead = decision.trigger.overhead.unwrap_or(0).to_string();
        let tokens = size_of(&decision).to_string();
        let figures = [("window", window.as_str()), ("overhead", &overhead), ("tokens", &tokens)];
        Action::GiveUp(failure(obstacle.as_str(), filled(obstacle.sentence(), &figures)))
    }
}
