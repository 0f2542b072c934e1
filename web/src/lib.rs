//! What the playground computes and says, without a browser: the page in `main.rs` only draws it.
//!
//! [`open_session::OpenSession`] keeps a session and answers requests about it. The sample's lives in the page, whose
//! first download contains planning but no readers. The worker reads, keeps and writes files; it is fetched when the
//! user opens the first one, and [`wire`] encodes its messages. Only the engine makes decisions.

pub mod content;
pub mod error_text;
pub mod explain;
pub mod export;
pub mod file;
pub mod idle;
pub mod kind;
pub mod knob;
pub mod number;
pub mod open_session;
pub mod planned;
pub mod read_as;
pub mod readable;
pub mod sample;
pub mod saved;
pub mod slice;
pub mod strip;
pub mod verdict;
pub mod wire;
