//! Standing orders: what the user told the agent to keep to for the rest of the session.
//!
//! They are found by rule in the user's own words: no model is asked, and nothing that the message quotes counts (code
//! in a fence, a quotation, a log, a tag). The latest of two orders that contradict is in force.
//!
//! The rules know English, and of German what [`OrderKind`] names. They rather miss an order than invent one;
//! `docs/metrics.md` says what they cannot see.

mod phrases;
mod prose;
mod signs;
mod speech;

use std::collections::HashMap;

use serde::Serialize;

pub(crate) use prose::{Sentence, sentences, without_quotations};
pub(crate) use speech::{Word, content, say_any, words};

use crate::order::sort_by;
use crate::words;

words! {
    /// What a standing order is.
    pub enum OrderKind {
        /// A rule: always, never, from now on, don't, must, only; in German immer, nie, ab jetzt, darf nicht.
        Rule "rule",
        /// A limit or a budget: at most, no more than, under, with an amount.
        Limit "limit",
        /// A time by which something has to be done.
        Deadline "deadline",
        /// One thing is preferred to another.
        Preference "preference",
        /// An order that corrects what the user said before.
        Correction "correction",
    }
}

/// Of the orders that share a word with a new one, only so many of the newest are compared with it.
const COMPARED: usize = 32;

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
    /// The place in [`Orders::all`] of the order that contradicts or repeats it, and is in force instead.
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
    meanings: Vec<Meaning>,
    /// For each content word the orders that contain it.
    by_word: HashMap<String, Vec<usize>>,
}

/// What is compared of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Meaning {
    content: Vec<String>,
    amounts: Vec<String>,
    bans: bool,
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
        let before = self.all.len();
        for sentence in sentences(text) {
            let said = words(&without_quotations(sentence.text));
            let kind = signs::kind_of(&said, sentence.text.ends_with('?'));
            if signs::takes_back(&said) && (self.take_back(&said, message, sentence) || kind.is_none()) {
                continue;
            }
            if let Some(kind) = kind {
                self.give(&said, kind, message, sentence);
            }
        }
        self.all.len() - before
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

    fn give(&mut self, said: &[Word], kind: OrderKind, message: usize, sentence: Sentence<'_>) {
        let meaning = Meaning {
            content: content(said),
            amounts: speech::amounts(said).into_iter().map(str::to_owned).collect(),
            bans: signs::bans(said),
        };
        let rejected = content(signs::rejected(said));
        let new = self.all.len();
        for old in self.related(&meaning.content) {
            let contradicts = self.meanings.get(old).is_some_and(|old| {
                old.is_replaced_by(&meaning, kind) || !old.bans && shares(&old.content, &rejected)
            });
            if contradicts {
                self.supersede(old, new);
            }
        }
        for word in &meaning.content {
            self.by_word.entry(word.clone()).or_default().push(new);
        }
        self.meanings.push(meaning);
        let sentence_of = joined(sentence.text);
        self.all.push(Order {
            message,
            start: sentence.start,
            kind,
            sentence: sentence_of,
            superseded_by: None,
        });
    }

    /// Supersedes the orders that a sentence takes back. It is in force itself, as a correction, if there are any: then the
    /// answer is true.
    fn take_back(&mut self, said: &[Word], message: usize, sentence: Sentence<'_>) -> bool {
        let content = content(said);
        let is_about =
            |old: &usize| self.meanings.get(*old).is_some_and(|old| overlap(&old.content, &content) >= 0.6);
        let found: Vec<usize> = self.related(&content).into_iter().filter(is_about).collect();
        if found.is_empty() {
            return false;
        }
        let new = self.all.len();
        self.give(said, OrderKind::Correction, message, sentence);
        for old in found {
            self.supersede(old, new);
        }
        true
    }

    fn supersede(&mut self, old: usize, new: usize) {
        if let Some(order) = self.all.get_mut(old) {
            order.superseded_by = Some(new);
        }
    }

    /// The newest orders in force that share a word with `content`.
    fn related(&self, content: &[String]) -> Vec<usize> {
        let mut found: Vec<usize> = content
            .iter()
            .filter_map(|word| self.by_word.get(word))
            .flat_map(|orders| orders.iter().rev().take(COMPARED).copied())
            .filter(|order| self.all.get(*order).is_some_and(|order| order.superseded_by.is_none()))
            .collect();
        sort_by(&mut found, &|one, other| one.cmp(other));
        found.dedup();
        found
    }
}

impl Meaning {
    /// Whether a newer order says otherwise about the same, or the same again.
    fn is_replaced_by(&self, newer: &Self, kind: OrderKind) -> bool {
        let overlap = overlap(&self.content, &newer.content);
        let differs = self.bans != newer.bans;
        let is_other_amount =
            !self.amounts.is_empty() && !newer.amounts.is_empty() && self.amounts != newer.amounts;
        let is_repeated = self == newer;
        is_repeated
            || overlap >= 0.6 && differs
            || overlap >= 0.5 && (is_other_amount || kind == OrderKind::Correction)
    }
}

/// The share of the shorter list that the other contains; both are sorted.
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

/// A text with single blanks for white space.
pub(crate) fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
