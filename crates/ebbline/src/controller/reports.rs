//! What the provider reports of requests, where a host hands it over: what is sent beside the messages, and how far off their
//! estimate is.
//!
//! A report is believed only as far as it can be true. A request that was answered was not larger than the window, unless its own
//! messages show that the window is larger. No text has less than half of its estimate: a report below that belongs to
//! another list. And what a report says more than a later one can confirm is taken back.

/// How much more than its estimate a text may have by another tokenizer, in hundredths: Claude's count about a third more than
/// `o200k_base`, of which the estimate of a session is up to 6 % too low. It is kept free for what no report covers yet.
const UNSURE: u64 = 45;

/// What was learnt from reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reports {
    given: Option<u64>,
    /// What the newest report says beyond the estimate; negative where the estimate is too high.
    beyond: Option<i64>,
    /// The same of the request with the fewest tokens, and how many these were. It says best what is sent beside the messages:
    /// other requests say it together with the error of their estimate.
    least: Option<(u64, i64)>,
    /// How many tokens fewer than estimated the model sees.
    unseen: u64,
    /// The estimate of the messages that were sent last, and of the text among them.
    sent: u64,
    certain: u64,
    /// Up to how much text reports say how large a context is.
    covered: u64,
}

impl Reports {
    /// Before any report. The caller may have `given` what is sent beside the messages; or it is remembered from reports.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::Reports;
    /// assert_eq!(Reports::new(Some(6_000), None).overhead(None), Some(6_000));
    /// ```
    #[must_use]
    pub fn new(given: Option<u64>, remembered: Option<u64>) -> Self {
        let beyond = remembered.filter(|_| given.is_none()).map(signed);
        // What was reported before is not known, so that nothing counts as new.
        let covered = beyond.map_or(0, |_| u64::MAX);
        Self { given, beyond, covered, ..Self::default() }
    }

    /// Says that messages of this estimate are sent, of which so much is text.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::Reports;
    /// let mut reports = Reports::new(None, None);
    /// reports.sends(10_000, 10_000);
    /// reports.learn(16_000, None, None);
    /// assert_eq!(reports.overhead(None), Some(6_000));
    /// ```
    pub fn sends(&mut self, estimate: u64, certain: u64) {
        (self.sent, self.certain) = (estimate, certain);
    }

    /// Says that the messages reported themselves how large the request was that they are sent with.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::Reports;
    /// let mut reports = Reports::new(None, None);
    /// reports.sends(10_000, 10_000);
    /// reports.covers_sent();
    /// assert_eq!(reports.cautious(31_000, 0, 10_000, Some(32_000), 27_200), None, "what was reported is no estimate");
    /// ```
    pub fn covers_sent(&mut self) {
        (self.covered, self.unseen) = (self.certain, 0);
    }

    /// Learns from the tokens that are reported of the request that was sent last, and from those that the provider `cleared` of it.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::Reports;
    /// let mut reports = Reports::new(None, None);
    /// reports.sends(14_000, 14_000);
    /// reports.learn(140_000, None, Some(128_000));
    /// assert_eq!(reports.overhead(None), None, "no answered request was larger than its window");
    /// reports.learn(20_000, None, Some(128_000));
    /// assert_eq!(reports.overhead(None), Some(6_000));
    /// ```
    pub fn learn(&mut self, reported: u64, cleared: Option<u64>, window: Option<u64>) {
        let whole = reported.saturating_add(cleared.unwrap_or(0));
        let is_of_these = whole > 0 && whole.saturating_mul(2) >= self.certain;
        let fits = window.is_none_or(|window| reported <= window);
        if !is_of_these || !fits && whole / 2 > self.sent {
            return;
        }
        let beyond = signed(whole).saturating_sub(signed(self.sent));
        // The estimate is at most a quarter too high, so that the messages were not smaller than that.
        let most = beyond.saturating_add(signed(self.sent / 4));
        self.least = match self.least {
            Some((sent, least)) if sent < self.sent => Some((sent, least.min(most))),
            _ => Some((self.sent, beyond)),
        };
        self.beyond = Some(beyond);
        self.covered = self.certain;
        let expected = self.sent.saturating_add(self.overhead(None).unwrap_or(0));
        self.unseen = expected.saturating_sub(reported);
    }

