//! What in other systems differs in structure and not in a number, one module a system, so that the rest of
//! the engine carries nobody's quirks.

pub(crate) mod python;
pub mod tunacode;
mod unprintable;
