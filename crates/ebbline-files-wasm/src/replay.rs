//! Replays: the life of a session under one policy, or under several.

use ebbline::economics::{Cache, CacheCheck, Rates, ReplayReport, SummaryContent, compare};
use ebbline::loss::{self, LossInput, Meter};
use ebbline::replay::{History, Moments, Replay, ReplayOptions, UsageFrom};
use ebbline::{Error, ErrorCode, Policy, Transcript};
use ebbline_wasm_shared::EbblineError;
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use crate::js::{from_js, to_js};
use crate::session::{SessionText, policy_of};

/// What a replay assumes.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    options: ReplayOptions,
    cache: Cache,
    rates: Rates,
    summaries: SummaryContent,
}

/// What a replay assumes, as it crosses; the package knows what holds where the caller says nothing.
#[derive(Default, Deserialize)]
struct Assumptions {
    overhead: f64,
    usage: String,
    moments: Option<String>,
    rates: [f64; 3],
    cache: CacheRules,
    carried: Option<String>,
}

/// How a provider's cache works, as it crosses.
#[derive(Default, Deserialize)]
struct CacheRules {
    minimum: f64,
    block: f64,
    lives: Option<f64>,
}

#[wasm_bindgen]
impl Terms {
    /// The assumptions of a replay: `usage` is a word of [`UsageFrom`], `moments` one of [`Moments`], `rates` are those of cached,
    /// written and put out tokens, and `cache` has the provider's smallest prefix, its blocks, and how long it lives in milliseconds.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "Assumptions")] given: JsValue,
    ) -> Result<Self, EbblineError> {
        let Assumptions { overhead, usage, moments, rates: [cached, written, output], cache, carried } =
            from_js(given);
        let usage = UsageFrom::from_word(&usage)
            .ok_or_else(|| unknown_word("usage", UsageFrom::ALL.iter().map(|word| word.as_str())))?;
        let mut options = ReplayOptions::new().overhead(overhead as u64).usage(usage);
        if let Some(word) = moments {
            options = options.moments(
                Moments::from_word(&word)
                    .ok_or_else(|| unknown_word("moments", Moments::ALL.iter().map(|word| word.as_str())))?,
            );
        }
        let lives = cache.lives.map(|lives| lives as u64);
        let cache = Cache::new(cache.minimum as u64, (cache.block as u64).max(1), lives);
        let options = options.cache_lives(lives);
        let summaries = carried.as_deref().map(SummaryContent::of_option).transpose()?.unwrap_or_default();
        Ok(Self { options, cache, rates: Rates::new(cached, written, output), summaries })
    }
}

fn unknown_word<'w>(option: &str, words: impl Iterator<Item = &'w str>) -> Error {
    let words: Vec<&str> = words.collect();
    Error::new(ErrorCode::InvalidOption, format!("the option {option} must be one of {}", words.join(", ")))
}

impl Terms {
    pub(crate) fn with<'m>(&self, moments: &'m [Option<u64>]) -> ebbline::economics::Terms<'m> {
        let terms = ebbline::economics::Terms::new(self.rates).options(self.options);
        terms.cache(self.cache, moments).summaries(self.summaries)
    }

    pub(crate) fn needs_moments(&self, policies: &[Policy]) -> bool {
        self.cache.lives.is_some() || policies.iter().any(|policy| policy.prune.cold_after > 0)
    }
}

#[wasm_bindgen]
impl SessionText {
    /// The life of the session under a whole policy, given as JSON.
    #[wasm_bindgen(unchecked_return_type = "ReplayReport")]
    pub fn replay(&self, policy: &str, terms: &Terms) -> Result<JsValue, EbblineError> {
        let policy = policy_of(policy)?;
        let moments = self.moments(terms, std::slice::from_ref(&policy));
        Ok(replayed(self.inner(), &policy, terms, &moments))
    }

    /// The life of the session under several whole policies, each given as JSON.
    #[wasm_bindgen(unchecked_return_type = "PolicyOutcome[]")]
    pub fn compare(&self, policies: Vec<String>, terms: &Terms) -> Result<JsValue, EbblineError> {
        let policies = policies_of(&policies)?;
        Ok(compared(self.inner(), &policies, terms, &self.moments(terms, &policies)))
    }

