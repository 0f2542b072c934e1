//! The state machine of a compactor: steps go out, answers come in. It reads no clock and calls no model.

mod background;
mod decision;
mod execution;
mod fixed_content;
mod history;
mod history_calls;
mod notices;
mod overflow;
mod passes;
mod pending;
mod state;
mod storage;
mod summary;
mod usage;

use ebbline::plan::Decision;

use crate::compaction::Cause;
use crate::error::{CompactorError, failure};
use crate::event::Event;
use crate::options::Options;
use crate::record::seen_of;
use crate::step::{RequestInfo, Step, Wishes};
use crate::summary_request::SummaryRequest;
use crate::texts::{MessageText, elements, figures};
use crate::usage::Usage;
use crate::view::View;
use state::State;

/// Keeps the session of an agent inside its context window.
///
/// The agent gives its whole history before each request ([`Self::prepare`]) and sends what the compactor says
/// ([`Self::messages`]). What was decided is remembered, so that a history that only grows gives the same view again.
///
/// A host that compares histories itself, such as a binding to another language, calls the methods that end in `_from` instead: they
/// take how many of the known messages stand, and a JSON array of the new ones.
///
/// # Example
///
/// ```
/// use ebbline_compactor::{Compactor, Model, Options, RequestInfo};
///
/// let mut compactor = Compactor::new(Options::new().model(Model::new(16_000).output(2_000)))?;
/// let history = vec![r#"{"role": "user", "content": "Mend the login test."}"#];
/// let step = compactor.prepare(&history, RequestInfo::new())?;
/// // What your model says to a request for a summary; here it is not asked yet.
/// let step = compactor.summarize(step, |_request| Ok::<_, std::io::Error>("The agent has begun.".to_owned()))?;
/// assert!(step.is_send());
/// assert!(compactor.messages().eq(history));
/// # Ok::<(), ebbline_compactor::CompactorError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Compactor {
    state: State,
    /// The call that is made again once the caller has counted.
    uncounted: Option<Call>,
}

/// A call that decides something, and may have to be made again.
#[derive(Clone, Debug)]
enum Call {
    Prepare { keep: usize, added: Vec<MessageText>, info: RequestInfo },
    Resume { keep: usize, added: Vec<MessageText> },
    Force { cause: Cause, keep: usize, added: Vec<MessageText>, info: RequestInfo },
    Allow(Result<Option<Wishes>, CompactorError>),
    Answer { text: String, is_truncated: bool },
    GiveUp(String),
    Stored(usize),
}

impl Call {
    /// Makes the call. Once nothing is asked for any more, and something is sent, it is said whether that exceeds the window.
    fn make(self, state: &mut State) -> Result<Step, CompactorError> {
        let is_sent = match &self {
            Self::Force { cause, .. } => *cause != Cause::Asked,
            Self::Resume { .. } => false,
            // The caller's own store has failed, and so does its call.
            Self::Stored(texts) => state.has_stored(*texts),
            _ => true,
        };
        let step = self.decide(state);
        // A call has ended if it failed, or if the agent may go on.
        let goes_on = |request: &SummaryRequest| request.is_background && !request.is_awaited;
        match &step {
            Ok(Step::Summarize(request)) if !goes_on(request) => {}
            Ok(Step::Permit(_) | Step::Store(_) | Step::Count(_)) => {}
            _ => state.tell_passes(),
        }
        if is_sent && step.as_ref().is_ok_and(Step::is_send) {
            state.warn();
        }
        step
    }

    fn decide(self, state: &mut State) -> Result<Step, CompactorError> {
        match self {
            Self::Prepare { keep, added, mut info } => {
                if state.take(keep, added)? {
                    state.answered();
                }
                info.idle = state.idle(&info);
                state.begins(&info);
                state.prepares(info.now);
                if let Some(model) = &info.model {
                    state.switch_to(model)?;
                }
                state.prepare(info)
            }
            Self::Resume { keep, added } => state.take(keep, added).map(|_| Step::Send),
            Self::Force { cause, keep, added, mut info } => {
                state.take(keep, added)?;
                info.idle = state.idle(&info);
                state.begins(&info);
                state.forced(cause, info)
            }
            Self::Allow(wishes) => state.allow(wishes),
            Self::Answer { text, is_truncated } => state.answer(&text, is_truncated),
            Self::GiveUp(why) => state.give_up(&why),
            Self::Stored(texts) => state.stored(texts),
        }
    }
}

