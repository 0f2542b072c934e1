//! The work of a compactor: what the controller says is carried out on the view.

use std::rc::Rc;

use ebbline::controller::{Answer as Came, Controller, Obstacle, Step};
use ebbline::plan::{Decision, Source};
use ebbline::summary::{self, Answer, Shortcoming, SummaryContext};
use ebbline::{EditOptions, Error, ErrorCode, Plan, PlanOptions, Session};

use super::settings::{Author, Fallback, Settings};
use super::view::View;
use super::{event, failed, write_error};
use crate::bindings::api::Failure;
use crate::changes::{joined, outcomes};
use crate::failure::failure;
use crate::live::Live;
use crate::requests;

/// Why something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    Full,
    Overflow,
    Asked,
}

impl Cause {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Overflow => "overflow",
            Self::Asked => "asked",
        }
    }
}

/// A plan that is being carried out.
#[derive(Debug)]
struct Task {
    session: Session<'static>,
    plan: Plan,
    cause: Cause,
    now: Option<u64>,
}

/// A summary that a model was asked for.
#[derive(Debug)]
struct Pending {
    task: Task,
    context: SummaryContext,
    /// The request as JSON.
    request: String,
    is_second: bool,
}

/// What is sent beside the messages, learnt from reported usage. The request with the fewest messages says it best: what
/// others say also holds the error of the messages' estimate.
#[derive(Debug)]
struct Overhead {
    tokens: Option<u64>,
    least: Option<(u64, u64)>,
}

impl Overhead {
    fn learn(&mut self, reported: u64, sent: u64) {
        let tokens = reported.saturating_sub(sent);
        if self.least.is_none_or(|(least, _)| sent <= least) {
            self.least = Some((sent, tokens));
        }
        self.tokens = Some(tokens.max(self.least.map_or(0, |(_, tokens)| tokens)));
    }
}

/// A compactor.
#[derive(Debug)]
pub(crate) struct Work {
    live: Live,
    view: View,
    controller: Controller,
    overhead: Overhead,
    author: Author,
    fallback: Fallback,
    accept: summary::Acceptance,
    summaries: summary::SummaryOptions,
    is_auto: bool,
    pending: Option<Pending>,
    /// The estimate of what was sent last, and whether the messages report usage themselves.
    sent: u64,
    is_reported: bool,
    told: Vec<String>,
}

