//! A summary that a model writes: what it is asked, and how its answers are judged.

use ebbline::summary::{self, Answer, FileLists, SummaryContext, SummaryOptions, SummaryTask};
use ebbline::{EditOptions, Error, ErrorCode, Format, Plan, Session, binding};

use super::carrying::{Task, Waiting};
use super::parts::{BOUNDLESS, Chunks, Divided, divided, is_too_much, joined};
use super::work::Work;
use crate::bindings::api::Failure;
use crate::changes::outcomes;
use crate::failure::failure;
use crate::live::{Text, Whole};
use crate::requests;
use crate::session::texts_of;

/// What a model was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// What the summary of everything is judged by.
    context: SummaryContext,
    focus: Option<String>,
    /// The request as JSON.
    pub(super) request: String,
    is_second: bool,
    /// The most tokens of a request.
    budget: u64,
    /// The part that the request is for, if its summary is judged by itself.
    part: Option<Part>,
    /// What comes next, if the summary is written in parts.
    course: Option<Course>,
}

/// Messages with a summary of their own.
#[derive(Clone, Debug)]
struct Part {
    whole: Whole,
    plan: Plan,
    context: SummaryContext,
}

/// How far a summary in parts has come.
#[derive(Clone, Debug)]
struct Course {
    divided: Divided,
    /// The part that is asked for.
    at: usize,
    /// How many parts were summarised before.
    done: usize,
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    /// One part after the other: the summary of those before, and the messages of this one.
    Rolling(Vec<Text>),
    /// Each part by itself: the summaries so far.
    Joined(Vec<String>),
}

/// What comes of an answer.
#[derive(Debug)]
pub(super) enum Next {
    /// Another request.
    Asks(String),
    /// The summary.
    Has(String),
}

impl Work {
    /// The request for a summary of what a task summarises, or for its first part.
    pub(super) fn draft(&mut self, task: &Task, focus: Option<String>) -> Result<Asked, Failure> {
        let Task { whole: Whole { session, .. }, plan, .. } = task;
        let focus = focus.or_else(|| self.summaries.focus.clone());
        let budget = self.summaries.budget_tokens;
        let (requested, refusal) = match requested(session, plan, focus.as_deref(), budget) {
            Err(error) if error.kind() == ErrorCode::BudgetTooSmall => {
                (requested(session, plan, focus.as_deref(), Some(BOUNDLESS))?, Some(error))
            }
            requested => (requested?, None),
        };
        let most = requested.budget(plan, budget);
        let is_whole = refusal.is_none() && (self.chunks == Chunks::WhereNeeded || !is_too_much(plan, most));
        let divided = if is_whole {
            None
        } else {
            divided(&self.live, self.live.texts(), session.format(), plan, most)?
        };
        let mut asked = Asked {
            request: requests::request(&requested),
            context: requested.context,
            focus,
            is_second: false,
            budget: most,
            part: None,
            course: None,
        };
        match (divided, refusal) {
            (None, Some(refusal)) => return Err(refusal.into()),
            (None, None) => self.told.requested(task.cause, plan, 1, 1),
            (Some(divided), _) => {
                let way = match self.chunks {
                    Chunks::Joined => Way::Joined(Vec::new()),
                    _ => Way::Rolling(divided.part(0).to_vec()),
                };
                self.ask_part(task, &mut asked, Course { divided, at: 0, done: 0, way })?;
            }
        }
        Ok(asked)
    }

    /// Writes the request for the part that a course has come to.
    fn ask_part(&mut self, task: &Task, asked: &mut Asked, course: Course) -> Result<(), Failure> {
        let Course { divided, at, done, way } = &course;
        let (texts, is_last) = match way {
            Way::Rolling(texts) => (texts.as_slice(), at + 1 == divided.cuts.len()),
            Way::Joined(_) => (divided.part(*at), false),
        };
        let (whole, plan) = self.live.portion(texts, divided.format)?;
        let mut requested =
            requested(&whole.session, &plan, asked.focus.as_deref(), self.summaries.budget_tokens)?;
        let parts = done + divided.cuts.len();
        let parts = if matches!(way, Way::Joined(_)) {
            // The files of all parts stand behind the summary of all.
            requested.context.files = FileLists::default();
            parts + 1
        } else {
            parts
        };
        self.told.requested(task.cause, &plan, done + at + 1, parts);
        asked.budget = requested.budget(&plan, self.summaries.budget_tokens);
        asked.request = requests::request(&requested);
        asked.is_second = false;
        // The last answer is judged by the whole.
        asked.part = (!is_last).then_some(Part { whole, plan, context: requested.context });
        asked.course = Some(course);
        Ok(())
    }

    /// What follows the summary of a part.
    fn after_part(&mut self, task: &Task, asked: &mut Asked, summary: String) -> Result<Next, Failure> {
        let Some(mut course) = asked.course.take() else { return Ok(Next::Has(summary)) };
        course.at += 1;
        match &mut course.way {
            Way::Rolling(texts) => {
                let Some(Part { whole: Whole { session, spans, .. }, plan, .. }) = asked.part.take() else {
                    return Ok(Next::Has(summary));
                };
                let telling = self.introduction.of_part();
                let edits = binding::edits(&session, &plan, &EditOptions::new().summary(summary), telling)?;
                *texts = texts_of(&outcomes(session.text().as_str(), &spans, &edits)?, texts);
                texts.extend_from_slice(course.divided.newer(course.at));
            }
            Way::Joined(summaries) => {
                summaries.push(summary);
                if course.at == course.divided.cuts.len() {
                    let summaries = std::mem::take(summaries);
                    return self.join(task, asked, &summaries);
                }
            }
        }
        self.ask_part(task, asked, course)?;
        Ok(Next::Asks(asked.request.clone()))
    }

