//! Standing orders: what the user told the agent to keep to for the rest of the session.
//!
//! They are found by rule in the user's own words: no model is asked, and nothing that the message quotes counts (code
//! in a fence, a quotation, a log, a tag). The latest of two orders that contradict is in force.
//!
//! The rules know English, German, Spanish, French, Chinese and Japanese, with one letter wrong as well. They rather miss an
//! order than invent one; `docs/metrics.md` says what they cannot see.
//!
//! An order that lasts is in force until another contradicts it or the user takes it back. One for a task ends when the user
//! asks for the next task.

mod ban;
mod bounds;
mod kind;
mod languages;
mod lists;
mod paste;
mod phrases;
mod prose;
mod sentence;
mod signs;
mod speech;
mod statements;
mod subject;
mod terms;
mod turns;
mod typos;
mod vocabulary;

use std::collections::HashSet;

use serde::Serialize;

pub(crate) use prose::{Sentence, sentences, without_quotations};
pub(crate) use speech::{Word, content, say_any, words};
pub(crate) use statements::Statements;
pub(crate) use subject::Subject;

pub use kind::OrderKind;
use sentence::Said;
pub(crate) use sentence::{Heard, joined};
use signs::Sign;
use turns::Turn;

/// So many orders are in force at most: nobody keeps more in mind.
const MOST: usize = 24;
/// A message of more bytes with more orders than this is a document that was pasted.
const LONG: usize = 4_000;
const MOST_OF_LONG: usize = 10;

/// A standing order.
///
/// # Example
///
/// ```
/// use ebbline::orders::{Orders, OrderKind};
/// let mut orders = Orders::default();
/// orders.add(3, "The build is red. From now on, run the tests before you commit.");
/// let order = &orders.all()[0];
/// assert_eq!((order.message, order.kind), (3, OrderKind::Rule));
/// assert_eq!(order.sentence, "From now on, run the tests before you commit.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Order {
    /// The message that gave it, as its caller counts messages.
    pub message: usize,
    /// Where its sentence begins in the text of the message, in bytes.
    pub start: usize,
    /// What it is.
    pub kind: OrderKind,
    /// The whole sentence, with single blanks for white space.
    pub sentence: String,
    /// The place in [`Orders::all`] of what ended it: an order that contradicts or repeats it and is in force instead, or the
    /// sentence that takes it back. A sentence that only takes back names its own place. So does an order for one task that ended, or that the request for the task carries.
    pub superseded_by: Option<usize>,
}

/// The standing orders of a session, in the order in which they were given.
///
/// # Example
///
/// ```
/// use ebbline::orders::Orders;
/// let mut orders = Orders::default();
/// orders.add(0, "Never push to main.");
/// orders.add(4, "```\nAlways push to main.\n```");
/// assert_eq!(orders.in_force().count(), 1);
/// orders.add(9, "Actually, always push to main.");
/// assert_eq!(orders.in_force().map(|order| order.message).collect::<Vec<_>>(), [9]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    all: Vec<Order>,
    /// The orders in force, oldest first, with what they mean.
    in_force: Vec<(usize, Meaning)>,
    /// Where the orders of the message before this one begin, and those of this one.
    latest: usize,
    current: usize,
    /// Every sentence in `all`.
    heard: HashSet<String>,
}

/// What is compared of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Meaning {
    content: Vec<String>,
    amounts: Vec<String>,
    bans: bool,
    /// Whether a word says that it lasts.
    lasts: bool,
    /// Whether it ends with the task at hand.
    of_task: bool,
}

impl Orders {
    /// Adds the orders of a message of the user, and returns how many there are. `message` is the caller's number of
    /// the message; later calls supersede earlier ones, whatever their numbers. It takes time linear in the text.
    ///
    /// # Example
    ///
    /// ```
    /// let mut orders = ebbline::orders::Orders::default();
    /// assert_eq!(orders.add(0, "Fix the login test. Don't touch the database."), 1);
    /// assert_eq!(orders.add(1, "It always fails on Mondays."), 0);
    /// ```
    pub fn add(&mut self, message: usize, text: &str) -> usize {
        self.hear(message, Heard::of(text))
    }

    /// Adds the orders of a message that is read, and returns how many there are.
    pub(crate) fn hear(&mut self, message: usize, heard: Heard<'_>) -> usize {
        let Heard { own, mut said } = heard;
        lists::rules(&mut said);
        let before = self.all.len();
        self.current = before;
        let given = said.iter().filter(|said| said.sign.is_some()).count();
        if own.len() > LONG && given > MOST_OF_LONG {
            return 0;
        }
        let asks = said.iter().any(|said| said.requests);
        if asks {
            self.end_task();
        }
        for said in &said {
            self.take(said, message, asks);
        }
        self.latest = before;
        self.all.len() - before
    }

