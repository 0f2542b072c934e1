//! The engine for live messages as JavaScript sees it; texts are read by `ebbline-files-wasm`. Nothing is decided here: each export hands its arguments to one function of
//! [`ebbline`] and its result back.
//!
//! What crosses, and how:
//!
//! - **Text** lies in a [`TextBuffer`](ebbline_wasm_shared::TextBuffer). JavaScript encodes into it with `TextEncoder.encodeInto`, because
//!   passing a string as `&str` is thirty times slower.
//! - **Live messages** never cross. A format in `js/src/formats` packs what the engine needs to know of them into
//!   32-bit words, which [`records`] takes over in one copy.
//! - **Results** that are read whole (plans, reports) leave as one JSON string.
//! - **Errors** leave as `EbblineError`, a class of the npm package, see
//!   [`EbblineError`](ebbline_wasm_shared::EbblineError).

pub mod catalogue;
pub mod classes;
pub mod ledger;
pub mod overflow;
pub mod policy;
pub mod records;
pub mod summary;
pub mod validate;
