//! The bill of a replay: what each request costs, and which compactions pay for themselves.

use super::{Cache, Rates};
use crate::replay::{Replay, Request};

crate::form::reported! {
    /// What one request is charged for, in tokens.
    [Copy, Default, Eq]
    pub struct Charge {
        /// Input that is neither read from the cache nor written to it.
        pub fresh: u64,
        /// Input that is read from the cache.
        pub cached: u64,
        /// Input that is written to the cache.
        pub written: u64,
        /// Output.
        pub output: u64,
        /// The input of the summary that was made before the request, all of it fresh.
        pub summary_input: u64,
        /// The output of that summary.
        pub summary_output: u64,
        /// Tokens that were in the cache at the request before and cannot be read any more, because what precedes them
        /// changed.
        pub broken: u64,
    }
}

impl Charge {
    /// The input of the request itself.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::economics::Charge::default().input(), 0);
    /// ```
    #[must_use]
    pub fn input(&self) -> u64 {
        self.fresh + self.cached + self.written
    }

    /// What `input` tokens are charged for, `idle` milliseconds after a request. `before` is what that request sent, and how
    /// much of it stands unchanged at the beginning of this one; `None` if there was none.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Cache, Charge};
    /// let charge = Charge::of_input(Cache::default(), 1_000, Some((900, 600)), 0);
    /// assert_eq!((charge.cached, charge.written, charge.broken), (600, 400, 300));
    /// ```
    #[must_use]
    pub fn of_input(cache: Cache, input: u64, before: Option<(u64, u64)>, idle: u64) -> Self {
        let (sent, unchanged) = before.unwrap_or_default();
        let cached = cache.reusable(unchanged, idle);
        let rest = input.saturating_sub(cached);
        let is_written = input >= cache.minimum;
        Self {
            fresh: if is_written { 0 } else { rest },
            cached,
            written: if is_written { rest } else { 0 },
            broken: cache.reusable(sent, idle).saturating_sub(cached),
            ..Self::default()
        }
    }

    /// The cost, in fresh input tokens.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Charge, Rates};
    /// let rates = Rates::new(0.1, 1.25, 5.0);
    /// assert_eq!(Charge::default().cost(rates), 0.0);
    /// ```
    #[must_use]
    pub fn cost(&self, rates: Rates) -> f64 {
        let Rates { cached, written, output } = rates;
        (self.fresh + self.summary_input) as f64
            + self.cached as f64 * cached
            + self.written as f64 * written
            + (self.output + self.summary_output) as f64 * output
    }
}

crate::form::reported! {
    /// When a compaction has earned what it cost.
    [Copy]
    pub struct Payback {
        /// The request before which it was carried out.
        pub request: u32,
        /// What it cost at once: the cache that it broke and the summary, in fresh input tokens.
        pub cost: f64,
        /// What each later request saves, in fresh input tokens.
        pub saving: f64,
        /// The first request by which the savings cover the cost; `None` if there is none before the session ends or the
        /// next compaction.
        pub covered_by: Option<u32>,
    }
}

/// What all requests of a replay cost.
///
/// # Example
///
/// ```
/// use ebbline::economics::{Bill, Cache, Rates};
/// use ebbline::replay::{Replay, ReplayOptions};
/// let text = r#"[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]"#;
/// let session = ebbline::SessionText::read(text)?;
/// let policy = ebbline::profiles::get("ebbline@1")?;
/// let replay = Replay::new(&session, &policy, &ReplayOptions::new().overhead(1_000));
/// let rates = Rates::new(0.1, 1.25, 5.0);
/// let bill = Bill::of(&replay, Cache::default(), rates, &[]);
/// // The next request, which has no answer yet, is not part of the bill.
/// assert_eq!(bill.charges().len(), 1);
/// assert_eq!(bill.charges()[0].written, 1_002);
/// assert_eq!(bill.cost(), 1_002.0 * 1.25 + 2.0 * 5.0);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Bill {
    rates: Rates,
    charges: Vec<Charge>,
    paybacks: Vec<Payback>,
}

