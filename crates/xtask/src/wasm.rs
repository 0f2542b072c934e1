//! Crates as WebAssembly: compiled, bound, optimised.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::failure::{Context, Failure, Outcome};
use crate::fresh::{Stamp, fingerprint};
use crate::measure::{left_at, size};
use crate::process::answer_of;
use crate::project::Project;
use crate::remap;
use crate::step::{self, Step};
use crate::toolchain::{TARGET, Toolchain};

/// A crate of bindings that becomes a module of the package.
#[derive(Debug)]
pub(crate) struct Description {
    /// The crate; it is compiled as a `cdylib`.
    pub(crate) package: &'static str,
    /// What the glue is called, without `.js`, and the folder in `target/npm`.
    pub(crate) glue: &'static str,
    /// What the module is called.
    pub(crate) module: &'static str,
    /// What wasm-opt is asked for: `-Oz` or [`SMALL`] for size, `-O3` for speed.
    pub(crate) optimise: &'static str,
}

/// For size, until nothing becomes smaller, which takes twice as long. The lowest kilobyte of memory is the end of the stack, which the linker puts
/// first: no address is made from one in there.
const SMALL: &str = "-Oz --low-memory-unused --converge";

/// The engine for live messages.
pub(crate) const ENGINE: Description =
    Description { package: "ebbline-wasm", glue: "core", module: "ebbline.wasm", optimise: SMALL };

/// Readers and writers of texts: loaded with the first text.
pub(crate) const FILES: Description =
    Description { package: "ebbline-files-wasm", glue: "files-core", module: "files.wasm", optimise: SMALL };

/// What other systems answer about their own data: loaded when it is asked for.
pub(crate) const COMPAT: Description = Description {
    package: "ebbline-compat-wasm",
    glue: "compat-core",
    module: "compat.wasm",
    optimise: "-Oz",
};

/// The tokenizers, both encodings: a module of its own, loaded when one of them is.
pub(crate) const TOKENIZER: Description = Description {
    package: "ebbline-tokenizer-wasm",
    glue: "tokenizer-core",
    module: "tokenizer.wasm",
    optimise: "-O3",
};

/// The two files that a crate of bindings becomes.
#[derive(Debug)]
pub(crate) struct Core {
    /// The JavaScript that wasm-bindgen writes.
    pub(crate) glue: PathBuf,
    /// The optimised module.
    pub(crate) module: PathBuf,
}

/// Compiles a crate of bindings and makes the files of the package out of it.
///
/// # Errors
///
/// When a compiler or a tool fails.
pub(crate) fn build(project: &Project, toolchain: Toolchain, description: &Description) -> Outcome<Core> {
    let Description { glue, module, optimise, .. } = *description;
    let compiled = compile(project, toolchain, description)?;
    let folder = project.at("target/npm").join(glue);
    let core = Core { glue: folder.join(glue).with_extension("js"), module: folder.join(module) };

    let step = Step::begin(
        "wasm module",
        format!("binding and optimising {module} (wasm-bindgen, wasm-opt {optimise})"),
    );
    let optimiser = answer_of(project.command("wasm-opt").arg("--version")).unwrap_or_default();
    // By content: when toolchains change, cargo brings back files that are older than what came between.
    let how =
        format!("{} {} {optimise} {optimiser}\n", fingerprint(&compiled)?, project.wasm_bindgen_version()?);
    let stamp = Stamp::new(project.notes().join(glue), how);
    if stamp.holds(&[], &[core.glue.clone(), core.module.clone()]) {
        step.done(format!("unchanged since the last time, {}", left_at(&core.module)));
        return Ok(core);
    }

    let began = SystemTime::now();
    if folder.exists() {
        fs::remove_dir_all(&folder).context(|| format!("cannot empty {}", folder.display()))?;
    }
    // No default path: the entry files of the package say where the module lies, each for its runtime.
    step.run(
        project
            .command("wasm-bindgen")
            .args(["--target", "web", "--omit-default-module-path", "--out-name", glue, "--out-dir"])
            .arg(&folder)
            .arg(&compiled),
    )?;
    let bound = folder.join(format!("{glue}_bg.wasm"));
    step::note(format!("bound: {}", left_at(&bound)));
    // The module says itself which features it uses, so that no option here has to.
    step.run(project.command("wasm-opt").args(optimise.split(' ')).arg(&bound).arg("-o").arg(&core.module))
        .map_err(|failure| failure.advise("Run `cargo xtask setup`: wasm-opt comes with the npm packages."))?;
    fs::remove_file(&bound).context(|| format!("cannot remove {}", bound.display()))?;
    stamp.set(began)?;
    step.done(left_at(&core.module));
    Ok(core)
}

fn compile(project: &Project, toolchain: Toolchain, description: &Description) -> Outcome<PathBuf> {
    let package = description.package;
    let step = Step::begin("wasm build", format!("compiling {package}"));
    // Tests need the crate as a library too, but a crate that is one as well is not optimised at link time.
    let crate_type = ["--lib", "--crate-type", "cdylib"];
    let mut command = toolchain.cargo(project);
    command.args(["rustc", "--profile", "wasm", "-p", package, "--target", TARGET]).args(crate_type);
    remap::apply(project, &mut command);
    step.run(&mut command)?;
    let library = package.replace('-', "_");
    let compiled = project.cargo_target().join(TARGET).join("wasm").join(format!("{library}.wasm"));
    if !compiled.is_file() {
        return Err(Failure::new(format!("wasm build: cargo left no {}", compiled.display()))
            .advise(format!("crates/{package} must be a `cdylib` named {library}.")));
    }
    step.done(left_at(&compiled));
    Ok(compiled)
}

/// The module's size as it is, and as servers send it: `412.0 kB, gzip 160.1 kB, brotli 121.9 kB`.
pub(crate) fn sizes(project: &Project, module: &Path) -> String {
    const PROGRAM: &str = "const z = require('node:zlib'), b = require('node:fs').readFileSync(process.argv[1]); \
        console.log(b.length, z.gzipSync(b, { level: 9 }).length, z.brotliCompressSync(b).length)";
    let answer = answer_of(project.node().args(["-e", PROGRAM]).arg(module)).unwrap_or_default();
    let numbers: Vec<u64> = answer.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    match numbers.as_slice() {
        [raw, gzip, brotli] => format!("{}, gzip {}, brotli {}", size(*raw), size(*gzip), size(*brotli)),
        _ => left_at(module),
    }
}
