//! `sweep`: a grid of policies over many sessions, what each point costs and loses, and which points stand on the frontier.

use ebbline::Policy;
use ebbline::economics::{self, Point, PointReport, SweepReport, Totals, weigh};
use ebbline::json::{Document, quote};

use crate::amount::{amount, counted};
use crate::charts;
use crate::columns::{Side, known, percent, titled};
use crate::corpus::{Account, Gather, RowsTarget, over_files};
use crate::csv::{self, csv, row};
use crate::engine_options::EngineOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::folders::SessionFile;
use crate::grid::GridDescription;
use crate::job::{OnSession, Row, Task};
use crate::json::as_javascript;
use crate::life::{Life, Terms};
use crate::points::{far_in_words, panels, shown};
use crate::printable::printable;
use crate::rows::options::{RowKind, RowsOptions};
use crate::rows::sessions;
use crate::run::Run;
use crate::style::Style;
use crate::values::Values;
use crate::window_note::note_assumed;

/// The width of a chart that is written to a file or a pipe, and of one on a wide terminal.
const WIDTH: usize = 100;
/// How many beaten points the table shows; `--json` and `--csv` have all.
const BEATEN: usize = 40;

const NOTES: [&str; 4] = [
    "Cost: of what the same sessions cost without any compaction. Needed again: outputs that left and that the assistant uses later;",
    "summarized: those of them for which a summary stood, though its words are not known. A point is beaten if another is better in",
    "cost, in what is needed again or in requests over the window, and worse in none of them, in the same window. Which of the others is",
    "best depends on what a lost output is worth: none is claimed. The messages are fixed: figures compare policies, they predict no agent.",
];

/// What weighs the points of a grid on a session.
#[derive(Debug)]
pub(crate) struct Sweeper {
    options: EngineOptions,
    reading: Policy,
    points: Vec<Point>,
    terms: Terms,
    has_rows: bool,
}

impl Sweeper {
    /// What options ask for, with a grid.
    pub(crate) fn of(values: &Values, grid: &str) -> Result<Self, Failure> {
        let life = life_of(values)?;
        Self::of_life(life, values, &GridDescription::again(grid))
    }

    fn of_life(life: Life, values: &Values, described: &GridDescription) -> Result<Self, Failure> {
        let reading = life.options.plain_policy()?;
        let grid = described.grid(&life.options)?;
        let (terms, points) = (life.terms()?, grid.points()?);
        Ok(Self { options: life.options, reading, points, terms, has_rows: RowKind::of(values).is_some() })
    }
}

/// What a grid says itself, no option says for every point.
fn life_of(values: &Values) -> Result<Life, Failure> {
    Life::of(&values.without(&["profile", "set", "context"]))
}

impl OnSession for Sweeper {
    fn row(&self, _: &SessionFile, bytes: &[u8]) -> Result<Row, Failure> {
        let session = self.options.read(bytes, &self.reading)?;
        let moments = self.terms.moments(&session, self.points.iter().map(|point| &point.policy));
        let totals = weigh(&session, &self.points, &self.terms.with(&moments));
        let mut rows = Vec::new();
        if self.has_rows {
            let weighed = (1..).zip(&self.points).zip(&totals);
            rows =
                sessions::points(&session, weighed.map(|((number, point), totals)| (number, point, totals)));
        }
        Ok(Row { totals, rows, ..Row::default() })
    }
}

/// Sweeps over files.
pub(crate) async fn run(run: &mut Run) -> Result<Exit, Failure> {
    let values = run.given.values.clone();
    let life = life_of(&values)?;
    let described = GridDescription::of(&values, &run.io).await?;
    let sweeper = Sweeper::of_life(life, &values, &described)?;
    if !described.has_window() {
        note_assumed(described.profile().as_deref(), &mut run.notes, "--window");
    }
    let mut sums = Sums { sweep: economics::Sweep::of(sweeper.points), is_shown: false };
    let rows = RowsOptions::of(&values)?;
    RowsOptions::only_sessions(rows.as_ref(), "sweep")?;
    let written = rows.map(|options| RowsTarget { options, columns: sessions::of_points() });
    let task = Task::of(run, Some(described.json().to_owned()));
    let exit = over_files(run, task, written, &mut sums).await?;
    if let Some(file) = values.text("svg").filter(|_| sums.is_shown) {
        charts::write(file, &charts::sweep_picture(&sums.sweep.report()), &run.io).await?;
    }
    Ok(exit)
}

struct Sums {
    sweep: economics::Sweep,
    is_shown: bool,
}

impl Gather for Sums {
    async fn take(&mut self, _: &SessionFile, row: Row, _: &mut Run) -> Result<(), Failure> {
        self.sweep.add(&row.totals);
        Ok(())
    }

    async fn show(&mut self, _: &Account, run: &mut Run) -> Result<(), Failure> {
        self.is_shown = true;
        let report = self.sweep.report();
        if run.is_json() {
            return run.out.write(json(&report)).await;
        }
        if run.given.values.has("csv") {
            let rows: Vec<csv::Row> =
                (1..).zip(&report.points).map(|(number, point)| cells(number, point)).collect();
            return run.out.write(csv(&rows)).await;
        }
        let width = run.width().unwrap_or(WIDTH).min(WIDTH);
        let page = page(&report, width, run.style());
        run.out.write(page).await
    }
}

