//! What a compactor decided, as plain data: enough to give the same view again in another process.
//!
//! It holds what was put in the place of outputs and messages, and a checksum of each message that it concerns. It is the
//! record of the npm package (`CompactorRecord`): each reads the other's, if messages are written as `JSON.stringify` writes
//! them.

mod checksum;
mod read;
mod write;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::compaction::Compaction;
use crate::error::CompactorError;
use crate::error::failure;
use crate::overflow::LearntWindow;
use crate::texts::{MessageText, Outcome};
use crate::view::View;

pub(crate) use self::checksum::seen_of;
pub(crate) use self::write::write;

use self::checksum::sum_of;

const VERSION: f64 = 2.0;

/// A record of an earlier compactor.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// How it was given.
    pub(crate) source: String,
    /// How many messages the history had.
    pub(crate) messages: usize,
    pub(crate) overhead: Option<u64>,
    pub(crate) learnt: Option<LearntWindow>,
    /// What the controller remembers.
    pub(crate) controller: Vec<f64>,
    originals: HashMap<usize, Arc<str>>,
    /// Whether it came with these messages, or they were fetched.
    pub(crate) has_originals: bool,
    changes: Vec<Recorded>,
}

/// A message, and where it stands in what was given.
type Placed = (MessageText, Option<usize>);

#[derive(Clone, Debug)]
struct Recorded {
    compaction: Compaction,
    replaced: Vec<(Bound, String)>,
    summary: Option<SummaryRecord>,
}

/// A message of the history, and its checksum.
#[derive(Clone, Copy, Debug)]
struct Bound {
    message: usize,
    checksum: u32,
}

/// The messages that a summary stands for, and what is sent instead.
#[derive(Clone, Debug)]
struct SummaryRecord {
    until: usize,
    replaces: Vec<Bound>,
    /// The places of earlier summaries in the view before.
    earlier: Vec<usize>,
    /// The messages that were made, each at its place in the view after.
    made: Vec<(usize, String)>,
}

impl Record {
    /// The messages that it speaks of, and the keys under which a store has them; none if it has the messages itself.
    pub(crate) fn missing_keys(&self) -> Vec<(usize, String)> {
        if self.has_originals {
            return Vec::new();
        }
        let bounds = self.changes.iter().flat_map(|change| {
            let whole = change.summary.iter().flat_map(|whole| &whole.replaces);
            change.replaced.iter().map(|(bound, _)| bound).chain(whole)
        });
        let mut known = HashSet::new();
        let named = bounds.map(|bound| (bound.message, named(bound.message, bound.checksum)));
        named.filter(|(_, key)| known.insert(key.clone())).collect()
    }

    /// Takes a message over from a store, unless it is known already.
    pub(crate) fn keep(&mut self, message: usize, text: &str) -> bool {
        if self.originals.contains_key(&message) {
            return false;
        }
        self.originals.insert(message, Arc::from(text));
        true
    }

    /// The view of a history whose first messages are those of the record.
    ///
    /// # Errors
    ///
    /// `mismatch` if the history is another one.
    pub(crate) fn restored(&self, history: &[MessageText]) -> Result<Restored, CompactorError> {
        let again = |log: &[MessageText]| {
            let mut view = View::default();
            view.add(log);
            self.make_again(&mut view, true)?;
            Ok(view)
        };
        let error = match again(history) {
            Ok(mut view) => {
                if history.len() < self.messages {
                    view.drop_at_end(history.len());
                }
                return Ok(Restored { view, log: None });
            }
            Err(error) => error,
        };
        let Some((log, known)) = self.rebuilt(history) else { return Err(error) };
        let texts: Vec<MessageText> = log.iter().map(|(text, _)| text.clone()).collect();
        let mut view = again(&texts)?;
        let newer = history.get(known..).unwrap_or_default();
        view.add(newer);
        let places = log.into_iter().map(|(_, place)| place);
        let log = places.chain((known..history.len()).map(Some)).collect();
        Ok(Restored { view, log: Some(log) })
    }

