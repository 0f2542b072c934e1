//! What reading a session costs time in: a JSON parse that keeps byte spans, and the lengths of texts in every unit that
//! some system counts in, and how JavaScript and Python write them. The one error type lies here, too, because both return it.
//!
//! It is a crate of its own so that it can be compiled for speed, where the rest of the engine is compiled for size
//! (`profile.wasm` of the workspace). Whoever uses the engine finds all of it there: `ebbline::json`, `ebbline::length`, `ebbline::notation`,
//! `ebbline::Error`.

pub mod error;
pub mod json;
pub mod length;
pub mod notation;
pub mod order;
pub mod words;

pub use error::{Error, ErrorCode, Place};
pub use length::{Length, Unit};
