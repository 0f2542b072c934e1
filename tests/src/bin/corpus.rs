//! Writes a corpus of made-up sessions: `corpus DIR [--bytes SIZE] [--seed N]`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "printing is what the program is for")]

use std::path::PathBuf;
use std::process::ExitCode;

use ebbline_tests::corpus;

/// Without another size.
const BYTES: u64 = 200_000_000;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((folder, bytes, seed)) = read(&words) else {
        eprintln!("usage: corpus DIR [--bytes SIZE] [--seed N], SIZE such as 200MB or 10GB");
        return ExitCode::from(2);
    };
    match corpus::write(&folder, bytes, seed) {
        Ok(written) => {
            let megabytes = written.bytes / 1_000_000;
            println!("{}: {} sessions, {megabytes} MB", folder.display(), written.files);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

fn read(words: &[String]) -> Option<(PathBuf, u64, u64)> {
    let (mut folder, mut bytes, mut seed) = (None, BYTES, 1);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--bytes" => bytes = size(words.next()?)?,
            "--seed" => seed = words.next()?.parse().ok()?,
            option if option.starts_with('-') => return None,
            _ => folder = Some(PathBuf::from(word)),
        }
    }
    Some((folder?, bytes, seed))
}

/// `200MB`, `10GB`, or a number of bytes.
fn size(word: &str) -> Option<u64> {
    let units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000), ("", 1)];
    let (number, unit) = units.into_iter().find_map(|(name, unit)| Some((word.strip_suffix(name)?, unit)))?;
    number.parse::<u64>().ok()?.checked_mul(unit)
}