    /// The whole history of an agent that kept only what was sent, if the record has the rest: each message, with its place in
    /// what the agent kept; and how many of those the record knows.
    fn rebuilt(&self, history: &[MessageText]) -> Option<(Vec<Placed>, usize)> {
        if self.originals.is_empty() || self.messages > self.originals.len() + history.len() {
            return None;
        }
        let mut shape = View::default();
        shape.add(&vec![MessageText::of("{}"); self.messages]);
        self.make_again(&mut shape, false).ok()?;
        let sent = shape.sent();
        let mut log: Vec<Option<Placed>> = (0..self.messages)
            .map(|message| {
                let original = self.originals.get(&message)?;
                Some((MessageText { json: original.clone(), pins: 0 }, None))
            })
            .collect();
        for (at, sent) in sent.iter().enumerate() {
            let given = history.get(at)?;
            match sent.origin {
                Some(origin) if !sent.is_changed => *log.get_mut(origin)? = Some((given.clone(), Some(at))),
                _ if seen_of(&given.json) != seen_of(&sent.text.json) => return None,
                _ => {}
            }
        }
        Some((log.into_iter().collect::<Option<Vec<_>>>()?, sent.len()))
    }

    fn make_again(&self, view: &mut View, is_checked: bool) -> Result<(), CompactorError> {
        for Recorded { compaction, replaced, summary } in &self.changes {
            let whole = summary.iter().flat_map(|whole| &whole.replaces);
            for Bound { message, checksum: known } in replaced.iter().map(|(bound, _)| bound).chain(whole) {
                let found = view.history().get(*message);
                if found.is_none_or(|text| is_checked && sum_of(&text.json) != *known) {
                    let what = format!("message {message} of the history is not the one that was compacted");
                    return Err(refused(&what));
                }
            }
            let becomes: HashMap<usize, &String> =
                replaced.iter().map(|(bound, becomes)| (bound.message, becomes)).collect();
            let gone: HashSet<usize> =
                summary.iter().flat_map(|whole| &whole.replaces).map(|bound| bound.message).collect();
            let earlier = summary.as_ref().map_or(&[][..], |whole| &whole.earlier);
            let mut outcomes = Vec::new();
            for (at, sent) in view.sent().iter().enumerate() {
                outcomes.push(match sent.origin {
                    Some(origin) if gone.contains(&origin) => continue,
                    None if earlier.contains(&at) => continue,
                    Some(origin) => match becomes.get(&origin) {
                        Some(text) => Outcome::Changed(at, (*text).clone()),
                        None => Outcome::Kept(at),
                    },
                    None => Outcome::Kept(at),
                });
            }
            for (place, made) in summary.iter().flat_map(|whole| &whole.made) {
                outcomes.insert((*place).min(outcomes.len()), Outcome::Made(made.clone()));
            }
            let until = summary.as_ref().map_or(view.known(), |whole| whole.until);
            view.change_until(&outcomes, compaction.clone(), until.min(view.known()));
        }
        Ok(())
    }
}

/// A view that was made again.
#[derive(Debug)]
pub(crate) struct Restored {
    pub(crate) view: View,
    /// For a history that was kept as it was sent: where each message of the whole history stands in what was given; `None`
    /// for one that the record had.
    pub(crate) log: Option<Vec<Option<usize>>>,
}

/// The key under which a store has a message.
pub(crate) fn key_of(message: usize, text: &str) -> String {
    named(message, sum_of(text))
}

fn named(message: usize, checksum: u32) -> String {
    format!("{message}-{checksum:08x}")
}

fn refused(why: &str) -> CompactorError {
    let next = "begin without `record`, or with `resume`, which does so and says why";
    failure(
        "mismatch",
        format!("the record does not fit: {why}. Pass the history that it was made of, or {next}"),
    )
}

