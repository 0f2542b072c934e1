//! Readers and writers of session files, replays and validation as JavaScript sees them: a module that is loaded with the
//! first text. Nothing is decided here: each export hands its arguments to one function of [`ebbline`] and its result back.
//!
//! It shares no memory with the engine for live messages: a policy crosses as JSON, texts as in `ebbline-wasm`. Small reports and
//! the assumptions of a replay cross as values (`js`); plans and what was read, which are large, as JSON.

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "JavaScript alone calls it: what crosses does so by value, each argument by itself, and nobody reads this as documentation"
)]

use wasm_bindgen::prelude::wasm_bindgen;

/// The types of what crosses as a value.
#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "import type { CarriedSummary } from './carry-over.js';
import type { Policy } from './generated/policy.js';
import type { CacheCheck, Loss, PolicyOutcome, ReplayReport } from './generated/reports.js';
import type { Repaired as RepairReport } from './repair.js';
import type { Assumptions } from './replay.js';
import type { Detection } from './session-report.js';
import type { Judgement } from './summary-request.js';
import type { WrittenSweep } from './sweep.js';
import type { NumberedValidation, Validation } from './validation.js';";

pub mod detect;
pub mod division;
mod js;
pub mod passes;
mod repair;
pub mod replay;
pub mod session;
pub mod settings;
pub mod summary;
pub mod sweep;
pub mod validate;
mod validation;
