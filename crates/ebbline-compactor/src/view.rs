//! What is sent instead of a history that only grows, and what was done to get there.

use std::collections::HashMap;

use crate::compaction::Compaction;
use crate::reference_places::ReferencePlaces;
use crate::texts::{MessageText, Outcome, view_json, with_current_metadata};

/// A message that is sent.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sent {
    /// Its index in the history; `None` for a message that was made.
    pub(crate) origin: Option<usize>,
    /// How it is written.
    pub(crate) text: MessageText,
    /// Whether it differs from the message of the history.
    pub(crate) is_changed: bool,
}

/// A compaction: what was sent before and after it, when the history had `until` messages.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) before: Vec<Sent>,
    pub(crate) after: Vec<Sent>,
    pub(crate) until: usize,
    pub(crate) compaction: Compaction,
}

impl Sent {
    /// Its index in the history; `None` for a message that was made.
    #[must_use]
    pub fn origin(&self) -> Option<usize> {
        self.origin
    }

    /// Whether it differs from the message of the history, or was made.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// The message as JSON.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.text.json
    }
}

/// What is sent instead of the history.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct View {
    /// The history.
    log: Vec<MessageText>,
    sent: Vec<Sent>,
    done: Vec<Change>,
    undone: Vec<Change>,
    changes: u32,
    /// Which outputs the references in it lead to.
    places: ReferencePlaces,
}

impl View {
    /// How many messages the history has.
    #[must_use]
    pub fn known(&self) -> usize {
        self.log.len()
    }

    /// The messages of the history.
    pub(crate) fn history(&self) -> &[MessageText] {
        &self.log
    }

    /// What is sent.
    #[must_use]
    pub fn sent(&self) -> &[Sent] {
        &self.sent
    }

    /// The compactions, oldest first.
    pub(crate) fn compactions(&self) -> &[Change] {
        &self.done
    }

    /// What is to be known about the newest compaction.
    pub(crate) fn newest(&mut self) -> Option<&mut Compaction> {
        self.done.last_mut().map(|change| &mut change.compaction)
    }

    /// The place in the history of the output that a reference leads to.
    pub(crate) fn place_of(&self, letters: &str) -> Option<usize> {
        self.places.place_of(letters)
    }

    /// The texts of what is sent.
    pub(crate) fn texts(&self) -> Vec<MessageText> {
        self.sent.iter().map(|sent| sent.text.clone()).collect()
    }

    /// How often it was changed: it is the same as long as this number is.
    #[must_use]
    pub fn changes(&self) -> u32 {
        self.changes
    }

    /// Adds messages at the end of the history.
    pub(crate) fn add(&mut self, texts: &[MessageText]) {
        for text in texts {
            self.sent.push(Sent { origin: Some(self.log.len()), text: text.clone(), is_changed: false });
            self.log.push(text.clone());
        }
    }

    /// Forgets the messages of the history from `log` on, and the compactions that concern them.
    pub(crate) fn cut(&mut self, log: usize) {
        if log >= self.log.len() {
            return;
        }
        self.undone.clear();
        while self.done.last().is_some_and(|change| concerns(change, log)) {
            self.turn_back();
        }
        self.drop_at_end(log);
        for change in &mut self.done {
            (change.before, change.after) = (without(&change.before, log), without(&change.after, log));
            change.until = change.until.min(log);
        }
        // Of what is gone nothing is left to be taken back, and a session that is edited for ever would remember it for ever.
        self.done.retain(|change| !says_nothing(change));
        self.log.truncate(log);
        self.places.cut(log);
        self.changes += 1;
    }

    /// Forgets what is sent of the messages from `log` on, and summaries at the end: after a rewind, what the model is to answer
    /// must not be inside one.
    pub(crate) fn drop_at_end(&mut self, log: usize) {
        loop {
            let left = without(&self.sent, log);
            let ends_in_summary = left.last().is_some_and(|sent| sent.origin.is_none());
            if !ends_in_summary || !self.turn_back() {
                self.sent = left;
                break;
            }
        }
    }

    /// Takes known messages as the caller has them now; the model sees the same of them.
    pub(crate) fn renew(&mut self, messages: &HashMap<usize, MessageText>) {
        for (message, text) in messages {
            if let Some(known) = self.log.get_mut(*message) {
                *known = text.clone();
            }
        }
        let of_changes = self.done.iter_mut().chain(&mut self.undone);
        let lists = of_changes.flat_map(|change| [&mut change.before, &mut change.after]);
        for sent in lists.flatten().chain(&mut self.sent) {
            let Some(text) = sent.origin.and_then(|origin| messages.get(&origin)) else { continue };
            if !sent.is_changed {
                sent.text = text.clone();
            } else if let Some(copy) = with_current_metadata(&sent.text.json, &text.json) {
                sent.text = sent.text.with(&copy);
            }
        }
        self.changes += 1;
    }

    /// Takes a compaction over: what it made of the messages that are sent. Returns those that could be made again before.
    pub(crate) fn change(&mut self, outcomes: &[Outcome], compaction: Compaction) -> Vec<Change> {
        self.change_until(outcomes, compaction, self.log.len())
    }

