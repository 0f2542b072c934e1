//! What policies cost over many sessions.

use std::num::NonZeroU64;

use ebbline::Policy;
use ebbline::economics::Totals;
use serde::Serialize;

use crate::amount::amount;
use crate::columns::{Side, known, percent, titled};
use crate::style::Style;

/// The name of the policy that removes nothing.
pub(crate) const NONE: &str = "none";

/// A policy that removes nothing: it shows what a session costs, and where it does not fit any more.
pub(crate) fn none(mut policy: Policy) -> Policy {
    NONE.clone_into(&mut policy.profile);
    (policy.prune.enabled, policy.retain.enabled) = (false, false);
    policy
}

/// What stands below the table.
pub(crate) const NOTES: [&str; 2] = [
    "Cost: of what the same sessions cost without any compaction, in fresh input tokens. Saved: those tokens, in thousands.",
    "Over window: requests that are larger than the window, which a provider refuses.",
];

/// The sums of a policy.
#[derive(Clone, Debug)]
pub(crate) struct PolicyTotals {
    profile: String,
    window: Option<u64>,
    totals: Totals,
    of_nothing: Option<f64>,
}

/// The same for programs, without losses, which are not measured.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Figures<'t> {
    profile: &'t str,
    window: Option<u64>,
    requests: u64,
    prunes: u64,
    summaries: u64,
    outputs: u64,
    unfit: u64,
    over_window: Option<u64>,
    peak: u64,
    input: u64,
    cost: f64,
    without: f64,
    of_nothing: Option<f64>,
}

impl PolicyTotals {
    /// No session under a policy yet.
    pub(crate) fn of(policy: &Policy) -> Self {
        Self {
            profile: policy.profile.clone(),
            window: policy.model.context.map(NonZeroU64::get),
            totals: Totals::default(),
            of_nothing: None,
        }
    }

    /// The sums for programs.
    pub(crate) fn figures(&self) -> Figures<'_> {
        let Totals {
            requests,
            prunes,
            summaries,
            outputs,
            unfit,
            over_window,
            peak,
            input,
            cost,
            without,
            ..
        } = self.totals;
        Figures {
            profile: &self.profile,
            window: self.window,
            requests,
            prunes,
            summaries,
            outputs,
            unfit,
            over_window: self.window.map(|_| over_window),
            peak,
            input,
            cost,
            without,
            of_nothing: self.of_nothing,
        }
    }

    /// Adds a session.
    pub(crate) fn add(&mut self, of_session: &Totals) {
        self.totals.add(of_session);
        self.of_nothing = self.totals.of_nothing();
    }
}

/// The table of policies.
pub(crate) fn table(policies: &[PolicyTotals], style: Style) -> Vec<String> {
    let mut titles = vec![("policy", Side::Left)];
    let figures = ["window", "cost", "saved", "prunes", "summaries", "too large", "over window", "largest"];
    titles.extend(figures.map(|title| (title, Side::Right)));
    let rows = policies.iter().map(|PolicyTotals { profile, window, totals, of_nothing }| {
        let saved = totals.without - totals.cost;
        let sign = if saved <= -500.0 { "−" } else { "" };
        vec![
            profile.clone(),
            known(*window, amount),
            known(*of_nothing, percent),
            format!("{sign}{}", amount((saved.abs() / 1_000.0).round() as u64)),
            amount(totals.prunes),
            amount(totals.summaries),
            amount(totals.unfit),
            known(window.map(|_| totals.over_window), amount),
            amount(totals.peak),
        ]
    });
    titled(&titles, &rows.collect::<Vec<_>>(), style)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::life::Life;
    use ebbline::SessionText;
    use ebbline::economics::compare;

    #[test]
    fn nothing_costs_all_and_saves_nothing() {
        let session =
            SessionText::read(r#"[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]"#)
                .unwrap();
        let life = Life::default();
        let policy = none(life.options.plain_policy().unwrap());
        let outcomes = compare(&session, std::slice::from_ref(&policy), &life.terms().unwrap().with(&[]));
        let mut totals = PolicyTotals::of(&policy);
        let of_session = Totals::of(&outcomes[0], &ebbline::loss::LossReport::default());
        totals.add(&of_session);
        totals.add(&of_session);
        let lines = table(&[totals], Style::new(false));
        let cells: Vec<&str> = lines[1].split_whitespace().collect();
        assert_eq!(cells[..5], ["none", "200,000", "100.0", "%", "0"], "{lines:?}");
    }
}