/// The report as a line. The knobs of a point stand at its end, as an object.
fn json(report: &SweepReport<'_>) -> String {
    let json = report.to_json();
    let Ok(document) = Document::parse(&json) else { return String::new() };
    let root = document.root();
    let points = root.elements_of("points").zip(&report.points).map(|(point, of)| {
        let figures = point.members().filter(|(name, _)| !name.is("set"));
        let figures = figures.map(|(name, value)| format!("{}:{},", quote(&name.decode()), value.source()));
        let set = of.set.iter().map(|(path, value)| format!("{}:{value}", quote(path)));
        let set = set.collect::<Vec<_>>().join(",");
        format!("{{{}\"set\":{{{set}}}}}", figures.collect::<String>())
    });
    let points = points.collect::<Vec<_>>().join(",");
    let (schema, sessions) = (quote(report.schema), report.sessions);
    as_javascript(&format!("{{\"schema\":{schema},\"sessions\":{sessions},\"points\":[{points}]}}"))
}

/// A point as a row of a spreadsheet: one column for each knob of the grid.
fn cells(number: usize, point: &PointReport<'_>) -> csv::Row {
    let mut cells =
        vec![("point".to_owned(), number.to_string()), ("profile".to_owned(), point.profile.to_owned())];
    cells.extend(point.set.iter().map(|(path, value)| (path.clone(), shown(value))));
    cells.extend(row(point).into_iter().filter(|(title, _)| title != "profile").map(|(title, cell)| {
        let by = point.standing.beaten_by.filter(|_| title == "beatenBy");
        (title, by.map_or(cell, |by| (by + 1).to_string()))
    }));
    cells
}

fn page(report: &SweepReport<'_>, width: usize, style: Style) -> String {
    let requests = report.points.first().map_or(0, |point| point.totals.requests);
    let (sessions, points) = (counted(report.sessions, "session"), counted(report.points.len(), "point"));
    let title = format!("{sessions}, {}, {points}", counted(requests, "request"));
    let mut lines = vec![style.strong(&title), String::new()];
    let panels = if requests > 0 { panels(&report.points) } else { Vec::new() };
    for panel in &panels {
        if panels.len() > 1 {
            lines.push(style.strong(&format!("window {}", known(panel.window, amount))));
        }
        let chart = charts::frontier(panel, report.sessions).cells(width);
        lines.extend(charts::painted(&chart, style));
        if !panel.far.is_empty() {
            lines.push(style.dim(&far_in_words(&panel.far)));
        }
        lines.push(String::new());
    }
    lines.extend(table(&report.points, style));
    lines.push(String::new());
    lines.extend(NOTES.map(|note| style.dim(note)));
    lines.join("\n") + "\n"
}

fn table(points: &[PointReport<'_>], style: Style) -> Vec<String> {
    let mut ranked = Vec::new();
    for panel in panels(points) {
        let mut points = [panel.points, panel.far].concat();
        points.sort_by(|one, other| one.cost().total_cmp(&other.cost()));
        ranked.extend(points);
    }
    let mut beaten = 0;
    ranked.retain(|point| {
        beaten += usize::from(!point.is_best());
        point.is_best() || beaten <= BEATEN
    });
    let split = |point: &PointReport<'_>| point.totals.needed_again - point.totals.needed_again_pruned;
    let is_split = points.iter().any(|point| split(point) > 0);
    let mut titles = vec![("", Side::Left), ("#", Side::Right), ("profile", Side::Left)];
    titles.extend(["window", "threshold", "cost", "needed again"].map(|title| (title, Side::Right)));
    titles.extend(is_split.then_some(("summarized", Side::Right)));
    titles.extend(
        ["read again", "prunes", "summaries", "too large", "over window", "beaten by"]
            .map(|title| (title, Side::Right)),
    );
    titles.push(("", Side::Left));
    let rows = ranked.iter().map(|point| {
        let report = point.report;
        let mut cells = vec![
            charts::point(point).mark().to_string(),
            point.number.to_string(),
            printable(report.profile),
            known(report.window, amount),
            known(report.threshold, amount),
            known(report.of_nothing, percent),
            amount(point.loss()),
        ];
        cells.extend(is_split.then(|| amount(split(report))));
        let Totals { read_again, prunes, summaries, unfit, .. } = report.totals;
        cells.extend([read_again, prunes, summaries, unfit].map(amount));
        cells.push(known(report.window.map(|_| report.totals.over_window), amount));
        cells.push(report.standing.beaten_by.map(|by| format!("#{}", by + 1)).unwrap_or_default());
        cells.push(printable(&point.settings()));
        cells
    });
    let mut lines = titled(&titles, &rows.collect::<Vec<_>>(), style);
    for (line, point) in lines.iter_mut().skip(1).zip(&ranked) {
        if point.is_best() && point.report.totals.over_window == 0 {
            *line = style.good(line);
        }
    }
    if beaten > BEATEN {
        let hidden = counted(beaten - BEATEN, "point");
        lines.push(style.dim(&format!("and {hidden} more that are beaten: --json and --csv list them")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::tests::swept;

    #[test]
    fn a_point_has_a_row_everywhere() {
        let sweep = swept();
        let report = sweep.report();
        let lines = table(&report.points, Style::new(false));
        assert_eq!(lines.len(), 11, "{lines:?}");
        let rows: Vec<csv::Row> =
            (1..).zip(&report.points).map(|(number, point)| cells(number, point)).collect();
        let text = csv(&rows);
        assert!(text.starts_with("point,profile,prune.enabled,prune.placeholder,window,"), "{text}");
        assert!(text.contains("\n1,pi@1.5*,true,gone,200000,"), "{text}");
        let json = json(&report);
        assert!(json.contains(r#","set":{"prune.enabled":true,"prune.placeholder":"gone"}}"#), "{json}");
        assert!(json.ends_with("\"set\":{}}]}\n") && !json.contains(".0,"), "{json}");
        let page = page(&report, 80, Style::new(false));
        assert!(page.starts_with("1 session, 41 requests, 10 points\n\nwindow 200,000\n"), "{page}");
    }
}