    /// Adds an order that was found before, as an earlier summary hands it on. It lasts whatever its words say, and later
    /// messages may take it back.
    ///
    /// # Example
    ///
    /// ```
    /// let mut orders = ebbline::orders::Orders::default();
    /// orders.keep(3, "branch names start with feat/");
    /// assert_eq!(orders.in_force().count(), 1);
    /// ```
    pub fn keep(&mut self, message: usize, sentence: &str) {
        let end = sentence.floor_char_boundary(prose::LONGEST);
        let text = sentence.get(..end).unwrap_or_default();
        let mut said = Said::of(Sentence { start: 0, text, list: None });
        said.text = joined(sentence);
        // What became of it since is known.
        if self.heard.contains(&said.text) {
            return;
        }
        let kind = said.sign.map_or(OrderKind::Rule, |sign| sign.kind);
        // What one summary carries was in force together.
        self.current = 0;
        self.give(&said, Sign { kind, lasts: true, is_general: true }, message, false);
        self.latest = self.all.len();
    }

    /// All orders, superseded or not.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::orders::Orders::default().all().is_empty());
    /// ```
    #[must_use]
    pub fn all(&self) -> &[Order] {
        &self.all
    }

    /// The orders in force.
    ///
    /// # Example
    ///
    /// ```
    /// let mut orders = ebbline::orders::Orders::default();
    /// orders.add(0, "Keep answers under 200 words.");
    /// orders.add(1, "Keep answers under 100 words.");
    /// assert_eq!(orders.in_force().next().unwrap().sentence, "Keep answers under 100 words.");
    /// ```
    pub fn in_force(&self) -> impl Iterator<Item = &Order> {
        self.all.iter().filter(|order| order.superseded_by.is_none())
    }

    /// Takes in a sentence of the user. `asks` says that its message asks for a task.
    fn take(&mut self, said: &Said<'_>, message: usize, asks: bool) {
        match said.turn {
            Some(Turn::Revokes) => {
                let about = subject(&said.words);
                let found = if about.is_empty() { self.newest_of_latest() } else { self.about(&about, 0.5) };
                if !found.is_empty() && said.sign.is_none() {
                    let own = self.all.len();
                    self.push(said, OrderKind::Correction, message, Some(own));
                }
                let by = self.all.len() - usize::from(!found.is_empty() && said.sign.is_none());
                self.end(&found, by);
            }
            Some(turn) => {
                let found = match turn {
                    Turn::Permits => self.about(&content(&said.words), 0.6),
                    _ => self.meant(said),
                };
                if !found.is_empty() {
                    let new = self.all.len();
                    let sign = Sign { kind: OrderKind::Correction, lasts: true, is_general: true };
                    self.give(said, sign, message, false);
                    return self.end(&found, new);
                }
            }
            None => {}
        }
        if let Some(sign) = said.sign {
            if !sign.lasts && !sign.is_general {
                // The request carries it, and it goes when the request does.
                let own = self.all.len();
                return self.push(said, sign.kind, message, Some(own));
            }
            let is_amount = matches!(sign.kind, OrderKind::Limit | OrderKind::Deadline);
            let of_task = !sign.lasts
                && (signs::points(&said.words)
                    || asks && !is_amount && !said.is_rule && !signs::is_of_every_task(&said.words));
            self.give(said, sign, message, of_task);
        }
    }

    fn give(&mut self, said: &Said<'_>, sign: Sign, message: usize, of_task: bool) {
        let meaning = Meaning {
            content: content(&said.words),
            amounts: speech::amounts(&said.words).into_iter().map(str::to_owned).collect(),
            bans: signs::bans(&said.words),
            lasts: sign.lasts,
            of_task,
        };
        let rejected = content(signs::rejected(&said.words));
        // Two rules of one message do not contradict each other, unless the second says so.
        let is_together = |place: usize| place >= self.current && sign.kind != OrderKind::Correction;
        let is_over = |place: usize, old: &Meaning| {
            old.is_repeated_by(&meaning)
                || !is_together(place)
                    && (old.is_replaced_by(&meaning, sign.kind)
                        || !old.bans && shares(&old.content, &rejected))
        };
        let over: Vec<usize> = self
            .in_force
            .iter()
            .filter(|(place, old)| is_over(*place, old))
            .map(|(place, _)| *place)
            .collect();
        let new = self.all.len();
        self.end(&over, new);
        self.push(said, sign.kind, message, None);
        self.in_force.push((new, meaning));
        if self.in_force.len() > MOST {
            // The oldest of those that bind least makes room.
            let weakest = self.in_force.iter().min_by_key(|(place, meaning)| (meaning.lasts, *place));
            let weakest: Vec<usize> = weakest.map(|(place, _)| *place).into_iter().collect();
            self.end(&weakest, new);
        }
    }

