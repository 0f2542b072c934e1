//! All tests of the project, in stages, with one table at the end. Independent stages run in parallel.
//!
//! The last line is exactly `N passed, N failed, N skipped`. What cannot run, for example without a browser, is named
//! and counted: as skipped on a developer's machine, as failed with `CI=true`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::args::Mode;
use crate::budget::{self, Budgets, Size};
use crate::counts::Counts;
use crate::environment::is_ci;
use crate::failure::{Failure, Outcome};
use crate::measure::{duration, number, short};
use crate::npm::{self, Installed};
use crate::process::{Finished, line_of};
use crate::project::Project;
use crate::reports::{Engine, Table};
use crate::serve::Site;
use crate::setup::{self, Ready};
use crate::step::{self, Step, say};
use crate::suite::Suite;
use crate::toolchain::TARGET;
use crate::{check, component, fuzz, golden, lanes, node, play, port, python, runtimes, sessions, site};

/// How many lines of a failing program's output are printed; the log contains all of it.
const EXCERPT: usize = 250;
/// After this many milliseconds a test file counts as hung.
const NODE_LIMIT: &str = "--test-timeout=600000";
/// For tests that run for a second: to compile them without optimisation takes a fourth of the time.
const SHORT: [&str; 2] = ["--profile", "dev"];
/// How many test files Node runs in parallel: many wait for a browser, or for a program that they have started.
const AT_ONCE: &str = "--test-concurrency=2";

/// Where the tests find the site on its server.
const PATH_OF_SITE: &str = "under/any/path";

/// A stage of the tests, which can be selected by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// `cargo xtask check`, beside the tests: only `cargo xtask ci` asks for it.
    Check,
    /// The engine's own tests and the examples in its documentation.
    Engine,
    /// This program's own tests.
    Xtask,
    /// The engine against fixtures, and its properties.
    Conformance,
    /// Damaged sessions at random.
    Fuzz,
    /// What the playground says and computes, and the pages beside it, without a browser.
    Web,
    /// The bindings, in Node.
    Wasm,
    /// The npm package: its behaviour as installed.
    Npm,
    /// The component in Node and Python, and the answers of npm.
    Component,
    /// The native command line, over the cases of the npm command line.
    CommandLine,
    /// The package inside real agent libraries and clients, and against a server as strict as the providers.
    Hosts,
    /// The packed package in every runtime and bundler; its shape and its types.
    Runtimes,
    /// Vectors of other systems' answers, where they lie beside the project.
    Golden,
    /// Real sessions, where they lie beside the project.
    Sessions,
    /// The playground in Chromium.
    Playground,
    /// How fast the playground follows its reader; other work beside it would be measured too.
    Speed,
}

impl Stage {
    /// All stages of tests, quick ones first.
    pub(crate) const ALL: [Self; 15] = [
        Self::Engine,
        Self::Xtask,
        Self::Conformance,
        Self::Fuzz,
        Self::Web,
        Self::Wasm,
        Self::Npm,
        Self::Component,
        Self::CommandLine,
        Self::Hosts,
        Self::Runtimes,
        Self::Golden,
        Self::Sessions,
        Self::Playground,
        Self::Speed,
    ];

    /// How many stages run beside each other: while one waits for a browser or for a linker, the other compiles.
    const LANES: usize = 2;

    /// The order in which stages begin if several run beside each other. Long ones come first, so that the lanes end at
    /// about the same time; `Speed` comes after all of them, alone. Two builds in one folder would wait for each other: while the checks or the conformance
    /// tests compile in that of this machine, the package or the playground compiles in one of its own.
    const ORDER: [Self; 15] = [
        Self::Npm,
        Self::Check,
        Self::Conformance,
        Self::Hosts,
        Self::Playground,
        Self::Runtimes,
        Self::CommandLine,
        Self::Component,
        Self::Engine,
        Self::Golden,
        Self::Fuzz,
        Self::Wasm,
        Self::Sessions,
        Self::Web,
        Self::Xtask,
    ];

    /// The checks and all stages of tests.
    fn everything() -> Vec<Self> {
        [vec![Self::Check], Self::ALL.to_vec()].concat()
    }

