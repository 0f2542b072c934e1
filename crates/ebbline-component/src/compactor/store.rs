//! Where the caller keeps the messages that are no longer sent as they are: with it, an agent that kept only what it sent gets its
//! whole history back. Keys and texts are those of the npm package.

use std::collections::HashSet;

use ebbline::json::{Document, Writer};

use super::carrying::{Done, Waiting};
use super::cause::Cause;
use super::record::key_of;
use super::work::{Due, Work};
use crate::bindings::api::Failure;
use crate::changes::Outcome;
use crate::failure::failure;

/// A compaction that is made once the messages are stored that it concerns.
#[derive(Clone, Debug)]
pub(crate) struct Storing {
    done: Done,
    keys: Vec<String>,
    /// What the call is about that goes on then.
    pub(super) then: Option<Due>,
}

impl Storing {
    pub(super) fn cause(&self) -> Cause {
        self.done.cause()
    }
}

impl Work {
    /// Makes a compaction. If messages have to be stored before, nothing is changed, and they are asked for.
    pub(super) fn make(&mut self, done: Done) -> Result<Option<String>, Failure> {
        let Some(stored) = &self.stored else { return self.commit(done).map(|()| None) };
        let (keys, request) = missing(self, &done.outcomes, stored);
        if keys.is_empty() {
            return self.commit(done).map(|()| None);
        }
        self.waiting = Some(Waiting::Store(Storing { done, keys, then: None }));
        Ok(Some(request))
    }

    /// The first `texts` of those that were asked for are in the store.
    pub(crate) fn stored(&mut self, texts: usize) -> Result<Option<String>, Failure> {
        let Storing { done, keys, then } = match self.waiting.take() {
            Some(Waiting::Store(storing)) => storing,
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
            self.recovered_from_nothing(done.cause());
            return Ok(None);
        }
        self.commit(done)?;
        match then {
            Some(due) => self.after_taking_over(true, due),
            None => Ok(None),
        }
    }

    /// The keys of the texts that a record needs from the store, as JSON, until they were given.
    pub(crate) fn lacks(&self) -> String {
        let mut out = Writer::default();
        out.raw("[");
        let keys = self.record.iter().filter(|_| self.stored.is_some()).flat_map(|record| record.lacks());
        for (at, (_, key)) in keys.enumerate() {
            out.raw(if at == 0 { "" } else { "," }).string(&key);
        }
        out.raw("]");
        out.finish()
    }

    /// Takes the texts over that the store had: a JSON array, with `null` for those that it has not. A text that is no message
    /// counts as missing.
    pub(crate) fn found(&mut self, texts: &str) -> Result<(), Failure> {
        let document = Document::parse(texts)?;
        let (Some(record), Some(stored)) = (&mut self.record, &mut self.stored) else { return Ok(()) };
        let keys = record.lacks();
        for ((message, key), text) in keys.into_iter().zip(document.root().elements()) {
            let text = text.text().map(|text| text.decode().into_owned());
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
        Ok(())
    }
}

/// The messages of the history that are not sent as they are after these outcomes, and are not stored: their keys, and the request.
fn missing(work: &Work, outcomes: &[Outcome], stored: &HashSet<String>) -> (Vec<String>, String) {
    let sent = work.view.sent();
    let as_it_is = |outcome: &Outcome| match outcome {
        Outcome::Kept(at) => sent.get(*at).filter(|sent| !sent.is_changed).and_then(|sent| sent.origin),
        Outcome::Changed(..) | Outcome::Made(_) => None,
    };
    let is_sent: HashSet<usize> = outcomes.iter().filter_map(as_it_is).collect();
    let (mut keys, mut out) = (Vec::new(), Writer::default());
    for (message, text) in work.view.history().iter().enumerate() {
        if is_sent.contains(&message) {
            continue;
        }
        let key = key_of(message, &text.words);
        if !stored.contains(&key) {
            out.raw(if keys.is_empty() { "{\"store\":[" } else { "," }).raw("{\"key\":").string(&key);
            out.raw(",\"text\":").string(&text.words).raw("}");
            keys.push(key);
        }
    }
    out.raw("]}");
    (keys, out.finish())
}
