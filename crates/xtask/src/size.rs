//! `cargo xtask size`: download sizes, and how long Node takes to load the package.

use std::process::ExitCode;

use crate::args::Mode;
use crate::budget::{self, Budgets};
use crate::failure::Outcome;
use crate::npm::Installed;
use crate::process::answer_of;
use crate::project::Project;
use crate::step::{self, Step, say};
use crate::{npm, play, setup, standard_library};

/// How many processes load the package; the median of their times is printed.
const LOADS: usize = 15;

/// Builds package and page, prints their sizes beside their budgets and, with `--record`, records them.
pub(crate) fn command(project: &Project, record: bool) -> Outcome<ExitCode> {
    let ready = setup::everything(project)?;
    if record {
        standard_library::demand(project, ready.toolchain)?;
    }
    let installed = npm::install(project, ready.toolchain)?;
    let page = play::build(project, ready.toolchain, Mode::Release)?;
    let step = Step::begin("size", "compressing what users download");
    let mut sizes = budget::of_package(project, &installed)?;
    sizes.extend(budget::of_playground(project, &page)?);
    let mut budgets = Budgets::read(project)?;
    if record {
        budgets.record(&sizes);
        budgets.write(project)?;
    }
    let counts = budgets.check(&sizes);
    if counts.failed == 0 {
        step.done("all within their budgets")
    } else {
        step.done_badly(counts)
    };
    print_loading(project, &installed);
    Ok(counts.exit())
}

/// How long a new Node process takes for `require`, and how much of it for the module.
fn print_loading(project: &Project, installed: &Installed) {
    const PROGRAM: &str = "const now = () => performance.now(); let wasm = 0; \
        for (const name of ['Module', 'Instance']) { \
            const Original = WebAssembly[name]; \
            WebAssembly[name] = class extends Original { \
                constructor(...args) { const began = now(); super(...args); wasm += now() - began; } }; } \
        const began = now(); require(process.argv[1]); console.log(now() - began, wasm);";
    let entry = installed.package.join("dist/node.cjs");
    let mut times: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..LOADS {
        let answer = answer_of(project.node().args(["-e", PROGRAM]).arg(&entry)).unwrap_or_default();
        for (times, word) in times.iter_mut().zip(answer.split_whitespace()) {
            times.extend(word.parse::<f64>());
        }
    }
    let [all, module] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
    });
    let loads = format!("median of {LOADS} fresh processes");
    say!(
        "  {} {all:.1} ms, of which compiling and instantiating the module {module:.1} ms ({loads})",
        step::strong("require(\"ebbline\") in Node:")
    );
}
