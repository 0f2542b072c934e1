//! A summary that a model writes while the agent goes on.
//!
//! It stands for the messages that it was asked for, as one that is already there does. An edit behind them changes the tail
//! alone, so the summary is put in front of the new tail. An edit among them would leave a summary that tells of what was taken
//! back, and no beginning of it is a summary of the beginning: it is dropped.

use std::rc::Rc;

use ebbline::controller::Answer as Came;
use ebbline::json::Value;
use ebbline::plan::Fate;
use ebbline::{Error, Plan, PlanOptions, binding};

use super::asking::{Asked, Next};
use super::carrying::{Task, Waiting};
use super::size::excess;
use super::view::Sent;
use super::work::{Due, Work};
use crate::bindings::api::Failure;
use crate::failure::{failure, invalid};
use crate::live::Text;
use crate::options;

/// Whether summaries are written while the agent goes on, and what becomes of one when the history is edited meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meanwhile {
    /// The agent waits.
    Waits,
    /// The summary stands if the messages that it was asked for do.
    Rebases,
    /// Any edit drops it.
    Drops,
}

impl Meanwhile {
    /// Reads it from options.
    ///
    /// # Errors
    ///
    /// `invalid_option`.
    pub(crate) fn read(given: Value<'_>) -> Result<Self, Error> {
        let refused =
            || invalid("the option background must be true, false, or { onEdit: 'rebase' or 'drop' }");
        let Some(given) = given.present("background") else { return Ok(Self::Waits) };
        match given.source() {
            "true" => return Ok(Self::Rebases),
            "false" => return Ok(Self::Waits),
            _ => {}
        }
        let on_edit = options::text(given, "onEdit").map_err(|_| refused())?;
        match on_edit.as_deref().filter(|_| given.members().count() == 1) {
            Some("rebase") => Ok(Self::Rebases),
            Some("drop") => Ok(Self::Drops),
            _ => Err(refused()),
        }
    }
}

/// A summary that is written while the agent goes on.
#[derive(Clone, Debug)]
pub(crate) struct Background {
    task: Task,
    /// What the model was asked, as long as it has not answered.
    asked: Option<Asked>,
    /// What came of it: the summary, and whether it was written by rule.
    came: Result<(String, bool), Failure>,
    /// What was sent when it was asked for.
    sent: Vec<Text>,
    is_edited: bool,
    /// What the call is about that waits for it.
    awaited: Option<Due>,
}

impl Background {
    /// Whether an edit left the messages that the summary was asked for, and something behind them.
    fn stands(&self, sent: &[Sent]) -> bool {
        let end = end_of(&self.task.plan);
        let is_same = |(one, other): (&Text, &Sent)| Rc::ptr_eq(&one.words, &other.text.words);
        sent.len() > end && self.sent.iter().zip(sent).take(end).all(is_same)
    }
}

impl Work {
    /// Whether the agent may go on while the summary of a full context is written.
    pub(super) fn goes_on(&mut self, is_full: bool) -> bool {
        is_full && self.meanwhile != Meanwhile::Waits && excess(&self.decide(None), 0).is_none()
    }

    /// Goes on while a model answers; `draft` is what it is asked, or what came of it already.
    pub(super) fn start(
        &mut self,
        task: Task,
        draft: Result<Asked, Result<(String, bool), Failure>>,
    ) -> Option<String> {
        let (asked, came) = match draft {
            Ok(asked) => (Some(asked), Err(failure("summary_failed", ""))),
            Err(came) => (None, came),
        };
        let request = asked.as_ref().map(|asked| marked(&asked.request, false));
        let sent = self.view.texts();
        self.background = Some(Background { task, asked, came, sent, is_edited: false, awaited: None });
        request
    }

    /// An answer to a request that the agent did not wait for.
    pub(super) fn came_meanwhile(
        &mut self,
        next: impl FnOnce(&mut Self, &Task, &mut Asked) -> Result<Next, Failure>,
    ) -> Result<Option<String>, Failure> {
        let background = self.background.take();
        let Some((mut background, mut asked)) =
            background.and_then(|mut background| background.asked.take().map(|asked| (background, asked)))
        else {
            return Err(failure("mismatch", "no summary is waited for"));
        };
        let awaited = background.awaited.clone();
        background.came = match next(self, &background.task, &mut asked) {
            Ok(Next::Asks(request)) => {
                background.asked = Some(asked);
                self.background = Some(background);
                return Ok(Some(marked(&request, awaited.is_some())));
            }
            Ok(Next::Has(summary)) => Ok((summary, false)),
            Err(error) => Err(error),
        };
        self.background = Some(background);
        match awaited {
            Some(due) => self.take_over(due),
            None => Ok(None),
        }
    }

