//! What the life of a session is replayed with: what a request sends beside the messages, the prices, the provider's cache.

use ebbline::economics::{self, Cache, Rates, SummaryContent};
use ebbline::replay::{Moments, ReplayOptions, UsageFrom};
use ebbline::{Error, ErrorCode, Policy, SessionText};

use crate::engine_options::EngineOptions;
use crate::failure::Failure;
use crate::values::Values;

/// The names of the rates in messages.
const NAMES: [&str; 3] = ["cached", "written", "output"];
/// The greatest amount that the engine takes.
const MOST: u64 = (1 << 53) - 1;

/// What the command line says of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Life {
    /// The policy, and how sessions are read.
    pub(crate) options: EngineOptions,
    overhead: u64,
    usage: Option<String>,
    moments: Option<String>,
    rates: Option<[f64; 3]>,
    minimum: Option<u64>,
    /// In milliseconds.
    lives: Option<u64>,
    carried: Option<String>,
}

/// The same, checked by the engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// What a replay assumes.
    pub(crate) options: ReplayOptions,
    /// The provider's cache.
    pub(crate) cache: Cache,
    rates: Rates,
    summaries: SummaryContent,
}

impl Life {
    /// What options say.
    pub(crate) fn of(values: &Values) -> Result<Self, Failure> {
        let options = EngineOptions::of(values)?;
        let lives = values.amount("cache-lives", "a number of minutes")?;
        Ok(Self {
            options,
            lives: lives.map(|minutes| minutes.saturating_mul(60_000)),
            minimum: values.tokens("cache-minimum")?,
            overhead: values.tokens("overhead")?.unwrap_or(0),
            usage: values.text("usage").map(str::to_owned),
            moments: values.text("moments").map(str::to_owned),
            rates: values.text("rates").map(rates).transpose()?,
            carried: values.text("carried").map(str::to_owned),
        })
    }

    /// The terms of the bill.
    pub(crate) fn terms(&self) -> Result<Terms, Error> {
        let of = |[cached, written, output]: [f64; 3]| Rates::new(cached, written, output);
        let rates = self.rates.map_or_else(Rates::default, of);
        for (name, rate) in NAMES.iter().zip([rates.cached, rates.written, rates.output]) {
            check(rate <= MOST as f64, &format!("rates.{name}"))?;
        }
        let mut options = ReplayOptions::new().overhead(self.overhead);
        if let Some(word) = &self.usage {
            let usage = UsageFrom::from_word(word);
            let words = UsageFrom::ALL.iter().map(|word| word.as_str());
            options = options.usage(usage.ok_or_else(|| no_word("usage", words))?);
        }
        check(self.lives.is_none_or(|lives| lives <= MOST), "cache.lives")?;
        if let Some(word) = &self.moments {
            let moments = Moments::from_word(word);
            let words = Moments::ALL.iter().map(|word| word.as_str());
            options = options.moments(moments.ok_or_else(|| no_word("moments", words))?);
        }
        let summaries =
            self.carried.as_deref().map(SummaryContent::of_option).transpose()?.unwrap_or_default();
        let cache = Cache::new(self.minimum.unwrap_or(0), Cache::default().block, self.lives);
        let options = options.cache_lives(self.lives);
        Ok(Terms { options, cache, rates, summaries })
    }
}

impl Terms {
    /// The terms of the engine, with the moments that [`Terms::moments`] gave.
    pub(crate) fn with<'m>(&self, moments: &'m [Option<u64>]) -> economics::Terms<'m> {
        let terms = economics::Terms::new(self.rates).options(self.options);
        terms.cache(self.cache, moments).summaries(self.summaries)
    }

    /// When the messages of a session were written, if these terms or a policy ask for it.
    pub(crate) fn moments<'p>(
        &self,
        session: &SessionText<'_>,
        policies: impl IntoIterator<Item = &'p Policy>,
    ) -> Vec<Option<u64>> {
        let is_asked = policies.into_iter().any(|policy| policy.prune.cold_after > 0);
        if self.cache.lives.is_some() || is_asked { session.moments() } else { Vec::new() }
    }
}

