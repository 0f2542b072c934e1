//! What a caller counts: the tokens of texts, by a function of its own.
//!
//! The component can call nothing back. So a call that meets texts that nobody counted is made again: nothing of it stays, the caller
//! is asked for all of these texts at once, and the same call finds their tokens then.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ebbline::json::Document;
use ebbline::length::Unit;
use ebbline::policy::Estimator;
use ebbline::{Error, SessionText, binding};

use crate::error::invalid;

/// Tokens are kept in such parts of one, as the lengths by classes that they stand in place of.
const PER_TOKEN: u32 = binding::classes::TOKEN;

/// What a caller counted. A copy shares it: it holds whatever becomes of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct TokenCounts(Option<Arc<Mutex<Table>>>);

#[derive(Debug, Default)]
struct Table {
    /// The parts of tokens of each text, by its length and hash.
    known: HashMap<(usize, u64), u32>,
    /// The texts that are still to be counted, in the order in which they were met.
    missing: Vec<String>,
}

impl TokenCounts {
    /// A table without any text, if the caller counts.
    pub(crate) fn new(are_wanted: bool) -> Self {
        Self(are_wanted.then(Arc::default))
    }

    /// Whether the caller counts.
    pub(crate) fn are_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Gives every part of a session the tokens that were counted. What nobody counted keeps its estimate, and is asked for.
    pub(crate) fn count(&self, session: &mut SessionText<'_>) {
        let Some(mut table) = self.table() else { return };
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
        if let Some(mut table) = self.table() {
            let missing = std::mem::take(&mut table.missing);
            for text in missing {
                table.known.remove(&key_of(&text));
            }
        }
    }

    /// The texts that are still to be counted; `None` if there are none.
    pub(crate) fn request(&self) -> Option<Vec<String>> {
        let table = self.table()?;
        (!table.missing.is_empty()).then(|| table.missing.clone())
    }

    /// Takes over what the caller counted: the tokens of each text that it was asked for.
    ///
    /// # Errors
    ///
    /// `invalid_option`; nothing is taken over then.
    pub(crate) fn take(&self, tokens: &[f64]) -> Result<(), Error> {
        let Some(mut table) = self.table() else { return Ok(()) };
        let is_count = |tokens: &f64| *tokens >= 0.0 && tokens.is_finite();
        if tokens.len() != table.missing.len() || !tokens.iter().all(is_count) {
            return Err(invalid(format!(
                "tokens are counted as a JSON array of {} numbers of 0 or more",
                table.missing.len()
            )));
        }
        let missing = std::mem::take(&mut table.missing);
        // The largest is what stands for none.
        let parts = tokens
            .iter()
            .map(|tokens| (((tokens * f64::from(PER_TOKEN) + 0.5).floor()) as u32).min(UNKNOWN - 1));
        table.known.extend(missing.iter().map(|text| key_of(text)).zip(parts));
        Ok(())
    }

