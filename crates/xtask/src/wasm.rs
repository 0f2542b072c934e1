//! Compiles crates to WebAssembly, generates their glue and optimizes them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Failure, Outcome};
use crate::kept::Kept;
use crate::measure::left_at;
use crate::project::Project;
use crate::standard_library;
use crate::step::{self, Step};
use crate::tighten;
use crate::toolchain::{TARGET, Toolchain};

/// A crate of bindings that becomes a module of the package.
#[derive(Debug)]
pub(crate) struct Description {
    /// The crate; it is compiled as a `cdylib`.
    pub(crate) package: &'static str,
    /// The name of the glue without `.js`, and of the folder in `target/npm`.
    pub(crate) glue: &'static str,
    /// The name of the module.
    pub(crate) module: &'static str,
    /// The options of wasm-opt: [`SMALL`] or [`SMALLEST`] for size, `-O3` for speed.
    pub(crate) optimize: &'static str,
}

/// The profile of the package's modules.
const PROFILE: &str = "wasm";

/// Optimizes for size. `--low-memory-unused` is safe because the linker puts the stack first: no address is computed
/// from a base in the lowest kilobyte. Shared expressions stay repeated, because a repetition compresses better than
/// another local. A long function that is called once stays a function, and functions of one module of the source stand
/// side by side: both compress better. The names of functions stay until [`tighten::finish`] has read them.
pub(crate) const SMALL: &str = "-g --one-caller-inline-max-function-size=20 -Oz --low-memory-unused --skip-pass=local-cse \
     --reorder-functions-by-name";

/// Until nothing shrinks any more: twice the time for a thousandth of the size, for the module that everybody loads.
const SMALLEST: &str = "-g --one-caller-inline-max-function-size=20 -Oz --low-memory-unused --converge \
     --skip-pass=local-cse --reorder-functions-by-name";

/// The engine for live messages.
pub(crate) const ENGINE: Description =
    Description { package: "ebbline-wasm", glue: "core", module: "ebbline.wasm", optimize: SMALLEST };

/// Readers and writers of texts: loaded with the first text.
pub(crate) const FILES: Description =
    Description { package: "ebbline-files-wasm", glue: "files-core", module: "files.wasm", optimize: SMALL };

/// Other systems' answers about their own data; loaded on request.
pub(crate) const COMPAT: Description = Description {
    package: "ebbline-compat-wasm",
    glue: "compat-core",
    module: "compat.wasm",
    optimize: SMALL,
};

/// The command line: loaded by the package's program alone.
pub(crate) const CLI: Description =
    Description { package: "ebbline-cli-wasm", glue: "cli-core", module: "cli.wasm", optimize: SMALL };

/// The tokenizers of both encodings: a separate module, loaded with either of them.
pub(crate) const TOKENIZER: Description = Description {
    package: "ebbline-tokenizer-wasm",
    glue: "tokenizer-core",
    module: "tokenizer.wasm",
    optimize: "-O3",
};

/// The component, which has no glue: `jco` wraps the module.
pub(crate) const COMPONENT: Description =
    Description { package: "ebbline-component", glue: "", module: "ebbline.wasm", optimize: SMALL };

/// The files that a crate of bindings becomes.
#[derive(Debug)]
pub(crate) struct Core {
    /// The JavaScript that wasm-bindgen writes; its declarations stand beside it.
    pub(crate) glue: PathBuf,
    /// The optimized module.
    pub(crate) module: PathBuf,
}

/// Compiles a crate of bindings to the files of the package.
pub(crate) fn build(project: &Project, toolchain: Toolchain, description: &Description) -> Outcome<Core> {
    let Description { package, glue, module, optimize } = *description;
    let folder = project.at("target/npm").join(glue);
    let core = Core { glue: folder.join(glue).with_extension("js"), module: folder.join(module) };
    let declarations = core.glue.with_extension("d.ts");
    let outputs: [&Path; 3] = [&core.glue, &core.module, &declarations];
    let kept = Kept::of(project, toolchain, package, &[], optimize)?;
    if kept.restore(&outputs)? {
        Step::begin("wasm module", format!("{module}: looking for it"))
            .done(format!("as it was built before, {}", left_at(&core.module)));
        return Ok(core);
    }
    let (compiled, sources) = compile(project, toolchain, description)?;
    let step = Step::begin(
        "wasm module",
        format!("binding and optimizing {module} (wasm-bindgen, wasm-opt {optimize})"),
    );
    if folder.exists() {
        fs::remove_dir_all(&folder).context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).context(|| format!("cannot make {}", folder.display()))?;
    // No default path: each entry file of the package knows where the module is in its runtime.
    step.run(
        project
            .command("wasm-bindgen")
            .args(["--target", "web", "--omit-default-module-path", "--out-name", glue, "--out-dir"])
            .arg(&folder)
            .arg(&compiled),
    )?;
    let bound = folder.join(format!("{glue}_bg.wasm"));
    step::note(format!("bound: {}", left_at(&bound)));
    // The module states which features it uses, so no option is needed here.
    step.run(project.command("wasm-opt").args(optimize.split(' ')).arg(&bound).arg("-o").arg(&core.module))
        .map_err(|failure| failure.advise("Run `cargo xtask setup`: wasm-opt comes with the npm packages."))?;
    tighten::finish(&core.module)?;
    fs::remove_file(&bound).context(|| format!("cannot remove {}", bound.display()))?;
    kept.keep(&outputs, &[sources])?;
    step.done(left_at(&core.module));
    Ok(core)
}

/// Compiles a crate of bindings to a module. Returns where it lies, and where the compiler's list of its sources.
pub(crate) fn compile(
    project: &Project,
    toolchain: Toolchain,
    description: &Description,
) -> Outcome<(PathBuf, PathBuf)> {
    let package = description.package;
    let step = Step::begin("wasm build", format!("compiling {package}"));
    // Tests need the crate as a library too, but a crate with both types gets no link-time optimization.
    let crate_type = ["--lib", "--crate-type", "cdylib"];
    let mut command = toolchain.cargo(project);
    command.args(["rustc", "--profile", PROFILE, "-p", package, "--target", TARGET]).args(crate_type);
    standard_library::apply(project, toolchain, &mut command, PROFILE);
    step.run(&mut command)?;
    let library = package.replace('-', "_");
    let compiled = project.cargo_target().join(TARGET).join(PROFILE).join(format!("{library}.wasm"));
    if !compiled.is_file() {
        return Err(Failure::new(format!("wasm build: cargo left no {}", compiled.display()))
            .advise(format!("crates/{package} must be a `cdylib` named {library}.")));
    }
    step.done(left_at(&compiled));
    let sources = compiled.with_extension("d");
    Ok((compiled, sources))
}
