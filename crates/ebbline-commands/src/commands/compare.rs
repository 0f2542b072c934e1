//! `compare`: several policies over the same sessions, side by side.

use ebbline::binding::MOST_POLICIES;
use ebbline::economics::{Outcome, Totals, compare};
use ebbline::loss::{LossReport, Meter};
use ebbline::replay::Replay;
use ebbline::{Error, ErrorCode, Policy, SessionText};
use serde::Serialize;

use crate::amount::amount;
use crate::columns::{Side, known, percent, titled};
use crate::corpus::{Account, Gather, RowsTarget, over_files};
use crate::csv::{self, csv, row as cells};
use crate::engine_options::EngineOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::folders::SessionFile;
use crate::job::{OnSession, Row, Task};
use crate::json::line_of_file;
use crate::life::{Life, Terms};
use crate::policy_totals::{self, PolicyTotals};
use crate::printable::printable;
use crate::rows::options::{RowKind, RowsOptions};
use crate::rows::{RowsOf, requests, sessions};
use crate::run::Run;
use crate::style::Style;
use crate::values::Values;
use crate::window_note::note_assumed;

const NOTES: [&str; 2] = [
    "Cost: of what the same life costs without any compaction. Too large: requests above the threshold, with nothing left to remove.",
    "Over window: requests that are larger than the window, which a provider refuses.",
];

/// What a policy did, and what that lost if it was asked for.
#[derive(Debug, Serialize)]
struct PolicyOutcome {
    #[serde(flatten)]
    outcome: Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<LossReport>,
}

#[derive(Serialize)]
struct Line<'o> {
    outcomes: &'o [PolicyOutcome],
}

/// What compares policies on a session.
#[derive(Debug)]
pub(crate) struct Comparer {
    options: EngineOptions,
    reading: Policy,
    policies: Vec<Policy>,
    terms: Terms,
    with_loss: bool,
    /// What the rows are of, if there are any.
    of: Option<RowKind>,
    form: Form,
    style: Style,
}

/// What is shown of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Json,
    Csv,
    Totals,
    Table,
}

impl Comparer {
    /// What options ask for.
    pub(crate) fn of(values: &Values, style: Style) -> Result<Self, Failure> {
        let life = Life::of(values)?;
        if values.has("profile") {
            let sentence = "compare takes every profile, or those of --policies NAME,NAME";
            return Err(Failure::Usage(sentence.to_owned()));
        }
        let policies = policies(&life, values.text("policies"))?;
        let (terms, reading) = (life.terms()?, life.options.plain_policy()?);
        let of = RowKind::of(values);
        let form = match of {
            _ if values.has("json") => Form::Json,
            _ if values.has("csv") => Form::Csv,
            Some(_) => Form::Totals,
            None => Form::Table,
        };
        Ok(Self {
            options: life.options,
            reading,
            policies,
            terms,
            with_loss: values.has("loss"),
            of,
            form,
            style,
        })
    }
}

impl OnSession for Comparer {
    fn row(&self, file: &SessionFile, bytes: &[u8]) -> Result<Row, Failure> {
        let session = self.options.read(bytes, &self.reading)?;
        let outcomes = compare_policies(&session, &self.policies, &self.terms, self.with_loss);
        let lived = || outcomes.iter().map(|compared| (&compared.outcome, compared.loss.as_ref()));
        let rows = self.of.map(|of| of_lives(of, &session, lived(), &self.policies, &self.terms));
        let mut row = Row { rows: rows.unwrap_or_default(), ..Row::default() };
        let name = &file.name;
        match self.form {
            Form::Json => row.text = line_of_file(&name.given(), &Line { outcomes: &outcomes }),
            Form::Csv => {
                let file = ("file".to_owned(), name.given());
                row.cells =
                    outcomes.iter().map(|outcome| [vec![file.clone()], cells(outcome)].concat()).collect();
            }
            Form::Totals => row.totals = totals_of(lived()),
            Form::Table => {
                let title = self.style.strong(&printable(&name.said()));
                row.text = format!("{title}\n{}\n", table(&outcomes, self.style).join("\n"));
            }
        }
        Ok(row)
    }
}

/// Compares policies over files.
pub(crate) async fn run(run: &mut Run) -> Result<Exit, Failure> {
    let values = run.given.values.clone();
    let comparer = Comparer::of(&values, run.style())?;
    if values.text("context").is_none() && !values.sets_window() {
        note_assumed(None, &mut run.notes, "--context");
    }
    let rows = RowsOptions::of(&values)?;
    let totals =
        if rows.is_some() { comparer.policies.iter().map(PolicyTotals::of).collect() } else { Vec::new() };
    let mut comparison = Comparison { rows: Vec::new(), is_shown: false, totals };
    over_files(run, Task::of(run, None), rows.map(written), &mut comparison).await
}

