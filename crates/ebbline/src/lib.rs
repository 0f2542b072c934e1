//! ebbline keeps an LLM agent's session inside its context window.
//!
//! An agent's context fills with tool output. The engine decides what to do about it in three independent steps:
//!
//! 1. **Read.** [`Session::read`] parses the text of a session file in any supported [`Format`] into a
//!    [`Transcript`]: messages, parts and their lengths, but no text.
//! 2. **Plan.** [`plan()`] is a pure function of a transcript and a [`Policy`]. The [`Plan`] gives every message
//!    and every part a [`Fate`] and a [`Reason`]. It also holds the totals before and after, and a [`Verdict`].
//! 3. **Apply.** [`Session::compact`] copies the text and replaces only the byte ranges that the plan changes.
//!    Every other byte stays the same.
//!
//! ```
//! use ebbline::{EditOptions, PlanOptions, ReadOptions, Session};
//!
//! let text = r#"[{"role": "user", "content": "hello"}]"#;
//! let session = Session::read(text)?;
//! let policy = ebbline::profiles::get("opencode@2026-01")?;
//! let plan = session.plan(&policy);
//! assert_eq!(plan.decision.verdict, ebbline::Verdict::Noop);
//! assert_eq!(session.compact(&plan, &EditOptions::default())?, text);
//! # Ok::<(), ebbline::Error>(())
//! ```
//!
//! The engine is pure: it uses no clock, no files, no environment and no randomness. The same input gives the
//! same bytes on every platform, and no input makes it panic.

mod blank;
mod decide;
pub mod edit;
mod effect;
mod estimate;
mod explain;
pub mod format;
mod marks;
mod nearest;
mod origin;
pub mod overflow;
mod pairs;
mod plan;
mod policy;
pub mod profiles;
pub mod records;
mod rules;
mod run;
mod search;
pub mod sentences;
mod session;
pub mod settings;
pub mod summary;
mod text;
mod tight;
mod transcript;
pub mod validate;

pub use decide::Ledger;
pub use ebbline_json::{Error, ErrorCode, Place, json, length, notation};
use ebbline_json::{error, order, words};
pub use effect::{Idle, Situation, idle};
pub use explain::plan;
pub use format::{Format, ReadOptions};
pub use length::{Length, Unit};
pub use nearest::nearest;
pub use pairs::partners;
#[doc(hidden)]
pub use plan::form;
pub use plan::{
    Decision, Fate, MessagePlan, PartPlan, Plan, PlanOptions, Position, PruneReport, Reason, RetainReport,
    SCHEMA, Source, TriggerReport, Verdict, VerdictReason,
};
pub use policy::knob as knobs;
pub use policy::{
    Comparison, CountCalls, Cut, Estimator, Fill, Limit, Measure, Model, Policy, PrunePolicy, RetainPolicy,
    Rounding, Scope, Share, Shares, Snap, TriggerPolicy,
};
pub use session::{Counts, EditOptions, Session};
pub use text::{Text, utf8};
pub use transcript::{Message, Output, Part, PartKind, Role, Transcript, Turn};
