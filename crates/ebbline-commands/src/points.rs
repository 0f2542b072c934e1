//! How the points of a sweep are named and drawn, on the terminal and in a file.

use ebbline::economics::PointReport;
use ebbline::json::Document;
use ebbline_charts::on_line;

use crate::amount::amount;

/// A chart leaves out what loses more than so many times what the frontier loses: it would press all others to the ground.
const FAR: u64 = 4;
const LEAST: u64 = 10;
/// How many of them are named.
const NAMED: usize = 3;

/// A point with its number, counted from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point<'r> {
    /// Its number.
    pub(crate) number: usize,
    /// What is known of it.
    pub(crate) report: &'r PointReport<'r>,
}

/// The points of a window: only those of the same window are compared.
#[derive(Debug)]
pub(crate) struct Panel<'r> {
    /// The window; `None` if it is not known.
    pub(crate) window: Option<u64>,
    /// The points that its chart shows.
    pub(crate) points: Vec<Point<'r>>,
    /// The points that its chart leaves out.
    pub(crate) far: Vec<Point<'r>>,
}

impl Point<'_> {
    /// The cost in percent of doing nothing.
    pub(crate) fn cost(&self) -> f64 {
        self.report.of_nothing.unwrap_or(1.0) * 100.0
    }

    /// The outputs that are needed again.
    pub(crate) fn loss(&self) -> u64 {
        self.report.totals.needed_again
    }

    /// Whether no point is better.
    pub(crate) fn is_best(&self) -> bool {
        self.report.standing.on_frontier
    }

    /// What stands beside it in a chart: the name of a profile that the grid did not turn, or the number of a turned one on the
    /// frontier.
    pub(crate) fn name(&self) -> Option<String> {
        let number = || self.is_best().then(|| format!("#{}", self.number));
        if self.is_as_it_is() { Some(self.report.profile.to_owned()) } else { number() }
    }

    /// Whether the grid turned no knob of the profile.
    pub(crate) fn is_as_it_is(&self) -> bool {
        self.report.set.is_empty()
    }

    /// The knobs that the grid turned.
    pub(crate) fn settings(&self) -> String {
        let settings = self.report.set.iter().map(|(path, value)| format!("{path}={}", shown(value)));
        settings.collect::<Vec<_>>().join(" ")
    }
}

/// A value in JSON as people write it: a text without its quotes.
pub(crate) fn shown(json: &str) -> String {
    let document = Document::parse(json).ok();
    let text = document.as_ref().and_then(|document| Some(document.root().text()?.decode().into_owned()));
    text.unwrap_or_else(|| json.to_owned())
}

/// The points by window, in the order in which the windows appear.
pub(crate) fn panels<'r>(points: &'r [PointReport<'r>]) -> Vec<Panel<'r>> {
    let mut panels: Vec<Panel<'r>> = Vec::new();
    for (at, report) in points.iter().enumerate() {
        let point = Point { number: at + 1, report };
        match panels.iter_mut().find(|panel| panel.window == report.window) {
            Some(panel) => panel.points.push(point),
            None => panels.push(Panel { window: report.window, points: vec![point], far: Vec::new() }),
        }
    }
    for panel in &mut panels {
        let most = FAR * lost(&panel.points).max(LEAST);
        let is_far = |point: &Point<'_>| !point.is_best() && point.loss() > most;
        (panel.far, panel.points) = std::mem::take(&mut panel.points).into_iter().partition(is_far);
    }
    panels
}

/// What a chart leaves out, in words.
pub(crate) fn far_in_words(far: &[Point<'_>]) -> String {
    let named: Vec<String> = far
        .iter()
        .take(NAMED)
        .map(|point| {
            let number = format!("#{}", point.number);
            let name = if point.is_as_it_is() { point.report.profile } else { &number };
            format!("{name} ({})", amount(point.loss()))
        })
        .collect();
    let more = far.len() - named.len();
    let more = if more > 0 { format!(" and {} more", amount(more)) } else { String::new() };
    format!("far above: {}{more}", named.join(", "))
}

/// The most that a point of the frontier loses.
fn lost(points: &[Point<'_>]) -> u64 {
    let best = on_line(points, |point| (point.is_best(), point.report.totals.over_window));
    best.map(Point::loss).max().unwrap_or(0)
}

#[cfg(test)]
pub(crate) mod tests {
    use ebbline::economics::{Grid, Rates, Sweep, Terms, weigh};

    use super::*;

    /// A sweep of a few policies over a session in which an output is needed again.
    pub(crate) fn swept() -> Sweep {
        let mut messages = vec![r#"{"role":"user","content":"Where is the port set?"}"#.to_owned()];
        for call in 0..40 {
            let output = "word ".repeat(1_200);
            messages.push(format!(
                r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"c{call}","type":"function","function":{{"name":"read","arguments":"{{}}"}}}}]}}"#
            ));
            messages.push(format!(
                r#"{{"role":"tool","tool_call_id":"c{call}","content":"src/deep/part{call}/listen.rs {output}"}}"#
            ));
        }
        messages.push(r#"{"role":"assistant","content":"It is in src/deep/part0/listen.rs."}"#.to_owned());
        let session = ebbline::SessionText::read(format!("[{}]", messages.join(","))).unwrap();
        let get = |name: &str| ebbline::profiles::get(name).unwrap();
        let grid = Grid::over(get("pi@1.5"))
            .axis("prune.enabled", ["true", "false"])
            .axis("prune.placeholder", [r#""gone""#])
            .beside([get("ebbline@2"), get("ebbline@2"), get("ebbline@2")])
            .windows([200_000, 32_000]);
        let mut sweep = Sweep::of(grid.points().unwrap());
        let terms = Terms::new(Rates::new(0.1, 1.25, 5.0));
        sweep.add(&weigh(&session, sweep.points(), &terms));
        sweep
    }

    #[test]
    fn points_are_compared_within_their_window() {
        let sweep = swept();
        let report = sweep.report();
        let panels = panels(&report.points);
        let numbers: Vec<Vec<usize>> = panels
            .iter()
            .map(|panel| panel.points.iter().chain(&panel.far).map(|point| point.number).collect())
            .collect();
        assert_eq!(numbers.concat().len(), 10);
        assert_eq!((panels[0].window, panels[1].window), (Some(200_000), Some(32_000)));
        for panel in &panels {
            let named = panel.points.iter().filter_map(Point::name);
            assert!(named.into_iter().any(|name| name == "ebbline@2"));
        }
        let first = Point { number: 1, report: &report.points[0] };
        assert_eq!(first.settings(), "prune.enabled=true prune.placeholder=gone");
    }

    #[test]
    fn what_is_far_is_named() {
        let sweep = swept();
        let report = sweep.report();
        let points: Vec<Point<'_>> =
            (1..).zip(&report.points).map(|(number, report)| Point { number, report }).collect();
        let said = far_in_words(&points[..5]);
        assert!(said.starts_with("far above: #1 (") && said.ends_with(") and 2 more"), "{said}");
    }
}
