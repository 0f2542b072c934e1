//! Prints the errors of `ebbline@1` and of other estimates, or writes them into the document.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "printing is what the program is for")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ebbline_tests::beside;
use ebbline_tests::estimator::{document, texts};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}\nusage: estimator [--write] [FOLDER OF SESSIONS]");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let (mut is_written, mut folder) = (false, beside("sessions"));
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--write" => is_written = true,
            other if Path::new(other).is_dir() => folder = Some(PathBuf::from(other)),
            other => return Err(format!("{other}: no such folder")),
        }
    }
    let tokenizer = texts::tokenizer().ok_or("the ranks of o200k_base cannot be read")?;
    let tables = document::tables(folder.as_deref(), &tokenizer);
    if !is_written {
        for (name, table) in &tables {
            println!("{name}\n\n{table}");
        }
        return Ok(());
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/estimator.md");
    let old = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    std::fs::write(&path, document::insert(&old, &tables)).map_err(|error| error.to_string())
}