    /// The stage's name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Engine => "engine",
            Self::Xtask => "xtask",
            Self::Conformance => "conformance",
            Self::Fuzz => "fuzz",
            Self::Web => "web",
            Self::Wasm => "wasm",
            Self::Npm => "npm",
            Self::Component => "component",
            Self::CommandLine => "command-line",
            Self::Hosts => "hosts",
            Self::Runtimes => "runtimes",
            Self::Golden => "golden",
            Self::Sessions => "sessions",
            Self::Playground => "playground",
            Self::Speed => "speed",
        }
    }
}

/// The result of a stage.
#[derive(Debug, Default)]
struct Verdict {
    counts: Counts,
    /// What could not run, with the reason.
    not_run: Vec<String>,
}

impl Verdict {
    fn add(&mut self, counts: Counts) {
        self.counts += counts;
    }

    /// Records what cannot run on this machine. It counts as skipped, or in CI as failed.
    fn cannot_run(&mut self, tests: usize, what: impl Into<String>) {
        let tests = tests.max(1) as u64;
        if is_ci() {
            self.counts.failed += tests;
        } else {
            self.counts.skipped += tests;
        }
        self.not_run.push(what.into());
    }

    /// Records what is left out because its data is not part of the project.
    fn leave_out(&mut self, what: impl Into<String>) {
        self.counts.skipped += 1;
        self.not_run.push(what.into());
    }
}

/// `cargo xtask ci`: sets up, and runs the checks and all tests in the same lanes. Most checks use one processor.
///
/// # Errors
///
/// If the set-up fails.
pub(crate) fn with_checks(project: &Project) -> Outcome<ExitCode> {
    run(project, &Stage::everything())
}

/// Sets up and runs the given stages, or all of them.
///
/// # Errors
///
/// If the set-up fails. A failing stage is not an error: the others still run, and the exit code reports it.
pub(crate) fn test(project: &Project, stages: &[Stage]) -> Outcome<ExitCode> {
    run(project, if stages.is_empty() { &Stage::ALL } else { stages })
}

fn run(project: &Project, stages: &[Stage]) -> Outcome<ExitCode> {
    let ready = setup::everything(project)?;
    let (lanes, order) = lanes_of(stages, thread::available_parallelism().map_or(1, usize::from));
    let names: Vec<&'static str> = order.iter().map(|stage| stage.name()).collect();
    let run = Run { project, ready: &ready, stages, package: Mutex::new(Package::Unasked) };
    let job = |name: &'static str| {
        say!("\n{}", step::strong(format!("── {name} ──")));
        let started = Instant::now();
        let mut verdict = Verdict::default();
        let stage = stages.iter().copied().find(|stage| stage.name() == name);
        if let Some(Err(failure)) = stage.map(|stage| run.stage(stage, &mut verdict)) {
            say!("{failure}");
            verdict.counts.failed += 1;
        }
        (verdict, started.elapsed())
    };
    let mut rows = lanes::run(lanes, &names, job);
    if stages.contains(&Stage::Speed) {
        rows.push((Stage::Speed.name(), job(Stage::Speed.name())));
    }
    rows.sort_by_key(|(name, _)| stages.iter().position(|stage| stage.name() == *name));
    let rows: Vec<_> = rows.into_iter().map(|(name, (verdict, took))| (name, verdict, took)).collect();
    Ok(print_table(&rows))
}

/// The number of lanes and the order of the stages: in parallel if there are several and enough processors.
fn lanes_of(stages: &[Stage], processors: usize) -> (usize, Vec<Stage>) {
    if processors < 2 || stages.len() < 2 {
        return (1, stages.iter().copied().filter(|stage| *stage != Stage::Speed).collect());
    }
    (Stage::LANES, Stage::ORDER.into_iter().filter(|stage| stages.contains(stage)).collect())
}

fn print_table(rows: &[(&str, Verdict, Duration)]) -> ExitCode {
    say!("\n{}", step::strong("stage          passed   failed  skipped  time"));
    for (name, verdict, took) in rows {
        let Counts { passed, failed, skipped } = verdict.counts;
        let mark = if failed == 0 { step::good("✔") } else { step::bad("✘") };
        say!("{mark} {:<12} {passed:>6}  {failed:>7}  {skipped:>7}  {}", name, duration(*took));
    }
    let left_out: Vec<&String> = rows.iter().flat_map(|(_, verdict, _)| &verdict.not_run).collect();
    if !left_out.is_empty() {
        say!("\n{}", step::odd("Not run:"));
        for what in left_out {
            say!("  {what}");
        }
    }
    let sum: Counts = rows.iter().map(|(_, verdict, _)| verdict.counts).sum();
    say!("\n{sum}");
    if sum.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The data that the stages share.
struct Run<'a> {
    project: &'a Project,
    ready: &'a Ready,
    /// All stages of this run.
    stages: &'a [Stage],
    /// Locked while it is built, so that the other stages wait for it.
    package: Mutex<Package>,
}

