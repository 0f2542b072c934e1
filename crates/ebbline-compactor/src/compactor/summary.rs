//! A summary that a model writes: what it is asked, and how its answers are judged.

use ebbline::summary::{self, Answer, FileLists, SummaryOptions, SummaryTask};
use ebbline::{EditOptions, Error, ErrorCode, Format, Plan, SessionText, binding};

use super::pending::{ChunkProgress, ChunkResults, Next, OpenRequest, Part, Task, Waiting};
use super::state::State;
use crate::chunks::{BOUNDLESS, divide, is_too_much, joined_summaries};
use crate::compaction::Cause;
use crate::error::{CompactorError, failure};
use crate::event::Event;
use crate::judgement::{Refusal, judged};
use crate::options::Chunks;
use crate::step::Step;
use crate::summary_request::SummaryRequest;
use crate::texts::{JoinedMessages, Outcome, elements};

impl State {
    /// The request for a summary of what a task summarizes, or for its first part.
    pub(super) fn draft(
        &mut self,
        task: &Task,
        focus: Option<String>,
    ) -> Result<OpenRequest, CompactorError> {
        let Task { messages: JoinedMessages { session, .. }, plan, .. } = task;
        let mut asked = self.options.summaries.clone();
        asked.focus = focus.or(asked.focus);
        asked.notes = self.info.notes.clone().or(asked.notes);
        let budget = asked.budget_tokens;
        let (requested, refusal) = match requested(session, plan, &asked) {
            Err(error) if error.kind() == ErrorCode::BudgetTooSmall => {
                (requested(session, plan, &asked.clone().budget_tokens(BOUNDLESS))?, Some(error))
            }
            requested => (requested?, None),
        };
        let most = requested.budget(plan, budget);
        let is_whole = refusal.is_none()
            && (self.options.chunks == Chunks::WhereNeeded
                || !is_too_much(plan.decision.retain.summarized, most));
        let chunks = if is_whole {
            None
        } else {
            divide(&self.live, self.live.texts(), session.format(), plan, most)?
        };
        let mut open = OpenRequest {
            request: SummaryRequest::of(&requested),
            context: requested.context,
            asked,
            is_second: false,
            budget: most,
            part: None,
            progress: None,
        };
        match (chunks, refusal) {
            (None, Some(refusal)) => return Err(refusal.into()),
            (None, None) => self.tell_request(task.cause, plan, 1, 1),
            (Some(chunks), _) => {
                let results = match self.options.chunks {
                    Chunks::MapReduce => ChunkResults::Summaries(Vec::new()),
                    _ => ChunkResults::Rolling(chunks.part(0).to_vec()),
                };
                self.ask_part(task, &mut open, ChunkProgress { chunks, at: 0, before: 0, results })?;
            }
        }
        Ok(open)
    }

    /// Writes the request for the part that a course has come to.
    fn ask_part(
        &mut self,
        task: &Task,
        open: &mut OpenRequest,
        progress: ChunkProgress,
    ) -> Result<(), CompactorError> {
        let ChunkProgress { chunks, at, before, results } = &progress;
        let (texts, is_last) = match results {
            ChunkResults::Rolling(texts) => (texts.as_slice(), at + 1 == chunks.cuts.len()),
            ChunkResults::Summaries(_) => (chunks.part(*at), false),
        };
        let (messages, plan) = self.live.portion(texts, chunks.format)?;
        let mut requested = requested(&messages.session, &plan, &open.asked)?;
        let parts = before + chunks.cuts.len();
        let parts = if matches!(results, ChunkResults::Summaries(_)) {
            // The files of all parts stand behind the summary of all.
            requested.context.files = FileLists::default();
            parts + 1
        } else {
            parts
        };
        self.tell_request(task.cause, &plan, before + at + 1, parts);
        open.budget = requested.budget(&plan, open.asked.budget_tokens);
        open.request = SummaryRequest::of(&requested);
        open.is_second = false;
        // The last answer is judged by the whole.
        open.part = (!is_last).then_some(Part { messages, plan, context: requested.context });
        open.progress = Some(progress);
        Ok(())
    }

    /// What follows the summary of a part.
    fn after_part(
        &mut self,
        task: &Task,
        open: &mut OpenRequest,
        summary: String,
    ) -> Result<Next, CompactorError> {
        let Some(mut progress) = open.progress.take() else { return Ok(Next::Summary(summary)) };
        progress.at += 1;
        match &mut progress.results {
            ChunkResults::Rolling(texts) => {
                let Some(Part { messages: JoinedMessages { session, spans, .. }, plan, .. }) =
                    open.part.take()
                else {
                    return Ok(Next::Summary(summary));
                };
                let telling = self.options.introduction.of_part();
                let edits = binding::edits(&session, &plan, &EditOptions::new().summary(summary), telling)?;
                *texts = Outcome::texts(&Outcome::of_edits(session.text().as_str(), &spans, &edits)?, texts);
                texts.extend_from_slice(progress.chunks.newer(progress.at));
            }
            ChunkResults::Summaries(summaries) => {
                summaries.push(summary);
                if progress.at == progress.chunks.cuts.len() {
                    let summaries = std::mem::take(summaries);
                    return self.join(task, open, &summaries);
                }
            }
        }
        self.ask_part(task, open, progress)?;
        Ok(Next::Request(open.request.clone()))
    }

