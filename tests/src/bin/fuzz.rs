//! Reads damaged sessions and prints one line of JSON for each target: see [`ebbline_tests::fuzz`].
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "printing is what the program is for")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ebbline_tests::fuzz::oracle::Target;
use ebbline_tests::fuzz::{Run, silence_panics};
use ebbline_tests::report::SessionReport;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const USAGE: &str =
    "usage: fuzz [--cases N] [--seconds N] [--seed N] [--first N] [--target NAME]... [--out FOLDER] [FOLDER]";

/// The default if neither cases nor seconds are given.
const SECONDS: u64 = 60;

fn main() -> ExitCode {
    let run = match arguments() {
        Ok(run) => run,
        Err(why) => {
            eprintln!("{why}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    silence_panics();
    let mut failed = false;
    let mut started = Instant::now();
    run.run(|target, outcome| {
        failed |= !outcome.failures.is_empty();
        let seconds = started.elapsed().as_secs_f64();
        started = Instant::now();
        let note = format!(
            "{} cases in {seconds:.1} s from {} seeds, {} % sessions, memory up to {:.1} times the text, slowest {} ms",
            outcome.cases,
            outcome.seeds,
            100 * outcome.sessions / outcome.cases.max(1),
            outcome.memory,
            outcome.slowest,
        );
        let report = SessionReport {
            file: target.name().to_owned(),
            checks: outcome.failures.len().max(1),
            failures: outcome.failures,
            note,
            ..SessionReport::default()
        };
        println!("{}", report.to_json());
    });
    ExitCode::from(u8::from(failed))
}

fn arguments() -> Result<Run, String> {
    let mut run = Run {
        targets: Vec::new(),
        cases: None,
        time: None,
        seed: 1,
        first: 0,
        seeds: None,
        failures: PathBuf::from("target/fuzz"),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        let number = |text: String| text.parse::<u64>().map_err(|_| format!("{text} is no number"));
        match word.as_str() {
            "--cases" => run.cases = Some(number(value()?)?),
            "--seconds" => run.time = Some(Duration::from_secs(number(value()?)?)),
            "--seed" => run.seed = number(value()?)?,
            "--first" => run.first = number(value()?)?,
            "--out" => run.failures = PathBuf::from(value()?),
            "--target" => {
                let name = value()?;
                let known = Target::every();
                let wanted = known.iter().find(|target| target.name() == name);
                match wanted {
                    Some(target) => run.targets.push(*target),
                    None if name == "all" => run.targets = known,
                    None => {
                        let names: Vec<_> = known.iter().map(|target| target.name()).collect();
                        return Err(format!(
                            "there is no target {name}; there are all, {}",
                            names.join(", ")
                        ));
                    }
                }
            }
            word if word.starts_with('-') => return Err(format!("{word} is unknown")),
            folder => run.seeds = Some(PathBuf::from(folder)),
        }
    }
    if run.targets.is_empty() {
        run.targets = Target::every();
    }
    if run.cases.is_none() && run.time.is_none() {
        run.time = Some(Duration::from_secs(SECONDS));
    }
    Ok(run)
}
