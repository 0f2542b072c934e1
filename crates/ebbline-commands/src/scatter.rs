//! The points of a sweep by cost and loss, drawn with characters.

use crate::amount::rounded;
use crate::decimal::grouped;
use crate::points::{Panel, Point, best_last, costs, far_in_words, labelled, line, most_lost};
use crate::scale::Scale;
use crate::style::Style;
use crate::utf16::pad_start;

/// The rows of a chart.
const HEIGHT: usize = 16;
/// The least width of one.
const NARROWEST: usize = 20;
/// Marks: on the frontier or beaten; squares where some requests are larger than the window.
pub(crate) const FRONTIER: char = '●';
const BEATEN: char = '○';
const FRONTIER_OVER: char = '■';
const BEATEN_OVER: char = '□';
/// What lies between two points of the frontier.
const BETWEEN: char = '·';

/// The mark of a point.
pub(crate) fn mark(point: &Point<'_>) -> char {
    match (point.is_best(), point.is_over()) {
        (true, false) => FRONTIER,
        (false, false) => BEATEN,
        (true, true) => FRONTIER_OVER,
        (false, true) => BEATEN_OVER,
    }
}

/// The lines of a chart. The dots are the frontier: beyond them is no point.
pub(crate) fn scatter(panel: &Panel<'_>, width: usize, style: Style) -> Vec<String> {
    let points = &panel.points;
    let y = Scale::of_whole(0.0, most_lost(points) as f64);
    let (least, most) = costs(points);
    let gutter = y.ticks.iter().map(|tick| grouped(*tick).len()).max().unwrap_or(0);
    let mut canvas = Canvas::new(width.saturating_sub(gutter + 3).max(NARROWEST), Scale::of(least, most), y);
    let line = line(points);
    for (one, other) in line.iter().zip(line.iter().skip(1)) {
        canvas.step(one, other);
    }
    for point in best_last(points) {
        canvas.mark(&point);
    }
    for (point, label) in labelled(points) {
        canvas.label(&point, &label);
    }
    let indent = " ".repeat(gutter + 1);
    let mut lines = vec![style.dim(&format!("{indent}outputs needed again"))];
    for (row, cells) in canvas.cells.iter().enumerate() {
        let tick = canvas.y.ticks.iter().rfind(|tick| canvas.row(**tick) == row);
        let title = pad_start(&tick.map(|tick| grouped(*tick)).unwrap_or_default(), gutter);
        let edge = style.dim(if tick.is_some() { "┤" } else { "│" });
        lines.push(format!("{title} {edge}{}", painted(cells, style)).trim_end().to_owned());
    }
    lines.push(format!("{indent}{}", style.dim(&canvas.axis())));
    lines.push(format!("{indent}{}", canvas.ticks()).trim_end().to_owned());
    lines.push(style.dim(&format!("{indent}cost, of what doing nothing costs")));
    lines.push(style.dim(&format!("{indent}{}", legend(points))));
    if !panel.far.is_empty() {
        lines.push(style.dim(&format!("{indent}{}", far_in_words(&panel.far))));
    }
    lines
}

