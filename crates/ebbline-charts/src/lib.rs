//! The charts of ebbline, drawn once for the command line, the page and the site.
//!
//! - [`Sawtooth`]: how large the context is at each request of a session's life.
//! - [`Frontier`]: what policies cost, and what they lose.
//!
//! Each becomes a [`Picture`], which is SVG, or [`cells`], which are the lines of a terminal. Color shows the kind and shape
//! shows the fate, and a title and a description say what there is to see.

pub mod cells;
mod frontier;
mod palette;
mod picture;
mod sawtooth;
mod scale;

pub use frontier::{Frontier, FrontierPoint, on_line};
pub use palette::{COLORS, rules, variables};
pub use picture::{Anchor, Drawing, Picture, escaped, pair, stacked, width_of};
pub use sawtooth::{Event, Life, Point, Sawtooth};
