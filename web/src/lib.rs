//! What the playground computes and says, free of any browser: the page in `main.rs` only draws it.
//!
//! [`desk::Desk`] holds a session and answers for it; [`wire`] carries its answers to the page, from the same
//! thread or from a worker. Everything that is decided, the engine decides.

pub mod desk;
pub mod error_text;
pub mod explain;
pub mod export;
pub mod kind;
pub mod knob;
pub mod number;
pub mod planned;
pub mod read_as;
pub mod readable;
pub mod sample;
pub mod slice;
pub mod strip;
pub mod verdict;
pub mod wire;
