//! What a compactor decided, as plain data: enough to give the same view again in another process.
//!
//! It holds what was put in the place of outputs and messages, and a checksum of each message that it concerns. It is the
//! record of the npm package (`CompactorRecord`): each reads the other's, if messages are written as `JSON.stringify` writes
//! them.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use ebbline::json::{Document, Value, Writer};

use super::cause::Cause;
use super::introduction::Introduction;
use super::view::{About, Carries, Change, Sent, View};
use crate::bindings::api::Failure;
use crate::changes::Outcome;
use crate::failure::failure;
use crate::live::Text;

const VERSION: f64 = 1.0;

/// A record of an earlier compactor.
#[derive(Debug)]
pub(crate) struct Record {
    /// How it was given.
    pub(crate) source: String,
    /// How many messages the history had.
    pub(crate) messages: usize,
    pub(crate) overhead: Option<u64>,
    /// What the controller remembers.
    pub(crate) controller: Vec<f64>,
    originals: HashMap<usize, Rc<str>>,
    changes: Vec<Recorded>,
}

/// A message, and where it stands in what was given.
type Placed = (Text, Option<usize>);

#[derive(Debug)]
struct Recorded {
    about: About,
    replaced: Vec<(Bound, String)>,
    summary: Option<Whole>,
}

/// A message of the history, and its checksum.
#[derive(Clone, Copy, Debug)]
struct Bound {
    message: usize,
    checksum: u32,
}

/// The messages that a summary stands for, and what is sent instead.
#[derive(Debug)]
struct Whole {
    until: usize,
    replaces: Vec<Bound>,
    /// The places of earlier summaries in the view before.
    earlier: Vec<usize>,
    /// The messages that were made, each at its place in the view after.
    made: Vec<(usize, String)>,
}

impl Record {
    /// Reads a record.
    ///
    /// # Errors
    ///
    /// `mismatch` for what is none.
    pub(crate) fn read(given: Value<'_>) -> Result<Self, Failure> {
        let version = given.get("version").and_then(Value::number);
        if version != Some(VERSION) {
            let found = given.get("version").map_or("none", |version| version.source());
            return Err(refused(&format!("it is of version {found}, and only version 1 is read")));
        }
        read(given).ok_or_else(|| refused("it is damaged"))
    }

