//! How a plan is carried out: whether the caller allows it, who writes the summary, and what becomes of the view.

use std::ops::ControlFlow;

use ebbline::binding;
use ebbline::controller::{Answer as Came, Notice, Step};
use ebbline::json::{Document, Writer};
use ebbline::plan::Fate;
use ebbline::{EditOptions, Error, Plan, summary};

use super::asking::Asked;
use super::cause::Cause;
use super::settings::{Author, Fallback};
use super::size::excess;
use super::store::Storing;
use super::view::{About, Carries};
use super::work::Work;
use crate::bindings::api::Failure;
use crate::changes::{Outcome, outcomes};
use crate::failure::{failure, invalid};
use crate::live::Whole;
use crate::options;

/// A plan that is being carried out.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) whole: Whole,
    pub(crate) plan: Plan,
    pub(crate) cause: Cause,
    pub(crate) now: Option<u64>,
}

/// What the caller was asked for.
#[derive(Clone, Debug)]
pub(crate) enum Waiting {
    /// Whether the plan may be carried out.
    Permission { step: Step, task: Task, focus: Option<String> },
    /// A summary that a model writes.
    Summary(Task, Box<Asked>),
    /// Messages that are to be stored.
    Store(Storing),
}

/// What a compaction makes of the view.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    pub(super) outcomes: Vec<Outcome>,
    about: About,
}

impl Done {
    pub(super) fn cause(&self) -> Cause {
        self.about.cause
    }
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
                    self.apply(&task, Some(summary), false)
                }
                (None, Author::Rule) if self.goes_on(task.cause == Cause::Full) => {
                    self.told.requested(task.cause, &task.plan, 1, 1);
                    let written = binding::summary_by_rule(&task.whole.session, &task.plan);
                    let nothing =
                        || failure("empty_summary", "there is nothing to summarise but an earlier summary");
                    let came = written.map_err(Failure::from).and_then(|summary| summary.ok_or_else(nothing));
                    Ok(self.start(task, Err(came.map(|summary| (summary, true)))))
                }
                (None, Author::Rule) => {
                    self.told.requested(task.cause, &task.plan, 1, 1);
                    self.answer_controller(Came::Accepted)?;
                    Ok(self.by_rule(&task)?.break_value().flatten())
                }
                (None, _) => self.ask(task, focus),
            },
            Step::Send | Step::GiveUp | Step::Commit | Step::Prune => self.apply(&task, None, false),
        }
    }

    fn ask(&mut self, task: Task, focus: Option<String>) -> Result<Option<String>, Failure> {
        let goes_on = self.goes_on(task.cause == Cause::Full);
        let draft = self.draft(&task, focus);
        if goes_on {
            return Ok(self.start(task, draft.map_err(Err)));
        }
        match draft {
            Ok(asked) => {
                let request = asked.request.clone();
                self.waiting = Some(Waiting::Summary(task, Box::new(asked)));
                Ok(Some(request))
            }
            Err(error) => self.fail(&task, &error),
        }
    }

    /// Goes on without the summary that was asked for.
    pub(super) fn fail(&mut self, task: &Task, error: &Failure) -> Result<Option<String>, Failure> {
        self.told.failed(task.cause, error);
        self.notice(Notice::SummaryFailed, &[("error", &error.message)]);
        let step = self.answer_controller(Came::Failed)?;
        if self.is_by_rule(task)
            && let ControlFlow::Break(asked) = self.by_rule(task)?
        {
            return Ok(asked);
        }
        match step {
            Step::GiveUp => Err(self.obstacle()),
            Step::Prune => self.apply(task, None, false),
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

    /// Carries the plan out with a summary by rule, and returns what the caller is asked for; goes on if there was nothing to
    /// summarise.
    pub(super) fn by_rule(&mut self, task: &Task) -> Result<ControlFlow<Option<String>>, Failure> {
        match binding::summary_by_rule(&task.whole.session, &task.plan) {
            Ok(Some(summary)) => self.apply(task, Some(summary), true).map(ControlFlow::Break),
            Ok(None) => Ok(ControlFlow::Continue(())),
            Err(error) => {
                self.told.failed(task.cause, &error.into());
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Carries a plan out on the view. Returns what the caller is asked for.
    pub(super) fn apply(
        &mut self,
        task: &Task,
        summary: Option<String>,
        is_by_rule: bool,
    ) -> Result<Option<String>, Failure> {
        let Task { whole: Whole { session, spans, pinned }, plan, cause, now } = task;
        let decision = &plan.decision;
        // Messages that came in while a model wrote the summary.
        let newer = spans.len()..self.view.sent().len();
        let mut options = EditOptions::new();
        options.now = *now;
        let mut about = About {
            at: now.unwrap_or(0),
            cause: *cause,
            profile: plan.profile.clone(),
            pruned: if decision.prune.applied { decision.prune.outputs as u64 } else { 0 },
            tokens_before: self.decide(None).tokens_before,
            ..About::default()
        };
        if let Some(summary) = summary {
            let mut is_gone: Vec<bool> =
                plan.messages.iter().map(|message| message.fate == Fate::Summarised).collect();
            let carried = if newer.is_empty() {
                binding::carried(session, &is_gone, pinned)
            } else {
                let now = self.live.whole()?;
                is_gone.resize(now.session.transcript().messages().len(), false);
                binding::carried(&now.session, &is_gone, &now.pinned)
            };
            let (orders, pins) = (carried.orders.len() as u64, carried.pins.len() as u64);
            about.carried = Some(Carries { orders, pins, is_by_rule });
            about.summarised = decision.retain.messages as u64;
            options.summary = Some(carried.behind(&summary));
        }
        let telling = self.introduction.telling(newer.len());
        let edits = binding::edits(session, plan, &options, telling)?;
        let mut outcomes = outcomes(session.text().as_str(), spans, &edits)?;
        outcomes.extend(newer.map(Outcome::Kept));
        self.make(Done { outcomes, about })
    }

    /// Takes over what was done with the view.
    pub(super) fn commit(&mut self, Done { outcomes, mut about }: Done) -> Result<(), Failure> {
        let undone = self.view.change(&outcomes, about.clone());
        if let Err(error) = self.live.replace(self.view.texts()) {
            self.view.drop_newest(undone);
            return Err(error.into());
        }
        about.tokens_after = self.live.estimates().0;
        self.reports.changes(about.tokens_before, about.tokens_after);
        if let Some(newest) = self.view.newest() {
            newest.tokens_after = about.tokens_after;
        }
        if about.cause == Cause::Asked {
            self.controller.answered();
        } else {
            self.sends();
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
