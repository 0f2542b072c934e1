//! Where the caller keeps the messages that are no longer sent as they are: with it, an agent that kept only what it sent gets its
//! whole history back. Keys and texts are those of the npm package.

use std::collections::HashSet;

use ebbline::json::Document;

use super::pending::{PendingCompaction, StorageWait, Waiting};
use super::state::State;
use crate::course::Passed;
use crate::error::{CompactorError, failure};
use crate::record::key_of;
use crate::step::{Original, Step};
use crate::texts::{MessageText, Outcome};

impl State {
    /// Makes a compaction. If messages have to be stored before, nothing is changed, and they are asked for.
    pub(super) fn make(&mut self, pending: PendingCompaction) -> Result<Step, CompactorError> {
        let Some(stored) = &self.stored else { return self.commit(pending).map(|()| Step::Send) };
        let originals = self.missing(&pending.outcomes, stored);
        if originals.is_empty() {
            return self.commit(pending).map(|()| Step::Send);
        }
        let keys = originals.iter().map(|original| original.key.clone()).collect();
        self.waiting = Some(Waiting::Storage(StorageWait { pending, keys, is_taken_over: false }));
        Ok(Step::Store(originals))
    }

    /// Whether so many texts are all that were to be stored.
    pub(crate) fn has_stored(&self, texts: usize) -> bool {
        !matches!(&self.waiting, Some(Waiting::Storage(wait)) if texts < wait.keys.len())
    }

    /// The first `texts` of those that were asked for are in the store.
    pub(crate) fn stored(&mut self, texts: usize) -> Result<Step, CompactorError> {
        let StorageWait { pending, keys, is_taken_over } = match self.waiting.take() {
            Some(Waiting::Storage(wait)) => wait,
            waiting => {
                self.waiting = waiting;
                return Err(failure("mismatch", "nothing is waited for that had to be stored"));
            }
        };
        let is_all = texts >= keys.len();
        if let Some(stored) = &mut self.stored {
            stored.extend(keys.into_iter().take(texts));
        }
        if !is_all {
            // What cannot be stored must not be changed, so that nothing was recovered from.
            self.course.recovered_from_nothing(pending.compaction.cause);
            return Ok(Step::Send);
        }
        let passes = pending.passes;
        self.commit(pending)?;
        match passes {
            Some(size) => self.passed(Passed::Made(size)),
            None if is_taken_over => self.after_taking_over(true, self.info.clone()),
            None => Ok(Step::Send),
        }
    }

    /// The keys of the texts that a record needs from the store, until they were given.
    pub(crate) fn missing_keys(&self) -> Vec<String> {
        let records = self.record.iter().filter(|_| self.stored.is_some());
        records.flat_map(|record| record.missing_keys()).map(|(_, key)| key).collect()
    }

    /// Takes the texts over that the store had, in the order of these keys. A text that is no message counts as missing.
    pub(crate) fn found(&mut self, texts: Vec<Option<String>>) {
        let (Some(record), Some(stored)) = (&mut self.record, &mut self.stored) else { return };
        let keys = record.missing_keys();
        for ((message, key), text) in keys.into_iter().zip(texts) {
            let is_message =
                |text: &String| Document::parse(text).is_ok_and(|document| document.root().is_object());
            // What is there need not be put again: a process that ends in a second `put` could spoil the only copy.
            if let Some(text) = text.filter(is_message)
                && record.keep(message, &text)
            {
                stored.insert(key);
            }
        }
        record.has_originals = true;
    }

    /// The messages of the history that are not sent as they are after these outcomes, and are not stored.
    fn missing(&self, outcomes: &[Outcome], stored: &HashSet<String>) -> Vec<Original> {
        let sent = self.view.sent();
        let as_it_is = |outcome: &Outcome| match outcome {
            Outcome::Kept(at) => sent.get(*at).filter(|sent| !sent.is_changed).and_then(|sent| sent.origin),
            Outcome::Changed(..) | Outcome::Made(_) => None,
        };
        let is_sent: HashSet<usize> = outcomes.iter().filter_map(as_it_is).collect();
        let history = self.view.history().iter().enumerate();
        let gone = history.filter(|(message, _)| !is_sent.contains(message));
        let original = |(message, text): (usize, &MessageText)| Original {
            key: key_of(message, &text.json),
            text: text.json.to_string(),
        };
        gone.map(original).filter(|original| !stored.contains(&original.key)).collect()
    }
}
