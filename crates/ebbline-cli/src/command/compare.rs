//! `compare`: several policies over the same sessions, side by side.

use std::sync::Arc;

use ebbline::economics::{Outcome, compare};
use ebbline::loss::{LossInput, LossReport, Meter};
use ebbline::replay::Replay;
use ebbline::{Error, ErrorCode, Policy, Session};
use serde::Serialize;

use crate::amount::amount;
use crate::columns::{Side, known, percent, titled};
use crate::command::replay::sets_window;
use crate::corpus::{Account, Answer, Gather, Written, over_files};
use crate::csv::{Row, csv, row};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::folders::Listed;
use crate::json::line_of_file;
use crate::life::{Life, Terms};
use crate::policy_totals::{self, PolicyTotals};
use crate::pool::Work;
use crate::printable::printable;
use crate::rows::asked::{Asked, Of};
use crate::rows::{RowsOf, requests, sessions};
use crate::run::Run;
use crate::style::Style;
use crate::window_note::note_assumed;

/// How many policies are compared at once.
const MOST_POLICIES: usize = 256;

const NOTES: [&str; 2] = [
    "Cost: of what the same life costs without any compaction. Too large: requests above the threshold, with nothing left to remove.",
    "Over window: requests that are larger than the window, which a provider refuses.",
];

/// What a policy did, and what that lost if it was asked for.
#[derive(Debug, Serialize)]
struct Compared {
    #[serde(flatten)]
    outcome: Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<LossReport>,
}

#[derive(Serialize)]
struct Line<'o> {
    outcomes: &'o [Compared],
}

/// Compares policies over files.
pub(crate) fn run(run: &mut Run) -> Result<Exit, Failure> {
    let values = run.given.values.clone();
    let life = Life::of(&values)?;
    if values.has("profile") {
        let sentence = "compare takes every profile, or those of --policies NAME,NAME";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    let policies = policies(&life, values.text("policies"))?;
    let (terms, reading) = (life.terms()?, life.asked.plain_policy()?);
    if values.text("context").is_none() && !sets_window(&values) {
        note_assumed(None, &mut run.notes, "--context");
    }
    let rows = Asked::of(&values)?;
    let mut comparison = Comparison { rows: Vec::new(), is_shown: false, totals: Vec::new() };
    if rows.is_some() {
        comparison.totals = policies.iter().map(PolicyTotals::of).collect();
    }
    let of = rows.as_ref().map(|rows| rows.of);
    let (asked, with_loss) = (life.asked, values.has("loss"));
    let work: Work<Answer<Vec<Compared>>> = Arc::new(move |bytes| {
        let session = asked.read(bytes, &reading)?;
        let result = compared(&session, &policies, &terms, with_loss);
        let lived = result.iter().map(|compared| (&compared.outcome, compared.loss.as_ref()));
        let rows = of.map(|of| of_lives(of, &session, lived, &policies, &terms)).unwrap_or_default();
        Ok(Answer { result, rows })
    });
    over_files(run, &work, rows.map(written), &mut comparison)
}

/// The rows of sessions under policies, or those of their requests.
pub(crate) fn of_lives<'o>(
    of: Of,
    session: &Session<'_>,
    lived: impl IntoIterator<Item = (&'o Outcome, Option<&'o LossReport>)>,
    policies: &[Policy],
    terms: &Terms,
) -> RowsOf {
    match of {
        Of::Sessions => sessions::outcomes(session, lived),
        Of::Requests => requests::requests(session, policies, terms),
    }
}

/// The rows of sessions under policies, with their columns.
pub(crate) fn written(asked: Asked) -> Written {
    let columns = match asked.of {
        Of::Sessions => sessions::of_outcomes(),
        Of::Requests => requests::of_requests(),
    };
    Written { asked, columns }
}

/// The policies that the command line names, or all there are.
pub(crate) fn policies(life: &Life, given: Option<&str>) -> Result<Vec<Policy>, Error> {
    let names: Vec<&str> = match given {
        Some(names) => names.split(',').collect(),
        None => ebbline::profiles::ALL.iter().map(|profile| profile.name).collect(),
    };
    if names.len() > MOST_POLICIES {
        let sentence = format!("compare takes at most {MOST_POLICIES} policies at once");
        return Err(Error::new(ErrorCode::InvalidOption, sentence));
    }
    names.into_iter().map(|name| life.asked.policy_named(name)).collect()
}

fn compared(session: &Session<'_>, policies: &[Policy], terms: &Terms, with_loss: bool) -> Vec<Compared> {
    let moments = terms.moments(session, policies);
    let outcomes = compare(session, policies, &terms.with(&moments));
    let meter = with_loss.then(|| Meter::of(session));
    let compared = outcomes.into_iter().zip(policies).map(|(outcome, policy)| {
        let loss = meter.as_ref().map(|meter| loss(session, policy, terms, meter));
        Compared { outcome, loss }
    });
    compared.collect()
}

