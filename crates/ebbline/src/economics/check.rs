//! The rules of a cache, checked against what a provider reported.

use super::Cache;
use crate::order::sort_by;
use crate::policy::Estimator;
use crate::replay::{Recorded, recorded};
use crate::session_text::{CacheReport, SessionText};

crate::form::reported! {
    /// What the rules of a cache predict for a recorded session, beside what its provider reported.
    ///
    /// The session is taken as its agent lived it, with its own compactions. The prediction knows what every request before
    /// has sent, and nothing that was reported about the cache: what stands unchanged at the beginning of a request is read,
    /// if the rules of the cache allow it.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Cache, CacheCheck};
    /// use ebbline::policy::Estimator;
    /// let usage = |read: u64, written: u64| {
    ///     format!(r#""usage": {{"input_tokens": 1, "cache_read_input_tokens": {read}, "cache_creation_input_tokens": {written}}}"#)
    /// };
    /// let text = format!(
    ///     r#"[{{"role": "user", "content": "hello"}}, {{"role": "assistant", "content": [{{"type": "text", "text": "hi"}}], {}}},
    ///      {{"role": "user", "content": "go on"}}, {{"role": "assistant", "content": [{{"type": "text", "text": "done"}}], {}}}]"#,
    ///     usage(0, 5_000), usage(5_000, 20),
    /// );
    /// let session = ebbline::SessionText::read(&*text)?;
    /// let check = CacheCheck::of(&session, Cache::default(), &Estimator::default(), &[]).unwrap();
    /// assert_eq!((check.requests.len(), check.requests[0].predicted, check.requests[0].reported), (1, 5_001, 5_000));
    /// assert!(check.median_error < 0.001);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    []
    pub struct CacheCheck {
        /// Every request with a report that follows another, oldest first.
        pub requests: Vec<CheckedRequest>,
        /// The median error of what is predicted from reported sizes, as a share of what was reported.
        pub median_error: f64,
        /// The same for what is predicted from estimated sizes.
        pub median_error_estimated: f64,
        /// All reads that are predicted from reported sizes, in tokens.
        pub predicted: u64,
        /// All reads that are predicted from estimated sizes, in tokens.
        pub estimated: u64,
        /// All reads that were reported, in tokens.
        pub reported: u64,
        /// Requests for which reads are predicted and none was reported: an entry expired or was never kept.
        pub missed: u32,
        /// Requests for which no read is predicted and one was reported: an entry lived longer than the rules say.
        pub unexpected: u32,
        /// What is sent beside the messages, in tokens, as the reported sizes show it.
        pub overhead: u64,
        /// How many reported tokens one estimated token is.
        pub ratio: f64,
    }
}

crate::form::reported! {
    /// One request of a check, in tokens.
    [Copy, Default, Eq]
    pub struct CheckedRequest {
        /// The message of the log that answers it.
        pub message: u32,
        /// All of its input, as reported.
        pub input: u64,
        /// The predicted read, from the reported size of the request before.
        pub predicted: u64,
        /// The predicted read, from estimated sizes.
        pub estimated: u64,
        /// The reported read.
        pub reported: u64,
    }
}

impl CheckedRequest {
    /// How far the prediction from reported sizes is off, as a share of what was reported; 1 if nothing was.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::CheckedRequest;
    /// assert_eq!(CheckedRequest::default().error(), 0.0);
    /// ```
    #[must_use]
    pub fn error(&self) -> f64 {
        error(self.predicted, self.reported)
    }
}

impl CacheCheck {
    /// Checks the rules of `cache` against a session; `None` if it reports no cache for two requests.
    ///
    /// `moments` is as for [`Bill::of`](super::Bill::of).
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Cache, CacheCheck};
    /// use ebbline::policy::Estimator;
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// assert!(CacheCheck::of(&session, Cache::default(), &Estimator::default(), &[]).is_none());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn of(
        session: &SessionText<'_>,
        cache: Cache,
        estimator: &Estimator,
        moments: &[Option<u64>],
    ) -> Option<Self> {
        let sent = sent(session, estimator);
        let scale = Scale::of(&sent);
        let moment = |sent: &Sent| moments.get(sent.message as usize).copied().flatten();
        let checked = sent.iter().zip(sent.iter().skip(1)).map(|(before, now)| {
            let idle = moment(now).zip(moment(before)).map_or(0, |(now, before)| now.saturating_sub(before));
            let read = |prefix: u64| cache.reusable(prefix.min(now.report.input), idle);
            let changed = scale.ratio * before.tokens.saturating_sub(now.unchanged) as f64;
            CheckedRequest {
                message: now.message,
                input: now.report.input,
                predicted: read(before.report.input.saturating_sub(changed as u64)),
                estimated: read((scale.overhead + scale.ratio * now.unchanged as f64) as u64),
                reported: now.report.read,
            }
        });
        let requests: Vec<CheckedRequest> = checked.collect();
        if requests.is_empty() {
            return None;
        }
        let sum = |of: fn(&CheckedRequest) -> u64| requests.iter().map(of).sum();
        let count =
            |is: fn(&CheckedRequest) -> bool| requests.iter().filter(|request| is(request)).count() as u32;
        Some(Self {
            median_error: median(requests.iter().map(CheckedRequest::error)),
            median_error_estimated: median(
                requests.iter().map(|request| error(request.estimated, request.reported)),
            ),
            predicted: sum(|request| request.predicted),
            estimated: sum(|request| request.estimated),
            reported: sum(|request| request.reported),
            missed: count(|request| request.predicted > 0 && request.reported == 0),
            unexpected: count(|request| request.predicted == 0 && request.reported > 0),
            overhead: scale.overhead as u64,
            ratio: scale.ratio,
            requests,
        })
    }
}