impl Compactor {
    /// A compactor of a session that has not begun.
    ///
    /// # Errors
    ///
    /// As [`Options::from_json`]; `mismatch` for a record whose figures are none.
    pub fn new(options: Options) -> Result<Self, CompactorError> {
        Ok(Self { state: State::new(options)?, uncounted: None })
    }

    /// Says which of the messages that the next call adds a pin names, by their indices in the history; `rule` is the number of the
    /// pin, which must have `message`.
    ///
    /// # Errors
    ///
    /// `invalid_option`.
    pub fn pin(&mut self, rule: u32, messages: &[u32]) -> Result<(), CompactorError> {
        Ok(self.state.pin(rule, messages)?)
    }

    /// Known messages as the caller has them now, a JSON array, by their indices: the next call takes them.
    ///
    /// # Errors
    ///
    /// `not_json`, `invalid_option`.
    pub fn renew(&mut self, indices: &[u32], messages: &str) -> Result<(), CompactorError> {
        let indices = indices.iter().map(|index| *index as usize);
        self.state.renew(indices.zip(elements(messages)?));
        Ok(())
    }

    /// Before a request.
    ///
    /// # Errors
    ///
    /// As [`Self::prepare`].
    pub fn prepare_from(
        &mut self,
        keep: usize,
        added: &str,
        info: RequestInfo,
    ) -> Result<Step, CompactorError> {
        let added = elements(added)?;
        self.call(Call::Prepare { keep, added, info })
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

    /// What the provider said when it refused a request as too large: its words, or its error as JSON. [`Self::recover_from`] goes
    /// by it.
    pub fn overflowed(&mut self, words: &str) {
        self.state.overflowed(words);
    }

    /// After the provider refused a request as too large.
    ///
    /// # Errors
    ///
    /// As [`Self::recover`].
    pub fn recover_from(
        &mut self,
        keep: usize,
        added: &str,
        info: RequestInfo,
    ) -> Result<Step, CompactorError> {
        let added = elements(added)?;
        self.call(Call::Force { cause: Cause::Overflow, keep, added, info })
    }

    /// When somebody asks for a compaction.
    ///
    /// # Errors
    ///
    /// As [`Self::compact_now`].
    pub fn compact_now_from(
        &mut self,
        keep: usize,
        added: &str,
        info: RequestInfo,
    ) -> Result<Step, CompactorError> {
        let added = elements(added)?;
        self.call(Call::Force { cause: Cause::Asked, keep, added, info })
    }

    /// What the caller says to a compaction: nothing if it must not be made, otherwise its wishes.
    ///
    /// # Errors
    ///
    /// `mismatch` if nobody asked; `invalid_option` for wishes that are none.
    pub fn allow(&mut self, wishes: Option<Wishes>) -> Result<Step, CompactorError> {
        self.call(Call::Allow(Ok(wishes)))
    }

    /// The same for wishes as JSON.
    ///
    /// # Errors
    ///
    /// As [`Self::allow`]; nothing is allowed by what is no JSON.
    pub fn allow_json(&mut self, wishes: Option<&str>) -> Result<Step, CompactorError> {
        let wishes = wishes.map(Wishes::from_json).transpose();
        self.call(Call::Allow(wishes.map_err(CompactorError::from)))
    }

    /// The model's answer to the request for a summary; `is_truncated` says that it ended at the model's output limit. An answer that
    /// must not replace history is asked for once more.
    ///
    /// # Errors
    ///
    /// `mismatch` if no summary is waited for; an obstacle if nothing else makes the context fit.
    pub fn answer(&mut self, text: &str, is_truncated: bool) -> Result<Step, CompactorError> {
        self.call(Call::Answer { text: text.to_owned(), is_truncated })
    }

    /// The model failed: `why`, as a sentence. The session goes on without this summary.
    ///
    /// # Errors
    ///
    /// As [`Self::answer`].
    pub fn give_up(&mut self, why: &str) -> Result<Step, CompactorError> {
        self.call(Call::GiveUp(why.to_owned()))
    }

    /// The caller has stored the first `texts` of the texts that it was asked to store.
    ///
    /// # Errors
    ///
    /// `mismatch` if nothing was to be stored.
    pub fn stored(&mut self, texts: usize) -> Result<Step, CompactorError> {
        self.call(Call::Stored(texts))
    }

    /// The tokens of each text that the caller was asked to count.
    ///
    /// # Errors
    ///
    /// `mismatch` if nothing was to be counted, `invalid_option` for other than so many numbers of 0 or more; then as the call that
    /// asked.
    pub fn counted(&mut self, tokens: &[f64]) -> Result<Step, CompactorError> {
        self.take_counts(Ok(tokens.to_vec()))
    }

    /// The same as a JSON array.
    ///
    /// # Errors
    ///
    /// As [`Self::counted`]; `not_json`.
    pub fn counted_json(&mut self, tokens: &str) -> Result<Step, CompactorError> {
        self.take_counts(figures(tokens).map_err(CompactorError::from))
    }

    fn take_counts(&mut self, tokens: Result<Vec<f64>, CompactorError>) -> Result<Step, CompactorError> {
        let call = self.uncounted.take();
        let call = call.ok_or_else(|| failure("mismatch", "nothing is waited for that had to be counted"))?;
        self.state.counts().take(&tokens?)?;
        self.call(call)
    }

    /// Makes a call. If the caller has to count texts first, nothing is changed, and it is asked for.
    fn call(&mut self, call: Call) -> Result<Step, CompactorError> {
        self.uncounted = None;
        if !self.state.counts().are_wanted() {
            return call.make(&mut self.state);
        }
        let before = self.state.clone();
        self.state.counts().forget_missing();
        let step = call.clone().make(&mut self.state);
        // What was decided by other figures, a failure too, was not decided.
        let Some(texts) = self.state.counts().request() else { return step };
        self.state = before;
        self.uncounted = Some(call);
        Ok(Step::Count(texts))
    }

    /// The caller cancelled what it was asked for. Nothing new is decided. A summary in the background is written on.
    pub fn cancel(&mut self) {
        if self.uncounted.take().is_some() {
            self.state.forget_pins();
        }
        self.state.cancel();
    }

    /// Whether the answer to a request in the background is still wanted.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.state.is_wanted()
    }

