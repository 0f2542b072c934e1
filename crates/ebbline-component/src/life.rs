//! The life of a session: what is assumed about it, and what it costs and loses.

use ebbline::binding::{FINDINGS, MOST_POLICIES};
use ebbline::economics::{self, Cache, CacheCheck, Rates, ReplayReport, SummaryContent, Terms};
use ebbline::json::{Document, Value, Writer};
use ebbline::loss::{self, LossInput, Meter};
use ebbline::replay::{Moments, Replay, ReplayOptions, UsageFrom};
use ebbline::{Error, Policy, SessionText, profiles};

use crate::failure::invalid;
use crate::options::{self, OF_AUDITS, OF_COMPARISONS, OF_REPLAYS, known, parsed};
use crate::texts::to_json;
use crate::weighed::policy_of;

/// What is assumed, the same for every policy.
#[derive(Debug)]
pub(crate) struct Life {
    options: ReplayOptions,
    cache: Cache,
    rates: Rates,
    summaries: SummaryContent,
}

impl Life {
    /// Reads it from options.
    pub(crate) fn read(given: Value<'_>) -> Result<Self, Error> {
        let usage = options::text(given, "usage")?.unwrap_or_else(|| UsageFrom::Estimate.as_str().to_owned());
        let usage = UsageFrom::from_word(&usage)
            .ok_or_else(|| unknown("usage", UsageFrom::ALL.iter().map(|word| word.as_str())))?;
        let mut assumed =
            ReplayOptions::new().overhead(options::amount(given, "overhead")?.unwrap_or(0)).usage(usage);
        if let Some(word) = options::text(given, "moments")? {
            let moments = Moments::from_word(&word)
                .ok_or_else(|| unknown("moments", Moments::ALL.iter().map(|word| word.as_str())))?;
            assumed = assumed.moments(moments);
        }
        let (mut cache, mut rates) = (Cache::default(), Rates::default());
        if let Some(named) = options::object(given, "cache")? {
            known(named, &[&["minimum", "block", "lives"]])?;
            cache.minimum = options::amount(named, "minimum")?.unwrap_or(cache.minimum);
            cache.block = options::amount(named, "block")?.unwrap_or(cache.block).max(1);
            cache.lives = options::amount(named, "lives")?;
        }
        if let Some(named) = options::object(given, "rates")? {
            known(named, &[&["cached", "written", "output"]])?;
            rates.cached = options::number(named, "cached")?.unwrap_or(rates.cached);
            rates.written = options::number(named, "written")?.unwrap_or(rates.written);
            rates.output = options::number(named, "output")?.unwrap_or(rates.output);
        }
        let content = given.present("carried").map(|carried| {
            let word = carried.text().map_or_else(|| carried.source().into(), |text| text.decode());
            SummaryContent::of_option(&word)
        });
        let summaries = content.transpose()?.unwrap_or_default();
        Ok(Self { options: assumed.cache_lives(cache.lives), cache, rates, summaries })
    }

    /// When the messages of a session were written, if the cache or one of the policies asks for it.
    pub(crate) fn moments<'p>(
        &self,
        session: &SessionText<'_>,
        mut policies: impl Iterator<Item = &'p Policy>,
    ) -> Vec<Option<u64>> {
        let is_asked = self.cache.lives.is_some() || policies.any(|policy| policy.prune.cold_after > 0);
        if is_asked { session.moments() } else { Vec::new() }
    }

    /// The terms of a bill.
    pub(crate) fn terms<'m>(&self, moments: &'m [Option<u64>]) -> Terms<'m> {
        Terms::new(self.rates).options(self.options).cache(self.cache, moments).summaries(self.summaries)
    }
}

fn unknown<'w>(option: &str, words: impl Iterator<Item = &'w str>) -> Error {
    let words: Vec<&str> = words.collect();
    invalid(format!("the option {option} must be one of {}", words.join(", ")))
}

pub(crate) fn replay(text: String, options: &str) -> Result<String, Error> {
    let given = parsed(options, OF_REPLAYS)?;
    let given = given.root();
    let (policy, life) = (options::policy(given)?, Life::read(given)?);
    let session = SessionText::read_with(text, &options::reading(given, &policy)?)?;
    let moments = life.moments(&session, std::iter::once(&policy));
    let terms = life.terms(&moments);
    let replay = Replay::with_moments(&session, &policy, &terms.options, terms.moments);
    let mut report = to_json(&ReplayReport::of(&replay, &terms.bill(&replay)));
    let mut add = |name: &str, json: &str| {
        report.pop();
        report.extend([",\"", name, "\":", json, "}"]);
    };
    if options::flag(given, "loss")? == Some(true) {
        add("loss", &lost(&Meter::of(&session), &replay, FINDINGS));
    }
    if options::flag(given, "cacheCheck")? == Some(true) {
        add("cacheCheck", &to_json(&CacheCheck::of(&session, life.cache, &policy.estimator, &moments)));
    }
    Ok(report)
}