/// A request with a report.
struct Sent {
    message: u32,
    tokens: u64,
    /// What it has in common with the request with a report before it.
    unchanged: u64,
    report: CacheReport,
}

/// The requests with a report. What lies between two of them failed before the provider answered.
fn sent(session: &SessionText<'_>, estimator: &Estimator) -> Vec<Sent> {
    let reports = session.cache_reports();
    let mut sent = Vec::new();
    let mut common = u64::MAX;
    for Recorded { message, tokens, unchanged, .. } in recorded(session, estimator) {
        common = common.min(unchanged);
        let report = reports.get(message as usize).copied().flatten();
        // The same report again is of the same answer: Claude Code repeats it with every block, and may write the
        // result of a call before the next block.
        let is_new = |report: &CacheReport| sent.last().is_none_or(|before: &Sent| before.report != *report);
        if let Some(report) = report.filter(is_new) {
            sent.push(Sent { message, tokens, unchanged: common, report });
            common = u64::MAX;
        }
    }
    sent
}

/// How estimates become reported sizes.
struct Scale {
    overhead: f64,
    ratio: f64,
}

impl Scale {
    /// The ratio is what the reported inputs grew by, per token that the estimates grew by, over all requests that
    /// repeat the one before. The overhead is the median of what is then missing: a file that begins in the middle of
    /// a session, or thinking that is not sent again, must not bend the rest.
    fn of(sent: &[Sent]) -> Self {
        let (mut tokens, mut input) = (0, 0);
        for (before, now) in sent.iter().zip(sent.iter().skip(1)) {
            let grew = now.tokens > before.tokens && now.report.input > before.report.input;
            if grew && now.unchanged >= before.tokens {
                tokens += now.tokens - before.tokens;
                input += now.report.input - before.report.input;
            }
        }
        let ratio = if tokens > 0 { input as f64 / tokens as f64 } else { 1.0 };
        let beside = sent.iter().map(|sent| sent.report.input as f64 - ratio * sent.tokens as f64);
        Self { overhead: median(beside), ratio }
    }
}

fn error(predicted: u64, reported: u64) -> f64 {
    match (predicted, reported) {
        (0, 0) => 0.0,
        (_, 0) => 1.0,
        _ => predicted.abs_diff(reported) as f64 / reported as f64,
    }
}

/// The median of figures of 0 or more; what is less counts as 0.
fn median(figures: impl Iterator<Item = f64>) -> f64 {
    // The bits of such figures have their order.
    let mut figures: Vec<u64> = figures.map(|figure| figure.max(0.0).to_bits()).collect();
    sort_by(&mut figures, &|one, other| one.cmp(other));
    let at = |index: usize| figures.get(index).copied().map_or(0.0, f64::from_bits);
    let middle = figures.len() / 2;
    if figures.len() % 2 == 1 { at(middle) } else { f64::midpoint(at(middle.saturating_sub(1)), at(middle)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers to requests whose input grows by 1,000 tokens each; what the provider read is given.
    fn session(reads: &[u64]) -> String {
        let mut messages = Vec::new();
        for (number, read) in (0_u64..).zip(reads) {
            let text = "x".repeat(3_000);
            let rest = 10_000 + 1_000 * number - read;
            messages.push(format!(
                r#"{{"role":"user","content":"{text}","timestamp":{}}}"#,
                number * 60 + 1_700_000_000
            ));
            messages.push(format!(
                r#"{{"role":"assistant","content":[{{"type":"text","text":"{text}"}}],"timestamp":{},
                "usage":{{"input_tokens":0,"cache_read_input_tokens":{read},"cache_creation_input_tokens":{rest},"output_tokens":750}}}}"#,
                number * 60 + 1_700_000_000
            ));
        }
        format!("[{}]", messages.join(","))
    }

    #[test]
    fn a_prefix_that_stands_is_predicted_and_an_expired_one_is_not() {
        let text = session(&[0, 10_000, 11_000, 0]);
        let session = SessionText::read(&*text).unwrap();
        let estimator = Estimator::default();
        let check = CacheCheck::of(&session, Cache::default(), &estimator, &[]).unwrap();
        let reads: Vec<(u64, u64)> =
            check.requests.iter().map(|request| (request.predicted, request.reported)).collect();
        assert_eq!(reads, [(10_000, 10_000), (11_000, 11_000), (12_000, 0)]);
        assert_eq!((check.median_error, check.missed, check.unexpected), (0.0, 1, 0));
        let cache = Cache { minimum: 1_024, block: 1, lives: Some(30_000) };
        let cold = CacheCheck::of(&session, cache, &estimator, &session.moments()).unwrap();
        assert_eq!((cold.predicted, cold.unexpected, cold.missed), (0, 2, 0));
    }

    #[test]
    fn estimates_learn_the_overhead_and_the_ratio() {
        let text = session(&[0; 6]);
        let session = SessionText::read(&*text).unwrap();
        let check = CacheCheck::of(&session, Cache::default(), &Estimator::default(), &[]).unwrap();
        // Each request adds 1,500 estimated and 1,000 reported tokens, beginning at 750 and 10,000.
        assert!((check.ratio - 2.0 / 3.0).abs() < 0.001, "{}", check.ratio);
        assert_eq!(check.overhead, 9_500);
        assert!(check.requests.iter().all(|request| request.estimated.abs_diff(request.predicted) <= 1));
    }

    #[test]
    fn a_session_without_reports_has_no_check() {
        let session =
            SessionText::read(r#"[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]"#)
                .unwrap();
        assert_eq!(CacheCheck::of(&session, Cache::default(), &Estimator::default(), &[]), None);
    }
}