    fn push(&mut self, said: &Said<'_>, kind: OrderKind, message: usize, superseded_by: Option<usize>) {
        let sentence = said.text.clone();
        self.heard.insert(sentence.clone());
        self.all.push(Order { message, start: said.sentence.start, kind, sentence, superseded_by });
    }

    /// What is in force no longer is.
    fn end(&mut self, places: &[usize], by: usize) {
        for place in places {
            if let Some(order) = self.all.get_mut(*place) {
                order.superseded_by = Some(by);
            }
        }
        self.in_force.retain(|(place, _)| !places.contains(place));
    }

    /// The orders for a task end with it.
    fn end_task(&mut self) {
        let ended: Vec<usize> =
            self.in_force.iter().filter(|(_, order)| order.of_task).map(|(place, _)| *place).collect();
        for place in ended {
            self.end(&[place], place);
        }
    }

    /// The orders in force that share so much of their content with `content`.
    fn about(&self, content: &[String], share: f64) -> Vec<usize> {
        let is_about = |old: &Meaning| overlap(&old.content, content) >= share;
        self.in_force.iter().filter(|(_, old)| is_about(old)).map(|(place, _)| *place).collect()
    }

    /// The newest order of the message before, if it is still in force.
    fn newest_of_latest(&self) -> Vec<usize> {
        self.in_force
            .last()
            .map(|(place, _)| *place)
            .filter(|place| *place >= self.latest)
            .into_iter()
            .collect()
    }

    /// The orders in force in whose place the user meant another: about the same, with another amount; or the newest one
    /// of the message before, if the sentence says "I meant", or its amount takes that order's place.
    fn meant(&self, said: &Said<'_>) -> Vec<usize> {
        let amounts = speech::amounts(&said.words);
        let differs =
            |old: &Meaning| !amounts.is_empty() && !old.amounts.is_empty() && old.amounts != amounts;
        let about = subject(&said.words);
        let is_same = |old: &Meaning| {
            overlap(&old.content, &about) >= 0.5
                && (differs(old) || said.sign.is_some() && old.bans != signs::bans(&said.words))
        };
        let same: Vec<usize> =
            self.in_force.iter().filter(|(_, old)| is_same(old)).map(|(place, _)| *place).collect();
        if !same.is_empty() {
            return same;
        }
        let is_meant = turns::says_meant(&said.words);
        let newest = self.newest_of_latest();
        let old = self.in_force.last().map(|(_, old)| old);
        // "9090, I think": what is about something else takes no place.
        let takes_its_place = old.is_some_and(|old| {
            differs(old) && said.words.len() <= 8 && (about.is_empty() || shares(&old.content, &about))
        });
        if is_meant || takes_its_place { newest } else { Vec::new() }
    }
}

/// What a sentence that takes back is about.
fn subject(words: &[Word]) -> Vec<String> {
    let mut about = content(words);
    about.retain(|word| !vocabulary::TAKING_BACK.contains(&word.as_str()));
    about
}

impl Meaning {
    /// Whether a newer order says the same again.
    fn is_repeated_by(&self, newer: &Self) -> bool {
        let is_same =
            self.content == newer.content && self.amounts == newer.amounts && self.bans == newer.bans;
        is_same && !self.content.is_empty()
    }

    /// Whether a newer order says otherwise about the same.
    fn is_replaced_by(&self, newer: &Self, kind: OrderKind) -> bool {
        let overlap = overlap(&self.content, &newer.content);
        let differs = self.bans != newer.bans;
        let is_other_amount =
            !self.amounts.is_empty() && !newer.amounts.is_empty() && self.amounts != newer.amounts;
        overlap >= 0.6 && differs || overlap >= 0.5 && (is_other_amount || kind == OrderKind::Correction)
    }
}

/// The share of the shorter list that the other contains; `other` is sorted.
fn overlap(one: &[String], other: &[String]) -> f64 {
    let shorter = one.len().min(other.len());
    if shorter == 0 {
        return 0.0;
    }
    one.iter().filter(|word| other.binary_search(word).is_ok()).count() as f64 / shorter as f64
}

fn shares(one: &[String], other: &[String]) -> bool {
    other.iter().any(|word| one.binary_search(word).is_ok())
}

#[cfg(test)]
mod tests;