    /// What the session loses under each of several whole policies, each given as JSON: a list of reports, each with at
    /// most `findings` findings.
    #[wasm_bindgen(unchecked_return_type = "Loss[]")]
    pub fn loss(
        &self,
        policies: Vec<String>,
        terms: &Terms,
        findings: usize,
    ) -> Result<JsValue, EbblineError> {
        let mut reports = Vec::with_capacity(policies.len());
        let meter = Meter::of(self.inner());
        for json in &policies {
            let policy = policy_of(json)?;
            let moments = self.moments(terms, std::slice::from_ref(&policy));
            let replay = Replay::with_moments(self.inner(), &policy, &terms.options, &moments);
            reports.push(replay.loss(&meter, findings));
        }
        Ok(to_js(&reports))
    }

    /// The rules of the cache checked against the reads that the session's provider reported, by the estimator of a whole
    /// policy, given as JSON; `null` if it reported none.
    #[wasm_bindgen(js_name = cacheCheck, unchecked_return_type = "CacheCheck | null")]
    pub fn cache_check(&self, policy: &str, terms: &Terms) -> Result<JsValue, EbblineError> {
        let estimator = policy_of(policy)?.estimator;
        Ok(to_js(&CacheCheck::of(self.inner(), terms.cache, &estimator, &self.moments(terms, &[]))))
    }

    /// What the compactions lost that the session itself records, with at most `findings` findings.
    #[wasm_bindgen(unchecked_return_type = "Loss")]
    pub fn audit(&self, findings: usize) -> JsValue {
        let summaries = loss::recorded_summaries(self.inner());
        let mut input = LossInput::default();
        (input.summaries, input.findings) = (&summaries, findings);
        to_js(&loss::measure(self.inner(), &loss::recorded(self.inner()), &input))
    }
}

impl SessionText {
    /// When the messages were written, if the terms or a policy ask for it.
    pub(crate) fn moments(&self, terms: &Terms, policies: &[Policy]) -> Vec<Option<u64>> {
        if terms.needs_moments(policies) { self.inner().moments() } else { Vec::new() }
    }
}

/// As [`SessionText::replay`], for the transcript that records hold.
#[wasm_bindgen(js_name = replayRecords, unchecked_return_type = "ReplayReport")]
pub fn replay_records(
    words: &[u32],
    tools: Vec<String>,
    policy: &str,
    terms: &Terms,
) -> Result<JsValue, EbblineError> {
    Ok(replayed(&transcript(words, &tools)?, &policy_of(policy)?, terms, &[]))
}

/// As [`SessionText::compare`], for the transcript that records hold.
#[wasm_bindgen(js_name = compareRecords, unchecked_return_type = "PolicyOutcome[]")]
pub fn compare_records(
    words: &[u32],
    tools: Vec<String>,
    policies: Vec<String>,
    terms: &Terms,
) -> Result<JsValue, EbblineError> {
    Ok(compared(&transcript(words, &tools)?, &policies_of(&policies)?, terms, &[]))
}

pub(crate) fn transcript(words: &[u32], tools: &[String]) -> Result<Transcript, EbblineError> {
    Ok(ebbline::binding::records::read(words, tools.iter().map(String::as_str))?)
}

fn replayed<'l>(
    life: impl Into<History<'l>>,
    policy: &Policy,
    terms: &Terms,
    moments: &[Option<u64>],
) -> JsValue {
    let terms = terms.with(moments);
    let replay = Replay::with_moments(life, policy, &terms.options, terms.moments);
    to_js(&ReplayReport::of(&replay, &terms.bill(&replay)))
}

fn compared<'l>(
    life: impl Into<History<'l>>,
    policies: &[Policy],
    terms: &Terms,
    moments: &[Option<u64>],
) -> JsValue {
    to_js(&compare(life, policies, &terms.with(moments)))
}

fn policies_of(policies: &[String]) -> Result<Vec<Policy>, EbblineError> {
    policies.iter().map(|json| policy_of(json)).collect()
}