/// The installed package, which the first stage that needs it builds.
#[derive(Clone)]
enum Package {
    Unasked,
    Installed(Installed),
    Failed,
}

impl Run<'_> {
    fn stage(&self, stage: Stage, verdict: &mut Verdict) -> Outcome<()> {
        match stage {
            Stage::Check => {
                verdict.add(Counts::one(check::check(self.project, false)? == ExitCode::SUCCESS));
                Ok(())
            }
            Stage::Engine => self.cargo_tests(
                stage,
                self.cargo(&["-p", "ebbline", "-p", "ebbline-compat", "-p", "ebbline-json"])
                    .args(["-p", "ebbline-tokenizer"])
                    .args(SHORT),
                verdict,
            ),
            Stage::Xtask => self.cargo_tests(stage, self.cargo(&["-p", "xtask"]).args(SHORT), verdict),
            Stage::Conformance => {
                let mut command = self.cargo(&["-p", "ebbline-tests"]);
                command.args(self.checked_elsewhere());
                self.cargo_tests(stage, &mut command, verdict)
            }
            Stage::Web => self.cargo_tests(
                stage,
                self.cargo(&["-p", "ebbline-web", "-p", "ebbline-site"]).args(SHORT),
                verdict,
            ),
            Stage::Fuzz => {
                Self::add_table(fuzz::for_test(self.project), verdict);
                Ok(())
            }
            Stage::Wasm => self.wasm(verdict),
            Stage::Npm => self.npm(verdict),
            Stage::Component => self.component(verdict),
            Stage::CommandLine => self.command_line(verdict),
            Stage::Hosts => self.hosts(verdict),
            Stage::Runtimes => self.runtimes(verdict),
            Stage::Golden => self.suite(&golden::SUITE, verdict),
            Stage::Sessions => self.suite(&sessions::SUITE, verdict),
            Stage::Playground => self.playground(verdict),
            Stage::Speed => self.speed(verdict),
        }
    }

    fn cargo(&self, which: &[&str]) -> Command {
        let mut command = self.project.cargo();
        command.args(["test", "--no-fail-fast"]).args(which);
        command
    }

    fn cargo_tests(&self, stage: Stage, command: &mut Command, verdict: &mut Verdict) -> Outcome<()> {
        let step = Step::begin(
            stage.name(),
            line_of(command).replace(&*command.get_program().to_string_lossy(), "cargo"),
        );
        let finished = step.attempt(command)?;
        let counts = Counts::of_cargo(&finished.lines);
        self.conclude(step, stage, &finished, counts, verdict)
    }

    /// Options that leave out what another stage of this run does with the same engine: vectors and sessions.
    fn checked_elsewhere(&self) -> Vec<&'static str> {
        let suites = [(Stage::Golden, &golden::SUITE), (Stage::Sessions, &sessions::SUITE)];
        let tests = suites.into_iter().filter(|(stage, suite)| {
            self.stages.contains(stage) && self.project.shared(suite.program).is_dir()
        });
        let skipped: Vec<_> = tests.flat_map(|(_, suite)| ["--skip", suite.test]).collect();
        if skipped.is_empty() { skipped } else { [vec!["--"], skipped].concat() }
    }

    fn wasm(&self, verdict: &mut Verdict) -> Outcome<()> {
        let mut command = self.ready.toolchain.cargo(self.project);
        command
            .args(["test", "--no-fail-fast", "-p", "ebbline", "--target", TARGET, "--test", "*"])
            .args(SHORT)
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner");
        self.cargo_tests(Stage::Wasm, &mut command, verdict)
    }

    fn npm(&self, verdict: &mut Verdict) -> Outcome<()> {
        let installed = self.install()?;
        self.sizes("size of the package", &budget::of_package(self.project, &installed)?, verdict)?;
        let files = test_files(&self.project.at("tests/npm"));
        let mut command = self.node_tests(&files, &[AT_ONCE]);
        command.env("EBBLINE_PACKAGE", &installed.package).env("EBBLINE_TARBALL", &installed.tarball);
        command.envs(python::ensure(self.project, python::AGENTS).map(|path| ("EBBLINE_PYTHON", path)));
        self.node(Stage::Npm, &files, &mut command, verdict)
    }

    /// The component in Node and in Python, and its answers beside those of the npm package.
    fn component(&self, verdict: &mut Verdict) -> Outcome<()> {
        let mut rules = self.cargo(&["-p", "ebbline-component", "--lib"]);
        self.cargo_tests(Stage::Component, rules.args(SHORT), verdict)?;
        component::build(self.project, self.ready.toolchain)?;
        let installed = self.install()?;
        let files = test_files(&self.project.at("tests/component"));
        let mut command = self.node_tests(&files, &[]);
        command.env("EBBLINE_PACKAGE", &installed.package);
        self.node(Stage::Component, &files, &mut command, verdict)?;
        // Hosts that are not here are in the table as such; they are no tests that cannot run.
        let counts = component::hosts(self.project, &installed.package, self.ready.browser.as_deref())?;
        verdict.add(Counts { skipped: 0, ..counts });
        let Some(python) = python::ensure(self.project, python::COMPONENT) else {
            verdict.leave_out(
                "component: the tests of the Python package, for there is no Python with wasmtime",
            );
            return Ok(());
        };
        let step = Step::begin(Stage::Component.name(), "python tests/python/run_component.py");
        let mut command = self.project.command(python);
        command.arg(self.project.at("tests/python/run_component.py"));
        command.env("EBBLINE_PACKAGE", &installed.package).env("PYTHONDONTWRITEBYTECODE", "1");
        let finished = step.attempt(&mut command)?;
        let counts = Counts::of_sum(&finished.lines);
        self.conclude(step, Stage::Component, &finished, counts, verdict)
    }

    /// The test files that run a command line run the native one.
    fn command_line(&self, verdict: &mut Verdict) -> Outcome<()> {
        let step = Step::begin("command-line", "cargo build -p ebbline-cli");
        let mut build = self.project.cargo();
        build.args(["build", "-p", "ebbline-cli"]);
        step.run(&mut build)?;
        step.done("built");
        let program = self.project.cargo_target().join("debug/ebbline");
        let program = program.with_extension(std::env::consts::EXE_EXTENSION);
        let installed = self.install()?;
        let mut files = test_files(&self.project.at("tests/npm"));
        files.retain(|file| fs::read_to_string(file).is_ok_and(|text| text.contains("from './command.mjs'")));
        let mut command = self.node_tests(&files, &[AT_ONCE]);
        command.env("EBBLINE_PACKAGE", &installed.package).env("EBBLINE_COMMAND", program);
        command.envs(python::ensure(self.project, python::DATABASE).map(|path| ("EBBLINE_DUCKDB", path)));
        self.node(Stage::CommandLine, &files, &mut command, verdict)
    }

    fn hosts(&self, verdict: &mut Verdict) -> Outcome<()> {
        node::hosts(self.project)?;
        let installed = self.install()?;
        let files = test_files(&self.project.at("tests/hosts"));
        let mut command = self.node_tests(&files, &[AT_ONCE]);
        command.env("EBBLINE_PACKAGE", &installed.package);
        self.node(Stage::Hosts, &files, &mut command, verdict)
    }

    fn runtimes(&self, verdict: &mut Verdict) -> Outcome<()> {
        let installed = self.install()?;
        let counts = runtimes::check(self.project, &installed.tarball, self.ready.browser.as_deref(), &[])?;
        verdict.add(Counts { skipped: 0, ..counts });
        if counts.skipped > 0 {
            let rows = number(counts.skipped as usize, "row");
            verdict
                .cannot_run(counts.skipped as usize, format!("runtimes: {rows}, for there is no Chromium"));
        }
        Ok(())
    }

    fn playground(&self, verdict: &mut Verdict) -> Outcome<()> {
        let (_, files) = self.files_of_page();
        if !self.has_browser(Stage::Playground, &files, verdict) {
            return Ok(());
        }
        let folder = play::build(self.project, self.ready.toolchain, Mode::Release)?;
        let sizes = budget::of_playground(self.project, &folder)?;
        self.sizes("size of the page", &sizes, verdict)?;
        let site = Site::new(port::any()?, &folder)?;
        let address = site.address();
        site.serve_in_background();
        // Not at the root of its server: the site works under any path.
        let root = self.project.notes().join("site");
        site::pages(self.project, &folder, &root.join(PATH_OF_SITE))?;
        let whole = Site::new(port::any()?, &root)?;
        let address_of_pages = whole.address();
        whole.serve_in_background();
        let mut command = self.node_tests(&files, &[AT_ONCE]);
        command.env("EBBLINE_SITE", format!("http://{address_of_pages}/{PATH_OF_SITE}/"));
        command.env("EBBLINE_URL", format!("http://{address}/"));
        command.env("EBBLINE_FIRST_LOAD", play::FIRST_LOAD.join(" "));
        command.env("EBBLINE_WORKER", play::WORKER.join(" "));
        self.node(Stage::Playground, &files, &mut command, verdict)
    }

    fn speed(&self, verdict: &mut Verdict) -> Outcome<()> {
        let (files, _) = self.files_of_page();
        if !self.has_browser(Stage::Speed, &files, verdict) {
            return Ok(());
        }
        let site = Site::new(port::any()?, &play::build(self.project, self.ready.toolchain, Mode::Release)?)?;
        let address = site.address();
        site.serve_in_background();
        let mut command = self.node_tests(&files, &[]);
        self.node(Stage::Speed, &files, command.env("EBBLINE_URL", format!("http://{address}/")), verdict)
    }

    /// The tests of the page that measure its speed, and the others.
    fn files_of_page(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        test_files(&self.project.at("tests/e2e"))
            .into_iter()
            .partition(|file| file.ends_with("speed.test.mjs"))
    }

    fn has_browser(&self, stage: Stage, files: &[PathBuf], verdict: &mut Verdict) -> bool {
        if self.ready.browser.is_some() {
            return true;
        }
        let tests = files.iter().map(|file| tests_in(file)).sum();
        let what = format!("{} in {}", number(tests, "test"), number(files.len(), "file"));
        verdict.cannot_run(tests, format!("{}: {what}, for there is no Chromium", stage.name()));
        false
    }

    /// Golden vectors or sessions: data beside the project, checked with both engines.
    fn suite(&self, suite: &Suite, verdict: &mut Verdict) -> Outcome<()> {
        let folder = self.project.shared(suite.program);
        if !folder.is_dir() {
            verdict.leave_out(format!("{}: there is no folder {}", suite.program, folder.display()));
            return Ok(());
        }
        let native = suite.check(self.project, &folder, Engine::Native, None);
        Self::add_table(native, verdict);
        let installed = self.install()?;
        let npm = suite.check(self.project, &folder, Engine::Npm, Some(&installed));
        Self::add_table(npm, verdict);
        Ok(())
    }

    fn add_table(table: Outcome<Table>, verdict: &mut Verdict) {
        match table {
            Ok(table) => {
                table.print(true);
                verdict.add(table.counts());
            }
            Err(failure) => {
                say!("{failure}");
                verdict.add(Counts::one(false));
            }
        }
    }

    /// Compares the download sizes with their budgets.
    fn sizes(&self, name: &str, sizes: &[Size], verdict: &mut Verdict) -> Outcome<()> {
        let step = Step::begin(name, "comparing it with tests/budgets.json");
        let counts = Budgets::read(self.project)?.check(sizes);
        verdict.add(counts);
        if counts.failed == 0 {
            step.done(counts)
        } else {
            step.done_badly(counts)
        };
        Ok(())
    }

    fn node_tests(&self, files: &[PathBuf], options: &[&str]) -> Command {
        let mut command = self.project.node();
        command.args(["--test", "--test-reporter=spec", NODE_LIMIT]).args(options).args(files);
        command.envs(self.ready.browser.iter().map(|path| ("CHROMIUM_PATH", path)));
        command
    }

    fn node(
        &self,
        stage: Stage,
        files: &[PathBuf],
        command: &mut Command,
        verdict: &mut Verdict,
    ) -> Outcome<()> {
        if files.is_empty() {
            verdict.leave_out(format!("{}: there are no *.test.mjs files", stage.name()));
            return Ok(());
        }
        let step = Step::begin(stage.name(), format!("node --test, {}", number(files.len(), "file")));
        let finished = step.attempt(command)?;
        let counts = Counts::of_node(&finished.lines);
        self.conclude(step, stage, &finished, counts, verdict)
    }

    /// Ends a step that ran a test program. A program that fails without a failed test did not get as far as testing.
    fn conclude(
        &self,
        step: Step,
        stage: Stage,
        finished: &Finished,
        counts: Counts,
        verdict: &mut Verdict,
    ) -> Outcome<()> {
        verdict.add(counts);
        if finished.success() && counts.failed == 0 {
            if counts == Counts::default() {
                verdict.leave_out(format!("{}: there are no tests", stage.name()));
            }
            step.done(counts);
            return Ok(());
        }
        self.show_failure(stage.name(), finished);
        if counts.failed == 0 {
            return Err(Failure::new(format!("{}: the tests did not run to their end", stage.name())));
        }
        step.done_badly(counts);
        Ok(())
    }

    fn show_failure(&self, name: &str, finished: &Finished) {
        let log = self.project.notes().join("logs").join(format!("{name}.log"));
        let kept = log.parent().map(fs::create_dir_all).is_some_and(|made| made.is_ok())
            && fs::write(&log, finished.lines.join("\n") + "\n").is_ok();
        for line in excerpt(&finished.lines) {
            step::note(line);
        }
        if kept {
            step::note(format!("all of its output is in {}", short(&log)));
        }
    }

    /// The package as a user installs it.
    fn install(&self) -> Outcome<Installed> {
        let failed = || Failure::new("the npm package could not be built, see above");
        let mut package = self.package.lock().map_err(|_| failed())?;
        if let Package::Unasked = *package {
            // Counts as failed until it is installed, so that after an error no stage tries again.
            *package = Package::Failed;
            *package = Package::Installed(npm::install(self.project, self.ready.toolchain)?);
        }
        match &*package {
            Package::Installed(installed) => Ok(installed.clone()),
            _ => Err(failed()),
        }
    }
}

