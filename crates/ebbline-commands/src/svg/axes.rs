//! Axes with a grid, and where figures lie on them.

use super::{BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, WORDS, Words, line, rounded};
use crate::scale::Scale;

/// What axes show.
pub(super) struct Axes<'a> {
    pub(super) x: Scale,
    pub(super) y: Scale,
    pub(super) x_title: &'a str,
    pub(super) y_title: &'a str,
    pub(super) x_label: fn(f64) -> String,
    pub(super) y_label: fn(f64) -> String,
    /// The room for marks between the axis and its figures.
    pub(super) drop: f64,
}

const END: f64 = WIDTH - RIGHT;
const BASE: f64 = HEIGHT - BOTTOM;
const MIDDLE: Words<'static> = Words { anchor: "middle", ..WORDS };

impl Axes<'_> {
    pub(super) fn x_of(&self, figure: f64) -> f64 {
        LEFT + self.x.share(figure) * (END - LEFT)
    }

    pub(super) fn y_of(&self, figure: f64) -> f64 {
        BASE - self.y.share(figure) * (BASE - TOP)
    }

    pub(super) fn lines(&self) -> Vec<String> {
        let (x, y) = (|tick: &f64| self.x_of(*tick), |tick: &f64| self.y_of(*tick));
        let left = Words { kind: "tick", anchor: "end", turn: "" };
        let below = Words { kind: "tick", ..MIDDLE };
        let height = f64::midpoint(TOP, BASE);
        let turn = format!("rotate(-90 22 {})", rounded(height));
        let mut lines = Vec::new();
        lines.extend(self.y.ticks.iter().map(|tick| line((LEFT, y(tick)), (END, y(tick)), "grid")));
        let label = |tick: &f64| left.at(LEFT - 10.0, y(tick) + 4.0, &(self.y_label)(*tick));
        lines.extend(self.y.ticks.iter().map(label));
        lines.extend(self.x.ticks.iter().map(|tick| line((x(tick), BASE), (x(tick), BASE + 5.0), "axis")));
        let label = |tick: &f64| below.at(x(tick), BASE + self.drop + 20.0, &(self.x_label)(*tick));
        lines.extend(self.x.ticks.iter().map(label));
        lines.push(line((LEFT, BASE), (END, BASE), "axis"));
        let quiet = Words { kind: "quiet", ..MIDDLE };
        lines.push(quiet.at(f64::midpoint(LEFT, END), BASE + self.drop + 44.0, self.x_title));
        lines.push(Words { turn: &turn, ..quiet }.at(22.0, height, self.y_title));
        lines
    }
}
