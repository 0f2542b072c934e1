//! A sweep: the policies of a grid over many sessions, and which of them stand on the frontier.

use super::compare::{Without, outcome};
use super::summary_content;
use super::{Merits, Point, Standing, Terms, Totals, frontier};
use crate::loss::{Departure, LossReport, Meter};
use crate::placeholder::names::names_anything;
use crate::replay::{Replay, threshold_of, window_of};
use crate::session_text::SessionText;

/// The name and version of a sweep's JSON form.
pub const SWEEP_SCHEMA: &str = "ebbline.sweep/1";

/// Replays a session under each point of a grid, and measures what each loses.
///
/// Nobody wrote the summaries that a replay makes: [`Terms::summaries`] says what they carry.
///
/// # Example
///
/// ```
/// use ebbline::economics::{Grid, Rates, Terms, weigh};
/// let text = r#"[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]"#;
/// let session = ebbline::SessionText::read(text)?;
/// let points = Grid::over(ebbline::profiles::get("ebbline@2")?).points()?;
/// let terms = Terms::new(Rates::new(0.1, 1.25, 5.0));
/// assert_eq!(weigh(&session, &points, &terms)[0].requests, 1);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn weigh(session: &SessionText<'_>, points: &[Point], terms: &Terms<'_>) -> Vec<Totals> {
    let mut without = Without::default();
    let mut meter = None;
    // Many points of a grid remove the same from a short session, and leave the same names behind.
    let mut measured: Vec<(Vec<Departure>, Option<u64>, LossReport)> = Vec::new();
    let mut totals = Vec::with_capacity(points.len());
    for point in points {
        let replay = Replay::with_moments(session, &point.policy, &terms.options, terms.moments);
        let outcome = outcome(&replay, terms, &mut without);
        let departures = replay.departures();
        if departures.is_empty() {
            totals.push(Totals::of(&outcome, &LossReport::default()));
            continue;
        }
        let summaries = summary_content::texts(session, &replay, terms.summaries);
        let prune = &point.policy.prune;
        let names = names_anything(prune).then_some(prune.names);
        let is_same = |(known, told, _): &&(Vec<Departure>, Option<u64>, LossReport)| {
            *known == departures && *told == names && summaries.is_empty()
        };
        if let Some((_, _, loss)) = measured.iter().find(is_same) {
            totals.push(Totals::of(&outcome, loss));
            continue;
        }
        let meter = meter.get_or_insert_with(|| Meter::of(session));
        let loss = meter.measure(&departures, &summary_content::input(point, terms.summaries, &summaries));
        totals.push(Totals::of(&outcome, &loss));
        measured.push((departures, names, loss));
    }
    totals
}

/// A grid over many sessions.
///
/// # Example
///
/// ```
/// use ebbline::economics::{Grid, Rates, Sweep, Terms, weigh};
/// let grid = Grid::over(ebbline::profiles::get("ebbline@2")?).axis("prune.protect", ["10000", "20000"]);
/// let terms = Terms::new(Rates::new(0.1, 1.25, 5.0));
/// let mut sweep = Sweep::of(grid.points()?);
/// for text in [r#"[{"role": "user", "content": "hello"}]"#, r#"[{"role": "user", "content": "bye"}]"#] {
///     let totals = weigh(&ebbline::SessionText::read(text)?, sweep.points(), &terms);
///     sweep.add(&totals);
/// }
/// assert_eq!((sweep.report().sessions, sweep.report().points.len()), (2, 2));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sweep {
    points: Vec<Point>,
    totals: Vec<Totals>,
    sessions: u32,
}

impl Sweep {
    /// A sweep of no session yet.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::economics::Sweep::of(Vec::new()).report().sessions, 0);
    /// ```
    #[must_use]
    pub fn of(points: Vec<Point>) -> Self {
        Self { totals: vec![Totals::default(); points.len()], points, sessions: 0 }
    }

    /// The points of the grid.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::economics::Sweep::of(Vec::new()).points().is_empty());
    /// ```
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Adds what [`weigh`] says of one session, point by point.
    ///
    /// # Example
    ///
    /// ```
    /// let mut sweep = ebbline::economics::Sweep::of(Vec::new());
    /// sweep.add(&[]);
    /// assert_eq!(sweep.report().sessions, 1);
    /// ```
    pub fn add(&mut self, session: &[Totals]) {
        for (sum, totals) in self.totals.iter_mut().zip(session) {
            sum.add(totals);
        }
        self.sessions += 1;
    }

