//! Rows of sessions.

use std::num::NonZeroU64;

use ebbline::SessionText;
use ebbline::economics::{Outcome, Point, Totals};
use ebbline::loss::LossReport;

use super::RowsOf;
use super::cell::{Cell, Column, Field, cells, columns, integers, numbers, texts};

/// What is said of a session in each of its rows.
fn session_fields<'e>() -> Vec<Field<SessionText<'e>>> {
    vec![
        texts("format", |session| session.format().name().into()),
        integers("messages", |session| session.counts().messages.into()),
    ]
}

/// A policy over a session, and what it lost if that was measured.
type Lived<'o> = (&'o Outcome, Option<&'o LossReport>);

fn outcome_fields<'o>() -> Vec<Field<Lived<'o>>> {
    vec![
        texts("profile", |(outcome, _)| outcome.profile.as_str().into()),
        integers("window", |(outcome, _)| outcome.window.into()),
        integers("threshold", |(outcome, _)| outcome.threshold.into()),
        integers("requests", |(outcome, _)| outcome.requests.into()),
        integers("prunes", |(outcome, _)| outcome.prunes.into()),
        integers("summaries", |(outcome, _)| outcome.summaries.into()),
        integers("pruned_outputs", |(outcome, _)| outcome.outputs.into()),
        integers("too_large", |(outcome, _)| outcome.unfit.into()),
        integers("over_window", |(outcome, _)| outcome.over_window.into()),
        integers("largest_request", |(outcome, _)| outcome.peak.into()),
        integers("mean_request", |(outcome, _)| outcome.mean.into()),
        integers("fresh", |(outcome, _)| outcome.charge.fresh.into()),
        integers("cached", |(outcome, _)| outcome.charge.cached.into()),
        integers("written", |(outcome, _)| outcome.charge.written.into()),
        integers("output", |(outcome, _)| outcome.charge.output.into()),
        integers("summary_input", |(outcome, _)| outcome.charge.summary_input.into()),
        integers("summary_output", |(outcome, _)| outcome.charge.summary_output.into()),
        integers("broken", |(outcome, _)| outcome.charge.broken.into()),
        numbers("cost", |(outcome, _)| outcome.cost.into()),
        numbers("cost_without", |(outcome, _)| outcome.without.into()),
        integers("needed_again", |(_, loss)| loss.map(|loss| loss.references.re_referenced).into()),
        integers("read_again", |(_, loss)| loss.map(|loss| loss.re_reads.exact).into()),
    ]
}

/// The columns of a session under a policy.
pub(crate) fn of_outcomes() -> Vec<Column> {
    front().chain(columns(&outcome_fields())).collect()
}

/// A row for each policy.
pub(crate) fn outcomes<'o>(session: &SessionText<'_>, lived: impl IntoIterator<Item = Lived<'o>>) -> RowsOf {
    let fields = outcome_fields();
    rows(session, lived.into_iter().map(|lived| cells(&fields, &lived)))
}

fn lost_fields() -> Vec<Field<LossReport>> {
    vec![
        integers("requests", |loss| loss.requests.into()),
        integers("compactions", |loss| loss.compactions.into()),
        integers("departed_outputs", |loss| loss.departed_outputs.into()),
        integers("needed_again", |loss| loss.references.re_referenced.into()),
        integers("read_again", |loss| loss.re_reads.exact.into()),
        integers("orders_given", |loss| loss.orders.given.into()),
        integers("orders_lost", |loss| loss.orders.lost.into()),
        integers("decisions_departed", |loss| loss.decisions.departed.into()),
        integers("decisions_gone", |loss| loss.decisions.never_return.into()),
        integers("goal_kept", |loss| loss.words.goal_kept.into()),
        integers("findings", |loss| loss.worst.len().into()),
    ]
}

/// The columns of a session that was audited.
pub(crate) fn of_losses() -> Vec<Column> {
    front().chain(columns(&lost_fields())).collect()
}

/// The row of a session that was audited.
pub(crate) fn loss(session: &SessionText<'_>, loss: &LossReport) -> RowsOf {
    rows(session, [cells(&lost_fields(), loss)])
}

/// A point of a sweep over a session: its number, the knobs that are turned, and the sums.
type Weighed<'p> = (usize, &'p Point, &'p Totals);

fn point_fields<'p>() -> Vec<Field<Weighed<'p>>> {
    vec![
        integers("point", |(number, ..)| (*number).into()),
        texts("profile", |(_, point, _)| point.policy.profile.as_str().into()),
        texts("settings", |(_, point, _)| {
            let settings = point.set.iter().map(|(path, value)| format!("{path}={value}"));
            Cell::Text(settings.collect::<Vec<_>>().join(" "))
        }),
        integers("window", |(_, point, _)| point.policy.model.context.map(NonZeroU64::get).into()),
        integers("requests", |(.., totals)| totals.requests.into()),
        integers("prunes", |(.., totals)| totals.prunes.into()),
        integers("summaries", |(.., totals)| totals.summaries.into()),
        integers("pruned_outputs", |(.., totals)| totals.outputs.into()),
        integers("too_large", |(.., totals)| totals.unfit.into()),
        integers("over_window", |(.., totals)| totals.over_window.into()),
        integers("largest_request", |(.., totals)| totals.peak.into()),
        integers("input", |(.., totals)| totals.input.into()),
        numbers("cost", |(.., totals)| totals.cost.into()),
        numbers("cost_without", |(.., totals)| totals.without.into()),
        integers("departed_outputs", |(.., totals)| totals.departed_outputs.into()),
        integers("needed_again", |(.., totals)| totals.needed_again.into()),
        integers("needed_again_pruned", |(.., totals)| totals.needed_again_pruned.into()),
        integers("read_again", |(.., totals)| totals.read_again.into()),
        integers("decisions_gone", |(.., totals)| totals.decisions_gone.into()),
        integers("goal_gone", |(.., totals)| totals.goal_gone.into()),
    ]
}

/// The columns of a session under a point of a sweep.
pub(crate) fn of_points() -> Vec<Column> {
    front().chain(columns(&point_fields())).collect()
}

/// A row for each point.
pub(crate) fn points<'p>(
    session: &SessionText<'_>,
    weighed: impl IntoIterator<Item = Weighed<'p>>,
) -> RowsOf {
    let fields = point_fields();
    rows(session, weighed.into_iter().map(|weighed| cells(&fields, &weighed)))
}

/// Rows with what is said of the session in front.
pub(super) fn rows(session: &SessionText<'_>, rows: impl IntoIterator<Item = Vec<Cell>>) -> RowsOf {
    let front = cells(&session_fields(), session);
    rows.into_iter().map(|row| [front.clone(), row].concat()).collect()
}

/// The columns in front.
pub(super) fn front() -> impl Iterator<Item = Column> {
    columns(&session_fields())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_row_has_a_cell_for_each_column() {
        let session =
            SessionText::read(r#"[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]"#)
                .unwrap();
        let report = LossReport::default();
        let row = loss(&session, &report).remove(0);
        assert_eq!(row.len(), of_losses().len());
        assert_eq!(row[..2], ["openai_chat".into(), Cell::Integer(2)]);
        for table in [of_losses(), of_outcomes(), of_points()] {
            let names: HashSet<&str> = table.iter().map(|column| column.name).collect();
            assert_eq!(names.len(), table.len());
        }
    }
}
