//! How a plan is carried out: whether the caller allows it, who writes the summary, and what becomes of the view.

use std::ops::ControlFlow;

use ebbline::binding;
use ebbline::controller::{Answer as Came, Notice, Step};
use ebbline::json::{Document, Writer};
use ebbline::plan::Fate;
use ebbline::{EditOptions, Error, Plan, PlanOptions, summary};

use super::asking::Asked;
use super::cause::Cause;
use super::settings::{Author, Fallback};
use super::size::{excess, reclaimed_by};
use super::store::Storing;
use super::view::{About, Carries};
use super::work::Work;
use crate::bindings::api::Failure;
use crate::changes::{Outcome, outcomes};
use crate::failure::{failure, invalid};
use crate::live::Whole;
use crate::options;
use crate::session::texts_of;

/// A plan that is being carried out.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) whole: Whole,
    pub(crate) plan: Plan,
    pub(crate) cause: Cause,
    pub(crate) now: Option<u64>,
    /// What the plan was asked for with.
    pub(crate) options: PlanOptions,
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
                (Some(summary), _) => self.finish(&task, Ok((summary, false))),
                (None, Author::Rule) => {
                    self.told.requested(task.cause, &task.plan, 1, 1);
                    let came = written_by_rule(&task);
                    if self.goes_on(task.cause == Cause::Full) {
                        return Ok(self.start(task, Err(came)));
                    }
                    self.finish(&task, came)
                }
                (None, _) => self.ask(task, focus),
            },
            Step::Send | Step::GiveUp | Step::Commit | Step::Prune => self.apply(&task),
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
            Err(error) => self.finish(&task, Err(error)),
        }
    }

    /// Carries a plan out with the summary that came, and whether it was written by rule; goes on without one if it failed.
    pub(super) fn finish(
        &mut self,
        task: &Task,
        came: Result<(String, bool), Failure>,
    ) -> Result<Option<String>, Failure> {
        let drawn = came.and_then(|(summary, is_by_rule)| self.draw(task, Some(summary), is_by_rule));
        match drawn {
            Ok(done) => {
                self.answer_controller(Came::Accepted)?;
                self.make(done)
            }
            Err(error) => self.fail(task, &error),
        }
    }

    /// Goes on without the summary that was asked for.
    fn fail(&mut self, task: &Task, error: &Failure) -> Result<Option<String>, Failure> {
        self.told.failed(task.cause, error);
        self.notice(Notice::SummaryFailed, &[("error", &error.message)]);
        let step = self.answer_controller(Came::Failed)?;
        if let ControlFlow::Break(asked) = self.go_on_without(task, true)? {
            return Ok(asked);
        }
        match step {
            Step::GiveUp => Err(self.obstacle()),
            Step::Prune => self.apply(task),
            _ => Ok(None),
        }
    }

    /// Does without the summary that is wanted: as if nobody wrote summaries, or with one by rule where that does not fit.
    /// Returns what the caller is asked for; goes on if nothing was decided.
    pub(super) fn go_on_without(
        &mut self,
        task: &Task,
        is_allowed: bool,
    ) -> Result<ControlFlow<Option<String>>, Failure> {
        let mut plan = self.live.plan_without_summary(&task.whole, task.options)?;
        if task.cause == Cause::Full
            && task.options.known_tokens.is_none()
            && !plan.decision.trigger.fires
            && let Some(cautious) = self.cautious(&plan.decision)
        {
            plan = self.live.plan_without_summary(&task.whole, task.options.known_tokens(cautious))?;
        }
        let is_full =
            task.cause == Cause::Overflow || excess(&plan.decision, reclaimed_by(&plan.decision)).is_some();
        let is_wanted = match self.fallback {
            Fallback::Deterministic => true,
            Fallback::WhenFull => is_full,
            Fallback::History => false,
        };
        if is_wanted && let ControlFlow::Break(asked) = self.by_rule(task, plan.decision.tokens_after)? {
            return Ok(ControlFlow::Break(asked));
        }
        if !plan.changes_something() {
            return Ok(ControlFlow::Continue(()));
        }
        let task = Task { plan, ..task.clone() };
        if is_allowed || !self.is_asked {
            return self.apply(&task).map(ControlFlow::Break);
        }
        let asked = permission(Step::Prune, &task);
        self.waiting = Some(Waiting::Permission { step: Step::Prune, task, focus: None });
        Ok(ControlFlow::Break(Some(asked)))
    }

    /// Carries the plan out with a summary by rule, and returns what the caller is asked for; goes on if it cannot be had, or leaves
    /// no less than pruning alone does.
    fn by_rule(&mut self, task: &Task, most: u64) -> Result<ControlFlow<Option<String>>, Failure> {
        let written = written_by_rule(task);
        match written.and_then(|(summary, _)| self.draw_within(task, Some(summary), true, Some(most))) {
            Ok(done) => self.make(done).map(ControlFlow::Break),
            Err(error) => {
                self.told.failed(task.cause, &error);
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Carries a plan out on the view. Returns what the caller is asked for.
    fn apply(&mut self, task: &Task) -> Result<Option<String>, Failure> {
        let done = self.draw(task, None, false)?;
        self.make(done)
    }

    /// What a plan makes of the view, with a summary if there is one, which must make it smaller.
    fn draw(&mut self, task: &Task, summary: Option<String>, is_by_rule: bool) -> Result<Done, Failure> {
        self.draw_within(task, summary, is_by_rule, None)
    }

    /// The same; a summary must leave less than `most`, too.
    fn draw_within(
        &mut self,
        task: &Task,
        summary: Option<String>,
        is_by_rule: bool,
        most: Option<u64>,
    ) -> Result<Done, Failure> {
        let Task { whole: Whole { session, spans, pinned }, plan, cause, now, .. } = task;
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
        if about.carried.is_some() {
            let (before, mut then) = (about.tokens_before, self.live.clone());
            then.replace(texts_of(&outcomes, self.live.texts()))?;
            let after = then.decide(PlanOptions::new()).tokens_before;
            let why = match most {
                _ if after >= before => Some("it would make the context no smaller".to_owned()),
                Some(most) if after >= most => Some(format!("pruning alone leaves {most}")),
                _ => None,
            };
            if let Some(why) = why {
                let what = format!("with what it carries, the summary leaves {after} tokens of {before}");
                return Err(failure("larger_summary", format!("{what}: {why}")));
            }
        }
        Ok(Done { outcomes, about })
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

/// A summary by rule of what a plan summarises.
fn written_by_rule(task: &Task) -> Result<(String, bool), Failure> {
    let nothing = || failure("empty_summary", "there is nothing to summarise but an earlier summary");
    let written = binding::summary_by_rule(&task.whole.session, &task.plan)?;
    written.map(|summary| (summary, true)).ok_or_else(nothing)
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