    /// Asks for one summary of all summaries; for one part after the other, if they are too long for one request.
    fn join(
        &mut self,
        task: &Task,
        open: &mut OpenRequest,
        summaries: &[String],
    ) -> Result<Next, CompactorError> {
        let (texts, format, done) =
            (elements(&joined_summaries(summaries))?, Format::OpenaiChat, summaries.len());
        let (messages, plan) = self.live.portion(&texts, format)?;
        let budget = open.asked.budget_tokens;
        let all = requested(&messages.session, &plan, &open.asked.clone().budget_tokens(BOUNDLESS))?;
        let most = all.budget(&plan, budget);
        let is_long = plan.decision.retain.summarized > most;
        let chunks = if is_long { divide(&self.live, &texts, format, &plan, most)? } else { None };
        if let Some(chunks) = chunks {
            let results = ChunkResults::Rolling(chunks.part(0).to_vec());
            self.ask_part(task, open, ChunkProgress { chunks, at: 0, before: done, results })?;
        } else {
            let requested = requested(&messages.session, &plan, &open.asked)?;
            open.budget = requested.budget(&plan, budget);
            open.request = SummaryRequest::of(&requested);
            (open.is_second, open.part) = (false, None);
            self.tell_request(task.cause, &plan, done + 1, done + 1);
        }
        Ok(Next::Request(open.request.clone()))
    }

    /// Tells that a model is asked for a summary of what a plan summarizes: part number `part` of `parts`.
    pub(super) fn tell_request(&mut self, cause: Cause, plan: &Plan, part: usize, parts: usize) {
        let (messages, tokens) = (plan.decision.retain.messages, plan.decision.retain.summarized);
        self.events.tell(Event::SummaryRequested { cause, messages, tokens, part, parts });
    }

    /// The model's answer.
    pub(crate) fn answer(&mut self, text: &str, truncated: bool) -> Result<Step, CompactorError> {
        self.judge_answer(|state, task, open| state.proceed(task, open, text, truncated))
    }

    /// The model failed.
    pub(crate) fn give_up(&mut self, why: &str) -> Result<Step, CompactorError> {
        self.judge_answer(|_, _, _| Err(failure("summary_failed", why)))
    }

    fn judge_answer(
        &mut self,
        next: impl FnOnce(&mut Self, &Task, &mut OpenRequest) -> Result<Next, CompactorError>,
    ) -> Result<Step, CompactorError> {
        let (task, mut open) = match self.waiting.take() {
            Some(Waiting::Summary(task, open)) => (task, open),
            waiting => {
                self.waiting = waiting;
                return self.answered_in_background(next);
            }
        };
        match next(self, &task, &mut open) {
            Ok(Next::Request(request)) => {
                self.waiting = Some(Waiting::Summary(task, open));
                Ok(Step::Summarize(request))
            }
            Ok(Next::Summary(summary)) => self.finish(&task, Ok((summary, false))),
            Err(error) => self.finish(&task, Err(error)),
        }
    }

    /// What is to be done with an answer. One that must not replace history is asked for once more.
    fn proceed(
        &mut self,
        task: &Task,
        open: &mut OpenRequest,
        text: &str,
        truncated: bool,
    ) -> Result<Next, CompactorError> {
        let (session, plan, context) = match &open.part {
            Some(Part { messages, plan, context }) => (&messages.session, plan, context),
            None => (&task.messages.session, &task.plan, &open.context),
        };
        let judged =
            judged(context, plan.decision.trigger.context, Answer::new(text, truncated), |summary| {
                session.shortcomings(plan, summary, self.options.acceptance)
            });
        match judged {
            Ok(summary) => self.after_part(task, open, summary),
            Err(Refusal { reminder: Some(reminder), .. }) if !open.is_second => {
                open.is_second = true;
                let sent = open.request.text();
                let (text, reminder) = summary::again(context, &sent, text, &reminder, open.budget);
                open.request = std::mem::take(&mut open.request).reminded(&text, &reminder);
                Ok(Next::Request(open.request.clone()))
            }
            Err(Refusal { error, .. }) => Err(error),
        }
    }
}

/// The request for a summary of what a plan summarizes.
fn requested(session: &SessionText<'_>, plan: &Plan, options: &SummaryOptions) -> Result<SummaryTask, Error> {
    session.summary_request(plan, options)?.ok_or_else(|| {
        Error::new(ErrorCode::EmptySummary, "there is nothing to summarize but an earlier summary")
    })
}