    /// Asks for one summary of all summaries; for one part after the other, if they are too long for one request.
    fn join(&mut self, task: &Task, asked: &mut Asked, summaries: &[String]) -> Result<Next, Failure> {
        let (texts, format, done) = (joined(summaries), Format::OpenaiChat, summaries.len());
        let (whole, plan) = self.live.portion(&texts, format)?;
        let (focus, budget) = (asked.focus.as_deref(), self.summaries.budget_tokens);
        let all = requested(&whole.session, &plan, focus, Some(BOUNDLESS))?;
        let most = all.budget(&plan, budget);
        let is_long = plan.decision.retain.summarised > most;
        let divided = if is_long { divided(&self.live, &texts, format, &plan, most)? } else { None };
        if let Some(divided) = divided {
            let way = Way::Rolling(divided.part(0).to_vec());
            self.ask_part(task, asked, Course { divided, at: 0, done, way })?;
        } else {
            let requested = requested(&whole.session, &plan, focus, budget)?;
            asked.budget = requested.budget(&plan, budget);
            asked.request = requests::request(&requested);
            (asked.is_second, asked.part) = (false, None);
            self.told.requested(task.cause, &plan, done + 1, done + 1);
        }
        Ok(Next::Asks(asked.request.clone()))
    }

    /// The model's answer.
    pub(crate) fn answer(&mut self, text: &str, truncated: bool) -> Result<Option<String>, Failure> {
        self.came(|work, task, asked| work.proceed(task, asked, text, truncated))
    }

    /// The model failed.
    pub(crate) fn give_up(&mut self, why: &str) -> Result<Option<String>, Failure> {
        self.came(|_, _, _| Err(failure("summary_failed", why)))
    }

    fn came(
        &mut self,
        next: impl FnOnce(&mut Self, &Task, &mut Asked) -> Result<Next, Failure>,
    ) -> Result<Option<String>, Failure> {
        let (task, mut asked) = match self.waiting.take() {
            Some(Waiting::Summary(task, asked)) => (task, asked),
            waiting => {
                self.waiting = waiting;
                return self.came_meanwhile(next);
            }
        };
        match next(self, &task, &mut asked) {
            Ok(Next::Asks(request)) => {
                self.waiting = Some(Waiting::Summary(task, asked));
                Ok(Some(request))
            }
            Ok(Next::Has(summary)) => self.finish(&task, Ok((summary, false))),
            Err(error) => self.finish(&task, Err(error)),
        }
    }

    /// What is to be done with an answer. One that must not replace history is asked for once more.
    fn proceed(
        &mut self,
        task: &Task,
        asked: &mut Asked,
        text: &str,
        truncated: bool,
    ) -> Result<Next, Failure> {
        let judged = match &asked.part {
            Some(Part { whole, plan, context }) => {
                self.judged(&whole.session, plan, context, text, truncated)
            }
            None => self.judged(&task.whole.session, &task.plan, &asked.context, text, truncated),
        };
        match judged {
            Ok(summary) => self.after_part(task, asked, summary),
            Err((_, Some(reminder))) if !asked.is_second => {
                asked.is_second = true;
                let context = asked.part.as_ref().map_or(&asked.context, |part| &part.context);
                let sent = requests::texts(&asked.request);
                let (text, reminder) =
                    summary::again(context, &sent.join("\n"), text, &reminder, asked.budget);
                asked.request = requests::reminded(&asked.request, &text, &reminder);
                Ok(Next::Asks(asked.request.clone()))
            }
            Err((error, _)) => Err(error),
        }
    }

    /// The summary that an answer makes; otherwise why there is none, and what to tell the model.
    fn judged(
        &self,
        session: &Session<'_>,
        plan: &Plan,
        context: &SummaryContext,
        text: &str,
        truncated: bool,
    ) -> Result<String, (Failure, Option<String>)> {
        let mut context = context.clone();
        // A summary that fills half of the window leaves no room for the work, however much it replaces.
        if let Some(window) = plan.decision.trigger.context {
            context.replaced_tokens = context.replaced_tokens.min(window.get() / 2);
        }
        let summary = summary::finish(&context, Answer::new(text, truncated)).map_err(|error| {
            let reminder = summary::reminder(error.kind()).map(str::to_owned);
            (error.into(), reminder)
        })?;
        let lacks =
            session.shortcomings(plan, &summary, self.accept).map_err(|error| (error.into(), None))?;
        if lacks.found.is_empty() {
            return Ok(summary);
        }
        let is_none = lacks.found.iter().any(|lack| lack.is_no_summary());
        let words: Vec<String> = lacks.found.iter().map(|lack| lack.to_string()).collect();
        let code = if is_none { "refused_summary" } else { "incomplete_summary" };
        Err((failure(code, format!("the summary is refused: {}", words.join(", "))), lacks.reminder()))
    }
}

/// The request for a summary of what a plan summarises.
fn requested(
    session: &Session<'_>,
    plan: &Plan,
    focus: Option<&str>,
    budget_tokens: Option<u64>,
) -> Result<SummaryTask, Error> {
    let mut options = SummaryOptions::new().budget_tokens(budget_tokens);
    options.focus = focus.map(str::to_owned);
    session.summary_request(plan, &options)?.ok_or_else(|| {
        Error::new(ErrorCode::EmptySummary, "there is nothing to summarise but an earlier summary")
    })
}