    fn table(&self) -> Option<MutexGuard<'_, Table>> {
        self.0.as_ref().map(|table| table.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The figures of a JSON array; what is no number is none that anybody counts.
///
/// # Errors
///
/// `not_json`.
pub(crate) fn figures(json: &str) -> Result<Vec<f64>, Error> {
    let document = Document::parse(json)?;
    Ok(document.root().elements().map(|tokens| tokens.number().unwrap_or(-1.0)).collect())
}

/// Stands for a text that is still to be counted.
const UNKNOWN: u32 = u32::MAX;

fn key_of(text: &str) -> (usize, u64) {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    (text.len(), hasher.finish())
}

/// Makes an estimator one that leaves it to the caller to count text.
pub(crate) fn count_by_caller(estimator: &mut Estimator) {
    let per_token = u64::from(estimator.per_token.max(1));
    let scaled = |length: &mut u32| {
        let parts = u64::from(*length) * u64::from(PER_TOKEN);
        *length = u32::try_from((parts + per_token / 2) / per_token).unwrap_or(u32::MAX);
    };
    scaled(&mut estimator.separator);
    if let Some(image) = &mut estimator.image {
        scaled(image);
    }
    estimator.unit = Unit::Classes;
    estimator.per_token = PER_TOKEN;
    estimator.native_notation = false;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts() -> TokenCounts {
        TokenCounts::new(true)
    }

    fn read() -> SessionText<'static> {
        let parts = r#"[{"type":"text","text":"one"},{"type":"text","text":"one"},{"type":"file","file":{"file_data":"abc"}}]"#;
        let messages =
            format!(r#"[{{"role":"user","content":{parts}}},{{"role":"assistant","content":"two"}}]"#);
        SessionText::read(messages).unwrap()
    }

    fn classed(session: &SessionText<'_>) -> Vec<u32> {
        session.transcript().parts().iter().map(|part| part.length.classed).collect()
    }

    #[test]
    fn what_nobody_counted_is_asked_for_once_and_known_then() {
        let counts = counts();
        let mut first = read();
        let estimates = classed(&first);
        counts.count(&mut first);
        assert_eq!(counts.request().unwrap(), ["one", "two"]);
        assert_eq!(classed(&first), estimates);
        counts.take(&[7.0, 0.5]).unwrap();
        assert_eq!(counts.request(), None);
        let mut second = read();
        counts.clone().count(&mut second);
        assert_eq!(classed(&second), [7 * 64, 7 * 64, estimates[2], 32], "a file keeps its estimate");
        assert_eq!(counts.request(), None);
    }

    #[test]
    fn what_is_encrypted_costs_what_it_costs() {
        let counted = |signature: &str, tokens: &str| {
            let thinking = format!(r#"{{"type":"thinking","thinking":"Look.","signature":"{signature}"}}"#);
            let messages = format!(r#"[{{"role":"assistant","content":[{thinking}]}}]"#);
            let counts = counts();
            counts.count(&mut SessionText::read(messages.clone()).unwrap());
            counts.take(&figures(tokens).unwrap()).unwrap();
            let mut session = SessionText::read(messages).unwrap();
            counts.count(&mut session);
            classed(&session)
        };
        assert_eq!(counted(&"c2ln".repeat(160), "[3]"), [160 * 64], "the rest of the thinking is withheld");
        assert_eq!(counted(&"c2ln".repeat(160), "[170]"), [170 * 64], "the text is more than that");
        assert_eq!(counted(&"c2ln".repeat(60), "[3]"), [3 * 64], "the signature holds no more than a seal");
        assert_eq!(counted("", "[3]"), [3 * 64], "nothing is encrypted");
    }

    #[test]
    fn what_was_given_up_is_asked_for_again() {
        let counts = counts();
        counts.count(&mut read());
        counts.forget_missing();
        assert_eq!(counts.request(), None);
        counts.count(&mut read());
        assert!(counts.request().is_some());
    }

    #[test]
    fn what_is_no_list_of_tokens_is_refused_and_asked_for_still() {
        let counts = counts();
        counts.count(&mut read());
        for tokens in ["[1]", "[1,2,3]", "[1,-1]", r#"[1,"2"]"#, "7", "[1,null]"] {
            let error = counts.take(&figures(tokens).unwrap()).unwrap_err();
            assert_eq!(
                error.message(),
                "tokens are counted as a JSON array of 2 numbers of 0 or more",
                "{tokens}"
            );
            assert!(counts.request().is_some());
        }
        counts.take(&[1e300, 4.0]).unwrap();
        let mut session = read();
        counts.count(&mut session);
        assert_eq!(classed(&session)[0], UNKNOWN - 1);
    }

    #[test]
    fn an_estimator_counts_in_parts_of_a_token() {
        let mut estimator = Estimator::default();
        (estimator.per_token, estimator.separator) = (3, 1);
        count_by_caller(&mut estimator);
        assert_eq!((estimator.per_token, estimator.separator, estimator.image), (64, 21, Some(102_400)));
    }
}
