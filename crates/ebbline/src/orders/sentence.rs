//! The sentences of a message, and what each orders.

use super::paste;
use super::prose::{Sentence, sentences, without_quotations};
use super::signs::{self, Sign};
use super::speech::{Word, words};
use super::turns::{self, Turn};

/// A sentence of a message, read.
pub(super) struct Said<'t> {
    pub(super) sentence: Sentence<'t>,
    /// The order: the sentence itself, or with what opens its list.
    pub(super) text: String,
    pub(super) words: Vec<Word>,
    pub(super) sign: Option<Sign>,
    pub(super) turn: Option<Turn>,
    /// Whether it asks for work and orders nothing else.
    pub(super) requests: bool,
    /// Whether it is an item of a list of rules.
    pub(super) is_rule: bool,
}

impl<'t> Said<'t> {
    pub(super) fn of(sentence: Sentence<'t>) -> Self {
        let words = words(&without_quotations(sentence.text));
        let sign = signs::sign_of(&words, sentence.text);
        let turn = turns::turn_of(&words, sentence.text);
        let requests = sign.is_none() && turn.is_none() && signs::requests(&words, sentence.text);
        Self { sentence, text: joined(sentence.text), words, sign, turn, requests, is_rule: false }
    }
}

/// A message of the user, read.
pub(crate) struct Heard<'t> {
    /// What the user wrote, without what was pasted.
    pub(super) own: &'t str,
    pub(super) said: Vec<Said<'t>>,
}

impl<'t> Heard<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let own = paste::own(text);
        Self { own, said: sentences(own).into_iter().map(Said::of).collect() }
    }
}

/// A text with single blanks for white space.
pub(crate) fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