fn loss(session: &Session<'_>, policy: &Policy, terms: &Terms, meter: &Meter<'_, '_>) -> LossReport {
    let moments = terms.moments(session, [policy]);
    let replay = Replay::with_moments(session, policy, &terms.options, &moments);
    let sizes: Vec<u64> =
        replay.requests().iter().map(|request| request.tokens + terms.options.overhead).collect();
    let mut input = LossInput::default();
    (input.undo, input.sizes) = (true, &sizes);
    (input.window, input.findings) = (policy.model.context, 0);
    meter.measure(&replay.departures(), &input)
}

/// What is shown of the files.
struct Comparison {
    /// Of a table for spreadsheets.
    rows: Vec<Row>,
    /// Whether the table of a file was shown.
    is_shown: bool,
    /// The sums, which are shown instead if the sessions themselves are in a file of rows.
    totals: Vec<PolicyTotals>,
}

impl Gather for Comparison {
    type Result = Vec<Compared>;

    fn take(&mut self, file: &Listed, outcomes: Vec<Compared>, run: &mut Run) -> Result<(), Failure> {
        let name = &file.name;
        if run.is_json() {
            return run.out.write(line_of_file(&name.given(), &Line { outcomes: &outcomes }));
        }
        if run.given.values.has("csv") {
            let file = ("file".to_owned(), name.given());
            self.rows.extend(outcomes.iter().map(|outcome| [vec![file.clone()], row(outcome)].concat()));
            return Ok(());
        }
        if !self.totals.is_empty() {
            for (total, compared) in self.totals.iter_mut().zip(&outcomes) {
                total.add(&compared.outcome, compared.loss.as_ref());
            }
            return Ok(());
        }
        let style = run.style();
        let separator = if std::mem::replace(&mut self.is_shown, true) { "\n" } else { "" };
        let title = style.strong(&printable(&name.said()));
        run.out.write(format!("{separator}{title}\n{}\n", table(&outcomes, style).join("\n")))
    }

    fn show(&mut self, account: &Account, run: &mut Run) -> Result<(), Failure> {
        if run.is_json() {
            return Ok(());
        }
        if !self.totals.is_empty() && account.files > 0 && !run.given.values.has("csv") {
            return run.out.write(totals_page(&self.totals, run.style()));
        }
        if run.given.values.has("csv") {
            return if self.rows.is_empty() { Ok(()) } else { run.out.write(csv(&self.rows)) };
        }
        if self.is_shown {
            let style = run.style();
            run.out.write(NOTES.map(|note| style.dim(note) + "\n").concat())?;
        }
        Ok(())
    }
}

/// The table of all sessions together.
pub(crate) fn totals_page(totals: &[PolicyTotals], style: Style) -> String {
    let mut lines = policy_totals::table(totals, style);
    lines.extend(policy_totals::NOTES.map(|note| style.dim(note)));
    lines.join("\n") + "\n"
}

fn table(outcomes: &[Compared], style: Style) -> Vec<String> {
    let mut titles = vec![("profile", Side::Left)];
    let figures =
        ["window", "threshold", "cost", "prunes", "summaries", "too large", "over window", "largest", "mean"];
    titles.extend(figures.map(|title| (title, Side::Right)));
    if outcomes.iter().any(|outcome| outcome.loss.is_some()) {
        // Outputs that are needed again, and calls that are made again.
        titles.extend([("needed again", Side::Right), ("read again", Side::Right)]);
    }
    let rows = outcomes.iter().map(|Compared { outcome, loss }| {
        let mut cells = vec![
            outcome.profile.clone(),
            known(outcome.window, amount),
            known(outcome.threshold, amount),
            known(outcome.of_nothing, percent),
            amount(outcome.prunes),
            amount(outcome.summaries),
            amount(outcome.unfit),
            known(outcome.over_window, amount),
            amount(outcome.peak),
            amount(outcome.mean),
        ];
        if let Some(loss) = loss {
            cells.extend([amount(loss.references.re_referenced), amount(loss.re_reads.exact)]);
        }
        cells
    });
    titled(&titles, &rows.collect::<Vec<_>>(), style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_measured_where_they_are_asked_for() {
        let session =
            Session::read(r#"[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]"#).unwrap();
        let life = Life::default();
        let policies = policies(&life, Some("pi@1.5,ebbline@2")).unwrap();
        let terms = life.terms().unwrap();
        for with_loss in [false, true] {
            let outcomes = compared(&session, &policies, &terms, with_loss);
            let lines = table(&outcomes, Style::new(false));
            assert_eq!(lines.len(), 3);
            assert_eq!(lines[0].ends_with("read again"), with_loss, "{lines:?}");
        }
        assert!(super::policies(&life, Some("pi@9")).is_err());
        assert!(super::policies(&life, Some(&",".repeat(MOST_POLICIES))).is_err());
    }
}
