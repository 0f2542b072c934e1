//! Tells the tests which data exists beside the project: a test whose data is missing is ignored, so that it counts
//! as skipped and never as passed.

use std::path::Path;

/// The folders beside the project, and their names in the tests.
const FOLDERS: [(&str, &str); 3] = [
    ("golden", "has_golden_vectors"),
    ("golden/real", "has_known_answers"),
    ("sessions", "has_real_sessions"),
];

fn main() {
    for (folder, name) in FOLDERS {
        let path = Path::new("../../shared").join(folder);
        println!("cargo::rustc-check-cfg=cfg({name})");
        // A missing path counts as changed, so this program then runs at every build, which costs nothing.
        println!("cargo::rerun-if-changed={}", path.display());
        if path.is_dir() {
            println!("cargo::rustc-cfg={name}");
        }
    }
}