/// The important lines: from the program's summary of failures on, or else the last lines.
fn excerpt(lines: &[String]) -> &[String] {
    let summary = |line: &String| {
        let line = line.trim();
        line == "failures:"
            || line.ends_with("failing tests:")
            || line.starts_with("error: ")
            || line.starts_with("error[")
    };
    let from = lines.iter().position(summary).unwrap_or(0);
    let from = if lines.len() - from > EXCERPT && from == 0 { lines.len() - EXCERPT } else { from };
    let rest = lines.get(from..).unwrap_or_default();
    rest.get(..EXCERPT).unwrap_or(rest)
}

/// The test files of a folder, sorted by name. Node 20 cannot expand patterns itself.
fn test_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".test.mjs")))
        .collect();
    files.sort();
    files
}

/// An estimate of the number of tests in a file that cannot run.
fn tests_in(file: &Path) -> usize {
    let text = fs::read_to_string(file).unwrap_or_default();
    let starts =
        |line: &str| ["test(", "it(", "test.only("].iter().any(|call| line.trim_start().starts_with(call));
    text.lines().filter(|line| starts(line)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_excerpt_begins_where_failures_are_summed_up() {
        let lines: Vec<String> =
            ["test a ... ok", "failures:", "---- b stdout ----", "boom"].map(String::from).to_vec();
        assert_eq!(excerpt(&lines).first().map(String::as_str), Some("failures:"));
        let long: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
        assert_eq!(excerpt(&long).first().map(String::as_str), Some("750"));
        assert_eq!(excerpt(&[]).len(), 0);
    }

    #[test]
    fn tests_that_cannot_run_are_counted_by_their_look() {
        let file = std::env::temp_dir().join(format!("xtask-count-{}.mjs", std::process::id()));
        fs::write(&file, "import test from 'node:test';\ntest('a', () => {});\n  it('b');\n// test('c')\n")
            .unwrap();
        assert_eq!(tests_in(&file), 2);
        fs::remove_file(file).unwrap();
    }

    #[test]
    fn every_stage_has_its_place_in_the_order() {
        let all = Stage::everything();
        assert_eq!(Stage::ORDER.len() + 1, all.len());
        assert!(all.iter().all(|stage| *stage == Stage::Speed || Stage::ORDER.contains(stage)));
    }

    #[test]
    fn requested_stages_run_in_lanes_or_one_by_one_on_one_processor() {
        let asked = [Stage::Golden, Stage::Engine, Stage::Npm];
        assert_eq!(lanes_of(&asked, 2), (2, vec![Stage::Npm, Stage::Engine, Stage::Golden]));
        assert_eq!(lanes_of(&asked, 1), (1, asked.to_vec()));
        assert_eq!(lanes_of(&[Stage::Web], 8), (1, vec![Stage::Web]));
    }

    #[test]
    fn every_stage_has_its_own_name() {
        let all = Stage::everything();
        let mut names: Vec<&str> = all.iter().map(|stage| stage.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len());
    }
}