    /// Says that a compaction made messages of one estimate those of another. What the reports say of the error of the estimate
    /// becomes smaller with it.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::Reports;
    /// let mut reports = Reports::new(None, None);
    /// reports.sends(10_000, 10_000);
    /// reports.learn(16_000, None, None);
    /// reports.changes(10_000, 2_000);
    /// assert_eq!(reports.overhead(None), Some(6_000));
    /// ```
    pub fn changes(&mut self, before: u64, after: u64) {
        if let (Some(beyond), Some((_, least))) = (self.beyond, self.least) {
            let error =
                i128::from(beyond.saturating_sub(least)) * i128::from(after) / i128::from(before.max(1));
            self.beyond = Some(least.saturating_add(i64::try_from(error).unwrap_or(0)));
        }
        self.unseen = 0;
        self.covered = self.covered.min(after);
    }

    /// Says that the model sees all that is sent.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::Reports;
    /// let mut reports = Reports::new(None, None);
    /// reports.sends(10_000, 10_000);
    /// reports.learn(7_000, Some(3_000), None);
    /// reports.sees_all();
    /// assert_eq!(reports.unseen(), 0);
    /// ```
    pub fn sees_all(&mut self) {
        self.unseen = 0;
    }

    /// Takes back what was learnt of the overhead, because no request would be possible with it. Returns whether there was
    /// anything: what the caller gave stays.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::Reports;
    /// let mut reports = Reports::new(None, None);
    /// reports.sends(10_000, 10_000);
    /// reports.learn(16_000, None, None);
    /// assert!(reports.doubts());
    /// assert_eq!(reports.overhead(None), None);
    /// ```
    pub fn doubts(&mut self) -> bool {
        let is_learnt = self.beyond.is_some_and(|beyond| beyond > 0);
        if is_learnt {
            (self.beyond, self.least) = (None, None);
        }
        is_learnt
    }

    /// The tokens that are sent beside the messages, the error of their estimate included. What would fill the `window` alone was
    /// reported of another one.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::Reports;
    /// let mut reports = Reports::new(None, None);
    /// reports.sends(10_000, 10_000);
    /// reports.learn(16_000, None, None);
    /// assert_eq!(reports.overhead(Some(200_000)), Some(6_000));
    /// assert_eq!(reports.overhead(Some(5_000)), None, "it would fill this window alone");
    /// ```
    #[must_use]
    pub fn overhead(&self, window: Option<u64>) -> Option<u64> {
        let Some(beyond) = self.beyond else { return self.given };
        // Where the estimate is too high, its error does not make smaller what stands beside it.
        let beyond = beyond.max(self.least.map_or(0, |(_, least)| least));
        let fits = |tokens: &u64| window.is_none_or(|window| *tokens < window);
        Some(u64::try_from(beyond).unwrap_or(0)).filter(fits).or(self.given)
    }

    /// How many tokens fewer than estimated the model sees, as the newest report showed.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::Reports;
    /// let mut reports = Reports::new(None, None);
    /// reports.sends(10_000, 10_000);
    /// reports.learn(7_000, Some(3_000), None);
    /// assert_eq!(reports.unseen(), 3_000);
    /// ```
    #[must_use]
    pub fn unseen(&self) -> u64 {
        self.unseen
    }

    /// The size to decide by where a context of `size` may not fit into the `window`, of which the plan already prunes
    /// `reclaimed`; `None` if what is left fits, however far off the estimate of its text (`certain`, before the prune) is.
    ///
    /// It is above the `threshold`, and only as much larger than the context as the threshold is above the size that still fits
    /// for certain: a prune to a target then frees no more than it has to.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::Reports;
    /// let reports = Reports::new(None, None);
    /// let decide_by = |size| reports.cautious(size, 0, size, Some(32_000), 27_200);
    /// assert_eq!(decide_by(22_000), None);
    /// assert!(decide_by(25_000).is_some_and(|size| size > 27_200 && size < 31_000));
    /// ```
    #[must_use]
    pub fn cautious(
        &self,
        size: u64,
        reclaimed: u64,
        certain: u64,
        window: Option<u64>,
        threshold: u64,
    ) -> Option<u64> {
        let left = size.saturating_sub(reclaimed);
        let fresh = certain.saturating_sub(reclaimed).saturating_sub(self.covered);
        let most = left.saturating_add(fresh.saturating_mul(UNSURE) / 100);
        let window = window.filter(|window| most > *window)?;
        // So large a context of this kind fits for certain.
        let fitting = u128::from(window) * u128::from(left) / u128::from(most);
        let fitting = u64::try_from(fitting).unwrap_or(u64::MAX);
        Some(size.saturating_add(threshold.saturating_sub(fitting)))
    }
}

