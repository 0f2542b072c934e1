//! Pictures as SVG: the strip and the sawtooth as text, for the lesson's pages and for files.
//!
//! A picture has the geometry of [`crate::strip`] and the colors of the page. It is drawn for a width in CSS pixels, at
//! which its labels have the size of the text around them; a page that is read on a phone and on a desk holds two.
//! Color shows the kind, shape shows the fate, and a title and a description say what there is to see.

mod bars;
mod palette;
mod sawtooth;
pub mod scatter;
mod svg;

pub use bars::{Bars, Piece, Row, Span, after, before};
pub use palette::{COLORS, rules, variables};
pub use sawtooth::{Event, Life, Point, Sawtooth};
pub use svg::{Picture, escaped};