fn legend(points: &[Point<'_>]) -> String {
    let mut said = vec![format!("{FRONTIER} on the frontier")];
    if points.iter().any(|point| !point.is_best()) {
        said.push(format!("{BEATEN} beaten"));
    }
    if points.iter().any(Point::is_over) {
        said.push(format!("{FRONTIER_OVER} {BEATEN_OVER} the same, with requests larger than the window"));
    }
    said.join("   ")
}

fn painted(cells: &[char], style: Style) -> String {
    let paint = |cell: &char| {
        let text = cell.to_string();
        match *cell {
            FRONTIER => style.good(&text),
            BETWEEN | BEATEN | BEATEN_OVER => style.dim(&text),
            _ => text,
        }
    };
    cells.iter().map(paint).collect()
}

struct Canvas {
    width: usize,
    x: Scale,
    y: Scale,
    cells: Vec<Vec<char>>,
}

impl Canvas {
    fn new(width: usize, x: Scale, y: Scale) -> Self {
        Self { width, x, y, cells: vec![vec![' '; width]; HEIGHT] }
    }

    fn column(&self, cost: f64) -> usize {
        placed(cost, &self.x, self.width)
    }

    fn row(&self, loss: f64) -> usize {
        HEIGHT - 1 - placed(loss, &self.y, HEIGHT)
    }

    fn place(&self, point: &Point<'_>) -> (usize, usize) {
        (self.row(point.loss() as f64), self.column(point.cost()))
    }

    fn put(&mut self, row: usize, column: usize, cell: char) {
        if let Some(place) = self.cells.get_mut(row).and_then(|cells| cells.get_mut(column)) {
            *place = cell;
        }
    }

    /// What lies between two neighbors of the frontier: to the right at the same loss, then down.
    fn step(&mut self, one: &Point<'_>, other: &Point<'_>) {
        let ((top, from), (bottom, to)) = (self.place(one), self.place(other));
        for column in from..=to {
            self.put(top, column, BETWEEN);
        }
        for row in top..=bottom {
            self.put(row, to, BETWEEN);
        }
    }

    fn mark(&mut self, point: &Point<'_>) {
        let (row, column) = self.place(point);
        self.put(row, column, mark(point));
    }

    /// Writes a label beside a point where there is room for it: right of it, left of it, above or below.
    fn label(&mut self, point: &Point<'_>, label: &str) {
        let length = label.chars().count();
        let (row, column) = self.place(point);
        let before = |back: usize| (column + 1).checked_sub(back);
        let places = [
            (Some(row), Some(column + 2)),
            (Some(row), before(length + 2)),
            (row.checked_sub(1), Some(column)),
            (Some(row + 1), Some(column)),
            (row.checked_sub(1), before(length)),
            (Some(row + 1), before(length)),
        ];
        let places = places.into_iter().filter_map(|(row, from)| Some((row?, from?)));
        let mut free = places.filter(|(row, from)| self.is_free(*row, *from, length));
        let Some((row, from)) = free.next() else { return };
        drop(free);
        for (at, character) in label.chars().enumerate() {
            self.put(row, from + at, character);
        }
    }

    /// Whether a text has room at a place. What touches it may be empty, the frontier or a mark.
    fn is_free(&self, row: usize, from: usize, length: usize) -> bool {
        let Some(needed) = self.cells.get(row).and_then(|cells| cells.get(from..from + length)) else {
            return false;
        };
        let cell = |column: Option<usize>| self.cells.get(row)?.get(column?).copied();
        let mut around = [from.checked_sub(1), Some(from + length)].into_iter().filter_map(cell);
        let may_touch =
            |cell| matches!(cell, ' ' | BETWEEN | FRONTIER | BEATEN | FRONTIER_OVER | BEATEN_OVER);
        needed.iter().all(|cell| *cell == ' ') && around.all(may_touch)
    }

    fn axis(&self) -> String {
        let columns: Vec<usize> = self.x.ticks.iter().map(|tick| self.column(*tick)).collect();
        let cell = |column: usize| if columns.contains(&column) { '┬' } else { '─' };
        std::iter::once('└').chain((0..self.width).map(cell)).collect()
    }

    /// The figures below the axis; one that would run into its neighbor is left out.
    fn ticks(&self) -> String {
        let mut line = vec![' '; self.width + 8];
        let mut end = 0;
        for tick in &self.x.ticks {
            let text = format!("{} %", grouped(*tick));
            let middle = (self.column(*tick) + 1).saturating_sub(text.len() / 2);
            let from = middle.min((self.width + 1).saturating_sub(text.len()));
            if from < end {
                continue;
            }
            for (cell, character) in line.iter_mut().skip(from).zip(text.chars()) {
                *cell = character;
            }
            end = from + text.len() + 2;
        }
        line.into_iter().collect()
    }
}

/// The cell of a figure on a scale.
fn placed(figure: f64, scale: &Scale, cells: usize) -> usize {
    let place = rounded(scale.share(figure) * (cells - 1) as f64);
    usize::try_from(place).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::panels;
    use crate::points::tests::swept;

    #[test]
    fn every_line_is_as_wide_as_the_terminal_at_most() {
        let sweep = swept();
        let report = sweep.report();
        for (panel, width) in panels(&report.points).iter().zip([60, 100]) {
            let lines = scatter(panel, width, Style::new(false));
            assert_eq!(lines.len(), 1 + HEIGHT + 4 + usize::from(!panel.far.is_empty()));
            let chart = &lines[..HEIGHT + 2];
            assert!(chart.iter().all(|line| line.chars().count() <= width), "{chart:?}");
            let chart = chart.concat();
            assert!(chart.contains(FRONTIER) || chart.contains(FRONTIER_OVER), "{chart}");
            assert!(chart.contains("ebbline@2 and "), "{chart}");
        }
    }
}