    /// The keys of the texts that a record needs from the store, to be asked for before the first call.
    #[must_use]
    pub fn missing_keys(&self) -> Vec<String> {
        self.state.missing_keys()
    }

    /// What the store has under these keys, in their order; `None` for what it has not.
    pub fn found(&mut self, texts: Vec<Option<String>>) {
        self.state.found(texts);
    }

    /// What is sent, and what was decided to get there.
    #[must_use]
    pub fn view(&self) -> &View {
        self.state.view()
    }

    /// The whole history, if the last call's was made whole from a record, as JSON: a number is the index of a message that was
    /// added, `{"message": ..}` is one that the record had.
    #[must_use]
    pub fn restored(&self) -> Option<String> {
        self.state.restored()
    }

    /// What the provider reported for the last request: it teaches what is sent beside the messages, and how far the estimate is off.
    pub fn usage(&mut self, usage: Usage) {
        self.state.usage(usage.tokens, usage.cleared);
    }

    /// How full the context is.
    pub fn decide(&mut self) -> Decision {
        self.state.decide(None)
    }

    /// Takes the newest compaction back. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// As [`SessionText::read_with`](ebbline::SessionText::read_with).
    pub fn undo(&mut self) -> Result<bool, CompactorError> {
        Ok(self.state.turn(false)?)
    }

    /// Makes the compaction again that was taken back last. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// As [`Self::undo`].
    pub fn redo(&mut self) -> Result<bool, CompactorError> {
        Ok(self.state.turn(true)?)
    }

    /// The whole output of a call, whatever became of it, by the id of the call or the reference that stands in place of the output.
    ///
    /// # Errors
    ///
    /// As [`SessionText::read_with`](ebbline::SessionText::read_with).
    pub fn recall(&self, id: &str) -> Result<Option<String>, CompactorError> {
        self.state.recall(id)
    }

    /// What was decided, as JSON: with it, another compactor goes on where this one is.
    #[must_use]
    pub fn record(&self) -> String {
        self.state.record()
    }

    /// What happened since the last call.
    pub fn events(&mut self) -> Vec<Event> {
        self.state.events()
    }
}

/// What a model sees of messages, a JSON array. Two messages are the same if these are: their ids, times, metadata and cache marks
/// may differ.
///
/// # Errors
///
/// `not_json`; `invalid_option` for what is no array.
pub fn seen(messages: &str) -> Result<Vec<String>, CompactorError> {
    Ok(elements(messages)?.into_iter().map(|text| seen_of(&text.json)).collect())
}

#[cfg(test)]
mod tests;
