//! Tells the tests which data exists beside the project: a test whose data is missing is ignored, so that it counts
//! as skipped and never as passed. And it finds the generators of formats by the names of their folders.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folders beside the project, and their names in the tests.
const FOLDERS: [(&str, &str); 3] = [
    ("golden", "has_golden_vectors"),
    ("golden/real", "has_known_answers"),
    ("sessions", "has_real_sessions"),
];

fn main() -> io::Result<()> {
    for (folder, name) in FOLDERS {
        let path = Path::new("../../shared").join(folder);
        println!("cargo::rustc-check-cfg=cfg({name})");
        // A missing path counts as changed, so this program then runs at every build, which costs nothing.
        println!("cargo::rerun-if-changed={}", path.display());
        if path.is_dir() {
            println!("cargo::rustc-cfg={name}");
        }
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("generators.rs"), generators(&fs::canonicalize("formats")?)?)
}

/// A module for each folder with a generator, and the list of what they can write.
fn generators(folder: &Path) -> io::Result<String> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.path().join("generator.rs").is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    let module = |name: &String| {
        let path = folder.join(name).join("generator.rs").display().to_string().replace('\\', "/");
        format!("#[path = \"{path}\"]\nmod {name};\n")
    };
    let row = |name: &String| format!("    ({name:?}, {name}::SPELLINGS),\n");
    Ok(format!(
        "{}const GENERATORS: &[(&str, &[Spelling])] = &[\n{}];\n",
        names.iter().map(module).collect::<String>(),
        names.iter().map(row).collect::<String>()
    ))
}
