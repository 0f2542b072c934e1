//! What the playground computes and says, without a browser: the page in `main.rs` only draws it.
//!
//! [`open_session::OpenSession`] keeps a session and answers requests about it. It lives in a worker, so the page's own
//! program contains neither readers nor planning; [`wire`] encodes what the two tell each other. Until the worker's
//! program has been fetched, the page shows the first picture of the sample ([`sample::first`]). Only the engine makes
//! decisions.

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "only the page and its worker call it"
)]

pub mod agents;
mod answer;
pub mod bars;
pub mod content;
mod credentials;
pub mod drawn_plan;
pub mod edge;
pub mod error_text;
pub mod explain;
pub mod export;
pub mod figures;
pub mod file;
pub mod fills;
pub mod hand_over;
pub mod idle;
pub mod inspect;
pub mod inspected;
pub mod kind;
pub mod knob;
pub mod lesson;
pub mod lever;
pub mod life;
pub mod life_words;
pub mod link;
pub mod open_session;
pub mod opening;
pub mod overview;

pub mod question;
pub mod read_as;
pub mod readable;
pub mod sample;
pub mod saved;
pub mod sawtooth;
pub mod sessions;
pub mod shape;
pub mod sheet;
pub mod slice;
pub mod strip;
pub mod verdict;
pub mod view;
pub mod wire;
