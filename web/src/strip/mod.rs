//! The strip's geometry: which pixels show what, and what a position on it means. The page paints it.

mod bands;
mod effect;
mod ruler;

pub use bands::{Band, bands};
pub use effect::effect;
pub use ruler::{Ruler, Weight};