    /// The same for a compaction that was made when the history had `until` messages.
    pub(crate) fn change_until(
        &mut self,
        outcomes: &[Outcome],
        compaction: Compaction,
        until: usize,
    ) -> Vec<Change> {
        let Self { log, sent: before, places, .. } = &mut *self;
        let mut distinct = |sent: &Sent, text: &str| {
            let original = sent.origin.and_then(|origin| Some((origin, log.get(origin)?)));
            let Some((origin, original)) = original else { return sent.text.with(text) };
            sent.text.with(&places.distinct(text, origin, &original.json))
        };
        let sent = |outcome: &Outcome| match outcome {
            Outcome::Kept(index) => before.get(*index).cloned(),
            Outcome::Changed(index, text) => before.get(*index).map(|sent| Sent {
                origin: sent.origin,
                text: distinct(sent, text),
                is_changed: true,
            }),
            Outcome::Made(text) => Some(Sent { origin: None, text: MessageText::of(text), is_changed: true }),
        };
        let after: Vec<Sent> = outcomes.iter().filter_map(sent).collect();
        let before = std::mem::replace(&mut self.sent, after.clone());
        let (before, after) = (without(&before, until), without(&after, until));
        self.done.push(Change { before, after, until, compaction });
        self.changes += 1;
        std::mem::take(&mut self.undone)
    }

    /// Takes the newest compaction back. Returns whether there was one.
    pub(crate) fn undo(&mut self) -> bool {
        let Some(change) = self.done.last().cloned() else { return false };
        self.turn_back();
        self.undone.push(change);
        self.changes += 1;
        true
    }

    /// Makes the compaction again that was taken back last. Returns whether there was one.
    pub(crate) fn redo(&mut self) -> bool {
        let Some(change) = self.undone.pop() else { return false };
        self.sent = with_newer(&change.after, &self.sent, change.until);
        self.done.push(change);
        self.changes += 1;
        true
    }

    /// Whether a compaction was taken back that could be made again.
    pub(crate) fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Drops the newest compaction, as if it had never been made.
    pub(crate) fn drop_newest(&mut self, undone: Vec<Change>) {
        self.turn_back();
        self.undone = undone;
        self.changes += 1;
    }

    /// What is sent, as JSON: a number is the index of a message that stays as it is; `{"from": 3, "message": ..}` is message 3
    /// with something cleared; `{"message": ..}` is a message that was made.
    #[must_use]
    pub fn to_json(&self) -> String {
        view_json(self.sent.iter().map(|sent| match sent.origin {
            Some(origin) if !sent.is_changed => (Some(origin), None),
            origin => (origin, Some(&*sent.text.json)),
        }))
    }

    fn turn_back(&mut self) -> bool {
        let Some(change) = self.done.pop() else { return false };
        self.sent = with_newer(&change.before, &self.sent, change.until);
        true
    }
}

/// `old`, and what came behind the first `until` messages of the history.
fn with_newer(old: &[Sent], sent: &[Sent], until: usize) -> Vec<Sent> {
    let newer = sent.iter().filter(|sent| sent.origin.is_some_and(|origin| origin >= until));
    old.iter().chain(newer).cloned().collect()
}

/// What is left without the messages of the history from `log` on.
fn without(sent: &[Sent], log: usize) -> Vec<Sent> {
    sent.iter().filter(|sent| sent.origin.is_none_or(|origin| origin < log)).cloned().collect()
}

/// Whether a compaction summarized a message of the history from `log` on.
fn concerns(change: &Change, log: usize) -> bool {
    let is_left = |origin: usize| change.after.iter().any(|sent| sent.origin == Some(origin));
    change.before.iter().filter_map(|sent| sent.origin).any(|origin| origin >= log && !is_left(origin))
}

/// Whether a compaction changed nothing of what is left.
fn says_nothing(Change { before, after, .. }: &Change) -> bool {
    let is_same = |(one, other): (&Sent, &Sent)| {
        one.origin == other.origin
            && one.is_changed == other.is_changed
            && (!one.is_changed || one.text.json == other.text.json)
    };
    before.len() == after.len() && before.iter().zip(after).all(is_same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(words: &[&str]) -> Vec<MessageText> {
        words.iter().map(|word| MessageText::of(&format!("\"{word}\""))).collect()
    }

    fn view() -> View {
        let mut view = View::default();
        view.add(&texts(&["a", "b", "c", "d"]));
        let outcomes =
            [Outcome::Made("\"S\"".to_owned()), Outcome::Kept(2), Outcome::Changed(3, "\"D\"".to_owned())];
        view.change(&outcomes, Compaction::default());
        view.add(&texts(&["e"]));
        view
    }

    const COMPACTED: &str = r#"[{"message":"S"},2,{"from":3,"message":"D"},4]"#;

    #[test]
    fn a_compaction_is_taken_back_and_made_again_with_what_came_since() {
        let mut view = view();
        assert_eq!(view.to_json(), COMPACTED);
        assert!(view.undo() && view.can_redo() && !view.undo());
        assert_eq!(view.to_json(), "[0,1,2,3,4]");
        assert!(view.redo() && !view.redo());
        assert_eq!(view.to_json(), COMPACTED);
    }

    #[test]
    fn of_what_is_gone_nothing_is_remembered() {
        let mut view = View::default();
        view.add(&texts(&["a", "b", "c"]));
        let outcomes = [Outcome::Kept(0), Outcome::Kept(1), Outcome::Changed(2, "\"C\"".to_owned())];
        view.change(&outcomes, Compaction::default());
        view.cut(3);
        assert_eq!(view.done.len(), 1);
        view.cut(2);
        assert_eq!((view.to_json().as_str(), view.done.len(), view.undo()), ("[0,1]", 0, false));
    }

    #[test]
    fn a_rewind_drops_what_it_concerns() {
        for (log, left) in [
            (4, r#"[{"message":"S"},2,{"from":3,"message":"D"}]"#),
            (3, r#"[{"message":"S"},2]"#),
            (2, "[0,1]"),
            (1, "[0]"),
            (0, "[]"),
        ] {
            let mut view = view();
            view.cut(log);
            assert_eq!((view.to_json().as_str(), view.known()), (left, log));
        }
    }
}
