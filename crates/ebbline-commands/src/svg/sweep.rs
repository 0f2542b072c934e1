//! The points of a sweep by cost and loss, as an SVG file: one chart for each window.

use ebbline::economics::SweepReport;
use ebbline::json::format_js;

use super::axes::Axes;
use super::{BOTTOM, Chart, HEIGHT, LEFT, TOP, WIDTH, WORDS, Words, escaped, rounded, width_of};
use crate::amount::{amount, counted};
use crate::decimal::{fixed, grouped};
use crate::points::{Panel, Point, best_last, costs, labelled, line, most_lost, panels};
use crate::scale::Scale;

const STYLE: &str = "
.best { fill: var(--best); stroke: var(--page); }
.beaten { fill: var(--page); stroke: var(--other); stroke-width: 1.5; }
.frontier { fill: none; stroke: var(--best); stroke-width: 1.5; stroke-dasharray: 5 4; }
.of-best { font-weight: 600; }
.of-beaten { fill: var(--quiet); }";

/// The file.
pub(crate) fn sweep_svg(report: &SweepReport<'_>) -> String {
    let panels = panels(&report.points);
    let told = panels.iter().map(|panel| {
        let line: Vec<String> = line(&panel.points).iter().map(told).collect();
        format!("{}, from cheap to careful: {}.", title(panel), line.join("; "))
    });
    let told = told.collect::<Vec<_>>().join(" ");
    let requests = report.points.first().map_or(0, |point| point.totals.requests);
    let what = what(report.points.len(), report.sessions, requests);
    Chart {
        title: "Cost against loss".to_owned(),
        about: format!("{what}. On the frontier {told}"),
        style: STYLE,
        panels: panels.iter().map(|panel| drawn(panel, report.sessions)).collect(),
    }
    .file()
}

fn what(points: usize, sessions: u32, requests: u64) -> String {
    let (points, sessions) = (counted(points, "point"), counted(sessions, "session"));
    format!("{points} over {sessions} with {}", counted(requests, "request"))
}

fn title(panel: &Panel<'_>) -> String {
    match panel.window {
        None => "without a known window".to_owned(),
        Some(window) => format!("in a window of {} tokens", amount(window)),
    }
}

fn drawn(panel: &Panel<'_>, sessions: u32) -> Vec<String> {
    let Panel { points, far, .. } = panel;
    let requests = points.first().map_or(0, |point| point.report.totals.requests);
    let what = what(points.len() + far.len(), sessions, requests);
    let (least, most) = costs(points);
    let chart = Axes {
        x: Scale::of(least, most),
        y: Scale::of_whole(0.0, most_lost(points) as f64),
        x_title: "cost, in percent of doing nothing",
        y_title: "outputs needed again",
        x_label: |tick| format!("{} %", grouped(tick)),
        y_label: grouped,
        drop: 0.0,
    };
    let best = points.iter().filter(|point| point.is_best()).count();
    let beyond = match far.len() {
        0 => String::new(),
        count => format!("; {} far above, up to {}", counted(count, "point"), amount(most_lost(far))),
    };
    let mut panel = vec![
        Words { kind: "title", ..WORDS }.at(LEFT, 34.0, &format!("Cost against loss {}", title(panel))),
        Words { kind: "quiet", ..WORDS }.at(LEFT, 55.0, &format!("{what}; {best} on the frontier{beyond}")),
    ];
    panel.extend(chart.lines());
    let frontier: Vec<(f64, f64)> = line(points).iter().map(|point| place(&chart, point)).collect();
    panel.push(steps(&frontier));
    panel.extend(best_last(points).iter().map(|point| mark(point, place(&chart, point))));
    panel.extend(labels(points, &frontier, &chart));
    panel.extend(legend(points));
    panel
}

fn place(chart: &Axes<'_>, point: &Point<'_>) -> (f64, f64) {
    (chart.x_of(point.cost()), chart.y_of(point.loss() as f64))
}

