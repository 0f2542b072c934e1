//! Readers and writers of session files, replays and validation as JavaScript sees them: a module that is loaded with the
//! first text. Nothing is decided here: each export hands its arguments to one function of [`ebbline`] and its result back.
//!
//! It shares no memory with the engine for live messages: a policy crosses as JSON, texts as in `ebbline-wasm`.

pub mod detect;
pub mod passes;
mod repair;
pub mod replay;
pub mod session;
pub mod settings;
pub mod summary;
pub mod sweep;
pub mod validate;