#[cfg(test)]
mod tests {
    use ebbline::json::Document;

    use super::*;
    use crate::compaction::SummaryAppendix;

    fn log() -> Vec<MessageText> {
        (0..6).map(|number| MessageText::of(&format!("{{\"n\":{number}}}"))).collect()
    }

    fn view() -> View {
        let mut view = View::default();
        view.add(log().get(..4).unwrap());
        let cleared = [
            Outcome::Kept(0),
            Outcome::Kept(1),
            Outcome::Changed(2, r#"{"n":"-"}"#.to_owned()),
            Outcome::Kept(3),
        ];
        view.change(&cleared, Compaction { at: 7, profile: "ebbline@2".to_owned(), ..Compaction::default() });
        let summarized = [Outcome::Made(r#"{"s":1}"#.to_owned()), Outcome::Kept(2), Outcome::Kept(3)];
        let about =
            Compaction { summarized: 2, appendix: Some(SummaryAppendix::default()), ..Compaction::default() };
        view.change(&summarized, about.clone());
        view.add(log().get(4..5).unwrap());
        view.change(&[Outcome::Made(r#"{"s":2}"#.to_owned()), Outcome::Kept(3)], about);
        view
    }

    fn record(view: &View, has_originals: bool) -> Record {
        let text = write(view, &[0.0; 10], Some(12), None, has_originals);
        Record::read(Document::parse(&text).unwrap().root()).unwrap()
    }

    #[test]
    fn a_view_is_made_again_and_can_be_taken_back() {
        let mut before = view();
        let record = record(&before, false);
        assert_eq!((record.messages, record.overhead, record.controller.len()), (5, Some(12), 10));
        let mut after = record.restored(&log()).unwrap().view;
        before.add(log().get(5..).unwrap());
        assert_eq!(write(&after, &[], None, None, true), write(&before, &[], None, None, true));
        for left in [
            r#"[{"message":{"s":1}},{"from":2,"message":{"n":"-"}},3,4,5]"#,
            r#"[0,1,{"from":2,"message":{"n":"-"}},3,4,5]"#,
            "[0,1,2,3,4,5]",
        ] {
            assert!(after.undo() && before.undo());
            assert_eq!((after.to_json().as_str(), before.to_json().as_str()), (left, left));
        }
    }

    #[test]
    fn a_history_that_was_kept_as_it_was_sent_is_made_whole() {
        let view = view();
        let sent: Vec<MessageText> = view
            .sent()
            .iter()
            .map(|sent| sent.text.clone())
            .chain([MessageText::of("{ \"n\": 5 }")])
            .collect();
        assert_eq!(record(&view, false).restored(&sent).unwrap_err().code(), "mismatch");
        let restored = record(&view, true).restored(&sent).unwrap();
        assert_eq!(restored.log.unwrap(), [None, None, None, None, Some(1), Some(2)]);
        assert_eq!(restored.view.to_json(), r#"[{"message":{"s":2}},4,5]"#);
        assert_eq!(restored.view.history().len(), 6);
    }

    #[test]
    fn another_history_and_what_is_no_record_are_refused() {
        let other: Vec<MessageText> =
            (0..6).map(|number| MessageText::of(&format!("{{\"m\":{number}}}"))).collect();
        let error = record(&view(), true).restored(&other).unwrap_err();
        let said =
            "the record does not fit: message 2 of the history is not the one that was compacted. Pass";
        assert!(error.message().starts_with(said), "{}", error.message());
        for text in [
            "{}",
            r#"{"version":1}"#,
            r#"{"version":2}"#,
            r#"{"version":2,"messages":-1,"controller":[],"changes":[]}"#,
        ] {
            assert_eq!(
                Record::read(Document::parse(text).unwrap().root()).unwrap_err().code(),
                "mismatch",
                "{text}"
            );
        }
    }
}