    /// The sums, and where each point stands.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::{Grid, SWEEP_SCHEMA, Sweep};
    /// let points = Grid::over(ebbline::profiles::get("pi@1.5")?).points()?;
    /// let sweep = Sweep::of(points);
    /// let report = sweep.report();
    /// assert_eq!((report.schema, report.points[0].standing.on_frontier), (SWEEP_SCHEMA, true));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn report(&self) -> SweepReport<'_> {
        let merits = |(point, totals): (&Point, &Totals)| Merits {
            window: window_of(&point.policy),
            cost: totals.of_nothing().unwrap_or(0.0),
            loss: totals.needed_again,
            over_window: totals.over_window,
        };
        let standings = frontier(&self.points.iter().zip(&self.totals).map(merits).collect::<Vec<_>>());
        let points = self.points.iter().zip(&self.totals).zip(standings);
        let points = points.map(|((point, totals), standing)| PointReport::of(point, *totals, standing));
        SweepReport { schema: SWEEP_SCHEMA, sessions: self.sessions, points: points.collect() }
    }
}

crate::form::reported! {
    /// A sweep as a report, for programs in other languages.
    ///
    /// # Example
    ///
    /// ```
    /// let sweep = ebbline::economics::Sweep::of(Vec::new());
    /// assert_eq!(sweep.report().to_json(), r#"{"schema":"ebbline.sweep/1","sessions":0,"points":[]}"#);
    /// ```
    []
    pub struct SweepReport<'s> {
        /// The name and version of this form.
        pub schema: &'static str = SWEEP_SCHEMA,
        /// How many sessions were added up.
        pub sessions: u32,
        /// The points, in the order of the grid.
        pub points: Vec<PointReport<'s>>,
    }
}

impl SweepReport<'_> {
    /// The report as JSON.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::economics::Sweep::of(Vec::new()).report().to_json().ends_with(r#""points":[]}"#));
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

crate::form::reported! {
    /// One point of a report.
    []
    pub struct PointReport<'s> {
        /// The name of the policy.
        pub profile: &'s str,
        /// The knobs that the grid turned, by their paths, with their values as they were given.
        pub set: &'s [(String, String)],
        /// The context window, in tokens; `None` if it is not known.
        pub window: Option<u64>,
        /// The size from which the policy considers the context full; `None` if the window is not known.
        pub threshold: Option<u64>,
        /// The sums.
        #[serde(flatten)]
        pub totals: Totals,
        /// The mean of all requests, in tokens.
        pub mean: u64,
        /// The cost as a share of what the same sessions cost without any compaction; `None` if that is nothing.
        pub of_nothing: Option<f64>,
        /// Outputs that are needed again, for each 100 requests; `None` without requests.
        pub needed_again_per100_requests: Option<f64>,
        /// Where the point stands.
        #[serde(flatten)]
        pub standing: Standing,
    }
}