impl Bill {
    /// The bill of the requests that were answered.
    ///
    /// `moments` holds, for each message of the log, when it was written, in milliseconds since 1970. Where the two
    /// messages that answer neighboring requests have one, the cache may have expired between them; elsewhere it
    /// never expires.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Bill, Cache, Rates};
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let text = r#"[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]"#;
    /// let session = ebbline::SessionText::read(text)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// let rates = Rates::new(0.1, 1.0, 4.0);
    /// let bill = Bill::of(&replay, Cache::default(), rates, &[]);
    /// assert_eq!(bill.charges().len(), 1);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn of(replay: &Replay<'_>, cache: Cache, rates: Rates, moments: &[Option<u64>]) -> Self {
        let answered = replay.requests().split_last().map_or(&[][..], |(_, answered)| answered);
        let overhead = replay.options().overhead;
        let moment_of = |request: &Request| {
            let message = replay.history().messages().get(request.at as usize)?;
            moments.get(*message as usize).copied().flatten()
        };
        let mut charges = Vec::with_capacity(answered.len());
        let mut before: Option<&Request> = None;
        for request in answered {
            let idle = before.and_then(|before| Some(moment_of(request)?.saturating_sub(moment_of(before)?)));
            charges.push(charge(replay, cache, overhead, before, request, idle.unwrap_or(0)));
            before = Some(request);
        }
        let paybacks = paybacks(replay, rates, answered, &charges);
        Self { rates, charges, paybacks }
    }

    /// The charge of each answered request.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Bill, Cache, Rates};
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let text = r#"[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]"#;
    /// let session = ebbline::SessionText::read(text)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// let rates = Rates::new(0.1, 1.0, 4.0);
    /// let bill = Bill::of(&replay, Cache::default(), rates, &[]);
    /// assert_eq!(bill.charges()[0].written, 2);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn charges(&self) -> &[Charge] {
        &self.charges
    }

    /// When each compaction pays for itself.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Bill, Cache, Rates};
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// let rates = Rates::new(0.1, 1.25, 5.0);
    /// assert!(Bill::of(&replay, Cache::default(), rates, &[]).paybacks().is_empty());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn paybacks(&self) -> &[Payback] {
        &self.paybacks
    }

    /// The sum of all charges.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Bill, Cache, Rates};
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// let rates = Rates::new(0.1, 1.25, 5.0);
    /// assert_eq!(Bill::of(&replay, Cache::default(), rates, &[]).total().input(), 0);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn total(&self) -> Charge {
        self.charges.iter().fold(Charge::default(), |sum, charge| Charge {
            fresh: sum.fresh + charge.fresh,
            cached: sum.cached + charge.cached,
            written: sum.written + charge.written,
            output: sum.output + charge.output,
            summary_input: sum.summary_input + charge.summary_input,
            summary_output: sum.summary_output + charge.summary_output,
            broken: sum.broken + charge.broken,
        })
    }

    /// The cost of all requests, in fresh input tokens.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Bill, Cache, Rates};
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let text = r#"[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]"#;
    /// let session = ebbline::SessionText::read(text)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// let rates = Rates::new(0.1, 1.0, 4.0);
    /// let bill = Bill::of(&replay, Cache::default(), rates, &[]);
    /// assert_eq!(bill.cost(), 2.0 + 2.0 * 4.0);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn cost(&self) -> f64 {
        self.charges.iter().map(|charge| charge.cost(self.rates)).sum()
    }
}

/// What one request is charged for, `idle` milliseconds after the one before.
fn charge(
    replay: &Replay<'_>,
    cache: Cache,
    overhead: u64,
    before: Option<&Request>,
    request: &Request,
    idle: u64,
) -> Charge {
    let input = overhead.saturating_add(request.tokens);
    // The overhead never changes, so it stands at the beginning of every request but the first.
    let with_overhead = |tokens: u64| overhead.saturating_add(tokens);
    let before = before.map(|before| (with_overhead(before.tokens), with_overhead(request.unchanged)));
    let compaction = request.compaction.and_then(|number| replay.compactions().get(number as usize));
    let summary = compaction.filter(|compaction| compaction.summary_input > 0);
    Charge {
        output: request.output,
        summary_input: summary.map_or(0, |compaction| compaction.summary_input),
        summary_output: summary.map_or(0, |compaction| compaction.summary),
        ..Charge::of_input(cache, input, before, idle)
    }
}

