//! What in other systems differs in structure and not in a number, one module a system, so that the rest of
//! the engine carries nobody's quirks.
//!
//! Each module answers the questions that its system answers, over that system's own data and for each
//! version, with the same result: [`pi`], [`opencode`], [`opencode_v2`], [`tunacode`], [`brutus`]. [`ask`]
//! puts such a question in JSON; the npm package offers it as `compat`.

pub mod brutus;
pub mod javascript;
pub mod opencode;
pub mod opencode_v2;
pub mod pi;
pub(crate) mod python;
mod question;
pub mod tunacode;

pub use question::{Question, ask};
