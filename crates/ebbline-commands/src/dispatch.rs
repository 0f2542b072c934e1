//! Runs one command, on each of its files.

use crate::args::parse;
use crate::commands::{
    audit, compact, compare, completions, detect, inspect, man, plan, probe, profiles, recall, repair,
    replay, scan, summarize, summary_request, sweep, undo, validate,
};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::help;
use crate::io::Io;
use crate::name::Name;
use crate::printable::printable;
use crate::progress::long_file;
use crate::run::Run;
use crate::terminal::Terminal;

/// How a command is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// On each file.
    Each,
    /// On a single file.
    One,
    /// Once, on all files.
    Many,
    /// Once, without files.
    Alone,
    /// Once, with words that are no files, if any.
    Words,
}

/// How a command is run; rows are of many files.
fn how(command: &str, has_rows: bool) -> Option<How> {
    Some(match command {
        "replay" if has_rows => How::Many,
        "detect" | "plan" | "inspect" | "validate" | "replay" => How::Each,
        "compact" | "summarize" | "undo" | "repair" | "summary-request" | "probe" => How::One,
        "recall" | "compare" | "sweep" | "audit" => How::Many,
        "scan" | "completions" | "man" => How::Words,
        "profiles" => How::Alone,
        _ => return None,
    })
}

/// Runs a command that is run once.
async fn once(command: &str, run: &mut Run) -> Result<Exit, Failure> {
    match command {
        "scan" => scan::run(run).await,
        "recall" => recall::run(run).await,
        "replay" => replay::run_many(run).await,
        "compare" => compare::run(run).await,
        "sweep" => sweep::run(run).await,
        "audit" => audit::run(run).await,
        "completions" => completions::run(run).await,
        "man" => man::run(run).await,
        "profiles" => profiles::run(run).await,
        _ => Err(no_command(command)),
    }
}

/// Runs a command on a file.
async fn on_file(command: &str, name: &Name, run: &mut Run) -> Result<Exit, Failure> {
    match command {
        "detect" => detect::run(name, run).await,
        "plan" => plan::run(name, run).await,
        "inspect" => inspect::run(name, run).await,
        "compact" => compact::run(name, run).await,
        "summarize" => summarize::run(name, run).await,
        "undo" => undo::run(name, run).await,
        "repair" => repair::run(name, run).await,
        "validate" => validate::run(name, run).await,
        "summary-request" => summary_request::run(name, run).await,
        "replay" => replay::run(name, run).await,
        "probe" => probe::run(name, run).await,
        _ => Err(no_command(command)),
    }
}

fn no_command(name: &str) -> Failure {
    Failure::Usage(format!("there is no command {name}"))
}

/// Runs the command that the arguments behind the program's name ask for.
pub(crate) async fn main(args: Vec<Name>, terminal: Terminal, io: Io) -> Exit {
    let mut run = Run::new(io, terminal);
    let mut worst = Exit::Ok;
    let ended = match parse(&args, run.is_native) {
        Ok(given) => {
            run.given = given;
            on_all(&mut run, &mut worst).await
        }
        Err(failure) => Err(failure),
    };
    match ended {
        Ok(()) => worst,
        Err(failure) => worst.worse(run.complain(&failure, None)),
    }
}

async fn on_all(run: &mut Run, worst: &mut Exit) -> Result<(), Failure> {
    let usage = |sentence: String| Err(Failure::Usage(sentence));
    if run.given.values.has("help") {
        return run.out.write(help::text(run.is_native)).await;
    }
    if run.given.values.has("version") {
        return run.out.write(format!("{}\n", env!("CARGO_PKG_VERSION"))).await;
    }
    let Some(name) = run.given.command else { return usage("there is no command".to_owned()) };
    let files = run.given.files.clone();
    let how = how(name, run.given.values.has("rows")).ok_or_else(|| no_command(name))?;
    if how == How::Alone && !files.is_empty() {
        return usage(format!("{name} takes no file"));
    }
    if !matches!(how, How::Alone | How::Words) && files.is_empty() {
        return usage(format!("{name} needs a FILE, or - for standard input"));
    }
    match how {
        How::One if files.len() > 1 => usage(format!("{name} takes one FILE at a time")),
        How::Each if files.len() > 1 && run.given.values.has("svg") => {
            usage(format!("{name} --svg takes one FILE"))
        }
        How::One | How::Each => on_each(name, &files, run, worst).await,
        How::Alone | How::Words | How::Many => {
            *worst = once(name, run).await?;
            Ok(())
        }
    }
}

async fn on_each(command: &str, files: &[Name], run: &mut Run, worst: &mut Exit) -> Result<(), Failure> {
    for (at, file) in files.iter().enumerate() {
        if run.notes.is_terminal {
            let size = run.io.size(file).await;
            long_file(&mut run.notes, &printable(&file.said()), size, (at, files.len()));
        }
        let end = on_file(command, file, run).await;
        run.notes.clear();
        match end {
            Ok(exit) => *worst = worst.worse(exit),
            Err(failure @ Failure::Output(_)) => return Err(failure),
            Err(failure) => *worst = worst.worse(run.complain(&failure, Some(file))),
        }
        if run.out.is_closed {
            break;
        }
    }
    Ok(())
}