fn check(is_amount: bool, option: &str) -> Result<(), Error> {
    if is_amount {
        return Ok(());
    }
    Err(Error::new(ErrorCode::InvalidOption, format!("the option {option} must be a number of 0 or more")))
}

fn no_word<'w>(option: &str, words: impl Iterator<Item = &'w str>) -> Error {
    let words: Vec<&str> = words.collect();
    Error::new(ErrorCode::InvalidOption, format!("the option {option} must be one of {}", words.join(", ")))
}

/// `0.1,1.25,5`: cached input, written input and output, as multiples of the price of fresh input.
fn rates(given: &str) -> Result<[f64; 3], Failure> {
    let numbers: Option<Vec<f64>> = given.split(',').map(number).collect();
    let is_rate = |rate: &f64| *rate >= 0.0 && rate.is_finite();
    let rates = numbers.filter(|numbers| numbers.iter().all(is_rate));
    rates.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| {
        Failure::Usage(format!(
            "--rates must be three numbers, for cached input, written input and output, such as 0.1,1.25,5; not {given}"
        ))
    })
}

/// A text as a number, as JavaScript's `Number` takes it: nothing is 0, and a prefix says another base.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    for (prefix, base) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        let digits = text.get(..2).filter(|start| start.eq_ignore_ascii_case(prefix)).and(text.get(2..));
        if let Some(digits) = digits {
            return u64::from_str_radix(digits, base).ok().map(|number| number as f64);
        }
    }
    if text.is_empty() {
        return Some(0.0);
    }
    // The standard library also knows names of numbers.
    let is_decimal = text.chars().all(|letter| letter.is_ascii_digit() || "+-.eE".contains(letter));
    if is_decimal { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(given: &[(&'static str, &str)]) -> Result<Terms, String> {
        let given = given.iter().map(|(name, value)| (*name, Some((*value).to_owned()))).collect();
        let life = Life::of(&Values::new(given)).map_err(|failure| failure.message())?;
        life.terms().map_err(|error| error.message().to_owned())
    }

    #[test]
    fn rates_are_three_numbers() {
        let rates = of(&[("rates", "0.1, 0x2,")]).unwrap().rates;
        assert_eq!((rates.cached, rates.written, rates.output), (0.1, 2.0, 0.0));
        for given in ["", "1,2", "1,2,3,4", "1,2,-3", "1,2,inf", "1,2,1e999", "1,2,x", "1,2,1_000"] {
            assert!(of(&[("rates", given)]).unwrap_err().ends_with(&format!("not {given}")), "{given}");
        }
        let large = of(&[("rates", "1,1e300,1")]).unwrap_err();
        assert_eq!(large, "the option rates.written must be a number of 0 or more");
    }

    #[test]
    fn words_are_those_that_there_are() {
        let terms = of(&[("usage", "recorded"), ("moments", "system"), ("cache-lives", "5")]).unwrap();
        assert_eq!((terms.options.usage, terms.options.moments), (UsageFrom::Recorded, Moments::System));
        assert_eq!(terms.cache.lives, Some(300_000));
        let wrong = of(&[("usage", "guessed")]).unwrap_err();
        assert_eq!(wrong, "the option usage must be one of estimate, recorded, nothing");
        assert_eq!(of(&[("carried", "1800")]).unwrap().summaries, SummaryContent::Names(1_800));
        assert!(
            of(&[("carried", "all")]).unwrap_err().ends_with("one of nothing, by_rule, a number of tokens")
        );
        assert!(of(&[("moments", "never")]).unwrap_err().starts_with("the option moments must be one of"));
        let long = of(&[("cache-lives", "9007199254740991")]).unwrap_err();
        assert_eq!(long, "the option cache.lives must be a number of 0 or more");
    }
}