pub(crate) fn compare(text: String, policies: &str, options: &str) -> Result<String, Error> {
    let given = parsed(options, OF_COMPARISONS)?;
    let given = given.root();
    let (policies, life) = (policies_of(policies, options::object(given, "model")?)?, Life::read(given)?);
    let session = SessionText::read_with(text, &options::reading(given, &options::policy(given)?)?)?;
    let moments = life.moments(&session, policies.iter());
    let terms = life.terms(&moments);
    let outcomes = economics::compare(&session, &policies, &terms);
    if options::flag(given, "loss")? != Some(true) {
        return Ok(to_json(&outcomes));
    }
    let meter = Meter::of(&session);
    let mut out = Writer::default();
    for (at, (outcome, policy)) in outcomes.iter().zip(&policies).enumerate() {
        let replay = Replay::with_moments(&session, policy, &terms.options, terms.moments);
        let outcome = to_json(outcome);
        out.raw(if at == 0 { "[" } else { "," }).raw(outcome.strip_suffix('}').unwrap_or_default());
        out.raw(",\"loss\":").raw(&lost(&meter, &replay, 0)).raw("}");
    }
    out.raw("]");
    Ok(out.finish())
}

/// The policies of a comparison: names of profiles, or options such as `{"profile": .., "set": ..}`. One that names no model has that
/// of the comparison.
fn policies_of(json: &str, model: Option<Value<'_>>) -> Result<Vec<Policy>, Error> {
    let document = Document::parse(json)?;
    let listed: Vec<_> = document.root().elements().collect();
    if listed.is_empty() {
        return Err(invalid(
            "compare needs a list of policies: names of profiles, or options such as { profile, set }",
        ));
    }
    if listed.len() > MOST_POLICIES {
        return Err(invalid(format!("compare takes at most {MOST_POLICIES} policies at once")));
    }
    listed.into_iter().map(|policy| policy_of(policy, model)).collect()
}

/// What a life loses, as JSON.
fn lost(meter: &Meter<'_, '_>, replay: &Replay<'_>, findings: usize) -> String {
    replay.loss(meter, findings).to_json()
}

pub(crate) fn audit(text: String, findings: u32, options: &str) -> Result<String, Error> {
    let given = parsed(options, OF_AUDITS)?;
    let plain = profiles::get(profiles::DEFAULT)?;
    let session = SessionText::read_with(text, &options::reading(given.root(), &plain)?)?;
    let summaries = loss::recorded_summaries(&session);
    let mut input = LossInput::default();
    (input.summaries, input.findings) = (&summaries, findings as usize);
    Ok(loss::measure(&session, &loss::recorded(&session), &input).to_json())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]"#;

    #[test]
    fn loss_and_the_check_of_a_cache_stand_behind_the_report() {
        let plain = replay(TEXT.to_owned(), "{}").unwrap();
        let whole = replay(TEXT.to_owned(), r#"{"loss": true, "cacheCheck": true}"#).unwrap();
        assert!(whole.starts_with(&plain[..plain.len() - 1]), "{whole}");
        assert!(whole.contains(r#","loss":{"#) && whole.ends_with(r#","cacheCheck":null}"#), "{whole}");
        assert!(ebbline::json::Document::parse(&whole).is_ok());
    }

    #[test]
    fn policies_are_compared_side_by_side() {
        let of = |policies: &str, options: &str| compare(TEXT.to_owned(), policies, options);
        let outcomes = of(r#"["pi@1.5", {"profile": "ebbline@2"}]"#, r#"{"loss": true}"#).unwrap();
        assert_eq!(outcomes.matches("\"loss\":{").count(), 2, "{outcomes}");
        assert_eq!(of(r#"["pi@1.5"]"#, "{}").unwrap().matches("\"requests\":1").count(), 1);
        let windows = of(
            r#"["pi@1.5", {"profile": "ebbline@2", "model": {"context": 9000}}]"#,
            r#"{"model": {"context": 8000}}"#,
        );
        let windows = windows.unwrap();
        assert!(windows.contains("\"window\":8000") && windows.contains("\"window\":9000"), "{windows}");
        let many = format!("[{}1]", "1,".repeat(256));
        for (policies, options, sentence) in [
            ("[]", "{}", "compare needs a list of policies: names of profiles"),
            (many.as_str(), "{}", "compare takes at most 256 policies at once"),
            ("[7]", r#"{"model": {"context": 8000}}"#, "the options must be an object"),
            (r#"["pi@1.5"]"#, r#"{"model": 8000}"#, "the option model must be an object"),
        ] {
            assert!(of(policies, options).unwrap_err().message().starts_with(sentence), "{policies}");
        }
    }

    #[test]
    fn what_is_assumed_is_checked_by_its_names() {
        for (options, sentence) in [
            (r#"{"usage": "guess"}"#, "the option usage must be one of estimate, recorded"),
            (r#"{"moments": "never"}"#, "the option moments must be one of every_request, system"),
            (r#"{"cache": {"live": 1}}"#, "there is no option live: did you mean lives?"),
            (r#"{"rates": {"cached": -1}}"#, "the option cached must be a number of 0 or more"),
        ] {
            let message = replay(TEXT.to_owned(), options).unwrap_err().message().to_owned();
            assert!(message.starts_with(sentence), "{message}");
        }
    }
}
