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
pub(crate) struct Packages {
    title: &'static str,
    folder: &'static str,
    /// What to expect, for users who wait.
    size: &'static str,
}

/// Builds the package and the playground, and drives the tests.
pub(crate) const TOOLS: Packages =
    Packages { title: "npm packages", folder: "tests", size: "about 270 packages, 440 MB" };
/// Deno, Bun, workerd and the bundlers, which only one stage of the tests needs.
pub(crate) const RUNTIMES: Packages = Packages {
    title: "runtimes",
    folder: "tests/runtimes",
    size: "about 105 packages: 200 MB to fetch, 430 MB on the disk",
};
/// The agent libraries and clients that adapters are tested with.
pub(crate) const HOSTS: Packages =
    Packages { title: "npm packages, hosts", folder: "tests/hosts", size: "about 265 packages, 480 MB" };
/// The folder of what writes the reference of the npm package.
pub(crate) const SITE: &str = "tests/site";
/// What only the site needs: `TypeDoc`.
pub(crate) const REFERENCE: Packages =
    Packages { title: "npm packages, site", folder: SITE, size: "about 22 packages, 46 MB" };
/// What makes a component of a module: jco.
pub(crate) const COMPONENT: Packages = Packages {
    title: "npm packages, component",
    folder: "tests/component",
    size: "about 147 packages, 340 MB",
};
/// The packages that the npm package is compared with. Only the benchmark needs them.
pub(crate) const BENCH: Packages =
    Packages { title: "npm packages, bench", folder: "tests/bench", size: "about 220 packages, 370 MB" };

/// Held while packages are installed: the checks and the package, or a stage of the tests, may want the same ones.
static INSTALLING: Mutex<()> = Mutex::new(());

/// Installs what a folder's lock file asks for, unless exactly this is installed.
pub(crate) fn install(project: &Project, packages: &Packages) -> Outcome<()> {
    let step = Step::begin(
        packages.title,
        format!("looking for what {}/package-lock.json asks for", packages.folder),
    );
    check_version(project)?;
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

fn check_version(project: &Project) -> Outcome<()> {
    let node = answer_of(project.command("node").arg("--version"));
    if node.as_deref().and_then(version).is_some_and(|found| found >= OLDEST)
        && project.which("npm").is_some()
    {
        return Ok(());
    }
    let found =
        node.map_or_else(|| "no node was found".to_owned(), |version| format!("node {version} was found"));
    Err(Failure::new(format!("npm packages: Node {}.{} or newer with npm is needed; {found}", OLDEST.0, OLDEST.1))
        .advise("Install it from https://nodejs.org or with your system's packages (Debian: apt-get install nodejs npm),\nthen run the same command again."))
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
