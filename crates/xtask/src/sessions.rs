//! Sessions: real files of many agents, read, planned, edited and planned again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::counts::Counts;
use crate::failure::{Context, Outcome};
use crate::golden::installed_for;
use crate::measure::number;
use crate::npm::Installed;
use crate::project::Project;
use crate::reports::{Engine, Table};
use crate::step::Step;

/// `cargo xtask sessions DIR`: checks a folder of sessions, with or without a MANIFEST.tsv, with each engine.
///
/// # Errors
///
/// When the folder cannot be read, the package cannot be built, or a program breaks down.
pub(crate) fn command(project: &Project, folder: &Path, engines: &[Engine]) -> Outcome<ExitCode> {
    let installed = installed_for(project, engines)?;
    let mut counts = Counts::default();
    for engine in engines {
        let table = check(project, folder, *engine, installed.as_ref())?;
        table.print(false);
        counts += table.counts();
    }
    Ok(if counts.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Checks the sessions below `folder` with one engine.
///
/// # Errors
///
/// When the folder cannot be read or the program breaks down.
pub(crate) fn check(
    project: &Project,
    folder: &Path,
    engine: Engine,
    npm: Option<&Installed>,
) -> Outcome<Table> {
    let mut files = Vec::new();
    collect(folder, Path::new(""), &mut files)?;
    files.sort();
    let step = Step::begin(format!("sessions, {}", engine.name()), number(files.len(), "session file"));
    let table = Table::collect(&step, &mut Table::program(project, "sessions", folder, engine, npm), &files)?;
    let counts = table.counts();
    if counts.failed == 0 {
        step.done(counts)
    } else {
        step.done_badly(counts)
    };
    Ok(table)
}

/// Every file at or below the folder, except those that describe the others.
fn collect(folder: &Path, below: &Path, files: &mut Vec<PathBuf>) -> Outcome<()> {
    let entries = fs::read_dir(folder).context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries.flatten() {
        let (path, place) = (entry.path(), below.join(entry.file_name()));
        if path.is_dir() {
            collect(&path, &place, files)?;
        } else if !describes(&entry.file_name().to_string_lossy()) {
            files.push(place);
        }
    }
    Ok(())
}

fn describes(name: &str) -> bool {
    ["MANIFEST", "README", "LICENSE", "."].iter().any(|start| name.starts_with(start))
}