impl Work {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            live: Live::new(settings.policy, settings.reading),
            view: View::default(),
            controller: Controller::new(settings.controller),
            overhead: Overhead { tokens: settings.overhead, least: None },
            author: settings.author,
            fallback: settings.fallback,
            accept: settings.accept,
            summaries: settings.summaries,
            is_auto: settings.controller.auto,
            pending: None,
            sent: 0,
            is_reported: false,
            told: Vec::new(),
        }
    }

    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    pub(crate) fn told(&mut self) -> Vec<String> {
        std::mem::take(&mut self.told)
    }

    pub(crate) fn answered(&mut self) {
        self.controller.answered();
    }

    /// Takes the history: its first `keep` known messages, and new ones. Returns whether something in it is new.
    pub(crate) fn take(&mut self, keep: usize, added: &[Rc<str>]) -> Result<bool, Failure> {
        self.cancel();
        let known = self.view.log();
        if keep > known {
            let message = format!("the first {keep} messages are said to be known, and {known} are");
            return Err(failure("mismatch", message));
        }
        let is_edited = keep < known;
        if is_edited {
            self.view.cut(keep);
            self.live.replace(self.view.texts())?;
        }
        self.live.push(added.to_vec())?;
        self.view.add(added);
        Ok(is_edited || !added.is_empty())
    }

    pub(crate) fn decide(&mut self, idle: Option<u64>) -> Decision {
        let options = self.asked(false, idle);
        self.live.decide(options)
    }

    /// Before a request.
    pub(crate) fn prepare(&mut self, idle: Option<u64>, now: Option<u64>) -> Result<Option<String>, Failure> {
        let quick = self.decide(idle);
        self.sent = quick.tokens_before;
        self.is_reported = quick.trigger.source == Source::Reported;
        if !self.may_decide() || !is_pressing(&quick) {
            return self.send_or_give_up(&quick);
        }
        let options = self.asked(false, idle);
        let (session, plan) = self.live.planned(options)?;
        let task = Task { session, plan, cause: Cause::Full, now };
        let step = self.controller.before_request(&task.plan.decision);
        // Nobody is asked for a summary now, although the context does not fit without one.
        let is_pressed = matches!(step, Step::Send | Step::Prune) && task.plan.decision.retain.applied;
        if is_pressed && self.author != Author::Nobody && self.is_by_rule(&task) && self.by_rule(&task)? {
            return Ok(None);
        }
        self.carry_out(step, task, None)
    }

    /// After an overflow, or when somebody asks.
    pub(crate) fn forced(
        &mut self,
        cause: Cause,
        focus: Option<String>,
        now: Option<u64>,
    ) -> Result<Option<String>, Failure> {
        if self.view.log() == 0 {
            return Err(failure("no_messages", "there are no messages to compact"));
        }
        let options = self.asked(true, None);
        let (session, plan) = self.live.planned(options)?;
        let step = match cause {
            Cause::Overflow => self.controller.after_overflow(&plan.decision),
            Cause::Asked | Cause::Full => self.controller.compact_now(&plan.decision),
        };
        self.carry_out(step, Task { session, plan, cause, now }, focus)
    }

    /// The model's answer.
    pub(crate) fn answer(&mut self, text: &str, truncated: bool) -> Result<Option<String>, Failure> {
        let Some(pending) = self.pending.take() else { return Err(not_waited_for()) };
        let (error, reminder) = match self.judged(&pending, text, truncated) {
            Ok(summary) => {
                self.answer_controller(Came::Accepted)?;
                self.apply(&pending.task, Some(summary), false)?;
                return Ok(None);
            }
            Err(refused) => refused,
        };
        match reminder {
            Some(reminder) if !pending.is_second => {
                let request = requests::reminded(&pending.request, text, &reminder);
                self.pending = Some(Pending { is_second: true, ..pending });
                Ok(Some(request))
            }
            _ => self.fail(&pending.task, &error),
        }
    }

    /// The model failed.
    pub(crate) fn give_up(&mut self, why: &str) -> Result<Option<String>, Failure> {
        let Some(pending) = self.pending.take() else { return Err(not_waited_for()) };
        self.fail(&pending.task, &failure("summary_failed", why))
    }

    /// The caller cancelled the request for a summary, if there is one.
    pub(crate) fn cancel(&mut self) {
        if self.pending.take().is_some() {
            // It is waited for, so there is no other answer than a step that needs nothing.
            let _ = self.answer_controller(Came::Cancelled);
        }
    }

    /// Learns from the tokens that were reported for the last request.
    pub(crate) fn usage(&mut self, tokens: u64) {
        // Where the messages report usage, the engine has learnt from it already.
        if !self.is_reported {
            self.overhead.learn(tokens, self.sent);
        }
        self.controller.answered();
    }

    /// Takes the newest compaction back, or makes it again.
    pub(crate) fn turn(&mut self, is_redo: bool) -> Result<bool, Error> {
        self.cancel();
        if !(if is_redo { self.view.redo() } else { self.view.undo() }) {
            return Ok(false);
        }
        self.live.replace(self.view.texts())?;
        // As long as a compaction is taken back, nothing is decided unasked: it could not be made again.
        if !is_redo {
            self.controller.undone();
        } else if !self.view.can_redo() {
            self.controller.redone();
        }
        self.controller.answered();
        Ok(true)
    }

    fn asked(&self, force: bool, idle: Option<u64>) -> PlanOptions {
        PlanOptions::new().force(force).overhead(self.overhead.tokens).idle(idle)
    }

    fn may_decide(&self) -> bool {
        self.is_auto && !self.controller.state().held
    }

    fn send_or_give_up(&mut self, decision: &Decision) -> Result<Option<String>, Failure> {
        match self.controller.before_request(decision) {
            Step::GiveUp => Err(self.obstacle()),
            _ => Ok(None),
        }
    }

    fn obstacle(&mut self) -> Failure {
        let obstacle = self.controller.obstacle();
        // Nothing was compacted, so the next overflow is the first one.
        if obstacle == Some(Obstacle::NoSummary) {
            self.controller.answered();
        }
        obstacle.map_or_else(
            || failure("nothing_to_compact", Obstacle::NothingToCompact.about()),
            |obstacle| failure(obstacle.as_str(), obstacle.about()),
        )
    }

    fn carry_out(
        &mut self,
        step: Step,
        task: Task,
        focus: Option<String>,
    ) -> Result<Option<String>, Failure> {
        match step {
            Step::GiveUp if !has_passes(&task.plan) => Err(self.obstacle()),
            // What passes leave is a change of its own, though nothing else gives way.
            Step::Send | Step::GiveUp | Step::Commit if !has_passes(&task.plan) => Ok(None),
            Step::Summarise if self.author == Author::Rule => {
                self.answer_controller(Came::Accepted)?;
                self.by_rule(&task).map(|_| None)
            }
            Step::Summarise => self.ask(task, focus),
            Step::Send | Step::GiveUp | Step::Commit | Step::Prune => {
                self.apply(&task, None, false)?;
                Ok(None)
            }
        }
    }

    fn ask(&mut self, task: Task, focus: Option<String>) -> Result<Option<String>, Failure> {
        let mut options = self.summaries.clone();
        options.focus = focus.or(options.focus);
        let requested = task.session.summary_request(&task.plan, &options).and_then(|asked| {
            asked.ok_or_else(|| {
                Error::new(ErrorCode::EmptySummary, "there is nothing to summarise but an earlier summary")
            })
        });
        let asked = match requested {
            Ok(asked) => asked,
            Err(error) => return self.fail(&task, &failed(error)),
        };
        let request = requests::request(&asked);
        let retain = &task.plan.decision.retain;
        self.told.push(event("summary_requested", task.cause, |out| {
            out.raw(",\"messages\":").number(retain.messages as u64);
            out.raw(",\"tokens\":").number(retain.summarised);
        }));
        self.pending =
            Some(Pending { task, context: asked.context, request: request.clone(), is_second: false });
        Ok(Some(request))
    }

    /// The summary that an answer makes; otherwise why there is none, and what to tell the model.
    fn judged(
        &self,
        pending: &Pending,
        text: &str,
        truncated: bool,
    ) -> Result<String, (Failure, Option<String>)> {
        let mut context = pending.context.clone();
        // A summary that fills half of the window leaves no room for the work, however much it replaces.
        if let Some(window) = pending.task.plan.decision.trigger.context {
            context.replaced_tokens = context.replaced_tokens.min(window.get() / 2);
        }
        let summary = summary::finish(&context, Answer { text, truncated }).map_err(|error| {
            let reminder = summary::reminder(error.kind()).map(str::to_owned);
            (failed(error), reminder)
        })?;
        let Task { session, plan, .. } = &pending.task;
        let lacks =
            session.shortcomings(plan, &summary, self.accept).map_err(|error| (failed(error), None))?;
        if lacks.found.is_empty() {
            return Ok(summary);
        }
        let is_none = lacks.found.iter().any(|lack| {
            matches!(lack, Shortcoming::Refusal | Shortcoming::ErrorText | Shortcoming::ToolCall)
        });
        let words: Vec<String> = lacks.found.iter().map(|lack| lack.to_string()).collect();
        let code = if is_none { "refused_summary" } else { "incomplete_summary" };
        Err((failure(code, format!("the summary is refused: {}", words.join(", "))), lacks.reminder()))
    }

    /// Goes on without the summary that was asked for.
    fn fail(&mut self, task: &Task, error: &Failure) -> Result<Option<String>, Failure> {
        self.told.push(event("summary_failed", task.cause, |out| write_error(error, out)));
        let step = self.answer_controller(Came::Failed)?;
        if self.is_by_rule(task) && self.by_rule(task)? {
            return Ok(None);
        }
        match step {
            Step::GiveUp => Err(self.obstacle()),
            Step::Prune => {
                self.apply(task, None, false)?;
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    fn answer_controller(&mut self, came: Came) -> Result<Step, Failure> {
        let number = self.controller.state().asked;
        Ok(self.controller.answer(number, came)?)
    }

    /// Whether a summary by rule takes the place of one that failed.
    fn is_by_rule(&self, task: &Task) -> bool {
        match self.fallback {
            Fallback::Deterministic => true,
            Fallback::History => false,
            Fallback::WhenFull => task.cause == Cause::Overflow || is_over(&task.plan.decision),
        }
    }

    /// Carries the plan out with a summary by rule. Returns whether there was anything to summarise.
    fn by_rule(&mut self, task: &Task) -> Result<bool, Failure> {
        match task.session.deterministic_summary(&task.plan) {
            Ok(Some(summary)) => self.apply(task, Some(summary), true).map(|()| true),
            Ok(None) => Ok(false),
            Err(error) => {
                let error = failed(error);
                self.told.push(event("summary_failed", task.cause, |out| write_error(&error, out)));
                Ok(false)
            }
        }
    }

    /// Carries a plan out on the view.
    fn apply(&mut self, task: &Task, summary: Option<String>, is_by_rule: bool) -> Result<(), Failure> {
        let Task { session, plan, cause, now } = task;
        let mut options = EditOptions::new();
        options.now = *now;
        let has_summary = summary.is_some();
        options.summary = match summary {
            // One by rule has them already.
            Some(summary) if !is_by_rule => Some(session.carried(plan, &[])?.behind(&summary)),
            summary => summary,
        };
        let texts = self.view.texts();
        let (_, spans) = joined(texts.iter().map(|text| &**text));
        let outcomes = outcomes(session.text().as_str(), &spans, &session.edits(plan, &options)?)?;
        self.view.change(&outcomes);
        if let Err(error) = self.live.replace(self.view.texts()) {
            self.view.undo();
            return Err(failed(error));
        }
        let before = plan.decision.tokens_before;
        let after = self.decide(None).tokens_before;
        if *cause == Cause::Asked {
            self.controller.answered();
        } else {
            self.sent = after;
        }
        if has_summary && !is_by_rule {
            self.controller.committed(before, after);
        }
        let decision = &plan.decision;
        let summarised = if has_summary { decision.retain.messages } else { 0 };
        self.told.push(event("compacted", *cause, |out| {
            out.raw(",\"pruned\":").number(if decision.prune.applied {
                decision.prune.outputs as u64
            } else {
                0
            });
            out.raw(",\"summarised\":").number(summarised as u64);
            out.raw(",\"byRule\":").flag(is_by_rule);
            out.raw(",\"tokensBefore\":").number(before).raw(",\"tokensAfter\":").number(after);
        }));
        Ok(())
    }
}

/// Whether the context may need something, so that the whole of it is read.
fn is_pressing(decision: &Decision) -> bool {
    decision.changes_something() || decision.trigger.fires
}

fn has_passes(plan: &Plan) -> bool {
    plan.changes_something() && !plan.decision.changes_something()
}

/// Whether the context exceeds the window once the plan's outputs are pruned.
fn is_over(decision: &Decision) -> bool {
    let trigger = &decision.trigger;
    let size = if trigger.source == Source::Estimate {
        let pruned = if decision.prune.applied { decision.prune.reclaimed } else { 0 };
        (decision.tokens_before + trigger.overhead.unwrap_or(0)).saturating_sub(pruned)
    } else {
        trigger.tokens
    };
    trigger.context.is_some_and(|window| size > window.get())
}

fn not_waited_for() -> Failure {
    failure("mismatch", "no summary is waited for")
}