    /// The view of a history whose first messages are those of the record.
    ///
    /// # Errors
    ///
    /// `mismatch` if the history is another one.
    pub(crate) fn restored(&self, history: &[Text], words: &Introduction) -> Result<Restored, Failure> {
        let again = |log: &[Text]| {
            let mut view = View::default();
            view.add(log);
            self.make_again(&mut view, words, true)?;
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
        let Some((log, known)) = self.rebuilt(history, words) else { return Err(error) };
        let texts: Vec<Text> = log.iter().map(|(text, _)| text.clone()).collect();
        let mut view = again(&texts)?;
        let newer = history.get(known..).unwrap_or_default();
        view.add(newer);
        let places = log.into_iter().map(|(_, place)| place);
        let log = places.chain((known..history.len()).map(Some)).collect();
        Ok(Restored { view, log: Some(log) })
    }

    /// The whole history of an agent that kept only what was sent, if the record has the rest: each message, with its place in
    /// what the agent kept; and how many of those the record knows.
    fn rebuilt(&self, history: &[Text], words: &Introduction) -> Option<(Vec<Placed>, usize)> {
        if self.originals.is_empty() || self.messages > self.originals.len() + history.len() {
            return None;
        }
        let mut shape = View::default();
        shape.add(&vec![Text::of("{}"); self.messages]);
        self.make_again(&mut shape, words, false).ok()?;
        let sent = shape.sent();
        let mut log: Vec<Option<Placed>> = (0..self.messages)
            .map(|message| {
                let original = self.originals.get(&message)?;
                Some((Text { words: original.clone(), meant: 0 }, None))
            })
            .collect();
        for (at, sent) in sent.iter().enumerate() {
            let given = history.get(at)?;
            match sent.origin {
                Some(origin) if !sent.is_changed => *log.get_mut(origin)? = Some((given.clone(), Some(at))),
                _ if !is_same(&given.words, &sent.text.words) => return None,
                _ => {}
            }
        }
        Some((log.into_iter().collect::<Option<Vec<_>>>()?, sent.len()))
    }

    fn make_again(&self, view: &mut View, words: &Introduction, is_checked: bool) -> Result<(), Failure> {
        for Recorded { about, replaced, summary } in &self.changes {
            let whole = summary.iter().flat_map(|whole| &whole.replaces);
            for Bound { message, checksum: known } in replaced.iter().map(|(bound, _)| bound).chain(whole) {
                let found = view.history().get(*message);
                if found.is_none_or(|text| is_checked && checksum(&text.words) != *known) {
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
                outcomes.insert(
                    (*place).min(outcomes.len()),
                    Outcome::Made(words.strip(made).unwrap_or_else(|| made.clone())),
                );
            }
            let until = summary.as_ref().map_or(view.log(), |whole| whole.until);
            view.change_until(&outcomes, about.clone(), until.min(view.log()));
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

/// The record of a view; `introduce` is told what was made.
pub(crate) fn write(
    view: &View,
    controller: &[f64],
    overhead: Option<u64>,
    has_originals: bool,
    introduce: &dyn Fn(&str) -> String,
) -> String {
    let mut out = Writer::default();
    let log = view.history();
    out.raw("{\"version\":1,\"controller\":[");
    for (at, figure) in controller.iter().enumerate() {
        out.raw(if at == 0 { "" } else { "," }).number(*figure as u64);
    }
    out.raw("],\"overhead\":");
    match overhead {
        Some(tokens) => out.number(tokens),
        None => out.raw("null"),
    };
    if has_originals {
        let is_sent: HashSet<usize> =
            view.sent().iter().filter(|sent| !sent.is_changed).filter_map(|sent| sent.origin).collect();
        out.raw(",\"originals\":[");
        let gone = log.iter().enumerate().filter(|(message, _)| !is_sent.contains(message));
        for (at, (message, text)) in gone.enumerate() {
            out.raw(if at == 0 { "" } else { "," });
            out.raw("{\"message\":").number(message as u64).raw(",\"original\":").raw(&text.words).raw("}");
        }
        out.raw("]");
    }
    out.raw(",\"messages\":").number(log.len() as u64).raw(",\"changes\":[");
    for (at, change) in view.done().iter().enumerate() {
        out.raw(if at == 0 { "" } else { "," });
        write_change(change, log, introduce, &mut out);
    }
    out.raw("]}");
    out.finish()
}

fn write_change(
    Change { before, after, until, about }: &Change,
    log: &[Text],
    introduce: &dyn Fn(&str) -> String,
    out: &mut Writer,
) {
    out.raw("{\"at\":").number(about.at).raw(",\"cause\":").string(about.cause.as_str());
    out.raw(",\"profile\":").string(&about.profile);
    about.write(out);
    let old: HashMap<usize, &Sent> =
        before.iter().filter_map(|sent| sent.origin.map(|origin| (origin, sent))).collect();
    let replaced = after.iter().filter_map(|sent| {
        let origin = sent.origin?;
        old.get(&origin).filter(|old| old.text.words != sent.text.words).map(|_| (origin, sent))
    });
    out.raw(",\"replaced\":[");
    for (at, (origin, sent)) in replaced.enumerate() {
        write_bound(origin, log, out.raw(if at == 0 { "" } else { "," }));
        out.raw(",\"becomes\":").raw(&sent.text.words).raw("}");
    }
    out.raw("]");
    let left: HashSet<usize> = after.iter().filter_map(|sent| sent.origin).collect();
    let is_in = |list: &[Sent], made: &Sent| {
        list.iter().any(|sent| sent.origin.is_none() && Rc::ptr_eq(&sent.text.words, &made.text.words))
    };
    let gone: Vec<usize> =
        before.iter().filter_map(|sent| sent.origin).filter(|one| !left.contains(one)).collect();
    let of_made = |list: &'_ [Sent], other: &[Sent]| -> Vec<usize> {
        let made = list.iter().enumerate().filter(|(_, sent)| sent.origin.is_none() && !is_in(other, sent));
        made.map(|(place, _)| place).collect()
    };
    let (earlier, made) = (of_made(before, after), of_made(after, before));
    if !gone.is_empty() || !earlier.is_empty() || !made.is_empty() {
        out.raw(",\"summary\":{\"until\":").number(*until as u64).raw(",\"replaces\":[");
        for (at, origin) in gone.into_iter().enumerate() {
            write_bound(origin, log, out.raw(if at == 0 { "" } else { "," }));
            out.raw("}");
        }
        out.raw("],\"earlier\":[");
        for (at, place) in earlier.into_iter().enumerate() {
            out.raw(if at == 0 { "" } else { "," }).number(place as u64);
        }
        out.raw("],\"made\":[");
        for (at, place) in made.into_iter().enumerate() {
            let text = after.get(place).map_or_else(|| "null".to_owned(), |sent| introduce(&sent.text.words));
            out.raw(if at == 0 { "" } else { "," });
            out.raw("{\"place\":").number(place as u64).raw(",\"becomes\":").raw(&text).raw("}");
        }
        out.raw("]}");
    }
    out.raw("}");
}

/// A message and its checksum, without the bracket at the end.
fn write_bound(message: usize, log: &[Text], out: &mut Writer) {
    let sum = log.get(message).map_or(0, |text| checksum(&text.words));
    out.raw("{\"message\":").number(message as u64).raw(",\"checksum\":").number(sum.into());
}

impl About {
    /// Its figures as members of an object.
    pub(crate) fn write(&self, out: &mut Writer) {
        out.raw(",\"pruned\":").number(self.pruned).raw(",\"summarised\":").number(self.summarised);
        if let Some(carried) = self.carried {
            out.raw(",\"orders\":").number(carried.orders).raw(",\"pins\":").number(carried.pins);
            out.raw(",\"byRule\":").flag(carried.is_by_rule);
        }
        out.raw(",\"tokensBefore\":").number(self.tokens_before);
        out.raw(",\"tokensAfter\":").number(self.tokens_after);
    }
}

fn read(given: Value<'_>) -> Option<Record> {
    let messages = whole(given, "messages")?;
    let overhead = match given.present("overhead") {
        Some(_) => Some(whole(given, "overhead")? as u64),
        None => None,
    };
    let controller = list(given, "controller")?.into_iter().map(Value::number).collect::<Option<_>>()?;
    let mut originals = HashMap::new();
    if given.present("originals").is_some() {
        for one in list(given, "originals")? {
            let message = whole(one, "message").filter(|message| *message < messages)?;
            originals.insert(message, Rc::from(one.get("original").filter(|one| one.is_object())?.source()));
        }
    }
    let changes = list(given, "changes")?.into_iter().map(change).collect::<Option<_>>()?;
    Some(Record { source: given.source().to_owned(), messages, overhead, controller, originals, changes })
}

fn change(given: Value<'_>) -> Option<Recorded> {
    let figure = |name| whole(given, name).map(|figure| figure as u64);
    let summary = match given.present("summary") {
        Some(summary) => Some(Whole {
            until: whole(summary, "until")?,
            replaces: list(summary, "replaces")?.into_iter().map(bound).collect::<Option<_>>()?,
            earlier: list(summary, "earlier")?.into_iter().map(index).collect::<Option<_>>()?,
            made: list(summary, "made")?
                .into_iter()
                .map(|made| Some((whole(made, "place")?, becomes(made)?)))
                .collect::<Option<_>>()?,
        }),
        None => None,
    };
    let is_by_rule = given.get("byRule").is_some_and(|flag| flag.source() == "true");
    let carries =
        Carries { orders: figure("orders").unwrap_or(0), pins: figure("pins").unwrap_or(0), is_by_rule };
    Some(Recorded {
        about: About {
            at: figure("at")?,
            cause: Cause::of(&given.text_of("cause")?.decode())?,
            profile: given.text_of("profile")?.decode().into_owned(),
            pruned: figure("pruned")?,
            summarised: figure("summarised")?,
            carried: summary.is_some().then_some(carries),
            tokens_before: figure("tokensBefore")?,
            tokens_after: figure("tokensAfter")?,
        },
        replaced: list(given, "replaced")?
            .into_iter()
            .map(|one| Some((bound(one)?, becomes(one)?)))
            .collect::<Option<_>>()?,
        summary,
    })
}

fn bound(given: Value<'_>) -> Option<Bound> {
    let checksum = u32::try_from(whole(given, "checksum")?).ok()?;
    Some(Bound { message: whole(given, "message")?, checksum })
}

fn becomes(given: Value<'_>) -> Option<String> {
    given.get("becomes").filter(|value| value.is_object()).map(|value| value.source().to_owned())
}

fn list<'d>(given: Value<'d>, name: &str) -> Option<Vec<Value<'d>>> {
    given.get(name).filter(|value| value.is_array()).map(|value| value.elements().collect())
}

fn whole(given: Value<'_>, name: &str) -> Option<usize> {
    given.get(name).and_then(index)
}

fn index(given: Value<'_>) -> Option<usize> {
    given.number().filter(|number| *number >= 0.0 && number.fract() == 0.0).map(|number| number as usize)
}

fn refused(why: &str) -> Failure {
    failure("mismatch", format!("the record does not fit: {why}"))
}

/// Whether two texts are the same JSON, though it may be written otherwise.
fn is_same(one: &str, other: &str) -> bool {
    fn values(one: Value<'_>, other: Value<'_>) -> bool {
        match (one.text(), other.text()) {
            (Some(one), Some(other)) => one.decode() == other.decode(),
            _ if one.is_object() && other.is_object() => {
                one.members().count() == other.members().count()
                    && one.members().zip(other.members()).all(|((name, value), (other, with))| {
                        name.decode() == other.decode() && values(value, with)
                    })
            }
            _ if one.is_array() && other.is_array() => {
                one.elements().count() == other.elements().count()
                    && one.elements().zip(other.elements()).all(|(one, other)| values(one, other))
            }
            _ => one.source() == other.source(),
        }
    }
    match (Document::parse(one), Document::parse(other)) {
        (Ok(one), Ok(other)) => values(one.root(), other.root()),
        _ => false,
    }
}

/// CRC-32C of the UTF-16 units of a text, each as four bytes, lowest first: as the npm package computes it.
fn checksum(text: &str) -> u32 {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut sum = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                sum = (sum >> 1) ^ (POLYNOMIAL * (sum & 1));
                bit += 1;
            }
            #[expect(
                clippy::indexing_slicing,
                reason = "evaluated by the compiler, which refuses what is out of range"
            )]
            {
                table[byte] = sum;
            }
            byte += 1;
        }
        table
    };
    let bytes = text.encode_utf16().flat_map(|unit| u32::from(unit).to_le_bytes());
    !bytes.fold(!0_u32, |sum, byte| {
        let entry = TABLE.get(((sum ^ u32::from(byte)) & 0xff) as usize).copied().unwrap_or_default();
        (sum >> 8) ^ entry
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log() -> Vec<Text> {
        (0..6).map(|number| Text::of(&format!("{{\"n\":{number}}}"))).collect()
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
        view.change(&cleared, About { at: 7, profile: "ebbline@2".to_owned(), ..About::default() });
        let summarised = [Outcome::Made(r#"{"s":1}"#.to_owned()), Outcome::Kept(2), Outcome::Kept(3)];
        let about = About { summarised: 2, carried: Some(Carries::default()), ..About::default() };
        view.change(&summarised, about.clone());
        view.add(log().get(4..5).unwrap());
        view.change(&[Outcome::Made(r#"{"s":2}"#.to_owned()), Outcome::Kept(3)], about);
        view
    }

    fn record(view: &View, has_originals: bool) -> Record {
        let text = write(view, &[0.0; 9], Some(12), has_originals, &str::to_owned);
        Record::read(Document::parse(&text).unwrap().root()).unwrap()
    }

    #[test]
    fn a_view_is_made_again_and_can_be_taken_back() {
        let mut before = view();
        let record = record(&before, false);
        assert_eq!((record.messages, record.overhead, record.controller.len()), (5, Some(12), 9));
        let mut after = record.restored(&log(), &Introduction::none()).unwrap().view;
        before.add(log().get(5..).unwrap());
        assert_eq!(
            write(&after, &[], None, true, &str::to_owned),
            write(&before, &[], None, true, &str::to_owned)
        );
        for left in [
            r#"[{"message":{"s":1}},{"from":2,"message":{"n":"-"}},3,4,5]"#,
            r#"[0,1,{"from":2,"message":{"n":"-"}},3,4,5]"#,
            "[0,1,2,3,4,5]",
        ] {
            assert!(after.undo() && before.undo());
            assert_eq!(
                (after.to_json(str::to_owned).as_str(), before.to_json(str::to_owned).as_str()),
                (left, left)
            );
        }
    }

    #[test]
    fn a_history_that_was_kept_as_it_was_sent_is_made_whole() {
        let view = view();
        let sent: Vec<Text> =
            view.sent().iter().map(|sent| sent.text.clone()).chain([Text::of("{ \"n\": 5 }")]).collect();
        assert_eq!(record(&view, false).restored(&sent, &Introduction::none()).unwrap_err().code, "mismatch");
        let restored = record(&view, true).restored(&sent, &Introduction::none()).unwrap();
        assert_eq!(restored.log.unwrap(), [None, None, None, None, Some(1), Some(2)]);
        assert_eq!(restored.view.to_json(str::to_owned), r#"[{"message":{"s":2}},4,5]"#);
        assert_eq!(restored.view.history().len(), 6);
    }

    #[test]
    fn another_history_and_what_is_no_record_are_refused() {
        let other: Vec<Text> = (0..6).map(|number| Text::of(&format!("{{\"m\":{number}}}"))).collect();
        let error = record(&view(), true).restored(&other, &Introduction::none()).unwrap_err();
        assert_eq!(
            error.message,
            "the record does not fit: message 2 of the history is not the one that was compacted"
        );
        for text in [
            "{}",
            r#"{"version":2}"#,
            r#"{"version":1}"#,
            r#"{"version":1,"messages":-1,"controller":[],"changes":[]}"#,
        ] {
            assert_eq!(
                Record::read(Document::parse(text).unwrap().root()).unwrap_err().code,
                "mismatch",
                "{text}"
            );
        }
    }

    #[test]
    fn checksums_are_those_of_the_npm_package() {
        assert_eq!(checksum(""), 0);
        assert_eq!(checksum(r#"{"role":"user","content":"héllo 𝄞"}"#), CHECKSUM);
    }

    /// What `js/src/crc.js` says.
    const CHECKSUM: u32 = 290_204_964;
}
