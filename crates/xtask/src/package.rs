//! The npm package as a folder: `target/npm/ebbline`, ready for `npm pack`.
//!
//! `npm` contains the hand-written files:
//!
//! | there | in the package |
//! |---|---|
//! | `package.json` | the same, with cargo's version |
//! | `README.md`, `openclaw.plugin.json` | the same |
//! | `src/**` in TypeScript | `dist/**` in JavaScript, except `node-cjs.js` |
//! | `src/node-cjs.ts` | `dist/node-engine.cjs`, bundled with all it imports |
//! | `src/tokenizers/node-cjs.ts` | `dist/tokenizers/node.cjs`, bundled likewise |
//! | `src/errors.ts` | also `dist/errors.cjs`, which both bundles load: one class for all |
//! | `src/**` | also the declarations that an entry reaches, each with a twin for `require` ([`declarations`]) |
//! | `src/adapters/*.ts` | also `dist/adapters/*.cjs`, each bundled with what it imports |
//!
//! Added are: the modules with their glue, `dist/ebbline.wasm` with `dist/core.js`, `dist/files.wasm` with
//! `dist/files-core.js` and `dist/compat.wasm` with `dist/compat-core.js`, and each of these modules as text
//! (`dist/ebbline.wasm.js`); `dist/cli.wasm` with `dist/cli-core.js`, which only `dist/cli.js` loads; the licences, those of third parties (`THIRD_PARTY_NOTICES`), the list of the modules'
//! contents (`sbom.cdx.json`) and the changelog; in `dist/tokenizers` the glue and the module of the tokenizers and
//! their ranks as `*.bin`, a name that bundlers for workers copy unchanged.

use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::BASE64;

use crate::failure::{Context, Failure, Outcome};
use crate::measure::left_at;
use crate::project::Project;
use crate::step::{self, Step};
use crate::wasm::{CLI, COMPAT, Core, Description, ENGINE, FILES, TOKENIZER};
use crate::{declarations, linked, node, notices, sbom};

/// The encodings of the package's tokenizers.
const ENCODINGS: [&str; 2] = ["o200k", "cl100k"];

/// The entry for `require`, before bundling.
const COMMONJS_SOURCE: &str = "node-cjs.js";
/// Files of the project's root that the package contains.
const FROM_ROOT: [&str; 3] = ["LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"];

/// The modules whose contents the package names.
pub(crate) const MODULES: [Description; 5] = [ENGINE, FILES, COMPAT, CLI, TOKENIZER];

/// Notices for third-party work without a crate, in the folder of the crate that contains the work.
const NOTICES: [&str; 2] = ["crates/ebbline-wasm/notices", "crates/ebbline-tokenizer/notices"];

/// Assembles the package and returns its folder.
pub(crate) fn assemble(
    project: &Project,
    modules: &[Core],
    cli: &Core,
    tokenizer: &Core,
) -> Outcome<PathBuf> {
    // The declarations of the adapters name types of these libraries.
    node::install(project, &node::HOSTS)?;
    let step = Step::begin("npm package", "putting it together in target/npm/ebbline");
    let source = project.at("npm");
    let package = project.at("target/npm/ebbline");
    if package.exists() {
        fs::remove_dir_all(&package).context(|| format!("cannot empty {}", package.display()))?;
    }
    let dist = package.join("dist");
    for core in modules.iter().chain([cli]) {
        declare_glue(&core.glue, &source.join("src"))?;
    }
    declare_glue(&tokenizer.glue, &source.join("src/tokenizers"))?;
    compile(project, &step, &source, &dist)?;
    for core in modules.iter().chain([cli]) {
        for file in [&core.glue, &core.module] {
            copy(file, &dist.join(file.file_name().unwrap_or_default()))?;
        }
    }
    for core in modules {
        write_as_text(&dist.join(core.module.file_name().unwrap_or_default()))?;
    }
    for name in ["README.md", "openclaw.plugin.json"] {
        copy(&source.join(name), &package.join(name))?;
    }
    for name in FROM_ROOT {
        copy(&project.at(name), &package.join(name))?;
    }
    let manifest = package.join("package.json");
    write_manifest(&source.join("package.json"), &manifest)?;
    let crates = linked::crates(project, &step, &MODULES)?;
    let notices = notices::write("npm package", &crates, &NOTICES.map(|folder| project.at(folder)))?;
    let place = package.join("THIRD_PARTY_NOTICES");
    fs::write(&place, notices).context(|| format!("cannot write {}", place.display()))?;
    sbom::write(project, &step, &crates, &manifest, &package.join("sbom.cdx.json"))?;
    let errors = dist.join("errors.js");
    run_esbuild(project, &step, &errors, &errors.with_extension("cjs"), &[])?;
    bundle_commonjs(project, &step, &dist.join("node-engine.cjs"), &errors)?;
    add_tokenizers(project, &step, tokenizer, &dist)?;
    add_adapters(project, &step, &source.join("src/adapters"), &dist)?;
    let named = fs::read_to_string(&manifest).context(|| format!("cannot read {}", manifest.display()))?;
    declarations::keep_reached(&dist, &named)?;
    step.done(left_at(&package));
    Ok(package)
}

