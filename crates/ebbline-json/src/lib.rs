//! The code that takes most of the time of reading a session: a JSON parser that keeps byte spans, the lengths of
//! texts in every unit that a system counts in, and how JavaScript and Python write values. The error type is here
//! too, because all of them return it.
//!
//! It is a separate crate so that it is compiled for speed and the rest of the engine for size (`profile.wasm` of the
//! workspace). The engine re-exports everything: `ebbline::json`, `ebbline::length`, `ebbline::notation`,
//! `ebbline::Error`.

mod block;
pub mod error;
pub mod json;
pub mod length;
pub mod notation;
pub mod order;
mod walk;
pub mod words;
mod written;

pub use error::{Error, ErrorCode, Place};
pub use length::{Length, Unit};