/// The sums of a session under each policy.
pub(crate) fn totals_of<'o>(
    lived: impl Iterator<Item = (&'o Outcome, Option<&'o LossReport>)>,
) -> Vec<Totals> {
    let nothing = LossReport::default();
    lived.map(|(outcome, loss)| Totals::of(outcome, loss.unwrap_or(&nothing))).collect()
}

/// The rows of sessions under policies, or those of their requests.
pub(crate) fn of_lives<'o>(
    of: RowKind,
    session: &SessionText<'_>,
    lived: impl IntoIterator<Item = (&'o Outcome, Option<&'o LossReport>)>,
    policies: &[Policy],
    terms: &Terms,
) -> RowsOf {
    match of {
        RowKind::Sessions => sessions::outcomes(session, lived),
        RowKind::Requests => requests::requests(session, policies, terms),
    }
}

/// The rows of sessions under policies, with their columns.
pub(crate) fn written(options: RowsOptions) -> RowsTarget {
    let columns = match options.of {
        RowKind::Sessions => sessions::of_outcomes(),
        RowKind::Requests => requests::of_requests(),
    };
    RowsTarget { options, columns }
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
    names.into_iter().map(|name| life.options.policy_named(name)).collect()
}

fn compare_policies(
    session: &SessionText<'_>,
    policies: &[Policy],
    terms: &Terms,
    with_loss: bool,
) -> Vec<PolicyOutcome> {
    let moments = terms.moments(session, policies);
    let outcomes = compare(session, policies, &terms.with(&moments));
    let meter = with_loss.then(|| Meter::of(session));
    let compared = outcomes.into_iter().zip(policies).map(|(outcome, policy)| {
        let loss = meter.as_ref().map(|meter| loss(session, policy, terms, meter));
        PolicyOutcome { outcome, loss }
    });
    compared.collect()
}

fn loss(session: &SessionText<'_>, policy: &Policy, terms: &Terms, meter: &Meter<'_, '_>) -> LossReport {
    let moments = terms.moments(session, [policy]);
    let replay = Replay::with_moments(session, policy, &terms.options, &moments);
    replay.loss(meter, 0)
}

/// What is shown of the files.
struct Comparison {
    /// Of a table for spreadsheets.
    rows: Vec<csv::Row>,
    /// Whether the table of a file was shown.
    is_shown: bool,
    /// The sums, which are shown instead if the sessions themselves are in a file of rows.
    totals: Vec<PolicyTotals>,
}

impl Gather for Comparison {
    async fn take(&mut self, _: &SessionFile, row: Row, run: &mut Run) -> Result<(), Failure> {
        self.rows.extend(row.cells);
        for (totals, of_session) in self.totals.iter_mut().zip(&row.totals) {
            totals.add(of_session);
        }
        if row.text.is_empty() {
            return Ok(());
        }
        let separator = if !run.is_json() && std::mem::replace(&mut self.is_shown, true) { "\n" } else { "" };
        run.out.write(format!("{separator}{}", row.text)).await
    }

    async fn show(&mut self, account: &Account, run: &mut Run) -> Result<(), Failure> {
        if run.is_json() {
            return Ok(());
        }
        if !self.totals.is_empty() && account.files > 0 && !run.given.values.has("csv") {
            let page = totals_page(&self.totals, run.style());
            return run.out.write(page).await;
        }
        if run.given.values.has("csv") {
            return if self.rows.is_empty() { Ok(()) } else { run.out.write(csv(&self.rows)).await };
        }
        if self.is_shown {
            let style = run.style();
            run.out.write(NOTES.map(|note| style.dim(note) + "\n").concat()).await?;
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

fn table(outcomes: &[PolicyOutcome], style: Style) -> Vec<String> {
    let mut titles = vec![("profile", Side::Left)];
    let figures =
        ["window", "threshold", "cost", "prunes", "summaries", "too large", "over window", "largest", "mean"];
    titles.extend(figures.map(|title| (title, Side::Right)));
    if outcomes.iter().any(|outcome| outcome.loss.is_some()) {
        // Outputs that are needed again, and calls that are made again.
        titles.extend([("needed again", Side::Right), ("read again", Side::Right)]);
    }
    let rows = outcomes.iter().map(|PolicyOutcome { outcome, loss }| {
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
            SessionText::read(r#"[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]"#)
                .unwrap();
        let life = Life::default();
        let policies = policies(&life, Some("pi@1.5,ebbline@2")).unwrap();
        let terms = life.terms().unwrap();
        for with_loss in [false, true] {
            let outcomes = compare_policies(&session, &policies, &terms, with_loss);
            let lines = table(&outcomes, Style::new(false));
            assert_eq!(lines.len(), 3);
            assert_eq!(lines[0].ends_with("read again"), with_loss, "{lines:?}");
        }
        assert!(super::policies(&life, Some("pi@9")).is_err());
        assert!(super::policies(&life, Some(&",".repeat(MOST_POLICIES))).is_err());
    }
}