/// Compiles the TypeScript of `source` into `dist`: JavaScript and declarations.
fn compile(project: &Project, step: &Step, source: &Path, dist: &Path) -> Outcome<()> {
    let mut command = project.command("tsc");
    command.arg("--project").arg(source).arg("--outDir").arg(dist);
    step.run(&mut command).map(drop)
}

/// The declarations of the glue, which wasm-bindgen writes, beside the TypeScript that imports it.
fn declare_glue(glue: &Path, folder: &Path) -> Outcome<()> {
    let from = glue.with_extension("d.ts");
    let to = folder.join(from.file_name().unwrap_or_default());
    let text = types_alone(&fs::read_to_string(&from).map_err(|_| missing(&from))?);
    if fs::read_to_string(&to).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(&to, text).context(|| format!("cannot write {}", to.display()))?;
    step::note(format!("{} is new: commit it", to.display()));
    Ok(())
}

/// What TypeScript reads of the glue's declarations. Their documentation stands in Rust, and nobody calls the module itself.
fn types_alone(glue: &str) -> String {
    let mut is_comment = false;
    let lines = glue.lines().filter(|line| {
        let line = line.trim();
        let is_left_out = is_comment || line.starts_with("/*");
        is_comment = is_left_out && !line.ends_with("*/");
        let is_export = line.starts_with("readonly ") && line.contains(": (");
        !(is_left_out || line.is_empty() || is_export)
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The tokenizers: separate files that the rest of the package does not load.
fn add_tokenizers(project: &Project, step: &Step, core: &Core, dist: &Path) -> Outcome<()> {
    let folder = dist.join("tokenizers");
    copy(&core.glue, &folder.join("tokenizer-core.js"))?;
    copy(&core.module, &folder.join("tokenizer.wasm"))?;
    bundle_commonjs(project, step, &folder.join("node.cjs"), &dist.join("errors.js"))?;
    for encoding in ENCODINGS {
        let ranks = folder.join(encoding).with_extension("bin");
        copy(&project.at(format!("crates/ebbline-tokenizer/ranks/{encoding}.ranks")), &ranks)?;
    }
    Ok(())
}

/// The adapters of agent libraries, each of which `require` loads as one file. The rest of the package does not load them.
fn add_adapters(project: &Project, step: &Step, sources: &Path, dist: &Path) -> Outcome<()> {
    let folder = dist.join("adapters");
    let errors = dist.join("errors.js");
    let entries = fs::read_dir(sources).map_err(|_| missing(sources))?;
    let mut adapters: Vec<PathBuf> =
        entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    adapters.retain(|file| file.extension().is_some_and(|extension| extension == "ts"));
    adapters.sort();
    for adapter in adapters {
        let compiled = folder.join(adapter.file_name().unwrap_or_default()).with_extension("js");
        bundle(project, step, &compiled, &compiled.with_extension("cjs"), &errors)?;
    }
    Ok(())
}

/// The entry for `require` is a single file, because `require` cannot load the modules beside it. Only the error
/// class is in another file, so that there is one class.
fn bundle_commonjs(project: &Project, step: &Step, place: &Path, errors: &Path) -> Outcome<()> {
    let source = place.with_file_name(COMMONJS_SOURCE);
    bundle(project, step, &source, place, errors)?;
    fs::remove_file(&source).context(|| format!("cannot remove {}", source.display()))
}

fn bundle(project: &Project, step: &Step, source: &Path, place: &Path, errors: &Path) -> Outcome<()> {
    let external = |errors: &Path| format!("--external:{}", errors.display());
    let externals = [external(errors), external(&errors.with_extension("cjs"))];
    run_esbuild(project, step, source, place, &externals)?;
    let text = fs::read_to_string(place).context(|| format!("cannot read {}", place.display()))?;
    let text = text.replace("errors.js\")", "errors.cjs\")");
    fs::write(place, text).context(|| format!("cannot write {}", place.display()))
}

fn run_esbuild(project: &Project, step: &Step, from: &Path, to: &Path, more: &[String]) -> Outcome<()> {
    if !from.is_file() {
        return Err(missing(from));
    }
    step.run(
        project
            .command("esbuild")
            .arg(from)
            .args(["--bundle", "--format=cjs", "--platform=node", "--target=node20", "--log-level=warning"])
            .args(more)
            .arg(format!("--outfile={}", to.display())),
    )
    .map(drop)
    .map_err(|failure| {
        failure.advise("Run `cargo xtask setup` if esbuild is missing: it comes with the npm packages.")
    })
}

/// Writes a module as a JavaScript file beside it, for the entry that reads no file at run time.
fn write_as_text(module: &Path) -> Outcome<()> {
    let bytes = fs::read(module).context(|| format!("cannot read {}", module.display()))?;
    let place = module.with_extension("wasm.js");
    let text = format!("export const module = '{}';\n", BASE64.encode(&bytes));
    fs::write(&place, text).context(|| format!("cannot write {}", place.display()))
}

/// Copies the manifest with the workspace's version. The rest of the text is unchanged, because the order in
/// `exports` matters.
fn write_manifest(from: &Path, to: &Path) -> Outcome<()> {
    let text = fs::read_to_string(from).map_err(|_| missing(from))?;
    let text = with_version(&text, env!("CARGO_PKG_VERSION")).ok_or_else(|| {
        Failure::new(format!("{} has no line `  \"version\": \"..\",`", from.display()))
            .advise("Add it; its value does not matter.")
    })?;
    fs::write(to, text).context(|| format!("cannot write {}", to.display()))
}

fn with_version(manifest: &str, version: &str) -> Option<String> {
    const KEY: &str = "\n  \"version\": \"";
    let start = manifest.find(KEY)? + KEY.len();
    let (before, rest) = manifest.split_at_checked(start)?;
    let (_, after) = rest.split_once('"')?;
    Some(format!("{before}{version}\"{after}"))
}

fn copy(from: &Path, to: &Path) -> Outcome<()> {
    if !from.is_file() {
        return Err(missing(from));
    }
    fs::copy(from, to).map(drop).context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

fn missing(path: &Path) -> Failure {
    Failure::new(format!("npm package: {} is missing", path.display()))
        .advise("The package needs it; the list is at the top of crates/xtask/src/package.rs.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_packages_own_version_is_replaced() {
        let manifest =
            "{\n  \"name\": \"ebbline\",\n  \"version\": \"0.0.0\",\n  \"x\": { \"version\": \"9\" }\n}\n";
        let expected =
            "{\n  \"name\": \"ebbline\",\n  \"version\": \"1.2.3\",\n  \"x\": { \"version\": \"9\" }\n}\n";
        assert_eq!(with_version(manifest, "1.2.3").as_deref(), Some(expected));
        assert_eq!(with_version("{}", "1.2.3"), None);
    }
}
