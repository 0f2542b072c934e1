//! The window strip's geometry: which pixels show what, and what a place on it means. Painting is the page's.

mod bands;
mod ruler;

pub use bands::{Band, bands};
pub use ruler::{Ruler, Weighs};
