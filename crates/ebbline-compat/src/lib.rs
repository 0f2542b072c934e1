//! How other systems decide about an agent's context, version by version.
//!
//! The engine [`ebbline`] reproduces other systems as [profiles](ebbline::profiles): policies made of numbers. Some
//! of their behavior is structural: pi stores a session as a tree, OpenCode writes a marker into it, TunaCode stores
//! a record beside it. Each module computes what one system would compute from its own data, including its mistakes:
//! [`pi`], [`opencode`], [`opencode_v2`] (OpenCode's event-based core), [`tunacode`] and [`brutus`].
//!
//! Every module has typed functions. [`ask`] offers the same as JSON questions; in the npm package it is `compat`.
//!
//! ```
//! use ebbline::json::Document;
//! use ebbline_compat::opencode::{StoredMessage, Version, filter_compacted};
//!
//! let json = r#"[{"info": {"id": "m1", "role": "user"}, "parts": []},
//!   {"info": {"id": "m2", "role": "user"}, "parts": [{"type": "compaction"}]},
//!   {"info": {"id": "m3", "role": "assistant", "summary": true, "finish": "stop", "parentID": "m2"}, "parts": []}]"#;
//! let document = Document::parse(json)?;
//! let messages = StoredMessage::list(document.root())?;
//! // What OpenCode sends begins at the marker of the latest compaction.
//! assert_eq!(filter_compacted(&messages, Version::V2026_06), [1, 2]);
//! # Ok::<(), ebbline::Error>(())
//! ```
//!
//! Like the engine, this crate does no I/O and calls no model: a function that needs a model returns the request and
//! takes the model's reply as an argument.

mod ask;
pub mod brutus;
pub mod opencode;
pub mod opencode_v2;
pub mod pi;
mod question;
pub mod tunacode;

pub use ask::ask;
pub use question::Question;
