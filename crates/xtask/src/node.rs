//! Node and the npm packages for builds and tests.

use std::fs;
use std::sync::{Mutex, PoisonError};

use crate::failure::{Context, Failure, Outcome};
use crate::fingerprint;
use crate::measure::left_at;
use crate::process::answer_of;
use crate::project::Project;
use crate::step::{self, Step};

/// The oldest supported version of Node.
const OLDEST: (u32, u32) = (20, 11);
/// Records in `node_modules` what was installed.
const STAMP: &str = ".installed-from";

/// A folder with its own manifest and lock file.
struct Packages {
    title: &'static str,
    folder: &'static str,
    /// What to expect, for users who wait.
    size: &'static str,
}

/// Builds the package and the playground, and drives the tests.
const TOOLS: Packages =
    Packages { title: "npm packages", folder: "tests", size: "about 270 packages, 440 MB" };
/// Other runtimes and bundlers, which only one stage of the tests needs.
const RUNTIMES: Packages = Packages {
    title: "runtimes",
    folder: "tests/runtimes",
    size: "about 105 packages: 200 MB to fetch, 430 MB on the disk",
};

/// The agent libraries and clients that adapters are tested with.
const HOSTS: Packages =
    Packages { title: "npm packages, hosts", folder: "tests/hosts", size: "about 265 packages, 480 MB" };

/// The folder of what writes the reference of the npm package.
pub(crate) const SITE: &str = "tests/site";
/// What only the site needs.
const REFERENCE: Packages =
    Packages { title: "npm packages, site", folder: SITE, size: "about 22 packages, 46 MB" };

/// What makes a component of a module.
const COMPONENT: Packages = Packages {
    title: "npm packages, component",
    folder: "tests/component",
    size: "about 147 packages, 340 MB",
};

/// The packages that the npm package is compared with.
const BENCH: Packages =
    Packages { title: "npm packages, bench", folder: "tests/bench", size: "about 220 packages, 370 MB" };

/// Installs the npm packages of `tests/package-lock.json`, unless exactly these are installed.
pub(crate) fn packages(project: &Project) -> Outcome<()> {
    let step = Step::begin(TOOLS.title, "looking for what tests/package-lock.json asks for");
    let node = answer_of(project.command("node").arg("--version"));
    if node.as_deref().and_then(version).is_none_or(|found| found < OLDEST) || project.which("npm").is_none()
    {
        let found = node
            .map_or_else(|| "no node was found".to_owned(), |version| format!("node {version} was found"));
        return Err(Failure::new(format!("npm packages: Node {}.{} or newer with npm is needed; {found}", OLDEST.0, OLDEST.1))
            .advise("Install it from https://nodejs.org or with your system's packages (Debian: apt-get install nodejs npm),\nthen run the same command again."));
    }

    install(project, step, &TOOLS)
}

/// Installs the packages that the npm package is compared with, unless exactly these are installed. Only the
/// benchmark needs them.
pub(crate) fn bench_packages(project: &Project) -> Outcome<()> {
    let step = Step::begin(BENCH.title, "looking for what tests/bench/package-lock.json asks for");
    install(project, step, &BENCH)
}

/// Installs the agent libraries of `tests/hosts/package-lock.json`, unless exactly these are installed.
pub(crate) fn hosts(project: &Project) -> Outcome<()> {
    let step = Step::begin(HOSTS.title, "looking for what tests/hosts/package-lock.json asks for");
    install(project, step, &HOSTS)
}

/// Installs `jco` as `tests/component/package-lock.json` asks for it, unless exactly this is installed.
pub(crate) fn component(project: &Project) -> Outcome<()> {
    let step = Step::begin(COMPONENT.title, "looking for what tests/component/package-lock.json asks for");
    install(project, step, &COMPONENT)
}

/// Installs `TypeDoc` as `tests/site/package-lock.json` asks for it, unless exactly this is installed.
pub(crate) fn site(project: &Project) -> Outcome<()> {
    let step = Step::begin(REFERENCE.title, "looking for what tests/site/package-lock.json asks for");
    install(project, step, &REFERENCE)
}

/// Installs Deno, Bun, workerd and the bundlers of `tests/runtimes/package-lock.json`, unless exactly these are
/// installed.
pub(crate) fn runtimes(project: &Project) -> Outcome<()> {
    let step = Step::begin(RUNTIMES.title, "looking for what tests/runtimes/package-lock.json asks for");
    install(project, step, &RUNTIMES)
}

/// Held while packages are installed: the checks and the package, or a stage of the tests, may want the same ones.
static INSTALLING: Mutex<()> = Mutex::new(());

fn install(project: &Project, step: Step, packages: &Packages) -> Outcome<()> {
    let _alone = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    let place = project.at(packages.folder);
    let lock = place.join("package-lock.json");
    let folder = place.join("node_modules");
    let wanted = fingerprint::of(&lock)?;
    if fs::read_to_string(folder.join(STAMP)).is_ok_and(|there| there == wanted) {
        step.done(format!("already there, {}", left_at(&folder)));
        return Ok(());
    }
    step::note(format!("installing them ({})", packages.size));
    // No install scripts run, because no package needs one.
    let mut command = project.command("npm");
    command.current_dir(&place).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    step.run(&mut command).map_err(|failure| {
        let advice =
            if failure.mentions("can only install packages when your package.json and package-lock.json") {
                format!("Run `npm install` in {} and commit the package-lock.json.", packages.folder)
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
