//! A Python environment with the agents' own packages, whose loaders read compacted sessions.

use std::fs;
use std::path::PathBuf;

use crate::failure::{Context, Failure, Outcome};
use crate::fresh::fingerprint;
use crate::measure::short;
use crate::process::answer_of;
use crate::project::{Project, own_tools};
use crate::step::{self, Step};

/// The packages to install, each with one version.
const REQUIREMENTS: &str = "tests/python/requirements.txt";
/// Records in the environment what was installed.
const STAMP: &str = ".installed-from";
/// TunaCode 0.2 runs from the first of these minor versions to before the second.
const MINORS: std::ops::Range<u32> = 11..14;

/// Finds or creates the environment and returns its interpreter. `None` is not a failure, even in CI: the agents only
/// come from a registry, and the tests that need them count as skipped.
pub(crate) fn ensure(project: &Project) -> Option<PathBuf> {
    let step = Step::begin("Python packages", format!("looking for what {REQUIREMENTS} asks for"));
    let folder = own_tools().join("python");
    match installed(project, &step, &folder) {
        Ok(interpreter) => {
            step.done(short(&folder));
            Some(interpreter)
        }
        Err(failure) => {
            step::note(failure);
            step.done_badly(step::odd("none; the tests that load sessions with Python agents are skipped"));
            None
        }
    }
}

fn installed(project: &Project, step: &Step, folder: &PathBuf) -> Outcome<PathBuf> {
    let wanted = fingerprint(&project.at(REQUIREMENTS))?;
    let interpreter = folder.join("bin/python");
    let stamp = folder.join(STAMP);
    if interpreter.is_file() && fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) {
        return Ok(interpreter);
    }
    let version = answer_of(project.command("python3").arg("--version")).unwrap_or_default();
    if !minor(&version).is_some_and(|minor| MINORS.contains(&minor)) {
        let (first, last) = (MINORS.start, MINORS.end - 1);
        let found = if version.is_empty() { "none".to_owned() } else { version };
        return Err(Failure::new(format!("Python 3.{first} to 3.{last} is needed; found was {found}")));
    }
    step::note("installing them (about 20 packages, 80 MB)");
    step.run(project.command("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
    step.run(project.command(&interpreter).args(pip).args(["--requirement", REQUIREMENTS]))?;
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
