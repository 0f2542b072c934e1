//! The strip's geometry: which pixels show what, and what a position on it means. The page paints it.

mod bands;
mod ruler;

pub use bands::{Band, bands};
pub use ruler::{Ruler, Weight};
