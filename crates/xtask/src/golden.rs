//! Golden vectors: inputs and the answers other systems' own code gave for them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::counts::Counts;
use crate::failure::{Context, Outcome};
use crate::measure::number;
use crate::npm::{self, Installed};
use crate::project::Project;
use crate::reports::{Engine, Table};
use crate::setup;
use crate::step::Step;

/// `cargo xtask golden DIR`: checks a folder of vectors with each engine.
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

/// Checks the vectors of `folder` with one engine.
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
    let files = vectors_in(folder)?;
    let step = Step::begin(format!("golden, {}", engine.name()), number(files.len(), "vector file"));
    let table = Table::collect(&step, &mut Table::program(project, "golden", folder, engine, npm), &files)?;
    let counts = table.counts();
    if counts.failed == 0 {
        step.done(counts)
    } else {
        step.done_badly(counts)
    };
    Ok(table)
}

/// Builds and installs the package if one of the engines needs it.
///
/// # Errors
///
/// When the set-up or the build fails.
pub(crate) fn installed_for(project: &Project, engines: &[Engine]) -> Outcome<Option<Installed>> {
    if !engines.contains(&Engine::Npm) {
        return Ok(None);
    }
    let toolchain = setup::for_package(project)?;
    npm::install(project, toolchain).map(Some)
}

/// Every `*.json` of the folder itself; folders in it hold other things.
fn vectors_in(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file() && path.extension().is_some_and(|ending| ending == "json"))
        .filter_map(|path| path.file_name().map(PathBuf::from))
        .collect();
    files.sort();
    Ok(files)
}
