//! Conformance of the engine: answers of other systems' own code, real sessions, and invariants.
//!
//! Each adapter reads a case's input, calls the public engine and compares. The vectors and sessions are not part of
//! the project: programs take their folder as an argument, tests look in `../shared`. If that folder is missing, the
//! tests that need it are ignored (`build.rs`), so that they count as skipped.

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "only tests call it"
)]

pub mod conversation;
pub mod corpus;
pub mod enlarged;
pub mod estimator;
pub mod fuzz;
pub mod golden;
pub mod oracle;
pub mod peers;
pub mod report;
pub mod rewritten;
pub mod sessions;

use std::path::{Path, PathBuf};

/// The value after a change: structs that may grow are not written as literals outside their crate.
pub fn with<T>(mut value: T, change: impl FnOnce(&mut T)) -> T {
    change(&mut value);
    value
}

/// How many cases a property test tries: `PROPTEST_CASES`, or `usual`, which is what a test run has time for.
pub fn cases(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}

/// The folder `name` beside the project's, if it exists.
pub fn beside(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(name);
    folder.is_dir().then_some(folder)
}

/// The folder `name` beside the project's, for a test that needs it.
///
/// # Panics
///
/// If it does not exist. A test that calls this is ignored if the folder is missing at build time:
/// `#[cfg_attr(not(has_real_sessions), ignore = "there is no ../shared/sessions")]`.
pub fn shared(name: &str) -> PathBuf {
    beside(name).unwrap_or_else(|| panic!("there is no ../shared/{name}"))
}
