//! Runs one command, on each of its files.

use std::ffi::OsString;

use crate::args::{Arguments, parse};
use crate::command;
use crate::exit::Exit;
use crate::failure::{Failure, fault};
use crate::files::Name;
use crate::help;
use crate::output::{Notes, Output};
use crate::printable::printable;
use crate::progress::long_file;
use crate::style::{Environment, Style, is_colored};

/// What a command is given beside the name of its file.
pub(crate) struct Run {
    /// The command line.
    pub(crate) given: Arguments,
    /// Where results go.
    pub(crate) out: Output,
    /// Where everything else goes.
    pub(crate) notes: Notes,
    /// What the environment says about both.
    pub(crate) environment: Environment,
}

impl Run {
    /// Whether programs read the results.
    pub(crate) fn is_json(&self) -> bool {
        self.given.values.has("json")
    }

    /// The style of results.
    pub(crate) fn style(&self) -> Style {
        Style::new(is_colored(self.given.values.text("color"), self.out.is_terminal, &self.environment))
    }

    /// The style of notes.
    pub(crate) fn style_of_notes(&self) -> Style {
        Style::new(is_colored(self.given.values.text("color"), self.notes.is_terminal, &self.environment))
    }

    /// The width of the terminal, or the one that `COLUMNS` names; `None` if neither is known.
    pub(crate) fn width(&self) -> Option<usize> {
        self.out.columns.or_else(|| self.environment.width())
    }

    /// Says in one line what is wrong, and returns the exit code.
    pub(crate) fn complain(&mut self, failure: &Failure, name: Option<&Name>) -> Exit {
        let place = name.filter(|_| !failure.is_complete()).map(|name| format!("{}: ", name.said()));
        let sentence = printable(&format!("{}{}", place.unwrap_or_default(), failure.message()));
        self.notes.write(&format!("ebbline: {sentence}\n"));
        if matches!(failure, Failure::Usage(_)) {
            self.notes.write("Try `ebbline --help`.\n");
        }
        failure.exit()
    }
}

/// A command for each file by itself.
type OfEach = fn(&Name, &mut Run) -> Result<Exit, Failure>;
/// A command for all files together, which takes folders.
type OfMany = fn(&mut Run) -> Result<Exit, Failure>;

/// How a command is run.
enum How {
    /// On each file.
    Each(OfEach),
    /// On a single file.
    One(OfEach),
    /// Once, on all files.
    Many(OfMany),
    /// Once, without files.
    Alone(OfMany),
    /// Once, with words that are no files, if any.
    Words(OfMany),
}

/// How a command is run; rows are of many files.
fn how(command: &str, has_rows: bool) -> Option<How> {
    Some(match command {
        "replay" if has_rows => How::Many(command::replay::run_many),
        "scan" => How::Words(command::scan::run),
        "detect" => How::Each(command::detect::run),
        "plan" => How::Each(command::plan::run),
        "inspect" => How::Each(command::inspect::run),
        "compact" => How::One(command::compact::run),
        "summarize" => How::One(command::summarize::run),
        "undo" => How::One(command::undo::run),
        "recall" => How::Many(command::recall::run),
        "repair" => How::One(command::repair::run),
        "validate" => How::Each(command::validate::run),
        "summary-request" => How::One(command::summary_request::run),
        "replay" => How::Each(command::replay::run),
        "compare" => How::Many(command::compare::run),
        "sweep" => How::Many(command::sweep::run),
        "audit" => How::Many(command::audit::run),
        "completions" => How::Words(command::completions::run),
        "man" => How::Words(command::man::run),
        "profiles" => How::Alone(command::profiles::run),
        _ => return None,
    })
}

/// Runs the command that the arguments behind the program's name ask for.
pub(crate) fn main(args: &[OsString]) -> Exit {
    let mut run = Run {
        given: Arguments::default(),
        out: Output::standard(),
        notes: Notes::standard(),
        environment: Environment::of_process(),
    };
    let parsed = parse(args).map(|given| run.given = given);
    let mut worst = Exit::Ok;
    match parsed.and_then(|()| on_all(&mut run, &mut worst)) {
        Ok(()) => worst,
        Err(failure) => worst.worse(run.complain(&failure, None)),
    }
}

fn on_all(run: &mut Run, worst: &mut Exit) -> Result<(), Failure> {
    let usage = |sentence: String| Err(Failure::Usage(sentence));
    if run.given.values.has("help") {
        return run.out.write(help::text());
    }
    if run.given.values.has("version") {
        return run.out.write(format!("{}\n", env!("CARGO_PKG_VERSION")));
    }
    let Some(name) = run.given.command else { return usage("there is no command".to_owned()) };
    let files = run.given.files.clone();
    let Some(how) = how(name, run.given.values.has("rows")) else {
        return usage(format!("there is no command {name}"));
    };
    if let How::Alone(command) = how {
        if !files.is_empty() {
            return usage(format!("{name} takes no file"));
        }
        *worst = command(run)?;
        return Ok(());
    }
    if let How::Words(command) = how {
        *worst = command(run)?;
        return Ok(());
    }
    if files.is_empty() {
        return usage(format!("{name} needs a FILE, or - for standard input"));
    }
    let command = match how {
        How::Many(command) => {
            *worst = command(run)?;
            return Ok(());
        }
        How::One(_) if files.len() > 1 => return usage(format!("{name} takes one FILE at a time")),
        How::Each(_) if files.len() > 1 && run.given.values.has("svg") => {
            return usage(format!("{name} --svg takes one FILE"));
        }
        How::One(command) | How::Each(command) => command,
        How::Alone(_) | How::Words(_) => return Ok(()),
    };
    for (at, file) in files.iter().enumerate() {
        long_file(&mut run.notes, &printable(&file.said()), file.size(), (at, files.len()));
        let end = command(file, run);
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

/// Reports a panic, which is a fault of ebbline.
pub(crate) fn complain_of_fault(what: &str) -> Exit {
    Notes::standard().write(&format!("ebbline: {}\n", printable(&fault(what))));
    Exit::Fault
}
