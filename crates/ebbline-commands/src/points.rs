//! How the points of a sweep are named and drawn, on the terminal and in a file.

use std::cmp::Reverse;

use ebbline::economics::PointReport;
use ebbline::json::Document;

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

    /// Whether some requests are larger than the window.
    pub(crate) fn is_over(&self) -> bool {
        self.report.totals.over_window > 0
    }

    /// Whether the grid turned no knob of the profile.
    fn is_as_it_is(&self) -> bool {
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
        let lost = line(&panel.points).iter().map(Point::loss).max().unwrap_or(0);
        let most = FAR * lost.max(LEAST);
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

/// The points of the frontier on which every request could be sent, or as many as anywhere, from cheap to careful.
pub(crate) fn line<'r>(points: &[Point<'r>]) -> Vec<Point<'r>> {
    let over = |point: &Point<'_>| point.report.totals.over_window;
    let least = points.iter().map(over).min();
    let is_best = |point: &&Point<'_>| point.is_best() && Some(over(point)) == least;
    let mut best: Vec<Point<'r>> = points.iter().filter(is_best).copied().collect();
    best.sort_by(|one, other| {
        one.cost().total_cmp(&other.cost()).then_with(|| other.loss().cmp(&one.loss()))
    });
    best
}

/// The points with those of the frontier behind the others, which are drawn over them.
pub(crate) fn best_last<'r>(points: &[Point<'r>]) -> Vec<Point<'r>> {
    let mut points = points.to_vec();
    points.sort_by_key(Point::is_best);
    points
}

/// The least and the greatest cost.
pub(crate) fn costs(points: &[Point<'_>]) -> (f64, f64) {
    let costs = || points.iter().map(Point::cost);
    (costs().fold(f64::INFINITY, f64::min), costs().fold(f64::NEG_INFINITY, f64::max))
}

/// The greatest loss.
pub(crate) fn most_lost(points: &[Point<'_>]) -> u64 {
    points.iter().map(Point::loss).max().unwrap_or(0)
}

/// Points in one place of a chart.
struct Place<'r> {
    key: (Option<u64>, u64),
    profiles: Vec<String>,
    numbers: Vec<String>,
    best: Point<'r>,
}

/// What stands beside a point in a chart: the name of a profile that the grid did not turn, or the number of a turned one on
/// the frontier. Points in the same place share a label. They are in the order of their importance.
pub(crate) fn labelled<'r>(points: &[Point<'r>]) -> Vec<(Point<'r>, String)> {
    let mut places: Vec<Place<'r>> = Vec::new();
    for point in points.iter().filter(|point| point.is_as_it_is() || point.is_best()) {
        let key = (point.report.of_nothing.map(f64::to_bits), point.loss());
        let at = places.iter().position(|place| place.key == key).unwrap_or_else(|| {
            places.push(Place { key, profiles: Vec::new(), numbers: Vec::new(), best: *point });
            places.len() - 1
        });
        let Some(place) = places.get_mut(at) else { continue };
        if point.is_as_it_is() {
            place.profiles.push(point.report.profile.to_owned());
        } else {
            place.numbers.push(format!("#{}", point.number));
        }
        if !place.best.is_best() {
            place.best = *point;
        }
    }
    let label = |place: Place<'r>| (place.best, shortened(&[place.profiles, place.numbers].concat()));
    let mut labels: Vec<(Point<'r>, String)> = places.into_iter().map(label).collect();
    labels.sort_by_key(|(point, _)| Reverse(point.is_best()));
    labels
}

fn shortened(names: &[String]) -> String {
    match names {
        [first, _, _, ..] => format!("{first} and {} more", names.len() - 1),
        names => names.join(", "),
    }
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
            let line = line(&panel.points);
            assert!(!line.is_empty() && line.iter().all(Point::is_best));
            assert!(line.is_sorted_by(|one, other| one.cost() <= other.cost()));
            let labels = labelled(&panel.points);
            assert!(labels.iter().any(|(_, label)| label.starts_with("ebbline@2 and ")), "{labels:?}");
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
