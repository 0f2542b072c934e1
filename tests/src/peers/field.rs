//! Peers and policies over the same lives, in one table.
#![expect(clippy::indexing_slicing, reason = "there is a sum for each point and each assumption")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ebbline::economics::{Cache, Merits, Point, Rates, SummaryContent, Terms, Totals, frontier, weigh};
use ebbline::loss::Meter;
use ebbline::replay::{Replay, ReplayOptions};
use ebbline::{SessionText, profiles};

use super::{Judge, Life, Measured, Row, order_of};

/// What everybody is judged by.
#[derive(Debug)]
pub struct Field<'f> {
    /// What tokens cost.
    pub rates: Rates,
    /// The provider's cache.
    pub cache: Cache,
    /// The context window, in tokens.
    pub window: u64,
    /// The tokens that every request sends beside the messages.
    pub overhead: u64,
    /// What summaries carry, in the order of the columns.
    pub contents: &'f [SummaryContent],
}

/// The sums of one peer or policy, under each assumption about summaries.
type Sums = Vec<Measured>;

impl Field<'_> {
    /// The rows of a table: peers by their rows, and policies, over the sessions that every peer replayed. An error names a session.
    pub fn table(
        &self,
        texts: &[(String, String)],
        rows: &[Row],
        points: &[Point],
    ) -> Result<String, String> {
        let mut peers: BTreeMap<&str, BTreeMap<&str, Vec<&Row>>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.window == self.window) {
            peers.entry(&row.peer).or_default().entry(&row.session).or_default().push(row);
        }
        let mut sums: Vec<(String, Sums)> = Vec::new();
        let mut add = |name: &str, measured: Sums| match sums.iter_mut().find(|(known, _)| known == name) {
            Some((_, sums)) => sums.iter_mut().zip(measured).for_each(|(sum, measured)| {
                sum.totals.add(&measured.totals);
                sum.order.add(measured.order);
            }),
            None => sums.push((name.to_owned(), measured)),
        };
        let policy = profiles::get(profiles::DEFAULT).map_err(|error| error.to_string())?;
        let mut sessions = 0;
        for (name, text) in texts {
            if !peers.values().any(|lives| lives.contains_key(name.as_str())) {
                continue;
            }
            sessions += 1;
            let session = SessionText::read(text.as_str()).map_err(|error| format!("{name}: {error}"))?;
            let (moments, meter) = (session.moments(), Meter::of(&session));
            let life = Life::of(name.as_str(), &session, &policy, self.overhead);
            let of_content = |content: &SummaryContent| {
                let options = ReplayOptions::new().overhead(self.overhead);
                let terms =
                    Terms::new(self.rates).options(options).cache(self.cache, &moments).summaries(*content);
                weigh(&session, points, &terms)
            };
            let totals: Vec<Vec<Totals>> = self.contents.iter().map(of_content).collect();
            let options = ReplayOptions::new().overhead(self.overhead).cache_lives(self.cache.lives);
            for (at, point) in points.iter().enumerate() {
                let replay = Replay::with_moments(&session, &point.policy, &options, &moments);
                let order = order_of(&life, &replay);
                let measured = totals.iter().map(|totals| Measured { totals: totals[at], order });
                add(&point.policy.profile, measured.collect());
            }
            let (life, meter) = (&life, &meter);
            let judge = Judge {
                life,
                meter,
                window: self.window,
                rates: self.rates,
                cache: self.cache,
                moments: &moments,
            };
            for (peer, lives) in &peers {
                let rows = lives.get(name.as_str()).ok_or_else(|| format!("{peer} has no rows of {name}"))?;
                add(peer, judge.measure(rows, self.contents)?);
            }
        }
        Ok(self.printed(sessions, &sums))
    }

    fn printed(&self, sessions: usize, sums: &[(String, Sums)]) -> String {
        let mut table = format!(
            "| {}k, {sessions} sessions | cost | lost if summaries carry nothing | by rule | 1,800 tokens of names | prunes / summaries | over the window | refused for its order | somebody else begins |\n|---|---|---|---|---|---|---|---|---|\n",
            self.window / 1_000
        );
        let merits = |content: usize| {
            let of = |(_, measured): &(String, Sums)| {
                let totals = measured[content].totals;
                let mut merits = Merits::default();
                (merits.cost, merits.loss) = (totals.of_nothing().unwrap_or(0.0), totals.needed_again);
                merits.over_window = totals.over_window + measured[content].order.refused;
                merits
            };
            frontier(&sums.iter().map(of).collect::<Vec<_>>())
        };
        let standings: Vec<_> = (0..self.contents.len()).map(merits).collect();
        for (at, (name, measured)) in sums.iter().enumerate() {
            let stands = |content: usize| standings[content][at].on_frontier;
            let mark = if (0..measured.len()).all(stands) { "**" } else { "" };
            let Some(Measured { totals, order }) = measured.first() else { continue };
            let lost = measured.iter().enumerate().map(|(content, measured)| {
                let totals = measured.totals;
                let per_hundred = totals.needed_again as f64 * 100.0 / totals.requests.max(1) as f64;
                format!("{per_hundred:.1}{}", if stands(content) { "\\*" } else { "" })
            });
            let cost = (totals.of_nothing().unwrap_or(1.0) - 1.0) * 100.0;
            let _ = writeln!(
                table,
                "| {mark}{name}{mark} | {cost:+.0} % | {} | {} / {} | {} | {} | {} |",
                lost.collect::<Vec<_>>().join(" | "),
                totals.prunes,
                totals.summaries,
                totals.over_window,
                order.refused,
                order.begun_by_others,
            );
        }
        table + "\n"
    }
}
