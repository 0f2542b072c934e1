//! What a caller counts: the tokens of texts, by a function of its own.
//!
//! The component can call nothing back. So a call that meets texts that nobody counted is made again: nothing of it stays, the caller
//! is asked for all of these texts at once, and the same call finds their tokens then.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use ebbline::json::{Document, Value, Writer};
use ebbline::length::Unit;
use ebbline::policy::Estimator;
use ebbline::{Error, Session, binding};

use crate::failure::invalid;
use crate::options;

/// Tokens are kept in such parts of one, as the lengths by classes that they stand in place of.
const PER_TOKEN: u32 = binding::classes::TOKEN;

/// What a caller counted. A copy shares it: it holds whatever becomes of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts(Option<Rc<RefCell<Table>>>);

#[derive(Debug, Default)]
struct Table {
    /// The parts of tokens of each text, by its length and hash.
    known: HashMap<(usize, u64), u32>,
    /// The texts that are still to be counted, in the order in which they were met.
    missing: Vec<String>,
}

impl Counts {
    /// Reads from options whether the caller counts.
    ///
    /// # Errors
    ///
    /// `invalid_option`.
    pub(crate) fn read(given: Value<'_>) -> Result<Self, Error> {
        let is_wanted = options::flag(given, "countTokens")?.unwrap_or(false);
        Ok(Self(is_wanted.then(Rc::default)))
    }

    /// Whether the caller counts.
    pub(crate) fn are_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Gives every part of a session the tokens that were counted. What nobody counted keeps its estimate, and is asked for.
    pub(crate) fn count(&self, session: &mut Session<'_>) {
        let Some(table) = &self.0 else { return };
        let mut table = table.borrow_mut();
        let Table { known, missing } = &mut *table;
        binding::count(session, &mut |text| {
            let key = key_of(text);
            let count = known.get(&key).copied();
            if count.is_none() {
                known.insert(key, UNKNOWN);
                missing.push(text.to_owned());
            }
            count.filter(|count| *count != UNKNOWN)
        });
    }

    /// Forgets what is still to be counted.
    pub(crate) fn forget_missing(&self) {
        if let Some(table) = &self.0 {
            let mut table = table.borrow_mut();
            let missing = std::mem::take(&mut table.missing);
            for text in missing {
                table.known.remove(&key_of(&text));
            }
        }
    }

    /// The request for what is still to be counted; `None` if that is nothing.
    pub(crate) fn request(&self) -> Option<String> {
        let table = self.0.as_ref()?.borrow();
        if table.missing.is_empty() {
            return None;
        }
        let mut out = Writer::default();
        for (at, text) in table.missing.iter().enumerate() {
            out.raw(if at == 0 { "{\"count\":[" } else { "," }).string(text);
        }
        out.raw("]}");
        Some(out.finish())
    }

    /// Takes over what the caller counted: a JSON array with the tokens of each text that it was asked for.
    ///
    /// # Errors
    ///
    /// `invalid_option`; nothing is taken over then.
    pub(crate) fn take(&self, tokens: &str) -> Result<(), Error> {
        let Some(table) = &self.0 else { return Ok(()) };
        let document = Document::parse(tokens)?;
        let parts = document.root().elements().map(|tokens| {
            let tokens = tokens.number().filter(|tokens| *tokens >= 0.0 && tokens.is_finite());
            // The largest is what stands for none.
            tokens.map(|tokens| (((tokens * f64::from(PER_TOKEN) + 0.5).floor()) as u32).min(UNKNOWN - 1))
        });
        let parts: Option<Vec<u32>> = parts.collect();
        let mut table = table.borrow_mut();
        let Some(parts) = parts.filter(|parts| parts.len() == table.missing.len()) else {
            return Err(invalid(format!(
                "tokens are counted as a JSON array of {} numbers of 0 or more",
                table.missing.len()
            )));
        };
        let missing = std::mem::take(&mut table.missing);
        table.known.extend(missing.iter().map(|text| key_of(text)).zip(parts));
        Ok(())
    }
}

/// Stands for a text that is still to be counted.
const UNKNOWN: u32 = u32::MAX;

fn key_of(text: &str) -> (usize, u64) {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    (text.len(), hasher.finish())
}

/// Makes an estimator one that leaves it to the caller to count text.
pub(crate) fn prepare(estimator: &mut Estimator) {
    let per_token = u64::from(estimator.per_token.max(1));
    let scaled = |length: u32| {
        let parts = u64::from(length) * u64::from(PER_TOKEN);
        u32::try_from((parts + per_token / 2) / per_token).unwrap_or(u32::MAX)
    };
    estimator.separator = scaled(estimator.separator);
    estimator.image = estimator.image.map(scaled);
    estimator.unit = Unit::Classes;
    estimator.per_token = PER_TOKEN;
    estimator.native_notation = false;
}
