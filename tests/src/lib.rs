//! Conformance of the engine: the answers of other systems' own code, real sessions, and the invariants.
//!
//! What is here reads a case's input, calls the public engine and compares. The vectors and sessions are not
//! part of the project; programs take their folder as an argument, tests look in `../shared` and say so when
//! it is absent.

pub mod conversation;
pub mod enlarged;
pub mod estimator;
pub mod fuzz;
pub mod golden;
pub mod oracle;
pub mod report;
pub mod rewritten;
pub mod sessions;

use std::path::{Path, PathBuf};

/// The folder `name` beside the project's, if it is there.
#[must_use]
pub fn shared(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(name);
    folder.is_dir().then_some(folder)
}
