//! What the playground computes and says, free of any browser: the page in `main.rs` only draws it.
//!
//! [`desk::Desk`] holds a session and answers for it. The sample's is in the page, and all that the first load brings
//! is there for it: planning, but no reader of files. Files are read, kept and written by the worker's program, which
//! is fetched when the first one is opened; [`wire`] carries its answers. Everything that is decided, the engine decides.

pub mod content;
pub mod desk;
pub mod error_text;
pub mod explain;
pub mod export;
pub mod file;
pub mod idle;
pub mod kept;
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
