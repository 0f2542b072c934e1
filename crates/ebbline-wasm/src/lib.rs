//! The engine for live messages as JavaScript sees it; texts are read by `ebbline-files-wasm`. Nothing is decided here:
//! each export hands its arguments to one function of [`ebbline`] and its result back.
//!
//! What crosses, and how:
//!
//! - **Text** lies in a [`TextBuffer`](ebbline_wasm_shared::TextBuffer). JavaScript encodes into it with
//!   `TextEncoder.encodeInto`, because passing a string as `&str` is thirty times slower.
//! - **Live messages** never cross. A format in `npm/src/formats` packs what the engine needs to know of them into
//!   32-bit words, which [`records`] takes over in one copy.
//! - **Decisions** stay in the module's memory, where JavaScript reads them as numbers ([`ledger`]).
//! - **Results** that are read whole (plans, reports) leave as one JSON string, small ones too. `serde-wasm-bindgen` was
//!   measured for the three small reports, the classification of an error, a validation and a review: a call takes 0.3
//!   to 0.9 of 10 microseconds less, the module becomes 0.8 kB larger (brotli), and a flattened struct becomes a `Map`.
//!   These calls are rare and the module is loaded before the first plan, so it does without.
//! - **Errors** leave as `EbblineError`, a class of the npm package, see
//!   [`EbblineError`](ebbline_wasm_shared::EbblineError).

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "JavaScript alone calls it: what crosses does so by value, each argument by itself, and nobody reads this as documentation"
)]

pub mod catalog;
pub mod classes;
pub mod course;
pub mod ledger;
pub mod overflow;
pub mod policy;
pub mod records;
pub mod summary;
