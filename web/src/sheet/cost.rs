//! What a provider charges, as far as the user knows it: rates, the life of its cache, and a price.
//!
//! A list of prices would be out of date when it is read, and rates differ between providers by factors that change which
//! policy is cheaper. So they are fields.

use ebbline::economics::{Cache, Rates, Terms};
use ebbline::replay::ReplayOptions;

use super::{Ask, Block, Field};
use ebbline::numbers::{fraction, grouped};

/// A rate: its id, its label, and what it is if nothing is typed.
const FIELDS: [(&str, &str, &str); 5] = [
    ("rate-read", "Cached input token", "0.1"),
    ("rate-write", "Token written to the cache", "1.25"),
    ("rate-output", "Output token", "5"),
    ("cache-minutes", "Minutes until the cache expires (empty: never)", ""),
    ("price", "Price of 1M input tokens (optional)", ""),
];

/// What the fields say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prices {
    pub(super) rates: Rates,
    cache: Cache,
    /// What a million fresh input tokens cost, in whatever currency.
    million: Option<f64>,
}

impl Prices {
    /// The prices that were typed, and the fields in which nothing sensible stands.
    pub(super) fn of(ask: &Ask) -> (Self, Vec<&'static str>) {
        let mut wrong = Vec::new();
        let mut number = |at: usize| -> Option<f64> {
            let (id, label, given) = FIELDS.get(at)?;
            let text = ask.field(id).unwrap_or(given);
            let read = text.replace(',', ".").parse::<f64>().ok();
            let read = read.filter(|number| number.is_finite() && (0.0..=1e9).contains(number));
            if read.is_none() && !text.is_empty() {
                wrong.push(*label);
                return given.parse().ok();
            }
            read
        };
        let [cached, written, output] = [0, 1, 2].map(|at| number(at).unwrap_or(1.0));
        let minutes = number(3);
        let million = number(4).filter(|price| *price > 0.0);
        let lives = minutes.map(|minutes| (minutes * 60_000.0) as u64);
        let prices =
            Self { rates: Rates::new(cached, written, output), cache: Cache::new(0, 1, lives), million };
        (prices, wrong)
    }

    /// The terms of a comparison; so many tokens are sent beside the messages.
    pub(super) fn terms<'m>(&self, beside: u64, moments: &'m [Option<u64>]) -> Terms<'m> {
        Terms::new(self.rates).options(ReplayOptions::new().overhead(beside)).cache(self.cache, moments)
    }

    /// A cost in fresh input tokens, as money if a price is known.
    pub(super) fn said(&self, cost: f64) -> String {
        match self.million {
            Some(price) => {
                let cents = (cost.max(0.0) * price / 10_000.0).round() as u64;
                format!("{}.{:02}", grouped(cents / 100), cents % 100)
            }
            None => grouped(cost.max(0.0).round() as u64),
        }
    }

    /// What [`Self::said`] counts.
    pub(super) fn unit(&self) -> &'static str {
        if self.million.is_some() { "Cost" } else { "Cost, in input tokens" }
    }
}

/// The fields.
pub(super) fn fields() -> Block {
    let field = |(id, label, given): (&str, &str, &str)| Field {
        id: id.to_owned(),
        label: label.to_owned(),
        value: given.to_owned(),
        lines: 0,
    };
    Block::Fields(FIELDS.into_iter().map(field).collect())
}

/// A sentence about fields in which nothing sensible stands.
pub(super) fn warning(wrong: &[&str]) -> Option<Block> {
    let sentence =
        format!("No number from 0 to 1,000,000,000 stands in: {}. The usual one counts.", wrong.join("; "));
    (!wrong.is_empty()).then(|| Block::warning(sentence))
}

/// A share as a percentage with one decimal.
pub(super) fn share(share: f64) -> String {
    fraction((share.clamp(0.0, 1e6) * 1_000.0).round() as u64, 10, 1) + " %"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Which;

    fn ask(fields: &[(&str, &str)]) -> Ask {
        let policy = ebbline::profiles::ALL[0].policy();
        let fields = fields.iter().map(|(id, value)| ((*id).to_owned(), (*value).to_owned())).collect();
        Ask { which: Which::Compare, history: policy.clone(), policy, force: false, request: None, fields }
    }

    #[test]
    fn what_is_typed_counts_and_nonsense_is_named() {
        let (usual, wrong) = Prices::of(&ask(&[]));
        assert_eq!((usual.rates, wrong.len()), (Rates::new(0.1, 1.25, 5.0), 0));
        assert_eq!((usual.cache.lives, usual.million), (None, None));
        let (typed, wrong) =
            Prices::of(&ask(&[("rate-read", "0,02"), ("cache-minutes", "5"), ("price", "2.50")]));
        assert_eq!((typed.rates.cached, typed.cache.lives, wrong.len()), (0.02, Some(300_000), 0));
        assert_eq!((typed.said(1_234_567.0).as_str(), typed.unit()), ("3.09", "Cost"));
        assert_eq!((usual.said(1_234_567.4).as_str(), usual.unit()), ("1,234,567", "Cost, in input tokens"));
        for nonsense in ["cheap", "-1", "NaN", "inf", "1e99"] {
            let (typed, wrong) = Prices::of(&ask(&[("rate-output", nonsense)]));
            assert_eq!((typed.rates.output, wrong.as_slice()), (5.0, &["Output token"][..]), "{nonsense}");
            assert!(warning(&wrong).is_some());
        }
        assert_eq!(share(0.617), "61.7 %");
    }
}
