//! Node and the npm packages that build and test with it.

use std::fs;

use crate::failure::{Context, Failure, Outcome};
use crate::fresh::fingerprint;
use crate::measure::left_at;
use crate::process::answer_of;
use crate::project::Project;
use crate::step::{self, Step};

/// The oldest Node the tests run in.
const OLDEST: (u32, u32) = (20, 11);
/// In `node_modules`: what was installed there.
const STAMP: &str = ".installed-from";

/// Installs the npm packages of `tests/package-lock.json`, unless exactly these are there.
///
/// # Errors
///
/// When Node is missing or too old, or npm fails.
pub(crate) fn packages(project: &Project) -> Outcome<()> {
    let step = Step::begin("npm packages", "looking for what tests/package-lock.json asks for");
    let node = answer_of(project.command("node").arg("--version"));
    if node.as_deref().and_then(version).is_none_or(|found| found < OLDEST) || project.which("npm").is_none()
    {
        let found = node
            .map_or_else(|| "no node was found".to_owned(), |version| format!("node {version} was found"));
        return Err(Failure::new(format!("npm packages: Node {}.{} or newer with npm is needed; {found}", OLDEST.0, OLDEST.1))
            .advise("Install it from https://nodejs.org or with your system's packages (Debian: apt-get install nodejs npm),\nthen run the same command again."));
    }

    install(project, step, "tests", "about 270 packages, 440 MB")
}

/// Installs the packages that the npm package is measured against, unless exactly these are there. Only the benchmark
/// needs them.
///
/// # Errors
///
/// When npm fails.
pub(crate) fn bench_packages(project: &Project) -> Outcome<()> {
    let step = Step::begin("npm packages, bench", "looking for what tests/bench/package-lock.json asks for");
    install(project, step, "tests/bench", "about 220 packages, 370 MB")
}

/// Installs what the lock file of `place` asks for into `place`.
fn install(project: &Project, step: Step, place: &str, how_much: &str) -> Outcome<()> {
    let folder = project.at(place).join("node_modules");
    let wanted = fingerprint(&project.at(place).join("package-lock.json"))?;
    if fs::read_to_string(folder.join(STAMP)).is_ok_and(|there| there == wanted) {
        step.done(format!("already there, {}", left_at(&folder)));
        return Ok(());
    }
    step::note(format!("installing them ({how_much})"));
    // No package's install script runs: none of them needs one.
    let mut command = project.command("npm");
    command.current_dir(project.at(place)).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    step.run(&mut command).map_err(|failure| {
        let advice =
            if failure.mentions("can only install packages when your package.json and package-lock.json") {
                format!("Run `npm install` in {place} and commit the package-lock.json.")
            } else {
                "Check that the npm registry can be reached (`npm ping`), then run the same command again."
                    .to_owned()
            };
        failure.advise(advice)
    })?;
    let stamp = folder.join(STAMP);
    fs::write(&stamp, wanted).context(|| format!("cannot write {}", stamp.display()))?;
    step.done(left_at(&folder));
    Ok(())
}

/// The two leading numbers of `v20.20.2`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim().strip_prefix('v')?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_versions_compare_as_numbers() {
        assert!(version("v9.11.2").unwrap() < OLDEST);
        assert!(version("v20.9.0").unwrap() < OLDEST);
        assert!(version("v20.20.2\n").unwrap() >= OLDEST);
        assert!(version("v100.0.0").unwrap() >= OLDEST);
        assert_eq!(version("not node"), None);
    }
}
