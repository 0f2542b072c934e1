//! ebbline keeps an LLM agent's session inside its context window.
//!
//! An agent's context fills with tool output. The engine decides what to do about it in three independent steps:
//!
//! 1. **Read.** [`SessionText::read`] parses the text of a session file in any supported [`Format`] into a
//!    [`Transcript`]: messages, parts and their lengths, but no text.
//! 2. **Plan.** [`SessionText::plan`], or [`plan()`] for a transcript, is a pure function of a transcript and a
//!    [`Policy`]. The [`Plan`] gives every message and every part a [`Fate`] and a [`Reason`]. It also holds the
//!    totals before and after, and a [`Verdict`].
//! 3. **Apply.** [`SessionText::compact`] copies the text and replaces only the byte ranges that the plan changes.
//!    Every other byte stays the same.
//!
//! ```
//! use ebbline::{EditOptions, SessionText, Verdict};
//!
//! let text = r#"[{"role": "user", "content": "hello"}]"#;
//! let session = SessionText::read(text)?;
//! let plan = session.plan(&ebbline::profiles::get("opencode@2026-01")?);
//! assert_eq!(plan.decision.verdict, Verdict::Noop);
//! assert_eq!(session.compact(&plan, &EditOptions::new())?, text);
//! # Ok::<(), ebbline::Error>(())
//! ```
//!
//! A session that grows is decided on by a [`Session`], at a cost that depends only on what is new.
//!
//! What nearly every program needs is here at the root; the rest is in the module that it belongs to: the members of
//! a plan in [`mod@plan`], the knobs in [`policy`], messages and parts in [`transcript`].
//!
//! The engine is pure: it uses no clock, no files, no environment and no randomness. The same input gives the
//! same bytes on every platform, and no input makes it panic.

#[doc(hidden)]
pub mod binding;
mod blank;
pub mod controller;
mod decide;
pub mod economics;
pub mod edit;
pub mod effect;
mod estimate;
mod explain;
mod form;
pub mod format;
mod growth;
mod holdings;
mod identifiers;
mod identity;
mod injection;
pub mod loss;
mod marks;
mod nearest;
#[doc(hidden)]
pub mod numbers;
pub mod orders;
mod origin;
pub mod overflow;
mod packed;
mod pairs;
mod passes;
mod placeholder;
pub mod plan;
pub mod policy;
mod preview;
mod probe;
pub mod profiles;
pub mod repair;
pub mod replay;
pub mod report;
mod rules;
mod run;
mod search;
pub mod sentences;
pub mod session_text;
pub mod settings;
pub mod summary;
pub mod text;
pub mod transcript;
pub mod validate;

pub use decide::Session;
pub use ebbline_json::{error, json, length, notation};
use ebbline_json::{order, words};
pub use error::{Error, ErrorCode};
pub use explain::{decide, plan};
pub use format::Format;
pub use plan::{Fate, Plan, PlanOptions, Reason, Verdict};
pub use policy::Policy;
pub use session_text::{EditOptions, ReadOptions, SessionText};
pub use transcript::Transcript;
