//! Chromium, for the playground's tests.

use std::env;
use std::path::PathBuf;

use crate::measure::short;
use crate::project::Project;
use crate::setup::{can_install_packages, install_packages};
use crate::step::{self, Step, say};

/// Environment variables with the path of a browser.
const NAMED_BY: [&str; 2] = ["CHROMIUM_PATH", "CHROME"];
/// Chromium without windows. It opens a page in less than half of Chromium's processor time.
const SHELL: &str = "chromium-headless-shell";
/// Names of other programs, in the order of preference.
const PROGRAMS: [&str; 4] = ["chromium", "google-chrome", "google-chrome-stable", "chromium-browser"];
/// Its places on macOS.
const APPLICATIONS: [&str; 2] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/// Finds a browser, or installs one where that is allowed: in CI the shell, even beside a person's browser. `None` is not a
/// failure: the tests that need it count as not run.
pub(crate) fn ensure(project: &Project) -> Option<PathBuf> {
    let step = Step::begin("Chromium", "looking for it, for the playground's tests");
    let is_ci = env::var_os("CI").is_some_and(|value| !value.is_empty());
    let there = named().or_else(|| project.which(SHELL));
    if let Some(path) = there.or_else(|| other(project).filter(|_| !is_ci)) {
        step.done(format!("already there, {}", short(&path)));
        return Some(path);
    }
    for package in [SHELL, "chromium"] {
        if can_install_packages(project) {
            step::note(format!("installing the Debian package {package} (250 to 350 MB)"));
            if let Err(failure) = install_packages(project, &step, &[package]) {
                step::note(failure);
            }
        }
        if let Some(path) = project.which(SHELL).or_else(|| other(project)) {
            step.done(short(&path));
            return Some(path);
        }
    }
    step::note("what to do: install Chromium or Chrome, or name one in CHROMIUM_PATH");
    step.done_badly(step::odd("none; the tests in a browser cannot be run"));
    None
}

/// What a variable of the environment names.
fn named() -> Option<PathBuf> {
    for name in NAMED_BY {
        if let Some(path) = env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from) {
            if path.is_file() {
                return Some(path);
            }
            say!("  {name} names {}, which does not exist", path.display());
        }
    }
    None
}

/// The browser of a person.
fn other(project: &Project) -> Option<PathBuf> {
    PROGRAMS
        .iter()
        .find_map(|program| project.which(program))
        .or_else(|| APPLICATIONS.iter().map(PathBuf::from).find(|path| path.is_file()))
}
