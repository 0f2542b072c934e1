//! The frontier: what policies cost, and what they lose. No policy is best in both; those on the frontier are beaten by none.

mod cells;
mod points;
mod svg;

pub use points::{Frontier, FrontierPoint, on_line};

use crate::cells::Line;
use crate::picture::Picture;

impl Frontier {
    /// The picture with `size` in CSS pixels, and the place of each point in thousandths of its width and height.
    #[must_use]
    pub fn picture(&self, size: (u32, u32)) -> (Picture, Vec<(u64, u64)>) {
        svg::picture(self, size)
    }

    /// The lines of a terminal with so many columns.
    #[must_use]
    pub fn cells(&self, width: usize) -> Vec<Line> {
        cells::cells(self, width)
    }
}