/// When each compaction pays for itself: what it took out of the context would have been read from the cache with every
/// later request.
fn paybacks(replay: &Replay<'_>, rates: Rates, answered: &[Request], charges: &[Charge]) -> Vec<Payback> {
    let mut paybacks = Vec::new();
    for (number, compaction) in replay.compactions().iter().enumerate() {
        let at = compaction.request;
        let Some(charge) = charges.get(at as usize) else { continue };
        let decision = &compaction.decision;
        let removed = decision.tokens_before.saturating_sub(decision.tokens_after);
        // Without the compaction, what it broke would have been read from the cache; what it removed does not come again.
        let again = charge.broken.saturating_sub(removed);
        let summary = Charge {
            summary_input: charge.summary_input,
            summary_output: charge.summary_output,
            ..Charge::default()
        };
        let cost = again as f64 * (rates.written - rates.cached).max(0.0) + summary.cost(rates);
        let saving = removed as f64 * rates.cached;
        let end = replay.compactions().get(number + 1).map_or(answered.len() as u32, |next| next.request);
        let needed = if saving > 0.0 { (cost / saving).ceil().max(1.0) } else { f64::INFINITY };
        let covered_by = Some(needed).filter(|needed| *needed <= f64::from(end.saturating_sub(at)));
        let covered_by = covered_by.map(|needed| at + needed as u32 - 1);
        paybacks.push(Payback { request: at, cost, saving, covered_by });
    }
    paybacks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::length::Length;
    use crate::profiles;
    use crate::replay::ReplayOptions;
    use crate::transcript::{Message, Part, PartKind, Role, Transcript};

    const RATES: Rates = Rates { cached: 0.1, written: 1.25, output: 5.0 };

    /// Calls whose outputs have so many tokens each.
    fn log(outputs: &[usize]) -> Transcript {
        let mut log = Transcript::default();
        log.begin(Message::person());
        log.push(Part::new(PartKind::Text, Length::ascii(400)));
        for (call, tokens) in (0_u32..).zip(outputs) {
            log.begin(Message::new(Role::Assistant));
            log.push(Part { call: Some(call), ..Part::new(PartKind::ToolCall, Length::ascii(40)) });
            log.begin(Message::new(Role::Tool));
            log.push(Part { call: Some(call), ..Part::new(PartKind::ToolResult, Length::ascii(tokens * 4)) });
        }
        log.begin(Message::new(Role::Assistant));
        log.push(Part::new(PartKind::Text, Length::ascii(400)));
        log
    }

    /// Prunes outputs beyond the newest 40,000 tokens, in any turn.
    fn pruning() -> crate::Policy {
        let mut policy = profiles::get("pi@1.5").unwrap();
        policy.prune.enabled = true;
        policy.prune.protected_turns = 0;
        policy.retain.enabled = false;
        policy
    }

    #[test]
    fn every_token_of_a_request_is_charged_once() {
        let mut policy = pruning();
        for (path, value) in
            [("prune.protect", "3000"), ("prune.minimum", "2000"), ("prune.protectedTurns", "0")]
        {
            policy.set(path, value).unwrap();
        }
        let log = log(&[2_000; 40]);
        let replay = Replay::new(&log, &policy, &ReplayOptions::new().overhead(500));
        assert!(replay.compactions().len() > 5);
        for cache in [Cache::default(), Cache { minimum: 1_024, block: 128, lives: None }] {
            let bill = Bill::of(&replay, cache, RATES, &[]);
            assert_eq!(bill.charges().len(), 41);
            for (request, charge) in replay.requests().iter().zip(bill.charges()) {
                assert_eq!(charge.input(), request.tokens + 500);
                assert!(charge.cached <= request.unchanged + 500);
            }
            assert_eq!(bill.paybacks().len(), replay.compactions().len());
            assert!(bill.total().broken > 0);
        }
    }

    #[test]
    fn a_cold_cache_reads_nothing() {
        let log = log(&[1_000; 3]);
        let policy = profiles::get("pi@1.5").unwrap();
        let replay = Replay::new(&log, &policy, &ReplayOptions::new());
        let cache = Cache { lives: Some(300_000), ..Cache::default() };
        // Messages 1, 3, 5 and 7 answer; ten minutes pass before the third.
        let moments = [None, Some(0), None, Some(60_000), None, Some(660_000), None, Some(700_000)];
        let bill = Bill::of(&replay, cache, RATES, &moments);
        let cached: Vec<bool> = bill.charges().iter().map(|charge| charge.cached > 0).collect();
        assert_eq!(cached, [false, true, false, true]);
    }

    #[test]
    fn a_prune_at_the_end_of_a_session_is_never_paid_back() {
        let policy = pruning();
        let log = log(&[10_000; 7]);
        let replay = Replay::new(&log, &policy, &ReplayOptions::new());
        let bill = Bill::of(&replay, Cache::default(), RATES, &[]);
        let [prune] = bill.paybacks() else { panic!("{:?}", bill.paybacks()) };
        // 30,000 tokens behind the two pruned outputs are written again instead of read; 20,000 are no longer read.
        assert_eq!((prune.cost.round(), prune.saving.round(), prune.covered_by), (34_567.0, 1_998.0, None));
    }
}
