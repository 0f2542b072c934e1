//! A folder of files that both engines check: the native one and the npm package.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::counts::Counts;
use crate::failure::Outcome;
use crate::measure::number;
use crate::npm::{self, Installed};
use crate::project::Project;
use crate::reports::{Engine, Table};
use crate::setup;
use crate::step::Step;

/// The program that checks the files of a folder, and which files it checks.
pub(crate) struct Suite {
    /// The name of the program, natively and in `tests/npm`.
    pub(crate) program: &'static str,
    /// The test in `tests/tests` that checks the same files with the native engine.
    pub(crate) test: &'static str,
    /// The noun for one file.
    pub(crate) noun: &'static str,
    /// The files of a folder, in order.
    pub(crate) files: fn(&Path) -> Outcome<Vec<PathBuf>>,
}

impl Suite {
    /// Checks `folder` with each engine and prints a table for each.
    pub(crate) fn command(&self, project: &Project, folder: &Path, engines: &[Engine]) -> Outcome<ExitCode> {
        let installed = installed_for(project, engines)?;
        let mut counts = Counts::default();
        for engine in engines {
            let table = self.check(project, folder, *engine, installed.as_ref())?;
            table.print(false);
            counts += table.counts();
        }
        Ok(counts.exit())
    }

    /// Checks `folder` with one engine.
    pub(crate) fn check(
        &self,
        project: &Project,
        folder: &Path,
        engine: Engine,
        npm: Option<&Installed>,
    ) -> Outcome<Table> {
        let files = (self.files)(folder)?;
        let what = format!("{}, {}", self.program, engine.name());
        let step = Step::begin(what, number(files.len(), self.noun));
        let mut program = Table::program(project, self.program, folder, engine, npm);
        let table = Table::collect(&step, &mut program, &files)?;
        let counts = table.counts();
        step.done_with(counts);
        Ok(table)
    }
}

/// Builds and installs the package if one of the engines needs it.
fn installed_for(project: &Project, engines: &[Engine]) -> Outcome<Option<Installed>> {
    if !engines.contains(&Engine::Npm) {
        return Ok(None);
    }
    let toolchain = setup::for_package(project)?;
    npm::install(project, toolchain).map(Some)
}
