//! All tests of the project, in stages, with one table at the end. Independent stages run in parallel.
//!
//! The last line is exactly `N passed, N failed, N skipped`. What cannot run, for example without a browser, is named
//! and counted: as skipped on a developer's machine, as failed with `CI=true`.

mod files;
mod stage;
mod verdict;

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::time::Instant;
use std::{env, fs, thread};

use files::{excerpt, test_files, tests_in};
pub(crate) use stage::Stage;
use stage::lanes_of;
use verdict::{Verdict, print_table};

use crate::args::Mode;
use crate::budget::{self, Budgets, Size};
use crate::counts::Counts;
use crate::failure::{Failure, Outcome};
use crate::measure::{number, short};
use crate::npm::{self, Installed};
use crate::process::{Finished, line_of};
use crate::project::Project;
use crate::reports::{Engine, Table};
use crate::serve::Site;
use crate::setup::{self, Ready};
use crate::step::{self, Step, say};
use crate::suite::Suite;
use crate::toolchain::TARGET;
use crate::{
    check, component, golden, hosts, lanes, node, play, port, python, runtimes, sessions, site,
    standard_library,
};

/// After this many milliseconds a test file counts as hung.
const NODE_LIMIT: &str = "--test-timeout=1200000";
/// For tests that run for a second: to compile them without optimization takes a fourth of the time.
const SHORT: [&str; 2] = ["--profile", "dev"];
/// Asked for beside whatever is compiled, so that the engine is compiled once a profile.
const FEATURES: &str = "ebbline-features";
/// How many test files Node runs in parallel: many wait for a browser, or for a program that they have started.
const AT_ONCE: &str = "--test-concurrency=3";

/// The seed of property tests: a run tries the same cases on every machine, so that what fails is what was changed.
const SEED: &str = "1";

/// The test of `Stage::Fuzz`, by its name.
const DAMAGED: &str = "damaged_sessions_do_no_harm";

/// Where the tests find the site on its server.
const PATH_OF_SITE: &str = "under/any/path";

/// `cargo xtask ci`: sets up, and runs the checks and all tests in the same lanes. Most checks use one processor.
pub(crate) fn with_checks(project: &Project) -> Outcome<ExitCode> {
    run(project, &Stage::everything())
}