fn signed(tokens: u64) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Option<u64> = Some(128_000);

    /// What is known after requests with these estimates, each with its report.
    fn after(requests: &[(u64, u64)]) -> Reports {
        let mut reports = Reports::new(None, None);
        for (sent, reported) in requests {
            reports.sends(*sent, *sent);
            reports.learn(*reported, None, WINDOW);
        }
        reports
    }

    #[test]
    fn a_report_is_believed_as_far_as_it_can_be_true() {
        for (what, requests, overhead, unseen) in [
            ("the rest is sent beside them", &[(10_000, 16_000)][..], Some(6_000), 0),
            ("nothing", &[(10_000, 16_000), (10_000, 0)], Some(6_000), 0),
            ("more than the window", &[(10_000, 16_000), (12_000, 640_000)], Some(6_000), 0),
            ("a window that is larger than was said", &[(100_000, 140_000)], Some(40_000), 0),
            ("less than half", &[(10_000, 16_000), (60_000, 20_000)], Some(6_000), 0),
            ("less than estimated", &[(10_000, 8_000)], Some(0), 2_000),
            ("a later one is smaller", &[(370, 110_000), (500, 36_000)], Some(35_625), 125),
            ("an estimate that is too high", &[(1_000, 3_750), (9_000, 9_750)], Some(2_750), 2_000),
        ] {
            let reports = after(requests);
            assert_eq!((reports.overhead(WINDOW), reports.unseen()), (overhead, unseen), "{what}");
        }
    }

    #[test]
    fn what_is_not_text_may_be_much_smaller_than_its_estimate() {
        let mut reports = Reports::new(None, None);
        reports.sends(190_000, 1_000);
        reports.learn(15_000, None, Some(200_000));
        assert_eq!((reports.overhead(WINDOW), reports.unseen()), (Some(0), 175_000));
    }

    #[test]
    fn the_error_of_the_estimate_shrinks_with_the_context_and_the_rest_stays() {
        let mut reports = after(&[(1_000, 6_350), (41_000, 60_350)]);
        assert_eq!(reports.overhead(WINDOW), Some(19_350));
        reports.changes(41_000, 20_500);
        assert_eq!(reports.overhead(WINDOW), Some(12_350));
        let mut reports = after(&[(1_000, 41_000), (2_000, 7_000)]);
        reports.changes(2_000, 1_000);
        assert_eq!(reports.overhead(WINDOW), Some(5_500), "the first report was too large");
    }

    #[test]
    fn nothing_that_was_learnt_fills_the_window() {
        let mut reports = after(&[(100, 120_000)]);
        assert_eq!(reports.overhead(Some(64_000)), None);
        assert!(reports.doubts() && !reports.doubts());
        assert_eq!(reports.overhead(WINDOW), None);
        assert!(!Reports::new(Some(200_000), None).doubts());
        assert_eq!(Reports::new(Some(200_000), None).overhead(WINDOW), Some(200_000));
    }

    #[test]
    fn what_no_report_covers_may_be_much_larger() {
        let mut reports = Reports::new(None, None);
        let decide_by =
            |reports: &Reports, size, certain| reports.cautious(size, 0, certain, WINDOW, 108_800);
        assert_eq!(decide_by(&reports, 88_000, 88_000), None);
        assert_eq!(decide_by(&reports, 96_000, 96_000), Some(96_000 + 108_800 - 88_275));
        assert_eq!(
            reports.cautious(300_000, 260_000, 300_000, WINDOW, 108_800),
            None,
            "what is pruned is gone"
        );
        reports.sends(90_000, 90_000);
        reports.learn(110_000, None, WINDOW);
        assert_eq!(decide_by(&reports, 116_000, 96_000), None);
        assert_eq!(decide_by(&reports, 127_000, 97_000), Some(127_000));
        assert_eq!(decide_by(&Reports::new(None, Some(9_000)), 120_000, 111_000), None);
    }
}
