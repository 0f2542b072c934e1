//! Checks every session file below a folder and prints one line of JSON per file.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "printing is what the program is for")]

use std::path::Path;
use std::process::ExitCode;

use ebbline_tests::sessions;

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: sessions FOLDER");
        return ExitCode::from(2);
    };
    let folder = Path::new(&folder);
    if !folder.is_dir() {
        eprintln!("{}: no such folder", folder.display());
        return ExitCode::from(2);
    }
    let manifest = match sessions::manifest(folder) {
        Ok(manifest) => manifest,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    let mut failed = false;
    for path in sessions::files(folder) {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        let report = sessions::check(folder, &path, manifest.get(&name));
        failed |= !report.failures.is_empty();
        println!("{}", report.to_json());
    }
    ExitCode::from(u8::from(failed))
}