impl<'s> PointReport<'s> {
    fn of(point: &'s Point, totals: Totals, standing: Standing) -> Self {
        let per_request = |amount: u64| (totals.requests > 0).then(|| amount as f64 / totals.requests as f64);
        Self {
            profile: &point.policy.profile,
            set: &point.set,
            window: window_of(&point.policy),
            threshold: threshold_of(&point.policy),
            totals,
            mean: totals.input / totals.requests.max(1),
            of_nothing: totals.of_nothing(),
            needed_again_per100_requests: per_request(totals.needed_again * 100),
            standing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::economics::{Grid, Rates, compare};
    use crate::profiles::{self, Profile};

    const RATES: Rates = Rates { cached: 0.1, written: 1.25, output: 5.0 };

    /// Calls with long outputs; the assistant later names what only the first of them said.
    fn session(calls: usize) -> SessionText<'static> {
        let mut messages = vec![r#"{"role":"user","content":"Where is the port set?"}"#.to_owned()];
        for call in 0..calls {
            messages.push(format!(
                r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"c{call}","type":"function",
                    "function":{{"name":"read","arguments":"{{\"path\":\"f{call}\"}}"}}}}]}}"#
            ));
            let output = "word ".repeat(1_200);
            messages.push(format!(
                r#"{{"role":"tool","tool_call_id":"c{call}","content":"src/deep/part{call}/listen.rs {output}"}}"#
            ));
        }
        messages.push(r#"{"role":"assistant","content":"It is in src/deep/part0/listen.rs."}"#.to_owned());
        SessionText::read(format!("[{}]", messages.join(","))).unwrap()
    }

    fn grid() -> Grid {
        Grid::over(profiles::get("pi@1.5").unwrap())
            .axis("prune.enabled", ["true", "false"])
            .axis("prune.protect", ["3000", "30000"])
            .axis("prune.minimum", ["1000"])
            .axis("prune.protectedTurns", ["0"])
            .beside(profiles::ALL.iter().map(Profile::policy))
            .windows([200_000, 32_000])
    }

    #[test]
    fn a_sweep_of_one_session_is_a_comparison() {
        let (session, terms) = (session(40), Terms::new(RATES));
        let points = grid().points().unwrap();
        let policies: Vec<_> = points.iter().map(|point| point.policy.clone()).collect();
        let outcomes = compare(&session, &policies, &terms);
        let totals = weigh(&session, &points, &terms);
        assert_eq!(totals.len(), outcomes.len());
        let mut losses = 0;
        for ((outcome, totals), policy) in outcomes.iter().zip(&totals).zip(&policies) {
            let replay = Replay::new(&session, policy, &terms.options);
            let loss = replay.loss(&Meter::of(&session), 0);
            assert_eq!(*totals, Totals::of(outcome, &loss), "{}", policy.profile);
            losses += loss.references.re_referenced;

            let mut nothing = policy.clone();
            (nothing.prune.enabled, nothing.retain.enabled) = (false, false);
            let nothing = terms.bill(&Replay::new(&session, &nothing, &terms.options)).cost();
            assert_eq!(outcome.without.to_bits(), nothing.to_bits(), "{}", policy.profile);
        }
        assert!(losses > 0);
    }

    #[test]
    fn sums_do_not_depend_on_where_they_were_made() {
        let terms = Terms::new(RATES);
        let mut sweep = Sweep::of(grid().points().unwrap());
        let mut crossed = sweep.clone();
        for calls in [3, 40, 17] {
            let totals = weigh(&session(calls), sweep.points(), &terms);
            sweep.add(&totals);
            let figures: Vec<f64> = totals.iter().flat_map(Totals::figures).collect();
            let totals = figures.chunks(Totals::FIGURES).map(|figures| Totals::of_figures(figures).unwrap());
            crossed.add(&totals.collect::<Vec<_>>());
        }
        assert_eq!(sweep.report(), crossed.report());
        let report = sweep.report();
        assert_eq!(report.sessions, 3);
        assert!(report.points.iter().all(|point| point.totals.requests == 63));
        let (best, beaten): (Vec<_>, Vec<_>) =
            report.points.iter().partition(|point| point.standing.on_frontier);
        assert!(!best.is_empty() && !beaten.is_empty());
        for point in beaten {
            let by = &report.points[point.standing.beaten_by.unwrap() as usize];
            assert!(by.standing.on_frontier && by.of_nothing <= point.of_nothing);
            assert!(by.totals.needed_again <= point.totals.needed_again);
        }
    }

    #[test]
    fn what_no_window_holds_is_counted() {
        let (session, terms) = (session(40), Terms::new(RATES));
        let mut never = profiles::get("pi@1.5").unwrap();
        (never.prune.enabled, never.retain.enabled) = (false, false);
        let points = Grid::over(never).windows([200_000, 32_000, 0]).points().unwrap();
        let mut sweep = Sweep::of(points);
        sweep.add(&weigh(&session, sweep.points(), &terms));
        let report = sweep.report();
        let over = |at: usize| (report.points[at].window, report.points[at].totals.over_window > 0);
        assert_eq!(
            (over(0), over(1), over(2)),
            ((Some(200_000), false), (Some(32_000), true), (None, false))
        );
        let json = report.to_json();
        assert!(json.contains(r#""window":null,"threshold":null,"#), "{json}");
        // A life that fits into a larger window says nothing about the smaller one.
        assert!(report.points.iter().all(|point| point.standing.on_frontier));
    }
}
