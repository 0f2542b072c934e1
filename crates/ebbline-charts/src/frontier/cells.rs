//! The frontier drawn with characters.

use super::points::{Frontier, FrontierPoint};
use crate::cells::{Line, Tone, right};
use crate::scale::Scale;

/// The rows of a chart.
const HEIGHT: usize = 16;
/// The least width of one.
const NARROWEST: usize = 20;
/// Marks: on the frontier or beaten; squares where some requests are larger than the window.
const FRONTIER: char = '●';
const BEATEN: char = '○';
const FRONTIER_OVER: char = '■';
const BEATEN_OVER: char = '□';
/// What lies between two points of the frontier.
const BETWEEN: char = '·';

impl FrontierPoint {
    /// Its mark on a terminal.
    #[must_use]
    pub fn mark(&self) -> char {
        match (self.is_best, self.over > 0) {
            (true, false) => FRONTIER,
            (false, false) => BEATEN,
            (true, true) => FRONTIER_OVER,
            (false, true) => BEATEN_OVER,
        }
    }
}

/// The lines. The dots are the frontier: beyond them is no point.
pub(super) fn cells(frontier: &Frontier, width: usize) -> Vec<Line> {
    let (least, most, lost) = frontier.ends();
    let y = Scale::of_whole(0.0, lost as f64);
    let gutter = y.ticks.iter().map(|tick| y.label(*tick).len()).max().unwrap_or(0);
    let mut canvas = Canvas::new(width.saturating_sub(gutter + 3).max(NARROWEST), Scale::of(least, most), y);
    let line = frontier.line();
    for (one, other) in line.iter().zip(line.iter().skip(1)) {
        canvas.step(one, other);
    }
    for point in frontier.best_last() {
        canvas.mark(point);
    }
    for (point, label) in frontier.labels() {
        canvas.label(point, &label);
    }
    let indent = " ".repeat(gutter + 1);
    let quiet = |text: &str| Line::of(Tone::Quiet, format!("{indent}{text}"));
    let mut lines = vec![quiet("outputs needed again")];
    for (row, cells) in canvas.cells.iter().enumerate() {
        let tick = canvas.y.ticks.iter().rfind(|tick| canvas.row(**tick) == row);
        let title = right(&tick.map(|tick| canvas.y.label(*tick)).unwrap_or_default(), gutter);
        let edge = if tick.is_some() { "┤" } else { "│" };
        let line = Line::of(Tone::Plain, title + " ").and(Tone::Quiet, edge);
        lines.push(cells.iter().fold(line, |line, cell| line.and(tone(*cell), cell.to_string())));
    }
    lines.push(Line::of(Tone::Plain, indent.as_str()).and(Tone::Quiet, canvas.axis()));
    lines.push(Line::of(Tone::Plain, format!("{indent}{}", canvas.ticks())));
    lines.push(quiet("cost, of what doing nothing costs"));
    lines.push(quiet(&legend(frontier)));
    lines
}

fn legend(frontier: &Frontier) -> String {
    let mut said = vec![format!("{FRONTIER} on the frontier")];
    if frontier.points.iter().any(|point| !point.is_best) {
        said.push(format!("{BEATEN} beaten"));
    }
    if frontier.points.iter().any(|point| point.over > 0) {
        said.push(format!("{FRONTIER_OVER} {BEATEN_OVER} the same, with requests larger than the window"));
    }
    said.join("   ")
}

fn tone(cell: char) -> Tone {
    match cell {
        FRONTIER => Tone::Best,
        BETWEEN | BEATEN | BEATEN_OVER => Tone::Quiet,
        _ => Tone::Plain,
    }
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

    fn place(&self, point: &FrontierPoint) -> (usize, usize) {
        (self.row(point.loss as f64), self.column(point.cost))
    }

    fn put(&mut self, row: usize, column: usize, cell: char) {
        if let Some(place) = self.cells.get_mut(row).and_then(|cells| cells.get_mut(column)) {
            *place = cell;
        }
    }

    /// What lies between two neighbors of the frontier: to the right at the same loss, then down.
    fn step(&mut self, one: &FrontierPoint, other: &FrontierPoint) {
        let ((top, from), (bottom, to)) = (self.place(one), self.place(other));
        for column in from..=to {
            self.put(top, column, BETWEEN);
        }
        for row in top..=bottom {
            self.put(row, to, BETWEEN);
        }
    }

    fn mark(&mut self, point: &FrontierPoint) {
        let (row, column) = self.place(point);
        self.put(row, column, point.mark());
    }

    /// Writes a label beside a point where there is room for it: right of it, left of it, above or below.
    fn label(&mut self, point: &FrontierPoint, label: &str) {
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
            let text = format!("{} %", self.x.label(*tick));
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
    let place = (scale.share(figure) * (cells - 1) as f64).round().max(0.0);
    place as usize
}

#[cfg(test)]
mod tests {
    use super::super::points::tests::swept;
    use super::*;

    #[test]
    fn every_line_is_as_wide_as_the_terminal_at_most() {
        for width in [60, 100] {
            let lines: Vec<String> =
                swept().cells(width).iter().map(|line| line.painted(|_, text| text.to_owned())).collect();
            assert_eq!(lines.len(), 1 + HEIGHT + 4);
            let chart = &lines[..HEIGHT + 2];
            assert!(chart.iter().all(|line| line.chars().count() <= width), "{chart:?}");
            let chart = chart.concat();
            assert!(chart.contains(FRONTIER) && chart.contains(BEATEN_OVER), "{chart}");
            assert!(chart.contains("lean@1, #1"), "{chart}");
        }
    }
}
