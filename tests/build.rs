//! Tells the tests which data lies beside the project: a test that needs what is absent is marked as ignored, so that it
//! counts as skipped and never as passed.

use std::path::Path;

/// The folders beside the project, and the name under which tests ask for each.
const FOLDERS: [(&str, &str); 3] = [
    ("golden", "has_golden_vectors"),
    ("golden/real", "has_known_answers"),
    ("sessions", "has_real_sessions"),
];

fn main() {
    for (folder, name) in FOLDERS {
        let path = Path::new("../../shared").join(folder);
        println!("cargo::rustc-check-cfg=cfg({name})");
        // A path that is absent counts as changed: this program then runs at every build, which costs nothing.
        println!("cargo::rerun-if-changed={}", path.display());
        if path.is_dir() {
            println!("cargo::rustc-cfg={name}");
        }
    }
}