/// Sets up and runs the given stages, or all of them.
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
                    .args(["-p", "ebbline-compactor", "-p", "ebbline-tokenizer"])
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
                let mut command = self.cargo(&["-p", "ebbline-tests", "--test", "fuzz"]);
                self.cargo_tests(stage, &mut command, verdict)
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
        command.args(["test", "--no-fail-fast", "-p", FEATURES]).args(which);
        if env::var_os("PROPTEST_RNG_SEED").is_none() {
            command.env("PROPTEST_RNG_SEED", SEED);
        }
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

    /// Options that leave out what another stage of this run does with the same engine: vectors, sessions and damaged ones.
    fn checked_elsewhere(&self) -> Vec<&'static str> {
        let suites = [(Stage::Golden, &golden::SUITE), (Stage::Sessions, &sessions::SUITE)];
        let suites = suites.into_iter().filter(|(_, suite)| self.project.shared(suite.program).is_dir());
        let tests = suites.map(|(stage, suite)| (stage, suite.test)).chain([(Stage::Fuzz, DAMAGED)]);
        let tests = tests.filter(|(stage, _)| self.stages.contains(stage));
        let skipped: Vec<_> = tests.flat_map(|(_, test)| ["--skip", test]).collect();
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
        let files = [test_files(&self.project.at("tests/npm")), self.recorded_commands()].concat();
        let mut command = self.node_tests(&files, &[AT_ONCE]);
        command.env("EBBLINE_PACKAGE", &installed.package).env("EBBLINE_TARBALL", &installed.tarball);
        command.envs(python::ensure(self.project, python::AGENTS).map(|path| ("EBBLINE_PYTHON", path)));
        command
            .envs(python::ensure(self.project, python::FRAMEWORKS).map(|path| ("EBBLINE_FRAMEWORKS", path)));
        self.node(Stage::Npm, &files, &mut command, verdict)
    }

    /// The component in Node and in Python, and its answers beside those of the npm package.
    fn component(&self, verdict: &mut Verdict) -> Outcome<()> {
        let mut rules = self.cargo(&["-p", "ebbline-component", "--lib"]);
        self.cargo_tests(Stage::Component, rules.args(SHORT), verdict)?;
        component::build(self.project, self.ready.toolchain)?;
        let installed = self.install()?;
        let mut scripted = self.cargo(&["-p", "ebbline-compactor", "--test", "alike"]);
        scripted.env("EBBLINE_PACKAGE", &installed.package);
        self.cargo_tests(Stage::Component, &mut scripted, verdict)?;
        let files = test_files(&self.project.at("tests/component"));
        let mut command = self.node_tests(&files, &[]);
        command.env("EBBLINE_PACKAGE", &installed.package);
        self.node(Stage::Component, &files, &mut command, verdict)?;
        // Hosts that are not here are in the table as such; they are no tests that cannot run.
        let counts = hosts::run(self.project, &installed.package, self.ready.browser.as_deref())?;
        verdict.add(Counts { skipped: 0, ..counts });
        let Some(python) = python::ensure(self.project, python::COMPONENT) else {
            verdict.leave_out(
                "component: the tests of the Python package, for there is no Python with wasmtime",
            );
            return Ok(());
        };
        let step = Step::begin(Stage::Component.name(), "python tests/python/run_component.py");
        let mut command = self.project.command(&python);
        command.arg(self.project.at("tests/python/run_component.py"));
        command.env("EBBLINE_PACKAGE", &installed.package).env("PYTHONDONTWRITEBYTECODE", "1");
        let finished = step.attempt(&mut command)?;
        let counts = Counts::of_sum(&finished.lines);
        self.conclude(step, Stage::Component, &finished, counts, verdict)?;
        let files = self.recorded_commands();
        let mut command = self.node_tests(&files, &[]);
        self.node(Stage::Component, &files, command.env("EBBLINE_COMMAND_PYTHON", python), verdict)
    }

    /// What every command line answers, as recorded.
    fn recorded_commands(&self) -> Vec<PathBuf> {
        test_files(&self.project.at("tests/commands"))
    }

    /// The commands by themselves; then the test files that run a command line run the native one.
    fn command_line(&self, verdict: &mut Verdict) -> Outcome<()> {
        let mut units = self.cargo(&["-p", "ebbline-commands", "-p", "ebbline-cli"]);
        self.cargo_tests(Stage::CommandLine, units.args(SHORT), verdict)?;
        let step = Step::begin("command-line", "cargo build -p ebbline-cli");
        let mut build = self.project.cargo();
        build.args(["build", "-p", FEATURES, "-p", "ebbline-cli"]);
        step.run(&mut build)?;
        step.done("built");
        let program = self.project.cargo_target().join("debug/ebbline");
        let program = program.with_extension(std::env::consts::EXE_EXTENSION);
        let installed = self.install()?;
        let mut files = test_files(&self.project.at("tests/npm"));
        files.retain(|file| fs::read_to_string(file).is_ok_and(|text| text.contains("from './command.mjs'")));
        files.extend(self.recorded_commands());
        let mut command = self.node_tests(&files, &[AT_ONCE]);
        command.env("EBBLINE_PACKAGE", &installed.package).env("EBBLINE_COMMAND", program);
        command.envs(python::ensure(self.project, python::DATABASE).map(|path| ("EBBLINE_DUCKDB", path)));
        self.node(Stage::CommandLine, &files, &mut command, verdict)
    }

    fn hosts(&self, verdict: &mut Verdict) -> Outcome<()> {
        node::install(self.project, &node::HOSTS)?;
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
        let python = python::ensure(self.project, python::COMPONENT);
        command.envs(python.map(|path| ("EBBLINE_COMPONENT_PYTHON", path)));
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
        if !standard_library::is_compiled(self.project, self.ready.toolchain) {
            step.left_out("the budgets are those of modules with a standard library of their own build");
            return Ok(());
        }
        verdict.add(counts);
        step.done_with(counts);
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
