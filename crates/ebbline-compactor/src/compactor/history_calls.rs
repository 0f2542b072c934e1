//! Calls that give the whole history: what of it is known is found out here.

use ebbline::binding::seen::is_system;
use ebbline::json::Document;

use super::{Call, Compactor};
use crate::compaction::Cause;
use crate::error::CompactorError;
use crate::message::Message;
use crate::record::seen_of;
use crate::step::{RequestInfo, Step};
use crate::summary_request::SummaryRequest;
use crate::texts::{MessageText, elements};

impl Compactor {
    /// Before a request: `history` is the whole history of the agent, which only grows. What to send is [`Self::messages`] once the
    /// step is [`Step::Send`].
    ///
    /// Two messages are the same if a model sees the same of them: ids, times, metadata and cache marks may differ. Where the history
    /// has other messages than before, what was decided about them and about all behind them is dropped.
    ///
    /// # Errors
    ///
    /// An obstacle ([`Obstacle`](ebbline::controller::Obstacle)) or `head_fills_window` if nothing makes the context fit; as
    /// [`SessionText::read_with`](ebbline::SessionText::read_with) for messages that cannot be read; `mismatch` if a record does not fit the
    /// history.
    pub fn prepare<M: Message>(&mut self, history: &[M], info: RequestInfo) -> Result<Step, CompactorError> {
        let (keep, added) = self.compared(history);
        self.call(Call::Prepare { keep, added, info })
    }

    /// After the provider refused a request as too large: `refusal` is what it said, its words or its error as JSON. The window is
    /// from then on the one that it names, or smaller than what it refused.
    ///
    /// # Errors
    ///
    /// As [`Self::prepare`]; `no_messages`; `no_overflow` if it refused bytes or media, and there are no images to leave out.
    pub fn recover<M: Message>(
        &mut self,
        history: &[M],
        refusal: &str,
        info: RequestInfo,
    ) -> Result<Step, CompactorError> {
        let (keep, added) = self.compared(history);
        self.overflowed(refusal);
        self.call(Call::Force { cause: Cause::Overflow, keep, added, info })
    }

    /// When somebody asks for a compaction.
    ///
    /// # Errors
    ///
    /// As [`Self::prepare`]; `no_messages`.
    pub fn compact_now<M: Message>(
        &mut self,
        history: &[M],
        info: RequestInfo,
    ) -> Result<Step, CompactorError> {
        let (keep, added) = self.compared(history);
        self.call(Call::Force { cause: Cause::Asked, keep, added, info })
    }

    /// Takes a history without a request, such as the one that a record is of: nothing is decided.
    ///
    /// # Errors
    ///
    /// As [`Self::prepare`].
    pub fn resume_from(&mut self, keep: usize, added: &str) -> Result<Step, CompactorError> {
        let added = elements(added)?;
        self.call(Call::Resume { keep, added })
    }

    /// Answers requests for summaries until something else is to be done, or one that is in the background. If `model` fails, the
    /// session goes on without this summary, as [`Fallback`](crate::Fallback) says.
    ///
    /// # Errors
    ///
    /// As [`Self::answer`](Self::answer).
    pub fn summarize<E: std::fmt::Display>(
        &mut self,
        mut step: Step,
        mut model: impl FnMut(&SummaryRequest) -> Result<String, E>,
    ) -> Result<Step, CompactorError> {
        loop {
            step = match step {
                Step::Summarize(request) if !request.is_background || request.is_awaited => {
                    match model(&request) {
                        Ok(answer) => self.answer(&answer, false)?,
                        Err(error) => self.give_up(&error.to_string())?,
                    }
                }
                step => return Ok(step),
            };
        }
    }

    /// What to send: the messages as JSON, oldest first. Those that stay are as they were given.
    pub fn messages(&self) -> impl Iterator<Item = &str> {
        self.view().sent().iter().map(|sent| sent.json())
    }

    /// The whole history as JSON. After a record with originals was resumed with what was sent last, it has the messages that the
    /// record had: an agent goes on with it.
    pub fn history(&self) -> impl Iterator<Item = &str> {
        self.view().history().iter().map(|text| &*text.json)
    }

    /// How many messages of a history are known and stand, and those behind them. Messages of which the model sees the same as before
    /// are taken as they are now.
    fn compared<M: Message>(&mut self, history: &[M]) -> (usize, Vec<MessageText>) {
        let (mut keep, mut is_leading) = (0, true);
        let mut renewed = Vec::new();
        for (message, known) in history.iter().zip(self.view().history()) {
            let json = message.json();
            is_leading = is_leading && is_system_message(&known.json) && is_system_message(&json);
            if *json != *known.json {
                // System prompts in front may say something else each time, such as the date.
                if !is_leading && seen_of(&json) != seen_of(&known.json) {
                    break;
                }
                renewed.push((keep, MessageText::of(&json)));
            }
            keep += 1;
        }
        self.state.renew(renewed);
        let added = history.iter().skip(keep).map(|message| MessageText::of(&message.json())).collect();
        (keep, added)
    }
}

fn is_system_message(json: &str) -> bool {
    Document::parse(json).is_ok_and(|document| is_system(document.root()))
}
