//! How a plan is carried out: whether the caller allows it, who writes the summary, and what becomes of the view.

use ebbline::controller::{Answer as Came, Step};
use ebbline::json::{Document, Writer};
use ebbline::summary::{self, Answer, Shortcoming, SummaryContext};
use ebbline::{EditOptions, Error, ErrorCode, Plan};

use super::cause::Cause;
use super::settings::{Author, Fallback};
use super::view::{About, Carries};
use super::work::{Work, excess};
use crate::bindings::api::Failure;
use crate::changes::outcomes;
use crate::failure::{failure, invalid};
use crate::live::Whole;
use crate::{options, requests};

/// A plan that is being carried out.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) whole: Whole,
    pub(crate) plan: Plan,
    pub(crate) cause: Cause,
    pub(crate) now: Option<u64>,
}

/// What the caller was asked for.
#[derive(Debug)]
pub(crate) enum Waiting {
    /// Whether the plan may be carried out.
    Permission { step: Step, task: Task, focus: Option<String> },
    /// A summary that a model writes.
    Summary(Pending),
}

/// A summary that a model was asked for.
#[derive(Debug)]
pub(crate) struct Pending {
    task: Task,
    context: SummaryContext,
    /// The request as JSON.
    request: String,
    is_second: bool,
}

impl Work {
    /// Carries out what the controller says.
    pub(super) fn carry_out(
        &mut self,
        step: Step,
        task: Task,
        focus: Option<String>,
    ) -> Result<Option<String>, Failure> {
        match step {
            Step::GiveUp if !has_passes(&task.plan) => Err(self.obstacle()),
            // What passes leave is a change of its own, though nothing else gives way.
            Step::Send | Step::GiveUp | Step::Commit if !has_passes(&task.plan) => Ok(None),
            step if self.is_asked => {
                let asked = permission(step, &task);
                self.waiting = Some(Waiting::Permission { step, task, focus });
                Ok(Some(asked))
            }
            step => self.allowed(step, task, focus, None),
        }
    }

    /// What the caller says to a compaction: nothing if it must not be made, otherwise its wishes as JSON.
    pub(crate) fn allow(&mut self, wish: Option<&str>) -> Result<Option<String>, Failure> {
        let (step, task, focus) = match self.waiting.take() {
            Some(Waiting::Permission { step, task, focus }) => (step, task, focus),
            waiting => {
                self.waiting = waiting;
                return Err(failure("mismatch", "no permission is waited for"));
            }
        };
        let wishes = wish.map(wishes).transpose();
        if step == Step::Summarise && !matches!(wishes, Ok(Some(_))) {
            self.answer_controller(Came::Cancelled)?;
        }
        match wishes? {
            None => Ok(None),
            Some((wanted, summary)) => self.allowed(step, task, wanted.or(focus), summary),
        }
    }

    fn allowed(
        &mut self,
        step: Step,
        task: Task,
        focus: Option<String>,
        summary: Option<String>,
    ) -> Result<Option<String>, Failure> {
        match step {
            Step::Summarise => match (summary, self.author) {
                (Some(summary), _) => {
                    self.answer_controller(Came::Accepted)?;
                    self.apply(&task, Some(summary), false)?;
                    Ok(None)
                }
                (None, Author::Rule) => {
                    self.answer_controller(Came::Accepted)?;
                    self.by_rule(&task).map(|_| None)
                }
                (None, _) => self.ask(task, focus),
            },
            Step::Send | Step::GiveUp | Step::Commit | Step::Prune => {
                self.apply(&task, None, false)?;
                Ok(None)
            }
        }
    }

    fn ask(&mut self, task: Task, focus: Option<String>) -> Result<Option<String>, Failure> {
        let mut options = self.summaries.clone();
        options.focus = focus.or(options.focus);
        let requested = task.whole.session.summary_request(&task.plan, &options).and_then(|asked| {
            asked.ok_or_else(|| {
                Error::new(ErrorCode::EmptySummary, "there is nothing to summarise but an earlier summary")
            })
        });
        let asked = match requested {
            Ok(asked) => asked,
            Err(error) => return self.fail(&task, &error.into()),
        };
        let request = requests::request(&asked);
        let retain = &task.plan.decision.retain;
        self.told.requested(task.cause, retain.messages as u64, retain.summarised);
        let pending = Pending { task, context: asked.context, request: request.clone(), is_second: false };
        self.waiting = Some(Waiting::Summary(pending));
        Ok(Some(request))
    }

    /// The summary that is waited for.
    fn pending(&mut self) -> Result<Pending, Failure> {
        match self.waiting.take() {
            Some(Waiting::Summary(pending)) => Ok(pending),
            waiting => {
                self.waiting = waiting;
                Err(failure("mismatch", "no summary is waited for"))
            }
        }
    }

