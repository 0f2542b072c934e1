//! Python environments: one with the agents' own packages, whose loaders read compacted sessions, and one with what the
//! Python package needs.

use std::fs;
use std::path::PathBuf;

use crate::failure::{Context, Failure, Outcome};
use crate::fresh::fingerprint;
use crate::measure::short;
use crate::process::answer_of;
use crate::project::{Project, own_tools};
use crate::step::{self, Step};

/// An environment: the packages to install, each with one version, and what has to do without them.
struct Environment {
    requirements: &'static str,
    /// Its folder among this project's tools.
    folder: &'static str,
    /// The first minor version of Python 3 with which it works, and the first with which it does not.
    minors: std::ops::Range<u32>,
    size: &'static str,
    skipped: &'static str,
}

/// TunaCode 0.2 runs from Python 3.11 on.
const AGENTS: Environment = Environment {
    requirements: "tests/python/requirements.txt",
    folder: "python",
    minors: 11..14,
    size: "about 20 packages, 80 MB",
    skipped: "none; the tests that load sessions with Python agents are skipped",
};

/// What the Python package needs.
const COMPONENT: Environment = Environment {
    requirements: "tests/python/component-requirements.txt",
    folder: "python-component",
    minors: 10..15,
    size: "about 50 packages, 130 MB",
    skipped: "none; the tests of the component in Python are skipped",
};

/// Records in the environment what was installed.
const STAMP: &str = ".installed-from";

/// Finds or creates the environment of the agents and returns its interpreter. `None` is not a failure, even in CI: the
/// agents only come from a registry, and the tests that need them count as skipped.
pub(crate) fn ensure(project: &Project) -> Option<PathBuf> {
    environment(project, &AGENTS)
}

/// The same for the environment of the Python package.
pub(crate) fn for_component(project: &Project) -> Option<PathBuf> {
    environment(project, &COMPONENT)
}

fn environment(project: &Project, wanted: &Environment) -> Option<PathBuf> {
    let step = Step::begin("Python packages", format!("looking for what {} asks for", wanted.requirements));
    let folder = own_tools().join(wanted.folder);
    match installed(project, &step, &folder, wanted) {
        Ok(interpreter) => {
            step.done(short(&folder));
            Some(interpreter)
        }
        Err(failure) => {
            step::note(failure);
            step.done_badly(step::odd(wanted.skipped));
            None
        }
    }
}

fn installed(
    project: &Project,
    step: &Step,
    folder: &PathBuf,
    environment: &Environment,
) -> Outcome<PathBuf> {
    let Environment { requirements, minors, size, .. } = environment;
    let wanted = fingerprint(&project.at(requirements))?;
    let interpreter = folder.join("bin/python");
    let stamp = folder.join(STAMP);
    if interpreter.is_file() && fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) {
        return Ok(interpreter);
    }
    let version = answer_of(project.command("python3").arg("--version")).unwrap_or_default();
    if !minor(&version).is_some_and(|minor| minors.contains(&minor)) {
        let (first, last) = (minors.start, minors.end - 1);
        let found = if version.is_empty() { "none".to_owned() } else { version };
        return Err(Failure::new(format!("Python 3.{first} to 3.{last} is needed; found was {found}")));
    }
    step::note(format!("installing them ({size})"));
    step.run(project.command("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
    step.run(project.command(&interpreter).args(pip).args(["--requirement", requirements]))?;
    fs::write(&stamp, wanted).context(|| format!("cannot write {}", stamp.display()))?;
    Ok(interpreter)
}

/// The minor version in `Python 3.11.7`.
fn minor(version: &str) -> Option<u32> {
    version.trim().strip_prefix("Python 3.")?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minor_version_is_read() {
        assert_eq!(minor("Python 3.11.7\n"), Some(11));
        assert_eq!(minor("Python 3.9"), Some(9));
        assert_eq!(minor("Python 2.7.18"), None);
        assert_eq!(minor(""), None);
    }
}
