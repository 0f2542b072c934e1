//! Python environments for tests: two with packages of agents and frameworks, whose loaders read compacted sessions, one with
//! a database that queries rows, and one with what the Python package needs.

use std::fs;
use std::path::PathBuf;

use crate::failure::{Context, Failure, Outcome};
use crate::fingerprint;
use crate::measure::short;
use crate::process::answer_of;
use crate::project::{Project, own_tools};
use crate::step::{self, Step};

/// An environment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Environment {
    /// The packages to install, each with one version.
    requirements: &'static str,
    /// Its folder among the tools.
    folder: &'static str,
    /// It runs from the first of these minor versions of Python to before the second.
    minors: (u32, u32),
    /// What is installed, for a person who waits.
    size: &'static str,
    /// Which tests need it.
    tests: &'static str,
}

/// The agents' own packages; TunaCode 0.2 says which Python.
pub(crate) const AGENTS: Environment = Environment {
    requirements: "tests/python/requirements.txt",
    folder: "python",
    minors: (11, 14),
    size: "about 20 packages, 80 MB",
    tests: "the tests that load sessions with Python agents",
};

/// Frameworks, and Kimi CLI where Python is 3.12 or newer.
pub(crate) const FRAMEWORKS: Environment = Environment {
    requirements: "tests/python/frameworks.txt",
    folder: "python-frameworks",
    minors: (11, 14),
    size: "about 50 packages, 240 MB",
    tests: "the tests that load sessions with Python frameworks",
};

/// A database.
pub(crate) const DATABASE: Environment = Environment {
    requirements: "tests/python/duckdb.txt",
    folder: "python-duckdb",
    minors: (10, 15),
    size: "1 package, 60 MB",
    tests: "the tests that query rows",
};

/// What the Python package needs, and the libraries of its adapters, which ask for 3.11.
pub(crate) const COMPONENT: Environment = Environment {
    requirements: "tests/python/component-requirements.txt",
    folder: "python-component",
    minors: (11, 15),
    size: "about 75 packages, 260 MB",
    tests: "the tests of the component in Python",
};

/// What builds and checks the archives for `PyPI`.
pub(crate) const RELEASE: Environment = Environment {
    requirements: "tests/python/release-requirements.txt",
    folder: "python-release",
    minors: (10, 15),
    size: "about 35 packages, 50 MB",
    tests: "the archives for PyPI",
};

/// Records in the environment what was installed.
const STAMP: &str = ".installed-from";

/// Finds or creates the environment and returns its interpreter. `None` is not a failure, even in CI: the packages only
/// come from a registry, and the tests that need them count as skipped.
pub(crate) fn ensure(project: &Project, environment: Environment) -> Option<PathBuf> {
    let Environment { requirements, tests, .. } = environment;
    let step = Step::begin("Python packages", format!("looking for what {requirements} asks for"));
    let folder = own_tools().join(environment.folder);
    match installed(project, &step, environment, &folder) {
        Ok(interpreter) => {
            step.done(short(&folder));
            Some(interpreter)
        }
        Err(failure) => {
            step::note(failure);
            step.done_badly(step::odd(format!("none; {tests} are skipped")));
            None
        }
    }
}

fn installed(
    project: &Project,
    step: &Step,
    Environment { requirements, minors: (first, end), size, .. }: Environment,
    folder: &PathBuf,
) -> Outcome<PathBuf> {
    let wanted = fingerprint::of(&project.at(requirements))?;
    let interpreter = folder.join("bin/python");
    let stamp = folder.join(STAMP);
    if interpreter.is_file() && fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) {
        return Ok(interpreter);
    }
    let version = answer_of(project.command("python3").arg("--version")).unwrap_or_default();
    if !minor(&version).is_some_and(|minor| (first..end).contains(&minor)) {
        let last = end - 1;
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
