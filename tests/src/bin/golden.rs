//! Checks every vector file in a folder with the engine and prints one line of JSON per file.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "printing is what the program is for")]

use std::path::Path;
use std::process::ExitCode;

use ebbline_tests::golden;

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: golden FOLDER");
        return ExitCode::from(2);
    };
    let files = match golden::files(Path::new(&folder)) {
        Ok(files) => files,
        Err(error) => {
            eprintln!("{folder}: {error}");
            return ExitCode::from(2);
        }
    };
    let mut failed = false;
    for file in files {
        match golden::run(&file) {
            Ok(report) => {
                failed |= !report.failures.is_empty();
                println!("{}", report.to_json());
            }
            Err(error) => {
                failed = true;
                eprintln!("{error}");
            }
        }
    }
    ExitCode::from(u8::from(failed))
}
