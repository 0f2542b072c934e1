//! The history that a call gives: what of it is known, what is new, and what a record says of it.

use ebbline::{Error, binding};

use super::state::State;
use crate::error::{CompactorError, failure, invalid};
use crate::record::{self, Record};
use crate::texts::{MessageText, view_json};

impl State {
    /// Forgets which messages of the next call pins name: it was given up.
    pub(crate) fn forget_pins(&mut self) {
        self.next_call.pins.clear();
    }

    /// Says which of the messages that the next call adds a pin names.
    pub(crate) fn pin(&mut self, rule: u32, messages: &[u32]) -> Result<(), Error> {
        if !self.live.pins().is_of_messages(rule as usize) {
            return Err(invalid(format!("pin {rule} is none that goes by messages")));
        }
        for message in messages {
            *self.next_call.pins.entry(*message as usize).or_default() |= 1 << rule;
        }
        Ok(())
    }

    /// Says how known messages are written now, for the next call.
    pub(crate) fn renew(&mut self, messages: impl IntoIterator<Item = (usize, MessageText)>) {
        self.next_call.renewed = messages.into_iter().collect();
    }

    /// Takes the history: its first `keep` known messages, and new ones. Returns whether something in it is new.
    pub(crate) fn take(&mut self, keep: usize, added: Vec<MessageText>) -> Result<bool, CompactorError> {
        self.cancel();
        self.restored = None;
        let named = std::mem::take(&mut self.next_call.pins);
        let known = self.view.known();
        if keep > known {
            let message = format!("the first {keep} messages are said to be known, and {known} are");
            return Err(failure("mismatch", message));
        }
        let pins_at = |at: usize| named.get(&(keep + at)).copied().unwrap_or(0);
        let text = |(at, text): (usize, MessageText)| MessageText { pins: pins_at(at), ..text };
        let added: Vec<MessageText> = added.into_iter().enumerate().map(text).collect();
        if let Some(record) = self.record.take() {
            return self.restore(&record, &added).inspect_err(|_| self.record = Some(record));
        }
        let renewed = std::mem::take(&mut self.next_call.renewed);
        let is_renewed = !renewed.is_empty();
        if is_renewed {
            let with_pins = |(message, text): (usize, MessageText)| {
                let pins = self.view.history().get(message).map_or(0, |known| known.pins);
                (message, MessageText { pins, ..text })
            };
            let renewed = renewed.into_iter().map(with_pins).collect();
            self.view.renew(&renewed);
        }
        let is_edited = keep < known;
        self.course.took(is_edited, !added.is_empty());
        let before = if is_edited { self.beginning() } else { None };
        if is_renewed && !is_edited {
            self.live.renew(self.view.texts())?;
        }
        if is_edited {
            self.view.cut(keep);
            self.live.replace(self.view.texts())?;
        }
        self.live.push(added.clone())?;
        self.view.add(&added);
        self.check_introduction()?;
        if is_edited {
            self.rebase();
            self.edited(before, keep, known);
        }
        Ok(is_edited || !added.is_empty())
    }

    /// Makes the changes of a record again. If it does not fit, nothing is changed.
    fn restore(&mut self, record: &Record, history: &[MessageText]) -> Result<bool, CompactorError> {
        let restored = record.restored(history)?;
        self.live.replace(restored.view.texts())?;
        let lists = restored.view.compactions().iter().flat_map(|change| [&change.before, &change.after]);
        self.live.count_all(lists.map(|sent| sent.iter().map(|sent| sent.text.clone()).collect()))?;
        self.view = restored.view;
        self.course.restores(self.view.known().saturating_sub(record.messages));
        self.restored = restored.log;
        self.check_introduction()?;
        Ok(true)
    }

    fn check_introduction(&self) -> Result<(), Error> {
        self.live.format().map_or(Ok(()), |format| self.options.introduction.check(format))
    }

    /// The history that a record made whole, as JSON: a number is the index of a message that the last call gave, and
    /// `{"message": ..}` is one that the record had.
    pub(crate) fn restored(&self) -> Option<String> {
        let places = self.restored.as_ref()?;
        let log = self.view.history();
        let entries =
            places.iter().zip(log).map(|(place, text)| (*place, place.is_none().then_some(&*text.json)));
        Some(view_json(entries))
    }

    /// The whole output of a call, by its id or by the reference that stands in place of the output.
    pub(crate) fn recall(&self, id: &str) -> Result<Option<String>, CompactorError> {
        if self.view.known() == 0 {
            return Ok(None);
        }
        let messages = self.live.joined_of(self.view.history())?;
        // Where ids repeat, a reference leads to what stood at its place.
        let there = self.view.place_of(id).and_then(|place| binding::output_in(&messages.session, id, place));
        // What another compactor cleared is gone, unless there is a record of it.
        let whole = || messages.session.output_of_call(id).filter(|output| output.is_whole);
        Ok(there.or_else(|| whole().map(|output| output.text.into_owned())))
    }

    /// What was decided, as JSON.
    pub(crate) fn record(&self) -> String {
        if let Some(record) = &self.record {
            return record.source.clone();
        }
        let figures = self.course.state();
        record::write(
            &self.view,
            &figures,
            self.course.overhead(None),
            self.course.learnt(),
            self.options.has_originals,
        )
    }
}