    /// Before a request: a summary that was written meanwhile is taken over. It is waited for only if the context would
    /// exceed the window.
    pub(crate) fn prepare(&mut self, due: Due) -> Result<Option<String>, Failure> {
        let Some(background) = &self.background else { return self.fit(due) };
        let Some(asked) = &background.asked else { return self.take_over(due) };
        let request = marked(&asked.request, true);
        if excess(&self.decide(due.idle), 0).is_none() {
            return self.fit(due);
        }
        if let Some(background) = &mut self.background {
            background.awaited = Some(due);
        }
        Ok(Some(request))
    }

    fn take_over(&mut self, due: Due) -> Result<Option<String>, Failure> {
        let Some(background) = self.background.take() else { return self.fit(due) };
        let done = self.view.done().len();
        let task = if background.is_edited {
            let rebased = self.rebased(&background);
            if !matches!(rebased, Ok(Some(_))) {
                self.answer_controller(Came::Cancelled)?;
            }
            match rebased? {
                Some(task) => task,
                None => return self.fit(due),
            }
        } else {
            background.task
        };
        let task = if background.came.is_err() {
            let options = self.asked(false, due.idle);
            let (whole, plan) = self.live.planned(options)?;
            Task { whole, plan, now: due.now, cause: task.cause, options }
        } else {
            Task { now: due.now, ..task }
        };
        let asked = self.finish(&task, background.came)?;
        if asked.is_some() {
            if let Some(Waiting::Store(storing)) = &mut self.waiting {
                storing.then = Some(due);
            }
            return Ok(asked);
        }
        let is_compacted = self.view.done().len() > done;
        self.after_taking_over(is_compacted, due)
    }

    /// What came in since a summary was asked for may fill the window by itself.
    pub(super) fn after_taking_over(
        &mut self,
        is_compacted: bool,
        due: Due,
    ) -> Result<Option<String>, Failure> {
        if is_compacted && excess(&self.decide(due.idle), 0).is_none() {
            return Ok(None);
        }
        self.fit(due)
    }

    /// The task of putting the summary in front of the tail that is there now: a plan that summarises the messages that the
    /// summary was asked for, and nothing else; `None` if there is none, because a call would be parted from its result.
    fn rebased(&self, Background { task, sent, .. }: &Background) -> Result<Option<Task>, Error> {
        let known = &task.plan;
        // A format that removes nothing keeps what was summarised, so that a beginning of the list is no beginning of what is sent.
        if !binding::removes(&task.whole.session) || known.messages.len() != sent.len() {
            return Ok(None);
        }
        let end = end_of(known);
        let whole = self.live.whole()?;
        let tail = whole.session.plan(self.live.policy());
        let tokens: u64 = tail.messages.iter().skip(end).map(|message| message.tokens_before).sum();
        let mut policy = self.live.summarising_all()?;
        policy.retain.keep = tokens.max(1);
        policy.retain.user_words = self.live.policy().retain.user_words;
        let plan = whole.session.plan_with(&policy, PlanOptions::new().force(true));
        let is_summarised = |plan: &Plan, at: usize| {
            plan.messages.get(at).is_some_and(|message| message.fate == Fate::Summarised)
        };
        let is_same = plan.decision.retain.applied
            && end_of(&plan) == end
            && (0..end).all(|at| is_summarised(&plan, at) == is_summarised(known, at));
        Ok(is_same.then(|| Task { whole, plan, now: None, ..task.clone() }))
    }

    /// After an edit.
    pub(super) fn rebase(&mut self) {
        let Some(background) = &mut self.background else { return };
        if self.meanwhile == Meanwhile::Rebases && background.stands(self.view.sent()) {
            background.is_edited = true;
        } else {
            self.drop_summary();
        }
    }

    /// Nobody waits for the summary any more that is written while the agent goes on.
    pub(super) fn drop_summary(&mut self) {
        if self.background.take().is_some() {
            // It is waited for, so there is no other answer than a step that needs nothing.
            let _ = self.answer_controller(Came::Cancelled);
        }
    }

    /// The call that waited is cancelled. The model goes on.
    pub(super) fn stop_waiting(&mut self) {
        if let Some(background) = &mut self.background {
            background.awaited = None;
        }
    }

    /// Whether the answer to a request in the background is still wanted.
    pub(crate) fn wants(&self) -> bool {
        self.background.as_ref().is_some_and(|background| background.asked.is_some())
    }
}

/// The place behind the last message that a plan summarises.
fn end_of(plan: &Plan) -> usize {
    plan.messages.iter().rposition(|message| message.fate == Fate::Summarised).map_or(0, |last| last + 1)
}

/// A request that may be answered later, or that must be waited for now.
fn marked(request: &str, is_awaited: bool) -> String {
    let mark = if is_awaited { "{\"background\":true,\"awaited\":true," } else { "{\"background\":true," };
    [mark, request.get(1..).unwrap_or_default()].concat()
}
