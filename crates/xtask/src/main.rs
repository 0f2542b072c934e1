//! The build program of ebbline: from an empty machine to a tested package.
//!
//! `cargo xtask` prints the commands. Each command is a list of steps. A step prints what it does, how long it took
//! and what it produced; a failed step ends with advice. A step whose result already exists does nothing, so every
//! command can be repeated at any time.
#![expect(clippy::print_stderr, reason = "a program for people at a terminal: printing is its interface")]

mod args;
mod bench;
mod browser;
mod budget;
mod check;
mod commands;
mod component;
mod copied;
mod counts;
mod declarations;
mod environment;
mod failure;
mod fingerprint;
mod generate;
mod golden;
mod hosts;
mod kept;
mod lanes;
mod layers;
mod linked;
mod matrix;
mod measure;
mod node;
mod notices;
mod npm;
mod package;
mod play;
mod port;
mod process;
mod project;
mod python;
mod release;
mod remap;
mod reports;
mod runtimes;
mod sbom;
mod serve;
mod sessions;
mod setup;
mod site;
mod size;
mod sources;
mod standard_library;
mod step;
mod suite;
mod test;
mod tighten;
mod toolchain;
mod tools;
mod wasm;

use std::process::ExitCode;

use args::Request;
use failure::Outcome;
use project::Project;
use step::say;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let request = match args::read(&words) {
        Ok(request) => request,
        Err(misuse) => {
            eprintln!("{misuse}\n\n{}", commands::overview());
            return ExitCode::from(2);
        }
    };
    match answer(request) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one command. The exit code is 0 for success, 1 if something failed, 2 if the request cannot be carried out as
/// given.
fn answer(request: Request) -> Outcome<ExitCode> {
    let project = Project::find();
    match request {
        Request::Overview => {
            say!("{}", commands::overview());
            Ok(ExitCode::SUCCESS)
        }
        Request::Help(command) => {
            say!("{}", command.help());
            Ok(ExitCode::SUCCESS)
        }
        Request::Setup => setup::command(&project),
        Request::Play { port, mode } => play::play(&project, port, mode),
        Request::Test { stages } => test::test(&project, &stages),
        Request::Golden { folder, engines } => golden::SUITE.command(&project, &folder, engines),
        Request::Sessions { folder, engines } => sessions::SUITE.command(&project, &folder, engines),
        Request::Npm => npm::command(&project),
        Request::Component { hosts } => component::command(&project, hosts),
        Request::Size { record } => size::command(&project, record),
        Request::Runtimes { words } => runtimes::command(&project, &words),
        Request::Site => site::command(&project),
        Request::Bench(extent) => bench::bench(&project, extent),
        Request::BenchCalls(extent) => bench::calls(&project, extent),
        Request::BenchCorpus { words, is_quick } => bench::over_corpus(&project, &words, is_quick),
        Request::Corpus(words) => bench::corpus(&project, &words),
        Request::Defaults(words) => bench::defaults(&project, &words),
        Request::Gen => generate::command(&project),
        Request::Check { record } => check::check(&project, record),
        Request::Release => release::rehearse(&project),
        Request::Ci => test::with_checks(&project),
    }
}