/// Steps, because nothing is known between two points.
fn steps(places: &[(f64, f64)]) -> String {
    let [(x, y), rest @ ..] = places else { return String::new() };
    if rest.is_empty() {
        return String::new();
    }
    let mut path = format!("M{} {}", rounded(*x), rounded(*y));
    for (x, y) in rest {
        path.push_str(&format!("H{}V{}", rounded(*x), rounded(*y)));
    }
    format!(r#"<path class="frontier" d="{path}"/>"#)
}

/// A disc, or a square where some requests are larger than the window.
fn mark(point: &Point<'_>, (x, y): (f64, f64)) -> String {
    let (kind, size) = if point.is_best() { ("best", 6.0) } else { ("beaten", 4.5) };
    let (shape, end) = if point.is_over() {
        let (x, y, width) = (rounded(x - size), rounded(y - size), format_js(2.0 * size));
        (format!(r#"<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{width}">"#), "</rect>")
    } else {
        let (x, y, size) = (rounded(x), rounded(y), format_js(size));
        (format!(r#"<circle class="{kind}" cx="{x}" cy="{y}" r="{size}">"#), "</circle>")
    };
    format!("{shape}<title>{}</title>{end}", escaped(&told(point)))
}

fn told(point: &Point<'_>) -> String {
    let (report, settings) = (point.report, point.settings());
    let settings = if settings.is_empty() { String::new() } else { format!(" {settings}") };
    let mut said = vec![
        format!("#{} {}{settings}", point.number, report.profile),
        format!("cost {} %", fixed(point.cost(), 1)),
        format!("needed again {}", amount(point.loss())),
        format!("prunes {}", amount(report.totals.prunes)),
        format!("summaries {}", amount(report.totals.summaries)),
    ];
    if point.is_over() {
        said.push(format!("requests over the window {}", amount(report.totals.over_window)));
    }
    said.extend(report.standing.beaten_by.map(|by| format!("beaten by #{}", by + 1)));
    said.join(", ")
}

/// A place that is taken.
#[derive(Clone, Copy)]
struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    fn is_inside(self) -> bool {
        let is_across = self.left >= LEFT && self.right <= WIDTH - 4.0;
        is_across && self.top >= TOP - 12.0 && self.bottom <= HEIGHT - BOTTOM
    }

    fn overlaps(self, other: Self) -> bool {
        let is_across = self.left < other.right && other.left < self.right;
        is_across && self.top < other.bottom && other.top < self.bottom
    }
}

/// Labels where there is room for them; where there is none, the point's title says what it is.
fn labels(points: &[Point<'_>], frontier: &[(f64, f64)], chart: &Axes<'_>) -> Vec<String> {
    let of_mark = |point: &Point<'_>| {
        let (x, y) = place(chart, point);
        Area { left: x - 6.0, right: x + 6.0, top: y - 6.0, bottom: y + 6.0 }
    };
    let mut taken: Vec<Area> = points.iter().map(of_mark).chain(areas(frontier)).collect();
    let mut drawn = Vec::new();
    for (point, label) in labelled(points) {
        let (x, y) = place(chart, &point);
        let width = width_of(&label);
        let (left, right) = (("end", -width), ("start", 0.0));
        let places = [
            (right, x + 10.0, y + 4.0),
            (left, x - 10.0, y + 4.0),
            (right, x + 8.0, y - 12.0),
            (left, x - 8.0, y + 20.0),
            (left, x - 8.0, y - 12.0),
            (right, x + 8.0, y + 20.0),
        ];
        let found = places.into_iter().find_map(|((anchor, from), x, y)| {
            let area = Area { left: x + from, right: x + from + width, top: y - 12.0, bottom: y + 4.0 };
            let is_free = area.is_inside() && !taken.iter().any(|other| area.overlaps(*other));
            is_free.then_some((anchor, x, y, area))
        });
        let Some((anchor, x, y, area)) = found else { continue };
        taken.push(area);
        let kind = if point.is_best() { "label of-best" } else { "label of-beaten" };
        drawn.push(Words { kind, anchor, turn: "" }.at(x, y, &label));
    }
    drawn
}

/// The line of the frontier as areas, which no label covers.
fn areas(places: &[(f64, f64)]) -> Vec<Area> {
    let pairs = places.iter().zip(places.iter().skip(1));
    let areas = pairs.flat_map(|((from_x, from_y), (x, y))| {
        [
            Area { left: *from_x, right: *x, top: from_y - 1.0, bottom: from_y + 1.0 },
            Area { left: x - 1.0, right: x + 1.0, top: *from_y, bottom: *y },
        ]
    });
    areas.collect()
}

fn legend(points: &[Point<'_>]) -> Vec<String> {
    let y = rounded(HEIGHT - 22.0);
    let mut entries = vec![
        (
            r#"<circle class="best" cx="0" cy="-4" r="6"/>"#,
            "on the frontier: no other point is better in one respect and worse in none",
        ),
        (r#"<circle class="beaten" cx="0" cy="-4" r="4.5"/>"#, "beaten"),
    ];
    if points.iter().any(Point::is_over) {
        let square = r#"<rect class="beaten" x="-4.5" y="-8.5" width="9" height="9"/>"#;
        entries.push((square, "with requests larger than the window"));
    }
    let mut x = LEFT + 6.0;
    let mut drawn = Vec::new();
    for (mark, text) in entries {
        let words = Words { kind: "tick", ..WORDS }.at(13.0, 0.0, text);
        drawn.push(format!(r#"<g transform="translate({} {y})">{mark}{words}</g>"#, rounded(x)));
        x += width_of(text) * 0.86 + 40.0;
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::tests::swept;

    #[test]
    fn every_window_has_a_chart_and_every_point_a_mark() {
        let sweep = swept();
        let svg = sweep_svg(&sweep.report());
        assert_eq!(svg.matches("Cost against loss in a window of ").count(), 2);
        let marks = svg.matches("<title>#").count();
        assert!((2..=10).contains(&marks), "{marks}");
        assert!(svg.contains("ebbline@2 and ") && !svg.contains("NaN") && !svg.contains("null"));
    }
}