    /// The model's answer.
    pub(crate) fn answer(&mut self, text: &str, truncated: bool) -> Result<Option<String>, Failure> {
        let pending = self.pending()?;
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
                self.waiting = Some(Waiting::Summary(Pending { is_second: true, ..pending }));
                Ok(Some(request))
            }
            _ => self.fail(&pending.task, &error),
        }
    }

    /// The model failed.
    pub(crate) fn give_up(&mut self, why: &str) -> Result<Option<String>, Failure> {
        let pending = self.pending()?;
        self.fail(&pending.task, &failure("summary_failed", why))
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
            (error.into(), reminder)
        })?;
        let Task { whole, plan, .. } = &pending.task;
        let lacks =
            whole.session.shortcomings(plan, &summary, self.accept).map_err(|error| (error.into(), None))?;
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
        self.told.failed(task.cause, error);
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

    /// Whether a summary by rule takes the place of one that failed.
    pub(super) fn is_by_rule(&self, task: &Task) -> bool {
        let decision = &task.plan.decision;
        match self.fallback {
            Fallback::Deterministic => true,
            Fallback::History => false,
            Fallback::WhenFull => {
                let pruned = if decision.prune.applied { decision.prune.reclaimed } else { 0 };
                task.cause == Cause::Overflow || excess(decision, pruned).is_some()
            }
        }
    }

    /// Carries the plan out with a summary by rule. Returns whether there was anything to summarise.
    pub(super) fn by_rule(&mut self, task: &Task) -> Result<bool, Failure> {
        match ebbline::binding::summary_by_rule(&task.whole.session, &task.plan) {
            Ok(Some(summary)) => self.apply(task, Some(summary), true).map(|()| true),
            Ok(None) => Ok(false),
            Err(error) => {
                self.told.failed(task.cause, &error.into());
                Ok(false)
            }
        }
    }

    /// Carries a plan out on the view.
    fn apply(&mut self, task: &Task, summary: Option<String>, is_by_rule: bool) -> Result<(), Failure> {
        let Task { whole: Whole { session, spans, pinned }, plan, cause, now } = task;
        let decision = &plan.decision;
        let mut options = EditOptions::new();
        options.now = *now;
        let mut about = About {
            at: now.unwrap_or(0),
            cause: *cause,
            profile: plan.profile.clone(),
            pruned: if decision.prune.applied { decision.prune.outputs as u64 } else { 0 },
            tokens_before: decision.tokens_before,
            ..About::default()
        };
        if let Some(summary) = summary {
            let carried = session.carried(plan, pinned)?;
            let (orders, pins) = (carried.orders.len() as u64, carried.pins.len() as u64);
            about.carried = Some(Carries { orders, pins, is_by_rule });
            about.summarised = decision.retain.messages as u64;
            options.summary = Some(carried.behind(&summary));
        }
        let outcomes = outcomes(session.text().as_str(), spans, &session.edits(plan, &options)?)?;
        self.view.change(&outcomes, about.clone());
        if let Err(error) = self.live.replace(self.view.texts()) {
            self.view.drop_newest();
            return Err(error.into());
        }
        about.tokens_after = self.decide(None).tokens_before;
        if let Some(newest) = self.view.newest() {
            newest.tokens_after = about.tokens_after;
        }
        if *cause == Cause::Asked {
            self.controller.answered();
        } else {
            self.sent = about.tokens_after;
        }
        if about.carried.is_some_and(|carried| !carried.is_by_rule) {
            self.controller.committed(about.tokens_before, about.tokens_after);
        }
        self.told.compacted(&about);
        Ok(())
    }
}

fn has_passes(plan: &Plan) -> bool {
    plan.changes_something() && !plan.decision.changes_something()
}

/// The question whether a compaction may be made.
fn permission(step: Step, task: &Task) -> String {
    let step = if step == Step::Summarise { "summarise" } else { "prune" };
    let mut out = Writer::default();
    out.raw("{\"compaction\":{\"cause\":").string(task.cause.as_str()).raw(",\"step\":").string(step);
    out.raw(",\"plan\":").raw(&task.plan.to_json()).raw("}}");
    out.finish()
}

/// What the caller wishes of a compaction: what the summary should say most about, and the summary itself.
fn wishes(json: &str) -> Result<(Option<String>, Option<String>), Error> {
    let document = Document::parse(json)?;
    let given = document.root();
    options::known(given, &[&["focus", "summary"]])?;
    let summary = options::text(given, "summary")?;
    if summary.as_deref().is_some_and(summary::is_blank) {
        return Err(invalid("the summary must have words"));
    }
    Ok((options::text(given, "focus")?, summary))
}
